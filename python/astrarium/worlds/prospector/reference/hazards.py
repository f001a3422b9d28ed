"""What harms a ship away from the station: lanes, nodes, pirates, its own heat."""

from __future__ import annotations

import numpy as np

from . import f32
from .f32 import ONE, ZERO
from .state import State


def travel(state: State, slot: int) -> int | None:
    """Fly one lane. One word for the damage, then the pirates of that lane."""
    rules, ship = state.rules, state.ship
    lanes = state.here().lanes
    if slot >= len(lanes):
        return None
    lane = lanes[slot]
    mass = ONE + rules.cargo_mass * (ship.total_cargo() / rules.cargo_max)
    ship.fuel = ship.fuel - lane.fuel * mass
    ship.node = lane.to
    ship.selected = None
    _expose(state, lane.ticks, lane.threat, rules.travel_damage_low, rules.travel_damage_high)
    check_pirates(state, lane.ticks, lane.threat)
    return lane.ticks


def suffer_node(state: State, dt: int) -> None:
    """The hazard of the place itself. One word, or none where there is no hazard."""
    hazard = state.here().hazard
    if hazard > ZERO:
        rules = state.rules
        _expose(state, dt, hazard, rules.node_damage_low, rules.node_damage_high)


def _expose(
    state: State, dt: int, intensity: np.float32, damage_low: np.float32, damage_high: np.float32
) -> None:
    rules, ship = state.rules, state.ship
    ticks = np.float32(dt)
    damage = ticks * intensity * rules.hazard_damage * state.draws.uniform(damage_low, damage_high)
    ship.hull = ship.hull - damage
    ship.heat = ship.heat + ticks * intensity * rules.hazard_heat
    ship.alert = ship.alert + ticks * intensity * rules.hazard_alert


def check_pirates(state: State, dt: int, intensity: np.float32) -> None:
    """Perhaps an encounter. At the station nothing is drawn, so coming home draws one less."""
    if state.at_station():
        return
    rules, ship, ledger, draws = state.rules, state.ship, state.ledger, state.draws
    value_before = state.cargo_value()
    if draws.unit() >= _encounter_chance(state, dt, intensity, value_before):
        return
    ledger.pirate_encounters += 1
    loss = draws.uniform(rules.pirate_loss_low, rules.pirate_loss_high)
    if ship.decoys > 0 and draws.unit() < rules.decoy_chance:
        ship.decoys -= 1
        loss = loss * rules.decoy_loss_mult
    ship.cargo = ship.cargo * (ONE - loss)
    value_after = state.cargo_value()
    if value_before > value_after:
        ledger.value_lost = ledger.value_lost + (value_before - value_after)
    ship.hull = ship.hull - draws.uniform(rules.pirate_hull_low, rules.pirate_hull_high)
    ship.alert = ship.alert + rules.pirate_alert


def _encounter_chance(
    state: State, dt: int, intensity: np.float32, cargo_value: np.float32
) -> np.float32:
    rules, ship = state.rules, state.ship
    escaping = ONE if ship.escape_ticks > 0 else ZERO
    logit = (
        rules.pirate_logit
        + rules.pirate_logit_intensity * intensity
        # Alert is clamped only when the step ends, so it may stand above its maximum here.
        + rules.pirate_logit_alert * f32.clamp01(ship.alert / rules.alert_max)
        + rules.pirate_logit_value * f32.log1p(cargo_value / rules.credit_scale)
        - rules.pirate_logit_escape * escaping
    )
    return ONE - f32.power(ONE - f32.sigmoid(logit), np.float32(dt))


def cool(state: State, ticks: int) -> None:
    """Radiate heat away; a hold does it once on top of what every step does."""
    ship = state.ship
    ship.heat = max(ZERO, ship.heat - state.rules.cool_per_tick * np.float32(ticks))


def suffer_overheat(state: State, dt: int) -> None:
    """Heat above the maximum burns the hull and is gone."""
    rules, ship = state.rules, state.ship
    if ship.heat > rules.heat_max:
        ship.hull = ship.hull - rules.overheat_damage * (ship.heat - rules.heat_max)
        ship.heat = rules.heat_max
        state.ledger.overheat_ticks += dt
