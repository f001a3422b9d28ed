"""What a step paid and changed, told to panels without the town keeping it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from astrarium import worlds
from astrarium.errors import EpisodeOverError
from astrarium.worlds.native import NativeVectorWorld
from astrarium.worlds.townlet import panels as told_blocks
from astrarium.worlds.townlet.panels import BLOCKS, SOCIAL_KINDS, Panels, relationship_updates
from astrarium.worlds.townlet.players import citizens
from astrarium.worlds.vector import Autoreset


def tie(trust: float, familiarity: float, rivalry: float) -> dict[str, float]:
    return {"trust": trust, "familiarity": familiarity, "rivalry": rivalry}


def test_what_changed_between_people_is_a_difference_of_ties() -> None:
    before = {
        "ann": {"bob": tie(0.1, 0.2, 0.0), "eve": tie(0.0, 0.0, 0.5)},
        "bob": {"ann": tie(0.1, 0.1, 0.1)},
        "gone": {"ann": tie(0.5, 0.5, 0.0)},
    }
    after = {
        "ann": {"bob": tie(0.2, 0.45, 0.0), "new": tie(0.0, 0.0, 0.15)},
        "bob": {"ann": tie(0.1, 0.1, 0.1)},
    }
    assert relationship_updates(before, after) == {
        "ann": {
            "bob": tie(0.1, 0.25, 0.0),
            "eve": tie(0.0, 0.0, -0.5),
            "new": tie(0.0, 0.0, 0.15),
        }
    }


@pytest.fixture
def world() -> NativeVectorWorld:
    world = worlds.make_vec("townlet-v1", 2, seed=5, population={"agents": 6})
    world.watch(1)
    return world


def test_the_blocks_of_every_step_add_up(
    world: NativeVectorWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(told_blocks, "SOCIAL_KEPT", kept := 10)
    follow, panels = citizens(world), Panels(world, 1)
    first = world.block(1, "relationships")
    sums: dict[tuple[str, str], float] = {}
    social = 0
    for _ in range(400):
        world.step(follow(world.obs, world.mask))
        told = panels.observe()
        assert tuple(told) == BLOCKS
        assert not set(BLOCKS) & set(world.blocks)
        for name, one in (world.portrait(1) or {})["agents"].items():
            parts = told["reward_breakdown"][name]
            assert parts["total"] == pytest.approx(world.reward[1, one["seat"]], abs=1e-6)
        for owner, ties in told["relationship_updates"].items():
            for other, delta in ties.items():
                pair = (owner, other)
                sums[pair] = sums.get(pair, 0.0) + delta["familiarity"]
        social += sum(one["event"] in SOCIAL_KINDS for one in world.happenings(1))
        assert len(told["social_events"]) == min(social, kept)
    assert social > kept
    seqs = [one["seq"] for one in told["social_events"]]
    assert seqs == sorted(seqs, reverse=True), "newest first"
    assert first == {name: {} for name in first}, "nobody knew anybody"
    for owner, ties in world.block(1, "relationships").items():
        for other, one in ties.items():
            assert sums[owner, other] == pytest.approx(one["familiarity"], abs=1e-5)


@pytest.mark.parametrize(("limit", "most"), [("clip_per_tick", 0.01), ("clip_per_episode", 1.0)])
def test_a_reward_cut_by_a_limit_is_clipped_and_not_guarded(limit: str, most: float) -> None:
    rewards = {"survival_tick": 0.01, "clip": {limit: most}}
    world = worlds.make_vec("townlet-v1", 1, seed=5, population={"agents": 4}, rewards=rewards)
    follow, panels = citizens(world), Panels(world)
    cut = whole = 0
    for _ in range(300):
        world.step(follow(world.obs, world.mask))
        for parts in panels.observe()["reward_breakdown"].values():
            assert parts["clipped"] == (parts["clip_adjustment"] != 0)
            assert not parts["guardrail_active"]
            cut += parts["clipped"]
            whole += not parts["clipped"]
    assert cut > 10
    assert whole > 10


def test_what_is_withheld_close_to_an_exit_is_guarded_and_not_clipped() -> None:
    rewards = {"clip": {"clip_per_tick": 0.01}}
    world = worlds.make_vec("townlet-v1", 1, seed=5, population={"agents": 2}, rewards=rewards)
    panels, leaving = Panels(world), "resident_01"
    world.command(0, "set_exit_cap", cap=0)
    world.command(0, "employment_approve", agent_id=leaving)
    for hunger, guarded in ((0.0, False), (1.0, True)):
        for name in (leaving, "resident_02"):
            world.command(0, "setneed", agent_id=name, need="hunger", value=hunger)
        for _ in range(2):  # a command is applied when the next tick opens
            world.step(np.zeros_like(world.actions))
        told = panels.observe()["reward_breakdown"]
        stays = told["resident_02"]
        assert (stays["guardrail_active"], stays["clipped"]) == (False, True)
        assert told[leaving]["guardrail_active"] == guarded
        assert told[leaving]["clipped"] != guarded
    assert told[leaving]["total"] == pytest.approx(0.0, abs=1e-8)
    assert stays["total"] == pytest.approx(0.01)


def test_nothing_happens_between_people_in_a_town_nobody_watches(world: NativeVectorWorld) -> None:
    panels = Panels(world, 0)
    world.step(np.zeros_like(world.actions))
    assert panels.observe()["social_events"] == []


def test_the_last_step_of_an_episode_is_told_of_the_people_it_was_paid_to() -> None:
    ticks = 40
    settings = {"seed": 5, "population": {"agents": 4}, "env": {"max_ticks": ticks}}
    told: dict[str, list[dict[str, Any]]] = {}
    for mode in ("same_step", "disabled"):
        world = worlds.make_vec("townlet-v1", 1, autoreset=mode, **settings)
        world.watch(0)
        panels, told[mode] = Panels(world), []
        for tick in range(ticks):
            if tick == ticks - 1:
                # One who was not among the first, and somebody to talk to.
                world.command(0, "force_chat", speaker="eve", listener="resident_02", quality=1.0)
            if tick == 10:
                world.command(0, "kill", agent_id="resident_01")
            if tick == 12:
                world.command(
                    0, "spawn", agent_id="eve", position=[3, 40], job_id=None, wallet=None
                )
            wait = np.zeros_like(world.actions)
            world.step(wait)
            told[mode].append(panels.observe())
    apart, together = told["disabled"][-1], told["same_step"][-1]
    assert told["disabled"][:-1] == told["same_step"][:-1]
    assert together["reward_breakdown"] == apart["reward_breakdown"]
    assert "eve" in together["reward_breakdown"]
    assert together["social_events"] == apart["social_events"] != []
    assert together["relationship_updates"] == {}, "the next episode's people have just met"


@pytest.mark.parametrize("mode", ["next_step", "disabled"])
def test_a_town_that_is_over_refuses_commands(mode: Autoreset) -> None:
    world = worlds.make_vec("townlet-v1", 1, autoreset=mode, env={"max_ticks": 3})
    wait = np.zeros_like(world.actions)
    for _ in range(3):
        world.step(wait)
    with pytest.raises(EpisodeOverError, match="reset_worlds"):
        world.command(0, "price", key="meal_cost", value=0.5)
    if mode == "next_step":
        world.step(wait)
    else:
        world.reset()
    assert world.command(0, "price", key="meal_cost", value=0.5) == 1
