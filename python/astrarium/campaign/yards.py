"""Ports: mending, reloading, manning, healing, building."""

from __future__ import annotations

import math

from astrarium.campaign import fleets
from astrarium.campaign.beginning import new_ship
from astrarium.campaign.book import HULLS, MADE, PEOPLE, USED
from astrarium.campaign.state import Build, Faction, Fleet, Node, Ship
from astrarium.campaign.supplies import in_port
from astrarium.campaign.today import Today


def tend(today: Today) -> None:
    """The work of a day in every port, then on the slips."""
    for node in sorted(today.war.nodes.values(), key=lambda node: node.id):
        if node.holder is None or node.siege is not None:
            continue  # nothing gets past the besiegers
        node.condition = min(1.0, node.condition + today.plan.shipping.repair_per_day)
        if fleets.is_port(today, node):
            for fleet, ship in in_port(today, node):
                _man(today, node, ship)
                if fleet.kind != "prizes" or ship.fit:
                    _mend(today, node, ship)
            _commission_prizes(today, node)
    for faction in today.war.factions.values():
        _build(today, faction)


def _man(today: Today, node: Node, ship: Ship) -> None:
    """Heal the wounded and fill the ranks from the people ashore, the seat's if need be."""
    shipping, hull = today.plan.shipping, today.plan.hulls[ship.hull]
    healed = math.ceil(ship.wounded * shipping.recovery_per_day)
    ship.wounded, ship.fit = ship.wounded - healed, ship.fit + healed
    healed = math.ceil(ship.marines_wounded * shipping.recovery_per_day)
    ship.marines_wounded -= healed
    ship.marines += healed
    ship.fatigue = max(0.0, ship.fatigue - 0.1)
    seat = today.war.nodes[today.plan.faction(ship.faction).seat]
    for source in (node, seat):
        if source.holder != ship.faction or source.siege is not None:
            continue
        for rank, full in (("fit", hull.crew), ("marines", hull.marines)):
            have = getattr(ship, rank)
            lying = ship.wounded if rank == "fit" else ship.marines_wounded
            missing = min(max(0, full - have - lying), source.population)
            today.book.enter(PEOPLE, missing, f"node {source.id}", f"ship {ship.id}")
            source.population -= missing
            setattr(ship, rank, have + missing)


def _mend(today: Today, node: Node, ship: Ship) -> None:
    """Repair, reload and build lost craft again, as far as materials go."""
    shipping, hull = today.plan.shipping, today.plan.hulls[ship.hull]
    spare = today.plan.investment.materials  # a port keeps enough to build works with
    stock = max(0.0, node.stores.get("materials", 0.0) - spare)
    share = min(shipping.repair_per_day, 1.0 - ship.hp)
    price = share * shipping.rebuild_share * hull.cost
    if share > 0.0 and price > 0.0:
        done = min(1.0, stock / price)
        today.book.move("materials", price * done, f"node {node.id}", USED)
        ship.hp = min(1.0, ship.hp + share * done)
    for slot, (weapon, full) in enumerate(zip(hull.weapons, hull.rounds, strict=True)):
        missing = full - ship.rounds[slot]
        each = shipping.reload_materials[weapon]
        if missing <= 0:
            continue
        stock = max(0.0, node.stores.get("materials", 0.0) - spare)
        loaded = missing if each == 0.0 else min(missing, int(stock / each))
        today.book.move("materials", loaded * each, f"node {node.id}", USED)
        ship.rounds[slot] += loaded
    for number, craft in enumerate(ship.craft):
        stock = max(0.0, node.stores.get("materials", 0.0) - spare)
        built = min(shipping.squadron_craft - craft, int(stock / shipping.craft_materials))
        today.book.move("materials", built * shipping.craft_materials, f"node {node.id}", USED)
        ship.craft[number] += built
    ship.decoys = 8 if hull.mounts else 0


def _commission_prizes(today: Today, node: Node) -> None:
    """Prizes with a crew join a fleet that lies in port, transports a convoy."""
    here = [(f, s) for f, s in in_port(today, node) if f.kind == "prizes" and s.fit]
    for prizes, ship in here:
        home = _berth(today, ship.faction, node.id, ship.hull)
        if home is not None:
            prizes.ships.remove(ship.id)
            home.ships.append(ship.id)
            today.tell("commissioned", f"{ship.name} joins {home.name}", fleet=home.id)


def _berth(today: Today, faction: str, node: str, hull: str) -> Fleet | None:
    """The fleet a new ship joins: in this port the weakest, or an empty one formed again here."""
    war = today.war
    if hull == "transport":
        convoys = war.fleets_of(faction, "convoy")
        return min(convoys, key=lambda fleet: (len(fleet.ships), fleet.id), default=None)
    own = war.fleets_of(faction)
    here = [fleet for fleet in own if fleet.at == node and fleet.ships and fleet.mission is None]
    if here:
        return min(here, key=lambda fleet: (today.strength(fleet), fleet.id))
    for fleet in own:
        if not fleet.ships:
            fleet.at, fleet.home, fleet.path, fleet.mission = node, node, [], None
            return fleet
    number = len(own) + 1
    low, high = today.plan.morale.leadership
    fleet = Fleet(
        id=f"{faction[0].upper()}{number}",
        name=f"{today.place(node)} Squadron {number}",
        faction=faction,
        kind="battle",
        home=node,
        ships=[],
        leadership=today.draws.between(low, high, node, f"leadership {number}"),
        at=node,
    )
    war.fleets[fleet.id] = fleet
    return fleet


def _build(today: Today, faction: Faction) -> None:
    """Put build points into the oldest order first."""
    for build in list(faction.builds):
        cost = today.plan.hulls[build.hull].cost
        spent = min(faction.build_points, cost - build.points)
        faction.build_points -= spent
        build.points += spent
        if build.points >= cost - 1e-9:
            _launch(today, faction, build)


def _launch(today: Today, faction: Faction, build: Build) -> None:
    """Man and commission a finished ship; without a crew or a berth it waits on the slip.

    Its people come from the nearest of their own, since nobody lives at a land yard.
    """
    node, hull = today.war.nodes[build.node], today.plan.hulls[build.hull]
    if node.holder != faction.id or node.siege is not None:
        return
    source = fleets.nearest(today, faction.id, node.id)
    if source.population < hull.people or source.siege is not None:
        return
    home = _berth(today, faction.id, node.id, build.hull)
    if home is None:
        return
    faction.builds.remove(build)
    today.book.enter("build points", build.points, f"yards {faction.id}", USED)
    ship = new_ship(today, faction.id, build.hull)
    today.war.ships[ship.id] = ship
    home.ships.append(ship.id)
    today.book.enter(HULLS, 1, MADE, f"faction {faction.id}")
    today.book.enter(PEOPLE, hull.people, f"node {source.id}", f"ship {ship.id}")
    source.population -= hull.people
    ship.fit, ship.marines = hull.crew, hull.marines
    text = f"{ship.name} is launched and joins {home.name}"
    today.tell("launched", text, faction=faction.id, node=node.id)
