"""What an epoch of aggregated gradients looked like, under its published names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

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
    warnings: tuple[AggregationWarning, ...]

    def shares(self) -> dict[str, float]:
        """What the next epoch is compared with."""
        return {name: figures[f"{SEED_PREFIX}share"] for name, figures in self.seeds.items()}


def epoch_report(
    plans: Sequence[Plan], shares_before: Mapping[str, float], hook_ms: float, hook_limit_ms: float
) -> AggregationReport:
    """The figures of all micro-batches of an epoch; `shares_before` are the last report's."""
    by_source: dict[str, list[SourceShare]] = {}
    for plan in plans:
        for one in plan.shares:
            by_source.setdefault(one.source.name, []).append(one)
    seeds = {name: _seed(found, shares_before) for name, found in by_source.items()}
    teachers = [f[f"{SEED_PREFIX}teacher_share"] for f in seeds.values()]
    weights = [one.weight for plan in plans for one in plan.shares]
    metrics = {
        "microbatches_total": float(len(plans)),
        "conflicts": float(sum(plan.conflicts for plan in plans)),
        "conflict_ratio": _mean([plan.conflict_ratio for plan in plans]),
        "weights_mean": _mean(weights),
        "pcgrad_applied": float(any(plan.projected for plan in plans)),
        "teacher_share": sum(teachers, 0.0),
    }
    named = {PREFIX + name: value for name, value in metrics.items()}
    warnings = _warnings(metrics["conflict_ratio"], seeds, hook_ms, hook_limit_ms)
    return AggregationReport(named, seeds, warnings)


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
        "teacher_share": share if last.teacher else 0.0,
    }
    return {SEED_PREFIX + name: value for name, value in figures.items()}


def _warnings(
    conflict_ratio: float,
    seeds: Mapping[str, Mapping[str, float]],
    hook_ms: float,
    hook_limit_ms: float,
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
    if hook_ms > hook_limit_ms:
        found.append(AggregationWarning("epoch_hook_latency_high", "", hook_ms))
    return tuple(found)


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def largest_layers(
    gradient: NDArray[np.floating], layers: Mapping[str, slice], count: int
) -> tuple[tuple[str, float], ...]:
    """The layers with the largest gradients, for the metric `layer_norm`."""
    norms = [(name, float(np.linalg.norm(gradient[part]))) for name, part in layers.items()]
    return tuple(sorted(norms, key=lambda one: (-one[1], one[0]))[:count])
