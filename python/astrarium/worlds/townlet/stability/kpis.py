"""Figures by which a town is compared with what it should be, with a colour where one is due."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from astrarium.worlds.townlet.stability.alerts import Level
from astrarium.worlds.townlet.stability.memory import MICRO, FigureMemory, micro
from astrarium.worlds.townlet.stability.moments import Citizen, Moment
from astrarium.worlds.townlet.stability.rules import Rules

Colour = Literal["green", "amber", "red"]

WELL: Final = 0.3
"""Needs above this make a citizen self-sufficient, ties above it make a friend."""
SETTLED_DAYS: Final = 2
"""Before so many days are over, few people can know each other."""
LASTING_DAYS: Final = 2
"""Two who avoid each other for so long will go on."""
QUARREL_DAYS: Final = 7
"""Quarrels that are older are over."""
HELP_DAYS: Final = 7
CONFLICT_OFF: Final = (0.15, 0.30)
"""Relative distances from the intensity of the scenario that are amber and red."""


class Kpi(NamedTuple):
    """A figure; None where there is nothing to judge yet, and no colour where none is due."""

    name: str
    value: float | None
    target: str
    colour: Colour | None = None


def take(memory: FigureMemory, moment: Moment, rules: Rules) -> None:
    """Remember a tick."""
    _note_help(memory, moment, rules)
    _note_people(memory, moment)
    _note_quarrels(memory, moment, rules)
    memory.tick = moment.tick


def note_red(memory: FigureMemory, moment: Moment, rules: Rules) -> Level:
    """Judge the figures at the end of every day, and return the alert for those that are red."""
    if (moment.tick + 1) % rules.conflict_ticks == 0:
        memory.red = [kpi.name for kpi in figures(memory, moment, rules) if kpi.colour == "red"]
    return Level("kpi_red", len(memory.red), 0, bool(memory.red))


def _note_help(memory: FigureMemory, moment: Moment, rules: Rules) -> None:
    day = moment.tick // rules.ticks_per_day
    if memory.tick >= 0 and day != memory.tick // rules.ticks_per_day:
        late, helps = memory.late_today
        if late:
            memory.helps = [*memory.helps, helps][-HELP_DAYS:]
        memory.late_today = (0, 0)
    kinds = [one.kind for one in moment.happenings]
    late, helps = memory.late_today
    helped = kinds.count("employment_helped_when_late")
    memory.late_today = (late + kinds.count("job_late"), helps + helped)


def _note_people(memory: FigureMemory, moment: Moment) -> None:
    tick, here = moment.tick, moment.citizens
    memory.arrived = {one.id: memory.arrived.get(one.id, tick) for one in here}
    memory.unwell = {
        one.id: tick if _unwell(one) else memory.unwell.get(one.id, tick - 1) for one in here
    }
    before = memory.hired
    memory.hired = {}
    for one in here:
        if one.job is not None:
            job, since = before.get(one.id, (one.job, tick))
            memory.hired[one.id] = (one.job, since if job == one.job else tick)


def _unwell(one: Citizen) -> bool:
    return min(one.hunger, one.hygiene, one.energy) <= WELL


def _note_quarrels(memory: FigureMemory, moment: Moment, rules: Rules) -> None:
    conflicts = [one for one in moment.happenings if one.kind == "queue_conflict"]
    row = [len(conflicts), sum(micro(one.intensity) for one in conflicts)]
    memory.conflicts.add(moment.tick, rules.ticks_per_day, row)
    for one in conflicts:
        memory.quarrels[_pair(one.agent, one.other)] = moment.tick
    avoiding = {
        _pair(one.id, tie.other)
        for one in moment.citizens
        for tie in one.ties
        if tie.rivalry >= rules.rivalry_avoided
    }
    memory.shunned = {pair: memory.shunned.get(pair, moment.tick) for pair in sorted(avoiding)}
    for pair, since in memory.shunned.items():
        if moment.tick - since + 1 >= LASTING_DAYS * rules.ticks_per_day:
            memory.estranged[pair] = moment.tick
    oldest = moment.tick - QUARREL_DAYS * rules.ticks_per_day
    for times in (memory.quarrels, memory.estranged):
        for pair in [key for key, at in times.items() if at <= oldest]:
            del times[pair]


def _pair(one: str, other: str) -> str:
    return " ".join(sorted((one, other)))


def figures(memory: FigureMemory, moment: Moment, rules: Rules) -> tuple[Kpi, ...]:
    """Every figure, as of the last tick taken."""
    here = moment.citizens
    working = [one for one in here if one.job is not None]
    attendance = _mean([one.attendance for one in working])
    tenure = _mean([_days(memory, memory.hired[one.id][1], rules) for one in working])
    tied = _mean([float(any(max(t.trust, t.familiarity) > WELL for t in one.ties)) for one in here])
    lateness = _mean([float(one.lateness) for one in here])
    settled = memory.tick + 1 >= SETTLED_DAYS * rules.ticks_per_day
    lasting = _lasting(memory)
    well = _self_sufficient(memory, moment, rules)
    return (
        _conflict_intensity(memory, rules),
        Kpi("lateness_mean", lateness, "≤ 2", _rising(lateness, 3.0, 5.0)),
        _late_help(memory),
        Kpi("self_sufficient", well, "≥ 70 %", _falling(well, 0.70, 0.50)),
        Kpi("job_tenure_days", tenure, "≥ 3"),
        Kpi("attendance", attendance, "≥ 85 %", _falling(attendance, 0.85, 0.70)),
        Kpi("tied", tied, "≥ 60 %", _falling(tied, 0.60, 0.40) if settled else None),
        Kpi("lasting_avoidance", lasting, "< 20 %", _reaching(lasting, 0.20, 0.35)),
    )


def throughput(rates: Mapping[str, float], asked: float) -> tuple[Kpi, ...]:
    """Agent-steps a second by observation variant, as measured by somebody who has a clock.

    No moment of a town tells how fast it was, so these are none of the `figures`.
    """
    return tuple(
        Kpi(f"throughput_{variant}", rate, f"≥ {asked:g}", _falling(rate / asked, 0.90, 0.75))
        for variant, rate in rates.items()
    )


def _conflict_intensity(memory: FigureMemory, rules: Rules) -> Kpi:
    """Which intensity is right depends on the scenario; one that does not say is not judged."""
    value, mean = memory.conflicts.sums[1] / MICRO, rules.thresholds.conflict_intensity_mean
    if mean is None:
        return Kpi("conflict_intensity", value, "-")
    # Before a day is over, or an episode that ends sooner, the sum is still growing.
    complete = memory.tick + 1 >= rules.conflict_ticks
    off = abs(value - mean) / mean if complete else None
    return Kpi("conflict_intensity", value, f"{mean:g}", _rising(off, *CONFLICT_OFF))


def _days(memory: FigureMemory, since: int, rules: Rules) -> float:
    return (memory.tick - since + 1) / rules.ticks_per_day


def _late_help(memory: FigureMemory) -> Kpi:
    """Helps per day on which somebody was late; a town where nobody is has no need of any."""
    late, helps = memory.late_today
    days = [*memory.helps, helps] if late else memory.helps
    mean = _mean([float(one) for one in days])
    none_twice = len(days) >= 2 and not any(days[-2:])
    colour = "red" if none_twice else _falling(mean, 0.5, -math.inf)
    return Kpi("late_help", mean, "≥ 1", colour)


def _self_sufficient(memory: FigureMemory, moment: Moment, rules: Rules) -> float | None:
    """Of those who have been here for a day, how many had no low need in it."""
    start = moment.tick - rules.ticks_per_day
    settled = [name for name, since in memory.arrived.items() if since <= start + 1]
    return _mean([float(memory.unwell[name] <= start) for name in settled])


def _lasting(memory: FigureMemory) -> float | None:
    """Return the share of the pairs that quarrelled lately who avoided each other for long."""
    return _mean([float(pair in memory.estranged) for pair in memory.quarrels])


def _mean(values: list[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None


def _falling(value: float | None, amber: float, red: float) -> Colour | None:
    if value is None:
        return None
    return "red" if value < red else "amber" if value < amber else "green"


def _rising(value: float | None, amber: float, red: float) -> Colour | None:
    if value is None:
        return None
    return "red" if value > red else "amber" if value > amber else "green"


def _reaching(value: float | None, amber: float, red: float) -> Colour | None:
    if value is None:
        return None
    return "red" if value >= red else "amber" if value >= amber else "green"
