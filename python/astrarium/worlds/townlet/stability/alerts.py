"""Every alert: a figure of the town against its limit, worked out tick by tick."""

from __future__ import annotations

from collections import Counter
from typing import Final, NamedTuple

from astrarium.worlds.townlet.stability.memory import MICRO, AlertMemory, micro
from astrarium.worlds.townlet.stability.moments import Moment, Totals
from astrarium.worlds.townlet.stability.rules import Rules

PRESSURE_MIN: Final = 5
"""Ghost steps or rotations in one tick that are too many."""
RIVALRIES_MIN: Final = 5
"""Quarrels of sworn rivals in one tick that are too many."""
LATE: Final = frozenset({"job_late", "shift_absent", "shift_departed_early"})
QUARREL: Final = frozenset({"queue_conflict", "chat_failure", "employment_took_my_shift"})
"""Happenings that make rivals."""
BASELINE_DAYS: Final = range(3, 8)
"""Whole days that lateness is compared with: at least the first, fewer than the last."""
TARGETED_DAYS: Final = 10
TARGETED_MIN: Final = 3
"""Below this, twice the mean is only how whole numbers fall."""
LIVES: Final = 50


class Level(NamedTuple):
    """One alert in one tick: its figure, the limit in force, and whether it fires."""

    alert: str
    value: float
    limit: float
    firing: bool


def levels(memory: AlertMemory, moment: Moment, rules: Rules) -> tuple[Level, ...]:
    """Take a tick into the memory, and say how every alert stands after it."""
    since = _since_last(memory, moment)
    memory.persons = max(memory.persons, moment.persons)
    read = (
        _lateness(memory, moment, rules),
        _starvation(memory, moment, rules),
        _reward_variance(memory, moment, rules),
        _option_thrash(memory, moment, rules, since),
        _affordance_failures(moment, rules),
        _slot_reuse(memory, moment, rules),
        _queue_pressure(since),
        _rivalry(moment, rules),
        *_employment(moment, rules),
        _fairness(memory, moment, rules),
        _returns(memory, moment),
    )
    memory.tick = moment.tick
    return read


def _since_last(memory: AlertMemory, moment: Moment) -> Totals:
    """What was counted in this tick alone; nothing for the first seen of a town already old."""
    now = moment.totals
    before = memory.totals or (Totals() if moment.tick == 0 else now)
    memory.totals = now
    return Totals(*(new - old for new, old in zip(now, before, strict=True)))


def _over(alert: str, value: float, limit: float) -> Level:
    """Fires above its limit; a negative one switches it off."""
    return Level(alert, value, limit, 0 <= limit < value)


def _lateness(memory: AlertMemory, moment: Moment, rules: Rules) -> Level:
    """Agents late or absent today: too many, or twice as many as on the days before."""
    day = moment.tick // rules.ticks_per_day
    if memory.tick >= 0 and day != memory.tick // rules.ticks_per_day:
        memory.late_days = [*memory.late_days, len(memory.late)][1 - BASELINE_DAYS.stop :]
        memory.late = []
    seen = {one.agent for one in moment.happenings if one.kind in LATE}
    memory.late = sorted(seen.union(memory.late))
    limit: float = rules.thresholds.lateness_threshold
    days = memory.late_days
    if limit >= 0 and len(days) >= BASELINE_DAYS.start:
        # Fewer than one a day counts as one: the first latecomer of a good town is no spike.
        limit = min(limit, 2 * max(sum(days) / len(days), 1.0))
    return _over("lateness_spike", len(memory.late), limit)


def _starvation(memory: AlertMemory, moment: Moment, rules: Rules) -> Level:
    limits = rules.thresholds.starvation
    hungry = [one.id for one in moment.citizens if one.hunger <= limits.hunger_max]
    memory.starving = {name: memory.starving.get(name, 0) + 1 for name in hungry}
    long = [name for name, ticks in memory.starving.items() if ticks >= limits.duration_ticks]
    before = [name for name in memory.counted if name in memory.starving]
    incidents = [name for name in long if name not in before]
    memory.counted = before + incidents
    memory.starved.add(moment.tick, limits.window_ticks, [len(incidents)])
    return _over("starvation_spike", memory.starved.sums[0], limits.incidents_max)


