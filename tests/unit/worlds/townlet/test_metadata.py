"""What is told of one agent is what the town and its observation hold."""

from typing import Any

import numpy as np
import pytest

from astrarium import worlds
from astrarium.worlds.native import NativeVectorWorld
from astrarium.worlds.townlet import TownletConfig
from astrarium.worlds.townlet.metadata import AgentMetadata, NobodyThereError, agent_metadata
from astrarium.worlds.townlet.players import citizens
from astrarium.worlds.townlet.seeing import Seeing

TOWNS = 3
VARIANTS = ("hybrid", "full", "compact")


def batch(**fields: Any) -> NativeVectorWorld:
    config = TownletConfig.model_validate(fields)
    world = worlds.make_vec("townlet-v1", TOWNS, seed=4, autoreset="disabled", config=config)
    assert isinstance(world, NativeVectorWorld)
    return world


def staged(stage: str) -> NativeVectorWorld:
    return batch(features={"stages": {"relationships": stage, "social_rewards": "OFF"}})


def live(world: NativeVectorWorld, ticks: int) -> None:
    follow = citizens(world)
    for _ in range(ticks):
        world.step(follow(world.obs, world.mask))


def residents(world: NativeVectorWorld, town: int) -> dict[str, dict[str, Any]]:
    portrait = world.portrait(town)
    assert portrait is not None
    return portrait["agents"]


def befriend(world: NativeVectorWorld, town: int, *, trust: float, rivalry: float) -> None:
    """What the first two residents hold of each other, from the next tick on."""
    pair = dict(zip("ab", list(residents(world, town))[:2], strict=True))
    world.command(town, "set_rel", **pair, trust=trust, familiarity=0.0, rivalry=rivalry)
    world.step(np.zeros((TOWNS, 8, 1), np.int32))


def source(world: NativeVectorWorld, town: int, seat: int = 0) -> str:
    return agent_metadata(world, town, seat)["social_context"]["relation_source"]


def check_social(about: AgentMetadata, ties: list[dict[str, float]]) -> None:
    """The social context beside the ties themselves."""
    social = about["social_context"]
    rivals = [tie for tie in ties if tie["rivalry"] > 0]
    assert social["filled_slots"] == min(len(ties), 2) + min(len(rivals), 2)
    assert social["has_data"] == bool(ties)
    trust = [tie["trust"] for tie in ties] or [0.0]
    rivalry = [tie["rivalry"] for tie in ties] or [0.0]
    expected = {
        "trust_mean": np.mean(trust),
        "trust_max": max(trust),
        "rivalry_mean": np.mean(rivalry),
        "rivalry_max": max(rivalry),
    }
    assert social["aggregates"] == pytest.approx(expected, abs=2e-6)


@pytest.mark.parametrize("layout", ["extended", "core"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_it_is_what_the_town_and_its_observation_hold(variant: str, layout: str) -> None:
    world = batch(features={"systems": {"observations": variant}}, observations={"layout": layout})
    assert isinstance(world.config, TownletConfig)
    seeing, filled = Seeing.of(world.config), set[int]()
    for _ in range(12):
        live(world, 50)
        for town in range(TOWNS):
            for name, resident in residents(world, town).items():
                about = agent_metadata(world, town, name)
                assert about == agent_metadata(world, town, resident["seat"])
                row = world.obs[town, resident["seat"], seeing.map_size :]
                seen = dict(zip(seeing.feature_names, row.tolist(), strict=True))
                assert about["embedding_slot"] == resident["slot"]
                assert about["local_summary"] == {key: seen[key] for key in about["local_summary"]}
                traits = list(about["personality"]["traits"].values())
                assert (about["personality"]["profile"], traits) == (
                    resident["profile"],
                    resident["traits"],
                )
                check_social(about, list(resident["ties"].values()))
                filled.add(about["social_context"]["filled_slots"])
    assert list(about["local_summary"]) == [
        "neighbor_agent_ratio",
        "neighbor_object_ratio",
        "reserved_tile_ratio",
        "nearest_agent_distance",
    ]
    assert list(about["personality"]["traits"]) == ["extroversion", "forgiveness", "ambition"]
    assert {0, 3} <= filled, "both lonely and well-known people were looked at"


def test_the_room_for_others_is_that_of_the_observation() -> None:
    world = batch()
    social = agent_metadata(world, 0, 0)["social_context"]
    names = Seeing.of(TownletConfig()).feature_names
    room = sum(name.startswith("social_slot") for name in names)
    assert social["configured_slots"] * social["slot_dim"] == room
    assert (social["configured_slots"], social["slot_dim"]) == (4, 11)


@pytest.mark.parametrize("stage", ["OFF", "A"])
def test_ties_that_are_not_shown_are_disabled(stage: str) -> None:
    world = staged(stage)
    befriend(world, 1, trust=0.5, rivalry=0.5)
    social = agent_metadata(world, 1, 0)["social_context"]
    assert social["relation_source"] == "disabled"
    assert (social["filled_slots"], social["has_data"]) == (0, False)
    assert set(social["aggregates"].values()) == {0.0}
    assert bool(residents(world, 1)["resident_01"]["ties"]) == (stage == "A")


@pytest.mark.parametrize("stage", ["B", "C1"])
def test_where_ties_are_shown_the_source_follows_them(stage: str) -> None:
    world = staged(stage)
    assert [source(world, town) for town in range(TOWNS)] == ["empty"] * 3
    befriend(world, 1, trust=0.0, rivalry=0.6)
    befriend(world, 2, trust=0.5, rivalry=0.6)
    assert [source(world, town) for town in range(TOWNS)] == [
        "empty",
        "rivalry_fallback",
        "relationships",
    ]
    assert source(world, 1, seat=1) == "rivalry_fallback"
    assert source(world, 1, seat=2) == "empty"


def test_asking_changes_nothing() -> None:
    asked, left = batch(), batch()
    for world in (asked, left):
        live(world, 40)
    for town in range(TOWNS):
        agent_metadata(asked, town, 3)
    assert (asked.digests() == left.digests()).all()
    assert np.array_equal(asked.obs, left.obs)


def test_nobody_is_told_of_who_is_not_there() -> None:
    world = batch()
    with pytest.raises(NobodyThereError, match=r"'resident_1'; did you mean 'resident_01'\?"):
        agent_metadata(world, 0, "resident_1")
    world.command(0, "kill", agent_id="resident_03")
    for _ in range(2):  # told when a tick opens, gone when it closes
        world.step(np.zeros((TOWNS, 8, 1), np.int32))
    with pytest.raises(NobodyThereError, match=r"seat 2 of town 0 \(taken: 0, 1, 3, "):
        agent_metadata(world, 0, 2)
    assert agent_metadata(world, 1, 2)["embedding_slot"] == 2, "only in that town"
