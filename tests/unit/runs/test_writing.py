"""The writer: what it leaves behind, in which order, and what it refuses."""

from __future__ import annotations

import json
import os
import stat
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest
from run_parts import (
    CONFIG,
    OUTCOME,
    checkpoint,
    facts,
    files_of,
    new_run,
    replay,
    row,
    still,
    ticking,
    train,
    up_to_checkpoint,
)

from astrarium.runs import (
    ReplayError,
    RunBusyError,
    RunExistsError,
    RunFolder,
    RunNameError,
    RunOrderError,
    RunWriter,
    lock,
    writing,
)


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock, "_PATIENCE_SECONDS", 0.03)


def test_a_new_run_is_whole_from_its_first_moment(tmp_path: Path) -> None:
    writer = new_run(tmp_path / "runs")
    assert writer.folder == tmp_path / "runs" / "run"
    assert sorted(one.name for one in writer.folder.iterdir()) == [
        "checkpoints",
        "config.json",
        "events.jsonl",
        "metrics",
        "replays",
        "run.lock",
        "run_metadata.json",
    ]
    assert list((tmp_path / "runs").iterdir()) == [writer.folder]
    assert stat.S_IMODE(writer.folder.stat().st_mode) == 0o755
    run = RunFolder.open(writer.folder)
    assert (run.config(), run.status()) == (CONFIG, "running")
    assert (run.windows(), run.events(), run.checkpoints()) == ([], [], [])
    writer.finish()


def test_a_default_name_is_made_unique_and_a_wanted_one_is_not(tmp_path: Path) -> None:
    made = [RunWriter.create(tmp_path, CONFIG, facts(), now=still) for _ in range(3)]
    name = "20310506T070809Z-01234567"
    assert [writer.run_id for writer in made] == [name, f"{name}-2", f"{name}-3"]
    assert [writer.metadata["run_id"] for writer in made] == [one.folder.name for one in made]
    before = files_of(tmp_path / name)
    with pytest.raises(RunExistsError, match=r"already a run .*resume it"):
        RunWriter.create(tmp_path, CONFIG, facts(), run_id=name)
    assert files_of(tmp_path / name) == before
    with pytest.raises(RunNameError):
        RunWriter.create(tmp_path, CONFIG, facts(), run_id="../elsewhere")
    for writer in made:
        writer.finish()


def test_a_name_taken_at_the_last_moment_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = new_run(tmp_path)
    monkeypatch.setattr(os.path, "lexists", lambda path: False)
    with pytest.raises(RunExistsError):
        new_run(tmp_path)
    assert [one.name for one in tmp_path.iterdir()] == ["run"]
    first.finish()


def test_the_life_of_a_run(tmp_path: Path) -> None:
    writer = new_run(tmp_path, now=ticking())
    train(writer, range(3))
    run = RunFolder.open(writer.folder)
    assert run.windows() == [row(0), row(1), row(2)]
    assert [event["kind"] for event in run.events()] == ["update", "checkpoint"] * 3
    state = run.metadata()
    assert state == writer.metadata
    counted = ("env_steps_total", "episodes_total", "windows_emitted", "checkpoints_written")
    assert [state[name] for name in counted] == [30, 6, 3, 3]
    assert state["ppo_policy_updates"] == 2
    assert state["latest_window"]["window_id"] == 2
    assert state["latest_checkpoint"]["path"] == "checkpoints/000002"
    assert state["replay_index_path"] == "replay_index.json"
    entries = run.replay_index().entries
    assert state["latest_replay"] == msgspec.to_builtins(entries[-1])
    assert [entry.window_id for entry in entries] == [0, 1, 2]
    assert ["best_so_far" in entry.tags for entry in entries] == [True, True, True]
    assert entries[1].checkpoint_path == "checkpoints/000001"
    assert entries[1].checkpoint_env_steps_total == 20
    assert run.replay(entries[1].replay_id) == replay(1)
    writer.finish()
    assert run.status() == "completed"
    assert run.metadata()["finished_at"] > run.metadata()["started_at"]


def test_ends(tmp_path: Path) -> None:
    paused, failed = new_run(tmp_path, run_id="paused"), new_run(tmp_path, run_id="failed")
    paused.pause()
    failed.fail(ValueError("a bad thing"))
    told = {name: RunFolder.find(tmp_path, name).metadata() for name in ("paused", "failed")}
    assert (told["paused"]["status"], told["paused"]["finished_at"]) == ("interrupted", None)
    assert (told["failed"]["status"], told["failed"]["error"]) == (
        "failed",
        "ValueError: a bad thing",
    )
    assert told["failed"]["finished_at"] is not None
    for call in (paused.finish, lambda: paused.append_window(row(0)), lambda: paused.update(x=1)):
        with pytest.raises(RunOrderError, match="run paused is interrupted; resume it"):
            call()


