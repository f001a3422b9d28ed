"""Sieges: troops ashore against marines and people, until the place falls or is rid of them."""

from __future__ import annotations

import math

from astrarium.campaign import fleets, relations
from astrarium.campaign.book import HULLS, PEOPLE
from astrarium.campaign.fleets import nearest
from astrarium.campaign.state import Fleet, Node, Siege
from astrarium.campaign.today import Today


def defence(today: Today, node: Node) -> float:
    """What holds a place: its marines, and its people as far as they stand by their rulers."""
    station = today.war.station(node.id)
    marines = sum(ship.marines for ship in today.war.crews(station)) if station else 0
    legitimacy = today.war.factions[node.holder].legitimacy if node.holder else 0.0
    return marines + today.plan.siege.population_share * node.population * legitimacy


def breach_quality(today: Today, node: Node, troops: int) -> float:
    """How good a foothold troops have: their number, defences that are silenced, the docks."""
    station = today.war.station(node.id)
    hulls = today.war.crews(station) if station else []
    silenced = 1.0 - sum(ship.hp for ship in hulls) / len(hulls) if hulls else 1.0
    of_troops, of_silence, of_docks = today.plan.siege.quality
    return of_troops * min(1.0, troops / today.plan.siege.troops_full) + (
        of_silence * silenced + of_docks
    )


def besiege(today: Today) -> None:
    """A day of every siege."""
    for node in sorted(today.war.nodes.values(), key=lambda node: node.id):
        force = _besiegers(today, node)
        if force is None:
            if node.siege is not None:
                node.siege = None
                today.tell("siege_lifted", f"{today.place(node.id)} is free again", node=node.id)
            continue
        _press(today, node, force)


def _besiegers(today: Today, node: Node) -> list[Fleet] | None:
    """The fleets that besiege a node, if nobody is there to stop them."""
    war = today.war
    if node.holder is None or not war.relations.at_war or not fleets.is_port(today, node):
        return None
    here = [f for f in war.fleets.values() if f.kind == "battle" and f.at == node.id and f.ships]
    if any(fleet.faction == node.holder for fleet in here):
        return None
    force = [f for f in here if f.mission and f.mission.kind == "invade" and not f.passing]
    return sorted(force, key=lambda fleet: fleet.id) or None


def _press(today: Today, node: Node, force: list[Fleet]) -> None:
    rules, war = today.plan.siege, today.war
    by = force[0].faction
    troops = sum(ship.marines for fleet in force for ship in war.crews(fleet))
    quality = breach_quality(today, node, troops)
    if node.siege is None:
        node.siege = Siege(by, rules.opening_share * quality, troops, quality)
        text = f"{troops} troops of {today.name(by)} land at {today.place(node.id)}"
        today.tell("landed", text, node=node.id, faction=by)
        return
    attack, hold = troops * quality, defence(today, node)
    ratio = max(1e-3, attack) / max(1e-3, hold)
    node.siege.troops, node.siege.quality = troops, quality
    node.siege.control += rules.shift * math.tanh(math.log(ratio))
    if node.siege.control >= 1.0:
        _fall(today, node, force)
    elif node.siege.control <= 0.0:
        node.siege = None
        text = f"{today.place(node.id)} drives the landing into the sea"
        today.tell("purged", text, node=node.id)
        for fleet in force:
            fleets.go_home(today, fleet)


def _fall(today: Today, node: Node, force: list[Fleet]) -> None:
    war, by = today.war, force[0].faction
    loser = today.plan.enemy(by)
    node.holder, node.siege, node.contested_since = by, None, 0
    _take_station(today, node, by, loser, force)
    _scatter(today, node, loser)
    relations.free(today, node.id, by)
    beaten = war.factions[loser]
    lost = [build for build in beaten.builds if build.node == node.id]
    for build in lost:
        today.book.enter("build points", build.points, f"yards {loser}", "sea")
    beaten.builds = [build for build in beaten.builds if build.node != node.id]
    text = f"{today.place(node.id)} falls to {today.name(by)}"
    today.tell("fell", text, node=node.id, faction=by)
    for fleet in force:
        fleet.mission = None
    if node.id == today.plan.faction(loser).seat:
        beaten.legitimacy = today.plan.siege.fallen_legitimacy
        war.winner, war.ended_by = by, "seat_fell"


def _take_station(today: Today, node: Node, by: str, loser: str, force: list[Fleet]) -> None:
    """The garrison goes into cells, the victor's marines take its place."""
    station = today.war.station(node.id)
    if station is None:
        return
    station.faction = by
    cells = nearest(today, by, node.id)
    for ship in today.war.crews(station):
        today.book.enter(PEOPLE, ship.people, f"ship {ship.id}", f"cells {cells.id}")
        cells.prisoners[loser] = cells.prisoners.get(loser, 0) + ship.people
        ship.fit = ship.wounded = ship.marines = ship.marines_wounded = 0
        ship.faction = by
        today.book.enter(HULLS, 1, f"faction {loser}", f"faction {by}")
        wanted = today.plan.hulls[ship.hull].marines
        for giver in (ship for fleet in force for ship in today.war.crews(fleet)):
            sent = min(wanted, giver.marines // 2)
            today.book.enter(PEOPLE, sent, f"ship {giver.id}", f"ship {ship.id}")
            giver.marines -= sent
            ship.marines += sent
            wanted -= sent


def _scatter(today: Today, node: Node, loser: str) -> None:
    """Convoys and idle ships that lay there slip away to another port."""
    for fleet in today.war.fleets.values():
        if fleet.faction != loser or fleet.at != node.id or fleet.kind == "station":
            continue
        ports = [n for n in today.war.nodes_of(loser) if fleets.is_port(today, n)]
        if ports:
            near = min(ports, key=lambda n: (today.chart.distance(node.id, n.id), n.id))
            fleet.at = fleet.home = near.id
