"""Reading an observation: what the scripted bots look at, over a whole batch at once.

Scores and thresholds are single precision, as the observation is: a load of exactly 0.85 is then
not above 0.85, whatever that decimal would be in double.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt

from astrarium.worlds.prospector import layout

Observations = npt.NDArray[np.float32]
Actions = npt.NDArray[np.int32]
Flags = npt.NDArray[np.bool_]
Slots = npt.NDArray[np.intp]
T = TypeVar("T", bound=np.generic)

_CREDITS_LOG: Final = np.float32(math.log1p(layout.CREDITS_CAP))
FLAG: Final = np.float32(0.5)
ONE: Final = np.float32(1.0)


@dataclass(frozen=True, slots=True)
class Lanes:
    """Where the ship can go from here."""

    to_station: Flags
    station: Slots
    """The lowest lane that leads home, or a hold."""
    home: Slots
    out: Slots


@dataclass(frozen=True, slots=True)
class Rocks:
    """The sixteen asteroid slots: (n, 16), composition (n, 16, 6)."""

    valid: Flags
    composition: Observations
    stability: Observations
    depletion: Observations
    confidence: Observations
    selected: Flags


def any_of(mask: Flags) -> Flags:
    """Whether any column of each row is true."""
    return np.any(mask, axis=1)


def lowest(mask: Flags, otherwise: Slots | int) -> Slots:
    """Index of the first true column of each row, or `otherwise` where there is none."""
    return np.where(any_of(mask), mask.argmax(axis=1), otherwise)


def read_lanes(obs: Observations) -> Lanes:
    """Which lanes lead home, and which out."""
    shape = (len(obs), layout.MAX_NEIGHBORS, layout.NEIGHBOR_STRIDE)
    block = obs[:, layout.NEIGHBORS].reshape(shape) > FLAG
    valid = block[:, :, layout.NEIGHBOR_VALID]
    to_station = valid & block[:, :, layout.NEIGHBOR_TYPE + layout.NODE_STATION]
    to_cluster = valid & block[:, :, layout.NEIGHBOR_TYPE + layout.NODE_CLUSTER]
    first = lowest(valid, layout.HOLD)
    return Lanes(
        to_station=any_of(to_station),
        station=lowest(to_station, layout.HOLD),
        home=lowest(to_station, first),
        out=lowest(to_cluster, lowest(valid & ~to_station, first)),
    )


def read_rocks(obs: Observations) -> Rocks:
    """The asteroid block, by field."""
    shape = (len(obs), layout.MAX_ASTEROIDS, layout.ASTEROID_STRIDE)
    block = obs[:, layout.ASTEROIDS].reshape(shape)
    first = layout.ASTEROID_COMPOSITION
    return Rocks(
        valid=block[:, :, layout.ASTEROID_VALID] > FLAG,
        composition=block[:, :, first : first + layout.N_COMMODITIES],
        stability=block[:, :, layout.ASTEROID_STABILITY],
        depletion=block[:, :, layout.ASTEROID_DEPLETION],
        confidence=block[:, :, layout.ASTEROID_CONFIDENCE],
        selected=block[:, :, layout.ASTEROID_SELECTED] > FLAG,
    )


def read_credits(obs: Observations) -> Observations:
    """Undo the observation's logarithm; good to about one part in a million."""
    share = np.clip(obs[:, layout.CREDITS], np.float32(0.0), ONE)
    return np.expm1(share * _CREDITS_LOG)


def value_scores(obs: Observations, rocks: Rocks) -> Observations:
    """What each asteroid seems to be worth at today's prices."""
    worth: Observations = np.zeros(rocks.valid.shape, dtype=np.float32)
    # One commodity at a time: a library sum may pair them, and a tie could break differently.
    for c in range(layout.N_COMMODITIES):
        price = obs[:, layout.PRICE_BASE + c, np.newaxis]
        part: Observations = price * rocks.composition[:, :, c]
        worth = worth + part
    return worth


def best_rock(rocks: Rocks, worth: Observations) -> Slots:
    """The valid slot with the most worth that is safe and left; `argmax` keeps the lowest tie."""
    score: Observations = worth * rocks.stability
    left: Observations = ONE - rocks.depletion
    score = score * left
    return np.where(rocks.valid, score, np.float32(-np.inf)).argmax(axis=1)


def mean_confidence(rocks: Rocks) -> Observations:
    """Over valid asteroids, added in slot order; 1 where there are none."""
    total = np.zeros(len(rocks.valid), dtype=np.float32)
    for slot in range(layout.MAX_ASTEROIDS):
        total = total + np.where(rocks.valid[:, slot], rocks.confidence[:, slot], np.float32(0.0))
    count = rocks.valid.sum(axis=1).astype(np.float32)
    return np.where(count > 0, total / np.maximum(count, ONE), ONE)


def at(values: npt.NDArray[T], slots: Slots) -> npt.NDArray[T]:
    """The entry of each row named by `slots`."""
    return values[np.arange(len(slots)), slots]


def sale(cargo_above: Flags, percent: int) -> Slots:
    """Sell the lowest commodity flagged; meaningless where none is."""
    bucket = layout.SELL_BUCKETS.index(percent)
    return layout.SELL + len(layout.SELL_BUCKETS) * lowest(cargo_above, 0) + bucket


def first_row_wins(rows: list[tuple[Flags, Slots | int]], otherwise: Slots | int) -> Actions:
    """The action of the first row whose condition holds, or `otherwise`."""
    conditions = [condition for condition, _ in rows]
    choices = [np.broadcast_to(np.asarray(action), conditions[0].shape) for _, action in rows]
    return np.select(conditions, choices, otherwise).astype(np.int32)


def checked(obs: Observations) -> Observations:
    """The same observations, or an error that says what a bot takes."""
    if obs.ndim != 2 or obs.shape[1] != layout.OBS_DIM or obs.dtype != np.float32:
        raise ValueError(
            f"a bot takes float32 observations of shape (n, {layout.OBS_DIM}), not {obs.dtype} "
            f"{obs.shape}; pass obs[np.newaxis] for a single one"
        )
    return obs
