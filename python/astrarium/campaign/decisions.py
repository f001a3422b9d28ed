"""Decisions whose day has come: they are carried out, or fail in the offices."""

from __future__ import annotations

from astrarium.campaign import fleets, governance, investment, relations
from astrarium.campaign.book import USED
from astrarium.campaign.choices import goals_of
from astrarium.campaign.state import Build, Decision, Faction, Fleet
from astrarium.campaign.today import Today


def carry_out(today: Today) -> None:
    """The decision queues of a day."""
    rules = today.plan.governance
    for faction in today.war.factions.values():
        due = [decision for decision in faction.queue if decision.due <= today.war.day]
        faction.queue = [decision for decision in faction.queue if decision.due > today.war.day]
        for decision in due:
            name = f"{decision.action} {decision.kind} {decision.target}"
            failing = faction.legitimacy < rules.failing
            if failing and today.draws.chance(rules.failing_chance, faction.id, f"fail {name}"):
                text = f"{today.name(faction.id)}: nobody carries out {name}"
                today.tell("failed", text, faction=faction.id, action=decision.action)
                continue
            governance.hear_blocs(today, faction, decision.action)
            _ACTIONS[decision.action](today, faction, decision)


def _invest(today: Today, faction: Faction, decision: Decision) -> None:
    node = today.war.nodes[decision.target]
    price = today.plan.investment.materials
    if node.holder != faction.id or node.stores["materials"] < price:
        return
    today.book.move("materials", price, f"node {node.id}", USED)
    works = {decision.kind: today.plan.investment.facilities}
    if decision.kind == "works":
        works = investment.wanted(today, faction, node)
    for kind, count in works.items():
        node.facilities[kind] = node.facilities.get(kind, 0) + count
    built = ", ".join(f"{count} {kind.replace('_', ' ')}" for kind, count in works.items())
    text = f"{today.name(faction.id)} builds {built or 'nothing after all'}"
    today.tell("invested", text, faction=faction.id, node=node.id)


def _reinforce(today: Today, faction: Faction, decision: Decision) -> None:
    node = today.war.nodes[decision.target]
    if decision.kind in today.plan.shipping.land_yard_only and not node.land_yard:
        return
    if node.holder == faction.id:
        faction.builds.append(Build(decision.kind, node.id, 0.0))
        text = f"{today.name(faction.id)} lays down a {decision.kind.replace('_', ' ')}"
        today.tell("laid_down", text, faction=faction.id, node=node.id)


def _mission(today: Today, faction: Faction, decision: Decision) -> None:
    fleet = today.war.fleets.get(decision.fleet)
    if fleet is None or not fleets.is_idle(today, fleet):
        return
    if decision.kind == "raid" and "ceasefire" in today.war.relations.treaties:
        return
    fleets.send(today, fleet, decision.kind, decision.target)
    text = f"{fleet.name} puts to sea: {decision.kind} {decision.target}"
    today.tell("sent", text, faction=faction.id, fleet=fleet.id, target=decision.target)


def _invade(today: Today, faction: Faction, decision: Decision) -> None:
    """War by decision, if there is none yet; then all fleets that are ready."""
    war = today.war
    if "ceasefire" in war.relations.treaties or war.nodes[decision.target].holder == faction.id:
        return
    named = (war.fleets.get(name) for name in decision.fleet.split(","))
    ready = [fleet for fleet in named if fleet and fleets.is_idle(today, fleet)]
    if not ready:
        return
    if not war.relations.at_war:
        relations.attack(today, faction.id, decision.target, "an invasion is ordered")
        relations.declare(today, f"{today.name(faction.id)} invades")
    for fleet in _joined(ready):
        fleets.send(today, fleet, "invade", decision.target)
        text = f"{fleet.name} sails against {today.place(decision.target)}"
        today.tell("sent", text, faction=faction.id, fleet=fleet.id, target=decision.target)


def _joined(ready: list[Fleet]) -> list[Fleet]:
    """Fleets that lie in one port sail as one."""
    joined: dict[str, Fleet] = {}
    for fleet in ready:
        first = joined.setdefault(fleet.at, fleet)
        if first is not fleet:
            first.ships += fleet.ships
            fleet.ships = []
    return list(joined.values())


def _covert(today: Today, faction: Faction, decision: Decision) -> None:
    node, rules = today.war.nodes[decision.target], today.plan.relations
    if node.holder in (None, faction.id):
        return
    node.condition = max(0.25, node.condition - rules.sabotage)
    today.tell("sabotage", f"works at {today.place(node.id)} burn", node=node.id)
    if today.draws.chance(rules.discovery_chance, node.id, "discovery"):
        low, _ = rules.attack
        relations.shift(today, -low, f"saboteurs of {today.name(faction.id)} are caught")


def _diplomacy(today: Today, faction: Faction, decision: Decision) -> None:
    rules = today.plan.relations
    if decision.kind == "gift":
        home = today.plan.faction(faction.id).seat
        there = today.plan.faction(decision.target).seat
        given = today.book.move("luxuries", rules.gift_luxuries, f"node {home}", f"node {there}")
        if given > 0:
            relations.shift(today, rules.gift, f"{today.name(faction.id)} sends gifts")
    elif decision.kind in today.war.relations.treaties:
        return
    elif _accepts(today, decision):
        relations.agree(today, decision.kind)
    else:
        text = f"{today.name(decision.target)} declines: {decision.kind.replace('_', '-')}"
        today.tell("declined", text, faction=decision.target)


def _accepts(today: Today, decision: Decision) -> bool:
    """Whether the other side wants a treaty, too."""
    war, rules = today.war, today.plan.relations
    other = war.factions[decision.target]
    goals = goals_of(today, other)
    if decision.kind == "ceasefire":
        asker = today.plan.enemy(other.id)
        own = sum(map(today.strength, war.fleets_of(other.id)))
        theirs = sum(map(today.strength, war.fleets_of(asker)))
        tired = goals.survive > 0.5 or other.legitimacy < 0.4 or own < 0.8 * theirs
        return war.relations.at_war and tired
    if war.relations.at_war or war.relations.disposition <= rules.hostile:
        return False
    if war.relations.disposition > rules.friendly:
        return True
    wish = goals.survive + (goals.trade if decision.kind == "trade" else goals.defend)
    return wish + war.relations.disposition > 0.3


_ACTIONS = {
    "invest": _invest,
    "reinforce": _reinforce,
    "mission": _mission,
    "invade": _invade,
    "covert": _covert,
    "diplomacy": _diplomacy,
}
