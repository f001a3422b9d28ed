"""Prospector v1's frozen interface: sizes, names and positions.

Everything outside the rules (bots, drawing, parity reports, the native face) speaks of
observations and actions through these names, so that a position is written down once. A change
to any value here is a new interface version, not an edit.
"""

from __future__ import annotations

from typing import Final

# Sizes.
OBS_DIM: Final = 260
N_ACTIONS: Final = 69
N_COMMODITIES: Final = 6
MAX_NODES: Final = 32
MAX_NEIGHBORS: Final = 6
MAX_ASTEROIDS: Final = 16

# Kinds of node.
NODE_STATION: Final = 0
NODE_CLUSTER: Final = 1
NODE_HAZARD: Final = 2
NODE_TYPES: Final = ("station", "cluster", "hazard")

# Limits, which are also what the observation divides by.
FUEL_MAX: Final = 1000.0
HULL_MAX: Final = 100.0
HEAT_MAX: Final = 100.0
TOOL_MAX: Final = 100.0
CARGO_MAX: Final = 200.0
ALERT_MAX: Final = 100.0
SUPPLY_MAX: Final = 12
CREDIT_SCALE: Final = 1000.0
CREDITS_CAP: Final = 10_000_000.0
TRAVEL_TICKS_MAX: Final = 8
TRAVEL_FUEL_SCALE: Final = 160.0
PRICE_DELTA_SCALE: Final = 100.0
INVENTORY_SCALE: Final = 500.0
HOPS_MAX: Final = MAX_NODES - 1

# Configuration defaults.
TIME_MAX: Final = 20_000.0
INVALID_ACTION_PENALTY: Final = 0.01

COMMODITIES: Final = ("iron", "nickel", "water_ice", "pge", "rare_isotopes", "volatiles")
BASE_PRICES: Final = (45.0, 55.0, 85.0, 145.0, 210.0, 120.0)
V2_BASE_PRICES: Final = (14.0, 17.0, 26.0, 44.0, 63.0, 36.0)
"""Base prices of version 2; the observation shows prices as shares of these."""
MIN_PRICES: Final = (12.0, 15.0, 20.0, 50.0, 80.0, 30.0)
MAX_PRICES: Final = (180.0, 200.0, 240.0, 320.0, 420.0, 300.0)

# Actions: single indices, and the first index of each numbered group.
TRAVEL: Final = 0
HOLD: Final = 6
EMERGENCY_BURN: Final = 7
WIDE_SCAN: Final = 8
FOCUSED_SCAN: Final = 9
DEEP_SCAN: Final = 10
THREAT_LISTEN: Final = 11
SELECT: Final = 12
MINE_CONSERVATIVE: Final = 28
MINE_STANDARD: Final = 29
MINE_AGGRESSIVE: Final = 30
STABILIZE: Final = 31
REFINE: Final = 32
COOLDOWN: Final = 33
TOOL_MAINTENANCE: Final = 34
HULL_PATCH: Final = 35
JETTISON: Final = 36
DOCK: Final = 42
SELL: Final = 43
BUY_FUEL: Final = 61
BUY_FUEL_SMALL: Final = 61
BUY_FUEL_MED: Final = 62
BUY_FUEL_LARGE: Final = 63
BUY_REPAIR_KIT: Final = 64
BUY_STABILIZER: Final = 65
BUY_DECOY: Final = 66
OVERHAUL: Final = 67
CASH_OUT: Final = 68

SELL_BUCKETS: Final = (25, 50, 100)
"""Percentages a commodity can be sold in; `SELL + 3 * commodity + bucket` is the action."""

ACTION_BYTE_MAX: Final = 255
OUT_OF_RANGE: Final = N_ACTIONS
"""What a caller with wide integers sends for anything that does not fit an unsigned byte."""

AFTER_END_ACTION: Final = -1
"""The resolved action reported by a step taken after the episode is over."""


def _action_names() -> tuple[str, ...]:
    return (
        *(f"TRAVEL_NEIGHBOR_{k}" for k in range(MAX_NEIGHBORS)),
        "HOLD_DRIFT",
        "EMERGENCY_BURN",
        "WIDE_SCAN",
        "FOCUSED_SCAN_SELECTED",
        "DEEP_SCAN_SELECTED",
        "PASSIVE_THREAT_LISTEN",
        *(f"SELECT_ASTEROID_{a}" for a in range(MAX_ASTEROIDS)),
        "MINE_CONSERVATIVE_SELECTED",
        "MINE_STANDARD_SELECTED",
        "MINE_AGGRESSIVE_SELECTED",
        "STABILIZE_SELECTED",
        "REFINE_ONBOARD",
        "ACTIVE_COOLDOWN",
        "TOOL_MAINTENANCE",
        "HULL_PATCH",
        *(f"JETTISON_COMMODITY_{c}" for c in range(N_COMMODITIES)),
        "DOCK",
        *(f"SELL_COMMODITY_{c}_{b}PCT" for c in range(N_COMMODITIES) for b in SELL_BUCKETS),
        "BUY_FUEL_SMALL",
        "BUY_FUEL_MED",
        "BUY_FUEL_LARGE",
        "BUY_REPAIR_KIT",
        "BUY_STABILIZER",
        "BUY_DECOY",
        "FULL_REPAIR_OVERHAUL",
        "CASH_OUT_END_EPISODE",
    )


