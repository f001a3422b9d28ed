"""What each seed is worth: accuracies with some of them turned off, compared.

These are costs of removal from a network that has adapted to its seeds. They say what the host
would lose today, not what it would have become without them.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from astrarium.esper.contracts.errors import MeasurementError

FACTORIAL_MAX: Final = 4
"""Up to so many seeds every combination is tried."""
INTERACTIONS_MAX: Final = 3
SAMPLES: Final = 20
SAMPLES_MAX: Final = 100

Row = tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class AlphaConfigurations:
    """What one fused validation pass must evaluate."""

    slots: tuple[str, ...]
    """The slots whose seeds the host feels."""
    fossilized: Row
    """Which of them are kept for good."""
    rows: tuple[Row, ...]
    """On or off for every slot; the first row has everything on."""
    orders: tuple[tuple[int, ...], ...]
    """Orders in which seeds are added for Shapley values; none unless they are asked for."""


@dataclass(frozen=True, slots=True)
class ShapleyValue:
    """The mean gain of adding a seed, over the orders of adding them."""

    mean: float
    std: float
    samples: int


@dataclass(frozen=True, slots=True)
class Attribution:
    """What the accuracies say, for every slot in the order of the configurations."""

    slots: tuple[str, ...]
    accuracy: float
    counterfactual_total: float
    committed_accuracy: float
    contributions: tuple[float, ...]
    interactions: tuple[tuple[float, ...], ...]
    """What each pair is worth beyond its parts; empty for more than three seeds."""
    interaction_sums: tuple[float, ...]
    boosts: tuple[float, ...]
    """The most any other seed adds to each."""
    shapley: tuple[ShapleyValue, ...]
    """Empty unless asked for."""


def configurations(
    active: Sequence[str],
    fossilized: Sequence[str],
    shapley: np.random.Generator | None = None,
    samples: int = SAMPLES,
) -> AlphaConfigurations:
    """The configurations to evaluate for the slots in `active`, fossils among them.

    With a generator also those that Shapley values need: every combination up to four seeds,
    else the beginnings of so many random orders.
    """
    slots = tuple(active)
    if unknown := set(fossilized) - set(slots):
        raise MeasurementError(f"fossilized slots {sorted(unknown)} are not among {list(slots)}")
    kept = tuple(slot in fossilized for slot in slots)
    count = len(slots)
    rows: dict[Row, None] = {(True,) * count: None}
    rows |= dict.fromkeys(_all_but(count, i) for i in range(count))
    rows |= {(False,) * count: None, kept: None}
    orders = _orders(count, samples, shapley) if shapley is not None else ()
    if count <= INTERACTIONS_MAX or (orders and count <= FACTORIAL_MAX):
        rows |= dict.fromkeys(itertools.product((True, False), repeat=count))
    for order in orders:
        rows |= dict.fromkeys(_beginnings(order))
    return AlphaConfigurations(slots, kept, tuple(rows), orders)


def _all_but(count: int, off: int) -> Row:
    return tuple(i != off for i in range(count))


def _only(count: int, *on: int) -> Row:
    return tuple(i in on for i in range(count))


def _beginnings(order: tuple[int, ...]) -> list[Row]:
    return [_only(len(order), *order[:length]) for length in range(len(order) + 1)]


def _orders(
    count: int, samples: int, generator: np.random.Generator
) -> tuple[tuple[int, ...], ...]:
    """All orders of a few, or random ones, each with its reverse to even out early and late."""
    if count <= FACTORIAL_MAX:
        return tuple(itertools.permutations(range(count)))
    drawn: list[tuple[int, ...]] = []
    for _ in range(min(samples, SAMPLES_MAX) // 2):
        order = tuple(int(i) for i in generator.permutation(count))
        drawn += [order, order[::-1]]
    return tuple(drawn)


def attribute(asked: AlphaConfigurations, accuracies: Sequence[float]) -> Attribution:
    """Read the accuracies of the rows asked for, in their order, in percent."""
    if len(accuracies) != len(asked.rows):
        raise MeasurementError(f"{len(accuracies)} accuracies for {len(asked.rows)} configurations")
    for row, accuracy in zip(asked.rows, accuracies, strict=True):
        if not math.isfinite(accuracy):
            raise MeasurementError(f"the accuracy of configuration {row} is {accuracy}")
    of = dict(zip(asked.rows, accuracies, strict=True))
    count = len(asked.slots)
    everything, nothing = of[(True,) * count], of[(False,) * count]
    pairs = _interactions(count, of) if count <= INTERACTIONS_MAX else ()
    return Attribution(
        slots=asked.slots,
        accuracy=everything,
        counterfactual_total=everything - nothing,
        committed_accuracy=of[asked.fossilized],
        contributions=tuple(everything - of[_all_but(count, i)] for i in range(count)),
        interactions=pairs,
        interaction_sums=tuple(sum(row, 0.0) for row in pairs) or (0.0,) * count,
        boosts=tuple(_boost(i, row) for i, row in enumerate(pairs)) or (0.0,) * count,
        shapley=_shapley(count, asked.orders, of),
    )


def _interactions(count: int, of: Mapping[Row, float]) -> tuple[tuple[float, ...], ...]:
    def pair(i: int, j: int) -> float:
        if i == j:
            return 0.0
        apart = of[_only(count, i)] + of[_only(count, j)]
        return of[_only(count, i, j)] - apart + of[_only(count)]

    return tuple(tuple(pair(i, j) for j in range(count)) for i in range(count))


def _boost(own: int, row: tuple[float, ...]) -> float:
    return max((value for other, value in enumerate(row) if other != own), default=0.0)


def _shapley(
    count: int, orders: tuple[tuple[int, ...], ...], of: Mapping[Row, float]
) -> tuple[ShapleyValue, ...]:
    if not orders:
        return ()
    gains = np.zeros((len(orders), count))
    for sample, order in enumerate(orders):
        values = [of[row] for row in _beginnings(order)]
        gains[sample, list(order)] = np.diff(values)
    means, stds = gains.mean(axis=0), gains.std(axis=0)
    return tuple(
        ShapleyValue(float(mean), float(std), len(orders))
        for mean, std in zip(means, stds, strict=True)
    )
