"""Contributions, interactions and Shapley values from accuracies."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from astrarium.esper.attribution import (
    AlphaConfigurations,
    Attribution,
    attribute,
    configurations,
)
from astrarium.esper.contracts.errors import MeasurementError


def read(asked: AlphaConfigurations, accuracy: dict[str, float]) -> Attribution:
    """Attribution where accuracies are named by the slots that are on."""

    def name(row: tuple[bool, ...]) -> str:
        return "".join(slot for slot, on in zip(asked.slots, row, strict=True) if on)

    return attribute(asked, [accuracy[name(row)] for row in asked.rows])


def test_a_host_without_seeds_is_evaluated_once() -> None:
    asked = configurations([], [])
    assert asked.rows == ((),)
    found = attribute(asked, [47.0])
    assert (found.accuracy, found.counterfactual_total, found.committed_accuracy) == (47, 0, 47)


def test_two_seeds_by_hand() -> None:
    asked = configurations(["a", "b"], ["b"])
    assert asked.rows[0] == (True, True)
    assert set(asked.rows) == set(itertools.product((True, False), repeat=2))
    found = read(asked, {"": 40.0, "a": 45.0, "b": 43.0, "ab": 50.0})
    assert found.contributions == (7.0, 5.0)
    assert found.counterfactual_total == 10.0
    assert found.committed_accuracy == 43.0
    assert found.interactions == ((0.0, 2.0), (2.0, 0.0))
    assert found.interaction_sums == found.boosts == (2.0, 2.0)
    assert found.shapley == ()


def test_three_seeds_by_hand() -> None:
    accuracy = {"": 10.0, "a": 12.0, "b": 11.0, "c": 15.0}
    accuracy |= {"ab": 16.0, "ac": 14.0, "bc": 16.0, "abc": 20.0}
    asked = configurations(["a", "b", "c"], [])
    found = read(asked, accuracy)
    assert len(asked.rows) == 8
    assert found.contributions == (4.0, 6.0, 4.0)
    # ab: 16-12-11+10 = 3; ac: 14-12-15+10 = -3; bc: 16-11-15+10 = 0.
    assert found.interactions == ((0.0, 3.0, -3.0), (3.0, 0.0, 0.0), (-3.0, 0.0, 0.0))
    assert found.interaction_sums == (0.0, 3.0, -3.0)
    assert found.boosts == (3.0, 3.0, 0.0)
    assert found.committed_accuracy == 10.0


def test_a_seed_alone_has_no_interactions() -> None:
    found = read(configurations(["a"], ["a"]), {"": 40.0, "a": 39.0})
    assert found.contributions == (-1.0,)
    assert found.interaction_sums == found.boosts == (0.0,)
    assert found.committed_accuracy == 39.0


def test_more_seeds_need_only_each_off_and_what_is_committed() -> None:
    asked = configurations(list("abcd"), ["b", "d"])
    offs = [tuple(at != off for at in range(4)) for off in range(4)]
    committed = (False, True, False, True)
    assert asked.rows == ((True,) * 4, *offs, (False,) * 4, committed)
    found = attribute(asked, [50.0, 49.0, 48.0, 47.0, 46.0, 30.0, 40.0])
    assert found.contributions == (1.0, 2.0, 3.0, 4.0)
    assert found.committed_accuracy == 40.0
    assert found.interactions == ()
    assert found.boosts == (0.0,) * 4


def test_shapley_values_of_a_known_game() -> None:
    """The glove game: `a` and `b` hold left gloves, `c` the right one; a pair is worth 60."""
    accuracy = {"": 0.0, "a": 0.0, "b": 0.0, "c": 0.0}
    accuracy |= {"ab": 0.0, "ac": 60.0, "bc": 60.0, "abc": 60.0}
    asked = configurations(["a", "b", "c"], [], np.random.default_rng(0))
    found = read(asked, accuracy)
    assert [one.mean for one in found.shapley] == pytest.approx([10.0, 10.0, 40.0])
    assert {one.samples for one in found.shapley} == {6}


def test_every_combination_of_four_is_tried_for_shapley_values() -> None:
    asked = configurations(list("abcd"), [], np.random.default_rng(0))
    assert set(asked.rows) == set(itertools.product((True, False), repeat=4))
    assert len(asked.orders) == 24


def test_many_seeds_are_sampled_with_their_reverses() -> None:
    asked = configurations(list("abcdef"), [], np.random.default_rng(0))
    assert len(asked.orders) == 20
    for order, reverse in zip(asked.orders[::2], asked.orders[1::2], strict=True):
        assert order == reverse[::-1]
    again = configurations(list("abcdef"), [], np.random.default_rng(0))
    assert again == asked
    most = configurations(list("abcdef"), [], np.random.default_rng(0), samples=1000)
    assert len(most.orders) == 100


@pytest.mark.parametrize("count", range(1, 7))
def test_shapley_values_share_out_the_whole_gain(count: int) -> None:
    slots = [f"s{at}" for at in range(count)]
    asked = configurations(slots, [], np.random.default_rng(1))
    values = np.random.default_rng(count).uniform(0, 100, len(asked.rows)).tolist()
    found = attribute(asked, values)
    total = sum(one.mean for one in found.shapley)
    assert total == pytest.approx(found.counterfactual_total)


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=6))
def test_seeds_that_only_add_are_worth_what_they_add(worth: list[float]) -> None:
    slots = [f"s{at}" for at in range(len(worth))]
    asked = configurations(slots, [], np.random.default_rng(1))
    sums = [sum(w for w, on in zip(worth, row, strict=True) if on) for row in asked.rows]
    found = attribute(asked, sums)
    assert found.contributions == pytest.approx(worth, abs=1e-9)
    assert [one.mean for one in found.shapley] == pytest.approx(worth, abs=1e-9)
    assert [one.std for one in found.shapley] == pytest.approx([0.0] * len(worth), abs=1e-9)
    assert found.interaction_sums == pytest.approx([0.0] * len(worth), abs=1e-9)


def test_figures_that_are_missing_or_no_numbers_are_refused() -> None:
    asked = configurations(["a"], [])
    with pytest.raises(MeasurementError, match="1 accuracies for 2 configurations"):
        attribute(asked, [1.0])
    with pytest.raises(MeasurementError, match=r"\(False,\) is nan"):
        attribute(asked, [1.0, float("nan")])
    with pytest.raises(MeasurementError, match="'b'"):
        configurations(["a"], ["b"])
