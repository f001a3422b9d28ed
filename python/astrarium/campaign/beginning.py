"""The first morning: a war as its plan begins it."""

from __future__ import annotations

import math

from astrarium.campaign.book import Book
from astrarium.campaign.charts import Chart
from astrarium.campaign.draws import Draws
from astrarium.campaign.plan import FactionPlan, Plan
from astrarium.campaign.state import (
    Bloc,
    Faction,
    Fleet,
    Node,
    Relations,
    Ship,
    War,
)
from astrarium.campaign.supplies import VITAL, node_need, ship_need, take_stock
from astrarium.campaign.today import Today


def begin(plan: Plan, seed: int, doctrines: dict[str, str] | None = None) -> War:
    """The war on the evening before its first day."""
    opening = plan.opening
    war = War(
        seed=seed,
        day=0,
        nodes={node.id: _empty_node(plan, node.id) for node in plan.nodes},
        factions={},
        fleets={},
        ships={},
        relations=Relations(opening.disposition, at_war=False, treaties={}),
    )
    today = Today(plan, war, Chart.of(plan), Book(war), Draws(seed, 0))
    for faction in plan.factions:
        war.factions[faction.id] = Faction(
            id=faction.id,
            doctrine=(doctrines or {}).get(faction.id, faction.doctrine),
            government=faction.government,
            legitimacy=opening.legitimacy,
            capital=opening.political_capital,
            points=opening.action_points,
            blocs={name: Bloc(0.5, 0.2) for name in plan.blocs},
        )
        _settle(today, faction)
        _launch(today, faction)
        _lay_up(today, faction)
    take_stock(today)
    return war


def new_ship(today: Today, faction: str, hull: str) -> Ship:
    """A sound ship with full magazines, nobody aboard and nothing in store."""
    owner, built = today.war.factions[faction], today.plan.hulls[hull]
    owner.ships_named += 1
    number = f"{faction[0].upper()}{owner.ships_named:03d}"
    return Ship(
        id=number,
        name=f"{hull.replace('_', ' ')} {number}",
        hull=hull,
        faction=faction,
        hp=1.0,
        rounds=built.rounds,
        decoys=8 if built.mounts else 0,
        craft=[today.plan.shipping.squadron_craft] * built.squadrons,
        fit=0,
        wounded=0,
        marines=0,
        marines_wounded=0,
        fatigue=0.0,
        stores={},
    )


def _empty_node(plan: Plan, name: str) -> Node:
    return Node(
        id=name,
        holder=None,
        population=0,
        stores=dict.fromkeys(plan.resources, 0.0),
        facilities={},
        condition=1.0,
        land_yard=any(name in faction.land_yards for faction in plan.factions),
        prisoners={},
    )


def _settle(today: Today, faction: FactionPlan) -> None:
    """Take the nodes a faction holds, moor its stations, house its people."""
    held = [*faction.stations, *(yard for yard in faction.land_yards)]
    for name in held:
        node = today.war.nodes[name]
        node.holder = faction.id
        node.facilities = dict(faction.facilities.get(name, {}))
        if hull := faction.stations.get(name):
            node.population = today.plan.hulls[hull].civilians
            title = f"{today.place(name)} {hull}"
            _form(today, faction.id, "station", f"S-{name}", title, name, {hull: 1})


def _launch(today: Today, faction: FactionPlan) -> None:
    for fleet in faction.fleets:
        _form(today, faction.id, "battle", fleet.id, fleet.name, fleet.at, fleet.ships)
    for convoy in faction.convoys:
        home = convoy.route[0]
        made = _form(today, faction.id, "convoy", convoy.id, convoy.name, home, convoy.ships)
        made.route = list(convoy.route)


def _form(
    today: Today, faction: str, kind: str, name: str, title: str, at: str, hulls: dict[str, int]
) -> Fleet:
    low, high = today.plan.morale.leadership
    ships: list[str] = []
    for hull, count in hulls.items():
        for _ in range(count):
            ship = new_ship(today, faction, hull)
            ship.fit = today.plan.hulls[hull].crew
            ship.marines = today.plan.hulls[hull].marines
            today.war.ships[ship.id] = ship
            ships.append(ship.id)
    fleet = Fleet(
        id=name,
        name=title,
        faction=faction,
        kind=kind,
        home=at,
        ships=ships,
        leadership=today.draws.between(low, high, name, "leadership"),
        at=at,
    )
    today.war.fleets[name] = fleet
    return fleet


def _lay_up(today: Today, faction: FactionPlan) -> None:
    """Fill stores for the days a war opens with: what is used, made into ships, or given away."""
    plan, days = today.plan, today.plan.opening.stock_days
    for fleet in today.war.fleets.values():
        if fleet.faction == faction.id:
            for ship in today.war.crews(fleet):
                _provision(today, fleet, ship)
    for node in today.war.nodes_of(faction.id):
        for resource, need in node_need(today, node).items():
            node.stores[resource] = need * days
        for kind, count in node.facilities.items():
            for resource, amount in plan.facilities[kind].inputs.items():
                if resource not in VITAL or kind == "factory":
                    node.stores[resource] += amount * count * days
    seat = today.war.nodes[faction.seat]
    people = math.fsum(node.population for node in today.war.nodes_of(faction.id))
    seat.stores["luxuries"] = people * plan.economy.luxuries_per_person * days


def _provision(today: Today, fleet: Fleet, ship: Ship) -> None:
    economy, hull = today.plan.economy, today.plan.hulls[ship.hull]
    need = ship_need(today, ship, fleet)
    anchored = today.plan.shipping.fuel_per_day[hull.size]
    ship.stores = {
        "food": need["food"] * economy.ship_provision_days,
        "water": need["water"] * economy.ship_provision_days,
        "fuel": min(hull.fuel_t, anchored * economy.ship_bunker_days),
    }
