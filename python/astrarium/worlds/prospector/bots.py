"""Three baseline bots for Prospector v1, over a whole batch at once.

Each bot is a table read from the top: the first row whose condition holds decides. `np.select`
has exactly that meaning (of several true conditions it takes the earliest), so each bot below is
its table: one `(condition, action)` pair per row, every condition evaluated for every row of the
batch, and a last action for when none holds. Rows that apply at the station come first and end in
an unconditional one, so the rows after it are reached only in the field.

Scores and thresholds are single precision, as the observation is: a load of exactly 0.85 is then
not above 0.85, whatever that decimal would be in double.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt

from . import layout

Observations = npt.NDArray[np.float32]
Actions = npt.NDArray[np.int32]
Flags = npt.NDArray[np.bool_]
Slots = npt.NDArray[np.intp]
Bot = Callable[[Observations], Actions]
T = TypeVar("T", bound=np.generic)

_CREDITS_LOG: Final = np.float32(math.log1p(layout.CREDITS_CAP))
_FLAG: Final = np.float32(0.5)
_HALF: Final = np.float32(0.5)
_ONE: Final = np.float32(1.0)


@dataclass(frozen=True, slots=True)
class _Lanes:
    """Where the ship can go from here."""

    to_station: Flags
    station: Slots
    """The lowest lane that leads home, or a hold."""
    home: Slots
    out: Slots


@dataclass(frozen=True, slots=True)
class _Rocks:
    """The sixteen asteroid slots: (n, 16), composition (n, 16, 6)."""

    valid: Flags
    composition: Observations
    stability: Observations
    depletion: Observations
    confidence: Observations
    selected: Flags


def _any(mask: Flags) -> Flags:
    """Whether any column of each row is true."""
    return np.any(mask, axis=1)


def _lowest(mask: Flags, otherwise: Slots | int) -> Slots:
    """Index of the first true column of each row, or `otherwise` where there is none."""
    return np.where(_any(mask), mask.argmax(axis=1), otherwise)


def _lanes(obs: Observations) -> _Lanes:
    shape = (len(obs), layout.MAX_NEIGHBORS, layout.NEIGHBOR_STRIDE)
    block = obs[:, layout.NEIGHBORS].reshape(shape) > _FLAG
    valid = block[:, :, layout.NEIGHBOR_VALID]
    to_station = valid & block[:, :, layout.NEIGHBOR_TYPE + layout.NODE_STATION]
    to_cluster = valid & block[:, :, layout.NEIGHBOR_TYPE + layout.NODE_CLUSTER]
    first = _lowest(valid, layout.HOLD)
    return _Lanes(
        to_station=_any(to_station),
        station=_lowest(to_station, layout.HOLD),
        home=_lowest(to_station, first),
        out=_lowest(to_cluster, _lowest(valid & ~to_station, first)),
    )


def _rocks(obs: Observations) -> _Rocks:
    shape = (len(obs), layout.MAX_ASTEROIDS, layout.ASTEROID_STRIDE)
    block = obs[:, layout.ASTEROIDS].reshape(shape)
    first = layout.ASTEROID_COMPOSITION
    return _Rocks(
        valid=block[:, :, layout.ASTEROID_VALID] > _FLAG,
        composition=block[:, :, first : first + layout.N_COMMODITIES],
        stability=block[:, :, layout.ASTEROID_STABILITY],
        depletion=block[:, :, layout.ASTEROID_DEPLETION],
        confidence=block[:, :, layout.ASTEROID_CONFIDENCE],
        selected=block[:, :, layout.ASTEROID_SELECTED] > _FLAG,
    )


def _credits(obs: Observations) -> Observations:
    """Undo the observation's logarithm; good to about one part in a million."""
    share = np.clip(obs[:, layout.CREDITS], np.float32(0.0), _ONE)
    return np.expm1(share * _CREDITS_LOG)


