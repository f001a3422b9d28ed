"""The project's own trainer on hosts that grow: end to end, and exact when stopped and resumed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from little_hosts import little_entry

from astrarium import worlds
from astrarium.esper.entry import WORLDS
from astrarium.runs import RunFolder
from astrarium.train import training
from astrarium.train.config import TrainConfig, layered, preset
from astrarium.worlds import registry

PRESET = "esper-digits-impaired-v1"
LITTLE: dict[str, Any] = {
    "world": {"worlds": 4, "settings": {"epochs": 6}},
    "policy": {"hidden": [8], "memory_size": 8},
    "ppo": {"rollout_steps": 6},
    "run": {"total_env_steps": 48, "window_env_steps": 24, "eval_episodes": 1, "threads": 1},
}


@pytest.fixture(autouse=True)
def _on_little_data(monkeypatch: pytest.MonkeyPatch) -> None:
    worlds.ids()
    monkeypatch.setitem(registry._known, PRESET, little_entry())


def config_in(root: Path) -> TrainConfig:
    return layered(preset(PRESET), LITTLE, {"run": {"root": root, "id": "one"}})


def kept(folder: Path) -> dict[str, Any]:
    """Everything the last checkpoint holds."""
    run = RunFolder.open(folder)
    last = run.checkpoints()[-1]
    point = run.load_checkpoint(last.window_id, resumable=last.resumable)
    arrays = {**point.policy, **point.trainer}
    told = {name: (array.shape, array.tobytes()) for name, array in arrays.items()}
    return {**told, "worlds": point.worlds, "steps": point.env_steps_total}


def test_it_learns_end_to_end_and_goes_on_exactly_where_it_stopped(tmp_path: Path) -> None:
    whole = training.start(config_in(tmp_path / "whole"))
    assert whole.status == "completed"
    rows = RunFolder.open(whole.folder).windows()
    assert [row["window_complete"] for row in rows] == [True, True]
    assert all("accuracy_mean" in row for row in rows)

    parted = training.start(config_in(tmp_path / "parted"), stop=lambda: True)
    assert parted.status == "interrupted"
    assert training.resume(parted.folder).status == "completed"
    assert kept(parted.folder) == kept(whole.folder)


def test_the_preset_is_that_of_the_task_and_discounts_as_its_world() -> None:
    config = layered(preset(PRESET))
    entry = next(one for one in WORLDS if one.id == config.world.id)
    settings = entry.config(**config.world.settings)
    assert settings.gamma == config.ppo.gamma
    assert settings.epochs == config.ppo.rollout_steps
