"""What is left after a battle: goods of a raided convoy, platforms that struck, a freed place."""

from __future__ import annotations

from typing import Any

import pytest
import stand_in

from astrarium.campaign import (
    aftermath,
    day,
    economy,
    encounters,
    fleets,
    packages,
    relations,
    siege,
    yards,
)
from astrarium.campaign.audit import LedgerError
from astrarium.campaign.state import Build
from astrarium.campaign.today import Today
from astrarium.worlds.tidebreak.result import BattleResult

GOODS = ("food", "fuel", "materials")
EACH_T = 40.0
AWAY = "AWAY"
"""Not a fate of its own: over the edge of the map with everything, and OPERATIONAL."""


def raided(today: Today) -> encounters.Encounter:
    """The Kelpward Line caught with three kinds of goods for r1, loaded."""
    today.war.nodes["r0"].stores["materials"] += EACH_T
    today.book.enter("materials", EACH_T, "made", "node r0")
    convoy, raider = today.war.fleets["AC1"], today.war.fleets["D1"]
    load = [(resource, EACH_T, "r0", "r1") for resource in GOODS]
    sides = {"accord": [convoy], "dominion": [raider]}
    met = encounters.Encounter("d001-r0-r1", "convoy", "r0-r1", "dominion", sides, load)
    day._embark(today, met)
    return met


def carriers(today: Today) -> list[str]:
    fleet = today.war.fleets["AC1"]
    return [ship.id for ship in today.war.crews(fleet) if ship.hull == "transport"]


def ended(today: Today, met: encounters.Encounter, fates: dict[str, str]) -> None:
    """Apply a battle in which nothing happens but these fates of transports."""
    package = packages.pack(today, met)
    given = {ship.ship_id: ship for ship in package.ships}
    document: dict[str, Any] = stand_in.outcome(package)
    for outcome in document["ships"]:
        fate = fates.get(outcome["ship_id"], "OPERATIONAL")
        ship = given[outcome["ship_id"]]
        gone, taken = fate == "DESTROYED", fate == "CAPTURED"
        way = {AWAY: "delivered", "DESTROYED": "lost", "CAPTURED": "seized"}
        outcome |= {
            "fate": "OPERATIONAL" if fate == AWAY else fate,
            "team_id_final": "dominion" if taken else outcome["team_id_initial"],
            "crew": stand_in.people(ship.crew.fit, ship.crew.wounded, gone, taken),
            "marines": stand_in.people(ship.crew.marines, 0, gone, taken),
            "passengers": stand_in.people(ship.passengers, 0, gone, taken),
            "ammo": [stand_in.rounds(m.slot, m.rounds_loaded, gone, taken) for m in ship.weapons],
            "fuel": dict.fromkeys(("burned", "lost", "seized"), 0.0)
            | {"in": ship.fuel_t, "remaining": ship.fuel_t},
            "cargo": {
                name: dict.fromkeys(("remaining", "delivered", "lost", "seized"), 0.0)
                | {"in": amount, way.get(fate, "remaining"): amount}
                for name, amount in ship.cargo.items()
            },
        }
    aftermath.apply(today, met, package, BattleResult.model_validate(document))


def test_what_a_convoy_carries_is_held_apart_from_what_its_crews_live_on(today: Today) -> None:
    before = {name: dict(today.war.ships[name].stores) for name in carriers(today)}
    package = packages.pack(today, raided(today))
    for ship in package.ships:
        share = EACH_T / len(before)
        goods = dict.fromkeys(GOODS, share) if ship.ship_id in before else {}
        assert ship.cargo == goods
        if ship.ship_id in before:
            assert ship.fuel_t == before[ship.ship_id]["fuel"]
            assert today.war.ships[ship.ship_id].stores == before[ship.ship_id]
    today.book.reconcile()


@pytest.mark.parametrize(
    ("fate", "reaches"),
    [(AWAY, "r1"), ("OPERATIONAL", "r0"), ("CAPTURED", "r4"), ("DESTROYED", None)],
)
def test_goods_fuel_among_them_are_delivered_brought_back_seized_or_lost(
    today: Today, fate: str, reaches: str | None
) -> None:
    met, ships = raided(today), carriers(today)
    stores = {name: dict(today.war.ships[name].stores) for name in ships}
    had = {n: {r: node.stores.get(r, 0.0) for r in GOODS} for n, node in today.war.nodes.items()}
    ended(today, met, dict.fromkeys(ships, fate))
    for name, node in today.war.nodes.items():
        for resource in GOODS:
            gained = node.stores.get(resource, 0.0) - had[name][resource]
            assert gained == pytest.approx(EACH_T if name == reaches else 0.0), (name, resource)
    for name in ships:
        if fate != "DESTROYED":
            assert today.war.ships[name].stores == stores[name], "provisions are no cargo"
            assert not any(today.war.ships[name].hold.values())
    today.book.reconcile()


