"""What a controller that learns sees of one host: a row of figures, each with a name.

Unknown is -1, never 0: a seed that was not measured must not look healthy.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from astrarium.esper.contracts.errors import MeasurementError
from astrarium.esper.contracts.heads import BLUEPRINTS, Op
from astrarium.esper.contracts.seeds import GradientHealth, SeedStateReport
from astrarium.esper.contracts.stages import STAGES, Stage
from astrarium.esper.masks import Reports
from astrarium.esper.signals import TrainingSignals

BASE_WIDTH: Final = 23
SLOT_WIDTH: Final = 31
UNKNOWN: Final = -1.0
EMPTY_BLUEPRINT: Final = -1
_HISTORY: Final = 5
_LOG_SCALE: Final = 7.0
_POINTS: Final = 10.0
_TEMPO_SCALE: Final = 12.0

_BASE_NAMES: Final = (
    "epoch",
    "val_loss",
    "val_accuracy",
    *(f"loss_{age}_ago" for age in range(_HISTORY - 1, -1, -1)),
    *(f"accuracy_{age}_ago" for age in range(_HISTORY - 1, -1, -1)),
    "seeds_training",
    "seeds_blending",
    "seeds_kept",
    "last_action_succeeded",
    *(f"last_op_{op.name.lower()}" for op in Op),
)
_SLOT_NAMES: Final = (
    "occupied",
    *(f"stage_{stage.name.lower()}" for stage in STAGES),
    "alpha",
    "contribution",
    "contribution_velocity",
    "blend_tempo",
    "alpha_target",
    "alpha_mode",
    "alpha_steps_total",
    "alpha_steps_done",
    "alpha_time_to_target",
    "alpha_velocity",
    "blend_algorithm",
    "interaction_sum",
    "gradient_norm",
    "gradient_health",
    "gradient_vanishing",
    "gradient_exploding",
    "previous_gradient_health",
    "epochs_in_stage",
    "counterfactual_freshness",
    "age",
)


@dataclass(frozen=True, slots=True)
class ObservationInputs:
    """One host after its validation."""

    signals: TrainingSignals
    epoch: int
    max_epochs: int
    reports: Reports
    last_op: Op | None
    """What was last asked for; None in the first epoch."""
    last_success: bool
    gamma: float
    """The learner's discount: how fast a measurement ages."""


def width(slots: int) -> int:
    """Figures of a row."""
    return BASE_WIDTH + SLOT_WIDTH * slots


@cache
def field_names(slots: tuple[str, ...]) -> tuple[str, ...]:
    """The name of every figure, those of a slot with the slot's."""
    return _BASE_NAMES + tuple(f"{slot}.{name}" for slot in slots for name in _SLOT_NAMES)


def symlog(value: float) -> float:
    """A logarithm that takes any number."""
    return math.copysign(math.log1p(abs(value)), value)


def observe(
    inputs: ObservationInputs, row: NDArray[np.float32], blueprints: NDArray[np.int64]
) -> None:
    """Fill one host's rows: its figures, and the blueprint of every slot (-1 where empty)."""
    figures = _base(inputs)
    for at, report in enumerate(inputs.reports):
        blueprints[at] = EMPTY_BLUEPRINT if report is None else _blueprint(report)
        figures += [0.0] * SLOT_WIDTH if report is None else _slot(report, inputs)
    row[:] = figures
    if not np.isfinite(row).all():
        at = int(np.flatnonzero(~np.isfinite(row))[0])
        slots = tuple(f"slot {index}" for index in range(len(inputs.reports)))
        raise MeasurementError(
            f"{field_names(slots)[at]} of the observation is {figures[at]}; it must be finite"
        )


def _blueprint(report: SeedStateReport) -> int:
    if not 0 <= report.blueprint_index < len(BLUEPRINTS):
        raise MeasurementError(
            f"blueprint {report.blueprint_index} in {report.slot_id} is outside 0 to"
            f" {len(BLUEPRINTS) - 1}"
        )
    return report.blueprint_index


def _base(inputs: ObservationInputs) -> list[float]:
    signals, count = inputs.signals, len(inputs.reports)
    stages = [report.stage for report in inputs.reports if report is not None]
    kept = stages.count(Stage.HOLDING) + stages.count(Stage.FOSSILIZED)
    known = inputs.last_op is not None
    return [
        inputs.epoch / inputs.max_epochs,
        symlog(signals.val_loss) / _LOG_SCALE,
        signals.val_accuracy / 100.0,
        *_padded([symlog(loss) / _LOG_SCALE for loss in signals.losses[-_HISTORY:]]),
        *_padded([accuracy / 100.0 for accuracy in signals.accuracies[-_HISTORY:]]),
        stages.count(Stage.TRAINING) / count,
        stages.count(Stage.BLENDING) / count,
        kept / count,
        float(inputs.last_success) if known else UNKNOWN,
        *(float(op is inputs.last_op) for op in Op),
    ]


def _padded(values: list[float]) -> list[float]:
    return [UNKNOWN] * (_HISTORY - len(values)) + values


def _slot(report: SeedStateReport, inputs: ObservationInputs) -> list[float]:
    figures, alpha, epochs = report.metrics, report.alpha, inputs.max_epochs
    measured = figures.counterfactual_contribution
    return [
        1.0,
        *(float(stage is report.stage) for stage in STAGES),
        alpha.alpha,
        0.0 if measured is None else _clipped(measured / _POINTS),
        _clipped(figures.contribution_velocity / _POINTS),
        report.blend_tempo_epochs / _TEMPO_SCALE,
        alpha.target,
        alpha.mode / 2.0,
        alpha.steps_total / epochs,
        alpha.steps_done / epochs,
        alpha.steps_left / epochs,
        _clipped(report.alpha_velocity),
        (report.blend - 1) / 2.0,
        _clipped(figures.interaction_sum / _POINTS),
        *_gradients(figures.gradients),
        _or_unknown(figures.previous_gradient_health),
        figures.epochs_in_current_stage / epochs,
        _freshness(figures.contribution_epoch, inputs),
        report.age_epochs / epochs,
    ]


def _gradients(measured: GradientHealth | None) -> list[float]:
    if measured is None:
        return [UNKNOWN] * 4
    norm = symlog(measured.norm) / _LOG_SCALE
    return [norm, measured.health, float(measured.vanishing), float(measured.exploding)]


def _freshness(measured: int | None, inputs: ObservationInputs) -> float:
    return UNKNOWN if measured is None else inputs.gamma ** (inputs.epoch - measured)


def _or_unknown(value: float | None) -> float:
    return UNKNOWN if value is None else value


def _clipped(value: float) -> float:
    """Within -1 and 1; what is not finite stays so, or clipping would hide it."""
    return max(-1.0, min(1.0, value)) if math.isfinite(value) else value
