"""Snapshots are kept while a town runs: where they may lie, when one is due, what a failure leaves.

Nothing here runs a town. Whoever does tells the ticks, and the time when one is taken.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from astrarium import atomic
from astrarium.errors import AstrariumError
from astrarium.worlds.native import NativeVectorWorld
from astrarium.worlds.townlet.config.watching import Snapshots
from astrarium.worlds.townlet.snapshot_files import write
from astrarium.worlds.townlet.snapshots import TownSnapshot, tick_of
from astrarium.worlds.townlet.stability import Monitor


class OutsideError(AstrariumError, PermissionError):
    """A path outside the folders in which a town's snapshots may lie."""


class Shelf:
    """The folders of a town's snapshots."""

    def __init__(self, settings: Snapshots, base: Path) -> None:
        """Relative paths of the settings start from `base`."""
        self.settings: Final = settings
        self.root: Final = (base / settings.storage.root).resolve()
        others = ((base / one).resolve() for one in settings.guardrails.allowed_paths)
        self._allowed: Final = (self.root, *others)

    def place(self, path: str | Path) -> Path:
        """Where `path` leads, from the root on, every link followed.

        Raises an `OutsideError` if that is outside the root and the allowed folders.
        """
        try:
            found = (self.root / path).resolve()
        except (OSError, ValueError, RuntimeError) as error:  # a circle of links, a zero byte
            raise OutsideError(f"snapshot path {str(path)!r} leads nowhere: {error}") from None
        if not any(found.is_relative_to(folder) for folder in self._allowed):
            allowed = ", ".join(map(str, self._allowed))
            raise OutsideError(
                f"snapshot path {str(path)!r} leads to {found}, outside {allowed}; name one "
                "inside, or add its folder to snapshot.guardrails.allowed_paths"
            )
        return found

    def autosave(self, snapshot: TownSnapshot) -> Path:
        """Store an autosave, and take away all but the last `retain` of this town."""
        kept = self._autosaves(snapshot.config_id)
        number = max(kept, default=0) + 1
        name = f"autosave-{snapshot.config_id}-{number:06d}-tick-{snapshot.tick}.json"
        path = self.place(name)
        write(path, snapshot)
        for old in sorted(kept)[: len(kept) + 1 - self.settings.autosave.retain]:
            atomic.remove_file(kept[old])
        return path

    def _autosaves(self, config_id: str) -> dict[int, Path]:
        """By number: ticks fall where a town begins again, numbers do not."""
        pattern = re.compile(rf"autosave-{re.escape(config_id)}-([0-9]+)-tick-[0-9]+[.]json")
        names = ((pattern.fullmatch(path.name), path) for path in self.root.glob("autosave-*"))
        return {int(name[1]): path for name, path in names if name and path.is_file()}

    def capture(self, snapshot: TownSnapshot, error: Exception) -> Path | None:
        """Store the town before a tick that failed; None unless the settings ask for it."""
        if not self.settings.capture_on_failure:
            return None
        path = self.place(f"failure-{snapshot.config_id}-tick-{snapshot.tick}.json")
        write(path, snapshot.model_copy(update={"failure": _words(error)}))
        return path


class Autosave:
    """Is told the ticks of a town and saves it when that is due."""

    def __init__(self, shelf: Shelf, since: int) -> None:
        """The town is at tick `since`, which needs no saving."""
        self._shelf: Final = shelf
        self._last = since

    def tell(self, tick: int, take: Callable[[], TownSnapshot]) -> Path | None:
        """The town has come to `tick`; where it was saved, if a multiple of the cadence passed."""
        cadence, last = self._shelf.settings.autosave.cadence_ticks, self._last
        self._last = tick
        if cadence is None or tick // cadence <= last // cadence:
            return None
        return self._shelf.autosave(take())


@dataclass(frozen=True, slots=True)
class LoopFailure:
    """A tick that failed and was rolled back."""

    tick: int
    """The tick the town is at again."""
    error: str
    snapshot: Path | None
    """Where the town was kept as it was before."""
    uncaptured: str | None
    """Why it could not be kept."""

    def event(self) -> dict[str, Any]:
        """In the words of a town's happenings."""
        return {
            "event": "loop_failure",
            "tick": self.tick,
            "error": self.error,
            "snapshot": None if self.snapshot is None else str(self.snapshot),
            "uncaptured": self.uncaptured,
        }


def step_or_roll_back(
    world: NativeVectorWorld,
    advance: Callable[[], object],
    *,
    monitor: Monitor | None = None,
    capture: Callable[[Exception], Path | None] | None = None,
) -> LoopFailure | None:
    """Do one tick of a watched town; if anything of it fails, all of it is undone and told.

    Commands that waited for the tick wait again. `capture` is called with the town rolled back.
    """
    town, remembered = world.snapshot(), monitor.snapshot() if monitor else b""
    try:
        advance()
    except Exception as error:  # whatever it is, the town must not stay halfway
        world.restore(town)
        world.watch(0)
        if monitor:
            monitor.restore(remembered)
        return _failure(world, error, capture)
    return None


def _failure(
    world: NativeVectorWorld,
    error: Exception,
    capture: Callable[[Exception], Path | None] | None,
) -> LoopFailure:
    path, uncaptured = None, None
    if capture is not None:
        try:
            path = capture(error)
        except AstrariumError as refused:  # a full disk must not hide what went wrong first
            uncaptured = _words(refused)
    return LoopFailure(tick_of(world), _words(error), path, uncaptured)


def _words(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
