"""Amplitudes: curves from 0 to 1, ramps that never overshoot, turn back or fail to arrive."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astrarium.esper.alpha import CURVES, curve_value, retarget, settled, step
from astrarium.esper.contracts.errors import MutationError
from astrarium.esper.contracts.heads import AlphaCurve
from astrarium.esper.contracts.seeds import AlphaMode, AlphaState, RampCurve

shares = st.floats(0.0, 1.0)
steepnesses = st.floats(0.0, 30.0)
curves = st.sampled_from(RampCurve)


@given(curves, steepnesses, shares, shares)
def test_curves_lead_from_0_to_1_without_falling(
    curve: RampCurve, steepness: float, one: float, two: float
) -> None:
    assert curve_value(curve, steepness, 0.0) == 0.0
    assert curve_value(curve, steepness, 1.0) == 1.0
    low, high = sorted((one, two))
    assert curve_value(curve, steepness, low) <= curve_value(curve, steepness, high) + 1e-12


@given(curves, steepnesses, shares)
def test_curves_are_the_same_from_both_ends(
    curve: RampCurve, steepness: float, share: float
) -> None:
    there = curve_value(curve, steepness, share)
    assert math.isclose(there, 1.0 - curve_value(curve, steepness, 1.0 - share), abs_tol=1e-9)


def test_the_named_curves_are_the_published_ones() -> None:
    quarter = {name: curve_value(*CURVES[name], 0.25) for name in AlphaCurve}
    assert quarter[AlphaCurve.LINEAR] == 0.25
    assert math.isclose(quarter[AlphaCurve.COSINE], 0.5 * (1 - math.cos(math.pi / 4)))
    for name, k in (
        (AlphaCurve.SIGMOID_GENTLE, 6),
        (AlphaCurve.SIGMOID, 12),
        (AlphaCurve.SIGMOID_SHARP, 24),
    ):
        values = [1 / (1 + math.exp(-x)) for x in (-k / 4, -k / 2, k / 2)]
        assert math.isclose(quarter[name], (values[0] - values[1]) / (values[2] - values[1]))


@given(shares, shares, st.integers(0, 12), curves, steepnesses)
def test_a_ramp_arrives_in_time_and_never_turns_back(
    begin: float, target: float, epochs: int, curve: RampCurve, steepness: float
) -> None:
    state = retarget(settled(AlphaState(), begin), target, epochs, curve, steepness)
    low, high = min(begin, target), max(begin, target)
    taken = 0
    while state.mode is not AlphaMode.HOLD:
        assert state.steps_left == state.steps_total - taken
        after = step(state)
        assert low <= after.alpha <= high
        rising = state.mode is AlphaMode.UP
        assert after.alpha >= state.alpha if rising else after.alpha <= state.alpha
        state, taken = after, taken + 1
        assert taken <= epochs
    assert state.alpha == state.target == target
    assert taken == (0 if begin == target else epochs)
    assert step(state) == state
    assert state.steps_left == 0


def test_an_amplitude_on_its_way_cannot_be_sent_elsewhere() -> None:
    state = retarget(AlphaState(), 1.0, 5, RampCurve.LINEAR)
    with pytest.raises(MutationError, match="on its way UP to 1; it can be sent elsewhere in 5"):
        retarget(state, 0.5, 3, RampCurve.LINEAR)
    with pytest.raises(MutationError, match="must be finite"):
        retarget(AlphaState(), math.nan, 3, RampCurve.LINEAR)


@given(st.floats(-5, 5), st.floats(-5, 0.05), st.integers(-3, 3))
def test_what_lies_outside_is_brought_inside(target: float, steep: float, epochs: int) -> None:
    state = retarget(AlphaState(), target, epochs, RampCurve.SIGMOID, steep)
    assert 0.0 <= state.target <= 1.0
    assert state.steepness >= 0.1
    assert state.steps_total >= 0


def test_a_linear_ramp_takes_equal_steps() -> None:
    state = retarget(AlphaState(), 1.0, 5, RampCurve.LINEAR)
    seen: list[float] = []
    for _ in range(5):
        state = step(state)
        seen.append(round(state.alpha, 12))
    assert seen == [0.2, 0.4, 0.6, 0.8, 1.0]
