"""How sure a figure is: 95 % intervals of means, shares, and differences on the same episodes.

Means have Student's t interval. It is exact for normal figures, and with the hundreds of episodes
of an evaluation the mean of any figure is close to normal; unlike a bootstrap it needs no random
numbers, so the same episodes always give the same interval. A share near 0 or 1 is not close to
normal: shares have Wilson's interval, which stays within 0 and 1 and is not empty when all
episodes agree. Two players on the same seeds are compared episode by episode: what a seed does to
both cancels out, so the interval is narrower than those of the two players would suggest.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from astrarium.errors import CountError

CONFIDENCE: Final = 0.95
_UPPER: Final = 0.5 + CONFIDENCE / 2
_Z: Final = NormalDist().inv_cdf(_UPPER)

Figures = npt.NDArray[Any] | Sequence[float]


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure, and the range that holds the true one in 95 of 100 evaluations."""

    value: float
    low: float | None
    """None where a single episode tells nothing of the spread."""
    high: float | None

    def as_dict(self) -> dict[str, float | None]:
        """As reports hold it."""
        return {"value": self.value, "low": self.low, "high": self.high}

    @property
    def sign(self) -> int:
        """1 where all of it is above 0, -1 where all of it is below, else 0: not decided."""
        if self.low is None or self.high is None:
            return 0
        return 1 if self.low > 0 else -1 if self.high < 0 else 0


@functools.lru_cache
def t_quantile(freedom: int) -> float:
    """The upper 2.5 % point of Student's t."""
    if freedom < 1:
        raise CountError(f"Student's t has at least 1 degree of freedom, not {freedom}")
    # Heavier tails than the normal at 1 degree already: 12.7.
    low, high = _Z, 13.0
    while high - low > 1e-10:
        middle = (low + high) / 2
        low, high = (middle, high) if _t_within(middle, freedom) < CONFIDENCE else (low, middle)
    return (low + high) / 2


def _t_within(t: float, freedom: int) -> float:
    """The chance that |T| < t, by the finite sums for whole degrees of freedom."""
    angle = math.atan2(t, math.sqrt(freedom))
    sine, square = math.sin(angle), math.cos(angle) ** 2
    if freedom == 1:
        return 2 * angle / math.pi
    odd = freedom % 2
    # Terms 1, 1/2, 1·3/(2·4) ... or 1, 2/3, 2·4/(3·5) ..., each with two cosines more.
    upper = np.arange(1 + odd, freedom - 2, 2, dtype=np.float64)
    terms = np.cumprod(np.concatenate(([1.0], upper / (upper + 1) * square)))
    total = float(terms.sum())
    if odd:
        return 2 / math.pi * (angle + sine * math.cos(angle) * total)
    return sine * total


def mean_interval(values: Figures) -> Interval:
    """The mean of independent figures."""
    given = np.asarray(values, np.float64)
    if given.size == 0:
        raise CountError("there is no mean of no figures; play at least 1 episode")
    mean = float(given.mean())
    if given.size == 1:
        return Interval(mean, None, None)
    half = t_quantile(given.size - 1) * float(given.std(ddof=1)) / math.sqrt(given.size)
    return Interval(mean, mean - half, mean + half)


def difference_interval(ours: Figures, theirs: Figures) -> Interval:
    """Our mean less theirs, paired: figure i of both is of the same seed."""
    return mean_interval(np.asarray(ours, np.float64) - np.asarray(theirs, np.float64))


def share_interval(happened: Figures) -> Interval:
    """The share of ones among zeros and ones: Wilson's score interval."""
    given = np.asarray(happened, np.float64)
    if given.size == 0:
        raise CountError("there is no share of no episodes; play at least 1")
    count, share = given.size, float(given.mean())
    low, high = _wilson(share, count)
    return Interval(share, low, high)


def _wilson(share: float, count: int) -> tuple[float, float]:
    square = _Z * _Z
    middle = share + square / (2 * count)
    half = _Z * math.sqrt(share * (1 - share) / count + square / (4 * count * count))
    scale = 1 + square / count
    # At the ends the interval begins with the share itself; rounding would leave a hair between.
    low = 0.0 if share == 0 else (middle - half) / scale
    high = 1.0 if share == 1 else (middle + half) / scale
    return low, high


def share_difference(ours: Figures, theirs: Figures) -> Interval:
    """Our share less theirs, paired: Newcombe's interval, from Wilson's two and how they agree."""
    first, second = np.asarray(ours, np.float64), np.asarray(theirs, np.float64)
    (one, low_one, high_one), (two, low_two, high_two) = _ends(first), _ends(second)
    tie = _correlation(first, second)

    def reach(a: float, b: float) -> float:
        return math.sqrt(max(0.0, a * a - 2 * tie * a * b + b * b))

    value = one - two
    low = value - reach(one - low_one, high_two - two)
    high = value + reach(high_one - one, two - low_two)
    return Interval(value, low, high)


def _ends(happened: npt.NDArray[np.float64]) -> tuple[float, float, float]:
    share = share_interval(happened).value
    return share, *_wilson(share, happened.size)


def _correlation(first: npt.NDArray[np.float64], second: npt.NDArray[np.float64]) -> float:
    """Phi of the fourfold table, with Newcombe's correction for small positive ones."""
    both = float((first * second).sum())
    only_first, only_second = float(first.sum()) - both, float(second.sum()) - both
    neither = first.size - both - only_first - only_second
    margins = (
        (both + only_first)
        * (only_second + neither)
        * (both + only_second)
        * (only_first + neither)
    )
    if margins == 0:
        return 0.0
    cross = both * neither - only_first * only_second
    if cross > 0:
        cross = max(cross - first.size / 2, 0.0)
    return cross / math.sqrt(margins)
