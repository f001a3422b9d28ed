"""Encounters: where fleets meet that must fight, and who is in it on either side."""

from __future__ import annotations

from dataclasses import dataclass, field

from astrarium.campaign import fleets, relations
from astrarium.campaign.routes import load_for, raiders, transports
from astrarium.campaign.state import Fleet, Node, Ship
from astrarium.campaign.today import Today

Load = list[tuple[str, float, str, str]]


@dataclass
class Encounter:
    """A battle that is about to be fought. `sides` are fleets by faction, the attacker named."""

    id: str
    kind: str
    node: str
    attacker: str
    sides: dict[str, list[Fleet]]
    load: Load = field(default_factory=Load)

    def ships(self, today: Today, faction: str) -> list[Ship]:
        """The ships of one side that can take part."""
        crews = [ship for fleet in self.sides[faction] for ship in today.war.crews(fleet)]
        if self.kind == "convoy" and faction != self.attacker:
            escorts = [ship for ship in crews if ship.fit and ship.hull != "transport"]
            return [*escorts, *(s for f in self.sides[faction] for s in transports(today, f))]
        return [ship for ship in crews if ship.fit and ship.hull != "arcology"]


def meet(today: Today) -> list[Encounter]:
    """Every encounter of the day, by place."""
    found = [*_on_routes(today), *_at_nodes(today)]
    ready: list[Encounter] = []
    for encounter in sorted(found, key=lambda encounter: encounter.id):
        if _stands(today, encounter):
            ready.append(encounter)
            _announce(today, encounter)
    return ready


def _on_routes(today: Today) -> list[Encounter]:
    """Raiders find the convoy now and then; those sent to guard it find the raiders."""
    war, found = today.war, list[Encounter]()
    for convoy in (c for f in war.factions for c in war.fleets_of(f, "convoy")):
        ends = set(convoy.route)
        foes = [fleet for fleet in raiders(war, convoy) if fleet.lurking]
        guards = [
            fleet
            for fleet in war.fleets_of(convoy.faction)
            if fleet.lurking and fleet.leg and set(fleet.leg) == ends and fleet.ships
        ]
        if not foes:
            continue
        place = "-".join(sorted(ends))
        hunters = foes[0].faction
        sides = {hunters: foes, convoy.faction: guards}
        if guards:
            found.append(Encounter(_name(today, place), "fleet", place, convoy.faction, sides))
        elif transports(today, convoy) and today.draws.chance(
            today.plan.economy.raid_chance, place, "raid"
        ):
            load = load_for(today, convoy)
            sides = {hunters: foes, convoy.faction: [convoy]}
            if load:  # with nothing to carry it stays in port
                found.append(Encounter(_name(today, place), "convoy", place, hunters, sides, load))
    return found


def _at_nodes(today: Today) -> list[Encounter]:
    war, found = today.war, list[Encounter]()
    if not war.relations.at_war:
        return found
    for node in war.nodes.values():
        here: dict[str, list[Fleet]] = {name: [] for name in war.factions}
        for fleet in sorted(war.fleets.values(), key=lambda fleet: fleet.id):
            if fleet.kind == "battle" and fleet.at == node.id and fleet.ships:
                here[fleet.faction].append(fleet)
        station = war.station(node.id)
        kind = "fleet"
        if station and fights(today, station) and node.siege is None:
            here[station.faction].append(station)
            kind = "assault"
        if all(here.values()):
            attacker = _attacker(node, here)
            found.append(Encounter(_name(today, node.id), kind, node.id, attacker, here))
    return found


def fights(today: Today, station: Fleet) -> bool:
    """A platform fights until it is silenced; arcologies are besieged, never fought."""
    return any(
        ship.hull == "platform" and ship.fit and ship.hp > today.plan.shipping.fit_hp
        for ship in today.war.crews(station)
    )


def _attacker(node: Node, here: dict[str, list[Fleet]]) -> str:
    """Whoever does not hold the place; where nobody does, whoever came last."""
    if node.holder:
        return next(name for name in here if name != node.holder)
    since = {
        name: max((fleet.mission.since for fleet in group if fleet.mission), default=0)
        for name, group in here.items()
    }
    return max(sorted(since), key=lambda name: since[name])


def _name(today: Today, place: str) -> str:
    return f"d{today.war.day:03d}-{place}"


def _stands(today: Today, encounter: Encounter) -> bool:
    """Whether it comes to a fight: the weaker may slip away first."""
    shipping, power = today.plan.shipping, dict[str, float]()
    for name in encounter.sides:
        ships = encounter.ships(today, name)
        power[name] = sum(map(today.value, ships))
        if not ships:
            return False
    weaker = min(sorted(power), key=lambda name: power[name])
    stronger = next(name for name in power if name != weaker)
    mobile = [fleet for fleet in encounter.sides[weaker] if fleet.kind == "battle"]
    outmatched = power[weaker] < shipping.withdraw_ratio * power[stronger]
    if not (outmatched and mobile and _refuge(today, mobile[0], encounter.node)):
        return True
    if not today.draws.chance(shipping.withdraw_chance, encounter.node, "withdraw"):
        return True
    for fleet in mobile:
        withdraw(today, fleet, encounter.node)
    encounter.sides[weaker] = [f for f in encounter.sides[weaker] if f.kind != "battle"]
    return bool(encounter.sides[weaker]) and bool(encounter.ships(today, weaker))


def _refuge(today: Today, fleet: Fleet, node: str) -> Node | None:
    """The nearest other port of a fleet's side; whoever has none stands its ground."""
    ports = [
        port
        for port in today.war.nodes_of(fleet.faction)
        if fleets.is_port(today, port) and port.id != node
    ]
    start = fleet.at or fleet.path[0]
    near = sorted(ports, key=lambda port: (today.chart.distance(start, port.id), port.id))
    return near[0] if near else None


def withdraw(today: Today, fleet: Fleet, node: str) -> None:
    """Leave, towards a port that is not this one, if there is any."""
    port = _refuge(today, fleet, node)
    if port is None:
        return
    fleets.send(today, fleet, "return", port.id)
    text = f"{fleet.name} withdraws to {today.place(port.id)}"
    today.tell("withdrew", text, faction=fleet.faction, fleet=fleet.id)


def _announce(today: Today, encounter: Encounter) -> None:
    if not today.war.relations.at_war:
        # Whoever fired first, it was the raiders who came to a route that is not theirs.
        if encounter.kind == "convoy":
            relations.attack(today, encounter.attacker, encounter.node, "a convoy is raided")
        else:
            raider = today.plan.enemy(encounter.attacker)
            relations.attack(today, raider, encounter.node, "raiders are fought off a route")
    where = " and ".join(today.place(end) for end in encounter.node.split("-"))
    today.tell(
        "battle",
        f"{encounter.kind} battle at {where}",
        battle=encounter.id,
        node=encounter.node,
        faction=encounter.attacker,
    )
