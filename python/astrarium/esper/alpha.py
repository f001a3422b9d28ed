"""The amplitude of a seed: pure functions over `AlphaState`."""

from __future__ import annotations

import math
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from astrarium.esper.contracts.errors import MutationError
from astrarium.esper.contracts.heads import AlphaCurve
from astrarium.esper.contracts.seeds import AlphaMode, AlphaState, RampCurve

STEEPNESS_MIN: Final = 0.1
GENTLE, STANDARD, SHARP = 6.0, 12.0, 24.0

CURVES: Final = MappingProxyType(
    {
        AlphaCurve.LINEAR: (RampCurve.LINEAR, STANDARD),
        AlphaCurve.COSINE: (RampCurve.COSINE, STANDARD),
        AlphaCurve.SIGMOID_GENTLE: (RampCurve.SIGMOID, GENTLE),
        AlphaCurve.SIGMOID: (RampCurve.SIGMOID, STANDARD),
        AlphaCurve.SIGMOID_SHARP: (RampCurve.SIGMOID, SHARP),
    }
)
"""The shape and steepness each choice of a curve stands for."""


def curve_value(curve: RampCurve, steepness: float, t: float) -> float:
    """How much of the way is done after a share `t` of the time; 0 at 0, 1 at 1, never falling."""
    t = min(max(t, 0.0), 1.0)
    if curve is RampCurve.LINEAR:
        return t
    if curve is RampCurve.COSINE:
        return 0.5 * (1.0 - math.cos(math.pi * t))
    k = max(steepness, STEEPNESS_MIN)
    low, high = _sigmoid(-k / 2), _sigmoid(k / 2)
    return (_sigmoid(k * (t - 0.5)) - low) / (high - low)


def retarget(
    state: AlphaState, target: float, epochs: int, curve: RampCurve, steepness: float = STANDARD
) -> AlphaState:
    """Set out for `target`; no epochs means: be there."""
    if state.mode is not AlphaMode.HOLD:
        raise MutationError(
            f"the amplitude is on its way {state.mode.name} to {state.target:g}; "
            f"it can be sent elsewhere in {state.steps_left} epochs"
        )
    if not (math.isfinite(target) and math.isfinite(steepness)):
        raise MutationError(f"target {target} and steepness {steepness} must be finite")
    target = min(max(target, 0.0), 1.0)
    steepness = max(steepness, STEEPNESS_MIN)
    total = max(epochs, 0)
    if total == 0 or target == state.alpha:
        return settled(replace(state, curve=curve, steepness=steepness), target)
    mode = AlphaMode.UP if target > state.alpha else AlphaMode.DOWN
    return AlphaState(state.alpha, state.alpha, target, mode, curve, steepness, total, 0)


def settled(state: AlphaState, alpha: float) -> AlphaState:
    """At rest at `alpha`."""
    return replace(
        state,
        alpha=alpha,
        start=alpha,
        target=alpha,
        mode=AlphaMode.HOLD,
        steps_total=0,
        steps_done=0,
    )


def step(state: AlphaState) -> AlphaState:
    """One epoch further on the way; at rest nothing happens."""
    if state.mode is AlphaMode.HOLD:
        return state
    done = state.steps_done + 1
    if done >= state.steps_total:
        return settled(state, state.target)
    share = curve_value(state.curve, state.steepness, done / state.steps_total)
    value = state.start + (state.target - state.start) * share
    # Rounding must neither overshoot nor turn back.
    if state.mode is AlphaMode.UP:
        value = min(max(value, state.alpha), state.target)
    else:
        value = max(min(value, state.alpha), state.target)
    return replace(state, alpha=value, steps_done=done)


def _sigmoid(x: float) -> float:
    return 1.0 / (1.0 + math.exp(-x))
