"""Packing the observation.

Some values are divided and some are multiplied by a rounded reciprocal; the two differ in the last
bit, so each line keeps the form the interface froze.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from astrarium.worlds.prospector import layout

from . import f32
from .f32 import ONE, ZERO, Vector
from .state import Asteroid, Lane, Ship, State

_FUEL: Final = np.float32(layout.FUEL_MAX)
_HULL: Final = np.float32(layout.HULL_MAX)
_HEAT: Final = np.float32(layout.HEAT_MAX)
_TOOL: Final = np.float32(layout.TOOL_MAX)
_CARGO: Final = np.float32(layout.CARGO_MAX)
_ALERT: Final = np.float32(layout.ALERT_MAX)
_SUPPLY: Final = np.float32(layout.SUPPLY_MAX)
_CREDITS_LOG: Final = f32.log1p(np.float32(layout.CREDITS_CAP))
_COMPOSITION_FLOOR: Final = np.float32(1e-8)

_PER_HOP: Final = ONE / np.float32(layout.HOPS_MAX)
_PER_TRAVEL_TICK: Final = ONE / np.float32(layout.TRAVEL_TICKS_MAX)
_PER_TRAVEL_FUEL: Final = ONE / np.float32(layout.TRAVEL_FUEL_SCALE)
_PER_PRICE: Final[Vector] = ONE / np.array(layout.BASE_PRICES, dtype=np.float32)
_PER_PRICE_DELTA: Final = ONE / np.float32(layout.PRICE_DELTA_SCALE)
_PER_INVENTORY: Final = ONE / np.float32(layout.INVENTORY_SCALE)


def observe(state: State) -> Vector:
    """The 260 numbers a policy sees. Reads the state, changes nothing."""
    obs = np.zeros(layout.OBS_DIM, dtype=np.float32)
    _pack_ship(obs, state.ship)
    obs[layout.TIME] = f32.clamp01(state.ledger.time_remaining / state.time_max)
    _pack_place(obs, state)
    for slot, lane in enumerate(state.here().lanes):
        start = layout.NEIGHBOR_BASE + slot * layout.NEIGHBOR_STRIDE
        _pack_lane(obs[start : start + layout.NEIGHBOR_STRIDE], lane, state)
    for slot, asteroid in enumerate(state.here().asteroids):
        start = layout.ASTEROID_BASE + slot * layout.ASTEROID_STRIDE
        block = obs[start : start + layout.ASTEROID_STRIDE]
        _pack_asteroid(block, asteroid, slot == state.ship.selected)
    _pack_market(obs, state)
    return obs


def _pack_ship(obs: Vector, ship: Ship) -> None:
    obs[layout.FUEL] = f32.clamp01(ship.fuel / _FUEL)
    obs[layout.HULL] = f32.clamp01(ship.hull / _HULL)
    obs[layout.HEAT] = f32.clamp01(ship.heat / _HEAT)
    obs[layout.TOOL] = f32.clamp01(ship.tool / _TOOL)
    obs[layout.CARGO_LOAD] = f32.clamp01(ship.total_cargo() / _CARGO)
    obs[layout.ALERT] = f32.clamp01(ship.alert / _ALERT)
    obs[layout.CREDITS] = f32.clamp01(f32.log1p(max(ZERO, ship.credits)) / _CREDITS_LOG)
    obs[layout.CARGO] = _clamped(ship.cargo / _CARGO, ZERO)
    obs[layout.REPAIR_KITS] = f32.clamp01(np.float32(ship.repair_kits) / _SUPPLY)
    obs[layout.STABILIZERS] = f32.clamp01(np.float32(ship.stabilizers) / _SUPPLY)
    obs[layout.DECOYS] = f32.clamp01(np.float32(ship.decoys) / _SUPPLY)


def _pack_place(obs: Vector, state: State) -> None:
    node = state.here()
    obs[layout.AT_STATION] = state.at_station()
    obs[layout.MINING_ACTIVE] = state.live_selection() is not None
    obs[layout.NODE_TYPE_BASE + node.kind] = ONE
    obs[layout.NODE_INDEX] = f32.clamp01(np.float32(state.ship.node) * _PER_HOP)
    obs[layout.STEPS_TO_STATION] = f32.clamp01(np.float32(node.hops) * _PER_HOP)


def _pack_lane(block: Vector, lane: Lane, state: State) -> None:
    block[layout.NEIGHBOR_VALID] = ONE
    block[layout.NEIGHBOR_TYPE + state.nodes[lane.to].kind] = ONE
    block[layout.NEIGHBOR_TRAVEL_TIME] = f32.clamp01(np.float32(lane.ticks) * _PER_TRAVEL_TICK)
    block[layout.NEIGHBOR_TRAVEL_FUEL] = f32.clamp01(lane.fuel * _PER_TRAVEL_FUEL)
    block[layout.NEIGHBOR_THREAT] = f32.clamp01(lane.threat_est)


def _pack_asteroid(block: Vector, asteroid: Asteroid, selected: bool) -> None:
    shares: Vector = np.maximum(asteroid.composition_est, _COMPOSITION_FLOOR)
    # By the reciprocal, where a survey divides: the two round differently.
    shares = shares * (ONE / f32.ordered_sum(shares))
    first = layout.ASTEROID_COMPOSITION
    block[layout.ASTEROID_VALID] = ONE
    block[first : first + layout.N_COMMODITIES] = shares
    block[layout.ASTEROID_STABILITY] = f32.clamp01(asteroid.stability_est)
    block[layout.ASTEROID_DEPLETION] = f32.clamp01(asteroid.depletion)
    block[layout.ASTEROID_CONFIDENCE] = f32.clamp01(asteroid.confidence)
    block[layout.ASTEROID_SELECTED] = selected


def _pack_market(obs: Vector, state: State) -> None:
    market = state.market
    obs[layout.PRICE] = _clamped(market.price * _PER_PRICE, ZERO)
    change: Vector = market.price - market.previous_price
    obs[layout.PRICE_DELTA] = _clamped(change * _PER_PRICE_DELTA, -ONE)
    shown = market.inventory[list(layout.INVENTORY_SHOWN)]
    obs[layout.INVENTORY_BASE :] = _clamped(shown * _PER_INVENTORY, ZERO)


def _clamped(values: Vector, low: np.float32) -> Vector:
    return np.minimum(np.maximum(values, low), ONE)