def _value_scores(obs: Observations, rocks: _Rocks) -> Observations:
    """What each asteroid seems to be worth at today's prices."""
    worth: Observations = np.zeros(rocks.valid.shape, dtype=np.float32)
    # One commodity at a time: a library sum may pair them, and a tie could break differently.
    for c in range(layout.N_COMMODITIES):
        price = obs[:, layout.PRICE_BASE + c, np.newaxis]
        part: Observations = price * rocks.composition[:, :, c]
        worth = worth + part
    return worth


def _best_rock(rocks: _Rocks, worth: Observations) -> Slots:
    """The valid slot with the most worth that is safe and left; `argmax` keeps the lowest tie."""
    score: Observations = worth * rocks.stability
    left: Observations = _ONE - rocks.depletion
    score = score * left
    return np.where(rocks.valid, score, np.float32(-np.inf)).argmax(axis=1)


def _mean_confidence(rocks: _Rocks) -> Observations:
    """Over valid asteroids, added in slot order; 1 where there are none."""
    total = np.zeros(len(rocks.valid), dtype=np.float32)
    for slot in range(layout.MAX_ASTEROIDS):
        total = total + np.where(rocks.valid[:, slot], rocks.confidence[:, slot], np.float32(0.0))
    count = rocks.valid.sum(axis=1).astype(np.float32)
    return np.where(count > 0, total / np.maximum(count, _ONE), _ONE)


def _at(values: npt.NDArray[T], slots: Slots) -> npt.NDArray[T]:
    """The entry of each row named by `slots`."""
    return values[np.arange(len(slots)), slots]


def _sale(cargo_above: Flags, percent: int) -> Slots:
    """Sell the lowest commodity flagged; meaningless where none is."""
    bucket = layout.SELL_BUCKETS.index(percent)
    return layout.SELL + len(layout.SELL_BUCKETS) * _lowest(cargo_above, 0) + bucket


def _first_row_wins(rows: list[tuple[Flags, Slots | int]], otherwise: Slots | int) -> Actions:
    conditions = [condition for condition, _ in rows]
    choices = [np.broadcast_to(np.asarray(action), conditions[0].shape) for _, action in rows]
    return np.select(conditions, choices, otherwise).astype(np.int32)


def _checked(obs: Observations) -> Observations:
    if obs.ndim != 2 or obs.shape[1] != layout.OBS_DIM or obs.dtype != np.float32:
        raise ValueError(
            f"a bot takes float32 observations of shape (n, {layout.OBS_DIM}), not {obs.dtype} "
            f"{obs.shape}; pass obs[np.newaxis] for a single one"
        )
    return obs


def greedy_miner(obs: Observations) -> Actions:
    """Mine the most valuable rock hard, sell everything at once."""
    obs = _checked(obs)
    lanes, rocks = _lanes(obs), _rocks(obs)
    station = obs[:, layout.AT_STATION] > _FLAG
    fuel, hull, heat = obs[:, layout.FUEL], obs[:, layout.HULL], obs[:, layout.HEAT]
    load, tool = obs[:, layout.CARGO_LOAD], obs[:, layout.TOOL]
    cargo = obs[:, layout.CARGO] > 0.01
    rock = _best_rock(rocks, _value_scores(obs, rocks))
    return _first_row_wins(
        [
            (station & _any(cargo), _sale(cargo, 100)),
            (station & (fuel < 0.40) & (_credits(obs) >= 210), layout.BUY_FUEL_LARGE),
            (station, lanes.out),
            ((load > 0.85) | (heat > 0.80) | (hull < 0.40) | (fuel < 0.15), lanes.home),
            (~_any(rocks.valid), lanes.out),
            (~_at(rocks.selected, rock), layout.SELECT + rock),
            ((tool > 0.60) & (heat < 0.60), layout.MINE_AGGRESSIVE),
        ],
        layout.MINE_STANDARD,
    )


