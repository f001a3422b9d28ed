"""Work on the selected asteroid: mining it, and steadying it first."""

from __future__ import annotations

import numpy as np

from astrarium.worlds.prospector import layout

from . import f32
from .f32 import ONE, ZERO, Vector
from .rules import MiningMode
from .state import Asteroid, State


def mine(state: State, action: int) -> int | None:
    """Three words, or four when the asteroid breaks."""
    asteroid = state.live_selection()
    slot = state.ship.selected
    if asteroid is None or slot is None:
        return None
    rules, ship = state.rules, state.ship
    mode = rules.mining_modes[action - layout.MINE_CONSERVATIVE]
    # The tool and heat the action started with decide both the yield and the risk.
    tool_frac = f32.clamp01(ship.tool / rules.tool_max)
    heat_frac = f32.clamp(ship.heat / rules.heat_max, ZERO, rules.mining_heat_frac_max)
    total = _extract(state, asteroid, mode, tool_frac, heat_frac)
    ship.heat = ship.heat + mode.heat
    ship.tool = ship.tool - mode.wear
    ship.alert = ship.alert + mode.alert
    asteroid.depletion = f32.clamp01(asteroid.depletion + rules.depletion_per_unit * total)
    state.ledger.mining_ticks += 1
    steadied = rules.fracture_logit_stabilized if ship.stabilize_ticks[slot] > 0 else ZERO
    logit = (
        rules.fracture_logit
        + mode.fracture_bias
        + rules.fracture_logit_instability * (ONE - asteroid.stability)
        + rules.fracture_logit_heat * max(ZERO, heat_frac - rules.hot_heat_frac)
        + rules.fracture_logit_wear * (ONE - tool_frac)
        - steadied
    )
    if state.draws.unit() < f32.sigmoid(logit):
        _fracture(state, asteroid)
    return 1


def _extract(
    state: State,
    asteroid: Asteroid,
    mode: MiningMode,
    tool_frac: np.float32,
    heat_frac: np.float32,
) -> np.float32:
    """Load what comes loose, as far as there is room; returns how much that was. Two words."""
    rules, ship = state.rules, state.ship
    remaining = asteroid.richness * max(ZERO, ONE - asteroid.depletion)
    tool_yield = rules.mining_tool_floor + rules.mining_tool_gain * tool_frac
    heat_yield = ONE
    if heat_frac > rules.hot_heat_frac:
        excess = (heat_frac - rules.hot_heat_frac) / rules.hot_heat_span
        heat_yield = max(rules.hot_yield_floor, ONE - excess)
    luck = f32.exp(state.draws.normal(ZERO, mode.yield_sd))
    scale = remaining * tool_yield * heat_yield * mode.yield_mult * luck
    loose: Vector = scale * asteroid.composition
    total = f32.ordered_sum(loose)
    room = max(ZERO, rules.cargo_max - ship.total_cargo())
    if total > room and total > ZERO:
        loose = loose * (room / total)
        total = room
    ship.cargo = ship.cargo + loose
    return total


def _fracture(state: State, asteroid: Asteroid) -> None:
    """The asteroid is lost, the hull is hit, and the place stays more dangerous."""
    rules, node = state.rules, state.here()
    share = state.draws.uniform(rules.fracture_hull_low, rules.fracture_hull_high)
    state.ship.hull = state.ship.hull - rules.fracture_hull * share
    asteroid.depletion = ONE
    node.hazard = f32.clamp01(node.hazard + rules.fracture_hazard)
    state.ledger.fractures += 1


def select(state: State, slot: int) -> int | None:
    """Aim at an asteroid that is here and has something left."""
    asteroids = state.here().asteroids
    if slot >= len(asteroids) or asteroids[slot].depletion >= ONE:
        return None
    state.ship.selected = slot
    return 1


def stabilize(state: State) -> int | None:
    """Start the timer of the selected slot *number*, which outlives a move to another node."""
    ship = state.ship
    if state.live_selection() is None or ship.selected is None or ship.stabilizers == 0:
        return None
    ship.stabilizers -= 1
    ship.stabilize_ticks[ship.selected] = state.rules.stabilize_timer_ticks
    return state.rules.stabilize_ticks
