"""The ceiling: a planner that sees the whole belt, hidden truths included.

At the station it weighs every node by what a full trip there would bring per tick: the way out
and back, the hold filled from the richest rocks down to some worth per tick, the time to cool.
In the field it digs the rock that is worth most now and leaves when none is worth the plan's
limit. It reads the hidden state once per episode and keeps notes, so it is not a bot in the sense
of the registry: it says how much a policy that guessed right every time could earn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from astrarium.worlds.prospector import hidden, layout, sight
from astrarium.worlds.prospector.sight import Actions, Flags, Observations, Slots
from astrarium.worlds.vector import Floats, VectorWorld

Doubles = npt.NDArray[np.float64]

_FAR: Final = 1e6
_LIMITS: Final = np.linspace(0.15, 0.9, 16)
"""Shares of a node's best worth per tick at which leaving it is considered."""
_DIG_PER_TICK: Final = 2.3
"""Units per tick from a fresh rock of richness 1, as standard mining digs them."""
_COOLING: Final = 1.4
"""Ticks a tick of mining takes once time to cool is counted."""
_TICKS_AT_STATION: Final = 14.0
_UNITS_PER_ROCK: Final = 166.0
_LOYALTY: Final = 1.15
"""Turning to another rock costs a tick, so the one in hand must be clearly worse first."""


@dataclass(slots=True)
class _Map:
    """What reveal() told of n belts."""

    ticks: Doubles
    """(n, 32, 32): the quickest way between two nodes."""
    lane: Slots
    """(n, 32, 32): the lane to take for it."""
    richness: Floats
    stability: Floats
    worth: Floats
    """(n, 32, 16): credits per unit at base prices."""
    danger: Floats
    """(n, 32): hazard and pirates together."""


class Planner:
    """Plays a batch of `prospector-v2` with sight of its hidden state.

    Make one right after a reset. It plays the episodes begun there, not those after them.
    """

    def __init__(self, world: VectorWorld) -> None:
        self._prices = np.array(layout.V2_BASE_PRICES, dtype=np.float32)
        self._map = _read(world, self._prices)
        n = world.num_worlds
        self._target = np.zeros(n, dtype=np.intp)
        self._limit = np.zeros(n)
        self._depletion = np.zeros((n, layout.MAX_NODES, layout.MAX_ASTEROIDS), dtype=np.float32)
        self._time_max = float(getattr(world.config, "time_max", 2000.0))

    def act(self, obs: Observations) -> Actions:
        """Actions for observations (n, 260) of the worlds it was made for."""
        obs = sight.checked(obs)
        node = np.rint(obs[:, layout.NODE_INDEX] * layout.HOPS_MAX).astype(np.intp)
        every = np.arange(len(obs))
        rocks = sight.read_rocks(obs)
        self._depletion[every, node] = np.where(rocks.valid, rocks.depletion, 1.0)
        docked = node == 0
        self._plan(np.flatnonzero(docked), obs)
        rows: list[tuple[Flags, Slots | int]] = [
            (docked & wish, action) for wish, action in _station_rows(obs)
        ]
        to_target = self._map.lane[every, node, self._target]
        rows += [(docked, to_target)]
        rows += self._field_rows(obs, node, rocks, to_target)
        return sight.first_row_wins(rows, layout.MINE_STANDARD)

    def _plan(self, worlds: Slots, obs: Observations) -> None:
        if not len(worlds):
            return
        price = obs[worlds][:, layout.PRICE] * self._prices
        m = self._map
        share = price.mean(axis=1) / self._prices.mean()
        worth = m.worth[worlds] * share[:, None, None]
        rate = _DIG_PER_TICK * m.richness[worlds] / _COOLING
        left = 1.0 - self._depletion[worlds]
        now = worth * rate * left * (m.stability[worlds] > 0.25)
        best = now.max(axis=2)
        way = 2.0 * m.ticks[worlds, 0] + _TICKS_AT_STATION
        time_left = obs[worlds, layout.TIME] * self._time_max
        value_best = np.full(best.shape, -1.0)
        limit_best = np.zeros(best.shape)
        for share_of_best in _LIMITS:
            limit = best * share_of_best
            ratio = np.clip(now / np.maximum(limit[:, :, None], 1e-9), 1.0, None)
            units = _UNITS_PER_ROCK * left * (1.0 - 1.0 / ratio)
            ticks = _UNITS_PER_ROCK / np.maximum(rate, 1e-9) * np.log(ratio)
            load = units.sum(axis=2)
            fit = np.minimum(1.0, 190.0 / np.maximum(load, 1e-9))
            value = (units * worth).sum(axis=2) * fit
            spent = ticks.sum(axis=2) * fit + way
            per_tick = value / spent * (1.0 - 0.6 * m.danger[worlds])
            per_tick = np.where(way + 10 < time_left[:, None], per_tick, -1.0)
            better = per_tick > value_best
            value_best = np.where(better, per_tick, value_best)
            limit_best = np.where(better, limit, limit_best)
        target = value_best.argmax(axis=1)
        self._target[worlds] = target
        self._limit[worlds] = limit_best[np.arange(len(worlds)), target]

    def _field_rows(
        self, obs: Observations, node: Slots, rocks: sight.Rocks, to_target: Slots
    ) -> list[tuple[Flags, Slots | int]]:
        m, every = self._map, np.arange(len(obs))
        home = m.lane[every, node, 0]
        now = m.worth[every, node] * m.richness[every, node] * _DIG_PER_TICK / _COOLING
        now = now * (1.0 - rocks.depletion) * rocks.valid * (m.stability[every, node] > 0.25)
        best = np.where(rocks.selected, now * _LOYALTY, now).argmax(axis=1)
        there = node == self._target
        ticks_left = obs[:, layout.TIME] * self._time_max
        leave = ticks_left < m.ticks[every, node, 0] + 18.0
        leave |= (obs[:, layout.CARGO_LOAD] > 0.96) | (obs[:, layout.HULL] < 0.50)
        leave |= obs[:, layout.FUEL] < 0.22
        leave |= there & (now[every, best] < self._limit)
        # Once the plan is given up the target is home, so a loaded ship never turns back.
        self._target[leave & (node != 0)] = 0
        return [
            (leave, home),
            (node != self._target, to_target),
            (~sight.at(rocks.selected, best), layout.SELECT + best),
            (obs[:, layout.HEAT] > 0.64, layout.COOLDOWN),
            (obs[:, layout.ALERT] > 0.15, layout.HOLD),
        ]


