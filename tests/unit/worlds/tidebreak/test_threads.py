"""A battle among many is the battle that it is alone, however many threads step them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from astrarium import make_vec
from astrarium.worlds.vector import VectorWorld

WORLDS = 64
DECISIONS = 20
HEADS = np.array([5, 5, 17, 2, 2, 2, 2, 4, 4, 5, 4])
"""Choices of each head but scuttling, which ends a battle before anything else can differ."""

Told = list[dict[str, Any]]


def everything(world: VectorWorld) -> dict[str, Any]:
    """Copies of all that a batch tells, the digest of each battle among it."""
    told: dict[str, Any] = {"digests": world.digests()}
    for name in ("obs", "mask", "terms", "reward", "terminated", "truncated", "alive"):
        told[name] = getattr(world, name).copy()
    return told


def fought(seeds: list[int], threads: int) -> Told:
    """Duels under these seeds, both sides by chance that goes by the seed alone."""
    world = make_vec(
        "tidebreak-v1",
        len(seeds),
        threads=threads,
        scenario="duel",
        side="both",
        decision_ticks=5,
        autoreset="disabled",
    )
    world.reset_with_seeds(np.array(seeds, np.uint64))
    chances = [np.random.default_rng(seed) for seed in seeds]
    told: Told = []
    for _ in range(DECISIONS):
        for at, chance in enumerate(chances):
            world.actions[at] = chance.integers(0, HEADS, world.actions[at].shape)
        world.step()
        told.append(everything(world))
    return told


@pytest.fixture(scope="module")
def together() -> Told:
    return fought(list(range(1, WORLDS + 1)), 1)


def test_the_battles_differ(together: Told) -> None:
    assert len(set(together[-1]["digests"])) == WORLDS
    assert together[-1]["terms"].any()


@pytest.mark.parametrize("threads", [2, 3, 5, 8])
def test_threads_change_nothing(together: Told, threads: int) -> None:
    for one, other in zip(together, fought(list(range(1, WORLDS + 1)), threads), strict=True):
        for name, told in one.items():
            assert np.array_equal(told, other[name]), name


def test_every_battle_of_many_is_the_one_it_is_alone(together: Told) -> None:
    for row in range(WORLDS):
        for one, other in zip(together, fought([row + 1], 1), strict=True):
            for name, told in one.items():
                assert np.array_equal(told[row : row + 1], other[name]), (row, name)
