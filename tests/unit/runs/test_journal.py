"""Journals hold whole lines only, whatever becomes of their writer."""

from __future__ import annotations

import errno
import logging
import os
from pathlib import Path

import pytest

from astrarium.atomic import WriteError
from astrarium.runs import DamagedRunError, journal
from astrarium.runs.journal import Journal


def no_room(*_: object) -> int:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "windows.jsonl"


def test_what_is_appended_is_read(path: Path) -> None:
    log = Journal(path)
    assert journal.read(path) == []
    rows = [{"a": 1, "b": None}, {"a": 2.5, "text": "größer\n"}, {"a": float("nan")}]
    for row in rows:
        log.append(row)
    assert journal.read(path) == [*rows[:2], {"a": None}]
    assert log.offset == path.stat().st_size
    log.close()


def test_a_missing_journal_is_empty(path: Path) -> None:
    assert journal.read(path) == []


def test_a_torn_last_line_is_not_there_yet(path: Path) -> None:
    path.write_bytes(b'{"a":1}\n{"a":')
    assert journal.read(path) == [{"a": 1}]
    path.write_bytes(b'{"a":1}\n{"a":2}')
    assert journal.read(path) == [{"a": 1}]


@pytest.mark.parametrize("bad", [b'{"a":', b"[1]", b"", b"\xff\xfe", b'{"a":"\xff"}', b"[" * 9000])
def test_a_damaged_line_is_named_or_skipped(
    bad: bytes, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path.write_bytes(b'{"a":1}\n' + bad + b'\n{"a":3}\n')
    with pytest.raises(DamagedRunError, match=r"windows\.jsonl:2 is damaged: .*skip_bad=True"):
        journal.read(path)
    with caplog.at_level(logging.WARNING):
        assert journal.read(path, skip_bad=True) == [{"a": 1}, {"a": 3}]
    assert f"{path}:2 is damaged" in caplog.text


@pytest.mark.parametrize("bad", ["{}", '{"a":"1"}', '{"a":true}', '{"a":1.0}'])
def test_a_line_without_a_whole_number_asked_for_is_damaged(bad: str, path: Path) -> None:
    path.write_text(bad + "\n")
    assert len(journal.read(path)) == 1
    with pytest.raises(DamagedRunError, match=r":1 is damaged: a is .* not a whole number"):
        journal.read(path, integers=("a",))


def test_short_writes_make_a_whole_line(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = os.pwrite
    monkeypatch.setattr(os, "pwrite", lambda handle, data, at: whole(handle, data[:3], at))
    log = Journal(path)
    log.append({"name": "a long enough line"})
    log.append({"a": 2})
    assert journal.read(path) == [{"name": "a long enough line"}, {"a": 2}]
    log.close()


def test_a_line_that_does_not_fit_leaves_no_trace(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = Journal(path)
    log.append({"a": 1})
    before = path.read_bytes()
    whole = os.pwrite

    def half(handle: int, data: bytes, at: int) -> int:
        return no_room() if at > len(before) else whole(handle, data[:5], at)

    with monkeypatch.context() as patch:
        patch.setattr(os, "pwrite", half)
        with pytest.raises(WriteError, match=f"cannot write {path}: No space left"):
            log.append({"a": "long, so that a part of it reaches the file"})
    assert path.read_bytes() == before
    log.append({"a": 3})
    assert journal.read(path) == [{"a": 1}, {"a": 3}]
    log.close()


def test_what_could_not_be_taken_back_is_before_the_next_line(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = Journal(path)
    whole = os.pwrite
    with monkeypatch.context() as patch:
        patch.setattr(os, "ftruncate", no_room)
        calls = iter([lambda *given: whole(given[0], given[1][:20], given[2]), no_room])
        patch.setattr(os, "pwrite", lambda *given: next(calls)(*given))
        with pytest.raises(WriteError):
            log.append({"a": "long, so that a part of it reaches the file"})
        with pytest.raises(WriteError):
            log.append({"a": 2})
    assert path.stat().st_size == 20
    assert journal.read(path) == []
    log.append({"a": 3})
    assert path.read_bytes() == b'{"a":3}\n'
    log.close()


def test_a_line_that_did_not_reach_the_disk_is_taken_back(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = Journal(path)
    log.append_durably({"a": 1})
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", no_room)
        with pytest.raises(WriteError):
            log.append_durably({"a": 2})
    assert journal.read(path) == [{"a": 1}]
    log.append_durably({"a": 3})
    assert journal.read(path) == [{"a": 1}, {"a": 3}]
    log.close()


def test_durable_means_synced_and_nothing_is_synced_twice(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda handle: sizes.append(os.fstat(handle).st_size))
    log = Journal(path)
    log.append({"a": 1})
    assert sizes == []
    log.append_durably({"a": 2})
    log.sync()
    assert sizes == [16]
    log.cut(8)
    assert sizes == [16, 8]
    log.close()


def test_a_cut_goes_on_from_there(path: Path) -> None:
    log = Journal(path)
    for number in range(3):
        log.append({"a": number})
    log.cut(8)
    log.append({"a": 9})
    assert journal.read(path) == [{"a": 0}, {"a": 9}]
    log.close()


def test_where_lines_end(path: Path) -> None:
    assert journal.ends_a_line(path, 0)
    assert not journal.ends_a_line(path, 8)
    path.write_bytes(b'{"a":1}\n{"a":2}\n')
    assert [journal.ends_a_line(path, at) for at in (8, 9, 16, 17)] == [True, False, True, False]


def test_a_journal_in_no_folder_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(WriteError, match=r"gone/windows\.jsonl: No such file"):
        Journal(tmp_path / "gone" / "windows.jsonl")
