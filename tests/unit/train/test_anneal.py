"""The rules of an anneal, case by case."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astrarium.train.anneal import (
    Baseline,
    Measured,
    freezes,
    judge,
    promotion_faults,
    rollback,
    teacher_share,
)

BASELINE = Baseline(
    loss=1.0,
    queue_events=20.0,
    queue_events_max=22.0,
    queue_intensity=10.0,
    queue_intensity_max=11.0,
    entropy=1.5,
)
GOOD = Measured(
    loss=1.0,
    bc_accuracy=0.95,
    queue_events=20.0,
    queue_intensity=10.0,
    late_help=0.6,
    kl_divergence=0.01,
    grad_norm=1.0,
    entropy=1.5,
)


@pytest.mark.parametrize(
    ("cycle", "frozen", "share"),
    [(0, 0, 0.8), (1, 0, 0.72), (5, 0, 0.4), (10, 0, 0.0), (99, 0, 0.0), (5, 2, 0.56), (1, 3, 0.8)],
)
def test_the_teachers_share_falls_in_a_line(cycle: int, frozen: int, share: float) -> None:
    assert teacher_share(cycle, 0.8, 10, frozen) == pytest.approx(share)


@pytest.mark.parametrize(
    ("change", "outcome", "flags"),
    [
        ({}, "PASS", (False, False, False)),
        ({"bc_accuracy": 0.90}, "PASS", (False, False, False)),
        ({"bc_accuracy": 0.8999}, "FAIL", (False, False, False)),
        ({"bc_accuracy": None}, "PASS", (False, False, False)),
        ({"loss": 1.09}, "PASS", (False, False, False)),
        ({"loss": 1.11}, "HOLD", (True, False, False)),
        ({"loss": 0.89}, "HOLD", (True, False, False)),
        ({"queue_events": 17.1}, "PASS", (False, False, False)),
        ({"queue_events": 16.9}, "HOLD", (False, True, False)),
        ({"queue_events": 90.0}, "PASS", (False, False, False)),
        ({"queue_intensity": 8.4}, "HOLD", (False, False, True)),
        ({"queue_events": None, "queue_intensity": None}, "PASS", (False, False, False)),
        ({"bc_accuracy": 0.5, "loss": 2.0}, "FAIL", (True, False, False)),
    ],
)
def test_a_cycle_passes_is_held_or_fails(change, outcome: str, flags) -> None:
    verdict = judge(replace(GOOD, **change), BASELINE, 0.9)
    assert verdict.outcome == outcome
    assert (verdict.loss_flag, verdict.queue_flag, verdict.intensity_flag) == flags
    assert verdict.rolled_back == (outcome == "FAIL")


@settings(deadline=None)
@given(loss=st.floats(-1e6, 1e6), queue=st.floats(0, 1e6))
def test_without_a_baseline_nothing_is_held(loss: float, queue: float) -> None:
    measured = Measured(loss, 0.95, queue, queue)
    assert judge(measured, Baseline(), 0.9).outcome == "PASS"


@pytest.mark.parametrize(
    ("kpi", "baseline", "least", "frozen"),
    [
        (7.1, 10.0, 0.0, False),
        (6.9, 10.0, 0.0, True),
        (-12.0, -10.0, 0.0, False),
        (-14.0, -10.0, 0.0, True),
        (1.0, 0.0, 0.0, False),
        (0.0, 0.0, 0.0, False),
        (-0.01, 0.0, 0.0, True),
        (-0.2, 0.0, 1.0, False),
        (-0.4, 0.0, 1.0, True),
        (-0.3, -0.1, 1.0, False),
        (-14.0, -10.0, 1.0, True),
    ],
)
def test_figures_that_fall_far_freeze_the_mix(
    kpi: float, baseline: float, least: float, frozen: bool
) -> None:
    assert freezes(kpi, baseline, least) is frozen


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"bc_accuracy": 0.84}, "BC accuracy below 0.85 once"),
        ({"bc_accuracy": None}, "BC accuracy below 0.85 once"),
        ({"loss": 1.2}, "loss off the baseline by more than 10 %"),
        ({"queue_events": 16.0}, "queue events off by more than 15 %"),
        ({"queue_events": 22.5}, "queue events off by more than 15 %"),
        ({"queue_intensity": 11.2}, "queue intensity off by more than 15 %"),
        ({"late_help": 0.4}, "late help below 0.5"),
        ({"kl_divergence": 0.06}, "KL divergence above 0.05"),
        ({"grad_norm": 2.6}, "gradient above 2.5"),
        ({"entropy": 1.65}, "entropy off by more than 0.1"),
    ],
)
def test_what_speaks_against_a_promotion(change, fault: str) -> None:
    assert promotion_faults([GOOD] * 3, BASELINE) == []
    assert fault in promotion_faults([GOOD, replace(GOOD, **change), GOOD], BASELINE)
    # Only the last three count.
    assert promotion_faults([replace(GOOD, **change), GOOD, GOOD, GOOD], BASELINE) == []


def test_a_promotion_needs_three_rehearsals_and_their_mean() -> None:
    assert promotion_faults([GOOD, GOOD], BASELINE) == ["2 rehearsals of 3"]
    weak = replace(GOOD, bc_accuracy=0.88)
    assert promotion_faults([weak] * 3, BASELINE) == ["BC accuracy below 0.90 in the mean"]
    losses = [replace(GOOD, loss=loss) for loss in (9.1, 10.0, 10.9)]
    wide = replace(BASELINE, loss=10.0)
    assert promotion_faults(losses, wide) == ["variance of the loss above 0.05"]


@pytest.mark.parametrize(
    ("before", "now", "reasons", "halts"),
    [
        ({}, {}, (), False),
        ({}, {"bc_accuracy": 0.84}, ("BC accuracy below 0.85",), False),
        ({}, {"loss": 1.2}, (), False),
        ({"loss": 1.2}, {"loss": 1.2}, ("loss more than 15 % high twice",), False),
        ({"loss": 0.5}, {"loss": 0.5}, (), False),
        ({}, {"kl_divergence": 0.06}, (), False),
        ({}, {"kl_divergence": 0.06, "grad_norm": 2.6},
         ("KL divergence and gradient both over",), False),
        ({"queue_events": 25.0}, {"queue_events": 15.0},
         ("queue events outside 20 % twice",), False),
        ({}, {"entropy": 1.75}, ("entropy shifted by more than 0.2",), True),
        ({}, {"grad_norm": 3.1}, ("gradient above 3.0",), True),
    ],
)  # fmt: skip
def test_what_takes_a_policy_back(before, now, reasons, halts: bool) -> None:
    found = rollback([replace(GOOD, **before), replace(GOOD, **now)], BASELINE, 0.9)
    assert (found.reasons, found.halts) == (reasons, halts)


def test_once_is_not_twice() -> None:
    assert rollback([replace(GOOD, loss=9.0)], BASELINE, 0.9).reasons == ()


def test_a_clone_that_need_not_be_better_is_not_taken_back_for_it() -> None:
    """It passed with 60 %, and would otherwise be taken back in every cycle."""
    poor = [replace(GOOD, bc_accuracy=0.6)]
    assert rollback(poor, BASELINE, 0.55).reasons == ()
    assert rollback(poor, BASELINE, 0.65).reasons == ("BC accuracy below 0.65",)
