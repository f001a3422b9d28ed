"""Append-only journals: one sealed JSON object a line, whole lines only.

A line counts once its newline is there. What a killed writer left of its last line does not exist
for a reader, and is cut off when the run is resumed. Every line's seal covers that of the line
before it, so where a journal ended (`JournalEnd`) identifies all of it.
"""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from astrarium.atomic import WriteError
from astrarium.runs import documents, seals
from astrarium.runs.errors import DamagedRunError

JOURNAL_BYTES_MAX: Final = 2 << 30
"""Far above any run; a journal this long was not written by one."""

_NUMBERS: Final = (int, float, type(None))
_NO_FIELDS: Final[tuple[Sequence[str], Sequence[str]]] = ((), ())
_log: Final = logging.getLogger(__name__)
_row: Final = msgspec.json.Decoder(dict[str, Any])


class JournalEnd(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a journal ends, and the seal of its last line: by these all before it is known."""

    rows: int = 0
    bytes: int = 0
    seal: str = seals.START


EMPTY: Final = JournalEnd()


class Journal:
    """The end of one journal, for its only writer."""

    def __init__(self, path: Path, end: JournalEnd = EMPTY) -> None:
        """Write on from `end`: what stands after it is cut off."""
        self._path = path
        try:
            self._handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise self._named(error) from error
        self._end = end
        self._committed: JournalEnd | None = None
        """Where the end was when all before it was on the disk; None until that is known."""
        self._ragged = False
        """Whether bytes of a line that failed may lie beyond the end."""
        try:
            self._cut_off()
        except BaseException:
            os.close(self._handle)
            raise

    @property
    def end(self) -> JournalEnd:
        """Where the last line ends."""
        return self._end

    @property
    def committed(self) -> JournalEnd:
        """Where the last line ends that is on the disk for good."""
        return self._committed or EMPTY

    def append(self, row: Mapping[str, Any] | msgspec.Struct) -> None:
        """Add a row. It survives this process from here on; the machine only after `sync`."""
        self.append_object(documents.encode(row))

    def append_object(self, body: bytes) -> None:
        """Add a row that is a compact JSON object already."""
        line, seal = seals.seal_line(body, self._end.seal)
        end = self._end.bytes
        try:
            self._trim()
            self._ragged = True
            written = 0
            while written < len(line):
                written += os.pwrite(self._handle, line[written:], end + written)
        except OSError as error:
            self._retreat(self._end)
            raise self._named(error) from error
        self._ragged = False
        self._end = JournalEnd(self._end.rows + 1, end + len(line), seal)

    def append_durably(self, row: Mapping[str, Any] | msgspec.Struct) -> None:
        """Add a line that is on the disk when this returns, and not there when it raises."""
        before = self._end
        self.append(row)
        try:
            self.sync()
        except WriteError:
            self._retreat(before)
            raise

    def sync(self) -> None:
        """Wait until every line so far is on the disk."""
        if self._committed == self._end:
            return
        try:
            os.fsync(self._handle)
        except OSError as error:
            raise self._named(error) from error
        self._committed = self._end

    def close(self) -> None:
        """Let go of the file."""
        os.close(self._handle)

    def _cut_off(self) -> None:
        """Take away what stands after the end where this writer begins."""
        try:
            size = os.fstat(self._handle).st_size
            if size < self._end.bytes:
                raise DamagedRunError(
                    f"{self._path} has {size} of the {self._end.bytes} bytes that were written; "
                    "restore it from a copy"
                )
            if size == self._end.bytes:
                self._committed = self._end
                return
            os.ftruncate(self._handle, self._end.bytes)
        except OSError as error:
            raise self._named(error) from error
        self.sync()

    def _retreat(self, end: JournalEnd) -> None:
        """Take back what stands after `end`, now or before the next line."""
        self._end = end
        self._ragged = True
        with contextlib.suppress(OSError):
            self._trim()

    def _trim(self) -> None:
        if self._ragged:
            os.ftruncate(self._handle, self._end.bytes)
            self._ragged = False

    def _named(self, error: OSError) -> WriteError:
        return WriteError(error.errno, error.strerror or str(error), str(self._path))


def read(
    path: Path,
    *,
    counted: JournalEnd = EMPTY,
    exact: bool = False,
    integers: Sequence[str] = (),
    numbers: Sequence[str] = (),
    skip_bad: bool = False,
) -> list[dict[str, Any]]:
    """Every whole row of a journal, without its seal; none where the file is missing.

    A line that is not as it was sealed, lacks one of the `integers`, or has one of the `numbers`
    that is neither a number nor null, is a `DamagedRunError` naming it. So is a journal that ended
    before the rows `counted` of it, or, if `exact`, goes on after them. With `skip_bad` each is a
    warning in the log.
    """
    rows: list[dict[str, Any]] = []
    end = EMPTY
    for line in _whole_lines(path):
        end, row = _opened(path, line, end, counted, (integers, numbers), skip_bad)
        if row is not None:
            rows.append(row)
    _check_count(path, end, counted, exact, skip_bad)
    return rows


def end_of(path: Path) -> JournalEnd:
    """Return where the whole lines of a journal end. A damaged line is a `DamagedRunError`."""
    end = EMPTY
    for line in _whole_lines(path):
        end, _ = _opened(path, line, end, EMPTY, _NO_FIELDS, skip_bad=False)
    return end


def check(path: Path, end: JournalEnd) -> None:
    """Refuse a journal whose first rows are not those that ended at `end`."""
    seen = EMPTY
    for line in _whole_lines(path):
        if seen.rows == end.rows:
            break
        seen, _ = _opened(path, line, seen, end, _NO_FIELDS, skip_bad=False)
    _check_count(path, seen, end, exact=False, skip_bad=False)


def _opened(
    path: Path,
    line: bytes,
    before: JournalEnd,
    counted: JournalEnd,
    fields: tuple[Sequence[str], Sequence[str]],
    skip_bad: bool,
) -> tuple[JournalEnd, dict[str, Any] | None]:
    """Where a line ends, and its row; None for a damaged line that is left out."""
    # A line that is left out still says which seal the next one was chained to.
    seal = seals.seal_of(line) or ""
    end = JournalEnd(before.rows + 1, before.bytes + len(line), seal)
    try:
        row = _row.decode(seals.open_line(line, before.seal))
        integers, numbers = fields
        for name in integers:
            if type(row.get(name)) is not int:
                raise ValueError(f"{name} is {row.get(name)!r}, not a whole number")
        for name in numbers:
            if type(row.get(name)) not in _NUMBERS:
                raise ValueError(f"{name} is {row.get(name)!r}, not a number")
        if end.rows == counted.rows and end.seal != counted.seal:
            raise ValueError("it is not the line that the run's metadata counted last")
    except (ValueError, RecursionError) as error:
        _complain(f"{path}:{end.rows} is damaged: {error}", error, skip_bad)
        return end, None
    return end, row


def _check_count(
    path: Path, end: JournalEnd, counted: JournalEnd, exact: bool, skip_bad: bool
) -> None:
    if end.rows < counted.rows or (exact and end.rows > counted.rows):
        fault = f"{path} is damaged: it has {end.rows} rows, and {counted.rows} were counted"
        _complain(fault, None, skip_bad)


def _complain(fault: str, cause: Exception | None, skip_bad: bool) -> None:
    if not skip_bad:
        raise DamagedRunError(f"{fault}; restore the file from a copy") from cause
    _log.warning("%s; skipped", fault)


def _whole_lines(path: Path) -> list[bytes]:
    """The lines of a journal, each with its newline."""
    try:
        with path.open("rb") as file:
            content = file.read(JOURNAL_BYTES_MAX + 1)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise DamagedRunError(f"cannot read {path}: {error.strerror or error}") from error
    if len(content) > JOURNAL_BYTES_MAX:
        raise DamagedRunError(f"{path} is larger than {JOURNAL_BYTES_MAX} bytes: not a journal")
    # What follows the last newline is still being written.
    return [line + b"\n" for line in content.split(b"\n")[:-1]]
