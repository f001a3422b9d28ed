"""From the reports of slots to what rewards know of seeds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from astrarium.esper.contracts.rewards import SeedInfo
from astrarium.esper.contracts.seeds import AlphaMode, SeedStateReport
from astrarium.esper.contracts.stages import BLENDED, COOLING, Stage

ATTACHMENT_SHARE: Final = 0.0039
"""Of the host's parameters: what a blended seed costs however small it is."""


def seed_info(
    report: SeedStateReport,
    before: SeedInfo | None,
    counterfactual_total: float | None,
    auto_pruned: bool,
) -> SeedInfo:
    """A seed as it stands before this step's action; `before` is the same at the step before.

    Shaping telescopes because what stood before is taken from there, whatever happened between.
    """
    figures = report.metrics
    same = before is not None and before.seed_id == report.seed_id
    return SeedInfo(
        slot_id=report.slot_id,
        seed_id=report.seed_id,
        stage=report.stage,
        previous_stage=before.stage if before and same else Stage.GERMINATED,
        epochs_in_stage=figures.epochs_in_current_stage,
        previous_epochs_in_stage=before.epochs_in_stage if before and same else 0,
        leaving=(before is not None and same and before.leaving) or _leaves(report, auto_pruned),
        seed_age_epochs=report.age_epochs,
        germinated_epoch=report.germinated_epoch,
        seed_params=figures.seed_param_count,
        improvement_since_stage_start=figures.current_val_accuracy
        - figures.accuracy_at_stage_start,
        total_improvement=figures.current_val_accuracy - figures.initial_val_accuracy,
        acc_at_germination=figures.initial_val_accuracy,
        contribution=figures.counterfactual_contribution,
        counterfactual_total=counterfactual_total,
        interaction_sum=figures.interaction_sum,
        boost_received=figures.boost_received,
    )


def _leaves(report: SeedStateReport, auto_pruned: bool) -> bool:
    """Whether somebody's prune is under way or done: only a prune has the target 0.

    The governor's prunes are no action of the policy, so their loss of potential is still due.
    """
    if report.stage in COOLING:
        return not auto_pruned
    falling = report.alpha.mode is AlphaMode.DOWN and report.alpha.target == 0.0
    return report.stage is Stage.BLENDING and falling


def effective_seed_params(reports: Sequence[SeedStateReport | None], host_params: int) -> float:
    """Parameters the host feels, each seed's in proportion to its amplitude."""
    blended = [one for one in reports if one is not None and one.stage in BLENDED]
    seeds = (one.alpha.alpha * one.metrics.seed_param_count for one in blended)
    return ATTACHMENT_SHARE * host_params * len(blended) + sum(seeds, 0.0)


def alpha_delta_sq_sum(reports: Sequence[SeedStateReport | None]) -> float:
    """How much amplitude moved in the last epoch, weighted by what it moves."""
    moved = (r.alpha_velocity**2 * r.metrics.seed_param_count for r in reports if r is not None)
    return sum(moved, 0.0)
