"""What each action does when it is taken.

`apply_action` answers with the ticks the action takes, or None when it is invalid; the caller
then applies a hold. Whatever an action changed before it was found invalid stays changed.
"""

from __future__ import annotations

import numpy as np

from astrarium.worlds.prospector import layout

from . import hazards, market, mining, survey
from .f32 import ONE, ZERO
from .state import State


def apply_action(state: State, action: int) -> int | None:
    """Dispatch by index group; `action` is in 0..68."""
    if action < layout.HOLD:
        return hazards.travel(state, action - layout.TRAVEL)
    if layout.SELECT <= action < layout.MINE_CONSERVATIVE:
        return mining.select(state, action - layout.SELECT)
    if layout.MINE_CONSERVATIVE <= action <= layout.MINE_AGGRESSIVE:
        return mining.mine(state, action)
    if layout.JETTISON <= action < layout.DOCK:
        return _jettison(state, action - layout.JETTISON)
    if action >= layout.DOCK:
        return _apply_station_action(state, action)
    return _apply_ship_action(state, action)


def _apply_ship_action(state: State, action: int) -> int | None:
    match action:
        case layout.HOLD:
            return hold(state)
        case layout.EMERGENCY_BURN:
            return _burn(state)
        case layout.WIDE_SCAN:
            return survey.wide_scan(state)
        case layout.FOCUSED_SCAN | layout.DEEP_SCAN:
            return survey.selected_scan(state, action)
        case layout.THREAT_LISTEN:
            return survey.listen(state)
        case layout.STABILIZE:
            return mining.stabilize(state)
        case layout.REFINE:
            return _refine(state)
        case layout.COOLDOWN:
            return _cooldown(state)
        case layout.TOOL_MAINTENANCE | layout.HULL_PATCH:
            return _use_repair_kit(state, action)
        case _:
            raise ValueError(f"action {action} is not a ship action; resolve it to 0..68 first")


def _apply_station_action(state: State, action: int) -> int | None:
    """Everything that needs the station, and cashing out, which does not."""
    if action == layout.CASH_OUT:
        state.ledger.cashed_out = True
        return 1
    if not state.at_station():
        return None
    if action == layout.DOCK:
        state.ship.alert = max(ZERO, state.ship.alert - state.rules.dock_alert_drop)
        return 1
    if action < layout.BUY_FUEL:
        commodity, bucket = divmod(action - layout.SELL, len(layout.SELL_BUCKETS))
        market.sell(state, commodity, state.rules.sell_fractions[bucket])
        return 1
    if action < layout.BUY_REPAIR_KIT:
        return _buy_fuel(state, action - layout.BUY_FUEL)
    if action == layout.OVERHAUL:
        return _overhaul(state)
    return _buy_supply(state, action)


def hold(state: State) -> int:
    """Drift for a tick: the effect of action 6, and of every action that turns out invalid."""
    state.ship.alert = max(ZERO, state.ship.alert - state.rules.hold_alert_drop)
    hazards.cool(state, 1)
    return 1


def _burn(state: State) -> int:
    rules, ship = state.rules, state.ship
    ship.fuel = ship.fuel - rules.burn_fuel
    ship.alert = ship.alert + rules.burn_alert
    ship.escape_ticks = max(ship.escape_ticks, rules.burn_escape_ticks)
    return 1


def _refine(state: State) -> int:
    """Turn some of the cheap metals into isotopes; costs its fuel even with nothing to refine."""
    rules, ship = state.rules, state.ship
    ship.fuel = ship.fuel - rules.refine_fuel
    ship.heat = ship.heat + rules.refine_heat
    ship.alert = ship.alert + rules.refine_alert
    low_grade = ship.cargo[0] + ship.cargo[1]
    if low_grade > ZERO:
        taken = rules.refine_share * low_grade
        share = min(ONE, taken / low_grade)
        ship.cargo[0] *= ONE - share
        ship.cargo[1] *= ONE - share
        ship.cargo[4] += rules.refine_yield * taken
    return rules.refine_ticks


def _cooldown(state: State) -> int:
    rules, ship = state.rules, state.ship
    ship.fuel = ship.fuel - rules.cooldown_fuel
    ship.heat = max(ZERO, ship.heat - rules.cooldown_heat_drop)
    ship.alert = ship.alert + rules.cooldown_alert
    return rules.cooldown_ticks


def _use_repair_kit(state: State, action: int) -> int | None:
    rules, ship = state.rules, state.ship
    if ship.repair_kits == 0:
        return None
    ship.repair_kits -= 1
    if action == layout.TOOL_MAINTENANCE:
        ship.tool = min(rules.tool_max, ship.tool + rules.tool_repair)
    else:
        ship.hull = min(rules.hull_max, ship.hull + rules.hull_repair)
    return rules.repair_ticks


def _jettison(state: State, commodity: int) -> int:
    state.ship.cargo[commodity] = ZERO
    state.ship.alert = max(ZERO, state.ship.alert - state.rules.jettison_alert_drop)
    return 1


def _pay(state: State, cost: np.float32) -> bool:
    """Take the money, or say that there is not enough of it."""
    if state.ship.credits < cost:
        return False
    state.ship.credits = state.ship.credits - cost
    state.ledger.total_spend = state.ledger.total_spend + cost
    return True


def _buy_fuel(state: State, size: int) -> int | None:
    offer = state.rules.fuel_offers[size]
    if not _pay(state, offer.cost):
        return None
    state.ship.fuel = min(state.rules.fuel_max, state.ship.fuel + offer.quantity)
    return 1


def _buy_supply(state: State, action: int) -> int | None:
    rules, ship = state.rules, state.ship
    name, cost = {
        layout.BUY_REPAIR_KIT: ("repair_kits", rules.repair_kit_cost),
        layout.BUY_STABILIZER: ("stabilizers", rules.stabilizer_cost),
        layout.BUY_DECOY: ("decoys", rules.decoy_cost),
    }[action]
    held: int = getattr(ship, name)
    if held >= rules.supply_max or not _pay(state, cost):
        return None
    setattr(ship, name, held + 1)
    return 1


def _overhaul(state: State) -> int | None:
    rules, ship = state.rules, state.ship
    if not _pay(state, rules.overhaul_cost):
        return None
    ship.hull = rules.hull_max
    ship.tool = rules.tool_max
    return rules.overhaul_ticks
