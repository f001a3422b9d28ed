"""What settings of the world are refused for what the battle itself is like."""

from __future__ import annotations

import json
from typing import Any

import pytest

from astrarium import _native, make_vec
from astrarium.errors import AstrariumError, ConfigError

UTILITY, PING = 9, 2
"""A head, and its choice."""


def package(**changes: Any) -> dict[str, Any]:
    return json.loads(_native.tidebreak_package("duel", 5)) | changes


def only(team: str) -> str:
    plain = package()
    return json.dumps(plain | {"ships": [one for one in plain["ships"] if one["team_id"] == team]})


def test_a_side_without_ships_has_no_agents_and_is_refused() -> None:
    with pytest.raises(ConfigError, match=r'side: red is team "red" .* no ships; choose the other'):
        make_vec("tidebreak-v1", 1, package=only("blue"), side="red")
    with pytest.raises(ConfigError, match="side: blue"):
        make_vec("tidebreak-v1", 1, package=only("red"))
    with pytest.raises(ConfigError, match="side: red"):
        make_vec("tidebreak-v1", 1, package=only("blue"), side="red", ship=0)


@pytest.mark.parametrize("side", ["blue", "both"])
def test_nobody_to_fight_is_a_battle_that_is_won_at_once(side: str) -> None:
    world = make_vec("tidebreak-v1", 1, package=only("blue"), side=side, autoreset="disabled")
    assert world.layout.agents == 1
    world.step()
    assert world.terminated.all()
    assert world.terms[0, 0, 0] > 0.0


@pytest.mark.parametrize("settings", [{}, {"side": "red"}, {"scenario": "convoy_escort"}])
def test_a_ship_that_is_not_there_is_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="ship: 40 is none of the side's"):
        make_vec("tidebreak-v1", 1, ship=40, **settings)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "{}",
        json.dumps(package(teams=[])),
        json.dumps(package(teams=[{"team_id": "blue", "name": "Blue"}])),
        json.dumps(package(ships=[])),
        json.dumps(package(ships=3)),
        json.dumps(package(teams=None)),
        json.dumps(package(schema_version="arena.v2")),
    ],
)
def test_a_package_that_is_none_is_refused_as_such(text: str) -> None:
    with pytest.raises(AstrariumError, match="package: "):
        make_vec("tidebreak-v1", 1, package=text)


def test_three_teams_are_no_two_sides() -> None:
    plain = package()
    third = {"team_id": "green", "name": "Green"}
    with pytest.raises(ConfigError, match="3 teams"):
        make_vec("tidebreak-v1", 1, package=json.dumps(plain | {"teams": [*plain["teams"], third]}))


def test_the_finest_fields_are_a_setting_too() -> None:
    fine, coarse = (
        make_vec("tidebreak-v1", 1, fidelity=fidelity, seed=3) for fidelity in ("F3", "F2")
    )
    for world in (fine, coarse):
        # A ping is something that fields hold; hulls at rest are not.
        world.actions[..., UTILITY] = PING
        for _ in range(3):
            world.step()
    assert not (fine.obs == coarse.obs).all()
