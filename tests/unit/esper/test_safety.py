"""Breakers, emergencies, conservative mode and deadlines."""

from __future__ import annotations

from itertools import groupby

import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st

from astrarium.esper import breaker, conservative, emergency
from astrarium.esper.breaker import GRAFTING_LIMITS, Breaker, BreakerLimits
from astrarium.esper.conservative import Conservative, ConservativeLimits
from astrarium.esper.deadlines import Deadlines
from astrarium.esper.emergency import Emergency, FlagError, Level

LIMITS = BreakerLimits()


def test_a_breaker_opens_after_three_failures_in_a_row() -> None:
    state = Breaker()
    for time_s in (0.0, 1.0):
        state = breaker.failed(state, time_s, LIMITS)
    assert breaker.allows(state)
    assert breaker.succeeded(state, 2.0, LIMITS) == Breaker()
    state = breaker.failed(state, 2.0, LIMITS)
    assert state.phase == "open"
    assert not breaker.allows(breaker.at(state, 31.9, LIMITS))
    assert breaker.allows(breaker.at(state, 32.0, LIMITS))


def test_a_half_open_breaker_closes_or_opens_anew() -> None:
    state = Breaker("open", 3, 0, 0.0)
    assert breaker.succeeded(state, 40.0, LIMITS) == Breaker()
    again = breaker.failed(state, 40.0, LIMITS)
    assert (again.phase, again.opened_s) == ("open", 40.0)
    assert breaker.succeeded(state, 10.0, LIMITS) == state


def test_grafting_needs_a_minute_and_two_successes() -> None:
    state = Breaker("open", 3, 0, 0.0)
    assert breaker.at(state, 59.0, GRAFTING_LIMITS).phase == "open"
    once = breaker.succeeded(state, 60.0, GRAFTING_LIMITS)
    assert once.phase == "half_open"
    assert breaker.succeeded(once, 61.0, GRAFTING_LIMITS).phase == "closed"
    assert breaker.failed(once, 61.0, GRAFTING_LIMITS).phase == "open"


@given(st.lists(st.booleans(), max_size=30))
def test_a_breaker_is_open_exactly_where_three_failures_came_together(outcomes: list[bool]) -> None:
    state = Breaker()
    for time_s, fine in enumerate(outcomes):
        step = breaker.succeeded if fine else breaker.failed
        state = step(state, float(time_s), LIMITS)
    # The clock moves a second a step, so what opened within these steps is open still.
    longest = max((len(list(run)) for fine, run in groupby(outcomes) if not fine), default=0)
    assert (state.phase == "open") == (longest >= 3)


RISES = st.sampled_from(Level).map(lambda level: ("raise", level))
EPOCHS = st.booleans().map(lambda failed: ("epoch", failed))
OPENED = st.booleans().map(lambda opened: ("breaker", opened))
LATE = st.tuples(st.booleans(), st.booleans()).map(lambda both: ("rollback", both))


@given(st.lists(RISES | EPOCHS | OPENED | LATE, max_size=30))
def test_a_level_never_falls_by_itself(steps: list[tuple[str, object]]) -> None:
    state = Emergency()
    for kind, value in steps:
        before = state.level
        if kind == "raise":
            assert isinstance(value, Level)
            state = emergency.raised(state, value, "asked for")
        elif kind == "epoch":
            state = emergency.after_epoch(state, bool(value))
        elif kind == "breaker":
            state = emergency.after_breaker(state, bool(value))
        else:
            assert isinstance(value, tuple)
            state = emergency.after_rollback(state, bool(value[0]), bool(value[1]))
        assert state.level >= before
    assert emergency.reset() == Emergency()


def test_what_raises_the_level() -> None:
    calm = Emergency()
    assert emergency.after_breaker(calm, True).level is Level.CONSERVATIVE
    assert emergency.after_rollback(calm, True, halts=True).level is Level.HALT
    assert emergency.after_rollback(calm, True, halts=False).level is Level.ELEVATED
    assert emergency.after_rollback(calm, False, halts=True).level is Level.NONE
    state = calm
    for failed in (True, True, False, True, True):
        state = emergency.after_epoch(state, failed)
        assert state.level is Level.NONE
    assert emergency.after_epoch(state, True).level is Level.HALT


def test_a_lower_level_does_not_change_the_reason() -> None:
    high = emergency.raised(Emergency(), Level.HALT, "fire")
    assert emergency.raised(high, Level.NOTICE, "smoke").reason == "fire"


def test_the_flag_survives_the_way_to_another_process() -> None:
    state = emergency.raised(Emergency(), Level.CONSERVATIVE, "breaker open")
    data = emergency.flag_bytes(state, 12.5)
    assert len(data) == 64
    assert emergency.read_flag(data) == (state, 12.5)
    long = emergency.raised(Emergency(), Level.HALT, "ö" * 60)
    assert emergency.read_flag(emergency.flag_bytes(long, 0.0))[0].reason == "ö" * 24
    assert emergency.read_flag(emergency.flag_bytes(Emergency(), 1.0))[0] == Emergency()


@pytest.mark.parametrize("data", [b"", bytes(63), b"\x01" + bytes(63), b"\x01\x09" + bytes(62)])
def test_bytes_that_are_no_flag_are_refused(data: bytes) -> None:
    with pytest.raises(FlagError, match="emergency flag"):
        emergency.read_flag(data)


def test_broadcasts_are_limited_by_the_minute() -> None:
    sent: tuple[float, ...] = ()
    for _ in range(60):
        sent, allowed = emergency.may_broadcast(sent, 0.0)
        assert allowed
    assert emergency.may_broadcast(sent, 59.9) == (sent, False)
    assert emergency.may_broadcast(sent, 60.0) == ((60.0,), True)


def test_conservative_mode_ends_after_cooldown_and_successes() -> None:
    limits = ConservativeLimits(cooldown_s=10.0, successes=2)
    state = conservative.troubled(Conservative(), "timeout", 0.0)
    state = conservative.went_well(state, 9.0, limits)
    assert state.cause == "timeout"
    early = conservative.went_well(state, 9.5, limits)
    assert early.cause == "timeout"
    assert conservative.went_well(early, 10.0, limits) == Conservative()
    again = conservative.troubled(early, "risk", 9.9)
    assert (again.cause, again.successes, again.entered_s) == ("timeout", 0, 9.9)
    assert conservative.went_well(Conservative(), 0.0, limits) == Conservative()


def test_deadlines() -> None:
    limits = Deadlines(scale=4.0)
    assert not limits.missed("epoch", 1000.0)
    assert limits.missed("epoch", 1000.1)
    assert limits.missed("hook", 200.1)
    assert limits.missed("controller", 2000.1)
    assert limits.missed("rollback", 250.1)
    with pytest.raises(pydantic.ValidationError, match="scale"):
        Deadlines(scale=0.0)
