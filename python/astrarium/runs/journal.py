"""Append-only journals: one JSON object a line, whole lines only.

A line counts once its newline is there. What a killed writer left of its last line does not exist
for a reader, and is cut off when the run is resumed.
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
from astrarium.runs import documents
from astrarium.runs.errors import DamagedRunError

JOURNAL_BYTES_MAX: Final = 2 << 30
"""Far above any run; a journal this long was not written by one."""

_NUMBERS: Final = (int, float, type(None))
_log: Final = logging.getLogger(__name__)
_row: Final = msgspec.json.Decoder(dict[str, Any])


class Journal:
    """The end of one journal, for its only writer."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise self._named(error) from error
        self._end = os.fstat(self._handle).st_size
        self._synced: int | None = None
        """Where the end was when all before it was on the disk."""
        self._ragged = False
        """Whether bytes of a line that failed may lie beyond the end."""

    @property
    def offset(self) -> int:
        """Bytes of whole lines."""
        return self._end

    def append(self, row: Mapping[str, Any] | msgspec.Struct) -> None:
        """Add a line. It survives this process from here on; the machine only after `sync`."""
        line = documents.encode(row) + b"\n"
        try:
            self._trim()
            self._ragged = True
            written = 0
            while written < len(line):
                written += os.pwrite(self._handle, line[written:], self._end + written)
        except OSError as error:
            self._retreat(self._end)
            raise self._named(error) from error
        self._ragged = False
        self._end += len(line)

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
        if self._synced == self._end:
            return
        try:
            os.fsync(self._handle)
        except OSError as error:
            raise self._named(error) from error
        self._synced = self._end

    def cut(self, offset: int) -> None:
        """Forget everything after the first `offset` bytes."""
        try:
            os.ftruncate(self._handle, offset)
        except OSError as error:
            raise self._named(error) from error
        self._end, self._synced = offset, None
        self.sync()

    def close(self) -> None:
        """Let go of the file."""
        os.close(self._handle)

    def _retreat(self, end: int) -> None:
        """Take back what stands after `end`, now or before the next line."""
        self._end = end
        self._ragged = True
        with contextlib.suppress(OSError):
            self._trim()

    def _trim(self) -> None:
        if self._ragged:
            os.ftruncate(self._handle, self._end)
            self._ragged = False

    def _named(self, error: OSError) -> WriteError:
        return WriteError(error.errno, error.strerror or str(error), str(self._path))


def ends_a_line(path: Path, offset: int) -> bool:
    """Whether the first `offset` bytes of a journal are there and are whole lines."""
    if offset == 0:
        return True
    try:
        with path.open("rb") as file:
            file.seek(offset - 1)
            return file.read(1) == b"\n"
    except OSError:
        return False


def read(
    path: Path,
    *,
    integers: Sequence[str] = (),
    numbers: Sequence[str] = (),
    skip_bad: bool = False,
) -> list[dict[str, Any]]:
    """Every whole line of a journal; none where the file is missing.

    A line that is not a JSON object, lacks one of the `integers`, or has one of the `numbers` that
    is neither a number nor null, is a `DamagedRunError` naming it, or with `skip_bad` a warning in
    the log.
    """
    rows: list[dict[str, Any]] = []
    for number, line in enumerate(_whole_lines(path), 1):
        try:
            row = _row.decode(line)
            for name in integers:
                if type(row.get(name)) is not int:
                    raise ValueError(f"{name} is {row.get(name)!r}, not a whole number")
            for name in numbers:
                if type(row.get(name)) not in _NUMBERS:
                    raise ValueError(f"{name} is {row.get(name)!r}, not a number")
            rows.append(row)
        except (ValueError, RecursionError) as error:
            fault = f"{path}:{number} is damaged: {error}"
            if not skip_bad:
                raise DamagedRunError(
                    f"{fault}; restore the file from a copy, or read with skip_bad=True"
                ) from error
            _log.warning("%s; skipped", fault)
    return rows


def _whole_lines(path: Path) -> list[bytes]:
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
    return content.split(b"\n")[:-1]
