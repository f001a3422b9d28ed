"""The two journals of a run as one story, read from wherever the reader left off.

`metrics/windows.jsonl` and `events.jsonl` only grow, until a run is resumed: then both are cut
back to its checkpoint and grow again from there. A reader recognises this by the last line it
read no longer being where it was.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from astrarium.runs import metadata, seals
from astrarium.runs.errors import DamagedRunError, RunNotFoundError
from astrarium.runs.metadata import Metadata
from astrarium.runs.names import EVENTS, WINDOWS
from astrarium.telemetry.events import (
    Event,
    EventError,
    RunResumed,
    UnknownEventError,
    WindowClosed,
    decode,
)

_log: Final = logging.getLogger(__name__)

Row = dict[str, Any]
"""A row of `metrics/windows.jsonl`."""


class Place(msgspec.Struct, frozen=True):
    """An end of a line in a journal, and that line's length and seal to know it again by."""

    offset: int = 0
    last: int = 0
    seal: str = seals.START
    rows: int = 0

    def after(self, line: bytes) -> Place:
        """The end of the line that starts here."""
        seal = seals.seal_of(line) or ""
        return Place(self.offset + len(line), len(line), seal, self.rows + 1)


class Bookmark(msgspec.Struct):
    """How far a reader got in both journals, and which resumptions it has seen."""

    windows: Place = Place()
    events: Place = Place()
    resumptions: list[str] = msgspec.field(default_factory=list[str])


class JournalReader:
    """One file of lines."""

    def __init__(self, path: Path, place: Place) -> None:
        self._path = path
        self.place = place

    def lines(self) -> Iterator[bytes]:
        """Whole rows up to where the file ends now; one counts as read once the next is asked for.

        A last line without its end is still being written, and left for later. A line that is not
        as it was sealed is a `DamagedRunError` that names it.
        """
        for row, _, after in self.placed_lines():
            yield row
            self.place = after

    def placed_lines(
        self, on_damage: Callable[[DamagedRunError], None] | None = None
    ) -> Iterator[tuple[bytes, Place, Place]]:
        """Rows with the places before and after each; where the reader is does not change.

        With `on_damage`, lines that are not as they were sealed are reported to it and left out.
        """
        return self._scan(self.place, on_damage)

    def left(self) -> int:
        """How many whole lines lie ahead."""
        return sum(1 for _ in self._stored(self.place))

    def was_cut(self) -> bool:
        """Whether the last line read is gone, or another stands in its place."""
        return self._is_cut(self.place)

    def _is_cut(self, place: Place) -> bool:
        if place.offset == 0:
            return False
        try:
            with self._path.open("rb") as file:
                file.seek(place.offset - place.last)
                line = file.read(place.last)
        except FileNotFoundError:
            return True
        return len(line) < place.last or (seals.seal_of(line) or "") != place.seal

    def place_before(self, wanted: Callable[[bytes], bool]) -> Place:
        """The place before the first row that is `wanted`; the end where none is."""
        place = Place()
        for row, _, after in self._scan(place):
            if wanted(row):
                break
            place = after
        return place

    def _scan(
        self, start: Place, on_damage: Callable[[DamagedRunError], None] | None = None
    ) -> Iterator[tuple[bytes, Place, Place]]:
        for line, before, after in self._stored(start):
            try:
                row = seals.open_line(line, before.seal)
            except seals.SealError as error:
                try:
                    row = self._read_again(before, error)
                except DamagedRunError as damage:
                    if on_damage is None:
                        raise
                    on_damage(damage)
                    continue
                # What was read ahead may be of a file that was cut since.
                if row is not None:
                    yield row, before, before.after(seals.seal_line(row, before.seal)[0])
                return
            yield row, before, after

    def _read_again(self, before: Place, error: seals.SealError) -> bytes | None:
        """The row after a place, once more: its file may have been cut while it was read.

        None where that place is gone; a `DamagedRunError` where the line stays as it is.
        """
        if self._is_cut(before):
            return None
        found = next(self._stored(before), None)
        if found is None:
            return None
        try:
            return seals.open_line(found[0], before.seal)
        except seals.SealError:
            raise DamagedRunError(
                f"{self._path}:{before.rows + 1} is damaged: {error}; restore the file from a copy"
            ) from error

    def _stored(self, start: Place) -> Iterator[tuple[bytes, Place, Place]]:
        """Whole lines as they are stored, with the places before and after each."""
        try:
            file = self._path.open("rb")
        except FileNotFoundError:
            return
        with file:
            end = os.fstat(file.fileno()).st_size
            file.seek(start.offset)
            for line in file:
                after = start.after(line)
                if after.offset > end or not line.endswith(b"\n"):
                    return
                yield line, start, after
                start = after


