"""Configs refuse what they do not know, with advice."""

from typing import Annotated, Literal

import pydantic
import pytest

from astrarium import ConfigError, UnknownSettingError, make_vec
from astrarium.worlds import WorldConfig, parse_config
from astrarium.worlds.lanterns import LanternsConfig


class Wind(WorldConfig):
    strength: float = pydantic.Field(default=0.5, gt=0, lt=1)


class Weather(WorldConfig):
    season: Literal["summer", "winter"] = "summer"
    days: int = pydantic.Field(ge=1, le=30)
    wind: Wind = Wind()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"days": 3, "seasn": "winter"}, r"unknown key 'seasn'; did you mean 'season'\? .*days"),
        ({"days": 3, "zzz": 1}, r"unknown key 'zzz' \(known keys: season, days, wind\)"),
        ({"days": 0}, r"days is 0: .*\(allowed: at least 1, at most 30\)"),
        ({"days": "many"}, r"days is 'many': .*integer"),
        ({"days": float("nan")}, r"days is nan"),
        ({}, "days is missing"),
        ({"days": 1, "season": "spring"}, r"season is 'spring'.*'summer'.*'winter'"),
        ({"days": 1, "wind": {"strength": 1}}, r"wind\.strength is 1: .*less than 1"),
        (
            {"days": 1, "wind": {"strenth": 1}},
            r"unknown key 'wind\.strenth'; did you mean 'strength'",
        ),
        (7, "config is a int; give a Weather or a mapping"),
        (Wind(), "config is a Wind; give a Weather or a mapping"),
    ],
)
def test_a_bad_config_names_the_key_and_the_remedy(given: dict[str, object], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        parse_config(Weather, given)


class Harbour(WorldConfig):
    berth: tuple[Annotated[int, pydantic.Field(ge=1)], str] = (1, "north")
    crew: Annotated[list[str], pydantic.Field(min_length=1, max_length=3)] = pydantic.Field(
        ["cook"]
    )
    tides: dict[str, Annotated[float, pydantic.Field(gt=0)]] = pydantic.Field({})
    winds: tuple[Wind, ...] = ()
    flags: dict[Literal["red", "green"], tuple[int, int]] = pydantic.Field({})
    name: str
    open: bool


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"berth": 7}, "berth is 7: must be a list (allowed: a list of 2: a whole number, at le"),
        ({"crew": {}}, "crew: must be a list (allowed: a list of 1 to 3 texts)"),
        ({"crew": []}, "crew is []: must have at least 1 entry ("),
        ({"crew": list("abcd")}, "must have at most 3 entries (allowed: a list of 1 to 3 texts)"),
        ({"tides": 1}, "must be a mapping (allowed: a mapping from texts to numbers, each more"),
        ({"winds": 1}, "must be a list (allowed: a list of mappings with the keys strength)"),
        (
            {"flags": [3]},
            "(allowed: a mapping from the words 'red', 'green' to lists of 2 whole numbers)",
        ),
        ({}, "name is missing; give it a value (allowed: a text)"),
        ({}, "open is missing; give it a value (allowed: true, false)"),
    ],
)
def test_what_lists_and_mappings_hold_is_told(given: dict[str, object], words: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_config(Harbour, given)
    assert words in str(caught.value)


def test_every_problem_is_named_at_once() -> None:
    with pytest.raises(ConfigError) as caught:
        parse_config(Weather, {"days": 99, "seasn": 1}, where="weather-v1")
    assert str(caught.value).startswith("weather-v1: days is 99")
    assert "seasn" in str(caught.value)


def test_a_config_is_frozen_and_passes_through() -> None:
    config = LanternsConfig(ticks_max=7)
    assert parse_config(LanternsConfig, config) is config
    assert parse_config(LanternsConfig, None) == LanternsConfig()
    with pytest.raises(pydantic.ValidationError, match="frozen"):
        config.ticks_max = 8  # type: ignore[misc]


def test_settings_reach_the_world_from_a_mapping_a_model_or_keywords() -> None:
    assert make_vec("lanterns-v1", config={"ticks_max": 5}).config == LanternsConfig(ticks_max=5)
    assert make_vec("lanterns-v1", config=LanternsConfig(ticks_max=5)).config.ticks_max == 5
    mixed = make_vec("lanterns-v1", config=LanternsConfig(ticks_max=5), ticks_max=6)
    assert mixed.config == LanternsConfig(ticks_max=6)
    for _ in range(6):
        mixed.step()
    assert mixed.truncated.all()


def test_a_misspelt_setting_of_a_world_is_refused() -> None:
    with pytest.raises(ConfigError, match="lanterns-v1: unknown key 'tick_max'; did you mean 'tic"):
        make_vec("lanterns-v1", config={"tick_max": 5})
    with pytest.raises(UnknownSettingError, match="argument 'tick_max'; did you mean 'ticks_max'"):
        make_vec("lanterns-v1", tick_max=5)
    with pytest.raises(ConfigError, match=r"ticks_max is 0.*at least 1, at most 1000000"):
        make_vec("lanterns-v1", ticks_max=0)
