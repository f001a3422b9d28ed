"""The presets of Tidebreak and Townlet learn something to be seen, in minutes on two cores."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from astrarium.cli import main
from astrarium.runs import RunFolder
from astrarium.train import training
from astrarium.train.config import layered, preset

SHORT: dict[str, Any] = {"checkpoint_every_windows": 100, "eval_episodes": 0, "threads": 2}
SHARE = 5
"""A fifth of the length of a preset is enough to see it learn."""


def windows(root: Path, world: str, **more: Any) -> list[dict[str, Any]]:
    whole = layered(preset(world)).run.total_env_steps
    run = {**SHORT, "root": root, "total_env_steps": whole // SHARE}
    outcome = training.start(layered(preset(world), {"run": run}, more))
    return list(RunFolder.open(outcome.folder).windows())


def mean(rows: list[dict[str, Any]], key: str) -> float:
    told = [row[key] for row in rows if row[key] is not None]
    return sum(told) / len(told)


@pytest.mark.long
@pytest.mark.parametrize(
    ("world", "figure", "sign"),
    [("tidebreak-v1", "won", 1), ("townlet-v1", "well", 1)],
)
def test_a_fifth_of_the_preset_is_ahead_of_random_play(
    tmp_path: Path, world: str, figure: str, sign: int
) -> None:
    learned = windows(tmp_path / "ppo", world)
    chance = windows(tmp_path / "random", world, algorithm="random")
    assert mean(learned[-2:], "reward_mean") > mean(learned[:1], "reward_mean")
    assert mean(learned[-2:], "reward_mean") > mean(chance, "reward_mean")
    assert sign * mean(learned[-2:], figure) > sign * mean(chance, figure)


def test_worlds_and_help_lead_to_them(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["worlds", "--json"])
    told = {row["world"]: row["presets"] for row in json.loads(capsys.readouterr().out)}
    for world in ("tidebreak-v1", "townlet-v1"):
        assert world in told[world]
    with pytest.raises(SystemExit):
        main(["worlds"])
    assert "astrarium train WORLD" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["train", "--help"])
    assert "astrarium train townlet-v1" in " ".join(
        capsys.readouterr().out.replace("│", " ").split()
    )
