"""Every figure of an observation, by its index."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from seed_reports import METRICS, REPORT, SLOTS, report

from astrarium.esper.contracts.actions import Blend
from astrarium.esper.contracts.errors import MeasurementError
from astrarium.esper.contracts.heads import Op
from astrarium.esper.contracts.seeds import AlphaMode, AlphaState, GradientHealth
from astrarium.esper.contracts.stages import Stage
from astrarium.esper.observation import (
    ObservationInputs,
    field_names,
    observe,
    symlog,
    width,
)
from astrarium.esper.signals import TrainingSignals

SIGNALS = TrainingSignals(
    epoch=30,
    losses=(9.0, 1.5, 1.4, 1.3, 1.2, 1.1),
    accuracies=(10.0, 40.0, 42.0, 44.0, 46.0, 48.0),
    best_accuracy=48.0,
)
SEED = replace(
    REPORT,
    blueprint_index=7,
    stage=Stage.BLENDING,
    alpha=AlphaState(0.3, 0.0, 0.7, AlphaMode.UP, steps_total=8, steps_done=3),
    alpha_velocity=0.1,
    blend=Blend.GATE,
    blend_tempo_epochs=8,
    age_epochs=20,
    metrics=replace(
        METRICS,
        epochs_in_current_stage=3,
        counterfactual_contribution=4.0,
        contribution_epoch=28,
        contribution_velocity=-2.0,
        interaction_sum=25.0,
        gradients=GradientHealth(2.0, 0.8, True, False),
        previous_gradient_health=0.6,
    ),
)
INPUTS = ObservationInputs(
    signals=SIGNALS,
    epoch=30,
    max_epochs=150,
    reports=(None, SEED, report(Stage.FOSSILIZED, "r0c2")),
    last_op=Op.PRUNE,
    last_success=True,
    gamma=0.995,
)


def row_of(inputs: ObservationInputs) -> tuple[np.ndarray[Any, Any], list[int]]:
    row = np.full(width(len(inputs.reports)), np.nan, np.float32)
    blueprints = np.zeros(len(inputs.reports), np.int64)
    observe(inputs, row, blueprints)
    return row, blueprints.tolist()


def near(values: list[float]) -> Any:
    return pytest.approx(values, rel=1e-6)


def test_the_size_is_the_published_one() -> None:
    assert width(3) == 116
    names = field_names(SLOTS)
    assert len(names) == len(set(names)) == 116
    assert len(field_names(SLOTS[:1])) == width(1)


def test_every_figure_of_the_host() -> None:
    row, blueprints = row_of(INPUTS)
    assert blueprints == [-1, 7, 1]
    assert row[0:3].tolist() == near([0.2, math.log(2.1) / 7, 0.48])
    losses = [math.log(1 + loss) / 7 for loss in (1.5, 1.4, 1.3, 1.2, 1.1)]
    assert row[3:8].tolist() == near(losses)
    assert row[8:13].tolist() == near([0.40, 0.42, 0.44, 0.46, 0.48])
    assert row[13:16].tolist() == near([0.0, 1 / 3, 1 / 3])
    assert row[16] == 1.0
    assert row[17:23].tolist() == [0, 0, 0, 1, 0, 0]


def test_every_figure_of_a_slot() -> None:
    row, _ = row_of(INPUTS)
    assert row[23:54].tolist() == [0.0] * 31
    slot = row[54:85].tolist()
    assert slot[0] == 1.0
    assert slot[1:11] == [0, 0, 0, 0, 1, 0, 0, 0, 0, 0]
    assert slot[11:15] == near([0.3, 0.4, -0.2, 8 / 12])
    assert slot[15:22] == near([0.7, 0.5, 8 / 150, 3 / 150, 5 / 150, 0.1, 1.0])
    assert slot[22] == 1.0
    assert slot[23:27] == near([math.log(3) / 7, 0.8, 1.0, 0.0])
    assert slot[27:31] == near([0.6, 3 / 150, 0.995**2, 20 / 150])


def test_names_stand_where_their_figures_do() -> None:
    names = field_names(SLOTS)
    for at, name in {
        0: "epoch",
        3: "loss_4_ago",
        7: "loss_0_ago",
        12: "accuracy_0_ago",
        16: "last_action_succeeded",
        22: "last_op_advance",
        23: "r0c0.occupied",
        58: "r0c1.stage_training",
        65: "r0c1.alpha",
        83: "r0c1.counterfactual_freshness",
        115: "r0c2.age",
    }.items():
        assert names[at] == name


def test_what_is_unknown_is_minus_one() -> None:
    fresh = report(
        Stage.GERMINATED,
        metrics={"gradients": None, "previous_gradient_health": None, "contribution_epoch": None},
    )
    signals = TrainingSignals(1, (2.0,), (20.0,), 20.0)
    inputs = replace(INPUTS, signals=signals, reports=(fresh, None, None), last_op=None)
    row, _ = row_of(inputs)
    assert row[3:7].tolist() == [-1.0] * 4
    assert row[8:12].tolist() == [-1.0] * 4
    assert row[16] == -1.0
    assert row[17:23].tolist() == [0.0] * 6
    slot = row[23:54].tolist()
    assert slot[12] == 0.0
    assert slot[23:28] == [-1.0] * 5
    assert slot[29] == -1.0


def test_a_failed_action_is_seen() -> None:
    row, _ = row_of(replace(INPUTS, last_success=False))
    assert row[16] == 0.0


def test_symlog_takes_any_sign() -> None:
    assert symlog(0.0) == 0.0
    assert symlog(math.e - 1) == pytest.approx(1.0)
    assert symlog(1 - math.e) == pytest.approx(-1.0)


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"contribution_velocity": math.inf}, "slot 1.contribution_velocity"),
        ({"counterfactual_contribution": math.nan}, "slot 1.contribution"),
        ({"interaction_sum": -math.inf}, "slot 1.interaction_sum"),
        ({"gradients": GradientHealth(math.nan, 1.0, False, False)}, "slot 1.gradient_norm"),
    ],
)
def test_what_is_no_number_is_named(change: dict[str, Any], name: str) -> None:
    """Clipping would make a large contribution of infinity."""
    broken = replace(SEED, metrics=replace(SEED.metrics, **change))
    with pytest.raises(MeasurementError, match=f"{name} of the observation is"):
        row_of(replace(INPUTS, reports=(None, broken, None)))
    with pytest.raises(MeasurementError, match="val_loss of the observation is nan"):
        row_of(replace(INPUTS, signals=replace(SIGNALS, losses=(math.nan,))))


def test_a_blueprint_that_does_not_exist_is_refused() -> None:
    broken = replace(SEED, blueprint_index=13)
    with pytest.raises(MeasurementError, match="blueprint 13 in r0c0 is outside 0 to 12"):
        row_of(replace(INPUTS, reports=(None, broken, None)))
