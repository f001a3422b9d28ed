"""Suite G: a random prospector that really travels, mines and sells.

Each step weighs the actions that make sense by what the ship sees and draws one. One step in ten
is any action but cashing out, possible or not, so that no rule is out of reach.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from astrarium.worlds.prospector import layout
from astrarium.worlds.vector import Floats

_SEED_OFFSET: Final = 2000
_ANYTHING: Final = 0.1
_HOT: Final = 0.6
_LADEN: Final = 0.05
_WORN: Final = 0.7

Offers = dict[int, float]
"""Actions with their weights."""


def prospecting(seed: int, steps: int) -> Callable[[int, Floats], int]:
    """A player with its own generator: what it draws depends on nothing outside the case."""
    del steps
    rng = np.random.default_rng(seed + _SEED_OFFSET)

    def play(step: int, obs: Floats) -> int:
        del step
        if rng.random() < _ANYTHING:
            return int(rng.integers(0, layout.CASH_OUT))
        offers = _at_station(obs) if obs[layout.AT_STATION] > 0 else _in_field(obs)
        actions, weights = list(offers), np.array(list(offers.values()))
        limits = np.add.accumulate(weights)
        return actions[int(np.count_nonzero(limits <= rng.random() * limits[-1]))]

    return play


def _lanes(obs: Floats) -> tuple[list[int], list[int]]:
    """Slots that lead somewhere, and those of them that lead home."""
    block = obs[layout.NEIGHBORS].reshape(layout.MAX_NEIGHBORS, layout.NEIGHBOR_STRIDE) > 0
    valid = block[:, layout.NEIGHBOR_VALID]
    home = valid & block[:, layout.NEIGHBOR_TYPE + layout.NODE_STATION]
    return np.flatnonzero(valid).tolist(), np.flatnonzero(home).tolist()


def _at_station(obs: Floats) -> Offers:
    lanes, _ = _lanes(obs)
    offers: Offers = {layout.TRAVEL + lane: 1.0 for lane in lanes}
    for c in np.flatnonzero(obs[layout.CARGO] > 0).tolist():
        for bucket in range(len(layout.SELL_BUCKETS)):
            offers[layout.SELL + len(layout.SELL_BUCKETS) * c + bucket] = 2.0
    # Asked for whether or not there is money: a refused purchase is a rule too.
    for fuel in (layout.BUY_FUEL_SMALL, layout.BUY_FUEL_MED, layout.BUY_FUEL_LARGE):
        offers[fuel] = 1.0 if obs[layout.FUEL] < _WORN else 0.1
    for supply in (layout.BUY_REPAIR_KIT, layout.BUY_STABILIZER, layout.BUY_DECOY):
        offers[supply] = 0.3
    offers[layout.OVERHAUL] = 1.0 if obs[layout.HULL] < _WORN else 0.1
    offers[layout.DOCK] = 0.3
    offers[layout.HOLD] = 0.1
    return offers


def _in_field(obs: Floats) -> Offers:
    lanes, home = _lanes(obs)
    laden = obs[layout.CARGO_LOAD] > _LADEN or obs[layout.HULL] < _WORN
    offers: Offers = {layout.TRAVEL + lane: 0.2 for lane in lanes}
    offers |= {layout.TRAVEL + lane: 8.0 if laden else 0.2 for lane in home}
    offers |= _rocks(obs)
    if obs[layout.HEAT] > _HOT:
        offers[layout.COOLDOWN] = 6.0
    offers[layout.HULL_PATCH] = 2.0 if obs[layout.HULL] < _WORN else 0.05
    offers[layout.TOOL_MAINTENANCE] = 2.0 if obs[layout.TOOL] < _WORN else 0.05
    for action in (layout.WIDE_SCAN, layout.THREAT_LISTEN, layout.REFINE, layout.EMERGENCY_BURN):
        offers[action] = 0.3
    for c in range(layout.N_COMMODITIES):
        offers[layout.JETTISON + c] = 0.01
    offers[layout.HOLD] = 0.1
    return offers


def _rocks(obs: Floats) -> Offers:
    """Choose a rock, or work the chosen one."""
    shape = (layout.MAX_ASTEROIDS, layout.ASTEROID_STRIDE)
    block = obs[layout.ASTEROIDS].reshape(shape)
    left = (block[:, layout.ASTEROID_VALID] > 0) & (block[:, layout.ASTEROID_DEPLETION] < 1)
    active = obs[layout.MINING_ACTIVE] > 0
    weight = 0.1 if active else 1.0
    offers: Offers = {layout.SELECT + slot: weight for slot in np.flatnonzero(left).tolist()}
    if active:
        for action in (layout.MINE_CONSERVATIVE, layout.MINE_STANDARD, layout.MINE_AGGRESSIVE):
            offers[action] = 4.0
        for action in (layout.FOCUSED_SCAN, layout.DEEP_SCAN, layout.STABILIZE):
            offers[action] = 0.5
    return offers
