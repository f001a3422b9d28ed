"""What the course of a training says: whether it stands still or has calmed down."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from astrarium.esper.contracts.errors import MeasurementError

HISTORY: Final = 10


@dataclass(frozen=True, slots=True)
class SignalSettings:
    """When a course counts as what."""

    plateau_gain: float = 0.5
    """Points over the best that end a plateau."""
    stable_epochs: int = 3
    """Calm epochs after which a host has stabilised; 0 for one that counts as stable at once."""
    stable_improvement: float = 0.03
    stable_regression: float = 0.05


@dataclass(frozen=True, slots=True)
class TrainingSignals:
    """The course so far."""

    epoch: int = 0
    losses: tuple[float, ...] = ()
    """Of the last epochs, the newest last."""
    accuracies: tuple[float, ...] = ()
    best_accuracy: float | None = None
    plateau_epochs: int = 0
    """Epochs in a row without a gain worth the name."""
    calm_epochs: int = 0
    stabilised: bool = False
    """Once true, true for the rest of the episode."""

    @property
    def val_loss(self) -> float:
        """Of the newest epoch."""
        return self.losses[-1]

    @property
    def val_accuracy(self) -> float:
        """Of the newest epoch."""
        return self.accuracies[-1]

    @property
    def stable_accuracy(self) -> float:
        """The least of the last three."""
        return min(self.accuracies[-3:])


def beginning(settings: SignalSettings) -> TrainingSignals:
    """Before the first epoch."""
    return TrainingSignals(stabilised=settings.stable_epochs == 0)


def update(
    before: TrainingSignals, val_loss: float, val_accuracy: float, settings: SignalSettings
) -> TrainingSignals:
    """One more epoch."""
    if not (math.isfinite(val_loss) and math.isfinite(val_accuracy)):
        raise MeasurementError(f"loss {val_loss} and accuracy {val_accuracy} must both be finite")
    best = before.best_accuracy
    gained = best is None or val_accuracy - best >= settings.plateau_gain
    plateau = 0 if gained else before.plateau_epochs + 1
    calm = before.calm_epochs + 1 if _calm(before, val_loss, settings) else 0
    return TrainingSignals(
        epoch=before.epoch + 1,
        losses=(*before.losses, val_loss)[-HISTORY:],
        accuracies=(*before.accuracies, val_accuracy)[-HISTORY:],
        best_accuracy=val_accuracy if best is None else max(best, val_accuracy),
        plateau_epochs=plateau,
        calm_epochs=calm,
        stabilised=before.stabilised or calm >= settings.stable_epochs,
    )


def _calm(before: TrainingSignals, val_loss: float, settings: SignalSettings) -> bool:
    """Whether the loss hardly fell and did not rise much."""
    if not before.losses or before.losses[-1] <= 0.0:
        return False
    improvement = (before.losses[-1] - val_loss) / before.losses[-1]
    return -settings.stable_regression < improvement < settings.stable_improvement
