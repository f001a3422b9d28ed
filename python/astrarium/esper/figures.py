"""The figures of a seed: how they begin, what an epoch adds, how they are told."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from astrarium.esper.contracts.errors import MeasurementError
from astrarium.esper.contracts.heads import BLUEPRINTS
from astrarium.esper.contracts.seeds import (
    EpochMeasurement,
    SeedMeasurement,
    SeedMetrics,
    SeedStateReport,
)
from astrarium.esper.contracts.stages import BLENDED, COOLING, Stage
from astrarium.esper.gates import is_healthy
from astrarium.esper.seed_state import STABILITY_EPOCHS, Scene, SeedState

NORM_DECAY: Final = 0.9
VELOCITY_DECAY: Final = 0.7


def first_metrics(scene: Scene) -> SeedMetrics:
    """The figures of a seed that has just been planted."""
    accuracy = 0.0 if scene.accuracy is None else scene.accuracy
    return SeedMetrics(
        epochs_total=0,
        epochs_in_current_stage=0,
        initial_val_accuracy=accuracy,
        current_val_accuracy=accuracy,
        best_val_accuracy=accuracy,
        accuracy_at_stage_start=accuracy,
        accuracy_at_blending_start=None,
        gradient_norm_avg=None,
        seed_gradient_norm_ratio=None,
        host_param_count=scene.host_params,
        seed_param_count=scene.module.parameter_count,
        counterfactual_contribution=None,
        contribution_epoch=None,
        contribution_velocity=0.0,
        interaction_sum=0.0,
        boost_received=0.0,
        upstream_alpha_sum=0.0,
        downstream_alpha_sum=0.0,
        gradients=None,
        previous_gradient_health=None,
        isolation_violations=0,
    )


def check_measurement(measured: EpochMeasurement, slots: Sequence[str]) -> None:
    """Refuse figures that are not finite, or of slots that do not exist."""
    if not math.isfinite(measured.val_accuracy):
        raise MeasurementError(
            f"val_accuracy of epoch {measured.epoch} is {measured.val_accuracy}; "
            "a network that fails must be rolled back, not measured"
        )
    for seed in measured.seeds:
        if seed.slot_id not in slots:
            raise MeasurementError(f"slot {seed.slot_id!r} was measured; there is none")
        named = {
            "contribution": seed.contribution,
            "interaction_sum": seed.interaction_sum,
            "boost_received": seed.boost_received,
            "gradient_ratio": seed.gradient_ratio,
        }
        for name, value in named.items():
            if value is not None and not math.isfinite(value):
                raise MeasurementError(f"{name} of the seed in {seed.slot_id} is {value}")


def observed(
    state: SeedState, measured: EpochMeasurement, seed: SeedMeasurement | None
) -> SeedState:
    """A slot after an epoch of training and its validation."""
    if state.stage is Stage.DORMANT:
        return state
    figures = state.figures
    if state.stage in COOLING:
        cooled = replace(figures, epochs_in_current_stage=figures.epochs_in_current_stage + 1)
        return replace(state, metrics=cooled)
    accuracy = measured.val_accuracy
    figures = replace(
        figures,
        epochs_total=figures.epochs_total + 1,
        epochs_in_current_stage=figures.epochs_in_current_stage + 1,
        current_val_accuracy=accuracy,
        best_val_accuracy=max(accuracy, figures.best_val_accuracy),
    )
    if seed is not None:
        figures = _with_contribution(_with_gradients(figures, seed), seed, measured.epoch)
    recent = (*state.recent_accuracies, accuracy)[-STABILITY_EPOCHS:]
    return replace(state, metrics=figures, recent_accuracies=recent)


def _with_gradients(figures: SeedMetrics, seed: SeedMeasurement) -> SeedMetrics:
    before = figures.gradients
    if seed.gradient_ratio is not None:
        figures = replace(figures, seed_gradient_norm_ratio=seed.gradient_ratio)
    if seed.gradients is None:
        return figures
    norm, average = seed.gradients.norm, figures.gradient_norm_avg
    if average is not None and math.isfinite(norm):
        norm = NORM_DECAY * average + (1.0 - NORM_DECAY) * norm
    return replace(
        figures,
        gradients=seed.gradients,
        previous_gradient_health=None if before is None else before.health,
        gradient_norm_avg=norm if math.isfinite(norm) else average,
    )


def _with_contribution(figures: SeedMetrics, seed: SeedMeasurement, epoch: int) -> SeedMetrics:
    if seed.contribution is None:
        return figures
    velocity, before = figures.contribution_velocity, figures.counterfactual_contribution
    if before is not None:
        change = seed.contribution - before
        velocity = VELOCITY_DECAY * velocity + (1.0 - VELOCITY_DECAY) * change
    return replace(
        figures,
        counterfactual_contribution=seed.contribution,
        contribution_epoch=epoch,
        contribution_velocity=velocity,
        interaction_sum=seed.interaction_sum,
        boost_received=seed.boost_received,
    )


def report_of(state: SeedState, upstream: float, downstream: float) -> SeedStateReport:
    """A slot that is not empty, as others see it."""
    figures = replace(state.figures, upstream_alpha_sum=upstream, downstream_alpha_sum=downstream)
    return SeedStateReport(
        seed_id=state.seed_id,
        slot_id=state.slot_id,
        blueprint_id=state.blueprint,
        blueprint_index=BLUEPRINTS.index(state.blueprint),
        stage=state.stage,
        previous_stage=state.previous_stage,
        previous_epochs_in_stage=state.previous_epochs_in_stage,
        alpha=state.alpha,
        alpha_velocity=state.alpha_velocity,
        blend=state.blend,
        blend_tempo_epochs=state.tempo_epochs,
        germinated_epoch=state.germinated_epoch,
        age_epochs=figures.epochs_total,
        metrics=figures,
        is_healthy=is_healthy(figures.gradients),
        prune_reason=state.prune_reason,
    )


def amplitude(state: SeedState) -> float:
    """How much of the seed the host feels."""
    return state.alpha.alpha if state.stage in BLENDED else 0.0
