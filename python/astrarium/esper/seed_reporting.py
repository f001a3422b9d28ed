"""What a network tells of its seeds, as happenings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from astrarium.esper.contracts import lifecycle
from astrarium.esper.contracts import seed_happenings as told
from astrarium.esper.contracts.happening import Happening
from astrarium.esper.contracts.lifecycle import LifecycleEvent
from astrarium.esper.contracts.seeds import SeedStateReport
from astrarium.esper.contracts.stages import Stage
from astrarium.esper.masks import Reports

TICK = "tick"
"""Who moved a seed that moved by itself."""


@dataclass(frozen=True, slots=True)
class Cause:
    """Why seeds changed, and how they stood on both sides of it."""

    epoch: int
    before: Reports
    after: Reports
    counterfactual_total: float | None
    action_id: str = ""
    initiator: str = TICK


def seed_news(events: Sequence[LifecycleEvent], cause: Cause) -> list[Happening]:
    """Everything a network told, in its order."""
    return [one for event in events for one in _told(event, cause)]


def _told(event: LifecycleEvent, cause: Cause) -> list[Happening]:
    match event:
        case lifecycle.StageChanged():
            return _stage_changed(event, cause)
        case lifecycle.GateEvaluated():
            return _gate_asked(event, cause)
        case lifecycle.ViolationRecorded():
            return [
                told.ViolationRecorded(
                    epoch=event.epoch,
                    slot_id=event.slot_id,
                    seed_id=event.seed_id,
                    blueprint=_blueprint(event.slot_id, cause),
                    action_id="",
                    violations=event.violations,
                )
            ]
        case lifecycle.BlendRejected():
            return [
                told.BlendRejected(epoch=cause.epoch, slot_id=event.slot_id, reason=event.reason)
            ]


def _stage_changed(event: lifecycle.StageChanged, cause: Cause) -> list[Happening]:
    before, after = _by_slot(cause.before), _by_slot(cause.after)
    seed: dict[str, Any] = {
        "epoch": event.epoch,
        "slot_id": event.slot_id,
        "seed_id": event.seed_id,
        "blueprint": event.blueprint,
        "action_id": cause.action_id,
    }
    was, now = before.get(event.slot_id), after.get(event.slot_id)
    if event.after is Stage.GERMINATED and now is not None:
        return [
            told.SeedGerminated(
                **seed,
                initiator=cause.initiator,
                params=now.metrics.seed_param_count,
                blend=now.blend.name,
                tempo_epochs=now.blend_tempo_epochs,
                val_accuracy=now.metrics.initial_val_accuracy,
            )
        ]
    change = told.SeedStageChanged(
        **seed,
        before=event.before.name,
        after=event.after.name,
        epochs_in_stage=event.epochs_in_stage,
        alpha=0.0 if now is None else now.alpha.alpha,
        reason=event.reason,
    )
    if was is None or event.after not in (Stage.FOSSILIZED, Stage.PRUNED):
        return [change]
    figures: dict[str, Any] = {
        **seed,
        "initiator": cause.initiator,
        "params": was.metrics.seed_param_count,
        "age_epochs": was.age_epochs,
        "improvement": was.metrics.current_val_accuracy - was.metrics.initial_val_accuracy,
        "contribution": was.metrics.counterfactual_contribution,
    }
    if event.after is Stage.FOSSILIZED:
        total = cause.counterfactual_total
        return [change, told.SeedFossilized(**figures, counterfactual_total=total)]
    return [change, told.SeedPruned(**figures, reason=event.reason)]


def _gate_asked(event: lifecycle.GateEvaluated, cause: Cause) -> list[Happening]:
    result = event.result
    if result.gate == "G0" and result.passed:
        return []
    return [
        told.SeedGateEvaluated(
            epoch=event.epoch,
            slot_id=event.slot_id,
            seed_id=event.seed_id,
            blueprint=_blueprint(event.slot_id, cause),
            action_id=cause.action_id,
            gate=result.gate,
            passed=result.passed,
            score=result.score,
            checks_passed=result.checks_passed,
            checks_failed=result.checks_failed,
            message=result.message,
            severity="critical" if event.critical else "info",
        )
    ]


def _blueprint(slot_id: str, cause: Cause) -> str:
    found = _by_slot(cause.before).get(slot_id)
    return "" if found is None else found.blueprint_id


def _by_slot(reports: Reports) -> Mapping[str, SeedStateReport]:
    return {one.slot_id: one for one in reports if one is not None}
