"""No fleet slips through another: whoever reaches a node in the evening lies there till morning."""

from __future__ import annotations

import pytest
import stand_in

from astrarium.campaign import encounters, fleets, relations, siege
from astrarium.campaign.beginning import begin
from astrarium.campaign.day import live
from astrarium.campaign.plan import Plan
from astrarium.campaign.state import War
from astrarium.campaign.supplies import ship_need
from astrarium.campaign.today import Today

SEEDS = (1, 2, 3)
DAYS = 365


def sent(today: Today, kind: str, goal: str, evenings: int) -> None:
    """The Home Fleet on its way from its port, after so many days."""
    fleets.send(today, today.war.fleets["A1"], kind, goal)
    for _ in range(evenings):
        fleets.move(today)


def test_a_fleet_lies_at_a_node_on_its_way_and_sails_on(today: Today) -> None:
    fleet = today.war.fleets["A1"]
    sent(today, "guard", "r2", 1)
    assert fleet.at == ""
    fleets.move(today)
    between = fleet.at
    assert between not in ("", "r0", "r2")
    assert (fleet.passing, fleet.path[0], fleet.path[-1]) == (True, between, "r2")
    fleets.move(today)
    assert (fleet.at, fleet.passing, fleet.path[0]) == ("", False, between)


def test_a_night_on_the_way_costs_the_fuel_of_a_day_under_way(today: Today) -> None:
    fleet = today.war.fleets["A1"]
    ship = today.war.crews(fleet)[0]
    anchored = ship_need(today, ship, fleet)["fuel"]
    sent(today, "guard", "r2", 2)
    assert fleet.at
    under_way = ship_need(today, ship, fleet)["fuel"]
    assert under_way == anchored * today.plan.shipping.under_way_factor


@pytest.mark.parametrize("kind", ["guard", "raid"])
def test_whoever_lies_at_a_node_stops_a_fleet_that_would_pass(today: Today, kind: str) -> None:
    relations.declare(today, "a test")
    sent(today, kind, "r4-r5" if kind == "raid" else "i2", 2)
    assert today.war.fleets["A1"].passing
    today.war.fleets["D1"].at = "i0"
    (met,) = encounters.meet(today)
    assert (met.kind, met.node) == ("fleet", "i0")


def test_a_platform_stops_a_fleet_that_would_pass(today: Today) -> None:
    relations.declare(today, "a test")
    fleet = today.war.fleets["D1"]
    fleet.at, fleet.path = "", ["r2", "r1", "r0"]
    fleets.send(today, fleet, "invade", "r0")
    fleet.path, fleet.progress = ["r2", "r1", "r0"], 1.0
    fleets.move(today)
    assert (fleet.at, fleet.passing) == ("r1", True)
    (met,) = encounters.meet(today)
    assert (met.kind, met.node) == ("assault", "r1")


def test_whoever_only_passes_plants_no_flag_and_lands_no_troops(today: Today) -> None:
    relations.declare(today, "a test")
    fleet = today.war.fleets["A1"]
    sent(today, "claim", "i1", 2)
    assert (fleet.at, fleet.passing) == ("i0", True)
    relations.plant_flags(today)
    assert today.war.nodes["i0"].holder is None
    invader = today.war.fleets["D1"]
    invader.at, invader.path = "r7", ["r7", "r0"]
    assert invader.mission is None
    fleets.send(today, invader, "invade", "r0")
    invader.at = "r7"
    siege.besiege(today)
    assert today.war.nodes["r7"].siege is None


def test_a_fleet_that_turns_home_where_it_is_at_home_stays(today: Today) -> None:
    fleet = today.war.fleets["A1"]
    fleet.at, fleet.path = "r1", []
    sent(today, "guard", "r7", 2)
    assert (fleet.at, fleet.passing) == ("r0", True)
    fleets.go_home(today, fleet)
    assert (fleet.at, fleet.path) == ("r0", [])
    fleets.move(today)
    assert fleet.mission is None


class Watch:
    """Looks at every meeting of a war: who lay where, and what came of it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.slipped: list[str] = []
        self.faced = 0
        self._where: dict[str, set[str]] = {}
        self._meet = encounters.meet
        monkeypatch.setattr(encounters, "meet", self)

    def __call__(self, today: Today) -> list[encounters.Encounter]:
        self._follow(today)
        lying = self._hostile(today)
        met = self._meet(today)
        fought = {encounter.node for encounter in met}
        withdrew = {one["fleet"] for one in today.records if one["kind"] == "withdrew"}
        for node, names in lying.items():
            self.faced += 1
            if node not in fought and not names & withdrew:
                self.slipped.append(f"day {today.war.day}: {sorted(names)} at {node}")
        return met

    def _follow(self, today: Today) -> None:
        """Between two legs there is an evening at the node that joins them."""
        was, self._where = self._where, {}
        for fleet in today.war.fleets.values():
            if fleet.kind == "battle" and fleet.ships:
                self._where[fleet.id] = set(fleet.leg or (fleet.at,))
                before, now = was.get(fleet.id, self._where[fleet.id]), self._where[fleet.id]
                a_day_off = len(before) == len(now) == 1 and (
                    today.chart.links[min(before)].get(min(now)) == 1
                )
                if not (before <= now or now <= before or a_day_off):
                    self.slipped.append(f"day {today.war.day}: {fleet.id} from {before} to {now}")

    def _hostile(self, today: Today) -> dict[str, set[str]]:
        """Nodes where fleets of both sides lie that could fight."""
        found: dict[str, set[str]] = {}
        if not today.war.relations.at_war:
            return found
        for fleet in today.war.fleets.values():
            able = any(ship.fit for ship in today.war.crews(fleet))
            if fleet.kind == "battle" and fleet.at and able:
                found.setdefault(fleet.at, set()).add(fleet.id)
        sides = {node: {today.war.fleets[n].faction for n in found[node]} for node in found}
        return {node: names for node, names in found.items() if len(sides[node]) > 1}


def immovable(plan: Plan, war: War) -> list[str]:
    """Hulls that cannot move in fleets that do, or away from where they were moored."""
    return [
        f"day {war.day}: {ship.name} in {fleet.name}"
        for fleet in war.fleets.values()
        if fleet.kind != "station"
        for ship in war.crews(fleet)
        if plan.hulls[ship.hull].speed == 0.0
    ]


@pytest.mark.parametrize("seed", SEEDS)
def test_in_a_war_no_hostile_fleets_share_a_node_without_a_fight(
    plan: Plan, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """And no fleet ever holds a hull that cannot move."""
    watch, war = Watch(monkeypatch), begin(plan, seed)
    while war.day < DAYS and not war.ended_by:
        war = live(plan, war, stand_in.fight).war
        assert immovable(plan, war) == []
        for fleet in war.fleets.values():
            assert fleet.leg is None or fleet.leg[0] != fleet.leg[1]
    assert watch.faced, "they met"
    assert watch.slipped == []