class Counted:
    """The rows that a run's metadata counts, to be read before its journals are."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._state = self._read()

    def _read(self) -> Metadata | None:
        try:
            return metadata.read(self._folder)
        except RunNotFoundError:
            return None

    def missing(self, path: str, end: Place) -> int:
        """How many rows a journal lacks that was read to its end since; 0 in a run that is gone."""
        if self._state is None:
            return 0
        missing = metadata.counted(self._state, path).rows - end.rows
        # A run that is resumed meanwhile counts fewer.
        return missing if missing > 0 and self._read() == self._state else 0

    def check(self, path: str, end: Place) -> None:
        """Refuse a journal that lacks rows."""
        missing = self.missing(path, end)
        if missing:
            raise DamagedRunError(
                f"{self._folder / path} is damaged: it lacks the last {missing} of "
                f"{end.rows + missing} rows; restore the file from a copy"
            )


class Journals:
    """Both journals of a run folder, in the order things happened."""

    def __init__(self, folder: Path, bookmark: Bookmark | None = None) -> None:
        mark = bookmark or Bookmark()
        self._folder = folder
        self._windows = JournalReader(folder / WINDOWS, mark.windows)
        self._events = JournalReader(folder / EVENTS, mark.events)
        self._resumptions = list(mark.resumptions)

    @property
    def bookmark(self) -> Bookmark:
        """Where a later reader would go on."""
        return Bookmark(self._windows.place, self._events.place, list(self._resumptions))

    def read(self) -> Iterator[Row | Event]:
        """What was written since; an item counts as read once the next is asked for.

        A row comes just before the event that tells of it, or last where no event does yet. The
        order is the same for a reader who follows along and for one who comes when all is over.

        A journal that lacks rows which the run's metadata counts is a `DamagedRunError`.
        """
        counted = Counted(self._folder)
        self._realign()
        rows = _rows_in(self._windows.lines())
        # Asked for before the events are: whatever led to this row is then among them.
        row = next(rows, None)
        for line in self._events.lines():
            event = _event_in(line)
            if isinstance(event, WindowClosed):
                if row is None:
                    # Written since rows were asked for: a row is there before its event is.
                    rows = _rows_in(self._windows.lines())
                    row = next(rows, None)
                while row is not None and row["window_id"] <= event.window_id:
                    yield row
                    row = next(rows, None)
            if event is not None:
                yield event
            if isinstance(event, RunResumed):
                self._resumptions.append(event.at)
        while row is not None:
            yield row
            row = next(rows, None)
        for path, reader in ((WINDOWS, self._windows), (EVENTS, self._events)):
            counted.check(path, reader.place)

    def left(self) -> tuple[int, int]:
        """How many windows and events lie ahead."""
        return self._windows.left(), self._events.left()

    def _realign(self) -> None:
        """After a cut, go back to where the journals part from what was read."""
        cut = [journal for journal in (self._windows, self._events) if journal.was_cut()]
        if not cut:
            return
        resumption, there = self._unseen_resumption()
        for journal in cut:
            if resumption is None:
                # Cut, and nothing new yet: all that is left was read. Longer than it was and yet
                # different: not a cut but another file.
                end = journal.place_before(lambda _: False)
                journal.place = end if end.offset < journal.place.offset else Place()
            elif journal is self._events:
                journal.place = there
            else:
                kept = resumption.window_id
                journal.place = journal.place_before(
                    lambda line, kept=kept: _window_of(line) > kept
                )

    def _unseen_resumption(self) -> tuple[RunResumed | None, Place]:
        found: list[RunResumed] = []

        def unseen(line: bytes) -> bool:
            # Parsing every event of a long run would take a while.
            event = _event_in(line) if b'"run_resumed"' in line else None
            if isinstance(event, RunResumed) and event.at not in self._resumptions:
                found.append(event)
            return bool(found)

        place = self._events.place_before(unseen)
        return (found[0] if found else None), place


def _rows_in(lines: Iterator[bytes]) -> Iterator[Row]:
    for line in lines:
        row = _row_in(line)
        if row is not None:
            yield row


def _row_in(line: bytes) -> Row | None:
    try:
        row = msgspec.json.decode(line, type=Row)
    except msgspec.MsgspecError:
        row = {}
    if isinstance(row.get("window_id"), int):
        return row
    _log.warning("%s: skipped a line that is no window: %.80r", WINDOWS, line)
    return None


def _window_of(line: bytes) -> int:
    row = _row_in(line)
    return -1 if row is None else row["window_id"]


def _event_in(line: bytes) -> Event | None:
    try:
        return decode(line)
    except UnknownEventError:
        return None  # a newer version's: this one has nothing to say about it
    except EventError as error:
        _log.warning("%s: skipped a line: %s", EVENTS, error)
        return None
