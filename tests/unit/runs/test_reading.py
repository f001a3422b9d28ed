"""Reading runs in every state they can be in."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from run_parts import edited, new_run, replay, row, ticking, train

from astrarium.runs import (
    CheckpointError,
    DamagedRunError,
    NoCheckpointError,
    ReplayError,
    RunFolder,
    RunNameError,
    RunNotFoundError,
    list_runs,
    lock,
)
from astrarium.runs.seals import START, seal_line


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    writer = new_run(tmp_path)
    train(writer, range(4))
    writer.finish()
    return RunFolder.open(writer.folder)


def test_runs_are_found_by_id(tmp_path: Path, run: RunFolder) -> None:
    assert RunFolder.find(tmp_path, "run").folder == run.folder
    for wrong in ("gone", "run2"):
        with pytest.raises(RunNotFoundError, match=r"it has no run_metadata\.json"):
            RunFolder.find(tmp_path, wrong)
    for wrong in ("..", "run/checkpoints", "/etc"):
        with pytest.raises(RunNameError):
            RunFolder.find(tmp_path, wrong)


def test_rows_in_both_orders_and_cut(run: RunFolder) -> None:
    assert [one["window_id"] for one in run.windows(2)] == [0, 1]
    assert [one["window_id"] for one in run.windows(3, "desc")] == [3, 2, 1]
    assert run.windows(0) == []
    assert len(run.windows(order="desc")) == 4


def test_a_damaged_row_is_named_or_left_out(
    run: RunFolder, caplog: pytest.LogCaptureFixture
) -> None:
    place = run.folder / "metrics/windows.jsonl"
    lines = place.read_text().splitlines(keepends=True)
    place.write_text(lines[0] + lines[1][:20] + "\n" + "".join(lines[2:]) + '{"window_id":4')
    with pytest.raises(DamagedRunError, match=r"metrics/windows\.jsonl:2 is damaged"):
        run.windows()
    assert [one["window_id"] for one in run.windows(skip_bad=True)] == [0, 3], (
        "the row after the damaged one cannot be checked"
    )
    assert "windows.jsonl:2 is damaged" in caplog.text


def test_a_row_without_its_number_is_damage(tmp_path: Path) -> None:
    writer = new_run(tmp_path)
    (writer.folder / "metrics/windows.jsonl").write_bytes(seal_line(b'{"window_id":"4"}', START)[0])
    with pytest.raises(DamagedRunError, match="window_id is '4'"):
        RunFolder.open(writer.folder).windows()
    writer.finish()


def test_a_run_that_ends_while_it_is_asked_about_is_not_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = new_run(tmp_path)

    def ends_now(folder: Path) -> bool:
        writer.finish()
        return False

    monkeypatch.setattr(lock, "is_held", ends_now)
    assert RunFolder.open(writer.folder).status() == "completed"


def test_a_status_nobody_writes_is_damage(run: RunFolder) -> None:
    edited(run.folder / "run_metadata.json", status="sleeping")
    with pytest.raises(DamagedRunError, match="'sleeping' is not a status"):
        run.status()


def test_checkpoints_are_loaded_by_window(run: RunFolder) -> None:
    assert run.load_checkpoint().window_id == 3
    assert run.load_checkpoint(0).policy["actor.weight"][0, 0] == 0
    assert run.load_checkpoint("latest", resumable=True).worlds
    assert run.load_checkpoint(2, resumable=True).window_id == 2
    with pytest.raises(
        CheckpointError, match=r"no checkpoint of window 9 \(there are: 0, 1, 2, 3\)"
    ):
        run.load_checkpoint(9)
    with pytest.raises(CheckpointError, match=r"no resumable checkpoint of window 0 .*: 2, 3\)"):
        run.load_checkpoint(0, resumable=True)
    shutil.rmtree(run.folder / "checkpoints")
    for resumable in (True, False):
        with pytest.raises(NoCheckpointError, match="has no checkpoint"):
            run.load_checkpoint(resumable=resumable)


def test_replays_are_found_by_id(run: RunFolder) -> None:
    entry = run.replay_index().entries[1]
    assert run.replay(entry.replay_id) == replay(1)
    with pytest.raises(ReplayError, match="look in its replay index"):
        run.replay("replay-000001-00000000")
    with pytest.raises(RunNameError):
        run.replay("../../etc/passwd")
    (run.folder / entry.replay_path).unlink()
    with pytest.raises(ReplayError, match="there is no"):
        run.replay(entry.replay_id)


@pytest.mark.parametrize("path", ["../secret", "/etc/hostname", "out/secret", ""])
def test_an_index_does_not_lead_out_of_its_run(path: str, run: RunFolder) -> None:
    (run.folder.parent / "secret").write_text("secret")
    (run.folder / "out").symlink_to(run.folder.parent)
    place = run.folder / "replay_index.json"
    told = json.loads(place.read_text())
    told["entries"][0]["replay_path"] = path
    edited(place, entries=told["entries"])
    with pytest.raises(RunNameError, match="leads out of"):
        run.replay(told["entries"][0]["replay_id"])


def test_documents_within_limits(run: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("astrarium.runs.documents.DOCUMENT_BYTES_MAX", 100)
    with pytest.raises(DamagedRunError, match="larger than 100 bytes"):
        run.metadata()
    monkeypatch.setattr("astrarium.runs.journal.JOURNAL_BYTES_MAX", 100)
    with pytest.raises(DamagedRunError, match="larger than 100 bytes"):
        run.windows()


def test_a_run_deleted_under_its_reader(run: RunFolder) -> None:
    shutil.rmtree(run.folder)
    reads = (run.metadata, run.status, run.config, run.replay_index, run.windows, run.events)
    for call in reads:
        with pytest.raises(RunNotFoundError):
            call()
    assert run.checkpoints() == []


def test_runs_are_listed_newest_first_whatever_is_wrong_with_one(tmp_path: Path) -> None:
    now = ticking()
    writers = {name: new_run(tmp_path, run_id=name, now=now) for name in ("a", "b", "c", "d")}
    writers["b"].append_window(row(0))
    for name in ("a", "b", "d"):
        writers[name].pause()
    (tmp_path / "a" / "run_metadata.json").write_text("[]")
    (tmp_path / "no-metadata").mkdir()
    (tmp_path / "a-file").touch()
    (tmp_path / ".building-z").mkdir()
    shutil.copytree(tmp_path / "c", tmp_path / "e")
    listed = list_runs(tmp_path)
    assert [(one.run_id, one.status) for one in listed] == [
        ("d", "interrupted"),
        ("b", "interrupted"),
        ("c", "running"),
        ("e", "killed"),
        ("a", "broken"),
    ]
    assert listed[-1].problem is not None
    assert "run_metadata.json is damaged" in listed[-1].problem
    assert listed[0].metadata["windows_emitted"] == 0
    assert list_runs(tmp_path / "nowhere") == []
    writers["c"].finish()
