"""A run as a whole: what it leaves open, and where it says it can be looked at."""

from __future__ import annotations

import math
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from small_runs import small

from astrarium import worlds
from astrarium.errors import AstrariumError
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


@pytest.mark.parametrize(
    ("sinks", "words"),
    [
        ({"wandb": "online"}, "WANDB_API_KEY"),
        ({"wandb": "offline", "wandb_project": "a/b"}, "wandb project is 'a/b'"),
        ({"tensorboard": True}, "astrarium\\[track\\]"),
        ({"parquet": True}, "astrarium\\[track\\]"),
    ],
)
def test_a_refused_sink_leaves_no_run_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sinks: dict[str, Any], words: str
) -> None:
    monkeypatch.delenv("WANDB_API_KEY", raising=False)
    if sinks.get("tensorboard") or sinks.get("parquet"):
        monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    config = config_in(tmp_path / "runs")
    refused = config.model_copy(update={"sinks": config.sinks.model_copy(update=sinks)})
    with pytest.raises(AstrariumError, match=words):
        training.start(refused)
    assert not (tmp_path / "runs").exists()


def test_a_sink_refused_at_resumption_leaves_the_run_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WANDB_API_KEY", "x" * 40)
    monkeypatch.setattr(training, "chosen_sinks", lambda folder, **asked: [])
    config = config_in(tmp_path)
    online = config.model_copy(
        update={"sinks": config.sinks.model_copy(update={"wandb": "online"})}
    )
    folder = training.start(online, stop=lambda: True).folder
    monkeypatch.undo()
    monkeypatch.delenv("WANDB_API_KEY", raising=False)
    before = (folder / "run_metadata.json").read_bytes()
    with pytest.raises(AstrariumError, match="WANDB_API_KEY"):
        training.resume(folder)
    assert (folder / "run_metadata.json").read_bytes() == before


def test_the_outcome_is_what_the_rows_say(tmp_path: Path) -> None:
    """The world's last ticks may fill no window, and a resumption counts what came before it."""
    partial = {"flush_partial_window": False, "window_env_steps": 100, "total_env_steps": 330}
    config = small({"run": {"root": tmp_path, **partial}})

    def held(outcome: training.Outcome) -> Path:
        rows = RunFolder.open(outcome.folder).windows()
        assert outcome.env_steps_total == rows[-1]["env_steps_total"]
        assert outcome.calls_total == sum(row["steps_in_window"] for row in rows)
        assert outcome.seconds == math.fsum(row["wall_seconds"] for row in rows)
        return outcome.folder

    folder = held(training.start(config, stop=lambda: True))
    held(training.resume(folder))


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
