"""The plan is checked whole, and says what the arena's tables say."""

import json
import tomllib
from pathlib import Path

import pytest

from astrarium import _native
from astrarium.campaign import plan
from astrarium.campaign.beginning import new_ship
from astrarium.campaign.today import Today
from astrarium.errors import ConfigError

TABLES = Path(__file__).parents[3] / "crates" / "tidebreak" / "data"


def test_an_unknown_key_is_refused_by_name() -> None:
    given = plan.shipped()
    given["economy"]["food_per_persn"] = 0.01
    with pytest.raises(ConfigError, match=r"food_per_persn.*did you mean 'food_per_person'"):
        plan.load(given)


def test_a_place_nobody_drew_is_refused() -> None:
    given = plan.shipped()
    given["factions"][0]["seat"] = "r9"
    with pytest.raises(ConfigError, match=r"factions\.accord\.seat: 'r9' is not known"):
        plan.load(given)


def test_the_sea_has_eight_nodes_around_four_and_three_wrecks() -> None:
    shipped = plan.load()
    assert sorted(node.id[0] for node in shipped.nodes) == ["i"] * 4 + ["r"] * 8
    assert sum(node.wreck for node in shipped.nodes) == 3
    assert {days for _, _, days in shipped.sea.links} == {1, 2, 3}


def test_hulls_are_those_of_the_arena() -> None:
    """Two tables of the same ships would drift apart unnoticed."""
    hulls = tomllib.loads((TABLES / "hulls.toml").read_text("utf-8"))["hull"]
    mine = plan.load().hulls
    assert list(mine) == [hull["name"] for hull in hulls]
    for hull in hulls:
        ours = mine[hull["name"]]
        same = ("size", "crew", "marines", "hp", "fuel_t")
        assert [getattr(ours, key) for key in same] == [hull[key] for key in same], hull["name"]
        assert ours.speed == max(hull["speed_max"]), hull["name"]
        assert ours.cost == hull["build_cost"], hull["name"]
        assert [speed > 0 or i == 0 for i, speed in enumerate(hull["speed_max"])] == [
            layer in ours.layers for layer in ("surface", "submerged", "abyssal")
        ]


def test_a_new_ship_carries_what_the_arena_gives_a_whole_one(today: Today) -> None:
    """Mounts, rounds, decoys and craft: one that is not full would fight worse."""
    classes = _native.tidebreak_classes()
    assert classes.keys() == today.plan.hulls.keys()
    for name, text in classes.items():
        theirs, hull = json.loads(text), today.plan.hulls[name]
        ours = new_ship(today, "accord", name)
        assert hull.weapons == [mount["weapon"] for mount in theirs["weapons"]], name
        assert ours.rounds == [mount["rounds_loaded"] for mount in theirs["weapons"]], name
        assert ours.decoys == theirs["decoys"], name
        assert ours.craft == [squadron["craft"] for squadron in theirs["squadrons"]], name
