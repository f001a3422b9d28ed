"""A player is sent what the own side knows, and no more."""

from __future__ import annotations

import json
from typing import Any

from astrarium.worlds.tidebreak.player_view import player_view

SECRET = "Moray"


def portrait(blue: str = "blue", red: str = "red") -> dict[str, Any]:
    """A moment in which red knows of blue, and blue only of one red ship."""
    ship = {"x": 1.0, "y": 2.0, "hp": 1.0}
    return {
        "map": {"min_x": 0, "max_x": 10, "min_y": 0, "max_y": 10, "obstacles": [], "zones": []},
        "tick": 7,
        "time_limit": 600,
        "sky": {"sea_state": 1},
        "storms": {},
        "teams": {blue: {"value": 1.0}, red: {"value": 0.4}},
        "ships": {
            "0": {**ship, "name": "Kestrel", "team": blue, "target": 1},
            "1": {**ship, "name": SECRET, "team": red},
        },
        "rounds": {"9": {"team": red, "weapon": "light_torpedo", "x": 3.0}, "10": {"team": blue}},
        "mines": {"11": {"team": red}},
        "decoys": {},
        "squadrons": {},
        "knowledge": {blue: {"t4": {"x": 1.2, "sigma": 80.0}}, red: {"t1": {"x": 1.0}}},
        "fields": {"noise": {"w": 1, "h": 1, "cell": 500, "layers": {"surface": "AA=="}}},
        "outcome": {"winner": blue},
        "events": [
            {"id": 1, "kind": "fired", "source": 1, "target": 0, "tick": 7},
            {"id": 2, "kind": "mine_laid", "source": 1, "tick": 7},
            {"id": 3, "kind": "pinged", "source": 0, "tick": 7},
        ],
    }


def test_nothing_of_the_other_side_is_left_but_tracks() -> None:
    told = player_view(portrait(), "blue_0")
    assert SECRET not in json.dumps(told)
    assert list(told["ships"]) == ["0"]
    assert list(told["rounds"]) == ["10"]
    assert told["mines"] == {}
    assert told["knowledge"] == {"blue": {"t4": {"x": 1.2, "sigma": 80.0}}}
    assert told["teams"] == {"blue": {"value": 1.0}, "red": {}}
    assert "fields" not in told, "the true noise would give everybody away"
    assert told["seen_by"] == "blue"


def test_an_aim_is_not_told_as_what_it_really_is() -> None:
    assert "target" not in player_view(portrait(), "blue_0")["ships"]["0"]


def test_events_name_own_ships_only() -> None:
    told = player_view(portrait(), "blue_0")["events"]
    assert [(one["id"], one.get("source"), one.get("target")) for one in told] == [
        (1, None, 0),
        (3, 0, None),
    ]


def test_the_other_side_sees_its_own() -> None:
    told = player_view(portrait(), "red_0")
    assert list(told["ships"]) == ["1"]
    assert told["seen_by"] == "red"
    assert [one["id"] for one in told["events"]] == [1, 2]


def test_teams_of_a_package_have_names_of_their_own() -> None:
    told = player_view(portrait("accord", "dominion"), "red_0")
    assert told["seen_by"] == "dominion"
    assert list(told["ships"]) == ["1"]


def test_the_portrait_itself_stays_as_it_is() -> None:
    whole = portrait()
    player_view(whole, "blue_0")
    assert whole == portrait()
