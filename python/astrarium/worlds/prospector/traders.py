"""Two bots that live: they watch their gauges and bring the goods home.

Both see only the observation and are one table with other habits. They prefer nodes next to the
station and go further only when those are bare; lane 0 of a node is where it was first joined to
the belt, so following it always leads home and no map is needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from astrarium.worlds.prospector import layout, sight
from astrarium.worlds.prospector.sight import Actions, Flags, Observations, Slots

_LANE_TURNS: Final = 120
"""How often in an episode the choice of lane moves on, so that a spent node is not the only one."""
_LOYALTY: Final = 2.0
"""Turning to another rock costs a tick, so the one in hand must be clearly worse first."""
_WORTH: Final = np.array(layout.V2_BASE_PRICES, dtype=np.float32)
_RICH: Final = 500.0
"""Credits from which decoys are bought."""


@dataclass(frozen=True, slots=True)
class Habits:
    """When a trader does what; shares of the full gauge unless said otherwise."""

    full: float
    """Load at which it turns home."""
    known: float = 0.0
    """Mean confidence below which it scans the field."""
    hot: float = 0.55
    """Heat at which it stops to cool."""
    loud: float = 0.15
    """Alert at which it holds still."""
    decoys: float = 0.1
    """Decoys it keeps in stock."""
    worn: float = 0.8
    """Hull below which it pays for an overhaul."""


SHORT_TRIP: Final = Habits(full=0.15)
HAULER: Final = Habits(full=0.60)


def short_trip(obs: Observations) -> Actions:
    """Fly to a neighbour, mine a little, come home, sell; again and again."""
    return trade(obs, SHORT_TRIP)


def hauler(obs: Observations) -> Actions:
    """Fill much of the hold, quietly and coolly, come home, sell, mend; again and again."""
    return trade(obs, HAULER)


def trade(obs: Observations, habits: Habits) -> Actions:
    """One decision of a trader with these habits."""
    obs = sight.checked(obs)
    docked = obs[:, layout.AT_STATION] > sight.FLAG
    rows = [(docked & wish, action) for wish, action in _station_rows(obs, habits)]
    rows += _field_rows(obs, habits)
    return sight.first_row_wins(rows, layout.MINE_STANDARD)


def _station_rows(obs: Observations, habits: Habits) -> list[tuple[Flags, Slots | int]]:
    aboard = obs[:, layout.CARGO] > 0.0
    funds = sight.read_credits(obs)
    fuel, hull, tool = obs[:, layout.FUEL], obs[:, layout.HULL], obs[:, layout.TOOL]
    worn = (hull < habits.worn) | (tool < 0.60)
    return [
        (sight.any_of(aboard), sight.sale(aboard, 100)),
        (obs[:, layout.TIME] < 0.03, layout.CASH_OUT),
        (worn & (funds >= 280) & (habits.worn > 0), layout.OVERHAUL),
        ((fuel < 0.55) & (funds >= 210), layout.BUY_FUEL_LARGE),
        ((fuel < 0.75) & (funds >= 120), layout.BUY_FUEL_MED),
        ((obs[:, layout.DECOYS] < habits.decoys) & (funds >= _RICH), layout.BUY_DECOY),
        (obs[:, layout.ALERT] > 0.15, layout.DOCK),
        ((hull < 0.35) | (fuel < 0.15), layout.HOLD),
        (np.ones(len(obs), dtype=np.bool_), _way_out(obs)),
    ]


def _field_rows(obs: Observations, habits: Habits) -> list[tuple[Flags, Slots | int]]:
    rocks, lanes = sight.read_rocks(obs), sight.read_lanes(obs)
    load, fuel, hull = obs[:, layout.CARGO_LOAD], obs[:, layout.FUEL], obs[:, layout.HULL]
    spent = (fuel < 0.25) | (hull < 0.45) | (obs[:, layout.TIME] < 0.05)
    spent |= (obs[:, layout.TOOL] < 0.25) & (habits.worn > 0)
    live = rocks.valid & (rocks.depletion < 0.9)
    worth = (rocks.composition @ _WORTH) * rocks.stability * rocks.stability
    worth = np.where(live, worth * (1.0 - rocks.depletion), -1.0)
    best = np.where(rocks.selected, worth * _LOYALTY, worth).argmax(axis=1)
    bare = ~sight.any_of(live)
    further = _further(obs)
    able = (fuel > 0.5) & (hull > 0.6) & (load < 0.5 * habits.full) & (further != layout.HOLD)
    return [
        ((load > habits.full) | spent, lanes.home),
        (bare & able, further),
        (bare, lanes.home),
        (sight.mean_confidence(rocks) < habits.known, layout.WIDE_SCAN),
        (~sight.at(rocks.selected, best), layout.SELECT + best),
        (obs[:, layout.HEAT] > habits.hot, layout.COOLDOWN),
        (obs[:, layout.ALERT] > habits.loud, layout.HOLD),
    ]


def _lane_block(obs: Observations) -> Observations:
    shape = (len(obs), layout.MAX_NEIGHBORS, layout.NEIGHBOR_STRIDE)
    return obs[:, layout.NEIGHBORS].reshape(shape)


def _turn(obs: Observations) -> Slots:
    """How far each lane is from being favoured now; moves on with the clock."""
    turn = np.floor(obs[:, layout.TIME] * _LANE_TURNS).astype(np.intp)[:, np.newaxis]
    return (np.arange(layout.MAX_NEIGHBORS) - turn) % layout.MAX_NEIGHBORS


def _way_out(obs: Observations) -> Slots:
    """A lane to a cluster: near ones first, another now and then."""
    lane = _lane_block(obs)
    cluster = lane[:, :, layout.NEIGHBOR_TYPE + layout.NODE_CLUSTER] > sight.FLAG
    valid = lane[:, :, layout.NEIGHBOR_VALID] > sight.FLAG
    cost = lane[:, :, layout.NEIGHBOR_TRAVEL_TIME] + 0.15 * _turn(obs)
    cost = np.where(cluster, cost, np.where(valid, cost + 10.0, 100.0))
    return cost.argmin(axis=1)


def _further(obs: Observations) -> Slots:
    """A lane that leads on from a bare node, another now and then; a hold if there is none."""
    lane = _lane_block(obs)
    leads_on = lane[:, :, layout.NEIGHBOR_VALID] > sight.FLAG
    leads_on &= lane[:, :, layout.NEIGHBOR_TYPE + layout.NODE_STATION] < sight.FLAG
    leads_on[:, 0] = False
    choice = np.where(leads_on, _turn(obs), layout.MAX_NEIGHBORS).argmin(axis=1)
    return np.where(sight.any_of(leads_on), choice, layout.HOLD)
