"""Random legal battle packages, for whatever must hold in every battle."""

import copy
import functools
import json
from typing import Any

from hypothesis import strategies as st

from astrarium import _native
from astrarium.worlds.tidebreak.package import BattlePackage

HALF_M = {"F0": 8000.0, "F1": 8000.0, "F2": 8000.0, "F3": 2500.0}
"""How far ships may start from the middle; the finest fields of a large map take too long."""
LAYERS = ("surface", "submerged", "abyssal")
TEAMS = ("blue", "red", "green", "white")
OBJECTIVES = ("DESTROY", "PROTECT", "RAID", "EVADE", "DELIVER")


@functools.cache
def hulls() -> dict[str, dict[str, Any]]:
    """A whole ship of every class."""
    return {name: json.loads(ship) for name, ship in _native.tidebreak_classes().items()}


def share() -> st.SearchStrategy[float]:
    return st.floats(0.0, 1.0, width=32)


def coordinate(half: float) -> st.SearchStrategy[float]:
    return st.floats(600.0 - half, half - 600.0, width=32)


@st.composite
def ships(draw_: st.DrawFn, number: int, team: str, deep: bool, half: float) -> dict[str, Any]:
    name = f"{team}_{number}"
    hull = draw_(st.sampled_from(sorted(hulls())))
    ship = copy.deepcopy(hulls()[hull])
    can = ship["capabilities"]
    open_ = [can["can_surface"], can["can_submerge"], can["can_abyssal"] and deep]
    layer = draw_(st.sampled_from([layer for layer, may in zip(LAYERS, open_, strict=True) if may]))
    whole = ship["initial_state"]["hp"]
    ship |= {
        "ship_id": name,
        "team_id": team,
        "decoys": draw_(st.integers(0, 8)),
        "link_tier": draw_(st.integers(0, 3)),
        "passengers": draw_(st.integers(0, 200)),
        "cargo": draw_(st.dictionaries(st.sampled_from(["food", "water"]), st.floats(0, 1e4))),
        "fuel_t": ship["fuel_t"] * draw_(share()),
        "is_flagship": number == 0,
        "squadrons": [
            one | {"squadron_id": f"{name}-{i}"} for i, one in enumerate(ship["squadrons"])
        ],
    }
    ship["crew"] |= {
        "wounded": draw_(st.integers(0, 20)),
        "marines": draw_(st.integers(0, 50)),
        "gunnery": draw_(share()),
        "engineering": draw_(share()),
        "morale": draw_(share()),
        "fatigue": draw_(share()),
    }
    slots = draw_(st.permutations([mount["slot"] for mount in ship["weapons"]]))
    for mount, slot in zip(ship["weapons"], slots, strict=True):
        mount["slot"] = slot
        mount["rounds_loaded"] = draw_(st.integers(0, mount["rounds_loaded"]))
        mount["condition"] = draw_(share())
    for squadron in ship["squadrons"]:
        squadron["craft"] = draw_(st.integers(0, 12))
        squadron["mission"] = draw_(st.sampled_from(["cap", "strike", "scout", "asw"]))
    ship["initial_state"] = {
        "x": draw_(coordinate(half)),
        "y": draw_(coordinate(half)),
        "heading": draw_(st.floats(-3.0, 3.0, width=32)),
        "speed": 0.0,
        "layer": layer,
        "hp": max(1.0, whole * draw_(share())),
    }
    return ship


@st.composite
def objectives(
    draw_: st.DrawFn, team: str, everybody: list[dict[str, Any]], half: float
) -> dict[str, Any] | None:
    """Any of the five with what it needs, or none."""
    friends = [ship["ship_id"] for ship in everybody if ship["team_id"] == team]
    foes = [ship["ship_id"] for ship in everybody if ship["team_id"] != team]
    place = {"x": draw_(coordinate(half)), "y": draw_(coordinate(half))}
    whose: dict[str, dict[str, Any]] = {
        "DESTROY": draw_(st.sampled_from([{}, {"target": draw_(st.sampled_from(foes))}])),
        "PROTECT": {"asset": draw_(st.sampled_from(friends))},
        "RAID": draw_(
            st.sampled_from(
                [{"target": draw_(st.sampled_from(foes))}, {"zone": place | {"radius_m": 900.0}}]
            )
        ),
        "EVADE": {"destination": [half, place["y"]]},
        "DELIVER": {"destination": [place["x"], place["y"]]},
    }
    kind = draw_(st.sampled_from([None, *OBJECTIVES]))
    if kind is None:
        return None
    deadline = draw_(st.sampled_from([None, 30, 7200]))
    return {"type": kind, "priority": draw_(share()), "deadline_s": deadline, **whose[kind]}


