"""A run as a whole: what it leaves open, and where it says it can be looked at."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from small_runs import small

from astrarium import worlds
from astrarium.runs import RunFolder
from astrarium.runs.errors import NoCheckpointError, RunError
from astrarium.telemetry.wandb import WandbSink
from astrarium.train import training
from astrarium.worlds.vector import VectorWorld


def config_in(root: Path) -> Any:
    return small(
        {"run": {"root": root, "id": "one", "total_env_steps": 400, "window_env_steps": 100}},
        {"run": {"eval_episodes": 0}},
    )


@pytest.fixture
def closings(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether each world made from now on was closed."""
    made: list[bool] = []
    real = worlds.make_vec

    def make(*given: Any, **named: Any) -> VectorWorld:
        world = real(*given, **named)
        at = len(made)
        made.append(False)
        close: Callable[[], None] = world.close

        def noted() -> None:
            made[at] = True
            close()

        monkeypatch.setattr(world, "close", noted)
        return world

    monkeypatch.setattr(worlds, "make_vec", make)
    return made


def test_worlds_are_let_go_however_a_run_ends(tmp_path: Path, closings: list[bool]) -> None:
    config = config_in(tmp_path)
    training.start(config)
    with pytest.raises(RunError, match="one"):
        training.start(config)
    shutil.rmtree(tmp_path / "one" / "checkpoints")
    with pytest.raises(NoCheckpointError):
        training.resume(tmp_path / "one")
    with pytest.raises(ZeroDivisionError):
        training.start(config_in(tmp_path / "other"), stop=lambda: 1 // 0 == 0)
    assert closings
    assert all(closings)


def test_a_run_shorter_than_its_window_leaves_its_policy_behind(tmp_path: Path) -> None:
    whole = {"window_env_steps": 10_000, "flush_partial_window": False}
    outcome = training.start(small({"run": {"root": tmp_path, "total_env_steps": 300, **whole}}))
    run = RunFolder.open(outcome.folder)
    assert [row["window_complete"] for row in run.windows()] == [False]
    assert [one.window_id for one in run.checkpoints()] == [0]


class Distant(WandbSink):
    """Has been answered."""

    url = "https://example.org/runs/one"

    def __init__(self) -> None:
        pass

    def window(self, row: Any) -> None:
        pass

    def event(self, event: Any) -> None:
        pass

    def close(self) -> None:
        pass


def test_where_a_run_can_be_looked_at_is_in_its_metadata(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "chosen_sinks", lambda folder, **asked: [Distant()])
    outcome = training.start(config_in(tmp_path))
    assert RunFolder.open(outcome.folder).metadata()["wandb_run_url"] == Distant.url
