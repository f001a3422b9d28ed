"""Ids name what needs a new town, whatever the order of keys; changes are told by class."""

import json
import random
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astrarium import worlds
from astrarium.errors import CommandError
from astrarium.worlds.native import NativeVectorWorld
from astrarium.worlds.townlet import TownletConfig, changes, config_id, load, reload_class
from astrarium.worlds.townlet.reloading import ORDER_COUNTS, RELOAD_CLASSES, canonical

# Each leaves the default town whole, so that only the one setting differs.
RESTART: dict[str, tuple[Any, ...]] = {
    "time.ticks_per_day": (1001, 1200),
    "env.max_ticks": (1, 9_999),
    "world.grid_size": ([48, 49], [64, 64]),
    "world.bus_stop": ([0, 0], [1, 25]),
    "population.agents": (6, 10),
    "population.needs.energy": (0.7, 0.81),
    "features.stages.relationships": ("C2", "C3"),
    "features.systems.observations": ("full", "compact"),
    "features.relationship_modifiers": (False,),
    "features.allow_unlivable": (True,),
    "features.weather": ({"enabled": True}, {"enabled": True, "warmth": True}),
    "features.spoilage": ({"enabled": True}, {"enabled": True, "after_ticks": 400}),
    "features.drama": ({"enabled": True},),
    "features.patience": (True,),
    "observations.include_weather": (True,),
    "observations.layout": ("core",),
    "observations.hybrid.local_window": (9, 13),
    "policy_runtime.action_mode": ("primitive",),
    "rewards.survival_tick": (0.001, 0.003),
    "rewards.decay_rates.hunger": (0.0011, 0.0013),
    "rewards.clip.clip_per_tick": (0.1,),
    "shaping.use_potential": (False,),
    "jobs.clerk.start_tick": (601, 599),
    "jobs.clerk.capacity": (5,),
    "relationships.chat_cooldown_ticks": (31,),
    "personalities.overrides": ({"resident_01": "stoic"},),
    "lifecycle.nightly_reset": ("home",),
    "embedding_allocator.max_slots": (63, 65),
    "embedding_allocator.log_forced_reuse": (False,),
    "affordances.objects.0.position": ([4, 5], [5, 4]),
}
HOT: dict[str, tuple[Any, ...]] = {
    "economy.ingredients_cost": (0.1, 0.2),
    "economy.fridge_restock": (19, 21),
    "employment.grace_ticks": (0, 6),
    "queue_fairness.cooldown_ticks": (0, 600),
    "conflict.rivalry.decay_per_tick": (0.0, 0.01),
    "behavior.hunger_threshold": (0.4, 0.61),
    "embedding_allocator.cooldown_ticks": (0, 1999),
    "embedding_allocator.reuse_warning_threshold": (0.0, 0.5),
    "perturbations.enabled": (True,),
    "perturbations.specs.blackout.prob_per_day": (0.0, 1.0),
    "affordances.affordances.0.duration": (29, 31),
}


def default() -> dict[str, Any]:
    return TownletConfig().model_dump(mode="json")


def put(document: dict[str, Any], key: str, value: Any) -> None:
    node: Any = document
    *path, name = key.split(".")
    for part in path:
        node = node[int(part) if part.isdigit() else part]
    node[name] = value


def name_of(document: dict[str, Any], seed: int = 1) -> str:
    return config_id(TownletConfig.model_validate(document), label="town", seed=seed)


def shuffled(node: Any, chance: random.Random, key: str = "") -> Any:
    """The same document with its keys in another order, where order is no rule."""
    if isinstance(node, list):
        return [shuffled(item, chance, key) for item in node]
    if not isinstance(node, dict):
        return node
    names = list(node)
    if key not in ORDER_COUNTS:
        chance.shuffle(names)
    return {name: shuffled(node[name], chance, f"{key}.{name}".strip(".")) for name in names}


