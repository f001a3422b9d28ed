"""The reward of a step, term by term, and the figures reported beside it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from astrarium.worlds.prospector import layout

from . import f32
from .f32 import ONE, ZERO, Vector
from .state import State


@dataclass(frozen=True, slots=True)
class Before:
    """What the reward compares the end of a step with."""

    credits: np.float32
    fuel: np.float32
    hull: np.float32
    tool: np.float32
    value_lost: np.float32
    cargo_value: np.float32
    pirate_encounters: int
    overheat_ticks: int
    fractures: int


@dataclass(frozen=True, slots=True)
class Ending:
    """How a step left the episode. `terminated` and `truncated` are never both set."""

    stranded: bool
    destroyed: bool
    terminated: bool
    truncated: bool

    @property
    def over(self) -> bool:
        """Whether this was the last step."""
        return self.terminated or self.truncated


def snapshot(state: State) -> Before:
    """Taken before the action; the cargo is valued at the prices of that moment."""
    ship, ledger = state.ship, state.ledger
    return Before(
        credits=ship.credits,
        fuel=ship.fuel,
        hull=ship.hull,
        tool=ship.tool,
        value_lost=ledger.value_lost,
        cargo_value=state.cargo_value(),
        pirate_encounters=ledger.pirate_encounters,
        overheat_ticks=ledger.overheat_ticks,
        fractures=ledger.fractures,
    )


def find_ending(state: State) -> Ending:
    """Judge the clamped state. Running dry is only fatal away from the station."""
    destroyed = bool(state.ship.hull <= ZERO)
    stranded = bool(state.ship.fuel <= ZERO) and not state.at_station()
    terminated = destroyed or stranded or state.ledger.cashed_out
    truncated = not terminated and bool(state.ledger.time_remaining <= ZERO)
    return Ending(stranded, destroyed, terminated, truncated)


def reward_terms(
    state: State, before: Before, action: int, dt: int, ending: Ending, penalty: np.float32
) -> Vector:
    """The eleven terms, in the order in which they are added; `penalty` is 0 when valid."""
    rules, ship, scale = state.rules, state.ship, state.rules.credit_scale
    gained = max(ZERO, state.cargo_value() - before.cargo_value)
    lost = max(ZERO, state.ledger.value_lost - before.value_lost)
    heat = max(ZERO, ship.heat - rules.heat_free) / rules.heat_max
    is_scan = layout.WIDE_SCAN <= action <= layout.DEEP_SCAN
    terms = {
        "sell": (ship.credits - before.credits) / scale,
        "extract": rules.extract_weight * (gained / scale),
        "fuel": rules.fuel_weight * max(ZERO, before.fuel - ship.fuel) / rules.fuel_unit,
        "time": rules.time_weight * np.float32(dt),
        "wear": rules.wear_weight * max(ZERO, before.tool - ship.tool) / rules.wear_unit,
        "heat": rules.heat_weight * heat * heat,
        "damage": rules.damage_weight * max(ZERO, before.hull - ship.hull) / rules.damage_unit,
        "scan": rules.scan_reward if is_scan else ZERO,
        "invalid": -penalty if penalty > ZERO else ZERO,
        "pirate": rules.pirate_weight * (lost / scale),
        "terminal": _terminal(state, ending),
    }
    return np.array([terms[name] for name in layout.REWARD_TERMS], dtype=np.float32)


def _terminal(state: State, ending: Ending) -> np.float32:
    """Both disasters can fall on one step; only a peaceful end pays for credits."""
    rules = state.rules
    value = ZERO
    if ending.stranded:
        value = value + rules.stranded_reward
    if ending.destroyed:
        value = value + rules.destroyed_reward
    if ending.over and not (ending.stranded or ending.destroyed):
        value = value + rules.credits_weight * (state.ship.credits / rules.credit_scale)
    return value


def find_events(state: State, before: Before, invalid: bool, ending: Ending) -> tuple[str, ...]:
    """Names of what happened on this step, in the interface's order."""
    ledger = state.ledger
    happened = {
        "invalid_action": invalid,
        "pirate_encounter": ledger.pirate_encounters > before.pirate_encounters,
        "overheat_tick": ledger.overheat_ticks > before.overheat_ticks,
        "fracture": ledger.fractures > before.fractures,
        "stranded": ending.stranded,
        "destroyed": ending.destroyed,
        "cash_out": ledger.cashed_out,
    }
    return tuple(name for name in layout.EVENTS if happened[name])


def metrics(state: State, survived: bool) -> dict[str, np.float32]:
    """The reported figures. Profit charges spending twice and use is net of refills; v1 keeps it.

    Credits are already what is left after spending, so subtracting the spend counts it again.
    """
    rules, ship, ledger = state.rules, state.ship, state.ledger
    profit = ship.credits - ledger.total_spend
    values = {
        "credits": ship.credits,
        "net_profit": profit,
        "profit_per_tick": profit / max(ONE, np.float32(ledger.ticks)),
        "survival": ONE if survived else ZERO,
        "overheat_ticks": np.float32(ledger.overheat_ticks),
        "pirate_encounters": np.float32(ledger.pirate_encounters),
        "value_lost_to_pirates": ledger.value_lost,
        "fuel_used": max(ZERO, rules.fuel_max - ship.fuel),
        "hull_damage": max(ZERO, rules.hull_max - ship.hull),
        "tool_wear": max(ZERO, rules.tool_max - ship.tool),
        "scan_count": np.float32(ledger.scan_count),
        "mining_ticks": np.float32(ledger.mining_ticks),
        "cargo_utilization_avg": _utilization(state),
        "time_remaining": ledger.time_remaining,
    }
    return {name: np.float32(values[name]) for name in layout.INFO_METRICS}


def _utilization(state: State) -> np.float32:
    ledger = state.ledger
    if ledger.utilization_ticks == 0:
        return ZERO
    return f32.clamp01(ledger.utilization_sum / np.float32(ledger.utilization_ticks))
