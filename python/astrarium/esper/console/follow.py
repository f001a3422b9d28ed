"""A run folder followed: lines are taken in as they are written, a portion at a time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from astrarium.errors import ConfigError
from astrarium.esper.console.aggregate import Aggregator
from astrarium.esper.console.snapshot import Snapshot
from astrarium.esper.contracts.errors import HappeningError
from astrarium.esper.contracts.happenings import decode
from astrarium.runs import RunFolder, names
from astrarium.runs.metadata import Status
from astrarium.telemetry.journals import Counted, JournalReader, Place

PORTION: Final = 2_000
"""Lines read at once: little enough to keep a terminal answering, whatever has piled up."""

QUIET_SECONDS: Final = 2.0
STALE_SECONDS: Final = 5.0


@dataclass(frozen=True, slots=True)
class Standing:
    """How the run itself is."""

    run_id: str
    status: Status
    age_seconds: float | None
    """Since the last line was written; None before the first."""
    unread: float
    """The share of the file that is still to be read; 0 for one who has caught up."""

    @property
    def silence(self) -> str:
        """What to think of the time since the last news: nothing, `quiet` or `stale`."""
        if self.status != "running" or self.age_seconds is None or self.unread:
            return ""
        if self.age_seconds < QUIET_SECONDS:
            return ""
        return "quiet" if self.age_seconds < STALE_SECONDS else "stale"


class RunFollower:
    """Reads on in a run's file, from its beginning again whenever what was read is gone."""

    def __init__(self, run: RunFolder) -> None:
        self._run = run
        self._path = run.folder / names.WORLD_EVENTS
        if run.status() != "running" and not self._path.exists():
            raise ConfigError(f"the world of {run.folder} tells nothing; this is for runs of Esper")
        self._begin()

    def _begin(self) -> None:
        self._reader = JournalReader(self._path, Place())
        self._aggregator = Aggregator()
        self._line = 0
        self._is_behind = False
        self.snapshot: Snapshot = self._aggregator.snapshot()

    def proceed(self, lines: int = PORTION) -> bool:
        """Take in at most so many lines; whether there was anything new to see.

        A line that cannot be taken in is a `HappeningError` or `DamagedRunError` that names it.
        """
        # Looked at before every portion: a run that is resumed cuts its file back at any time.
        cut = self._reader.was_cut()
        if cut:
            self._begin()
        counted = Counted(self._run.folder)
        taken = 0
        self._is_behind = False
        for line in self._reader.lines():
            if taken == lines:
                self._is_behind = True
                break
            try:
                self._aggregator.take(decode(line))
            except HappeningError as error:
                raise HappeningError(f"{self._path}, line {self._line + 1}: {error}") from error
            self._line += 1
            taken += 1
        if not self._is_behind:
            counted.check(names.WORLD_EVENTS, self._reader.place)
        if taken or cut:
            self.snapshot = self._aggregator.snapshot()
        return bool(taken or cut)

    def standing(self, now: datetime) -> Standing:
        """How the run is at this moment."""
        last = self.snapshot.last_at
        age = (now - datetime.fromisoformat(last)).total_seconds() if last else None
        unread = 0.0
        if self._is_behind and (size := self._path.stat().st_size):
            unread = max(0.0, 1.0 - self._reader.place.offset / size)
        return Standing(
            run_id=self._run.run_id,
            status=self._run.status(),
            age_seconds=None if age is None else max(0.0, age),
            unread=unread,
        )