ACTION_NAMES: Final = _action_names()

# Observation: single positions, and base, stride and offsets of each block.
FUEL: Final = 0
HULL: Final = 1
HEAT: Final = 2
TOOL: Final = 3
CARGO_LOAD: Final = 4
ALERT: Final = 5
TIME: Final = 6
CREDITS: Final = 7
CARGO_BASE: Final = 8
CARGO: Final = slice(CARGO_BASE, CARGO_BASE + N_COMMODITIES)
REPAIR_KITS: Final = 14
STABILIZERS: Final = 15
DECOYS: Final = 16
AT_STATION: Final = 17
MINING_ACTIVE: Final = 18
NODE_TYPE_BASE: Final = 19
NODE_INDEX: Final = 22
STEPS_TO_STATION: Final = 23

NEIGHBOR_BASE: Final = 24
NEIGHBOR_STRIDE: Final = 7
NEIGHBORS: Final = slice(NEIGHBOR_BASE, NEIGHBOR_BASE + MAX_NEIGHBORS * NEIGHBOR_STRIDE)
NEIGHBOR_VALID: Final = 0
NEIGHBOR_TYPE: Final = 1
NEIGHBOR_TRAVEL_TIME: Final = 4
NEIGHBOR_TRAVEL_FUEL: Final = 5
NEIGHBOR_THREAT: Final = 6

RESERVED: Final = slice(66, 68)

ASTEROID_BASE: Final = 68
ASTEROID_STRIDE: Final = 11
ASTEROIDS: Final = slice(ASTEROID_BASE, ASTEROID_BASE + MAX_ASTEROIDS * ASTEROID_STRIDE)
ASTEROID_VALID: Final = 0
ASTEROID_COMPOSITION: Final = 1
ASTEROID_STABILITY: Final = 7
ASTEROID_DEPLETION: Final = 8
ASTEROID_CONFIDENCE: Final = 9
ASTEROID_SELECTED: Final = 10

PRICE_BASE: Final = 244
PRICE: Final = slice(PRICE_BASE, PRICE_BASE + N_COMMODITIES)
PRICE_DELTA_BASE: Final = 250
PRICE_DELTA: Final = slice(PRICE_DELTA_BASE, PRICE_DELTA_BASE + N_COMMODITIES)
INVENTORY_BASE: Final = 256
INVENTORY_SHOWN: Final = (0, 2, 3, 4)
"""Commodities whose station inventory is visible, in the order of their positions."""


def _observation_names() -> tuple[str, ...]:
    ship = (
        *("fuel_frac", "hull_frac", "heat_frac", "tool_frac", "cargo_load_frac", "alert_frac"),
        *("time_frac", "credits_log_norm"),
        *(f"cargo_frac[{c}]" for c in COMMODITIES),
        *("repair_kits_norm", "stabilizers_norm", "decoys_norm", "at_station", "mining_active"),
        *(f"node_type[{kind}]" for kind in NODE_TYPES),
        *("node_index_norm", "steps_to_station_norm"),
    )
    neighbor = (
        "valid",
        *(f"type[{kind}]" for kind in NODE_TYPES),
        *("travel_time_norm", "travel_fuel_norm", "threat_est"),
    )
    asteroid = (
        "valid",
        *(f"comp_est[{c}]" for c in COMMODITIES),
        *("stability_est", "depletion", "scan_conf", "selected"),
    )
    return (
        *ship,
        *(f"neighbor[{k}].{name}" for k in range(MAX_NEIGHBORS) for name in neighbor),
        *("reserved[66]", "reserved[67]"),
        *(f"asteroid[{a}].{name}" for a in range(MAX_ASTEROIDS) for name in asteroid),
        *(f"price_norm[{c}]" for c in COMMODITIES),
        *(f"price_delta_norm[{c}]" for c in COMMODITIES),
        *(f"inventory_norm[{COMMODITIES[c]}]" for c in INVENTORY_SHOWN),
    )


OBSERVATION_NAMES: Final = _observation_names()

INFO_METRICS: Final = (
    *("credits", "net_profit", "profit_per_tick", "survival", "overheat_ticks"),
    *("pirate_encounters", "value_lost_to_pirates", "fuel_used", "hull_damage", "tool_wear"),
    *("scan_count", "mining_ticks", "cargo_utilization_avg", "time_remaining"),
)
PARITY_METRICS: Final = INFO_METRICS[:13]
"""The metrics compared between implementations and averaged over training windows."""

REWARD_TERMS: Final = (
    *("sell", "extract", "fuel", "time", "wear", "heat", "damage", "scan", "invalid", "pirate"),
    "terminal",
)
"""In the order in which they are added: float addition makes the order part of the reward."""

EVENTS: Final = (
    *("invalid_action", "pirate_encounter", "overheat_tick", "fracture", "stranded"),
    *("destroyed", "cash_out"),
)
