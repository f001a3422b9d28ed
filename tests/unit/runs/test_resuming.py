"""A resumed run is the run that was never stopped."""

from __future__ import annotations

import logging
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from run_parts import (
    CONFIG,
    after_checkpoint,
    checkpoint,
    edited,
    files_of,
    new_run,
    row,
    still,
    story_of,
    train,
    up_to_checkpoint,
)

from astrarium.runs import (
    ConfigChangedError,
    DamagedRunError,
    NoCheckpointError,
    RunFolder,
    RunNotFoundError,
    RunWriter,
)

WINDOWS = 4


@pytest.fixture
def whole(tmp_path: Path) -> dict[str, Any]:
    """The story of a run that nothing happened to."""
    writer = new_run(tmp_path / "undisturbed")
    train(writer, range(WINDOWS))
    writer.finish()
    return story_of(writer.folder)


def crashed(writer: RunWriter, to: Path) -> Path:
    """The folder as a kill would leave it now."""
    return shutil.copytree(writer.folder, to / writer.run_id)


def finish(folder: Path, at: int) -> dict[str, Any]:
    """Resume at a window and do the rest: the story of the run."""
    writer, point = RunWriter.resume(folder, now=still)
    assert point.window_id == at
    after_checkpoint(writer, at)
    train(writer, range(at + 1, WINDOWS))
    writer.finish()
    return story_of(folder)


def test_a_run_killed_between_any_two_calls_ends_as_if_it_had_not_been(
    tmp_path: Path, whole: dict[str, Any]
) -> None:
    writer = new_run(tmp_path / "a")
    train(writer, range(1))
    up_to_checkpoint(writer, 1)
    images = [(crashed(writer, tmp_path / "b"), 1)]
    after_checkpoint(writer, 1)
    images.append((crashed(writer, tmp_path / "c"), 1))
    writer.append_event({"kind": "update", "window_id": 2})
    images.append((crashed(writer, tmp_path / "d"), 1))
    writer.append_window(row(2))
    images.append((crashed(writer, tmp_path / "e"), 1))
    writer.update(ppo_policy_updates=2)
    writer.save_checkpoint(checkpoint(2))
    images.append((crashed(writer, tmp_path / "f"), 2))
    writer.finish()
    for image, at in images:
        assert RunFolder.open(image).status() == "killed"
        assert finish(image, at) == whole, image


def test_a_resume_tells_of_itself(tmp_path: Path) -> None:
    writer = new_run(tmp_path / "a")
    train(writer, range(2))
    image = crashed(writer, tmp_path / "b")
    writer.finish()
    resumed, point = RunWriter.resume(image, now=still)
    assert point.trainer["adam.step"] == 1
    assert point.worlds == checkpoint(1).worlds
    assert point.state == checkpoint(1).state
    assert RunFolder.open(image).status() == "running"
    resumed.pause()
    again, _ = RunWriter.resume(image, now=still)
    again.fail(ValueError("no"))
    once_more, _ = RunWriter.resume(image, now=still)
    assert [note["was"] for note in once_more.metadata["resumes"]] == [
        "killed",
        "interrupted",
        "failed",
    ]
    assert once_more.metadata["resumes"][0]["window_id"] == 1
    assert (once_more.metadata["error"], once_more.metadata["status"]) == (None, "running")
    once_more.finish()


def test_what_came_later_is_forgotten(tmp_path: Path) -> None:
    writer = new_run(tmp_path, keep=2)
    train(writer, range(3))
    writer.append_window(row(3))
    writer.append_event({"kind": "late"})
    writer.update(ppo_policy_updates=99)
    writer.pause()
    (writer.folder / "checkpoints" / "000002" / "worlds.zst").write_bytes(b"spoilt")
    for part in (".", "checkpoints", "replays", "metrics"):
        (writer.folder / part / ".building-x").touch()
    (writer.folder / "checkpoints" / ".building-y").mkdir()
    (writer.folder / "replays" / "replay-000002-ffffffff.jsonl.gz").touch()
    resumed, point = RunWriter.resume(writer.folder)
    run = RunFolder.open(writer.folder)
    assert point.window_id == 1
    assert run.windows() == [row(0), row(1)]
    assert [event["window_id"] for event in run.events()] == [0, 0, 1]
    assert [one.window_id for one in run.checkpoints()] == [0, 1]
    # Its replay came after its checkpoint, so that one is to be recorded again too.
    assert [entry.window_id for entry in run.replay_index().entries] == [0]
    assert [one.name for one in (writer.folder / "replays").iterdir()] == [
        f"{run.replay_index().entries[0].replay_id}.jsonl.gz"
    ]
    assert list(writer.folder.rglob(".building-*")) == []
    state = run.metadata()
    assert (state["windows_emitted"], state["checkpoints_written"]) == (2, 2)
    assert (state["ppo_policy_updates"], state["latest_replay"]["window_id"]) == (1, 0)
    resumed.finish()


