"""Intervals against published tables and cases worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from astrarium.errors import CountError
from astrarium.train.intervals import (
    Interval,
    difference_interval,
    mean_interval,
    share_difference,
    share_interval,
    t_quantile,
)


@pytest.mark.parametrize(
    ("freedom", "published"),
    [
        (1, 12.7062),
        (2, 4.3027),
        (3, 3.1824),
        (4, 2.7764),
        (9, 2.2622),
        (10, 2.2281),
        (30, 2.0423),
        (99, 1.9842),
        (999, 1.9623),
        (1_000_000, 1.9600),
    ],
)
def test_students_t_is_as_in_the_tables(freedom: int, published: float) -> None:
    assert t_quantile(freedom) == pytest.approx(published, abs=5e-5)


def test_a_mean_of_three() -> None:
    """Of 1, 2 and 6: mean 3, deviation √7, so 3 ± 4.3027·√(7/3)."""
    found = mean_interval([1, 2, 6])
    half = 4.302653 * math.sqrt(7 / 3)
    assert found.value == 3
    assert (found.low, found.high) == pytest.approx((3 - half, 3 + half), abs=1e-5)


def test_one_figure_tells_nothing_of_the_spread() -> None:
    assert mean_interval([4.5]) == Interval(4.5, None, None)
    assert mean_interval([4.5]).sign == 0


def test_pairing_cancels_what_both_have_in_common() -> None:
    """Seeds worth 0 to 900, and one player always 1 or 2 better."""
    seeds = np.arange(0, 1000, 100.0)
    better = seeds + np.tile([1.0, 2.0], 5)
    found = difference_interval(better, seeds)
    assert found.value == 1.5
    assert found.low == pytest.approx(1.5 - 2.262157 * math.sqrt(0.25 * 10 / 9) / math.sqrt(10))
    assert found.sign == 1
    assert difference_interval(seeds, better).sign == -1
    unpaired = mean_interval(seeds)
    assert unpaired.high is not None
    assert unpaired.low is not None
    assert unpaired.high - unpaired.low > 400


@pytest.mark.parametrize(
    ("happened", "count", "low", "high"),
    [
        # Newcombe's examples of single proportions.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (20, 20, 0.8389, 1.0),
    ],
)
def test_wilsons_interval_is_as_published(
    happened: int, count: int, low: float, high: float
) -> None:
    found = share_interval([1] * happened + [0] * (count - happened))
    assert found.value == happened / count
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)


def fourfold(both: int, first: int, second: int, neither: int) -> tuple[list[int], list[int]]:
    ours = [1] * (both + first) + [0] * (second + neither)
    theirs = [1] * both + [0] * first + [1] * second + [0] * neither
    return ours, theirs


def test_a_difference_of_shares_by_hand() -> None:
    """36 both, 12 only we, 2 only they, of 50: 0.96 and 0.76, their agreement below chance.

    Wilson gives 0.8654 to 0.9890 and 0.6259 to 0.8570; phi is (36·0 - 12·2) / √(48·2·38·12).
    """
    found = share_difference(*fourfold(36, 12, 2, 0))
    phi = -24 / math.sqrt(48 * 2 * 38 * 12)
    below, above = 0.96 - 0.86538, 0.85697 - 0.76
    low = 0.2 - math.sqrt(below**2 - 2 * phi * below * above + above**2)
    below, above = 0.98896 - 0.96, 0.76 - 0.62589
    high = 0.2 + math.sqrt(below**2 - 2 * phi * below * above + above**2)
    assert found.value == pytest.approx(0.2)
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)
    assert (found.low, found.high) == pytest.approx((0.0569, 0.3404), abs=5e-5)


def test_agreement_in_everything_is_not_certainty() -> None:
    """54 episodes in which neither survived say little about the next."""
    found = share_difference([0] * 54, [0] * 54)
    assert found.value == 0
    assert (found.low, found.high) == pytest.approx((-0.0664, 0.0664), abs=5e-5)
    assert found.sign == 0


shares = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=60)


@given(shares)
def test_a_difference_of_shares_turns_with_its_sides(pairs: list[tuple[bool, bool]]) -> None:
    ours, theirs = zip(*pairs, strict=True)
    one, two = share_difference(ours, theirs), share_difference(theirs, ours)
    assert one.low is not None
    assert one.high is not None
    assert -1 <= one.low <= one.value <= one.high <= 1
    assert (two.value, two.low, two.high) == pytest.approx((-one.value, -one.high, -one.low))


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=50), st.floats(-1e3, 1e3))
def test_an_interval_moves_with_its_figures(values: list[float], shift: float) -> None:
    one, two = mean_interval(values), mean_interval([value + shift for value in values])
    assert one.low is not None
    assert one.high is not None
    assert one.low <= one.value <= one.high
    assert two.low == pytest.approx(one.low + shift, abs=1e-6)


def test_an_interval_holds_the_truth_95_times_in_100() -> None:
    """Means of 30 skewed figures; 2,000 trials have a standard error of half a per cent."""
    draws = np.random.default_rng(1).exponential(1.0, (2000, 30))
    found = [mean_interval(row) for row in draws]
    hits = sum(one.low <= 1.0 <= one.high for one in found if one.low and one.high)
    assert 0.90 < hits / 2000 < 0.97


@pytest.mark.parametrize("ask", [mean_interval, share_interval])
def test_nothing_has_no_mean(ask: object) -> None:
    with pytest.raises(CountError):
        ask([])


def test_no_freedom_no_t() -> None:
    with pytest.raises(CountError, match="at least 1"):
        t_quantile(0)
