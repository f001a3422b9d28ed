"""What an epoch of aggregated gradients looked like, under its published names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from astrarium.esper.aggregation import Plan, SourceShare

PREFIX: Final = "tolaria.grad_agg."
SEED_PREFIX: Final = "tolaria.grad_agg.seed."
CONFLICTS_HIGH: Final = 0.75
SEED_CONFLICTS_HIGH: Final = 0.5
SHARE_JUMP: Final = 0.3
LAYERS_TOP: Final = 5
SEED_LAYERS_TOP: Final = 3


@dataclass(frozen=True, slots=True)
class AggregationWarning:
    """Something worth telling about an epoch."""

    event: str
    source: str
    """Empty where it concerns all of them."""
    value: float


@dataclass(frozen=True, slots=True)
class AggregationReport:
    """An epoch's figures."""

    metrics: dict[str, float]
    seeds: dict[str, dict[str, float]]
    """By source, then by metric."""
    layers: dict[str, dict[str, float]]
    """The tensors with the largest gradients (`layer_norm`), of the host and of every seed."""
    warnings: tuple[AggregationWarning, ...]

    def published(self) -> dict[str, float]:
        """All of it in one row, a source's figures marked with its name."""
        marked = {
            f'{metric}{{seed="{name}"}}': value
            for name, figures in self.seeds.items()
            for metric, value in figures.items()
        }
        return {**self.metrics, **marked}

    def shares(self) -> dict[str, float]:
        """What the next epoch is compared with."""
        return {name: figures[f"{SEED_PREFIX}share"] for name, figures in self.seeds.items()}


def epoch_report(
    plans: Sequence[Plan],
    shares_before: Mapping[str, float],
    layers: Mapping[str, Mapping[str, float]],
) -> AggregationReport:
    """The figures of all batches of an epoch; `shares_before` are the last report's.

    `layers` holds the norm of each tensor's gradient, of the host and of every seed that learns.
    """
    by_source: dict[str, list[SourceShare]] = {}
    for plan in plans:
        for one in plan.shares:
            by_source.setdefault(one.source.name, []).append(one)
    seeds = {name: _seed(found, shares_before) for name, found in by_source.items()}
    weights = [one.weight for plan in plans for one in plan.shares]
    metrics = {
        "microbatches_total": float(sum(len(plan.shares) for plan in plans)),
        "conflicts": float(sum(plan.conflicts for plan in plans)),
        "conflict_ratio": _mean([plan.conflict_ratio for plan in plans]),
        "weights_mean": _mean(weights),
        "pcgrad_applied": float(any(plan.projected for plan in plans)),
    }
    named = {PREFIX + name: value for name, value in metrics.items()}
    warnings = _warnings(metrics["conflict_ratio"], seeds)
    top = {
        name: largest(norms, LAYERS_TOP if name == "host" else SEED_LAYERS_TOP)
        for name, norms in layers.items()
    }
    return AggregationReport(named, seeds, top, warnings)


def _seed(found: list[SourceShare], shares_before: Mapping[str, float]) -> dict[str, float]:
    last = found[-1].source
    share = _mean([one.share for one in found])
    figures = {
        "weight": _mean([one.weight for one in found]),
        "norm": _mean([one.norm for one in found]),
        "share": share,
        # The first epoch of a source is no jump.
        "share_delta": share - shares_before.get(last.name, share),
        "conflicts": float(sum(one.conflicts for one in found)),
        "conflict_ratio": _mean([one.conflict_ratio for one in found]),
        "alpha": last.alpha,
        "params": float(last.params),
        "mask_fraction": last.mask_fraction,
    }
    return {SEED_PREFIX + name: value for name, value in figures.items()}


def _warnings(
    conflict_ratio: float, seeds: Mapping[str, Mapping[str, float]]
) -> tuple[AggregationWarning, ...]:
    found: list[AggregationWarning] = []
    if conflict_ratio >= CONFLICTS_HIGH:
        found.append(AggregationWarning("conflict_high", "", conflict_ratio))
    for name, figures in seeds.items():
        ratio, jump = (figures[SEED_PREFIX + key] for key in ("conflict_ratio", "share_delta"))
        if ratio >= SEED_CONFLICTS_HIGH:
            found.append(AggregationWarning("seed_conflict_high", name, ratio))
        if abs(jump) >= SHARE_JUMP:
            found.append(AggregationWarning("seed_share_jump", name, jump))
    return tuple(found)


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def largest(norms: Mapping[str, float], count: int) -> dict[str, float]:
    """The largest of them, in order."""
    return dict(sorted(norms.items(), key=lambda one: (-one[1], one[0]))[:count])
