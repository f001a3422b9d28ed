"""The preset of Fieldseeker learns what is asked of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from astrarium.runs import RunFolder
from astrarium.train import training
from astrarium.train.config import layered, preset
from astrarium.train.contenders import contender
from astrarium.worlds import ladder

DISTANCE_M_MAX = 200.0
STEPS_MAX = 200_000


@pytest.mark.long
def test_a_boat_learns_to_find_the_fire(tmp_path: Path) -> None:
    given = preset("fieldseeker-v1")
    assert given["run"]["total_env_steps"] <= STEPS_MAX
    config = layered(given, {"run": {"root": str(tmp_path), "id": "boat", "seed": 4}})
    training.start(config)
    boat = contender(RunFolder.open(tmp_path / "boat"))
    played = ladder.play(boat.entry, "boat", boat.policy, ladder.Rules(episodes=100))
    assert played.summary()["distance_m_mean"] < DISTANCE_M_MAX
