"""The AFI of a citizen: how well the last day went, in one figure.

0.4 of the return, 0 being what the worst day brings and 1 what the best does; 0.3 of how far the
needs were met; 0.2 of the attendance; less a tenth for every duty that was broken. 0.9 is the best
there is.
"""

from __future__ import annotations

from typing import Final

from astrarium.worlds.townlet.stability.alerts import LATE
from astrarium.worlds.townlet.stability.memory import MICRO, FigureMemory, Stretch, micro
from astrarium.worlds.townlet.stability.moments import Citizen, Moment
from astrarium.worlds.townlet.stability.rules import Rules

VIOLATIONS: Final = LATE | {"rent_missed"}
"""Duties broken: of work and of rent."""
RETURN_WEIGHT: Final = 0.4
NEEDS_WEIGHT: Final = 0.3
ATTENDANCE_WEIGHT: Final = 0.2
VIOLATION_COST: Final = 0.1
PARTS: Final = 20
"""The day rolls on in so many parts: every tick of everyone would be much to keep."""


def take(memory: FigureMemory, moment: Moment, rules: Rules) -> None:
    """Remember a tick of everybody in town; those who have left are forgotten."""
    number = moment.tick // max(rules.ticks_per_day // PARTS, 1)
    rewards = {one.seat: one.reward for one in moment.pays if not one.ended}
    broken = [one.agent for one in moment.happenings if one.kind in VIOLATIONS]
    before, memory.stretches = memory.stretches, {}
    memory.attendances = {one.id: one.attendance for one in moment.citizens}
    for one in moment.citizens:
        parts = [part for part in before.get(one.id, []) if part.number > number - PARTS]
        memory.stretches[one.id] = parts
        if one.seat not in rewards:
            continue  # somebody who has only just arrived
        if not parts or parts[-1].number != number:
            parts.append(Stretch(number))
        now = parts[-1]
        now.ticks += 1
        now.reward += micro(rewards[one.seat])
        now.deficit += micro(_deficit(one))
        now.violations += broken.count(one.id)


def _deficit(one: Citizen) -> float:
    return 1 - (one.hunger + one.hygiene + one.energy) / 3


def told(memory: FigureMemory, rules: Rules) -> dict[str, float]:
    """The AFI of everybody seen for a tick or more, over the last day or since arrival."""
    return {
        name: _afi(parts, memory.attendances[name], rules)
        for name, parts in memory.stretches.items()
        if parts
    }


def _afi(parts: list[Stretch], attendance: float, rules: Rules) -> float:
    ticks = sum(part.ticks for part in parts)
    earned = sum(part.reward for part in parts) / MICRO / ticks
    deficit = sum(part.deficit for part in parts) / MICRO / ticks
    worst, best = rules.bad_day / rules.ticks_per_day, rules.good_day / rules.ticks_per_day
    # Where nothing pays or costs, all days are alike.
    share = min(max((earned - worst) / (best - worst), 0.0), 1.0) if best > worst else 0.0
    return (
        RETURN_WEIGHT * share
        + NEEDS_WEIGHT * (1 - deficit)
        + ATTENDANCE_WEIGHT * attendance
        - VIOLATION_COST * sum(part.violations for part in parts)
    )
