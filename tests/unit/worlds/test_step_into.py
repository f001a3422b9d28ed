"""Stepping into the caller's memory is stepping, and leaves a copy there."""

import numpy as np
import pytest

from astrarium.errors import ShapeError
from astrarium.worlds import make_vec
from astrarium.worlds.native import NativeVectorWorld
from astrarium.worlds.random_legal import random_legal


def batch(world_id: str, threads: int) -> NativeVectorWorld:
    made = make_vec(world_id, 37, threads=threads, seed=5)
    assert isinstance(made, NativeVectorWorld)
    return made


@pytest.mark.parametrize("world_id", ["prospector-v2", "lanterns-v1"])
@pytest.mark.parametrize("threads", [1, 3])
def test_the_same_step_with_a_copy_of_what_is_seen(world_id: str, threads: int) -> None:
    plain, into = batch(world_id, 1), batch(world_id, threads)
    for step in range(120):
        obs, mask = np.full_like(into.obs, np.nan), np.full_like(into.mask, 9)
        actions = random_legal(plain, step)
        plain.step(actions)
        into.actions[...] = actions
        into.step_into(obs, mask)
        assert (plain.digests() == into.digests()).all()
        assert obs.tobytes() == plain.obs.tobytes() == into.obs.tobytes()
        assert mask.tobytes() == plain.mask.tobytes()


def test_memory_of_another_size_or_order_is_refused_and_nothing_moves() -> None:
    world = batch("prospector-v2", 2)
    before = world.digests()
    obs, mask = np.zeros_like(world.obs), np.zeros_like(world.mask)
    for wrong in (obs[:-1], np.zeros((*obs.shape[:-1], obs.shape[-1] + 1), np.float32)):
        with pytest.raises(ShapeError, match="obs"):
            world.step_into(wrong, mask)
    with pytest.raises(ShapeError, match="mask"):
        world.step_into(obs, mask[:-1])
    with pytest.raises(ShapeError, match="contiguous"):
        world.step_into(np.zeros(obs.shape[::-1], np.float32).T, mask)
    assert (world.digests() == before).all()
