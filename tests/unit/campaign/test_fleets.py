"""Fleets: how long they take, where they wait, and what happens where they meet."""

import pytest
import stand_in

from astrarium.campaign import aftermath, encounters, fleets, packages, relations, siege
from astrarium.campaign.day import Battle
from astrarium.campaign.today import Today
from astrarium.worlds.tidebreak.result import BattleResult


def days_to_arrive(today: Today, name: str, goal: str) -> int:
    fleet = today.war.fleets[name]
    fleets.send(today, fleet, "guard", goal)
    for day in range(1, 20):
        fleets.move(today)
        if fleet.at == goal:
            return day
    raise AssertionError("it never arrived")


@pytest.mark.parametrize("goal", ["r1", "i0", "r2", "i3"])
def test_a_fleet_takes_as_long_as_its_links(today: Today, goal: str) -> None:
    assert days_to_arrive(today, "A1", goal) == today.chart.distance("r0", goal)


def test_a_raider_waits_in_the_middle_of_the_link(today: Today) -> None:
    fleet = today.war.fleets["D1"]
    fleets.send(today, fleet, "raid", "r0-r1")
    for _ in range(12):
        fleets.move(today)
        if fleet.lurking:
            break
    assert fleet.lurking
    assert fleet.leg is not None
    assert set(fleet.leg) == {"r0", "r1"}
    assert fleet.progress == 1.0


def test_a_fleet_turns_round_by_the_shorter_way(today: Today) -> None:
    fleet = today.war.fleets["A1"]
    fleets.send(today, fleet, "guard", "r1")
    fleets.move(today)
    fleets.go_home(today, fleet)
    fleets.move(today)
    assert fleet.at in ("r0", "r1")


def at_war(today: Today, node: str = "r2") -> encounters.Encounter:
    """Both main fleets at one node, at war."""
    relations.declare(today, "a test")
    for name in ("A1", "D1"):
        today.war.fleets[name].at = node
        fleets.send(today, today.war.fleets[name], "claim", node)
    (met,) = encounters.meet(today)
    return met


def test_hostile_fleets_on_one_node_fight_and_friends_do_not(today: Today) -> None:
    for name in ("A1", "D1"):
        today.war.fleets[name].at = "r2"
    assert encounters.meet(today) == []
    assert at_war(today).kind == "fleet"


def on_the_route(today: Today, *guards: str) -> encounters.Encounter:
    """A raider on a route of the Accord, in peace, and whoever was sent to guard it."""
    today.war.nodes["r1"].stores |= {"food": 0.0, "water": 0.0, "fuel": 0.0}
    today.war.relations.treaties = {"trade": 1}
    for name in ("D1", *guards):
        fleet = today.war.fleets[name]
        fleet.at, fleet.path, fleet.progress, fleet.lurking = "", ["r0", "r1"], 1.0, True
    for day in range(1, 50):
        object.__setattr__(today.draws, "day", day)
        if met := encounters.meet(today):
            return met[0]
    raise AssertionError("nobody found anybody")


@pytest.mark.parametrize(("guards", "kind"), [((), "convoy"), (("A1",), "fleet")])
def test_whoever_raids_in_peace_breaks_treaties_and_is_not_forgiven(
    today: Today, guards: tuple[str, ...], kind: str
) -> None:
    before = today.war.relations.disposition
    assert on_the_route(today, *guards).kind == kind
    assert today.war.relations.treaties == {}
    assert today.war.relations.disposition <= before - 0.3 - 0.2 + 1e-9
    told = [record["text"] for record in today.records if record["kind"] == "disposition"]
    assert any("Iron Dominion broke the trade treaty" in text for text in told)


def test_the_outmatched_sometimes_slip_away(today: Today) -> None:
    relations.declare(today, "a test")
    weak = today.war.fleets["A1"]
    withdrawn = 0
    for day in range(200):
        weak.ships = weak.ships[:1]
        weak.at = today.war.fleets["D1"].at = "r2"
        weak.path, weak.mission = [], None
        object.__setattr__(today.draws, "day", day)
        withdrawn += not encounters.meet(today)
    assert 70 <= withdrawn <= 130