def test_of_two_transports_each_delivers_its_own_share(today: Today) -> None:
    met = raided(today)
    first, second = carriers(today)
    had = today.war.nodes["r1"].stores["fuel"]
    ended(today, met, {first: AWAY, second: "DESTROYED"})
    assert today.war.nodes["r1"].stores["fuel"] - had == pytest.approx(EACH_T / 2)
    today.book.reconcile()


def stormed(today: Today, fate: str) -> encounters.Encounter:
    """The First Hammer before the platform of r7, which meets a fate."""
    relations.declare(today, "a test")
    fleet = today.war.fleets["D1"]
    fleet.at = "r7"
    (met,) = encounters.meet(today)
    ended(today, met, dict.fromkeys(today.war.fleets["S-r7"].ships, fate))
    return met


def test_a_platform_that_struck_stays_where_it_is_moored_and_is_silent(today: Today) -> None:
    (name,) = today.war.fleets["S-r7"].ships
    stormed(today, "CAPTURED")
    platform = today.war.ships[name]
    assert today.war.fleets["S-r7"].ships == [name]
    assert (platform.faction, platform.people, sum(platform.rounds)) == ("accord", 0, 0)
    assert not encounters.fights(today, today.war.fleets["S-r7"])
    assert [fleet.id for fleet in today.war.fleets.values() if fleet.kind == "prizes"] == []
    assert today.war.nodes["r7"].holder == "accord", "whose it is, a siege decides"
    today.book.reconcile()


def test_a_result_of_another_package_is_refused(today: Today) -> None:
    relations.declare(today, "a test")
    today.war.fleets["D1"].at = "r7"
    (met,) = encounters.meet(today)
    package = packages.pack(today, met)
    document = stand_in.outcome(package)
    good = BattleResult.model_validate(document)
    other = package.model_copy(update={"time_limit_s": package.time_limit_s + 1})
    tampered = good.model_copy(update={"package_hash": f"{other.hash():016x}"})
    people = sum(ship.people for ship in today.war.ships.values())
    with pytest.raises(LedgerError, match=r"d001-r7: K7: the result is of a package with the hash"):
        aftermath.apply(today, met, package, tampered)
    with pytest.raises(LedgerError, match="K7"):
        aftermath.apply(today, met, other, good)
    assert sum(ship.people for ship in today.war.ships.values()) == people, "nothing was applied"


def besieged(today: Today, name: str) -> None:
    """The First Hammer lands at a place of the Accord whose defences are silent."""
    relations.declare(today, "a test")
    for ship in today.war.crews(today.war.fleets[f"S-{name}"]):
        ship.hp = 0.4
    today.war.fleets["A1"].at = "r2"
    fleet = today.war.fleets["D1"]
    fleet.at = name
    fleets.send(today, fleet, "invade", name)
    siege.besiege(today)
    assert today.war.nodes[name].siege is not None


def test_a_port_under_siege_gets_nothing_from_outside(today: Today) -> None:
    besieged(today, "r7")
    node = today.war.nodes["r7"]
    (platform,) = today.war.crews(today.war.fleets["S-r7"])
    today.book.enter("people", 50, f"ship {platform.id}", "node r0")
    today.war.nodes["r0"].population += 50
    platform.fit -= 50
    platform.rounds[0] -= 10
    node.condition = 0.5
    node.stores["materials"] = 10_000.0
    before = (platform.fit, platform.hp, list(platform.rounds))
    yards.tend(today)
    assert (platform.fit, platform.hp, platform.rounds) == before
    assert node.condition == 0.5
    node.siege = None
    yards.tend(today)
    assert platform.fit > before[0]
    assert platform.hp > before[1]
    assert platform.rounds[0] == before[2][0] + 10
    assert node.condition > 0.5


def test_a_seat_under_siege_receives_no_salvage_and_launches_nothing(today: Today) -> None:
    besieged(today, "r0")
    today.war.nodes["r6"].holder = "accord"
    had = today.war.nodes["r0"].stores.get("salvage", 0.0)
    economy._salvage(today)
    assert today.war.nodes["r0"].stores.get("salvage", 0.0) == had
    faction = today.war.factions["accord"]
    faction.builds = [Build("corvette", "r0", today.plan.hulls["corvette"].cost)]
    yards._build(today, faction)
    assert len(faction.builds) == 1
    today.war.nodes["r0"].siege = None
    economy._salvage(today)
    yards._build(today, faction)
    assert today.war.nodes["r0"].stores["salvage"] == had + today.plan.sea.wreck_salvage
    assert faction.builds == []


def test_whoever_takes_a_place_frees_its_own_from_the_cells(today: Today) -> None:
    node, seat = today.war.nodes["r7"], today.war.nodes["r4"]
    besieged(today, "r7")
    marines = today.war.crews(today.war.fleets["D1"])[0]
    marines.fit -= 30
    today.book.enter("people", 30, f"ship {marines.id}", "cells r7")
    node.prisoners["dominion"] = 30
    had = seat.population
    assert node.siege is not None
    node.siege.control = 0.999
    for _ in range(20):
        siege.besiege(today)
    assert node.holder == "dominion"
    assert (node.prisoners["dominion"], seat.population) == (0, had + 30)
    today.book.reconcile()
