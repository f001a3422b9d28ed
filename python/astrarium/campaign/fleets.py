"""Fleets under way: orders, legs, lying in wait, and going home when it is time."""

from __future__ import annotations

from typing import Final

from astrarium.campaign.state import Fleet, Mission, Node
from astrarium.campaign.supplies import fleet_days
from astrarium.campaign.today import Today

RAID_DAYS: Final = 25
"""A raider goes home after this many days out."""
GUARD_DAYS: Final = 12
_MARGIN_DAYS: Final = 4.0
_LEAN_DAYS: Final = 10.0
"""A port that cannot keep a fleet supplied for so long sends it to the seat."""
READY_HP: Final = 0.7
"""A fleet in port is sent out again from this share of its hulls."""


def send(today: Today, fleet: Fleet, kind: str, target: str) -> None:
    """Set a fleet on its way to a node, or to a link written `a-b`."""
    fleet.mission = Mission(kind, target, today.war.day)
    fleet.lurking = False
    ends = target.split("-")
    if len(ends) == 1:
        _head_for(today, fleet, target)
    else:
        near, far = sorted(ends, key=lambda end: (_away(today, fleet, end), end))
        _head_for(today, fleet, near)
        fleet.path = [*(fleet.path or [near]), far]
        fleet.at = ""


def go_home(today: Today, fleet: Fleet) -> None:
    """Send a fleet to the nearest port of its own."""
    port = nearest_port(today, fleet)
    send(today, fleet, "return", port.id if port else fleet.home)


def nearest_port(today: Today, fleet: Fleet) -> Node | None:
    """The nearest node of a fleet's side where ships are kept."""
    ports = [node for node in today.war.nodes_of(fleet.faction) if is_port(today, node)]
    return min(ports, key=lambda node: (_away(today, fleet, node.id), node.id), default=None)


def is_port(today: Today, node: Node) -> bool:
    """Whether ships are mended and filled at a node."""
    return node.land_yard or today.war.station(node.id) is not None


def nearest(today: Today, faction: str, place: str) -> Node:
    """The nearest node of a faction where people live, or else any it holds."""
    held = today.war.nodes_of(faction)
    good = [node for node in held if node.population] or held
    start = place.split("-")[0]
    return min(good, key=lambda node: (today.chart.distance(start, node.id), node.id))


def condition(today: Today, fleet: Fleet) -> float:
    """The mean share of its hulls that is left."""
    ships = today.war.crews(fleet)
    return sum(ship.hp for ship in ships) / len(ships) if ships else 0.0


def is_idle(today: Today, fleet: Fleet) -> bool:
    """Whether a fleet lies in port, ready to be sent."""
    node = today.war.nodes.get(fleet.at)
    ready = fleet.mission is None and bool(fleet.ships) and node is not None
    if not (ready and node and node.holder == fleet.faction and node.siege is None):
        return False
    return condition(today, fleet) >= READY_HP and fleet_days(today, fleet) > 15.0


def _away(today: Today, fleet: Fleet, goal: str) -> float:
    """Days from where a fleet is to a node."""
    if fleet.at:
        return today.chart.distance(fleet.at, goal)
    a, b = fleet.path[0], fleet.path[1]
    length = today.chart.days(a, b)
    back = fleet.progress + today.chart.distance(a, goal)
    return min(back, length - fleet.progress + today.chart.distance(b, goal))


def _head_for(today: Today, fleet: Fleet, goal: str) -> None:
    if fleet.at:
        way = today.chart.way(fleet.at, goal)
        fleet.path, fleet.progress = [], 0.0
        if len(way) > 1:
            fleet.path, fleet.at = way, ""
        return
    a, b = fleet.path[0], fleet.path[1]
    length = today.chart.days(a, b)
    back = fleet.progress + today.chart.distance(a, goal)
    if back < length - fleet.progress + today.chart.distance(b, goal):
        a, b, fleet.progress = b, a, length - fleet.progress
    fleet.path = [a, *today.chart.way(b, goal)]


def move(today: Today) -> None:
    """The movement part of a day."""
    for fleet in sorted(today.war.fleets.values(), key=lambda fleet: fleet.id):
        if fleet.kind == "battle":
            _look_after(today, fleet)
            if fleet.path and not fleet.lurking:
                _sail(today, fleet)


def _look_after(today: Today, fleet: Fleet) -> None:
    """What a fleet's admiral does without asking anybody."""
    mission = fleet.mission
    if mission is None:
        node = today.war.nodes.get(fleet.at)
        if node is None or node.holder != fleet.faction or not is_port(today, node):
            go_home(today, fleet)
        elif fleet.ships and fleet_days(today, fleet) < _LEAN_DAYS:
            seat = today.plan.faction(fleet.faction).seat
            if today.war.nodes[seat].holder == fleet.faction and fleet.at != seat:
                send(today, fleet, "return", seat)
        return
    if mission.kind == "return":
        node = today.war.nodes.get(fleet.at)
        if fleet.passing:
            return
        if node is not None and node.holder == fleet.faction and is_port(today, node):
            fleet.mission = None
        elif fleet.at:
            go_home(today, fleet)
        return
    port = nearest_port(today, fleet)
    # Days at anchor go by faster once under way; a fleet at sea counts in those already.
    rate = 1.0 if fleet.under_way else today.plan.shipping.under_way_factor
    home = _away(today, fleet, port.id) * rate if port else 0.0
    worn = condition(today, fleet) < today.plan.shipping.fit_hp
    if worn or fleet_days(today, fleet) < home + _MARGIN_DAYS or _is_done(today, fleet, mission):
        go_home(today, fleet)


def _is_done(today: Today, fleet: Fleet, mission: Mission) -> bool:
    war = today.war
    out = war.day - mission.since
    if mission.kind == "claim":
        held = war.nodes[mission.target].holder == fleet.faction
        disputed = bool(war.nodes[mission.target].contested_since)
        return (held and not disputed) or out > RAID_DAYS
    if mission.kind == "invade":
        return war.nodes[mission.target].holder == fleet.faction or not war.relations.at_war
    return out > (RAID_DAYS if mission.kind == "raid" else GUARD_DAYS)


def _sail(today: Today, fleet: Fleet) -> None:
    """A day under way. It ends at the next node, since whoever lies there may bar the way."""
    ships = today.war.crews(fleet)
    dry = any(ship.stores.get("fuel", 0.0) <= 0.0 for ship in ships)
    fleet.at = ""
    fleet.progress += 0.5 if dry else 1.0
    length = today.chart.days(*fleet.path[:2])
    mission = fleet.mission
    last = len(fleet.path) == 2
    if last and mission and set(mission.target.split("-")) == set(fleet.path):
        if fleet.progress >= length / 2:
            _lie_in_wait(today, fleet, length / 2)
    elif fleet.progress >= length:
        fleet.at, fleet.progress = fleet.path[1], 0.0
        fleet.path = [] if last else fleet.path[1:]
        if last:
            today.tell(
                "arrived",
                f"{fleet.name} reached {today.place(fleet.at)}",
                faction=fleet.faction,
                fleet=fleet.id,
                node=fleet.at,
            )


def _lie_in_wait(today: Today, fleet: Fleet, progress: float) -> None:
    fleet.progress, fleet.lurking = progress, True
    link = " and ".join(today.place(end) for end in sorted(fleet.path))
    today.tell(
        "lies_in_wait",
        f"{fleet.name} lies in wait between {link}",
        faction=fleet.faction,
        fleet=fleet.id,
    )