@st.composite
def skies(draw_: st.DrawFn) -> dict[str, Any]:
    return {
        "sea_state": draw_(st.floats(0.0, 9.0, width=32)),
        "visibility_km": draw_(st.floats(0.0, 20.0, width=32)),
        "precipitation": draw_(st.sampled_from(["none", "light", "heavy", "storm"])),
        "wind_x": draw_(st.floats(-30.0, 30.0, width=32)),
        "wind_y": draw_(st.floats(-30.0, 30.0, width=32)),
        "lightning": draw_(share()),
    }


@st.composite
def maps(draw_: st.DrawFn, half: float) -> dict[str, Any]:
    """Land lies beyond the strip in which ships start."""
    edge = half + 1500.0
    islands = [
        {
            "shape": {"kind": "circle", "x": draw_(coordinate(half)), "y": edge, "radius_m": 900.0},
            "kind": draw_(st.sampled_from(["solid", "soft"])),
        }
        for _ in range(draw_(st.integers(0, 3)))
    ]
    storms = [
        {
            "x": draw_(coordinate(half)),
            "y": draw_(coordinate(half)),
            "velocity_x": draw_(st.floats(-10, 10, width=32)),
            "velocity_y": 0.0,
            "radius_m": draw_(st.floats(500, 5000, width=32)),
            "intensity": draw_(share()),
            "profile": draw_(st.sampled_from(["uniform", "gradient", "cyclonic"])),
        }
        for _ in range(draw_(st.integers(0, 2)))
    ]
    weather_zones = [
        {
            "shape": {
                "kind": "circle",
                "x": draw_(coordinate(half)),
                "y": draw_(coordinate(half)),
                "radius_m": draw_(st.floats(300, 3000, width=32)),
            },
            "weather": draw_(skies()),
        }
        for _ in range(draw_(st.integers(0, 2)))
    ]
    zones = [
        {
            "shape": {"kind": "circle", "x": draw_(coordinate(half)), "y": 0.0, "radius_m": 2000.0},
            "kind": draw_(st.sampled_from(["interference", "hazard", "current", "speed"])),
            "intensity": draw_(share()),
        }
        for _ in range(draw_(st.integers(0, 3)))
    ]
    edges = {"min_x": -edge, "min_y": -edge, "max_x": edge, "max_y": edge + 1000.0}
    flow = {"kind": "uniform", "x": draw_(st.floats(-2, 2, width=32)), "y": 0.0}
    return {
        "bounds": edges,
        "obstacles": islands,
        "zones": zones,
        "currents": flow,
        "depth": {"kind": "const", "depth_m": draw_(st.sampled_from([100.0, 1000.0]))},
        "weather": {"initial": draw_(skies()), "zones": weather_zones, "storms": storms},
        "daylight": draw_(share()),
    }


@st.composite
def packages(draw_: st.DrawFn, ships_max: int = 4) -> BattlePackage:
    """A legal battle of two to four teams, short enough to be fought by the thousand."""
    fidelity = draw_(st.sampled_from(sorted(HALF_M)))
    half = HALF_M[fidelity]
    sea = draw_(maps(half))
    teams = TEAMS[: draw_(st.integers(2, len(TEAMS)))]
    everybody = [
        draw_(ships(number, team, sea["depth"]["depth_m"] >= 400.0, half))
        for team in teams
        for number in range(draw_(st.integers(1, ships_max if len(teams) == 2 else 2)))
    ]
    for ship in everybody:
        ship["objective"] = draw_(objectives(ship["team_id"], everybody, half))
    plain = {
        "schema_version": "arena.v1",
        "schema_minor": 1,
        "battle_id": "generated",
        "seed": draw_(st.integers(1, 2**64 - 1)),
        "time_step_s": draw_(st.sampled_from([0.05, 0.1, 0.2, 0.25])),
        "time_limit_s": draw_(st.integers(60, 240)),
        "fidelity": fidelity,
        "table_hashes": {},
        "teams": [{"team_id": team, "name": team.title()} for team in teams],
        "map": sea,
        "ships": draw_(st.permutations(everybody)),
    }
    return BattlePackage.model_validate(plain)
