"""A quick stand-in for the arena: outcomes by value and chance, with a ledger that adds up."""

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

from astrarium.campaign.plan import load
from astrarium.worlds.tidebreak.package import BattlePackage, ShipSnapshot
from astrarium.worlds.tidebreak.result import BattleResult

PLAN = load()
COUNTS = (
    "shots",
    "hits",
    "kills",
    "captures",
    "surrenders",
    "transitions",
    "botched",
    "collisions",
    "detections",
    "rejected_orders",
)
SUMS = ("fuel", "dealt", "dealt_by_nature", "taken")


Fight = Callable[[Sequence[BattlePackage], Sequence[dict[str, str]]], list[BattleResult]]


def fight(
    packages: Sequence[BattlePackage], controllers: Sequence[dict[str, str]]
) -> list[BattleResult]:
    """Fight every package."""
    assert len(packages) == len(controllers)
    return [BattleResult.model_validate(outcome(package)) for package in packages]


def share(package: BattlePackage, name: str) -> float:
    digest = hashlib.blake2b(f"{package.seed}/{name}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little") / 2**64


def outcome(package: BattlePackage) -> dict[str, Any]:
    """The result of a package, as plain values."""
    teams = sorted({ship.team_id for ship in package.ships})
    power = {
        team: sum(value(s) for s in package.ships if s.team_id == team)
        * (0.5 + share(package, team))
        for team in teams
    }
    winner = max(teams, key=lambda team: power[team])
    ships = [ship_outcome(package, ship, winner, teams) for ship in package.ships]
    return {
        "schema_version": "arena.v1",
        "schema_minor": 1,
        "battle_id": package.battle_id,
        "package_hash": f"{package.hash():016x}",
        "table_hashes": {},
        "policy_seed": None,
        "seed": package.seed,
        "build_id": "stand-in",
        "winner_team_id": winner,
        "ended_by": "annihilation",
        "duration_s": 600,
        "ships": ships,
        "teams": [
            {
                "team_id": team,
                "morale_delta": 0.05 if team == winner else -0.1,
                "ships_lost": 0,
                "ships_surrendered": 0,
                "value_lost": 0.0,
                "decisive_victory": False,
            }
            for team in teams
        ],
        "event_summary": {**dict.fromkeys(COUNTS, 0), "hazard_damage": 0.0},
        "ledger": {"people": 0, "rounds": 0, **dict.fromkeys(SUMS, 0.0)},
        "replay": {
            "seed": package.seed,
            "format": 1,
            "orders_ref": None,
            "orders_hash": "0" * 16,
            "initial_hash": "0" * 16,
            "final_hash": "0" * 16,
        },
        "boarding_outcomes": [],
        "megaship_reports": [],
    }


def value(ship: ShipSnapshot) -> float:
    hull = PLAN.hulls[ship.hull_class]
    return hull.cost * ship.initial_state.hp / hull.hp


def ship_outcome(
    package: BattlePackage, ship: ShipSnapshot, winner: str, teams: list[str]
) -> dict[str, Any]:
    won, luck = ship.team_id == winner, share(package, ship.ship_id)
    fate = "OPERATIONAL"
    if not won and ship.hull_class == "platform":
        fate = "CAPTURED"  # so that wars have many of them
    elif not won and luck < 0.4:
        fate = "DESTROYED" if luck < 0.3 else "CAPTURED"
    elif won and luck < 0.15:
        fate = "DESTROYED"
    gone, taken = fate == "DESTROYED", fate == "CAPTURED"
    final = ship.team_id if not taken else next(t for t in teams if t != ship.team_id)
    delivers = not gone and not taken and ship.hull_class == "transport" and won
    hp = 0.0 if gone else ship.initial_state.hp * (0.8 if won else 0.5)
    burned = min(ship.fuel_t, 5.0)
    left = ship.fuel_t - burned
    return {
        "ship_id": ship.ship_id,
        "team_id_initial": ship.team_id,
        "team_id_final": final,
        "fate": fate,
        "capture_method": "SURRENDERED" if taken else None,
        "final_state": {
            "x": 0.0,
            "y": 0.0,
            "heading": 0.0,
            "speed": 0.0,
            "layer": "surface",
            "hp": hp,
        },
        "final_morale": 0.5,
        "crew": people(ship.crew.fit, ship.crew.wounded, gone, taken),
        "marines": people(ship.crew.marines, 0, gone, taken),
        "passengers": people(ship.passengers, 0, gone, taken),
        "ammo": [rounds(mount.slot, mount.rounds_loaded, gone, taken) for mount in ship.weapons],
        "decoys": {"in": ship.decoys, "used": 0, "remaining": ship.decoys, "lost": 0},
        "fuel": {
            "in": ship.fuel_t,
            "burned": burned,
            "remaining": 0.0 if gone or taken else left,
            "lost": left if gone else 0.0,
            "seized": left if taken else 0.0,
        },
        "cargo": {
            name: {
                "in": amount,
                "remaining": 0.0 if gone or taken or delivers else amount,
                "delivered": amount if delivers else 0.0,
                "lost": amount if gone else 0.0,
                "seized": amount if taken else 0.0,
            }
            for name, amount in ship.cargo.items()
        },
        "squadrons": [
            {
                "id": squadron.squadron_id,
                "in": squadron.craft,
                "aboard": 0 if gone else squadron.craft,
                "stranded": 0,
                "lost": squadron.craft if gone else 0,
            }
            for squadron in ship.squadrons
        ],
        "damage": {"dealt": 0.0, "taken_by_cause": {}},
        "damage_report": None,
        "salvage_value": 0.0,
        "objective_outcome": None,
    }


def rounds(slot: int, loaded: int, gone: bool, taken: bool) -> dict[str, int]:
    left = loaded // 2
    return {
        "slot": slot,
        "loaded_in": loaded,
        "remaining": 0 if gone or taken else left,
        "fired": loaded - left,
        "lost": left if gone else 0,
        "seized": left if taken else 0,
    }


def people(fit: int, wounded: int, gone: bool, taken: bool) -> dict[str, int]:
    everybody = fit + wounded
    killed = int(everybody * 0.6) if gone else fit // 10
    left = everybody - killed
    return {
        "fit": 0 if gone or taken else fit - killed,
        "wounded": left if gone else 0 if taken else wounded,
        "killed": killed,
        "captured": left if taken else 0,
        "transferred_in": 0,
        "transferred_out": 0,
    }
