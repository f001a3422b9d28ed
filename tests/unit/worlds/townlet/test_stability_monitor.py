"""A monitor says the same however it is fed, and what a plain look at all ticks would say."""

from __future__ import annotations

import statistics
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astrarium.worlds.townlet.config.watching import Stability
from astrarium.worlds.townlet.stability import (
    Citizen,
    Happening,
    Moment,
    Monitor,
    OrderError,
    Pay,
    Reading,
    Rules,
    Tie,
    Totals,
    readings,
)

RULES = Rules(
    ticks_per_day=7,
    thresholds=Stability.model_validate(
        {
            "lateness_threshold": 1,
            "starvation": {"duration_ticks": 3, "window_ticks": 5},
            "reward_variance": {"samples_min": 4, "window_ticks": 6, "variance_max": 0.1},
            "option_thrash": {"samples_min": 3, "window_ticks": 4},
            "affordance_fail_threshold": 1,
        }
    ),
    exit_queue_limit=1,
    absent_shifts_max=2,
)
NAMES = ("alice", "bob", "carol")
KINDS = (
    *("job_late", "shift_absent", "employment_helped_when_late", "affordance_fail"),
    *("queue_conflict", "chat_failure", "perturbation_started", "rent_paid"),
)


def share(dice: Random) -> float:
    return dice.randint(0, 20) / 20


def citizen(dice: Random, name: str) -> Citizen:
    ties = [
        Tie(dice.choice(NAMES), share(dice), 0.0, share(dice)) for _ in range(dice.randint(0, 2))
    ]
    return Citizen(
        name,
        hunger=dice.choice([0.0, 0.05, 0.06, 0.5]),
        energy=share(dice),
        job=dice.choice([None, "clerk"]),
        attendance=share(dice),
        absences=dice.randint(0, 2),
        exit_pending=dice.random() < 0.5,
        ties=tuple(ties),
    )


def town_of(seed: int, ticks: int) -> list[Moment]:
    """Some ticks of anything. Drawn from a seed: field by field it would take minutes."""
    dice, found, totals = Random(seed), list[Moment](), Totals()
    for tick in range(ticks):
        new = dice.randint(0, 6)
        totals = Totals(
            decisions=totals.decisions + new,
            switches=totals.switches + dice.randint(0, new),
            ghost_steps=totals.ghost_steps + dice.randint(0, 6),
            rotations=totals.rotations + dice.randint(0, 6),
            forced_reuses=totals.forced_reuses + dice.randint(0, 1),
        )
        found.append(
            Moment(
                tick,
                tuple(citizen(dice, name) for name in NAMES if dice.random() < 0.8),
                tuple(
                    Happening(dice.choice(KINDS), *dice.sample(NAMES, 2), share(dice))
                    for _ in range(dice.randint(0, 6))
                ),
                tuple(
                    Pay(seat, dice.uniform(-1, 1), dice.random() < 0.3)
                    for seat in range(dice.randint(0, 3))
                ),
                totals,
                persons=3 + tick,
            )
        )
    return found


def towns() -> st.SearchStrategy[list[Moment]]:
    return st.builds(town_of, st.integers(0, 2**32), st.integers(1, 90))


def told(moments: list[Moment]) -> list[Reading]:
    return list(readings(moments, RULES))


@settings(deadline=None, max_examples=40)
@given(town=towns(), cut=st.integers(0, 90))
def test_a_monitor_that_was_kept_says_what_one_that_never_stopped_says(
    town: list[Moment], cut: int
) -> None:
    whole = Monitor(RULES)
    expected = [(whole.observe(moment), whole.kpis(moment)) for moment in town]
    first = Monitor(RULES)
    found = [(first.observe(moment), first.kpis(moment)) for moment in town[:cut]]
    second = Monitor(RULES)
    second.restore(first.snapshot())
    assert second.snapshot() == first.snapshot()
    found += [(second.observe(moment), second.kpis(moment)) for moment in town[cut:]]
    assert found == expected
    assert second.snapshot() == whole.snapshot() or cut >= len(town)


@settings(deadline=None, max_examples=40)
@given(town=towns())
def test_the_same_ticks_give_the_same_alerts(town: list[Moment]) -> None:
    assert told(town) == told(town)


@settings(deadline=None, max_examples=40)
@given(town=towns())
def test_an_alert_is_raised_when_it_begins_to_fire_and_not_again(town: list[Moment]) -> None:
    before: tuple[str, ...] = ()
    for reading in told(town):
        raised = [one.alert for one in reading.raised]
        assert raised == [alert for alert in reading.firing if alert not in before]
        assert all(one.tick == reading.tick for one in reading.raised)
        before = reading.firing


@settings(deadline=None, max_examples=40)
@given(town=towns(), skipped=st.integers(-30, 30))
def test_only_the_next_tick_is_taken(town: list[Moment], skipped: int) -> None:
    monitor = Monitor(RULES)
    for moment in town:
        monitor.observe(moment)
    kept = monitor.snapshot()
    follower = Moment(town[-1].tick + skipped)
    if skipped == 1:
        monitor.observe(follower)
        return
    with pytest.raises(OrderError, match=f"does not follow on tick {town[-1].tick}"):
        monitor.observe(follower)
    assert monitor.snapshot() == kept


def last(town: list[Moment], at: int, width: int) -> list[Moment]:
    """The last `width` ticks as of `at`, by counting."""
    return town[max(0, at - width + 1) : at + 1]


@settings(deadline=None, max_examples=40)
@given(town=towns())
def test_windows_are_exactly_the_last_ticks(town: list[Moment]) -> None:
    """Beside sums over plain slices of the whole stream."""
    limits = RULES.thresholds
    starved = incidents(town)
    for at, reading in enumerate(told(town)):
        value = {level.alert: level.value for level in reading.levels}
        rewards = [
            round(pay.reward * 1e6) / 1e6
            for moment in last(town, at, limits.reward_variance.window_ticks)
            for pay in moment.pays
        ]
        variance = statistics.pvariance(rewards) if rewards else 0.0
        assert value["reward_variance_spike"] == pytest.approx(variance, abs=1e-9)
        width = limits.option_thrash.window_ticks
        before = town[at - width].totals if at >= width else Totals()
        decisions = town[at].totals.decisions - before.decisions
        switches = town[at].totals.switches - before.switches
        assert value["option_thrash_detected"] == switches / max(decisions, 1)
        recent = starved[max(0, at - limits.starvation.window_ticks + 1) : at + 1]
        assert value["starvation_spike"] == sum(recent)


def incidents(town: list[Moment]) -> list[int]:
    """In each tick, those who have now been hungry for exactly as long as it takes."""
    limits = RULES.thresholds.starvation
    found = []
    for at in range(len(town)):
        count = 0
        for name in NAMES:
            run = 0
            while run <= at and any(
                one.id == name and one.hunger <= limits.hunger_max
                for one in town[at - run].citizens
            ):
                run += 1
            count += run == limits.duration_ticks
        found.append(count)
    return found
