"""A town under watch: fed tick by tick, it says what has gone wrong, each once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import msgspec

from astrarium.errors import AstrariumError, ConfigError
from astrarium.worlds.townlet.stability import afi, alerts, kpis
from astrarium.worlds.townlet.stability.alerts import Level
from astrarium.worlds.townlet.stability.kpis import Kpi
from astrarium.worlds.townlet.stability.memory import AlertMemory, FigureMemory
from astrarium.worlds.townlet.stability.moments import Moment
from astrarium.worlds.townlet.stability.rules import Rules


class OrderError(AstrariumError, ValueError):
    """A tick that does not follow on the last."""


class Alert(NamedTuple):
    """Something has begun to be wrong."""

    alert: str
    tick: int
    value: float
    limit: float


@dataclass(frozen=True, slots=True)
class Reading:
    """A tick, judged."""

    tick: int
    levels: tuple[Level, ...]
    """Every alert with its figure and its limit."""
    raised: tuple[Alert, ...]
    """Those that fire now and did not in the tick before."""

    @property
    def firing(self) -> tuple[str, ...]:
        """The alerts in force."""
        return tuple(level.alert for level in self.levels if level.firing)


class _Kept(msgspec.Struct):
    alerts: AlertMemory
    figures: FigureMemory


class Monitor:
    """What a town is judged by, and what has to be remembered for that."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._kept = _Kept(AlertMemory(), FigureMemory())

    @property
    def rules(self) -> Rules:
        """Those in force."""
        return self._rules

    def reload(self, rules: Rules) -> None:
        """Judge by other rules from the next tick on, and remember all that was remembered.

        A window that becomes longer fills up from then on. Raises a `ConfigError` for a day of
        another length: that is another town.
        """
        if rules.ticks_per_day != self._rules.ticks_per_day:
            raise ConfigError(
                f"time.ticks_per_day: {rules.ticks_per_day} instead of "
                f"{self._rules.ticks_per_day} needs a new town, and that a monitor of its own"
            )
        self._rules = rules

    def observe(self, moment: Moment) -> Reading:
        """Judge the next tick. Raises an `OrderError` for any other."""
        memory = self._kept.alerts
        if memory.tick >= 0 and moment.tick != memory.tick + 1:
            raise OrderError(
                f"tick {moment.tick} does not follow on tick {memory.tick}; give every tick once "
                "and in order, and another town a monitor of its own"
            )
        read = alerts.levels(memory, moment, self._rules)
        kpis.take(self._kept.figures, moment, self._rules)
        afi.take(self._kept.figures, moment, self._rules)
        read = (*read, kpis.note_red(self._kept.figures, moment, self._rules))
        raised = tuple(
            Alert(level.alert, moment.tick, level.value, level.limit)
            for level in read
            if level.firing and level.alert not in memory.firing
        )
        reading = Reading(moment.tick, read, raised)
        memory.firing = list(reading.firing)
        return reading

    def kpis(self, moment: Moment) -> tuple[Kpi, ...]:
        """The figures of the town as of the last tick, which is `moment`."""
        return kpis.figures(self._kept.figures, moment, self._rules)

    def afi(self) -> dict[str, float]:
        """How well everybody lives, as of the last tick: see `stability.afi`."""
        return afi.told(self._kept.figures, self._rules)

    def snapshot(self) -> bytes:
        """Everything remembered, as JSON."""
        return msgspec.json.encode(self._kept)

    def restore(self, snapshot: bytes) -> None:
        """Go on from there."""
        self._kept = msgspec.json.decode(snapshot, type=_Kept)


def readings(moments: Iterable[Moment], rules: Rules) -> Iterator[Reading]:
    """Judge the ticks of a town one after the other."""
    monitor = Monitor(rules)
    return map(monitor.observe, moments)
