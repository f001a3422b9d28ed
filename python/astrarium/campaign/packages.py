"""Encounters as battle packages: ships as they are, on a piece of sea like the one they met on."""

from __future__ import annotations

import math
from typing import Any, Final

from astrarium.campaign.encounters import Encounter
from astrarium.campaign.state import Fleet, Ship
from astrarium.campaign.supplies import factor, fleet_days
from astrarium.campaign.today import Today
from astrarium.worlds.tidebreak.names import DOCTRINES
from astrarium.worlds.tidebreak.package import BattlePackage

_LINK_TIERS: Final = {"S": 1, "M": 2, "L": 3, "XL": 3}
_DEPTHS_M: Final = {"open": 3000.0, "shelf": 200.0, "islands": 600.0}
_MISSIONS: Final = ("cap", "strike", "scout", "asw")
"""Of a carrier's squadrons by their place, as the arena gives them to a whole ship."""
_FOOT: Final = 0.005
"""The least share of hit points a ship can fight with."""


def pack(today: Today, encounter: Encounter) -> BattlePackage:
    """The package of an encounter."""
    rules = today.plan.battle
    ships = [
        entry
        for place, name in enumerate(sorted(encounter.sides))
        for entry in _side(today, encounter, name, place)
    ]
    return BattlePackage.model_validate(
        {
            "schema_version": "arena.v1",
            "schema_minor": 1,
            "battle_id": encounter.id,
            "seed": today.draws.battle_seed(encounter.node),
            "time_step_s": rules.time_step_s,
            "time_limit_s": rules.time_limit_s,
            "fidelity": rules.fidelity,
            "table_hashes": {},
            "teams": [_team(today, name) for name in sorted(encounter.sides)],
            "map": _map(today, encounter),
            "ships": ships,
            "decided_by": _decided_by(today, encounter),
        }
    )


def controllers(today: Today, encounter: Encounter) -> dict[str, str]:
    """Who gives orders on either side."""
    return {name: today.war.factions[name].doctrine for name in sorted(encounter.sides)}


def morale(today: Today, ship: Ship, fleet: Fleet) -> float:
    """The spirit of a ship: its faction's, its stores, its hull, its leader."""
    faction = today.war.factions[ship.faction]
    worth = factor(today, fleet_days(today, fleet))
    mood = faction.morale * worth * (0.7 + 0.3 * ship.hp) * fleet.leadership
    return max(0.0, min(1.0, mood))


def _team(today: Today, name: str) -> dict[str, Any]:
    faction = today.war.factions[name]
    return {
        "team_id": name,
        "name": today.name(name),
        # The package's own word for whoever is not told otherwise; a policy is always told.
        "doctrine": faction.doctrine if faction.doctrine in DOCTRINES else None,
        "faction_context": {
            "faction_id": name,
            "philosophy": faction.government,
            "tech_tags": [],
            "morale_state": faction.morale,
            "at_war_with": [today.plan.enemy(name)],
        },
    }


def _map(today: Today, encounter: Encounter) -> dict[str, Any]:
    """Weather is drawn for the day; a sea of islands has some where nobody starts."""
    half = today.plan.battle.size_m / 2
    seas = {node.id: node.sea for node in today.plan.nodes}
    sea = seas[encounter.node.split("-")[-1]]
    draws, place = today.draws, encounter.node
    rough = 5.0 * draws.share(place, "sea state")
    wind, bearing = 3.0 * rough, 2 * math.pi * draws.share(place, "wind")
    islands = [
        {
            "shape": {
                "kind": "circle",
                "x": draws.between(-1500.0, 1500.0, place, f"island {i} x"),
                "y": (i - 1) * half * 0.6 + draws.between(-800.0, 800.0, place, f"island {i} y"),
                "radius_m": draws.between(250.0, 600.0, place, f"island {i} r"),
            },
            "kind": "solid",
            "intensity": 1.0,
        }
        for i in range(3 if sea == "islands" else 0)
    ]
    return {
        "bounds": {"min_x": -half, "min_y": -half, "max_x": half, "max_y": half},
        "obstacles": islands,
        "zones": [],
        "currents": {"kind": "uniform", "x": 0.0, "y": 0.0},
        "depth": {"kind": "const", "depth_m": _DEPTHS_M[sea]},
        "weather": {
            "initial": {
                "sea_state": rough,
                "visibility_km": draws.between(8.0, 20.0, place, "visibility"),
                "precipitation": "light" if rough > 3.5 else "none",
                "wind_x": wind * math.cos(bearing),
                "wind_y": wind * math.sin(bearing),
                "lightning": 0.0,
            },
            "zones": [],
            "storms": [],
        },
        "daylight": draws.share(place, "daylight"),
    }


