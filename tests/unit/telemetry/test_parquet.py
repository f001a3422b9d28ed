"""Tables as their readers find them."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from pyarrow import parquet

from astrarium import atomic
from astrarium.telemetry import Follower
from astrarium.telemetry.events import ReplayRecorded, RunFailed
from astrarium.telemetry.parquet import ParquetSink, write_tables


def write_story(run: Any) -> None:
    run.update(1, 700, policy_loss=-0.25)
    run.window(0, return_mean=None, only_here=3)
    run.event(ReplayRecorded(0, "replay-000000-0badcafe", 1.5, ("every_window",)))
    run.window(1, return_mean=8.0, reward_mean=2)
    run.event(RunFailed('ValueError: no, "never"'))


def test_windows_are_columns_with_types(run: Any, tmp_path: Path) -> None:
    write_story(run)
    paths = write_tables(run.folder, tmp_path / "tables")
    assert [path.name for path in paths] == ["windows.parquet", "events.parquet"]
    windows = parquet.read_table(paths[0])
    assert windows["return_mean"].to_pylist() == [None, 8.0]
    assert windows["only_here"].to_pylist() == [3, None]
    assert windows["run_id"].to_pylist() == ["run-1", "run-1"]
    assert windows.schema.field("env_steps_total").type == pyarrow.int64()
    assert windows.schema.field("return_mean").type == pyarrow.float64()
    assert windows.schema.field("profit_mean").type == pyarrow.float64()
    events = parquet.read_table(paths[1])
    assert events["kind"].to_pylist() == [
        *("update_finished", "window_closed", "replay_recorded", "window_closed", "run_failed")
    ]
    assert events["policy_loss"].to_pylist() == [-0.25, None, None, None, None]
    assert events["tags"].to_pylist() == [None, None, ["every_window"], None, None]


def test_a_column_of_several_types_is_kept_as_text(run: Any, tmp_path: Path) -> None:
    run.window(0, odd=[1, 2])
    run.window(1, odd="words")
    run.window(2)
    (windows, _) = write_tables(run.folder, tmp_path)
    assert parquet.read_table(windows)["odd"].to_pylist() == ["[1,2]", "words", None]


def test_csv_has_the_same_rows(run: Any, tmp_path: Path) -> None:
    write_story(run)
    windows, events = write_tables(run.folder, tmp_path, "csv")
    with windows.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["return_mean"] for row in rows] == ["", "8.0"]
    assert [row["window_complete"] for row in rows] == ["true", "true"]
    with events.open(newline="") as file:
        last = list(csv.DictReader(file))[-1]
    assert last["error"] == 'ValueError: no, "never"'


@pytest.mark.parametrize("form", ["parquet", "csv"])
def test_a_run_that_has_done_nothing_is_two_empty_tables(
    run: Any, tmp_path: Path, form: Any
) -> None:
    for path in write_tables(run.folder, tmp_path, form):
        assert path.stat().st_size >= 1
        if form == "parquet":
            assert parquet.read_table(path).num_rows == 0


def test_a_write_that_fails_leaves_the_old_table(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run.window(0)
    (windows, _) = write_tables(run.folder, tmp_path)
    before = windows.read_bytes()
    run.window(1)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(atomic.WriteError, match=r"windows\.parquet: No space left"):
        write_tables(run.folder, tmp_path)
    assert windows.read_bytes() == before
    assert sorted(path.name for path in tmp_path.glob("*.parquet")) == [
        *("events.parquet", "windows.parquet")
    ]


def test_the_sink_is_never_far_behind_and_complete_at_the_end(
    run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[int] = []
    real = write_tables

    def counted(*args: Any) -> list[Path]:
        paths = real(*args)
        written.append(parquet.read_table(paths[0]).num_rows)
        return paths

    monkeypatch.setattr("astrarium.telemetry.parquet.write_tables", counted)
    sink = ParquetSink(run.folder)
    for window_id in range(60):
        sink.window(run.window(window_id))
        assert written[-1] * 1.1 >= window_id + 1
    assert len(written) < 40
    sink.close()
    assert written[-1] == 60


def test_the_sink_follows_a_run(run: Any) -> None:
    write_story(run)
    (report,) = Follower(run.folder, [ParquetSink(run.folder)]).close()
    assert report.error is None
    folder = run.folder / "sinks" / "parquet"
    assert parquet.read_table(folder / "windows.parquet").num_rows == 2
    assert parquet.read_table(folder / "events.parquet").num_rows == 5
