"""What the governor forbids, and when it rolls a host back."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astrarium.esper.contracts.actions import WAIT, ActionSpec, HealthSnapshot
from astrarium.esper.contracts.heads import Op
from astrarium.esper.governor import Panic, VitalLimits, VitalSigns, examine, preflight

HEALTH = HealthSnapshot(1.0, 50.0, 1)
SOW = ActionSpec(Op.GERMINATE, "r0c0", "norm")
LIMITS = VitalLimits(random_guess_loss=math.log(10))


@pytest.mark.parametrize(
    ("spec", "health", "occupied", "cooldown", "limit", "factor"),
    [
        (SOW, HEALTH, False, 0, 2, ""),
        (SOW, HEALTH, True, 0, 2, "occupied"),
        (SOW, HEALTH, False, 0, 1, "active_seeds"),
        (SOW, HEALTH, False, -1, 2, "cooldown"),
        (ActionSpec(Op.GERMINATE, "r0c0"), HEALTH, False, 0, 2, "blueprint"),
        (ActionSpec(Op.ADVANCE, ""), HEALTH, True, 0, 2, "slot"),
        (ActionSpec(Op.ADVANCE, "r0c0"), HEALTH, True, 0, 1, ""),
        (ActionSpec(Op.ADVANCE, "r0c0"), HealthSnapshot(1, 50, 3), True, 0, 2, "active_seeds"),
        (ActionSpec(Op.PRUNE, "r0c0"), HealthSnapshot(1, 50, 3), True, 0, 1, ""),
        (ActionSpec(Op.PRUNE, "r0c0"), HealthSnapshot(math.nan, 50, 1), True, 0, 2, "loss"),
        (ActionSpec(Op.PRUNE, "r0c0"), HealthSnapshot(1, math.inf, 1), True, 0, 2, "accuracy"),
        (WAIT, HealthSnapshot(math.nan, math.nan, 9), True, -1, 0, ""),
    ],
)
def test_preflight(
    spec: ActionSpec,
    health: HealthSnapshot,
    occupied: bool,
    cooldown: int,
    limit: int,
    factor: str,
) -> None:
    verdict = preflight(spec, health, occupied, cooldown, limit)
    assert (verdict.approved, verdict.blocked_factor) == (factor == "", factor)
    assert bool(verdict.reason) == (not verdict.approved)
    assert verdict.health_snapshot is health


def watch(losses: list[float], limits: VitalLimits = LIMITS) -> tuple[VitalSigns, list[Panic]]:
    signs, panics = VitalSigns(), list[Panic]()
    for loss in losses:
        signs, panic = examine(signs, loss, limits)
        if panic is not None:
            panics.append(panic)
    return signs, panics


@pytest.mark.parametrize("loss", [math.nan, math.inf, -math.inf])
def test_what_is_no_number_panics_at_once(loss: float) -> None:
    signs, panics = watch([1.0, loss])
    assert [panic.reason for panic in panics] == ["governor_nan"]
    assert signs.losses == (1.0,)


def test_a_host_that_has_forgotten_everything_panics_at_once() -> None:
    _, panics = watch([1.0] * 10 + [math.log(10) * 1.05])
    assert [panic.reason for panic in panics] == ["governor_lobotomy"]
    assert panics[0].threshold == math.log(10)


def test_no_lobotomy_without_knowledge_history_or_a_random_guess() -> None:
    assert watch([1.5] * 10 + [math.log(10)])[1] == []  # had not learnt enough
    assert watch([1.0] * 9 + [math.log(10)])[1] == []  # too few samples
    assert watch([1.0] * 10 + [math.log(10) * 1.07])[1] == []  # bad, but not clueless
    assert watch([1.0] * 10 + [math.log(10) * 0.93])[1] == []


def test_divergence_must_last_for_three_epochs() -> None:
    signs, panics = watch([1.0] * 10 + [13.0, 14.0])
    assert (signs.panics, panics) == (2, [])
    signs, panics = watch([1.0] * 10 + [13.0, 14.0, 15.0])
    assert [(one.reason, one.loss, one.panics) for one in panics] == [
        ("governor_divergence", 15.0, 3)
    ]
    assert signs == VitalSigns((1.0,) * 10, 0)
    assert watch([1.0] * 10 + [13.0, 14.0, 1.0, 13.0, 14.0])[1] == []


def test_divergence_is_a_matter_of_level_spread_and_ratio() -> None:
    assert watch([1.0] * 10 + [11.9] * 3)[1] == []
    assert watch([5.0] * 10 + [14.0] * 3)[1] == []  # not three times the mean
    uneven = [1.0, 9.0] * 5  # mean 5, deviation 4: six of them reach to 29
    assert watch(uneven + [20.0] * 3)[1] == []
    language = VitalLimits(random_guess_loss=10.8, divergence_loss=15.0)
    assert watch([1.0] * 10 + [14.0] * 3, language)[1] == []
    assert watch([1.0] * 9 + [50.0] * 3)[1] == []  # too few samples


@given(st.lists(st.floats(0.1, 2.0), min_size=1, max_size=60))
def test_the_window_holds_the_last_twenty(losses: list[float]) -> None:
    signs, panics = watch(losses, VitalLimits(random_guess_loss=100.0))
    assert signs.losses == tuple(losses[-20:])
    assert panics == []
