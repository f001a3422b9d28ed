"""Scalars as TensorBoard itself reads them back."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from astrarium.errors import MissingPackageError
from astrarium.telemetry import Follower, feed
from astrarium.telemetry.events import RunResumed
from astrarium.telemetry.tensorboard import TensorBoardSink


def scalars(folder: Path) -> dict[str, list[tuple[int, float]]]:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    read = EventAccumulator(str(folder)).Reload()
    return {
        tag: [(one.step, one.value) for one in read.Scalars(tag)] for tag in read.Tags()["scalars"]
    }


def test_every_number_of_windows_and_updates_is_a_point(run: Any, tmp_path: Path) -> None:
    run.update(1, 700, policy_loss=-0.25, explained_variance=None)
    run.window(0, return_mean=None, reward_mean=1.5, label="words")
    run.update(2, 1400, policy_loss=-0.5, explained_variance=0.75)
    run.window(1, return_mean=8.0, reward_mean=2.5)
    feed(run.folder, TensorBoardSink(tmp_path / "board"))
    read = scalars(tmp_path / "board")
    assert read["window/reward_mean"] == [(1000, 1.5), (2000, 2.5)]
    assert read["window/return_mean"] == [(2000, 8.0)]
    assert read["update/policy_loss"] == [(700, -0.25), (1400, -0.5)]
    assert read["update/explained_variance"] == [(1400, 0.75)]
    assert set(read) == {
        *("window/window_id", "window/return_mean", "window/reward_mean"),
        *("update/update", "update/calls_total", "update/policy_loss"),
        "update/explained_variance",
    }


def test_several_policies_have_figures_of_their_own(run: Any, tmp_path: Path) -> None:
    run.update(1, 700, policy="hunters", entropy=1.0)
    run.update(1, 700, policy="gatherers", entropy=2.0)
    feed(run.folder, TensorBoardSink(tmp_path))
    read = scalars(tmp_path)
    assert read["update/hunters/entropy"] == [(700, 1.0)]
    assert read["update/gatherers/entropy"] == [(700, 2.0)]


@pytest.mark.parametrize("told", [1200, None])
def test_points_that_were_cut_off_are_forgotten(run: Any, tmp_path: Path, told: int | None) -> None:
    """An update is written before the windows that closed on its way, and lies beyond them."""
    board = tmp_path / "board"
    run.update(1, 1200, entropy=1.0)
    run.window(0)
    checkpoint = run.sizes()
    run.update(2, 2400, entropy=-1.0)
    run.window(1, return_mean=-1.0)
    run.window(2, return_mean=-1.0)
    Follower(run.folder, [TensorBoardSink(board)]).close()
    run.cut(checkpoint)
    run.event(RunResumed(window_id=0, update=1, env_steps_total=told))
    if told is not None:
        run.update(2, 2400, entropy=3.0)
    run.window(1, return_mean=5.0)
    Follower(run.folder, [TensorBoardSink(board)]).close()
    read = scalars(board)
    assert read["window/return_mean"] == [(1000, 0.0), (2000, 5.0)]
    assert read["update/entropy"] == [(1200, 1.0)] + ([(2400, 3.0)] if told is not None else [])


def test_a_sink_that_was_told_nothing_writes_nothing(tmp_path: Path) -> None:
    TensorBoardSink(tmp_path / "board").close()
    assert not (tmp_path / "board").exists()


def test_a_missing_library_is_told_before_anything_runs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(MissingPackageError, match=r'pip install "astrarium\[track\]"'):
        TensorBoardSink(tmp_path)


def test_writing_needs_no_torch_no_old_setuptools_and_no_goodbye(tmp_path: Path) -> None:
    """Some versions of TensorBoard want `pkg_resources`, which new versions of setuptools lack.

    What the sink has taken is in the file, even if the process is killed that moment.
    """
    script = f"""
import os, sys
sys.modules["pkg_resources"] = None
from pathlib import Path
from astrarium.telemetry.tensorboard import TensorBoardSink
sink = TensorBoardSink(Path({str(tmp_path / "board")!r}))
sink.window({{"window_id": 0, "env_steps_total": 5, "return_mean": 1.0}})
assert "torch" not in sys.modules and "tensorflow" not in sys.modules
os._exit(0)
"""
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)
    assert scalars(tmp_path / "board")["window/return_mean"] == [(5, 1.0)]
