"""Yards: what is built where, who mans it, and what is made whole again in port."""

import json

import pytest

from astrarium import _native
from astrarium.campaign import choices, decisions, fleets, packages, relations, yards
from astrarium.campaign.encounters import meet
from astrarium.campaign.state import Build, Decision, Faction
from astrarium.campaign.today import Today

LAND_YARD = "r3"


def wish(today: Today, faction: str) -> choices.Option:
    """What a faction would have built now."""
    asked = today.war.factions[faction]
    made = choices._reinforce(today, asked, choices.goals_of(today, asked))
    return [option for option in made if option.kind != "transport"][-1]


def order(today: Today, faction: str, hull: str, node: str) -> Faction:
    """A faction in whose name a ship was just ordered."""
    ordering = today.war.factions[faction]
    due = today.war.day
    ordering.queue = [Decision("reinforce", hull, node, "", due, due)]
    decisions.carry_out(today)
    return ordering


def finished(today: Today, faction: Faction) -> None:
    """Let everything on the slips be ready."""
    for build in faction.builds:
        missing = today.plan.hulls[build.hull].cost - build.points
        today.book.enter("build points", missing, "made", f"yards {faction.id}")
        faction.build_points += missing


def test_large_hulls_are_wanted_where_a_land_yard_is_held(today: Today) -> None:
    landbound = today.plan.shipping.land_yard_only
    # So many are wanted that nothing else comes first.
    today.plan = today.plan.model_copy(update={"wanted": {"frigate": 1.0, "dreadnought": 99.0}})
    ours, theirs = wish(today, "dominion"), wish(today, "accord")
    assert (ours.kind in landbound, ours.target) == (True, LAND_YARD)
    assert (theirs.kind in landbound, theirs.target) == (False, "r0")
    today.war.nodes[LAND_YARD].holder = "accord"
    assert wish(today, "accord").target == LAND_YARD
    assert wish(today, "dominion").target == "r4"


def test_a_large_hull_comes_after_many_small_ones(today: Today) -> None:
    faction, plan = today.war.factions["dominion"], today.plan
    laid_down = list[str]()
    for _ in range(12):
        hull = choices._missing_most(today, faction, large=True)
        faction.builds.append(Build(hull, "r4", 0.0))
        laid_down.append(hull)
    large = [hull in plan.shipping.land_yard_only for hull in laid_down]
    assert not large[0]
    assert 0 < sum(large) < 4


@pytest.mark.parametrize(("node", "laid_down"), [("r4", 0), (LAND_YARD, 1)])
def test_a_large_hull_is_laid_down_at_a_land_yard_only(
    today: Today, node: str, laid_down: int
) -> None:
    assert len(order(today, "dominion", "dreadnought", node).builds) == laid_down
    assert len(order(today, "dominion", "frigate", node).builds) == laid_down + 1


def test_a_ship_from_a_land_yard_is_manned_by_the_nearest_of_its_people(today: Today) -> None:
    assert today.war.nodes[LAND_YARD].population == 0
    ashore = today.war.nodes["r4"].population
    faction = order(today, "dominion", "dreadnought", LAND_YARD)
    finished(today, faction)
    yards.tend(today)
    (ship,) = (ship for ship in today.war.ships.values() if ship.hull == "dreadnought")
    hull = today.plan.hulls["dreadnought"]
    assert (ship.fit, ship.marines) == (hull.crew, hull.marines)
    assert today.war.nodes["r4"].population == ashore - hull.people
    (fleet,) = (fleet for fleet in today.war.fleets.values() if ship.id in fleet.ships)
    assert (fleet.kind, fleet.at) == ("battle", LAND_YARD)
    assert faction.builds == []
    today.book.reconcile()


def test_a_ship_without_people_to_man_it_waits_on_the_slip(today: Today) -> None:
    faction = order(today, "dominion", "carrier", LAND_YARD)
    finished(today, faction)
    today.war.nodes["r4"].population = 3279
    formed = set(today.war.fleets)
    yards._build(today, faction)
    assert [build.hull for build in faction.builds] == ["carrier"]
    assert set(today.war.fleets) == formed
    today.war.nodes["r4"].population = 3280
    yards._build(today, faction)
    assert faction.builds == []


def test_a_land_yard_that_fell_builds_nothing_for_those_who_lost_it(today: Today) -> None:
    faction = today.war.factions["dominion"]
    faction.builds = [Build("dreadnought", LAND_YARD, today.plan.hulls["dreadnought"].cost)]
    today.war.nodes[LAND_YARD].holder = "accord"
    yards._build(today, faction)
    assert len(faction.builds) == 1


def test_lost_craft_are_built_again_in_port_as_far_as_materials_go(today: Today) -> None:
    faction = order(today, "dominion", "carrier", LAND_YARD)
    finished(today, faction)
    yards.tend(today)
    (ship,) = (ship for ship in today.war.ships.values() if ship.hull == "carrier")
    node, rules = today.war.nodes[LAND_YARD], today.plan.shipping
    ship.craft = [8, 5, 0, 8]
    spare = today.plan.investment.materials
    node.stores["materials"] = spare + 4 * rules.craft_materials
    yards._mend(today, node, ship)
    assert ship.craft == [8, 8, 1, 8]
    assert node.stores["materials"] == pytest.approx(spare)
    node.stores["materials"] = 10_000.0
    yards._mend(today, node, ship)
    assert ship.craft == [8, 8, 8, 8]


def test_a_carrier_takes_its_squadrons_to_battle(today: Today) -> None:
    faction = order(today, "dominion", "carrier", LAND_YARD)
    finished(today, faction)
    yards.tend(today)
    relations.declare(today, "a test")
    (ship,) = (ship for ship in today.war.ships.values() if ship.hull == "carrier")
    ship.craft = [8, 0, 3, 8]
    carrying = next(f for f in today.war.fleets.values() if ship.id in f.ships)
    for fleet in (carrying, today.war.fleets["A1"]):
        fleet.at = "r2"
        fleets.send(today, fleet, "claim", "r2")
    (met,) = meet(today)
    (sent,) = (one for one in packages.pack(today, met).ships if one.ship_id == ship.id)
    assert [(one.squadron_id, one.craft, one.mission) for one in sent.squadrons] == [
        (f"{ship.id}-0", 8, "cap"),
        (f"{ship.id}-2", 3, "scout"),
        (f"{ship.id}-3", 8, "asw"),
    ]


def test_the_squadrons_of_a_whole_carrier_have_the_missions_the_arena_gives_them() -> None:
    whole = json.loads(_native.tidebreak_classes()["carrier"])["squadrons"]
    assert [one["mission"] for one in whole] == list(packages._MISSIONS)
