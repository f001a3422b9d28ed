"""Random numbers are fixed by seed, name and place, and by nothing else."""

from __future__ import annotations

import itertools

import numpy as np

from astrarium.train.streams import stream


def numbers(*key) -> list[float]:
    return stream(*key).random(8).tolist()


def test_the_same_key_gives_the_same_numbers() -> None:
    assert numbers(3, "actions", 7, 1) == numbers(3, "actions", 7, 1)


def test_every_part_of_the_key_counts() -> None:
    keys = [
        (3, "actions", 7, 1),
        (4, "actions", 7, 1),
        (3, "weights", 7, 1),
        (3, "actions", 8, 1),
        (3, "actions", 7, 2),
        (3, "actions", 1, 7),
        (3, "actions", 71),
        (3, "actions"),
        (37, "actions", 1),
        ((1 << 63) - 1, "actions", 7, 1),
    ]
    for one, other in itertools.combinations(keys, 2):
        assert numbers(*one) != numbers(*other), (one, other)


def test_one_stream_does_not_move_another() -> None:
    first = stream(1, "a")
    second = stream(1, "b")
    first.random(100)
    assert second.random(8).tolist() == numbers(1, "b")


def test_the_numbers_are_the_same_on_every_machine() -> None:
    """Runs are resumed elsewhere: these must never change."""
    order = stream(0, "minibatches/shared", 2, 1).integers(0, 1000, 6)
    assert order.tolist() == [302, 406, 682, 358, 786, 699]
    weight = stream(5, "weights/shared").standard_normal()
    assert np.isclose(weight, 0.24832398324233446, rtol=1e-12)
