"""A war written down: its log with a hash, and each day as readers of the map see it."""

from __future__ import annotations

import hashlib
import json
import math
from typing import Any, Final

from astrarium.campaign.charts import Chart
from astrarium.campaign.ending import fleet_value, people
from astrarium.campaign.plan import Plan
from astrarium.campaign.state import Faction, Fleet, Node, War
from astrarium.campaign.today import Record

FORMAT: Final = "astrarium-war.v1"
_QUIET: Final = frozenset({"convoy_sailed", "traded", "disposition"})
"""What happens every day is in the log, not among a day's events."""


def line(record: Record) -> bytes:
    """A record as one line of JSON."""
    text = json.dumps(record, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-8") + b"\n"


def chained(before: str, lines: bytes) -> str:
    """The hash of a log that had one hash and got more lines."""
    return hashlib.sha256(before.encode("ascii") + lines).hexdigest()


def log_lines(war: War, records: list[Record]) -> bytes:
    """The log of a day: what happened, then what everybody has in the evening."""
    evening = {
        "day": war.day,
        "kind": "evening",
        "dead": war.dead,
        "hulls_lost": war.hulls_lost,
        "disposition": war.relations.disposition,
        "factions": {
            name: {
                "legitimacy": faction.legitimacy,
                "morale": faction.morale,
                "action_points": faction.points,
                "stores": totals(war, name),
                "people": people(war, name),
                "ships": sum(ship.faction == name for ship in war.ships.values()),
            }
            for name, faction in war.factions.items()
        },
    }
    return b"".join(map(line, (*records, evening)))


def totals(war: War, faction: str) -> dict[str, float]:
    """What a faction has in store ashore."""
    sums: dict[str, float] = {}
    for node in war.nodes_of(faction):
        for resource, amount in node.stores.items():
            sums[resource] = sums.get(resource, 0.0) + amount
    return sums


def day_line(plan: Plan, war: War, records: list[Record], battles: list[str]) -> Record:
    """A day as the map shows it."""
    events = [
        {key: value for key, value in record.items() if key in _SHOWN}
        for record in records
        if record["kind"] not in _QUIET
    ]
    seen = sorted(war.fleets.values(), key=lambda fleet: fleet.id)
    return {
        "day": war.day,
        "nodes": {name: _node(war, node) for name, node in war.nodes.items()},
        "fleets": {
            fleet.id: _fleet(plan, war, fleet)
            for fleet in seen
            if fleet.kind in ("battle", "convoy") and fleet.ships
        },
        "factions": {name: _faction(plan, war, one) for name, one in war.factions.items()},
        "disposition": _rounded(war.relations.disposition),
        "at_war": war.relations.at_war,
        "treaties": sorted(war.relations.treaties),
        "events": events,
        "battles": battles,
    }


_SHOWN: Final = frozenset({"kind", "text", "node", "faction", "battle"})


def _node(war: War, node: Node) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "holder": node.holder,
        "population": node.population,
        "stocks": {name: _rounded(amount) for name, amount in node.stores.items() if amount},
        "facilities": node.facilities,
    }
    hostile = (
        fleet
        for fleet in war.fleets.values()
        if fleet.at == node.id and fleet.kind == "battle" and fleet.ships
    )
    if node.holder and war.relations.at_war and any(f.faction != node.holder for f in hostile):
        shown["blockaded"] = True
    if node.siege is not None:
        shown["siege"] = {
            "by": node.siege.by,
            "control": _rounded(node.siege.control),
            "troops": node.siege.troops,
        }
    return shown


def _fleet(plan: Plan, war: War, fleet: Fleet) -> dict[str, Any]:
    worth = sum(plan.hulls[ship.hull].cost / 120.0 * ship.hp for ship in war.crews(fleet))
    shown: dict[str, Any] = {
        "faction": fleet.faction,
        "kind": fleet.kind,
        "ships": len(fleet.ships),
        "value": _rounded(worth),
    }
    if fleet.mission is not None:
        shown["mission"] = fleet.mission.kind
    leg = fleet.leg
    if leg is None:
        shown["at"] = fleet.at
    else:
        length = Chart.of(plan).days(*leg)
        shown |= {"from": leg[0], "to": leg[1], "progress": _rounded(fleet.progress / length)}
    return shown


def _faction(plan: Plan, war: War, faction: Faction) -> dict[str, Any]:
    return {
        "government": faction.government,
        "legitimacy": _rounded(faction.legitimacy),
        "prosperity": _rounded(faction.prosperity),
        "morale": _rounded(faction.morale),
        "action_points": _rounded(faction.points),
        "capital": _rounded(faction.capital),
        "ships": sum(ship.faction == faction.id for ship in war.ships.values()),
        "value": _rounded(fleet_value(plan, war, faction.id)),
        "people": people(war, faction.id),
        "nodes": len(war.nodes_of(faction.id)),
        "supply_factor": faction.supply_factor,
        "supply_days": {name: _rounded(days) for name, days in faction.supply_days.items()},
        "stocks": {name: _rounded(n) for name, n in totals(war, faction.id).items()},
        "blocs": {
            name: {
                "satisfaction": _rounded(bloc.satisfaction),
                "radicalisation": _rounded(bloc.radicalisation),
            }
            for name, bloc in faction.blocs.items()
        },
        "queue": [
            {"action": f"{d.action} {d.kind}", "due": d.due, "target": d.target}
            for d in faction.queue
        ],
    }


def summary(plan: Plan, war: War, days: int, shown: list[Record]) -> Record:
    """`war.json`: a war in one document. `shown` are its days as the map shows them."""
    return {
        "format": FORMAT,
        "seed": war.seed,
        "days": war.day,
        "days_planned": days,
        "finished": bool(war.ended_by),
        "winner": war.winner,
        "ended_by": war.ended_by or "going_on",
        "log_hash": war.log_hash,
        "doctrines": {name: faction.doctrine for name, faction in war.factions.items()},
        "factions": [
            {"id": f.id, "name": f.name, "colour": f.colour, "seat": f.seat} for f in plan.factions
        ],
        "nodes": [node.model_dump() for node in plan.nodes],
        "links": [{"a": a, "b": b, "days": n} for a, b, n in plan.sea.links],
        "curves": curves(plan, shown),
        "battles": [
            {
                "id": battle.id,
                "day": battle.day,
                "node": battle.node,
                "kind": battle.kind,
                "winner": battle.winner,
                "ended_by": battle.ended_by,
                "duration_s": battle.duration_s,
                "file": f"battles/{battle.id}.json",
                "fingerprint": battle.fingerprint,
                "sides": battle.sides,
            }
            for battle in war.battles
        ],
    }


CURVES: Final = ("ships", "value", "legitimacy", "prosperity", "morale", "people", "nodes")


def curves(plan: Plan, shown: list[Record]) -> Record:
    """What went up and down, a value a day."""
    drawn: Record = {"day": [day["day"] for day in shown]}
    for faction in plan.factions:
        own = [day["factions"][faction.id] for day in shown]
        drawn[faction.id] = {name: [one[name] for one in own] for name in CURVES}
        drawn[faction.id]["stocks"] = {
            resource: [one["stocks"].get(resource, 0.0) for one in own]
            for resource in plan.resources
        }
    return drawn


def _rounded(value: float) -> float:
    """For drawing: the exact figures are in the log and in the state."""
    return round(value, 3) if math.isfinite(value) else 0.0
