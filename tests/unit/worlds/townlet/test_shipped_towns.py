"""The towns that come with the package."""

import tomllib
from importlib import resources

import pytest

from astrarium.worlds.townlet import LoadedTown, TownletConfig, load, shipped_towns
from astrarium.worlds.townlet.config.ground import BLOCKED_TILES, WALKABLE_TILES


@pytest.mark.parametrize("name", shipped_towns())
def test_every_shipped_town_loads_and_goes_through_json(name: str) -> None:
    loaded = load(name)
    assert isinstance(loaded, LoadedTown)
    assert loaded.label == name
    assert TownletConfig.model_validate_json(loaded.config.model_dump_json()) == loaded.config
    assert TownletConfig.model_validate(loaded.config.model_dump()) == loaded.config


def test_the_expected_towns_are_shipped_and_their_ids_differ() -> None:
    expected = {
        "default",
        "demo_story",
        "harsh",
        "kitchen_breakfast",
        "observation_baseline",
        "punctuality",
        "queue_conflict",
        "rivalry_decay",
    }
    assert set(shipped_towns()) == expected
    assert len({load(name).config_id for name in expected}) == len(expected)
    assert len({load(name).seed for name in expected}) == len(expected)


def test_the_town_to_watch_has_tiles_of_every_kind_and_the_others_open_floor() -> None:
    drawn = {name: load(name).config.world.layout for name in shipped_towns()}
    story = drawn.pop("demo_story")
    assert story is not None
    assert {*"".join(story)} == {*WALKABLE_TILES, *BLOCKED_TILES}
    assert {*drawn.values()} == {None}


def test_the_default_town_is_the_tree_without_changes() -> None:
    assert load("default").config == TownletConfig()


def test_the_default_town_stands_where_it_should() -> None:
    objects = {entry.id: entry for entry in load("default").config.affordances.objects}
    assert len(objects) == 25
    assert all(objects[f"bed_{n}"].position == (4 * n, 4) for n in range(1, 11))
    places = {
        "shower_1": (20, 20),
        "shower_2": (22, 20),
        "fridge_1": (12, 24),
        "fridge_2": (14, 24),
        "stove_1": (12, 10),
        "stove_2": (28, 10),
        "shelf_1": (32, 24),
        "till_1": (34, 24),
        "counter_1": (13, 28),
        "desk_1": (34, 34),
        "desk_2": (36, 34),
        "desk_3": (38, 34),
        "wardrobe_1": (24, 10),
        "bench_1": (24, 36),
        "bench_2": (26, 36),
    }
    assert {name: objects[name].position for name in places} == places
    assert objects["fridge_1"].stock == {"meals": 20}
    assert objects["shelf_1"].stock == {"food_raw": 30}


def test_the_contention_town_has_one_shower() -> None:
    config = load("queue_conflict").config
    showers = [one for one in config.affordances.objects if one.object_type == "shower"]
    assert len(showers) == 1
    assert config.population.agents == 3


@pytest.mark.parametrize("preset", ["townlet-v1-apprentice", "townlet-v1-journeyman"])
def test_apprentices_learn_where_needs_fall_a_tenth_faster(preset: str) -> None:
    text = (resources.files("astrarium.train") / "presets" / f"{preset}.toml").read_text("utf-8")
    taught = tomllib.loads(text)["world"]["settings"]["rewards"]["decay_rates"]
    default = load("default").config.rewards.decay_rates.model_dump()
    assert taught == pytest.approx({need: 1.1 * default[need] for need in taught})
    assert len(taught) == 3