def _station_rows(obs: Observations) -> list[tuple[Flags, Slots | int]]:
    cargo, funds = obs[:, layout.CARGO], sight.read_credits(obs)
    fuel = obs[:, layout.FUEL]
    worn = (obs[:, layout.HULL] < 0.80) | (obs[:, layout.TOOL] < 0.75)
    return [
        (sight.any_of(cargo > 0.0), sight.sale(cargo > 0.0, 100)),
        (obs[:, layout.TIME] < 0.02, layout.CASH_OUT),
        (worn & (funds >= 280), layout.OVERHAUL),
        ((fuel < 0.55) & (funds >= 210), layout.BUY_FUEL_LARGE),
        ((fuel < 0.80) & (funds >= 120), layout.BUY_FUEL_MED),
        ((obs[:, layout.DECOYS] < 0.3) & (funds >= 600), layout.BUY_DECOY),
        (obs[:, layout.ALERT] > 0.10, layout.DOCK),
    ]


def _read(world: VectorWorld, prices: Floats) -> _Map:
    belt = hidden.parse(world.reveal())
    ticks, lane = _quickest_ways(belt.lanes)
    present = belt.rocks[..., hidden.ROCK_PRESENT]
    return _Map(
        ticks=ticks,
        lane=lane,
        richness=belt.rocks[..., hidden.ROCK_RICHNESS] * present,
        stability=belt.rocks[..., hidden.ROCK_STABILITY],
        worth=(belt.rocks[..., hidden.ROCK_COMPOSITION] * prices).sum(axis=-1),
        danger=belt.nodes[..., hidden.NODE_HAZARD] + belt.nodes[..., hidden.NODE_PIRATES],
    )


def _quickest_ways(lanes: Floats) -> tuple[Doubles, Slots]:
    """Floyd-Warshall over all worlds at once: times, and the lane that begins each way."""
    n, nodes = lanes.shape[:2]
    ticks = np.full((n, nodes, nodes), _FAR)
    lane = np.zeros((n, nodes, nodes), dtype=np.intp)
    world: Slots = np.arange(n, dtype=np.intp)[:, np.newaxis]
    here: Slots = np.arange(nodes, dtype=np.intp)[np.newaxis, :]
    for slot in reversed(range(layout.MAX_NEIGHBORS)):
        to = lanes[:, :, slot, hidden.LANE_TO].astype(np.intp)
        there = np.where(to >= 0, to, here)
        cost = np.where(to >= 0, lanes[:, :, slot, hidden.LANE_TICKS], _FAR)
        ticks[world, here, there] = cost
        lane[world, here, there] = slot
    ticks[:, np.arange(nodes), np.arange(nodes)] = 0.0
    for through in range(nodes):
        detour = ticks[:, :, through, None] + ticks[:, None, through, :]
        shorter = detour < ticks
        ticks = np.where(shorter, detour, ticks)
        lane = np.where(shorter, lane[:, :, through, None], lane)
    return ticks, lane
