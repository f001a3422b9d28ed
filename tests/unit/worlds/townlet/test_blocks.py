"""Blocks of a town: asked by name, beside what a recorded frame holds."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import pytest

from astrarium import worlds
from astrarium.errors import ClosedError, UnknownBlockError, WorldIndexError
from astrarium.worlds.native import NativeVectorWorld
from astrarium.worlds.townlet.players import citizens


def town(agents: int = 6) -> NativeVectorWorld:
    world = worlds.make_vec("townlet-v1", 2, seed=5, population={"agents": agents})
    world.watch(1)
    return world


def test_a_block_is_asked_of_one_town_by_its_name() -> None:
    world = town()
    follow = citizens(world)
    for _ in range(60):
        world.step(follow(world.obs, world.mask))
    told = {name: world.block(1, name) for name in world.blocks}
    assert {"jobs", "employment", "conflict", "perturbations"} <= set(told)
    assert set(told["jobs"]) == set((world.portrait(1) or {})["agents"])
    with pytest.raises(UnknownBlockError, match=r"job. is no block of this world; it has jobs, "):
        world.block(0, "job")
    with pytest.raises(WorldIndexError):
        world.block(2, "jobs")
    world.close()
    with pytest.raises(ClosedError):
        world.block(0, "jobs")


def test_a_world_without_blocks_says_so() -> None:
    world = worlds.make_vec("lanterns-v1", 1)
    assert world.blocks == ()
    with pytest.raises(UnknownBlockError, match="it has none"):
        world.block(0, "jobs")


def test_outcomes_are_told_under_the_numbers_that_commands_were_given() -> None:
    world = town()
    needs = {"need": "hunger", "value": 0.5}
    numbers = [
        world.command(1, "setneed", agent_id=name, **needs) for name in ("resident_01", "nobody")
    ]
    numbers.append(world.command(0, "set_exit_cap", cap=1))
    assert numbers == [1, 2, 1], "every town counts its own"
    world.step(np.zeros_like(world.actions))
    told = [one for one in world.happenings(1) if one["event"].startswith("command_")]
    assert [(one["event"], one["command"], one["number"]) for one in told] == [
        ("command_applied", "setneed", 1),
        ("command_refused", "setneed", 2),
    ]
    kept = world.snapshot()
    assert world.command(1, "set_exit_cap", cap=1) == 3
    world.restore(kept)
    assert world.command(1, "set_exit_cap", cap=1) == 3, "a restored town counts on"


def test_frames_hold_no_block() -> None:
    """A replay is mostly frames: what only a panel asks for would make every one of them longer."""
    world = town()
    portrait = world.portrait(1) or {}
    keys = set(portrait) & set(world.blocks)
    assert keys == {"utilities", "perturbations"}, "what a drawing shows of them"
    whole = sum(len(msgspec.json.encode(world.block(1, name))) for name in world.blocks)
    assert "pending" not in portrait["perturbations"]
    assert whole > 0
    told: dict[str, Any] = next(iter(portrait["agents"].values()))
    assert not {"meals_cooked", "basket_cost", "on_shift", "late_ticks_today"} & set(told["job"])
