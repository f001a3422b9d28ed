"""The reference as a batch equals the native one to the bit, and keeps a batch's promises."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from astrarium.errors import (
    ClosedError,
    ConfigError,
    EpisodeOverError,
    SeedError,
    SnapshotError,
    UncopyableError,
)
from astrarium.worlds import make_vec
from astrarium.worlds.random_legal import random_legal
from astrarium.worlds.vector import Autoreset, VectorWorld

ARRAYS = (
    *("obs", "mask", "alive", "reward", "terms", "terminated", "truncated", "events", "stats"),
    *("final_obs", "episode", "episode_seed"),
)


def batch(implementation: Any, n: int = 3, autoreset: Autoreset = "same_step", **more: Any) -> Any:
    return make_vec(
        "prospector-v1",
        n,
        seed=5,
        autoreset=autoreset,
        time_max=60,
        implementation=implementation,
        **more,
    )


def assert_equal(native: VectorWorld, reference: VectorWorld) -> None:
    for name in ARRAYS:
        one, two = getattr(native, name), getattr(reference, name)
        assert one.tobytes() == two.tobytes(), name
    assert native.reveal().tobytes() == reference.reveal().tobytes()


@pytest.mark.parametrize("autoreset", ["same_step", "next_step"])
def test_every_array_equals_the_native_batchs_along_random_play(autoreset: Autoreset) -> None:
    native, reference = batch("native", 3, autoreset), batch("reference", 3, autoreset)
    assert native.layout == reference.layout
    for step in range(120):
        assert_equal(native, reference)
        actions = random_legal(native, step)
        if step % 7 == 0:
            actions[:] = 66 + step % 9  # some impossible ones and some out of range
        native.step(actions)
        reference.step(actions)
    assert native.episode.min() > 1


def test_resets_begin_the_same_episodes() -> None:
    native, reference = batch("native"), batch("reference")
    for call in (
        lambda world: world.reset(),
        lambda world: world.reset_worlds([1]),
        lambda world: world.reset_worlds([2, 0], [9, 2**64 - 1]),
        lambda world: world.reset_worlds([2]),
        lambda world: world.reset_with_seeds([1, 2, 3]),
        lambda world: world.reset(77),
    ):
        call(native)
        call(reference)
        assert_equal(native, reference)


def test_a_snapshot_continues_as_if_nothing_had_happened() -> None:
    world = batch("reference")
    for step in range(20):
        world.step(random_legal(world, step))
    taken, fork = world.snapshot(), world.fork([2, 0])
    digests = world.digests()
    assert fork.digests().tolist() == [digests[2], digests[0]]
    for step in range(20, 40):
        world.step(random_legal(world, step))
        fork.step(random_legal(fork, step))
    after = world.digests()
    assert fork.digests().tolist() == [after[2], after[0]]
    world.restore(taken)
    assert world.digests().tolist() == digests.tolist()
    for step in range(20, 40):
        world.step(random_legal(world, step))
    assert world.digests().tolist() == after.tolist()


def test_snapshots_of_others_are_refused_and_change_nothing() -> None:
    world = batch("reference")
    digests = world.digests().tolist()
    taken = world.snapshot()
    damaged = bytearray(taken)
    damaged[-40] ^= 1
    for bytes_, words in (
        (batch("native").snapshot(), "no snapshot of the reference"),
        (bytes(damaged), "damaged"),
        (batch("reference", 2).snapshot(), "has 2 worlds"),
        (b"", "no snapshot"),
    ):
        with pytest.raises(SnapshotError, match=words):
            world.restore(bytes_)
    other = make_vec("prospector-v1", 3, implementation="reference", time_max=61)
    with pytest.raises(SnapshotError, match="other settings"):
        other.restore(taken)
    assert world.digests().tolist() == digests


def test_misuse_is_refused_as_by_a_native_batch() -> None:
    world = batch("reference", autoreset="disabled")
    with pytest.raises(SeedError, match="2 seeds for 3 worlds"):
        world.reset_worlds([0, 1, 2], [1, 2])
    with pytest.raises(UncopyableError, match="fork"):
        world.__reduce__()
    for _ in range(200):
        if world.terminated.any() or world.truncated.any():
            break
        world.step(np.full(3, 6))
    with pytest.raises(EpisodeOverError, match="reset_worlds"):
        world.step(np.full(3, 6))
    world.close()
    with pytest.raises(ClosedError, match="make another"):
        world.step()


def test_worlds_without_a_reference_say_so() -> None:
    with pytest.raises(ConfigError, match="lanterns-v1 has only a native one"):
        make_vec("lanterns-v1", implementation="reference")
    with pytest.raises(ConfigError, match="allowed: native, reference, auto"):
        make_vec("prospector-v1", implementation="pyton")  # pyright: ignore[reportArgumentType]