def _side(today: Today, encounter: Encounter, name: str, place: int) -> list[dict[str, Any]]:
    """The ships of one side in a line abreast, facing the other."""
    rules = today.plan.battle
    fleet_of = {ship: fleet for fleet in encounter.sides[name] for ship in fleet.ships}
    ships = sorted(encounter.ships(today, name), key=lambda ship: ship.id)
    flagship = max(ships, key=lambda ship: (today.value(ship), ship.id))
    west = place == 0
    x = -rules.apart_m / 2 if west else rules.apart_m / 2
    entries: list[dict[str, Any]] = []
    for index, ship in enumerate(ships):
        line = (index - (len(ships) - 1) / 2) * rules.spacing_m
        heading = 0.0 if west else -math.pi
        entry = _ship(today, ship, fleet_of[ship.id], x, line, heading)
        entry["is_flagship"] = ship is flagship
        if encounter.kind == "convoy" and ship.hull == "transport":
            # Away from the raiders, off the nearer edge.
            edge = -rules.size_m / 2 if west else rules.size_m / 2
            entry["initial_state"]["heading"] = -math.pi if west else 0.0
            entry["objective"] = {
                "type": "DELIVER",
                "destination": [edge, line],
                "priority": 1.0,
            }
        entries.append(entry)
    return entries


def _ship(
    today: Today, ship: Ship, fleet: Fleet, x: float, y: float, heading: float
) -> dict[str, Any]:
    hull, skill = today.plan.hulls[ship.hull], today.plan.shipping.crew_skill
    deep = "submerged" in hull.layers
    return {
        "ship_id": ship.id,
        "team_id": ship.faction,
        "hull_class": ship.hull,
        "capabilities": {
            "can_surface": "surface" in hull.layers,
            "can_submerge": deep,
            "can_abyssal": "abyssal" in hull.layers,
        },
        "sensors": list(hull.sensors),
        "weapons": [
            {"slot": slot, "weapon": weapon, "rounds_loaded": rounds, "condition": 1.0}
            for slot, (weapon, rounds) in enumerate(zip(hull.weapons, ship.rounds, strict=True))
        ],
        "decoys": ship.decoys,
        "link_tier": _LINK_TIERS[hull.size],
        "crew": {
            "fit": ship.fit,
            "wounded": ship.wounded,
            "marines": ship.marines,
            "gunnery": skill,
            "engineering": skill,
            "morale": morale(today, ship, fleet),
            "fatigue": ship.fatigue,
        },
        # Wounded marines lie below with the passengers, in nobody's way.
        "passengers": ship.marines_wounded,
        # Of goods only: what a crew lives on is never delivered, it stays with its hull.
        "cargo": {resource: amount for resource, amount in ship.hold.items() if amount > 0},
        "fuel_t": min(ship.stores.get("fuel", 0.0), hull.fuel_t),
        "squadrons": [
            {
                "squadron_id": f"{ship.id}-{number}",
                "craft": craft,
                "mission": _MISSIONS[number % len(_MISSIONS)],
            }
            for number, craft in enumerate(ship.craft)
            if craft
        ],
        "initial_state": {
            "x": x,
            "y": y,
            "heading": heading,
            "speed": 0.0 if hull.speed == 0.0 else 3.0,
            "layer": "submerged" if deep else "surface",
            "hp": hull.hp * max(_FOOT, ship.hp),
        },
        "fleet_id": fleet.id,
        "is_flagship": False,
    }


def _decided_by(today: Today, encounter: Encounter) -> list[dict[str, Any]]:
    """A convoy has won when most of its transports are away, the raiders when most are not."""
    if encounter.kind != "convoy":
        return []
    convoy = next(name for name in sorted(encounter.sides) if name != encounter.attacker)
    carriers = [s.id for s in encounter.ships(today, convoy) if s.hull == "transport"]
    most = len(carriers) // 2 + 1
    return [
        {"winner": convoy, "when": "exited", "ships": carriers, "at_least": most},
        {"winner": encounter.attacker, "when": "lost", "ships": carriers, "at_least": most},
    ]