def test_a_package_holds_the_ships_as_they_are(today: Today) -> None:
    met = at_war(today)
    hurt = today.war.ships[today.war.fleets["A1"].ships[0]]
    hurt.hp, hurt.fit, hurt.wounded, hurt.rounds[0] = 0.5, 200, 20, 7
    package = packages.pack(today, met)
    sent = {ship.ship_id: ship for ship in package.ships}
    assert len(sent) == sum(len(f.ships) for group in met.sides.values() for f in group)
    ship = sent[hurt.id]
    assert ship.initial_state.hp == 0.5 * today.plan.hulls[hurt.hull].hp
    assert (ship.crew.fit, ship.crew.wounded) == (200, 20)
    assert ship.weapons[0].rounds_loaded == 7
    assert ship.fuel_t == hurt.stores["fuel"]
    assert ship.cargo == {}, "what its crew lives on is no cargo"


def fight(today: Today, met: encounters.Encounter) -> Battle:
    package = packages.pack(today, met)
    result = BattleResult.model_validate(stand_in.outcome(package))
    aftermath.apply(today, met, package, result)
    return Battle(met.id, {}, package, result)


def test_after_a_battle_everybody_is_somewhere(today: Today) -> None:
    battle = fight(today, at_war(today))
    today.book.reconcile()
    fates = {outcome.ship_id: outcome.fate for outcome in battle.result.ships}
    assert "DESTROYED" in fates.values()
    for name, fate in fates.items():
        assert (name in today.war.ships) == (fate != "DESTROYED")
        if fate == "CAPTURED":
            assert today.war.ships[name].faction == battle.result.winner_team_id
    assert today.war.dead == sum(
        people.killed
        for outcome in battle.result.ships
        for people in (outcome.crew, outcome.marines, outcome.passengers)
    )


def test_the_beaten_withdraw_to_a_port_of_their_own(today: Today) -> None:
    battle = fight(today, at_war(today))
    beaten = today.plan.enemy(str(battle.result.winner_team_id))
    fleet = today.war.fleets["A1" if beaten == "accord" else "D1"]
    assert fleet.mission is not None
    assert fleet.mission.kind == "return"
    assert today.war.nodes[fleet.mission.target].holder == beaten


def landed(today: Today, node: str) -> None:
    relations.declare(today, "a test")
    fleet = today.war.fleets["D1"]
    fleet.at = node
    fleets.send(today, fleet, "invade", node)
    siege.besiege(today)


def test_a_siege_shifts_by_the_ratio_and_a_platform_falls(today: Today) -> None:
    landed(today, "r7")
    node = today.war.nodes["r7"]
    assert node.siege is not None
    for _ in range(40):
        siege.besiege(today)
        if node.holder == "dominion":
            break
    assert node.holder == "dominion"
    assert today.war.ships[today.war.fleets["S-r7"].ships[0]].faction == "dominion"
    assert today.war.nodes["r4"].prisoners["accord"] == 180
    today.book.reconcile()


def test_a_landing_too_weak_is_thrown_back(today: Today) -> None:
    for ship in today.war.crews(today.war.fleets["D1"]):
        today.war.nodes["r4"].population += ship.marines
        today.book.enter("people", ship.marines, f"ship {ship.id}", "node r4")
        ship.marines = 0
    first = today.war.crews(today.war.fleets["D1"])[0]
    first.marines = 20
    today.war.nodes["r4"].population -= 20
    today.book.enter("people", 20, "node r4", f"ship {first.id}")
    landed(today, "r0")
    for _ in range(40):
        siege.besiege(today)
    assert today.war.nodes["r0"].siege is None
    assert today.war.nodes["r0"].holder == "accord"
    today.book.reconcile()


def test_the_fall_of_a_seat_ends_the_war(today: Today) -> None:
    for ship in today.war.crews(today.war.fleets["S-r0"]):
        today.book.enter("people", ship.marines, f"ship {ship.id}", "node r0")
        today.war.nodes["r0"].population += ship.marines
        ship.marines = 0
    today.war.factions["accord"].legitimacy = 0.1
    today.war.fleets["A1"].at = "r2"
    landed(today, "r0")
    for _ in range(60):
        siege.besiege(today)
        if today.war.ended_by:
            break
    assert (today.war.winner, today.war.ended_by) == ("dominion", "seat_fell")
    assert today.war.factions["accord"].legitimacy == 0.15
    today.book.reconcile()
