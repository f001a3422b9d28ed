"""How a war ends: by the fall of a seat, or by what each side has left when time is up."""

from __future__ import annotations

from astrarium.campaign.plan import Plan
from astrarium.campaign.state import War


def scores(plan: Plan, war: War) -> dict[str, float]:
    """A faction's share of the places worth holding, of ships by value, and of people: the mean."""
    parts: list[dict[str, float]] = [
        {name: places(plan, war, name) for name in war.factions},
        {name: fleet_value(plan, war, name) for name in war.factions},
        {name: float(people(war, name)) for name in war.factions},
    ]
    totals = [sum(part.values()) or 1.0 for part in parts]
    return {
        name: sum(part[name] / total for part, total in zip(parts, totals, strict=True)) / 3
        for name in war.factions
    }


def judge(plan: Plan, war: War) -> None:
    """Settle a war whose last day is over."""
    if war.ended_by:
        return
    marks = scores(plan, war)
    first, second = sorted(marks, key=lambda name: (-marks[name], name))
    if marks[first] - marks[second] >= plan.ending.gap:
        war.winner, war.ended_by = first, "score"
    else:
        war.ended_by = "draw"


def places(plan: Plan, war: War, faction: str) -> float:
    """What a faction's nodes are worth: ports most, wrecks something, open water nothing."""
    wrecks = {node.id for node in plan.nodes if node.wreck}
    worth = 0.0
    for node in war.nodes_of(faction):
        if node.land_yard or war.station(node.id) is not None:
            worth += plan.ending.port
        elif node.id in wrecks:
            worth += plan.ending.wreck
    return worth


def fleet_value(plan: Plan, war: War, faction: str) -> float:
    """What a faction's ships are worth, 1 for a sound corvette; what is moored does not count."""
    moored = {name for f in war.fleets.values() if f.kind == "station" for name in f.ships}
    own = (s for s in war.ships.values() if s.faction == faction and s.id not in moored)
    return sum(plan.hulls[ship.hull].cost / 120.0 * ship.hp for ship in own)


def people(war: War, faction: str) -> int:
    """Everybody who lives under a faction: ashore and aboard, without its prisoners."""
    ashore = sum(node.population for node in war.nodes_of(faction))
    return ashore + sum(ship.people for ship in war.ships.values() if ship.faction == faction)
