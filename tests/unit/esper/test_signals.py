"""Plateaus and calm of a training."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astrarium.esper.contracts.errors import MeasurementError
from astrarium.esper.signals import (
    SignalSettings,
    TrainingSignals,
    beginning,
    update,
)

SETTINGS = SignalSettings()


def course(
    losses: list[float], accuracies: list[float], settings: SignalSettings = SETTINGS
) -> TrainingSignals:
    signals = beginning(settings)
    for loss, accuracy in zip(losses, accuracies, strict=True):
        signals = update(signals, loss, accuracy, settings)
    return signals


def test_a_plateau_lasts_until_half_a_point_is_gained_over_the_best() -> None:
    rising = [50.0, 50.4, 50.8, 50.0, 51.4]
    counts = [course([1.0] * n, rising[:n]).plateau_epochs for n in range(1, 6)]
    # 50.4 is no gain worth the name, and 50.8 none over 50.4; 51.4 is one over 50.8.
    assert counts == [0, 1, 2, 3, 0]


def test_a_host_is_stable_after_three_calm_epochs_and_stays_so() -> None:
    assert not course([1.0, 0.98, 0.97], [50.0] * 3).stabilised
    assert course([1.0, 0.98, 0.97, 0.96], [50.0] * 4).stabilised
    assert not course([1.0, 0.9, 0.89, 0.88], [50.0] * 4).stabilised
    assert not course([1.0, 1.06, 1.06, 1.06], [50.0] * 4).stabilised
    assert course([1.0, 1.04, 1.04, 1.04, 9.0], [50.0] * 5).stabilised


def test_no_calm_is_needed_where_it_is_not_asked_for() -> None:
    assert beginning(SignalSettings(stable_epochs=0)).stabilised
    assert not beginning(SETTINGS).stabilised


@given(st.lists(st.tuples(st.floats(0, 20), st.floats(0, 100)), min_size=1, max_size=30))
def test_the_history_holds_the_last_ten(epochs: list[tuple[float, float]]) -> None:
    losses, accuracies = [loss for loss, _ in epochs], [accuracy for _, accuracy in epochs]
    signals = course(losses, accuracies)
    assert signals.losses == tuple(losses[-10:])
    assert signals.accuracies == tuple(accuracies[-10:])
    assert signals.epoch == len(epochs)
    assert signals.best_accuracy == max(accuracies)
    assert signals.stable_accuracy == min(accuracies[-3:])
    assert (signals.val_loss, signals.val_accuracy) == epochs[-1]


@pytest.mark.parametrize(("loss", "accuracy"), [(math.nan, 50.0), (1.0, math.inf)])
def test_what_is_no_number_is_refused(loss: float, accuracy: float) -> None:
    with pytest.raises(MeasurementError, match="must both be finite"):
        update(beginning(SETTINGS), loss, accuracy, SETTINGS)
