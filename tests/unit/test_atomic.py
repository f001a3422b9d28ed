"""Whole files or none, and errors that name what was asked for."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest

from astrarium import atomic
from astrarium.atomic import WriteError


def broken(*_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "a name nobody asked for")


def test_a_file_is_written_with_the_folders_above_it(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "er" / "note.txt"
    atomic.write_text(path, "größer\n")
    assert path.read_bytes() == "größer\n".encode()
    assert list(path.parent.iterdir()) == [path]


def test_a_new_file_has_usual_permissions_and_an_old_one_keeps_its_own(tmp_path: Path) -> None:
    usual, path = tmp_path / "usual", tmp_path / "note.txt"
    usual.touch()
    atomic.write_text(path, "1")
    assert path.stat().st_mode == usual.stat().st_mode
    path.chmod(0o600)
    atomic.write_text(path, "2")
    assert (path.read_text(), stat.S_IMODE(path.stat().st_mode)) == ("2", 0o600)


def test_a_name_of_the_greatest_length_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 255)
    atomic.write_text(path, "1")
    assert path.read_text() == "1"


def test_a_link_is_followed(tmp_path: Path) -> None:
    real, link = tmp_path / "real.txt", tmp_path / "link.txt"
    real.write_text("old")
    link.symlink_to(real)
    atomic.write_text(link, "new")
    assert link.is_symlink()
    assert real.read_text() == "new"


@pytest.mark.parametrize("breaks", ["os.fsync", "pathlib.Path.replace"])
def test_a_failed_write_leaves_the_old_file_and_nothing_else(
    breaks: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "note.txt"
    atomic.write_text(path, "old")
    monkeypatch.setattr(breaks, broken)
    with pytest.raises(WriteError) as caught:
        atomic.write_text(path, "new")
    assert str(caught.value) == f"cannot write {path}: No space left on device"
    assert caught.value.errno == errno.ENOSPC
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_an_interrupted_write_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        atomic.write_text(tmp_path / "note.txt", "new")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("folder", "Is a directory"),
        ("file/inside", "Not a directory"),
        ("file/in/side", "Not a directory"),
        ("pipe", "not a regular file"),
        ("/proc/nowhere/x.json", "No such file or directory"),
        ("/dev/null", "not a regular file"),
    ],
)
def test_places_where_no_file_can_be_are_refused_early_and_late(
    name: str, reason: str, tmp_path: Path
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    os.mkfifo(tmp_path / "pipe")
    before = sorted(tmp_path.rglob("*"))
    path = tmp_path / name
    for refused in (atomic.check_file, lambda path: atomic.write_text(path, "x")):
        with pytest.raises(WriteError, match=reason) as caught:
            refused(path)
        assert caught.value.filename == str(path)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_check_makes_nothing(tmp_path: Path) -> None:
    atomic.check_file(tmp_path / "a" / "b" / "note.txt")
    atomic.check_folder(tmp_path / "c" / "d")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").touch()
    with pytest.raises(WriteError, match="Not a directory"):
        atomic.check_folder(tmp_path / "file" / "inside")


def test_a_folder_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "bundle"
    with atomic.new_folder(path) as building:
        (building / "one").write_text("1")
        assert not path.exists()
    assert [one.name for one in path.iterdir()] == ["one"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o755

    def half() -> None:
        with atomic.new_folder(tmp_path / "other") as building:
            (building / "one").write_text("1")
            broken()

    with pytest.raises(WriteError, match=f"cannot write {tmp_path / 'other'}: No space"):
        half()
    assert [one.name for one in tmp_path.iterdir()] == ["deep"]
    assert list(path.parent.iterdir()) == [path]


def test_bytes_are_written_as_they_are(tmp_path: Path) -> None:
    atomic.write_bytes(tmp_path / "file", b"\0\xff\r\n")
    assert (tmp_path / "file").read_bytes() == b"\0\xff\r\n"


def test_a_folder_is_flushed_to_its_depths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: set[int] = set()
    monkeypatch.setattr(os, "fsync", lambda handle: synced.add(os.fstat(handle).st_ino))
    with atomic.new_folder(tmp_path / "bundle") as building:
        (building / "deep" / "er").mkdir(parents=True)
        (building / "deep" / "er" / "one").write_text("1")
    made = [tmp_path, tmp_path / "bundle", *(tmp_path / "bundle").rglob("*")]
    assert {path.stat().st_ino for path in made} == synced


def test_a_folder_goes_away_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bundle" / "deep").mkdir(parents=True)
    (tmp_path / "bundle" / "deep" / "one").write_text("1")
    with monkeypatch.context() as patch:
        patch.setattr("shutil.rmtree", broken)
        with pytest.raises(WriteError, match=f"cannot write {tmp_path / 'bundle'}: No space"):
            atomic.remove_folder(tmp_path / "bundle")
    assert not (tmp_path / "bundle").exists()
    (tmp_path / ".building-file").touch()
    (tmp_path / "kept").touch()
    atomic.sweep(tmp_path)
    assert [one.name for one in tmp_path.iterdir()] == ["kept"]
    atomic.remove_file(tmp_path / "kept")
    atomic.remove_file(tmp_path / "kept")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(WriteError, match="No such file"):
        atomic.remove_folder(tmp_path / "gone")
