"""Journals hold whole lines only, whatever becomes of their writer."""

from __future__ import annotations

import errno
import logging
import os
from pathlib import Path

import pytest

from astrarium.atomic import WriteError
from astrarium.runs import DamagedRunError, journal
from astrarium.runs.journal import EMPTY, Journal, JournalEnd
from astrarium.runs.seals import START, seal_line


def no_room(*_: object) -> int:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def sealed(*bodies: bytes) -> bytes:
    """The lines of a journal that holds these objects."""
    content, seal = b"", START
    for body in bodies:
        line, seal = seal_line(body, seal)
        content += line
    return content


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
    assert (log.end.rows, log.end.bytes) == (3, path.stat().st_size)
    log.close()


def test_a_missing_journal_is_empty(path: Path) -> None:
    assert journal.read(path) == []


def test_a_torn_last_line_is_not_there_yet(path: Path) -> None:
    both = sealed(b'{"a":1}', b'{"a":2}')
    for length in range(len(both) // 2, len(both)):
        path.write_bytes(both[:length])
        assert journal.read(path) == [{"a": 1}]


@pytest.mark.parametrize("bad", [b'{"a":', b"[1]", b"\xff\xfe", b'{"a":"\xff"}', b"[" * 9000])
def test_a_damaged_line_is_named_or_skipped(
    bad: bytes, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path.write_bytes(sealed(b'{"a":1}', bad, b'{"a":3}'))
    with pytest.raises(DamagedRunError, match=r"windows\.jsonl:2 is damaged: "):
        journal.read(path)
    with caplog.at_level(logging.WARNING):
        assert journal.read(path, skip_bad=True) == [{"a": 1}, {"a": 3}]
    assert f"{path}:2 is damaged" in caplog.text


@pytest.mark.parametrize("bad", ["{}", '{"a":"1"}', '{"a":true}', '{"a":1.0}'])
def test_a_line_without_a_whole_number_asked_for_is_damaged(bad: str, path: Path) -> None:
    path.write_bytes(sealed(bad.encode()))
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
    assert path.read_bytes() == sealed(b'{"a":3}')
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
    size = path.stat().st_size
    assert sizes == [size]
    assert log.committed == log.end
    log.close()
    Journal(path, JournalEnd(1, size // 2, "")).close()
    assert sizes == [size, size // 2]


def test_a_writer_goes_on_from_an_end_and_forgets_what_followed(path: Path) -> None:
    log = Journal(path)
    log.append({"a": 0})
    first = log.end
    for number in (1, 2):
        log.append({"a": number})
    log.close()
    log = Journal(path, first)
    log.append({"a": 9})
    assert journal.read(path, counted=log.end, exact=True) == [{"a": 0}, {"a": 9}]
    log.close()
    assert path.read_bytes() == sealed(b'{"a":0}', b'{"a":9}')
    with pytest.raises(DamagedRunError, match=r"has \d+ of the 4096 bytes"):
        Journal(path, JournalEnd(3, 4096, first.seal))


def test_rows_that_were_counted_must_be_there(path: Path) -> None:
    log = Journal(path)
    for number in range(3):
        log.append({"a": number})
    log.close()
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:2]))
    assert len(journal.read(path)) == 2
    with pytest.raises(DamagedRunError, match="it has 2 rows, and 3 were counted"):
        journal.read(path, counted=log.end)
    path.unlink()
    with pytest.raises(DamagedRunError, match="it has 0 rows, and 3 were counted"):
        journal.check(path, log.end)
    path.write_bytes(sealed(b'{"a":0}', b'{"a":1}', b'{"a":7}', b'{"a":8}'))
    with pytest.raises(DamagedRunError, match=r":3 is damaged: it is not the line .* counted last"):
        journal.read(path, counted=log.end)
    with pytest.raises(DamagedRunError, match="it has 4 rows, and 0 were counted"):
        journal.read(path, exact=True, counted=EMPTY)


def test_lines_that_changed_places_are_damaged(path: Path) -> None:
    first, second, third = sealed(b'{"a":0}', b'{"a":1}', b'{"a":2}').splitlines(keepends=True)
    for content in (second + third, first + third, first + third + second, first + first):
        path.write_bytes(content)
        with pytest.raises(DamagedRunError, match="its seal does not match"):
            journal.read(path)


def test_every_flipped_bit_and_every_cut_is_noticed(path: Path) -> None:
    log = Journal(path)
    for number in range(3):
        log.append({"a": number, "text": "größer, \\u00e9", "x": 1e-05})
    log.close()
    whole = path.read_bytes()
    for at in range(len(whole) * 8):
        spoilt = bytearray(whole)
        spoilt[at // 8] ^= 1 << at % 8
        path.write_bytes(spoilt)
        with pytest.raises(DamagedRunError):
            journal.read(path, counted=log.end)
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        with pytest.raises(DamagedRunError):
            journal.read(path, counted=log.end)


def test_a_journal_in_no_folder_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(WriteError, match=r"gone/windows\.jsonl: No such file"):
        Journal(tmp_path / "gone" / "windows.jsonl")
