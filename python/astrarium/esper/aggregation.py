"""Several gradients of one host made one, conflicts between them taken out.

Everything is decided from the products of the gradients with each other, a small matrix: a trainer
on a device computes that matrix there, brings it over once, and multiplies by the coefficients.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Final, Literal

import numpy as np
import pydantic
from numpy.typing import NDArray
from pydantic import Field

from astrarium.errors import ShapeError
from astrarium.esper.contracts.errors import MeasurementError
from astrarium.esper.contracts.stages import Stage

Combining = Literal["mean", "sum", "state_weighted"]
Floats = NDArray[np.float64]

WEIGHT_MIN: Final = 0.1
_TINY: Final = 1e-12
_STAGE_WEIGHT: Final = {
    Stage.TRAINING: 0.25,
    Stage.BLENDING: 0.5,
    Stage.HOLDING: 1.0,
    Stage.FOSSILIZED: 1.0,
}


class Aggregation(pydantic.BaseModel):
    """How a batch is parted, and the gradients of its parts are put together."""

    model_config = pydantic.ConfigDict(frozen=True, extra="forbid")

    sources: Literal["micro_batches", "seeds"] = "micro_batches"
    """Who a part belongs to: nobody, or the one seed that learns from it."""
    micro_batches: Annotated[int, Field(ge=2, le=64)] = 4
    """Parts of a batch, where they belong to nobody."""
    combining: Combining = "mean"
    conflict_projection: bool = True


@dataclass(frozen=True, slots=True)
class Source:
    """Where a gradient comes from: a micro-batch, or the rows that a seed learns from."""

    name: str
    stage: Stage
    alpha: float
    params: int
    """That follow it, of host and seeds."""
    mask_fraction: float = 1.0
    """Part of all that learn."""


@dataclass(frozen=True, slots=True)
class SourceShare:
    """What became of one gradient."""

    source: Source
    weight: float
    norm: float
    """As it was used."""
    share: float
    """Of all norms times weights."""
    conflicts: int
    """Other sources it pulled against."""
    conflict_ratio: float


@dataclass(frozen=True, slots=True)
class Plan:
    """How gradients are put together."""

    coefficients: Floats
    """One for every source: the sum of gradients times these is the result."""
    shares: tuple[SourceShare, ...]
    conflicts: int
    """Pairs that pulled against each other."""
    conflict_ratio: float
    """Of all pairs."""
    projected: bool


def source_weight(source: Source) -> float:
    """How much a seed counts by where it is in its life."""
    weight = _STAGE_WEIGHT.get(source.stage, 0.0) * (0.5 + 0.5 * source.alpha)
    return max(WEIGHT_MIN, weight)


def plan(
    gram: Floats,
    sources: Sequence[Source],
    combining: Combining = "mean",
    conflicts_out: np.random.Generator | None = None,
) -> Plan:
    """Coefficients from the products of all gradients with each other.

    With a generator, conflicts are projected out, in an order it draws.
    """
    count = len(sources)
    if gram.shape != (count, count):
        raise ShapeError(f"{count} sources need {count} times {count} products, not {gram.shape}")
    if not np.isfinite(gram).all():
        # One broken gradient spoils its row and its column; only its own square is its alone.
        broken = ~np.isfinite(np.diagonal(gram))
        at = int(broken.argmax()) if broken.any() else int((~np.isfinite(gram)).any(1).argmax())
        raise MeasurementError(f"the gradient of {sources[at].name!r} is not finite")
    against, pairs = _conflicts(gram)
    mixing = np.eye(count) if conflicts_out is None else project(gram, conflicts_out)
    weights = np.array(
        [source_weight(one) if combining == "state_weighted" else 1.0 for one in sources]
    )
    norms = np.sqrt(np.maximum(np.einsum("ik,kl,il->i", mixing, gram, mixing), 0.0))
    total = float(weights.sum()) if combining != "sum" else 1.0
    return Plan(
        coefficients=weights @ mixing / total,
        shares=_shares(sources, weights, norms, against),
        conflicts=pairs,
        conflict_ratio=pairs / max(1, count * (count - 1) // 2),
        projected=conflicts_out is not None,
    )


def _conflicts(gram: Floats) -> tuple[NDArray[np.int64], int]:
    """For every source how many it pulls against, and how many pairs that are."""
    against = (gram < 0.0).sum(axis=1)
    return against, int(against.sum()) // 2


def _shares(
    sources: Sequence[Source], weights: Floats, norms: Floats, against: NDArray[np.int64]
) -> tuple[SourceShare, ...]:
    pulls = weights * norms
    whole = float(pulls.sum()) or 1.0
    others = max(1, len(sources) - 1)
    return tuple(
        SourceShare(
            source=source,
            weight=float(weights[at]),
            norm=float(norms[at]),
            share=float(pulls[at]) / whole,
            conflicts=int(against[at]),
            conflict_ratio=int(against[at]) / others,
        )
        for at, source in enumerate(sources)
    )


def project(gram: Floats, generator: np.random.Generator) -> Floats:
    """Each gradient without what pulls against others, as a mixture of the original ones.

    Row i holds how much of every original gradient is in the new gradient i. Sources are met in
    random order, always as they were, so the outcome does not depend on who was changed before.
    """
    count = len(gram)
    mixing = np.eye(count)
    for own in range(count):
        for other in generator.permutation(count):
            if other == own:
                continue
            product = float(mixing[own] @ gram[:, other])
            if product < 0.0:
                mixing[own, other] -= product / (gram[other, other] + _TINY)
    return mixing
