"""How networks grow in a run: an index of its world events by host and episode.

The index is kept and extended as the file grows, so that a page costs the lines it shows and not
the file they lie in. Lines are sent as they are stored, each checked against the one table of what
can happen. A run that resumes cuts its file back: then the index is made anew.
"""

from __future__ import annotations

import secrets
import threading
from array import array
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import msgspec

from astrarium.esper.contracts import happenings
from astrarium.esper.contracts.errors import HappeningError
from astrarium.runs import DamagedRunError, names, seals
from astrarium.serve.catalogue import world_events_bytes
from astrarium.serve.paths import plain_file
from astrarium.serve.problems import Problem
from astrarium.telemetry.journals import Counted, JournalReader, Place

LOOK_BYTES: Final = 16 << 20
"""Read for one request; the next one goes on from there."""
LINES_MAX: Final = 4_000_000
"""Kept of all runs together; those not asked for longest go first."""

Key = tuple[int, int]
"""Host and episode."""

KINDS: Final[Mapping[str, Mapping[str, str]]] = {
    kind: {"label": one.label, "severity": one.rank} for kind, one in happenings.TABLE.items()
}
"""What pages call each kind of event."""


class _Line(msgspec.Struct):
    """As much of a line as the index needs."""

    kind: str
    round: int
    env: int | None = None
    episode: int | None = None
    epoch: int | None = None
    val_accuracy: float | None = None


class _Ending(msgspec.Struct):
    """As much of an episode's end as the list of episodes shows."""

    outcome_type: str
    final_accuracy: float
    param_ratio: float
    num_fossilized: int
    episode_reward: float
    succeeded: bool


class EpisodeRow(msgspec.Struct):
    """An episode in the list of episodes."""

    env: int
    episode: int
    round: int
    first_epoch: int
    last_epoch: int
    events: int = 0
    accuracy: float | None = None
    outcome: _Ending | None = None


class _Episode:
    """An episode's row, and where its lines lie: the byte each begins at, and its length."""

    def __init__(self, row: EpisodeRow) -> None:
        self.row = row
        self.starts = array("q")
        self.lengths = array("q")
        self.seals_before = array("Q")
        """The seal of the line before each, by which it is checked when it is read again."""


class Events(msgspec.Struct, frozen=True):
    """A page of an episode's events, in the form it is sent."""

    run_id: str
    env: int
    episode: int
    edition: str
    offset: int
    next_offset: int
    count: int
    has_more: bool
    damaged: int
    events: list[msgspec.Raw]