def cautious_scanner(obs: Observations) -> Actions:
    """Look before mining, mine gently, go home early."""
    obs = _checked(obs)
    lanes, rocks = _lanes(obs), _rocks(obs)
    station = obs[:, layout.AT_STATION] > _FLAG
    fuel, hull, heat = obs[:, layout.FUEL], obs[:, layout.HULL], obs[:, layout.HEAT]
    load, kits = obs[:, layout.CARGO_LOAD], obs[:, layout.REPAIR_KITS]
    stabilizers = obs[:, layout.STABILIZERS]
    cargo = obs[:, layout.CARGO] > 0.01
    credits = _credits(obs)
    rock = _best_rock(rocks, _value_scores(obs, rocks))
    unsteady = _at(rocks.stability, rock) < 0.40
    return _first_row_wins(
        [
            (station & _any(cargo), _sale(cargo, 50)),
            (station & (kits < 0.30) & (credits >= 150), layout.BUY_REPAIR_KIT),
            (station & (fuel < 0.50) & (credits >= 120), layout.BUY_FUEL_MED),
            (station, lanes.out),
            ((load > 0.70) | (heat > 0.75) | (hull < 0.55) | (fuel < 0.20), lanes.home),
            (_mean_confidence(rocks) < 0.35, layout.WIDE_SCAN),
            (~_any(rocks.valid), lanes.out),
            (~_at(rocks.selected, rock), layout.SELECT + rock),
            (_at(rocks.confidence, rock) < 0.60, layout.DEEP_SCAN),
            (unsteady & (stabilizers > 0.10), layout.STABILIZE),
            (heat > 0.70, layout.COOLDOWN),
        ],
        layout.MINE_CONSERVATIVE,
    )


def market_timer(obs: Observations, target: int = 3) -> Actions:
    """Mine one commodity and sell it, a little at a time, while its price rises."""
    if not 0 <= target < layout.N_COMMODITIES:
        known = ", ".join(f"{c} {name}" for c, name in enumerate(layout.COMMODITIES))
        raise ValueError(f"there is no target commodity {target}; use one of: {known}")
    obs = _checked(obs)
    lanes, rocks = _lanes(obs), _rocks(obs)
    station = obs[:, layout.AT_STATION] > _FLAG
    heat, load = obs[:, layout.HEAT], obs[:, layout.CARGO_LOAD]
    price, change = obs[:, layout.PRICE_BASE + target], obs[:, layout.PRICE_DELTA_BASE + target]
    force = (load > 0.70) | (obs[:, layout.TIME] < 0.15)
    good_time = ((change > 0.01) & (price > 0.50)) | force
    is_target = np.arange(layout.N_COMMODITIES) == target
    cargo = obs[:, layout.CARGO]
    others = (cargo > 0.05) & ~is_target
    trust: Observations = _HALF * rocks.confidence
    trust = _HALF + trust
    worth: Observations = rocks.composition[:, :, target] * trust
    rock = _best_rock(rocks, worth)
    falling = (change < -0.02) & (load > 0.25)
    full_or_hot = (load > 0.85) | (heat > 0.80)
    refuel = (obs[:, layout.FUEL] < 0.50) & (_credits(obs) >= 120)
    return _first_row_wins(
        [
            (station & (cargo[:, target] > 0.01) & good_time, layout.SELL + 3 * target),
            (station & force & _any(others), _sale(others, 25)),
            (station & refuel, layout.BUY_FUEL_MED),
            (station, lanes.out),
            ((load > 0.12) & (heat > 0.65), layout.COOLDOWN),
            ((load > 0.12) & lanes.to_station, lanes.station),
            (falling & (heat > 0.60), layout.COOLDOWN),
            (falling, lanes.home),
            (full_or_hot & (heat > 0.70), layout.COOLDOWN),
            (full_or_hot, lanes.station),
            (~_any(rocks.valid), lanes.out),
            (~_at(rocks.selected, rock), layout.SELECT + rock),
            (heat < 0.60, layout.MINE_STANDARD),
        ],
        layout.MINE_CONSERVATIVE,
    )


V1_BOTS: Final[dict[str, Bot]] = {
    "greedy_miner": greedy_miner,
    "cautious_scanner": cautious_scanner,
    "market_timer": market_timer,
}
