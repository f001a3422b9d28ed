"""Every alert on a stream that must raise it, and on one just below that must not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from astrarium.worlds.townlet.config.watching import Stability
from astrarium.worlds.townlet.stability import (
    Citizen,
    Happening,
    Moment,
    Pay,
    Rules,
    Tie,
    Totals,
    readings,
)

RULES = Rules(ticks_per_day=100)
"""Shorter days; windows in ticks are as they are."""
FRIENDS = (Tie("zoe", trust=0.5),)


def raised(moments: Iterable[Moment], rules: Rules = RULES) -> list[tuple[str, int]]:
    return [(one.alert, one.tick) for read in readings(moments, rules) for one in read.raised]


def told(kind: str, *agents: str) -> tuple[Happening, ...]:
    return tuple(Happening(kind, agent) for agent in agents)


def names(count: int) -> list[str]:
    return [f"citizen_{number}" for number in range(count)]


def people(count: int, **about) -> tuple[Citizen, ...]:
    return tuple(Citizen(name, **about) for name in names(count))


def days(counts: Iterable[int]) -> list[Moment]:
    """So many agents late on each day, one a tick."""
    found: list[Moment] = []
    for day, count in enumerate(counts):
        for tick in range(RULES.ticks_per_day):
            late = told("job_late", f"citizen_{tick}") if tick < count else ()
            found.append(Moment(day * RULES.ticks_per_day + tick, happenings=late))
    return found


def hungry(ticks: int, hunger: float = 0.05, *, fed: int | None = None) -> list[Moment]:
    return [
        Moment(tick, (Citizen("alice", hunger=1.0 if tick == fed else hunger),))
        for tick in range(ticks)
    ]


def paid(rewards: Iterable[float]) -> list[Moment]:
    return [Moment(tick, pays=(Pay(0, reward),)) for tick, reward in enumerate(rewards)]


def chosen(decisions: int, switches: int) -> list[Moment]:
    return [Moment(0, totals=Totals(decisions=decisions, switches=switches))]


def failures(count: int) -> list[Moment]:
    return [Moment(0, happenings=told("affordance_fail", *names(count)))]


def quarrels(count: int, rivalry: float) -> list[Moment]:
    rivals = tuple(Citizen(name, ties=(Tie("zoe", rivalry=rivalry),)) for name in names(count))
    told = tuple(Happening("queue_conflict", "zoe", name) for name in names(count))
    return [Moment(0, (*rivals, Citizen("zoe")), told)]


def queued(count: int) -> list[Moment]:
    return [Moment(0, people(count, exit_pending=True))]


def targeted(*agents: str) -> list[Moment]:
    """One event a tick, in a town of eight."""
    return [
        Moment(tick, people(8), told("perturbation_started", agent))
        for tick, agent in enumerate(agents)
    ]


def lives(before: float, after: float, count: int = 50) -> list[Moment]:
    return [
        Moment(tick, pays=(Pay(3, reward, ended=True),))
        for tick, reward in enumerate([before] * 50 + [after] * count)
    ]


CASES: list[tuple[str, list[Moment], list[Moment]]] = [
    ("lateness_spike", days([4]), days([3])),
    ("starvation_spike", hungry(30), hungry(29)),
    ("starvation_spike", hungry(30), hungry(30, 0.050001)),
    ("starvation_spike", hungry(59), hungry(59, fed=29)),
    ("reward_variance_spike", paid([0.501, -0.501] * 10), paid([0.5, -0.5] * 10)),
    ("reward_variance_spike", paid([0.9, -0.9] * 10), paid([0.9, -0.9] * 9 + [0.9])),
    ("option_thrash_detected", chosen(12, 4), chosen(12, 3)),
    ("option_thrash_detected", chosen(10, 10), chosen(9, 9)),
    ("affordance_failures_exceeded", failures(6), failures(5)),
    (
        "embedding_reuse_warning",
        [Moment(0, persons=19, totals=Totals(forced_reuses=1))],
        [Moment(0, persons=20, totals=Totals(forced_reuses=1))],
    ),
    (
        "queue_fairness_pressure",
        [Moment(0, totals=Totals(ghost_steps=5))],
        [Moment(0, totals=Totals(ghost_steps=4, rotations=4))],
    ),
    (
        "queue_fairness_pressure",
        [Moment(0, totals=Totals(rotations=2)), Moment(1, totals=Totals(rotations=7))],
        [Moment(0, totals=Totals(rotations=2)), Moment(1, totals=Totals(rotations=6))],
    ),
    ("rivalry_spike", quarrels(5, 0.7), quarrels(4, 0.7)),
    ("rivalry_spike", quarrels(5, 0.7), quarrels(5, 0.699)),
    ("employment_exit_queue_overflow", queued(9), queued(8)),
    ("employment_exit_queue_backlog", queued(1), queued(0)),
    ("absence_cluster", [Moment(0, people(3, absences=2))], [Moment(0, people(3, absences=1))]),
    (
        "perturbation_unfair",
        targeted(*["citizen_0"] * 4),
        targeted(*["citizen_0"] * 4, *["citizen_1", "citizen_2", "citizen_3", "citizen_4"] * 4),
    ),
    ("perturbation_unfair", targeted(*["citizen_0"] * 3), targeted(*["citizen_0"] * 2)),
    (
        "kpi_red",
        [Moment(999, people(3, lateness=6, ties=FRIENDS))],
        [Moment(999, people(3, lateness=5, ties=FRIENDS))],
    ),
    ("return_regression", lives(10.0, 6.9), lives(10.0, 7.0)),
    ("return_regression", lives(-10.0, -13.1), lives(-10.0, -13.0)),
    ("return_regression", lives(10.0, 1.0), lives(10.0, 1.0, count=49)),
]


@pytest.mark.parametrize(("alert", "over", "under"), CASES)
def test_each_alert_has_its_edge(alert: str, over: list[Moment], under: list[Moment]) -> None:
    assert [name for name, _ in raised(over)].count(alert) == 1
    # Fair targets come one by one, so the first of them is alone for a while.
    last = list(readings(under, RULES))[-1]
    assert alert not in last.firing


def test_every_alert_is_tested() -> None:
    (first,) = readings([Moment(0)], RULES)
    assert {level.alert for level in first.levels} == {alert for alert, _, _ in CASES}
    assert first.firing == ()


@pytest.mark.parametrize(
    ("change", "moments"),
    [
        ({"lateness_threshold": -1}, days([50])),
        ({"starvation": {"incidents_max": -1}}, hungry(40)),
        ({"reward_variance": {"variance_max": -1.0}}, paid([9.0, -9.0] * 20)),
        ({"option_thrash": {"rate_max": -1.0}}, chosen(100, 100)),
        ({"affordance_fail_threshold": -1}, failures(50)),
    ],
)
def test_a_negative_limit_switches_an_alert_off(change: dict, moments: list[Moment]) -> None:
    assert raised(moments) != []
    assert raised(moments, replace(RULES, thresholds=Stability.model_validate(change))) == []


def test_lateness_is_compared_with_the_days_before() -> None:
    roomy = replace(RULES, thresholds=Stability(lateness_threshold=20))
    assert raised(days([4, 4, 4, 9]), roomy) == [("lateness_spike", 308)]
    assert raised(days([4, 4, 4, 8]), roomy) == []
    assert raised(days([4, 4, 9]), roomy) == [], "two days are no baseline yet"
    assert raised(days([0, 0, 0, 2]), roomy) == [], "two latecomers are no spike"
    assert raised(days([0, 0, 0, 3]), roomy) == [("lateness_spike", 302)]
    assert raised(days([9, 0, 0, 0, 0, 0, 0, 0, 3]), roomy)[-1] == ("lateness_spike", 802)


def test_one_agent_is_late_once_a_day_however_often_it_is_told() -> None:
    often = told("job_late", "alice") + told("shift_absent", "alice")
    assert raised([Moment(tick, happenings=often) for tick in range(20)]) == []


def test_an_incident_leaves_with_its_window() -> None:
    rules = replace(
        RULES, thresholds=Stability.model_validate({"starvation": {"window_ticks": 50}})
    )
    fed = [Moment(tick, (Citizen("alice"),)) for tick in range(30, 100)]
    firing = [
        read.tick
        for read in readings([*hungry(30), *fed], rules)
        if "starvation_spike" in read.firing
    ]
    assert firing == list(range(29, 79))


def test_who_leaves_town_starves_no_longer() -> None:
    gone = [*hungry(29), Moment(29), *(replace(one, tick=one.tick + 30) for one in hungry(29))]
    assert raised(gone) == []


def test_an_absence_is_near_the_limit_whatever_the_limit_is() -> None:
    def near(most: int, absences: int) -> bool:
        moment = Moment(0, people(1, absences=absences))
        return raised([moment], replace(RULES, absent_shifts_max=most)) != []

    assert [near(1, 0), near(1, 1), near(2, 1), near(3, 1), near(3, 2)] == [
        False,
        True,
        True,
        False,
        True,
    ]
    assert not near(0, 5), "no limit"


def test_targets_are_forgotten_after_ten_days() -> None:
    rules = replace(RULES, ticks_per_day=1)
    quiet = [Moment(tick, people(8)) for tick in range(4, 20)]
    firing = [
        read.tick
        for read in readings([*targeted(*["citizen_0"] * 4), *quiet], rules)
        if "perturbation_unfair" in read.firing
    ]
    assert firing == list(range(2, 11))


def test_a_town_already_old_is_not_blamed_for_what_was_before() -> None:
    totals = Totals(decisions=100, switches=90, ghost_steps=50, rotations=50)
    assert raised([Moment(700, totals=totals), Moment(701, totals=totals)]) == []
