"""Controls, which no world of this build has yet, and the forms seeds and indices come in."""

import numpy as np
import pytest

from astrarium import ActionError, SeedError
from astrarium.worlds import arguments

ACCEPTED = arguments.shapes(np.zeros((2, 1, 3), np.float32))


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, ">f8"])
def test_controls_of_any_float_dtype_become_single_precision(dtype: str) -> None:
    taken = arguments.controls(np.full((2, 1, 3), 0.5, dtype), ACCEPTED)
    assert taken.dtype == np.float32
    assert (taken == 0.5).all()


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e300])
def test_controls_that_are_not_finite_are_named_by_place(bad: float) -> None:
    controls = np.zeros((2, 3))
    controls[1, 2] = bad
    with pytest.raises(ActionError, match=r"controls\[1, 2\] is .*clip or replace"):
        arguments.controls(controls, ACCEPTED)


def test_sizes_of_one_may_be_left_out_and_no_others() -> None:
    assert list(ACCEPTED) == [(2, 1, 3), (2, 3)]
    assert list(arguments.shapes(np.zeros((2, 1, 1)))) == [(2, 1, 1), (2, 1), (2,)]
    assert list(arguments.shapes(np.zeros((2, 3, 1)))) == [(2, 3, 1), (2, 3)]
    assert list(arguments.shapes(np.zeros((2, 3, 4)))) == [(2, 3, 4)]


def test_every_accepted_shape_is_a_view_of_the_one_array() -> None:
    array = np.zeros((2, 1, 1), np.int32)
    for view in arguments.shapes(array).values():
        assert np.shares_memory(view, array)


def test_seeds_keep_all_64_bits() -> None:
    largest = 2**64 - 1
    assert arguments.seed(np.uint64(largest)) == largest
    assert arguments.seeds([0, largest, 2**53 + 1]).tolist() == [0, largest, 2**53 + 1]
    assert arguments.seeds(np.array([largest], np.uint64)).tolist() == [largest]
    with pytest.raises(SeedError, match=r"seeds\[1\] is 18446744073709551616"):
        arguments.seeds([0, largest + 1])


def test_indices_of_any_integer_dtype_mean_the_same() -> None:
    for dtype in (np.int8, np.uint64, np.intp):
        assert arguments.indices(np.array([2, 0], dtype), 3).tolist() == [2, 0]
    assert arguments.indices([], 3).tolist() == []
