"""The reference world: reset, and the order of one step in one place."""

from __future__ import annotations

import operator
from dataclasses import dataclass

import numpy as np

from astrarium.worlds.prospector import layout

from . import f32
from .actions import apply_action, hold
from .belt import generate_belt
from .draws import Draws
from .f32 import ZERO, Vector
from .hazards import check_pirates, cool, suffer_node, suffer_overheat
from .market import move_market, open_market
from .observe import observe
from .reward import find_ending, find_events, metrics, reward_terms, snapshot
from .rules import V1, Rules
from .state import Ledger, Ship, State


@dataclass(frozen=True, slots=True)
class StepResult:
    """Everything one step reports."""

    obs: Vector
    reward: np.float32
    terminated: bool
    truncated: bool
    invalid_action: bool
    dt: int
    action: int
    """The resolved action: 6 for an index out of range, -1 after the end."""
    metrics: dict[str, np.float32]
    terms: Vector
    events: tuple[str, ...]


class ReferenceProspector:
    """Prospector v1, slow and readable; the native core must agree with it bit for bit."""

    def __init__(
        self,
        time_max: float = layout.TIME_MAX,
        invalid_action_penalty: float = layout.INVALID_ACTION_PENALTY,
        rules: Rules = V1,
    ) -> None:
        """Values of 0 or less mean the default, so a penalty of zero cannot be asked for."""
        self.time_max = _positive_or(time_max, layout.TIME_MAX)
        self.invalid_action_penalty = _positive_or(
            invalid_action_penalty, layout.INVALID_ACTION_PENALTY
        )
        self.rules = rules
        self._state: State | None = None

    def reset(self, seed: int) -> Vector:
        """Start an episode; the same seed gives the same belt, market and chances."""
        if not 0 <= seed < 1 << 64:
            raise ValueError(f"seed {seed} is not an unsigned 64-bit integer; use 0..2**64-1")
        draws = Draws(operator.index(seed))
        # The belt is drawn before the market, from the same stream.
        nodes = generate_belt(self.rules, draws)
        self._state = State(
            rules=self.rules,
            time_max=self.time_max,
            draws=draws,
            nodes=nodes,
            market=open_market(self.rules, draws),
            ship=_new_ship(self.rules),
            ledger=Ledger(time_remaining=self.time_max),
        )
        return observe(self._state)

    @property
    def state(self) -> State:
        """The whole hidden state, for tests and for finding the first difference in a rule."""
        if self._state is None:
            raise RuntimeError("the world has no episode yet; call reset(seed) first")
        return self._state

    def continue_from(self, state: State) -> None:
        """Go on from a state, such as one of a snapshot."""
        self._state = state

    @property
    def rng_state(self) -> int:
        """Where the generator stands: two implementations that agree here drew alike."""
        return self.state.draws.state

    def step(self, action: int) -> StepResult:
        """Take one action, of any integer value, and advance by the ticks it needs."""
        state = self.state
        if state.ledger.over:
            return _after_the_end(state)
        before = snapshot(state)
        resolved, out_of_range = _resolve(operator.index(action))
        dt = apply_action(state, resolved)
        invalid = out_of_range or dt is None
        if dt is None or out_of_range:
            # An index out of range has held once already, as action 6; it holds again here.
            dt = hold(state)
        _advance(state, dt)
        state.ledger.ticks += dt
        ending = find_ending(state)
        state.ledger.over = ending.over
        penalty = self.invalid_action_penalty if invalid else ZERO
        terms = reward_terms(state, before, resolved, dt, ending, penalty)
        return StepResult(
            obs=observe(state),
            reward=f32.ordered_sum(terms),
            terminated=ending.terminated,
            truncated=ending.truncated,
            invalid_action=invalid,
            dt=dt,
            action=resolved,
            metrics=metrics(state, survived=not (ending.stranded or ending.destroyed)),
            terms=terms,
            events=find_events(state, before, invalid, ending),
        )


def _positive_or(value: float, default: float) -> np.float32:
    given = np.float32(value)
    return given if given > ZERO else np.float32(default)


def _new_ship(rules: Rules) -> Ship:
    return Ship(
        fuel=rules.fuel_max,
        hull=rules.hull_max,
        heat=ZERO,
        tool=rules.tool_max,
        alert=ZERO,
        repair_kits=rules.start_repair_kits,
        stabilizers=rules.start_stabilizers,
        decoys=rules.start_decoys,
    )


def _resolve(action: int) -> tuple[int, bool]:
    """The action to apply, and whether the given one was out of range."""
    byte = action if 0 <= action <= layout.ACTION_BYTE_MAX else layout.OUT_OF_RANGE
    return (layout.HOLD, True) if byte >= layout.N_ACTIONS else (byte, False)


def _advance(state: State, dt: int) -> None:
    """What every step does to the ship and the market, whatever the action was.

    Timers fall before the pirate check, and heat picked up at the node comes after the overheat
    test: the order is part of the rules.
    """
    ship, ledger = state.ship, state.ledger
    ledger.time_remaining = ledger.time_remaining - np.float32(dt)
    cool(state, dt)
    ship.escape_ticks = max(0, ship.escape_ticks - dt)
    ship.stabilize_ticks = [max(0, ticks - dt) for ticks in ship.stabilize_ticks]
    suffer_overheat(state, dt)
    if not state.at_station():
        suffer_node(state, dt)
        check_pirates(state, dt, state.here().pirate)
    move_market(state, dt)
    _clamp_all(state)
    load = f32.clamp01(ship.total_cargo() / state.rules.cargo_max)
    ledger.utilization_sum = ledger.utilization_sum + load * np.float32(dt)
    ledger.utilization_ticks += dt


def _clamp_all(state: State) -> None:
    """Bring every quantity back inside its limits, once, at the end of the step."""
    rules, ship, ledger = state.rules, state.ship, state.ledger
    ship.fuel = f32.clamp(ship.fuel, ZERO, rules.fuel_max)
    ship.hull = f32.clamp(ship.hull, ZERO, rules.hull_max)
    ship.heat = f32.clamp(ship.heat, ZERO, rules.heat_max)
    ship.tool = f32.clamp(ship.tool, ZERO, rules.tool_max)
    ship.alert = f32.clamp(ship.alert, ZERO, rules.alert_max)
    ledger.time_remaining = f32.clamp(ledger.time_remaining, ZERO, state.time_max)
    ship.cargo = np.minimum(np.maximum(ship.cargo, ZERO), rules.cargo_max)
    total = ship.total_cargo()
    if total > rules.cargo_max:
        ship.cargo = ship.cargo * (rules.cargo_max / total)


def _after_the_end(state: State) -> StepResult:
    """The reply to a step nobody should have taken. It forgets how the episode ended: v1 reports
    `terminated` even after a time-out, and `survival` 1 even after a wreck."""
    return StepResult(
        obs=observe(state),
        reward=ZERO,
        terminated=True,
        truncated=False,
        invalid_action=True,
        dt=0,
        action=layout.AFTER_END_ACTION,
        metrics=metrics(state, survived=True),
        terms=np.zeros(len(layout.REWARD_TERMS), dtype=np.float32),
        events=("invalid_action",),
    )