class GrowthIndex:
    """The world events of one run; for any number of threads."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._start_anew()

    def _start_anew(self) -> None:
        self._reader = JournalReader(self._path, Place())
        self._episodes: dict[Key, _Episode] = {}
        self._started: msgspec.Raw | None = None
        self._damaged = 0
        self._missing = 0
        """Rows at the end that the run's metadata counts and that are not there."""
        self._bytes = 0
        self._complete = True
        self.lines = 0
        # A page that sees another edition knows that what it holds may be gone.
        self._edition = secrets.token_hex(4)

    def extend(self, bytes_max: int = LOOK_BYTES) -> None:
        """Take in what was written since, or as much of it as one look may."""
        with self._lock:
            if self._reader.was_cut():
                self._start_anew()
            self._bytes = world_events_bytes(self._path.parent) or 0
            until, self._complete = self._reader.place.offset + bytes_max, True
            counted = Counted(self._path.parent)
            for line, before, after in self._reader.placed_lines(self._count_damage):
                self._add(line, before, after)
                self._reader.place = after
                if after.offset >= until:
                    self._complete = False
                    break
            if self._complete:
                end = self._reader.place
                self._missing = counted.missing(names.WORLD_EVENTS, end)

    def _count_damage(self, _: DamagedRunError) -> None:
        self._damaged += 1

    def told(self, env: int | None, offset: int, limit: int) -> dict[str, Any]:
        """What is known of the run and a page of its episodes, newest first."""
        with self._lock:
            rows = [
                one.row for one in self._episodes.values() if env is None or one.row.env == env
            ][::-1]
            shown = [msgspec.to_builtins(row) for row in rows[offset : offset + limit]]
            return {
                "edition": self._edition,
                "started": self._started,
                "kinds": KINDS,
                "bytes": self._bytes,
                "bytes_read": self._reader.place.offset,
                "complete": self._complete,
                "damaged": self._damaged + self._missing,
                "count": len(shown),
                "total": len(rows),
                "episodes": shown,
            }

    def events(self, run_id: str, key: Key, offset: int, limit: int, bytes_max: int) -> Events:
        """Events of one episode, in the order they were written."""
        with self._lock:
            found = self._find(key)
            end = _end_within(found.lengths, offset, offset + limit, bytes_max)
            try:
                lines = self._read(found, offset, end)
            except OSError as error:
                raise Problem(503, f"{self._path.name} cannot be read now; ask again") from error
            total = len(found.starts)
            edition = self._edition
        good = [msgspec.Raw(line) for line in lines if line and _is_told(line)]
        return Events(
            run_id=run_id,
            env=key[0],
            episode=key[1],
            edition=edition,
            offset=offset,
            next_offset=max(offset, end),
            count=len(good),
            has_more=end < total,
            damaged=len(lines) - len(good),
            events=good,
        )

    def _find(self, key: Key) -> _Episode:
        if key in self._episodes:
            return self._episodes[key]
        if not self._complete:
            raise Problem(503, "the events of this run are still being read; ask again")
        raise Problem(404, f"host {key[0]} has no episode {key[1]} in this run")

    def _add(self, line: bytes, before: Place, after: Place) -> None:
        self.lines += 1
        try:
            read = msgspec.json.decode(line, type=_Line)
            if read.kind == "TRAINING_STARTED" and _is_told(line):
                self._started = msgspec.Raw(line)
            if read.env is None or read.episode is None or read.epoch is None:
                return
            ending = read.kind == "EPISODE_OUTCOME"
            outcome = msgspec.json.decode(line, type=_Ending) if ending else None
        except (msgspec.MsgspecError, UnicodeDecodeError):
            self._damaged += 1
            return
        key = (read.env, read.episode)
        found = self._episodes.get(key)
        if found is None:
            row = EpisodeRow(*key, read.round, read.epoch, read.epoch)
            found = self._episodes[key] = _Episode(row)
        found.starts.append(before.offset)
        found.lengths.append(after.last)
        found.seals_before.append(int(before.seal, 16))
        row = found.row
        row.events += 1
        row.last_epoch = max(row.last_epoch, read.epoch)
        if read.kind == "EPOCH_COMPLETED":
            row.accuracy = read.val_accuracy
        row.outcome = outcome or row.outcome

    def _read(self, found: _Episode, offset: int, end: int) -> Sequence[bytes]:
        """Rows, empty where one is damaged; neighbours in the file are read at once."""
        spans = [(found.starts[at], found.lengths[at]) for at in range(offset, end)]
        breaks = [
            at for at, (one, following) in enumerate(pairwise(spans), 1) if sum(one) != following[0]
        ]
        lines: list[bytes] = []
        with self._path.open("rb") as file:
            for first, last in pairwise([0, *breaks, len(spans)]):
                if first == last:
                    continue
                file.seek(spans[first][0])
                block, within = file.read(sum(length for _, length in spans[first:last])), 0
                for _, length in spans[first:last]:
                    before = found.seals_before[offset + len(lines)]
                    lines.append(_row_of(block[within : within + length], before))
                    within += length
        return lines


class Growth:
    """The indexes of all runs that were asked about."""

    def __init__(self) -> None:
        self._indexes: OrderedDict[Path, GrowthIndex] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, folder: Path) -> GrowthIndex:
        """The index of a run, extended. 404 where the run has no world events."""
        path = plain_file(folder, names.WORLD_EVENTS)
        if world_events_bytes(folder) is None:
            raise Problem(
                404, f"run {folder.name} has no {names.WORLD_EVENTS}: nothing grows in it"
            )
        with self._lock:
            index = self._indexes.setdefault(path, GrowthIndex(path))
            self._indexes.move_to_end(path)
        index.extend()
        with self._lock:
            held = sum(one.lines for one in self._indexes.values())
            while held > LINES_MAX and len(self._indexes) > 1:
                held -= self._indexes.popitem(last=False)[1].lines
        return index


def _row_of(line: bytes, before: int) -> bytes:
    """The row of a sealed line; empty where it is not as it was sealed."""
    try:
        return seals.open_line(line, f"{before:016x}")
    except seals.SealError:
        return b""


def _is_told(line: bytes) -> bool:
    """Whether a line is what the table says it is."""
    try:
        happenings.decode(line)
    except (HappeningError, UnicodeDecodeError):
        return False
    return True


def _end_within(lengths: Sequence[int], start: int, end: int, bytes_max: int) -> int:
    """Where a page ends that has no more bytes than it may, yet one line at least."""
    end, held = min(end, len(lengths)), 0
    for at in range(start, end):
        held += lengths[at]
        if held > bytes_max and at > start:
            return at
    return end
