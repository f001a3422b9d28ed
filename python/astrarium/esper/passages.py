"""From one stage to the next: asking a gate, entering a stage."""

from __future__ import annotations

import statistics
from dataclasses import replace

from astrarium.esper.contracts.lifecycle import GateEvaluated, StageChanged
from astrarium.esper.contracts.seeds import GateResult
from astrarium.esper.contracts.stages import Stage, check_transition
from astrarium.esper.gates import GateInputs, GateName, evaluate, is_healthy
from astrarium.esper.seed_state import HISTORY_MAX, STABILITY_EPOCHS, Emit, Scene, SeedState


def ask(
    gate: GateName, state: SeedState, scene: Scene, *, commanded: bool
) -> tuple[GateResult, Emit]:
    """What a gate says, and the news of it."""
    result = evaluate(gate, scene.rules.gates, gate_inputs(state, scene))
    critical = commanded and not result.passed
    event = GateEvaluated(state.slot_id, state.seed_id, scene.epoch, result, critical)
    return result, Emit(event)


def gate_inputs(state: SeedState, scene: Scene) -> GateInputs:
    """All a gate may look at."""
    figures, module = state.figures, scene.module
    return GateInputs(
        stage=state.stage,
        seed_id=state.seed_id,
        blueprint=state.blueprint,
        attached=module.attached,
        parameters_finite=module.parameters_finite,
        interface_ok=module.interface_ok,
        layers_present=module.layers_present,
        optimiser_present=module.optimiser_present,
        prefetch_pending=module.prefetch_pending,
        attach_ms=state.attach_ms,
        attach_budget_ms=scene.rules.attach_budget_ms,
        isolation_violations=figures.isolation_violations,
        epochs_in_stage=figures.epochs_in_current_stage,
        accuracy_gain=figures.current_val_accuracy - figures.accuracy_at_stage_start,
        gradient_ratio=figures.seed_gradient_norm_ratio,
        gradients=figures.gradients,
        alpha=state.alpha,
        nominal=scene.nominal,
        contribution=figures.counterfactual_contribution,
        healthy=is_healthy(figures.gradients),
        stability=stability(state.recent_accuracies),
    )


def stability(accuracies: tuple[float, ...]) -> float | None:
    """1 less the spread of the last three accuracies, as a share; None before there are three."""
    if len(accuracies) < STABILITY_EPOCHS:
        return None
    return 1.0 - statistics.pstdev(accuracies[-STABILITY_EPOCHS:]) / 100.0


def enter(state: SeedState, stage: Stage, scene: Scene, reason: str) -> tuple[SeedState, Emit]:
    """The seed in its new stage, and the news of it. A stage that cannot follow raises."""
    check_transition(state.stage, stage)
    figures = state.figures
    change = StageChanged(
        slot_id=state.slot_id,
        seed_id=state.seed_id,
        blueprint=state.blueprint,
        before=state.stage,
        after=stage,
        epoch=scene.epoch,
        epochs_in_stage=figures.epochs_in_current_stage,
        reason=reason,
    )
    entered = replace(
        state,
        stage=stage,
        previous_stage=state.stage,
        previous_epochs_in_stage=figures.epochs_in_current_stage,
        metrics=replace(
            figures,
            epochs_in_current_stage=0,
            accuracy_at_stage_start=figures.current_val_accuracy,
        ),
        history=(*state.history, change)[-HISTORY_MAX:],
    )
    return entered, Emit(change)