def test_a_spoilt_checkpoint_is_passed_over_with_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, whole: dict[str, Any]
) -> None:
    writer = new_run(tmp_path)
    train(writer, range(3))
    writer.pause()
    (writer.folder / "checkpoints" / "000002" / "trainer.safetensors").write_bytes(b"spoilt")
    with caplog.at_level(logging.WARNING):
        assert finish(writer.folder, 1) == whole
    assert "checkpoint of window 2 passed over" in caplog.text
    assert RunFolder.open(writer.folder).metadata()["resumes"][-1]["passed_over"] == [2]


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("metrics/windows.jsonl", b"short\n"),
        ("events.jsonl", b""),
    ],
)
def test_a_checkpoint_needs_what_came_before_it(path: str, content: bytes, tmp_path: Path) -> None:
    writer = new_run(tmp_path)
    train(writer, range(3))
    writer.pause()
    (writer.folder / path).write_bytes(content)
    with pytest.raises(NoCheckpointError, match=f"{Path(path).name} .*restore the file"):
        RunWriter.resume(writer.folder)


def test_a_checkpoint_needs_the_replays_that_came_before_it(tmp_path: Path) -> None:
    writer = new_run(tmp_path)
    train(writer, range(3))
    writer.pause()
    edited(writer.folder / "replay_index.json", entries=[])
    with pytest.raises(NoCheckpointError, match=r"replay_index\.json has 0 of the 2 entries"):
        RunWriter.resume(writer.folder)


@pytest.mark.parametrize("sealed", [False, True])
def test_a_config_that_changed_is_refused_unless_that_is_meant(
    sealed: bool, tmp_path: Path
) -> None:
    writer = new_run(tmp_path)
    train(writer, range(1))
    writer.pause()
    place = writer.folder / "config.json"
    if sealed:
        edited(place, seed=4)
    else:
        place.write_text(place.read_text().replace('"seed": 3', '"seed": 4'))
    for call in (lambda: RunWriter.resume(writer.folder), RunFolder.open(writer.folder).config):
        with pytest.raises(ConfigChangedError, match=r"config\.json .*--allow-config-change"):
            call()
    before = writer.metadata["config_hash"]
    resumed, _ = RunWriter.resume(writer.folder, allow_config_change=True)
    run = RunFolder.open(writer.folder)
    after = run.metadata()["config_hash"]
    note = run.metadata()["resumes"][-1]
    assert (note["config_hash_before"], note["config_hash_after"]) == (before, after)
    assert before != after
    assert run.config() == CONFIG | {"seed": 4}
    train(resumed, range(1, 2))
    resumed.pause()
    again, _ = RunWriter.resume(writer.folder)
    assert again.metadata["config_hash"] == after
    assert "config_hash_after" not in again.metadata["resumes"][-1]
    again.finish()


def test_a_damaged_config_stops_a_resume_before_anything_changes(tmp_path: Path) -> None:
    writer = new_run(tmp_path)
    train(writer, range(2))
    writer.pause()
    (writer.folder / "config.json").write_bytes(b"{")
    before = files_of(writer.folder)
    with pytest.raises(ConfigChangedError):
        RunWriter.resume(writer.folder)
    assert files_of(writer.folder) == before


