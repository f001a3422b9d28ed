"""Two bots that live: they stay one hop from home, watch their gauges and bring the goods back.

Both see only the observation. They work nodes next to the station, where the way home is always
one lane away, so they need no map.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from astrarium.worlds.prospector import layout, sight
from astrarium.worlds.prospector.sight import Actions, Flags, Observations, Slots

_LANE_TURNS: Final = 40
"""How often in an episode the choice of lane moves on, so that a spent node is not the only one."""

_LOYALTY: Final = 1.5


def short_trip(obs: Observations) -> Actions:
    """Fly to a neighbour, mine a little, come home, sell; again and again."""
    return _trade(sight.checked(obs), full=0.15, scans=0.0)


def hauler(obs: Observations) -> Actions:
    """Look over the rocks, fill the hold, come home, sell, mend; again and again."""
    return _trade(sight.checked(obs), full=0.60, scans=0.25)


def _trade(obs: Observations, full: float, scans: float) -> Actions:
    rocks = sight.read_rocks(obs)
    at_station = obs[:, layout.AT_STATION] > 0.5
    rows = [(at_station & wish, action) for wish, action in _station_rows(obs)]
    rows += [(at_station, _way_out(obs))]
    rows += _field_rows(obs, rocks, full, scans)
    return sight.first_row_wins(rows, layout.MINE_STANDARD)


def _station_rows(obs: Observations) -> list[tuple[Flags, Slots | int]]:
    cargo = obs[:, layout.CARGO]
    funds = sight.read_credits(obs)
    fuel, hull, tool = obs[:, layout.FUEL], obs[:, layout.HULL], obs[:, layout.TOOL]
    worn = (hull < 0.75) | (tool < 0.60)
    return [
        (np.any(cargo > 0.03, axis=1), sight.sale(cargo > 0.03, 50)),
        (np.any(cargo > 0.0, axis=1), sight.sale(cargo > 0.0, 100)),
        (obs[:, layout.TIME] < 0.03, layout.CASH_OUT),
        (worn & (funds >= 280), layout.OVERHAUL),
        ((fuel < 0.55) & (funds >= 210), layout.BUY_FUEL_LARGE),
        ((fuel < 0.75) & (funds >= 120), layout.BUY_FUEL_MED),
        ((obs[:, layout.DECOYS] < 0.2) & (funds >= 800), layout.BUY_DECOY),
        (obs[:, layout.ALERT] > 0.15, layout.DOCK),
        ((hull < 0.35) | (fuel < 0.15), layout.CASH_OUT),
    ]


def _field_rows(
    obs: Observations, rocks: sight.Rocks, full: float, scans: float
) -> list[tuple[Flags, Slots | int]]:
    lanes = sight.read_lanes(obs)
    load, heat = obs[:, layout.CARGO_LOAD], obs[:, layout.HEAT]
    spent = (obs[:, layout.FUEL] < 0.25) | (obs[:, layout.HULL] < 0.45)
    spent |= (obs[:, layout.TOOL] < 0.25) | (obs[:, layout.TIME] < 0.05)
    live = rocks.valid & (rocks.depletion < 0.9)
    scores = np.where(live, sight.value_scores(obs, rocks) * rocks.stability, -1.0)
    scores = scores * (1.0 - rocks.depletion)
    # Turning to another rock costs a tick, so the one in hand must be clearly worse first.
    scores = np.where(rocks.selected, scores * _LOYALTY, scores)
    best = scores.argmax(axis=1)
    bare = ~live.any(axis=1)
    able = (obs[:, layout.FUEL] > 0.5) & (obs[:, layout.HULL] > 0.6) & (load < 0.5 * full)
    further = _further(obs)
    return [
        ((load > full) | spent, lanes.home),
        (bare & able & (further != layout.HOLD), further),
        (bare, lanes.home),
        (sight.mean_confidence(rocks) < scans, layout.WIDE_SCAN),
        (~sight.at(rocks.selected, best), layout.SELECT + best),
        (heat > 0.62, layout.COOLDOWN),
        (obs[:, layout.ALERT] > 0.80, layout.HOLD),
    ]


def _further(obs: Observations) -> Slots:
    """A lane that leads on from a node with nothing left, another now and then; or a hold.

    Lane 0 is where a node was first joined to the belt, so it leads home and is kept for that.
    """
    shape = (len(obs), layout.MAX_NEIGHBORS, layout.NEIGHBOR_STRIDE)
    lane = obs[:, layout.NEIGHBORS].reshape(shape)
    leads_on = (lane[:, :, layout.NEIGHBOR_VALID] > 0.5) & (
        lane[:, :, layout.NEIGHBOR_TYPE + layout.NODE_STATION] < 0.5
    )
    leads_on[:, 0] = False
    turn = np.floor(obs[:, layout.TIME] * _LANE_TURNS).astype(np.intp)[:, None]
    order = (np.arange(layout.MAX_NEIGHBORS) - turn) % layout.MAX_NEIGHBORS
    choice = np.where(leads_on, order, layout.MAX_NEIGHBORS).argmin(axis=1)
    return np.where(leads_on.any(axis=1), choice, layout.HOLD)


def _way_out(obs: Observations) -> Slots:
    """A lane to a cluster: near and quiet ones first, another now and then."""
    shape = (len(obs), layout.MAX_NEIGHBORS, layout.NEIGHBOR_STRIDE)
    lane = obs[:, layout.NEIGHBORS].reshape(shape)
    cluster = lane[:, :, layout.NEIGHBOR_TYPE + layout.NODE_CLUSTER] > 0.5
    valid = lane[:, :, layout.NEIGHBOR_VALID] > 0.5
    turn = np.floor(obs[:, layout.TIME] * _LANE_TURNS).astype(np.intp)[:, None]
    slot = np.arange(layout.MAX_NEIGHBORS)
    favoured = (slot - turn) % layout.MAX_NEIGHBORS
    cost = lane[:, :, layout.NEIGHBOR_TRAVEL_TIME] + 0.15 * favoured
    cost = np.where(cluster, cost, np.where(valid, cost + 10.0, 100.0))
    return cost.argmin(axis=1)
