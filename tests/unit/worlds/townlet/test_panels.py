"""What a step paid and changed, told to panels without the town keeping it."""

from __future__ import annotations

import numpy as np
import pytest

from astrarium import worlds
from astrarium.worlds.native import NativeVectorWorld
from astrarium.worlds.townlet import panels as told_blocks
from astrarium.worlds.townlet.panels import BLOCKS, SOCIAL_KINDS, Panels, relationship_updates
from astrarium.worlds.townlet.players import citizens


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


def test_nothing_happens_between_people_in_a_town_nobody_watches(world: NativeVectorWorld) -> None:
    panels = Panels(world, 0)
    world.step(np.zeros_like(world.actions))
    assert panels.observe()["social_events"] == []
