"""Making and using: facilities turn one thing into another, people and ships use it up."""

from __future__ import annotations

from typing import Final

from astrarium.campaign.book import MADE, SPOILED, USED
from astrarium.campaign.plan import Facility
from astrarium.campaign.state import Faction, Fleet, Node, Ship
from astrarium.campaign.supplies import VITAL, ashore_need, in_port, ship_need
from astrarium.campaign.today import Today

_ENOUGH_DAYS: Final = 90.0
"""A facility rests while this much of what it makes is in store."""
_SCARCE_DAYS: Final = 15.0


def produce(today: Today) -> None:
    """Let every facility work, wrecks give their salvage to the seat of their holder."""
    for faction in today.war.factions.values():
        points = 0.0
        for node in today.war.nodes_of(faction.id):
            for kind, facility in today.plan.facilities.items():
                if count := node.facilities.get(kind, 0):
                    points += _work(today, faction, node, facility, count)
        faction.build_points += points
        today.book.enter("build points", points, MADE, f"yards {faction.id}")
    _salvage(today)


def efficiency(today: Today, faction: Faction, node: Node) -> float:
    """How well a facility works."""
    rules = today.plan.governance
    weak = rules.weak_efficiency if faction.legitimacy < rules.weak else 1.0
    return (0.5 + 0.5 * faction.legitimacy) * weak * node.condition * faction.supply_factor


def _work(today: Today, faction: Faction, node: Node, facility: Facility, count: int) -> float:
    """Run facilities of one kind; returns the build points they made."""
    if not _wanted(today, faction, facility):
        return 0.0
    runs = count * efficiency(today, faction, node)
    for resource, amount in facility.inputs.items():
        # The yards leave enough to build works with.
        kept = today.plan.investment.materials if facility.build_points else 0.0
        stock = node.stores.get(resource, 0.0) - (kept if resource == "materials" else 0.0)
        runs = min(runs, max(0.0, stock) / amount)
    place = f"node {node.id}"
    for resource, amount in facility.inputs.items():
        today.book.move(resource, runs * amount, place, USED)
    for resource, amount in facility.outputs.items():
        today.book.move(resource, runs * amount, MADE, place)
    return runs * facility.build_points


def _wanted(today: Today, faction: Faction, facility: Facility) -> bool:
    """Whether what it makes is worth what it takes."""
    if facility.build_points:
        ordered = sum(today.plan.hulls[build.hull].cost - build.points for build in faction.builds)
        return faction.build_points < ordered
    days = faction.supply_days
    made = min((days.get(resource, 0.0) for resource in facility.outputs), default=0.0)
    if made >= _ENOUGH_DAYS:
        return False
    taken = min((days.get(resource, _ENOUGH_DAYS) for resource in facility.inputs), default=0.0)
    return taken >= _SCARCE_DAYS or taken >= made


def _salvage(today: Today) -> None:
    """A wreck in dispute gives nothing, and a seat under siege receives nothing."""
    for node in today.plan.nodes:
        state = today.war.nodes[node.id]
        if node.wreck and state.holder and not state.contested_since:
            seat = today.war.nodes[today.plan.faction(state.holder).seat]
            if seat.holder == state.holder and seat.siege is None:
                today.book.move("salvage", today.plan.sea.wreck_salvage, MADE, f"node {seat.id}")


def consume(today: Today) -> None:
    """Feed everybody, fill the ships in port, burn their fuel, let food spoil."""
    for faction in today.war.factions.values():
        short: set[str] = set()
        for node in today.war.nodes_of(faction.id):
            short |= _feed(today, node)
            _fill_ships(today, node)
        for fleet in sorted(today.war.fleets.values(), key=lambda fleet: fleet.id):
            if fleet.faction == faction.id:
                for ship in today.war.crews(fleet):
                    short |= _live_aboard(today, fleet, ship)
        faction.short = sorted(short)
        if short:
            words = " and ".join(faction.short)
            today.tell(
                "shortage", f"{today.name(faction.id)} is short of {words}", faction=faction.id
            )
    for node in today.war.nodes.values():
        spoiled = node.stores.get("food", 0.0) * today.plan.economy.food_spoilage
        today.book.move("food", spoiled, f"node {node.id}", SPOILED)


def _feed(today: Today, node: Node) -> set[str]:
    """Let the people of a node eat and drink; returns what there was too little of."""
    short: set[str] = set()
    for resource, need in ashore_need(today, node).items():
        if resource == "fuel":
            continue  # life support took its share when it worked
        eaten = today.book.move(resource, need, f"node {node.id}", USED)
        if node.population and eaten < need:
            short.add(resource)
    return short


def _fill_ships(today: Today, node: Node) -> None:
    """Unload what ships have too much of and fill them up, as far as the port can spare it."""
    economy = today.plan.economy
    reserve = {
        resource: need * economy.port_reserve_days
        for resource, need in ashore_need(today, node).items()
    }
    for fleet, ship in in_port(today, node):
        hull = today.plan.hulls[ship.hull]
        need = ship_need(today, ship, fleet)
        anchored = today.plan.shipping.fuel_per_day[hull.size]
        full = {
            "food": need["food"] * economy.ship_provision_days,
            "water": need["water"] * economy.ship_provision_days,
            "fuel": min(hull.fuel_t, anchored * economy.ship_bunker_days),
        }
        for resource in sorted(ship.stores):
            # What a convoy brought back, or provisions for more people than are left.
            over = max(0.0, ship.stores[resource] - full.get(resource, 0.0))
            today.book.move(resource, over, f"ship {ship.id}", f"node {node.id}")
        for resource in VITAL:
            spare = max(0.0, node.stores.get(resource, 0.0) - reserve[resource])
            room = max(0.0, full[resource] - ship.stores.get(resource, 0.0))
            today.book.move(resource, min(spare, room), f"node {node.id}", f"ship {ship.id}")


def _live_aboard(today: Today, fleet: Fleet, ship: Ship) -> set[str]:
    """Let a ship eat, drink and burn; returns what those aboard had too little of."""
    short: set[str] = set()
    for resource, need in ship_need(today, ship, fleet).items():
        used = today.book.move(resource, need, f"ship {ship.id}", USED)
        if ship.people and used < need:
            short.add(resource)
    return short
