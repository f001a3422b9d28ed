"""Whether a day is long enough to stay alive in: upkeep, work and the ways between."""

from __future__ import annotations

import math
import typing
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from astrarium.worlds.config import KeyPath
from astrarium.worlds.townlet.config.node import Need

if TYPE_CHECKING:
    from astrarium.worlds.townlet.config.manifest import AffordanceEntry
    from astrarium.worlds.townlet.config.tree import TownletConfig

Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Upkeep:
    """What one need asks of a day."""

    need: Need
    rate: float
    """Need lost per tick."""
    uses: float
    """How often a day the best affordance for it is needed."""
    share: float
    """Of a day, spent in it; infinite if nothing restores the need."""
    kind: str | None
    """The type of object it is done with."""


@dataclass(frozen=True, slots=True)
class Day:
    """How the day of a careful resident is spent, as shares of it. Waiting is not counted."""

    upkeep: tuple[Upkeep, ...]
    work: float
    """The shortest shift there is."""
    walking: float
    """One way per use and per shift, straight over the grid."""

    @property
    def total(self) -> float:
        """Must stay below 1."""
        return sum(one.share for one in self.upkeep) + self.work + self.walking


def typical_day(config: TownletConfig) -> Day:
    """The day of somebody who serves each need as often as it must be, and no oftener."""
    upkeep = tuple(_upkeep(config, need) for need in typing.get_args(Need))
    shifts = [job.end_tick - job.start_tick for job in config.jobs.values()]
    ticks = config.time.ticks_per_day
    return Day(upkeep, min(shifts, default=0) / ticks, _walking(config, upkeep) / ticks)


def livability_problems(config: TownletConfig) -> Iterator[tuple[KeyPath, str]]:
    """Why nobody could live there, unless `features.allow_unlivable` accepts that."""
    if config.features.allow_unlivable:
        return
    day = typical_day(config)
    for one in day.upkeep:
        if math.isinf(one.share):
            yield (
                ("rewards", "decay_rates", one.need),
                f"nobody can live: {one.need} falls by {one.rate:g} a tick and no affordance with "
                "an object in this town raises it; add one, or set features.allow_unlivable",
            )
    if not math.isinf(day.total) and day.total >= 1:
        greedy = sorted(day.upkeep, key=lambda one: one.share, reverse=True)
        parts = ", ".join(f"{one.need} {one.share:.2f} at {one.rate:g} a tick" for one in greedy)
        upkeep = sum(one.share for one in day.upkeep)
        yield (
            ("rewards", "decay_rates"),
            f"nobody can live: a day would need {day.total:.2f} of itself, upkeep {upkeep:.2f} "
            f"({parts}), work {day.work:.2f}, walking {day.walking:.2f}; lower the rates until "
            "it is below 1, or set features.allow_unlivable",
        )


def _upkeep(config: TownletConfig, need: Need) -> Upkeep:
    rate: float = getattr(config.rewards.decay_rates, need)
    ways = [entry for entry in config.affordances.affordances if _sustains(config, entry, need)]
    if rate == 0:
        return Upkeep(need, rate, 0, 0, None)
    if not ways:
        return Upkeep(need, rate, math.inf, math.inf, None)
    best = min(ways, key=lambda entry: entry.duration / entry.effects[need])
    uses = rate * config.time.ticks_per_day / best.effects[need]
    share = uses * best.duration / config.time.ticks_per_day
    return Upkeep(need, rate, uses, share, best.object_type)


def _sustains(config: TownletConfig, entry: AffordanceEntry, need: Need) -> bool:
    """Whether it raises the need day after day: things of one's own run out."""
    if entry.effects.get(need, 0) <= 0 or entry.uses:
        return False
    return entry.object_type is None or any(
        thing.object_type == entry.object_type for thing in config.affordances.objects
    )


def _walking(config: TownletConfig, upkeep: tuple[Upkeep, ...]) -> float:
    """Ticks of a day spent on the way, each way from a typical place to the nearest object."""
    goals = {one.kind: _places(config, one.kind) for one in upkeep if one.kind is not None}
    sites = [job.location for job in config.jobs.values()]
    ticks = sum(
        one.uses * _way([*_others(goals, one.kind), *sites], goals[one.kind])
        for one in upkeep
        if one.kind is not None
    )
    return ticks + (_way(_others(goals, None), sites) if sites else 0)


def _places(config: TownletConfig, kind: str) -> list[Place]:
    return [entry.position for entry in config.affordances.objects if entry.object_type == kind]


def _others(goals: dict[str, list[Place]], kind: str | None) -> list[Place]:
    return [place for other, places in goals.items() if other != kind for place in places]


def _way(starts: list[Place], goals: list[Place]) -> float:
    """Mean steps from the starts to the goal nearest each."""
    if not starts:
        return 0
    nearest = (min(abs(x - a) + abs(y - b) for a, b in goals) for x, y in starts)
    return sum(nearest) / len(starts)
