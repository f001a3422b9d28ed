"""A run on a disk that fails, or that the machine is taken from, at every single call."""

from __future__ import annotations

import errno
import os
import resource
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from faulty_disk import Disk
from run_parts import new_run, row, story_of, train
from telling import WINDOWS, Told, finish

from astrarium.atomic import WriteError
from astrarium.runs import RunFolder, journal, list_runs


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(monkeypatch)


@pytest.fixture
def whole(disk: Disk, tmp_path: Path) -> dict[str, Any]:
    """The story of a run on a good disk."""
    told = Told(tmp_path / "good")
    told.tell()
    return story_of(tmp_path / "good" / "run")


def test_a_kill_before_any_call_leaves_a_run_to_go_on_with(
    disk: Disk, whole: dict[str, Any], tmp_path: Path
) -> None:
    """A copy of the folder is what a killed process leaves; its lock is held by nobody."""
    told = Told(tmp_path / "live")
    told.root.mkdir()
    resumed: list[int] = []

    def killed(call: int) -> None:
        with disk.resting():
            image = shutil.copytree(told.root, tmp_path / str(call)) / "run"
            if not image.exists():
                assert told.writer is None
                return
            told.check(image)
            if told.rows < WINDOWS or told.checkpoints < WINDOWS:
                assert RunFolder.open(image).status() == "killed"
            story = finish(image)
            assert story in (None, whole), call
            assert (story is None) <= (told.checkpoints == 0)
            if story is not None:
                resumed.append(call)
            shutil.rmtree(image)

    with disk.watching(killed):
        told.tell()
    assert len(resumed) > 100, "the watch sees the calls"


def stopped_by(told: Told, disk: Disk, fails: Callable[[int], None]) -> WriteError | None:
    """Tell a run on a failing disk; the error that ended it."""
    try:
        with disk.watching(fails):
            told.tell()
    except WriteError as error:
        return error
    return None


@pytest.mark.parametrize(("code", "lasting"), [(errno.EIO, False), (errno.ENOSPC, True)])
def test_an_error_at_any_call_is_told_and_can_be_resumed_from(
    code: int, lasting: bool, disk: Disk, whole: dict[str, Any], tmp_path: Path
) -> None:
    """Both an error that comes once, and a disk that stays bad until someone sees to it."""
    call, outcomes = 0, {"told": 0, "harmless": 0}
    while True:
        told = Told(tmp_path / str(call))

        def fails(now: int, at: int = call) -> None:
            if now == at or (lasting and now > at):
                raise OSError(code, os.strerror(code))

        error = stopped_by(told, disk, fails)
        if error is not None:
            outcomes["told"] += 1
            assert error.errno == code
            assert str(told.root) in str(error.filename)
            if told.writer is None:
                # Not there, or whole and nobody's: the error may have come after the last move.
                runs = [(one.run_id, one.status) for one in list_runs(told.root)]
                assert runs in ([], [("run", "killed")])
            else:
                with disk.watching(fails):
                    told.writer.fail(error)
        elif disk.calls <= call:
            break
        else:
            # What cannot be thinned out or cleared away is not worth a run.
            outcomes["harmless"] += 1
        if (told.root / "run").exists():
            told.check(told.root / "run")
            story = finish(told.root / "run")
            assert story in (None, whole), call
            assert (story is None) <= (told.checkpoints == 0)
        shutil.rmtree(told.root, ignore_errors=True)
        call += 1
    assert outcomes["told"] > 100


@pytest.mark.parametrize("room", [0, 1, 60, 400])
def test_a_full_disk_in_the_middle_of_a_line(room: int, tmp_path: Path) -> None:
    """The kernel itself writes a part of the line and refuses the rest."""
    writer = new_run(tmp_path, keep=1)
    train(writer, range(2))
    large = max(path.stat().st_size for path in writer.folder.rglob("*") if path.is_file())
    writer.append_event({"kind": "filling", "text": "x" * large})
    path = writer.folder / "events.jsonl"
    before = path.read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + room, limits[1]))
    try:
        with pytest.raises(WriteError, match=r"events\.jsonl: File too large"):
            writer.append_event({"kind": "too much", "text": "y" * 500})
        assert path.read_bytes() == before
        writer.append_window(row(2))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    writer.append_event({"kind": "fits"})
    assert [event["kind"] for event in journal.read(path)][-2:] == ["filling", "fits"]
    assert len(RunFolder.open(writer.folder).windows()) == 3
    writer.pause()
    assert finish(writer.folder) is not None


@pytest.mark.parametrize("room", [10, 300, 900, 1500, 2500])
def test_a_full_disk_in_the_middle_of_a_file(room: int, tmp_path: Path) -> None:
    told = Told(tmp_path)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, limits[1]))
    try:
        with pytest.raises(WriteError, match="File too large") as caught:
            told.tell()
        if told.writer is not None:
            told.writer.fail(caught.value)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert not list(tmp_path.rglob(".building-*"))
    if told.writer is not None:
        told.check(told.writer.folder)
        assert (finish(told.writer.folder) is None) == (told.checkpoints == 0)


def test_a_disk_that_takes_little_at_a_time(
    whole: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.pwrite
    monkeypatch.setattr(os, "pwrite", lambda handle, data, at: write(handle, data[:7], at))
    told = Told(tmp_path / "slow")
    told.tell()
    assert story_of(tmp_path / "slow" / "run") == whole
