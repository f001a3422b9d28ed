"""The station market: opening it at reset, moving it every step, selling into it."""

from __future__ import annotations

import numpy as np

from astrarium.worlds.prospector import layout

from . import f32
from .draws import Draws
from .f32 import ONE, TAU, ZERO
from .rules import Rules
from .state import Market, State


def open_market(rules: Rules, draws: Draws) -> Market:
    """Four words per commodity: inventory, phase, period, amplitude."""
    rows: list[tuple[np.float32, ...]] = []
    for c in range(layout.N_COMMODITIES):
        inventory = draws.uniform(rules.inventory_low, rules.inventory_high)
        phase = draws.uniform(ZERO, TAU)
        period = draws.uniform(rules.period_low, rules.period_high)
        factor = draws.uniform(rules.amplitude_low, rules.amplitude_high)
        base = rules.base_prices[c]
        amplitude = base * factor
        price = f32.clamp(
            base + amplitude * f32.sin(phase), rules.min_prices[c], rules.max_prices[c]
        )
        rows.append((inventory, phase, period, amplitude, price))
    inventories, phases, periods, amplitudes, prices = np.array(rows, dtype=np.float32).T.copy()
    return Market(
        inventory=inventories,
        phase=phases,
        period=periods,
        amplitude=amplitudes,
        price=prices,
        previous_price=prices.copy(),
        recent_sales=np.zeros_like(prices),
    )


def move_market(state: State, dt: int) -> None:
    """Twelve words, every step, wherever the ship is.

    Recent sales fade with ticks but inventory fades once per step, however long it was; v1 keeps
    that.
    """
    rules, market = state.rules, state.market
    now = np.float32(state.ledger.ticks + dt)
    ticks = np.float32(dt)
    market.previous_price = market.price.copy()
    for c in range(layout.N_COMMODITIES):
        base = rules.base_prices[c]
        angle = TAU * (now / market.period[c]) + market.phase[c]
        cycle = market.amplitude[c] * f32.sin(angle)
        deviation = rules.price_sd * base * f32.sqrt(ticks)
        shock = state.draws.normal(ZERO, deviation)
        price = (
            base
            + cycle
            - rules.price_per_inventory * market.inventory[c]
            - rules.price_per_sale * market.recent_sales[c]
            + shock
        )
        market.price[c] = f32.clamp(price, rules.min_prices[c], rules.max_prices[c])
    market.recent_sales *= f32.exp(-ticks / rules.sales_decay_ticks)
    market.inventory = np.maximum(market.inventory * rules.inventory_keep, ZERO)


def sell(state: State, commodity: int, fraction: np.float32) -> None:
    """Sell a share of one cargo; the more of the station's stock it makes up, the worse."""
    rules, ship, market = state.rules, state.ship, state.market
    quantity = ship.cargo[commodity] * fraction
    if quantity <= ZERO:
        return
    ratio = quantity / max(ONE, market.inventory[commodity] + quantity)
    slip = f32.clamp(
        rules.slip_linear * ratio + rules.slip_root * f32.sqrt(ratio), ZERO, rules.slip_max
    )
    ship.credits = ship.credits + quantity * (market.price[commodity] * (ONE - slip))
    ship.cargo[commodity] = max(ZERO, ship.cargo[commodity] - quantity)
    market.inventory[commodity] += quantity
    market.recent_sales[commodity] += quantity
