"""The plan is checked whole, and says what the arena's tables say."""

import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

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


def renamed(given: dict[str, Any]) -> None:
    """The second faction gets the initial of the first."""
    given["factions"][1]["id"] = "alliance"


def convoy(route: list[str]) -> Callable[[dict[str, Any]], None]:
    def change(given: dict[str, Any]) -> None:
        given["factions"][1]["convoys"][0]["route"] = route

    return change


def coloured(colour: str) -> Callable[[dict[str, Any]], None]:
    def change(given: dict[str, Any]) -> None:
        given["factions"][0]["colour"] = colour

    return change


def yard(given: dict[str, Any]) -> None:
    given["factions"][1]["land_yards"] = ["r3", "r9"]


def barge(given: dict[str, Any]) -> None:
    given["factions"][1]["convoys"][0]["ships"] = {"transprt": 2}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (renamed, r"factions\.alliance\.id: 'alliance' begins like 'accord'"),
        (convoy(["r4", "r9"]), r"factions\.dominion\.convoys\.DC1\.route: 'r9' is not known"),
        (convoy(["r4", "r0"]), r"convoys\.DC1\.route: no link of the sea joins 'r4' and 'r0'"),
        (convoy(["r4", "r4"]), r"convoys\.DC1\.route: no link of the sea joins 'r4' and 'r4'"),
        (barge, r"convoys\.DC1\.ships: 'transprt' is not known; did you mean 'transport'"),
        (yard, r"factions\.dominion\.land_yards\.1: 'r9' is not known"),
        (coloured("teal"), r"factions\.accord\.colour: 'teal' is no colour; write it as #rrggbb"),
        (coloured('#12345"'), r"factions\.accord\.colour: "),
    ],
)
def test_what_would_go_wrong_in_a_war_is_refused_before_it(
    change: Callable[[dict[str, Any]], None], words: str
) -> None:
    given = plan.shipped()
    change(given)
    with pytest.raises(ConfigError, match=words):
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
