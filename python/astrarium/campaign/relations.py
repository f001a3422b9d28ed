"""How the two factions stand to each other: disposition, treaties, war and ceasefire."""

from __future__ import annotations

from typing import Final

from astrarium.campaign.book import PEOPLE
from astrarium.campaign.today import Today

BINDING: Final = ("non_aggression", "trade")
"""Treaties that an attack breaks; a ceasefire merely ends."""


def shift(today: Today, change: float, why: str) -> None:
    """Move the disposition, within its bounds."""
    relations = today.war.relations
    relations.disposition = max(-1.0, min(1.0, relations.disposition + change))
    today.tell("disposition", f"{why}: {change:+.2f}", value=relations.disposition)


def attack(today: Today, by: str, place: str, what: str) -> None:
    """An attack: it breaks what binds, and is not forgotten."""
    relations, rules = today.war.relations, today.plan.relations
    for treaty in BINDING:
        if relations.treaties.pop(treaty, None) is not None:
            shift(today, rules.treaty_broken, f"{today.name(by)} broke the {treaty} treaty")
    if not relations.at_war:
        low, high = rules.attack
        shift(today, -today.draws.between(low, high, place, "attack"), what)


def declare(today: Today, why: str) -> None:
    """Begin the war proper."""
    relations = today.war.relations
    if not relations.at_war:
        relations.at_war = True
        relations.treaties.clear()
        today.tell("war", f"war: {why}")


def agree(today: Today, treaty: str) -> None:
    """Make a treaty; a ceasefire ends the fighting and sends prisoners home."""
    relations = today.war.relations
    relations.treaties[treaty] = today.war.day
    today.tell("treaty", f"both sign a {treaty.replace('_', '-')} treaty", treaty=treaty)
    if treaty == "ceasefire":
        relations.at_war = False
        for fleet in today.war.fleets.values():
            if fleet.mission and fleet.mission.kind in ("raid", "invade"):
                fleet.mission.since = -999  # nothing is left to do there
        for node in today.war.nodes.values():
            node.siege = None
            for origin in sorted(node.prisoners):
                free(today, node.id, origin)


def free(today: Today, name: str, origin: str) -> None:
    """Let the prisoners of one side go home from the cells of a place."""
    node = today.war.nodes[name]
    homes, count = today.war.nodes_of(origin), node.prisoners.get(origin, 0)
    if homes and count:
        seat = today.plan.faction(origin).seat
        home = today.war.nodes[seat] if today.war.nodes[seat].holder == origin else homes[0]
        today.book.enter(PEOPLE, count, f"cells {name}", f"node {home.id}")
        home.population += count
        node.prisoners[origin] = 0
        today.tell("prisoners_return", f"{count} prisoners return to {today.place(home.id)}")


def drift(today: Today) -> None:
    """The evening of relations: treaties kept, prizes disputed, ceasefires that run out, war."""
    relations, rules, war = today.war.relations, today.plan.relations, today.war
    relations.disposition += rules.treaty_kept * len(relations.treaties)
    disputed = sum(1 for node in war.nodes.values() if node.contested_since)
    relations.disposition -= rules.prize_per_day * disputed
    relations.disposition = max(-1.0, min(1.0, relations.disposition))
    made = relations.treaties.get("ceasefire")
    if made is not None and war.day - made >= rules.ceasefire_days:
        del relations.treaties["ceasefire"]
        today.tell("treaty_ended", "the ceasefire ran out")
    if relations.disposition < rules.war and "ceasefire" not in relations.treaties:
        declare(today, "there is nothing left to say")


def plant_flags(today: Today) -> None:
    """Fleets sent to claim a node that nobody guards take it, or dispute it in peace."""
    war = today.war
    for node in war.nodes.values():
        here = sorted(
            (
                f
                for f in war.fleets.values()
                if f.kind == "battle" and f.at == node.id and f.ships and not f.passing
            ),
            key=lambda fleet: fleet.id,
        )
        sides = {fleet.faction for fleet in here}
        claimants = {f.faction for f in here if f.mission and f.mission.kind == "claim"}
        if node.land_yard or war.station(node.id) is not None:
            continue
        rivals = claimants - {node.holder}
        if not rivals:
            node.contested_since = 0
        elif len(sides) > 1 and not war.relations.at_war:
            _dispute(today, node.id)
        elif len(sides) == 1:
            (claimant,) = rivals
            if node.holder is None or war.relations.at_war:
                _take(today, node.id, claimant)
            else:
                _dispute(today, node.id)


def _take(today: Today, name: str, faction: str) -> None:
    node = today.war.nodes[name]
    node.holder, node.contested_since = faction, 0
    text = f"{today.name(faction)} holds {today.place(name)}"
    today.tell("claimed", text, node=name, faction=faction)


def _dispute(today: Today, name: str) -> None:
    node, rules = today.war.nodes[name], today.plan.relations
    if not node.contested_since:
        node.contested_since = today.war.day
        low, high = rules.prize
        change = -today.draws.between(low, high, name, "prize")
        shift(today, change, f"both want {today.place(name)}")
    elif today.war.day - node.contested_since >= rules.contest_days:
        node.contested_since = 0
        for fleet in today.war.fleets.values():
            there = fleet.at == name and not fleet.passing
            if there and fleet.mission and fleet.faction != node.holder:
                fleet.mission.since = -999  # it has made its point and goes home
