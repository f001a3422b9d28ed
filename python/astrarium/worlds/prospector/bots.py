"""Three baseline bots for Prospector v1, over a whole batch at once.

Each bot is a table read from the top: the first row whose condition holds decides. `np.select`
has exactly that meaning (of several true conditions it takes the earliest), so each bot below is
its table: one `(condition, action)` pair per row, every condition evaluated for every row of the
batch, and a last action for when none holds. Rows that apply at the station come first and end in
an unconditional one, so the rows after it are reached only in the field.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from astrarium.worlds.prospector import layout
from astrarium.worlds.prospector.sight import (
    FLAG,
    Actions,
    Observations,
    any_of,
    at,
    best_rock,
    checked,
    first_row_wins,
    mean_confidence,
    read_credits,
    read_lanes,
    read_rocks,
    sale,
    value_scores,
)

Bot = Callable[[Observations], Actions]

_HALF: Final = np.float32(0.5)


def greedy_miner(obs: Observations) -> Actions:
    """Mine the most valuable rock hard, sell everything at once."""
    obs = checked(obs)
    lanes, rocks = read_lanes(obs), read_rocks(obs)
    station = obs[:, layout.AT_STATION] > FLAG
    fuel, hull, heat = obs[:, layout.FUEL], obs[:, layout.HULL], obs[:, layout.HEAT]
    load, tool = obs[:, layout.CARGO_LOAD], obs[:, layout.TOOL]
    cargo = obs[:, layout.CARGO] > 0.01
    rock = best_rock(rocks, value_scores(obs, rocks))
    return first_row_wins(
        [
            (station & any_of(cargo), sale(cargo, 100)),
            (station & (fuel < 0.40) & (read_credits(obs) >= 210), layout.BUY_FUEL_LARGE),
            (station, lanes.out),
            ((load > 0.85) | (heat > 0.80) | (hull < 0.40) | (fuel < 0.15), lanes.home),
            (~any_of(rocks.valid), lanes.out),
            (~at(rocks.selected, rock), layout.SELECT + rock),
            ((tool > 0.60) & (heat < 0.60), layout.MINE_AGGRESSIVE),
        ],
        layout.MINE_STANDARD,
    )


def cautious_scanner(obs: Observations) -> Actions:
    """Look before mining, mine gently, go home early."""
    obs = checked(obs)
    lanes, rocks = read_lanes(obs), read_rocks(obs)
    station = obs[:, layout.AT_STATION] > FLAG
    fuel, hull, heat = obs[:, layout.FUEL], obs[:, layout.HULL], obs[:, layout.HEAT]
    load, kits = obs[:, layout.CARGO_LOAD], obs[:, layout.REPAIR_KITS]
    stabilizers = obs[:, layout.STABILIZERS]
    cargo = obs[:, layout.CARGO] > 0.01
    credits = read_credits(obs)
    rock = best_rock(rocks, value_scores(obs, rocks))
    unsteady = at(rocks.stability, rock) < 0.40
    return first_row_wins(
        [
            (station & any_of(cargo), sale(cargo, 50)),
            (station & (kits < 0.30) & (credits >= 150), layout.BUY_REPAIR_KIT),
            (station & (fuel < 0.50) & (credits >= 120), layout.BUY_FUEL_MED),
            (station, lanes.out),
            ((load > 0.70) | (heat > 0.75) | (hull < 0.55) | (fuel < 0.20), lanes.home),
            (mean_confidence(rocks) < 0.35, layout.WIDE_SCAN),
            (~any_of(rocks.valid), lanes.out),
            (~at(rocks.selected, rock), layout.SELECT + rock),
            (at(rocks.confidence, rock) < 0.60, layout.DEEP_SCAN),
            (unsteady & (stabilizers > 0.10), layout.STABILIZE),
            (heat > 0.70, layout.COOLDOWN),
        ],
        layout.MINE_CONSERVATIVE,
    )


def market_timer(obs: Observations, target: int = 3) -> Actions:
    """Mine one commodity and sell it, a little at a time, while its price rises."""
    if not 0 <= target < layout.N_COMMODITIES:
        known = ", ".join(f"{c} {name}" for c, name in enumerate(layout.COMMODITIES))
        raise ValueError(f"there is no target commodity {target}; use one of: {known}")
    obs = checked(obs)
    lanes, rocks = read_lanes(obs), read_rocks(obs)
    station = obs[:, layout.AT_STATION] > FLAG
    heat, load = obs[:, layout.HEAT], obs[:, layout.CARGO_LOAD]
    price, change = obs[:, layout.PRICE_BASE + target], obs[:, layout.PRICE_DELTA_BASE + target]
    force = (load > 0.70) | (obs[:, layout.TIME] < 0.15)
    good_time = ((change > 0.01) & (price > 0.50)) | force
    is_target = np.arange(layout.N_COMMODITIES) == target
    cargo = obs[:, layout.CARGO]
    others = (cargo > 0.05) & ~is_target
    trust: Observations = _HALF * rocks.confidence
    trust = _HALF + trust
    worth: Observations = rocks.composition[:, :, target] * trust
    rock = best_rock(rocks, worth)
    falling = (change < -0.02) & (load > 0.25)
    full_or_hot = (load > 0.85) | (heat > 0.80)
    refuel = (obs[:, layout.FUEL] < 0.50) & (read_credits(obs) >= 120)
    return first_row_wins(
        [
            (station & (cargo[:, target] > 0.01) & good_time, layout.SELL + 3 * target),
            (station & force & any_of(others), sale(others, 25)),
            (station & refuel, layout.BUY_FUEL_MED),
            (station, lanes.out),
            ((load > 0.12) & (heat > 0.65), layout.COOLDOWN),
            ((load > 0.12) & lanes.to_station, lanes.station),
            (falling & (heat > 0.60), layout.COOLDOWN),
            (falling, lanes.home),
            (full_or_hot & (heat > 0.70), layout.COOLDOWN),
            (full_or_hot, lanes.station),
            (~any_of(rocks.valid), lanes.out),
            (~at(rocks.selected, rock), layout.SELECT + rock),
            (heat < 0.60, layout.MINE_STANDARD),
        ],
        layout.MINE_CONSERVATIVE,
    )


V1_BOTS: Final[dict[str, Bot]] = {
    "greedy_miner": greedy_miner,
    "cautious_scanner": cautious_scanner,
    "market_timer": market_timer,
}