def _reward_variance(memory: AlertMemory, moment: Moment, rules: Rules) -> Level:
    limits = rules.thresholds.reward_variance
    paid = [micro(one.reward) for one in moment.pays]
    row = [len(paid), sum(paid), sum(one * one for one in paid)]
    memory.rewards.add(moment.tick, limits.window_ticks, row)
    count, total, squares = memory.rewards.sums
    # Whole numbers up to the division: the small difference of two large floats would be noise.
    variance = (count * squares - total * total) / (max(count, 1) * MICRO) ** 2
    enough = count >= limits.samples_min
    level = _over("reward_variance_spike", variance, limits.variance_max)
    return level._replace(firing=level.firing and enough)


def _option_thrash(memory: AlertMemory, moment: Moment, rules: Rules, since: Totals) -> Level:
    limits = rules.thresholds.option_thrash
    memory.choices.add(moment.tick, limits.window_ticks, [since.decisions, since.switches])
    decisions, switches = memory.choices.sums
    level = _over("option_thrash_detected", switches / max(decisions, 1), limits.rate_max)
    return level._replace(firing=level.firing and decisions >= limits.samples_min)


def _affordance_failures(moment: Moment, rules: Rules) -> Level:
    failures = sum(one.kind == "affordance_fail" for one in moment.happenings)
    limit = rules.thresholds.affordance_fail_threshold
    return _over("affordance_failures_exceeded", failures, limit)


def _slot_reuse(memory: AlertMemory, moment: Moment, rules: Rules) -> Level:
    rate = moment.totals.forced_reuses / max(memory.persons, 1)
    return _over("embedding_reuse_warning", rate, rules.slot_reuse_max)


def _queue_pressure(since: Totals) -> Level:
    most = max(since.ghost_steps, since.rotations)
    return Level("queue_fairness_pressure", most, PRESSURE_MIN, most >= PRESSURE_MIN)


def _rivalry(moment: Moment, rules: Rules) -> Level:
    """Quarrels after which one of the two avoids the other."""
    sworn = {
        frozenset((one.id, tie.other))
        for one in moment.citizens
        for tie in one.ties
        if tie.rivalry >= rules.rivalry_avoided
    }
    quarrels = [one for one in moment.happenings if one.kind in QUARREL]
    count = sum(frozenset((one.agent, one.other)) in sworn for one in quarrels)
    return Level("rivalry_spike", count, RIVALRIES_MIN, count >= RIVALRIES_MIN)


def _employment(moment: Moment, rules: Rules) -> tuple[Level, Level, Level]:
    pending = sum(one.exit_pending for one in moment.citizens)
    missed = max((one.absences for one in moment.citizens), default=0)
    most = rules.absent_shifts_max
    # Where one absence is the limit, the first is both warning and end.
    near = max(most - 1, 1)
    return (
        _over("employment_exit_queue_overflow", pending, rules.exit_queue_limit),
        _over("employment_exit_queue_backlog", pending, 0),
        Level("absence_cluster", missed, near, most > 0 and missed >= near),
    )


def _fairness(memory: AlertMemory, moment: Moment, rules: Rules) -> Level:
    """Judge whether city events are about one agent rather than everyone.

    Meetings go around, so a fair town targets nobody so often while others wait for their turn.
    """
    for one in moment.happenings:
        if one.kind == "perturbation_started":
            # The first two of the targets are told as agent and other too.
            whom = dict.fromkeys((one.agent, one.other, *one.targets))
            memory.targets += [(moment.tick, who) for who in whom if who]
    first = moment.tick - TARGETED_DAYS * rules.ticks_per_day
    memory.targets = [(tick, who) for tick, who in memory.targets if tick > first]
    here = {one.id for one in moment.citizens}
    counts = Counter(who for _, who in memory.targets if who in here)
    most = max(counts.values(), default=0)
    limit = max(2 * counts.total() / max(len(here), 1), TARGETED_MIN)
    return Level("perturbation_unfair", most, limit, most >= limit)


def _returns(memory: AlertMemory, moment: Moment) -> Level:
    """Whether the last lives went worse than those before."""
    for one in moment.pays:
        seat = str(one.seat)
        memory.lives[seat] = memory.lives.get(seat, 0) + micro(one.reward)
        if one.ended:
            memory.returns.append(memory.lives.pop(seat))
    memory.returns = memory.returns[-2 * LIVES :]
    if len(memory.returns) < 2 * LIVES:
        return Level("return_regression", 0.0, 0.0, firing=False)
    before, last = sum(memory.returns[:LIVES]), sum(memory.returns[LIVES:])
    # Seven tenths of a loss would be a gain, so the fall is measured by its size.
    limit = before - 0.3 * abs(before)
    scale = LIVES * MICRO
    return Level("return_regression", last / scale, limit / scale, last < limit)
