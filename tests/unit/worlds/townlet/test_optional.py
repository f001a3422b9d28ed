"""Rules that are off by default: silent until somebody asks for them, and then whole."""

from typing import Any

import numpy as np
import pytest

from astrarium import ConfigError, worlds
from astrarium.adapters.townlet import EXITS
from astrarium.worlds import parse_config
from astrarium.worlds.native import NativeVectorWorld
from astrarium.worlds.townlet import TownletConfig, config_id, reload_class
from astrarium.worlds.townlet.config.ground import Features, Observations
from astrarium.worlds.townlet.entry import ENTRY
from astrarium.worlds.townlet.names import WEATHER, feature_names

QUIET = ("weather", "spoilage", "drama", "patience", "include_weather")
RAIN_ONLY = {"sunny": 0.0, "rainy": 1.0, "cold": 0.0}
ALL: dict[str, Any] = {
    "features": {
        "weather": {"enabled": True, "warmth": True, "chances": {"cold": 0.5}},
        "spoilage": {"enabled": True},
        "drama": {"enabled": True},
        "patience": True,
    },
    "observations": {"include_weather": True},
}


def town(given: dict[str, Any]) -> NativeVectorWorld:
    config = TownletConfig.model_validate(given)
    world = worlds.make_vec("townlet-v1", 1, seed=4, autoreset="disabled", config=config)
    assert isinstance(world, NativeVectorWorld)
    world.watch(0)
    return world


def live(world: NativeVectorWorld, ticks: int) -> list[str]:
    follow = ENTRY.oracles["citizens"](world)
    told: list[str] = []
    for _ in range(ticks):
        world.step(follow(world.obs, world.mask))
        told += [event["event"] for event in world.happenings(0)]
    return told


def test_what_nobody_asked_for_is_no_part_of_a_town() -> None:
    plain = TownletConfig()
    text = f"{plain.features} {plain.observations} {plain.model_dump()} {plain.model_dump_json()}"
    assert not [word for word in QUIET if word in text]
    spelt = TownletConfig.model_validate(
        {"features": {"weather": {"enabled": False}, "patience": False}}
    )
    assert config_id(spelt, label="a", seed=1) == config_id(plain, label="a", seed=1)


@pytest.mark.parametrize("node", [Features, Observations])
def test_what_is_quiet_is_a_setting(node: type[Features | Observations]) -> None:
    assert node.quiet <= set(node.model_fields)


def test_what_is_asked_for_is_told_and_needs_a_new_town() -> None:
    asked = TownletConfig.model_validate(ALL)
    assert "warmth=True" in str(asked.features)
    assert asked.model_dump()["features"]["drama"]["argument_ticks"] == 5
    assert TownletConfig.model_validate(asked.model_dump()) == asked
    assert config_id(asked, label="a", seed=1) != config_id(TownletConfig(), label="a", seed=1)
    assert reload_class("features.weather.enabled") == "restart"


@pytest.mark.parametrize(
    ("features", "words"),
    [
        ({"weather": {"warmth": True}}, r"features\.weather\.warmth: .*nobody freezes"),
        ({"weather": {"chances": {**RAIN_ONLY, "rainy": 0.0}}}, r"features\.weather\.chances"),
        ({"weather": {"rain": True}}, r"unknown key 'features\.weather\.rain'"),
        ({"drama": {"argument_ticks": 0}}, r"features\.drama\.argument_ticks is 0: .*at least 1"),
        ({"spoilage": {"after_ticks": 1.5}}, r"features\.spoilage\.after_ticks is 1\.5"),
        ({"patience": 1}, r"features\.patience is 1"),
    ],
)
def test_what_makes_no_sense_is_refused_by_its_key(features: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        parse_config(TownletConfig, {"features": features}, where="townlet-v1")


def test_an_ordinary_town_tells_nothing_of_them() -> None:
    layout, portrait = town({}).layout, town({}).portrait(0)
    assert portrait is not None
    assert "weather" not in portrait
    assert not {"exposure", "public_argument", "meal_spoiled"} & set(layout.events)
    assert not {"exposures", "arguments", "meals_spoiled"} & set(layout.stats)


def test_a_town_with_all_of_them_lives_and_resumes_exactly() -> None:
    world = town(ALL)
    assert set(EXITS) <= set(world.layout.events)
    assert feature_names(TownletConfig.model_validate(ALL))[-4:] == WEATHER
    told = live(world, 2500)
    assert "weather_changed" in told
    portrait = world.portrait(0)
    assert portrait is not None
    assert portrait["weather"]["now"] in ("sunny", "rainy", "cold")
    for resident in portrait["agents"].values():
        seen = world.obs[0, resident["seat"], -4:]
        assert seen[2] == pytest.approx(resident["warmth"], abs=1e-6)
        assert -1 <= resident["patience"] <= 1
    kept = world.snapshot()
    live(world, 200)
    digests, seen = world.digests().copy(), world.obs.copy()
    world.restore(kept)
    live(world, 200)
    assert (world.digests() == digests).all()
    assert np.array_equal(world.obs, seen)


def test_rain_is_ordered_and_taken_back() -> None:
    world = town({"features": {"weather": {"enabled": True, "chances": {"rainy": 0.0}}}})
    world.command(0, "rain", on=True)
    assert "weather_changed" in live(world, 1)
    portrait = world.portrait(0)
    assert portrait is not None
    assert portrait["weather"] == {"now": "rainy", "ordered": True}
    world.command(0, "rain", on=False)
    assert "weather_changed" in live(world, 1)
    dry = town({})
    dry.command(0, "rain", on=True)
    live(dry, 1)
    refused = [one for one in dry.happenings(0) if one["event"] == "command_refused"]
    assert [one["reason"] for one in refused] == ["E_DISABLED"]