DEFAULT_ID = name_of(default())
few = settings(max_examples=25, deadline=None)
any_restart = st.sampled_from(sorted(RESTART)).flatmap(
    lambda key: st.tuples(st.just(key), st.sampled_from(RESTART[key]))
)
any_hot = st.sampled_from(sorted(HOT)).flatmap(
    lambda key: st.tuples(st.just(key), st.sampled_from(HOT[key]))
)


def test_an_id_is_its_label_and_twelve_hex_digits() -> None:
    assert re.fullmatch(r"town-[0-9a-f]{12}", DEFAULT_ID)
    assert load("default").config_id == "default" + DEFAULT_ID.removeprefix("town")


@few
@given(chance=st.randoms(use_true_random=False))
def test_the_order_of_keys_never_changes_the_id(chance: random.Random) -> None:
    assert name_of(shuffled(default(), chance)) == DEFAULT_ID


@few
@given(change=any_restart, chance=st.randoms(use_true_random=False))
def test_a_restart_setting_always_changes_the_id(
    change: tuple[str, Any], chance: random.Random
) -> None:
    document = default()
    put(document, *change)
    assert name_of(shuffled(document, chance)) != DEFAULT_ID


@few
@given(change=any_hot, chance=st.randoms(use_true_random=False))
def test_a_hot_setting_never_does(change: tuple[str, Any], chance: random.Random) -> None:
    document = default()
    put(document, *change)
    assert name_of(shuffled(document, chance)) == DEFAULT_ID


@pytest.mark.parametrize("key", [*RESTART, *HOT])
def test_the_change_is_told_with_its_class(key: str) -> None:
    old = TownletConfig()
    document = default()
    put(document, key, (RESTART | HOT)[key][0])
    found = changes(old, TownletConfig.model_validate(document))
    assert len(found) == 1, found
    assert found[0].reload == ("restart" if key in RESTART else "hot")
    assert found[0].key.split(".")[0] == key.split(".")[0]
    assert found[0].old != found[0].new
    assert changes(old, old) == ()


def test_the_seed_is_part_of_the_id() -> None:
    assert name_of(default(), seed=2) != DEFAULT_ID


@pytest.mark.parametrize("key", ["jobs", "personalities.distribution"])
def test_an_order_that_is_a_rule_is_part_of_the_id(key: str) -> None:
    document = default()
    node: Any = document
    for part in key.split("."):
        node = node[part]
    put(document, key, dict(reversed(node.items())))
    assert name_of(document) != DEFAULT_ID
    (change,) = changes(TownletConfig(), TownletConfig.model_validate(document))
    assert (change.key, change.reload) == (key, "restart")
    assert change.new == change.old[::-1]


def test_entries_are_told_by_their_ids() -> None:
    document = default()
    objects = document["affordances"]["objects"]
    objects.insert(0, {**objects[0], "id": "bed_0", "position": [2, 2]})
    document["affordances"]["objects"][1]["stock"] = {"sleep_slots": 2, "sleep_capacity": 2}
    found = changes(TownletConfig(), TownletConfig.model_validate(document))
    assert {change.key for change in found} == {
        "affordances.objects.bed_0",
        "affordances.objects.bed_1.stock.sleep_slots",
        "affordances.objects.bed_1.stock.sleep_capacity",
    }


def test_another_order_of_objects_is_a_change() -> None:
    document = default()
    document["affordances"]["objects"].reverse()
    (change,) = changes(TownletConfig(), TownletConfig.model_validate(document))
    assert (change.key, change.reload) == ("affordances.objects", "restart")


def test_every_node_has_a_class_and_every_class_a_node() -> None:
    assert set(TownletConfig.model_fields) == {key.split(".")[0] for key in RELOAD_CLASSES}
    for key in RELOAD_CLASSES:
        node: Any = TownletConfig()
        for part in key.split("."):
            node = getattr(node, part)
        assert reload_class(key) == RELOAD_CLASSES[key]
    assert reload_class("embedding_allocator.cooldown_ticks") == "hot"
    assert reload_class("embedding_allocator.max_slots") == "restart"
    with pytest.raises(KeyError, match="telemetry is no node"):
        reload_class("telemetry")


