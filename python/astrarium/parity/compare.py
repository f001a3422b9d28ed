"""When two records of one step differ, and where first.

The order is fixed: endings and ticks, reward, observation, metrics; between implementations that
must agree to the bit then also validity, the resolved action and the generator.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from astrarium.parity.side import StepRecord
from astrarium.worlds.vector import Floats

FLAGS: Final = ("terminated", "truncated", "dt")
BIT_FIELDS: Final = ("invalid_action", "action", "generator")
"""Compared only to the bit, and only where both sides report them."""

Value = float | int | bool
Marks = npt.NDArray[np.bool_]
Doubles = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Tolerances:
    """How far floats may lie apart, for platforms whose math libraries differ in the last bits.

    Rewards and observations: the absolute part plus `relative` times the greater magnitude.
    Metrics: `metric` times the greatest of 1 and both magnitudes.
    """

    reward: float = 1e-6
    obs: float = 1e-6
    relative: float = 1e-5
    metric: float = 1e-4


@dataclass(frozen=True, slots=True)
class Difference:
    """The first thing two records disagree about."""

    field: str
    left: Value
    right: Value
    obs_index: int | None = None
    abs_diff: float | None = None
    tol: float | None = None


def first_difference(
    left: StepRecord,
    right: StepRecord,
    metric_names: tuple[str, ...],
    tolerances: Tolerances | None = None,
) -> Difference | None:
    """Where two records of a step first differ; without tolerances, to the bit."""
    for name in FLAGS:
        if getattr(left, name) != getattr(right, name):
            return Difference(name, getattr(left, name), getattr(right, name))
    return (
        _in_reward(left, right, tolerances)
        or observations(left.obs, right.obs, tolerances)
        or _in_metrics(left, right, metric_names, tolerances)
        or (_in_bit_fields(left, right) if tolerances is None else None)
    )


def observations(
    left: Floats, right: Floats, tolerances: Tolerances | None, field: str = "obs"
) -> Difference | None:
    """The lowest index at which two observations differ."""
    rule = None if tolerances is None else _Rule(tolerances.obs, tolerances.relative, 0.0)
    return _in_floats(field, left, right, rule)


@dataclass(frozen=True, slots=True)
class _Rule:
    """|a - b| <= absolute + relative * max(floor, |a|, |b|)."""

    absolute: float
    relative: float
    floor: float

    def apart(self, left: Floats, right: Floats) -> tuple[Marks, Doubles]:
        """Where the rule is broken, and what it allowed.

        In double, so that the rule itself rounds nothing that matters. An infinity or NaN only
        agrees with itself: a limit scaled by it would allow anything.
        """
        a, b = left.astype(np.float64), right.astype(np.float64)
        limits = self.absolute + self.relative * np.maximum(
            self.floor, np.maximum(np.abs(a), np.abs(b))
        )
        with np.errstate(invalid="ignore"):
            near = np.isfinite(a) & np.isfinite(b) & (np.abs(a - b) <= limits)
        return ~(near | (left.view(np.uint32) == right.view(np.uint32))), limits


def _in_reward(
    left: StepRecord, right: StepRecord, tolerances: Tolerances | None
) -> Difference | None:
    rule = None if tolerances is None else _Rule(tolerances.reward, tolerances.relative, 0.0)
    a, b = (np.array([side.reward], dtype=np.float32) for side in (left, right))
    return _in_floats(("reward",), a, b, rule)


def _in_metrics(
    left: StepRecord,
    right: StepRecord,
    names: tuple[str, ...],
    tolerances: Tolerances | None,
) -> Difference | None:
    fields = tuple(f"info.{name}" for name in names)
    rule = None if tolerances is None else _Rule(0.0, tolerances.metric, 1.0)
    return _in_floats(fields, left.metrics, right.metrics, rule)


def _in_bit_fields(left: StepRecord, right: StepRecord) -> Difference | None:
    for name in BIT_FIELDS:
        a, b = getattr(left, name), getattr(right, name)
        if a is not None and b is not None and a != b:
            return Difference(name, a, b)
    return None


def _in_floats(
    field: str | tuple[str, ...], left: Floats, right: Floats, rule: _Rule | None
) -> Difference | None:
    """The lowest differing index; `field` names it, or the tuple names each index."""
    if rule is None:
        # As words: -0.0 is not 0.0, and a NaN equals itself.
        apart = left.view(np.uint32) != right.view(np.uint32)
        limits = np.zeros(left.shape)
    else:
        apart, limits = rule.apart(left, right)
    if not apart.any():
        return None
    index = int(apart.argmax())
    a, b = float(left[index]), float(right[index])
    return Difference(
        field=field if isinstance(field, str) else field[index],
        left=a,
        right=b,
        obs_index=index if isinstance(field, str) else None,
        abs_diff=abs(a - b),
        tol=float(limits[index]),
    )
