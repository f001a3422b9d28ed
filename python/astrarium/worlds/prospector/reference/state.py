"""What an episode is made of: plain records, no rules.

Real quantities are `np.float32`, counters are Python integers. `State` gathers everything a rule
may read or change, together with the rules' numbers and the one source of chance.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from astrarium.worlds.prospector import layout

from . import f32
from .draws import Draws
from .f32 import ZERO, Vector
from .rules import Rules


def _no_timers() -> list[int]:
    return [0] * layout.MAX_ASTEROIDS


def _no_cargo() -> Vector:
    return np.zeros(layout.N_COMMODITIES, dtype=np.float32)


@dataclass(slots=True)
class Lane:
    """One direction of an edge. The far side has its own record, with its own estimate."""

    to: int
    ticks: int
    fuel: np.float32
    threat: np.float32
    threat_est: np.float32


@dataclass(slots=True)
class Asteroid:
    """What a rock is, and what scans have made of it so far. Only depletion is known exactly."""

    composition: Vector
    richness: np.float32
    stability: np.float32
    scan_noise: np.float32
    composition_est: Vector
    stability_est: np.float32
    confidence: np.float32
    depletion: np.float32 = ZERO


@dataclass(slots=True)
class Node:
    """A place in the belt. Position in `lanes` and `asteroids` is the slot number."""

    kind: int
    hazard: np.float32
    pirate: np.float32
    lanes: list[Lane] = field(default_factory=list[Lane])
    asteroids: list[Asteroid] = field(default_factory=list[Asteroid])
    hops: int = layout.HOPS_MAX


@dataclass(slots=True)
class Market:
    """One entry per commodity in every vector."""

    inventory: Vector
    phase: Vector
    period: Vector
    amplitude: Vector
    price: Vector
    previous_price: Vector
    recent_sales: Vector


@dataclass(slots=True)
class Ship:
    """The ship. Its quantities may pass their limits inside a step; its end clamps them."""

    fuel: np.float32
    hull: np.float32
    heat: np.float32
    tool: np.float32
    alert: np.float32
    repair_kits: int
    stabilizers: int
    decoys: int
    credits: np.float32 = ZERO
    cargo: Vector = field(default_factory=_no_cargo)
    node: int = 0
    selected: int | None = None
    escape_ticks: int = 0
    stabilize_ticks: list[int] = field(default_factory=_no_timers)
    """By slot number, not by asteroid: a timer follows the ship to the next node."""

    def total_cargo(self) -> np.float32:
        """Units aboard, over all commodities."""
        return f32.ordered_sum(self.cargo)


@dataclass(slots=True)
class Ledger:
    """What has been counted since reset."""

    time_remaining: np.float32
    ticks: int = 0
    total_spend: np.float32 = ZERO
    overheat_ticks: int = 0
    pirate_encounters: int = 0
    value_lost: np.float32 = ZERO
    scan_count: int = 0
    mining_ticks: int = 0
    fractures: int = 0
    utilization_sum: np.float32 = ZERO
    utilization_ticks: int = 0
    cashed_out: bool = False
    over: bool = False


@dataclass(slots=True)
class State:
    """One episode."""

    rules: Rules
    time_max: np.float32
    draws: Draws
    nodes: list[Node]
    market: Market
    ship: Ship
    ledger: Ledger

    def here(self) -> Node:
        """The node the ship is at."""
        return self.nodes[self.ship.node]

    def at_station(self) -> bool:
        """Whether that node is the station."""
        return self.here().kind == layout.NODE_STATION

    def live_selection(self) -> Asteroid | None:
        """The selected asteroid, unless there is none or nothing is left of it."""
        slot = self.ship.selected
        asteroids = self.here().asteroids
        if slot is None or slot >= len(asteroids) or asteroids[slot].depletion >= f32.ONE:
            return None
        return asteroids[slot]

    def cargo_value(self) -> np.float32:
        """What the cargo would fetch at the prices of this moment, without slippage."""
        return f32.ordered_sum(self.ship.cargo * self.market.price)