def test_what_cannot_come_next_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    writer = new_run(tmp_path)
    with pytest.raises(RunOrderError, match="save one first"):
        writer.add_replay(replay(), **OUTCOME)
    up_to_checkpoint(writer, 0)
    before = files_of(writer.folder)
    for bad, message in (
        (row(0), "the next row is of window 1, not 0"),
        (row(2), "the next row is of window 1, not 2"),
        ({}, "not None"),
        ({"window_id": 1}, "lacks 'env_steps_total'"),
    ):
        with pytest.raises(RunOrderError, match=message):
            writer.append_window(bad)
    with pytest.raises(RunOrderError, match="window 0 has a checkpoint already"):
        writer.save_checkpoint(checkpoint(0))
    with pytest.raises(RunOrderError, match="a checkpoint of window 1 after 1 windows"):
        writer.save_checkpoint(checkpoint(1))
    with pytest.raises(RunOrderError, match="status: kept by the writer"):
        writer.update(status="done")
    with pytest.raises(ReplayError, match="finite"):
        writer.add_replay(replay(), **(OUTCOME | {"return_total": float("inf")}))
    assert files_of(writer.folder) == before
    writer.add_replay(replay(), **OUTCOME)
    with pytest.raises(ReplayError, match="is recorded already"):
        writer.add_replay(replay(), **OUTCOME)
    writer.finish()


def test_only_the_newest_checkpoints_can_be_resumed_from(tmp_path: Path) -> None:
    for keep, kept in ((1, [4]), (2, [3, 4]), (3, [2, 3, 4])):
        writer = new_run(tmp_path, run_id=f"keep-{keep}", keep=keep)
        train(writer, range(5))
        there = RunFolder.open(writer.folder).checkpoints()
        assert [one.window_id for one in there] == [0, 1, 2, 3, 4]
        assert [one.window_id for one in there if one.resumable] == kept
        assert sorted(path.name for path in there[0].folder.iterdir()) == [
            "manifest.json",
            "policy.safetensors",
        ]
        writer.finish()


def test_a_second_large_checkpoint_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hundred windows of 8192 worlds would not fit into 50 MB otherwise."""
    monkeypatch.setattr(writing, "RESUMABLE_BYTES_MAX", 5000)
    writer = new_run(tmp_path, keep=3)
    rng = np.random.default_rng(0)
    kept: list[list[int]] = []
    for window_id, size in enumerate((1000, 1000, 1000, 3500, 9000)):
        writer.append_window(row(window_id))
        writer.save_checkpoint(replace(checkpoint(window_id), worlds=rng.bytes(size)))
        there = RunFolder.open(writer.folder).checkpoints()
        kept.append([one.window_id for one in there if one.resumable])
    assert kept == [[0], [0, 1], [0, 1, 2], [2, 3], [4]]
    writer.finish()


def test_thinning_out_that_fails_is_only_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    writer = new_run(tmp_path, keep=1)
    up_to_checkpoint(writer, 0)

    def stuck(path: Path, missing_ok: bool = False) -> None:
        raise PermissionError(1, "Operation not permitted", str(path))

    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", stuck)
        up_to_checkpoint(writer, 1)
    assert "keeps more than its policy" in caplog.text
    assert writer.metadata["checkpoints_written"] == 2
    writer.finish()


def test_a_run_has_one_writer(tmp_path: Path) -> None:
    writer = new_run(tmp_path)
    up_to_checkpoint(writer, 0)
    before = files_of(writer.folder)
    with pytest.raises(RunBusyError):
        RunWriter.resume(writer.folder)
    assert files_of(writer.folder) == before
    writer.finish()


def test_a_row_is_on_the_disk_after_the_events_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = new_run(tmp_path)
    synced: list[str] = []
    monkeypatch.setattr(
        os, "fsync", lambda handle: synced.append(Path(os.readlink(f"/proc/self/fd/{handle}")).name)
    )
    writer.append_event({"kind": "update"})
    assert synced == []
    writer.append_window(row(0))
    assert synced[:2] == ["events.jsonl", "windows.jsonl"]
    synced.clear()
    writer.append_event({"kind": "update"})
    place = writer.save_checkpoint(checkpoint(0))
    assert synced[0] == "events.jsonl"
    assert {"policy.safetensors", "trainer.safetensors", "worlds.zst"} <= set(synced)
    assert place.name == "000000"
    writer.finish()


def test_numbers_that_are_not_finite_are_null_in_a_row(tmp_path: Path) -> None:
    writer = new_run(tmp_path)
    writer.append_window(row(0, reward_mean=float("nan")))
    line = (writer.folder / "metrics/windows.jsonl").read_text()
    assert json.loads(line)["reward_mean"] is None
    writer.finish()