def test_a_reader_sees_whole_rows_while_a_run_goes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The metadata never counts a row that is not there, whatever a resume has done so far."""
    writer = new_run(tmp_path)
    train(writer, range(3))
    writer.append_window(row(3))
    writer.pause()
    run, seen = RunFolder.open(writer.folder), list[int]()
    cut = os.ftruncate

    def look(handle: int, size: int) -> None:
        seen.append(len(run.windows()))
        cut(handle, size)
        seen.append(len(run.windows()))

    monkeypatch.setattr(os, "ftruncate", look)
    RunWriter.resume(writer.folder)[0].finish()
    assert seen == [4, 3, 3, 3]


def test_runs_that_cannot_be_resumed_say_why(tmp_path: Path) -> None:
    with pytest.raises(RunNotFoundError, match="there is no run in"):
        RunWriter.resume(tmp_path)
    assert list(tmp_path.iterdir()) == []
    writer = new_run(tmp_path)
    writer.append_window(row(0))
    writer.pause()
    with pytest.raises(NoCheckpointError, match=r"ended before its first.*start a new run"):
        RunWriter.resume(writer.folder)
    other = new_run(tmp_path, run_id="other")
    train(other, range(2))
    other.finish()
    for place in (other.folder / "checkpoints").iterdir():
        (place / "worlds.zst").unlink()
    with pytest.raises(NoCheckpointError, match="only policies are left"):
        RunWriter.resume(other.folder)
    assert RunFolder.open(other.folder).load_checkpoint().window_id == 1


def test_spoilt_metadata_does_not_stop_a_resume(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    writer = new_run(tmp_path)
    train(writer, range(2))
    writer.pause()
    (writer.folder / "run_metadata.json").write_text("{")
    with pytest.raises(DamagedRunError):
        RunFolder.open(writer.folder).status()
    resumed, _ = RunWriter.resume(writer.folder)
    assert "going on without it" in caplog.text
    assert RunFolder.open(writer.folder).metadata()["windows_emitted"] == 2
    resumed.finish()


def test_a_moved_run_resumes(tmp_path: Path) -> None:
    writer = new_run(tmp_path)
    train(writer, range(2))
    writer.pause()
    moved = writer.folder.rename(tmp_path / "moved")
    resumed, _ = RunWriter.resume(moved)
    assert (resumed.run_id, RunFolder.open(moved).run_id) == ("run", "moved")
    after_checkpoint(resumed, 1)
    assert len(RunFolder.open(moved).replay_index().entries) == 2
    resumed.finish()


def test_what_a_world_told_goes_back_with_the_run(tmp_path: Path) -> None:
    writer = new_run(tmp_path)
    assert not (writer.folder / "world_events.jsonl").exists()
    writer.append_world_events([{"kind": "SPROUTED", "epoch": 1}])
    up_to_checkpoint(writer, 0)
    writer.append_world_events([{"kind": "WITHERED", "epoch": 2}])
    writer.append_window(row(1))
    left = crashed(writer, tmp_path / "killed")
    resumed, _ = RunWriter.resume(left, now=still)
    told = RunFolder.open(left).world_events()
    assert [(one["kind"], one["at"][:4]) for one in told] == [("SPROUTED", "2031")]
    resumed.append_world_events([])
    resumed.append_world_events([{"kind": "REVIVED", "epoch": 2}])
    resumed.finish()
    assert [one["epoch"] for one in RunFolder.open(left).world_events()] == [1, 2]


def test_a_world_that_began_to_tell_after_the_checkpoint_begins_anew(tmp_path: Path) -> None:
    writer = new_run(tmp_path)
    up_to_checkpoint(writer, 0)
    writer.append_world_events([{"kind": "SPROUTED"}])
    writer.pause()
    resumed, _ = RunWriter.resume(writer.folder)
    assert RunFolder.open(writer.folder).world_events() == []
    resumed.finish()


def test_a_checkpoint_needs_what_the_world_had_told(tmp_path: Path) -> None:
    writer = new_run(tmp_path)
    writer.append_world_events([{"kind": "SPROUTED"}])
    up_to_checkpoint(writer, 0)
    writer.pause()
    (writer.folder / "world_events.jsonl").unlink()
    with pytest.raises(NoCheckpointError, match=r"world_events\.jsonl no longer has"):
        RunWriter.resume(writer.folder)