def test_zero_has_no_sign_in_an_id() -> None:
    document = default()
    put(document, "rewards.survival_tick", 0.0)
    signed = default()
    put(signed, "rewards.survival_tick", -0.0)
    assert name_of(document) == name_of(signed)


def test_the_canonical_form_holds_no_hot_setting() -> None:
    text = canonical(TownletConfig(), seed=1).decode()
    assert '"seed":1' in text
    for word in ("meal_cost", "ghost_step_after", "price_spike", "use_shower", "reuse_warning"):
        assert word not in text
    for word in ("decay_rates", "ticks_per_day", "max_slots", "grocer", "bed_1"):
        assert word in text


def told(world: NativeVectorWorld, kind: str) -> list[dict[str, Any]]:
    return [event for event in world.happenings(0) if event["event"] == kind]


def town() -> NativeVectorWorld:
    world = worlds.make_vec("townlet-v1", 1, autoreset="disabled")
    assert isinstance(world, NativeVectorWorld)
    world.watch(0)
    return world


def node_of(document: Any, key: str) -> Any:
    for part in key.split("."):
        document = document[part]
    return document


@pytest.mark.parametrize("key", RELOAD_CLASSES)
def test_the_core_reloads_what_is_hot_and_names_what_is_not(key: str) -> None:
    world = town()
    document = json.dumps(node_of(default(), key))
    if RELOAD_CLASSES[key] == "restart":
        with pytest.raises(CommandError, match=re.escape(f"{key}: needs a new town")):
            world.command(0, "config_reload", node=key, document=document)
        return
    world.command(0, "config_reload", node=key, document=document)
    world.step(np.zeros((1, 8, 1), np.int32))
    (event,) = told(world, "config_reloaded")
    assert event["node"] == key
    assert re.fullmatch("[0-9a-f]{64}", event["old_checksum"])
    assert event["old_checksum"] == event["new_checksum"], "the same node as before"
    assert not told(world, "config_reload_rejected")


@pytest.mark.parametrize("key", [*RESTART, *HOT])
def test_each_setting_reloads_in_the_core_as_its_class_says(key: str) -> None:
    world = town()
    document = default()
    put(document, key, (RESTART | HOT)[key][0])
    node = key.split(".")[0]
    if node == "embedding_allocator":
        node = key
    order = {"node": node, "document": json.dumps(node_of(document, node))}
    if key in RESTART:
        named = "affordances.objects" if node == "affordances" else node
        with pytest.raises(CommandError, match=re.escape(f"{named}: ")):
            world.command(0, "config_reload", **order)
        return
    world.command(0, "config_reload", **order)
    world.step(np.zeros((1, 8, 1), np.int32))
    (event,) = told(world, "config_reloaded")
    assert event["old_checksum"] != event["new_checksum"]


def test_the_warning_about_reused_slots_follows_its_threshold() -> None:
    world = worlds.make_vec(
        "townlet-v1", 1, autoreset="disabled", embedding_allocator={"max_slots": 8}
    )
    assert isinstance(world, NativeVectorWorld)
    world.command(0, "kill", agent_id="resident_03")
    for _ in range(30):
        world.step(np.zeros((1, 8, 1), np.int32))

    def slots() -> dict[str, Any]:
        return world.block(0, "embedding_metrics")

    assert slots() == {
        "allocations_total": 9,
        "forced_reuse_count": 1,
        "forced_reuse_rate": pytest.approx(1 / 9),
        "reuse_warning": True,
    }
    key = "embedding_allocator.reuse_warning_threshold"
    world.command(0, "config_reload", node=key, document="0.5")
    world.step(np.zeros((1, 8, 1), np.int32))
    assert not slots()["reuse_warning"]
