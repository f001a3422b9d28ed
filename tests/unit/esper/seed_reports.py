"""Reports of slots, from which the tests of masks, observations and controllers differ a little."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from astrarium.esper.contracts.actions import Blend
from astrarium.esper.contracts.seeds import (
    AlphaMode,
    AlphaState,
    GradientHealth,
    SeedMetrics,
    SeedStateReport,
)
from astrarium.esper.contracts.stages import Stage
from astrarium.esper.masks import GrowthRules

METRICS = SeedMetrics(
    epochs_total=12,
    epochs_in_current_stage=6,
    initial_val_accuracy=50.0,
    current_val_accuracy=54.0,
    best_val_accuracy=55.0,
    accuracy_at_stage_start=52.0,
    accuracy_at_blending_start=None,
    gradient_norm_avg=0.5,
    seed_gradient_norm_ratio=0.2,
    host_param_count=1000,
    seed_param_count=100,
    counterfactual_contribution=None,
    contribution_epoch=None,
    contribution_velocity=0.0,
    interaction_sum=0.0,
    boost_received=0.0,
    upstream_alpha_sum=0.0,
    downstream_alpha_sum=0.0,
    gradients=GradientHealth(0.5, 0.9, False, False),
    previous_gradient_health=None,
    isolation_violations=0,
)
REPORT = SeedStateReport(
    seed_id="s1",
    slot_id="r0c0",
    blueprint_id="conv_light",
    blueprint_index=1,
    stage=Stage.TRAINING,
    previous_stage=Stage.GERMINATED,
    previous_epochs_in_stage=1,
    alpha=AlphaState(),
    alpha_velocity=0.0,
    blend=Blend.ADD,
    blend_tempo_epochs=5,
    germinated_epoch=10,
    age_epochs=12,
    metrics=METRICS,
    is_healthy=True,
    prune_reason=None,
)
SLOTS = ("r0c0", "r0c1", "r0c2")
RULES = GrowthRules(SLOTS, (True, True, True), "cnn", 3)


def report(
    stage: Stage,
    slot: str = "r0c0",
    mode: AlphaMode = AlphaMode.HOLD,
    age: int = 12,
    metrics: dict[str, Any] | None = None,
    **changes: Any,
) -> SeedStateReport:
    """A seed in this stage."""
    return replace(
        REPORT,
        slot_id=slot,
        seed_id=f"seed-{slot}",
        stage=stage,
        alpha=replace(REPORT.alpha, mode=mode),
        age_epochs=age,
        metrics=replace(METRICS, **(metrics or {})),
        **changes,
    )
