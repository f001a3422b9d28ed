"""Which actions are possible now: those that would not be turned into a hold."""

from __future__ import annotations

import numpy as np

from astrarium.worlds.prospector import layout
from astrarium.worlds.vector import Flags

from .f32 import ONE
from .state import State


def legal_actions(state: State) -> Flags:
    """Return 1 for each of the 69 actions that is possible, else 0. Changes nothing."""
    mask = np.ones(layout.N_ACTIONS, dtype=np.uint8)
    ship, here = state.ship, state.here()
    mask[layout.TRAVEL + len(here.lanes) : layout.HOLD] = 0
    mask[layout.SELECT : layout.MINE_CONSERVATIVE] = 0
    for slot, asteroid in enumerate(here.asteroids):
        mask[layout.SELECT + slot] = asteroid.depletion < ONE
    live = state.live_selection() is not None
    mask[[layout.FOCUSED_SCAN, layout.DEEP_SCAN]] = live
    mask[layout.MINE_CONSERVATIVE : layout.STABILIZE] = live
    mask[layout.STABILIZE] = live and ship.stabilizers > 0
    mask[[layout.TOOL_MAINTENANCE, layout.HULL_PATCH]] = ship.repair_kits > 0
    mask[layout.DOCK : layout.CASH_OUT] = 0
    if state.at_station():
        _mark_trades(state, mask)
    return mask


def _mark_trades(state: State, mask: Flags) -> None:
    """Mark what the station offers and the ship can pay for."""
    rules, ship = state.rules, state.ship
    mask[layout.DOCK : layout.BUY_FUEL] = 1
    for size, offer in enumerate(rules.fuel_offers):
        mask[layout.BUY_FUEL + size] = ship.credits >= offer.cost
    supplies = (
        (layout.BUY_REPAIR_KIT, ship.repair_kits, rules.repair_kit_cost),
        (layout.BUY_STABILIZER, ship.stabilizers, rules.stabilizer_cost),
        (layout.BUY_DECOY, ship.decoys, rules.decoy_cost),
    )
    for action, held, cost in supplies:
        mask[action] = held < rules.supply_max and ship.credits >= cost
    mask[layout.OVERHAUL] = ship.credits >= rules.overhaul_cost
