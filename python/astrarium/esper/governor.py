"""The governor of one host: what it forbids, and when it pulls the emergency brake."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

from astrarium.esper.contracts.actions import (
    ActionSpec,
    HealthSnapshot,
    LifecycleMutationVerdict,
)
from astrarium.esper.contracts.heads import Op
from astrarium.esper.contracts.seeds import PruneReason
from astrarium.esper.contracts.stages import LIVE, Stage
from astrarium.esper.masks import Budget, GrowthRules, Reports, action_problem
from astrarium.esper.signals import TrainingSignals

DIVERGENCE_LOSS: Final = 12.0


def judge(
    spec: ActionSpec,
    rules: GrowthRules,
    reports: Reports,
    budget: Budget | None,
    signals: TrainingSignals,
    illegal: bool,
) -> LifecycleMutationVerdict:
    """Whether an action may be carried out on a host that stands like this.

    `illegal` says that what was asked for cannot be written down as an action.
    """
    occupied = sum(one is not None and one.stage in LIVE | {Stage.FOSSILIZED} for one in reports)
    health = HealthSnapshot(signals.val_loss, signals.val_accuracy, occupied)
    problem = action_problem(spec, rules, reports, budget)
    if illegal:
        problem = "there is no such choice now"
    if problem or spec.op is Op.WAIT:
        return LifecycleMutationVerdict(not problem, problem, "mask" if problem else "", health)
    taken = reports[rules.slots.index(spec.slot_id)] is not None
    return preflight(spec, health, taken, 0, rules.seed_limit)


def preflight(
    spec: ActionSpec,
    health: HealthSnapshot,
    occupied: bool,
    cooldown_epochs: int,
    seed_limit: int,
) -> LifecycleMutationVerdict:
    """Whether a mutation may happen.

    An action without a target or with half a schedule cannot be written down, so it needs no rule.
    """
    for factor, reason in _objections(spec, health, occupied, cooldown_epochs, seed_limit):
        return LifecycleMutationVerdict(False, reason, factor, health)
    return LifecycleMutationVerdict(True, "", "", health)


def _objections(
    spec: ActionSpec, health: HealthSnapshot, occupied: bool, cooldown_epochs: int, limit: int
) -> list[tuple[str, str]]:
    """Everything that speaks against a mutation, the gravest first."""
    if spec.op is Op.WAIT:
        return []
    sows = spec.op is Op.GERMINATE
    after = health.active_seeds + sows
    too_many = after > limit and spec.op is not Op.PRUNE
    checks = (
        (not math.isfinite(health.loss), "loss", f"the loss is {health.loss}"),
        (not math.isfinite(health.accuracy), "accuracy", f"the accuracy is {health.accuracy}"),
        (cooldown_epochs < 0, "cooldown", f"a cooldown of {cooldown_epochs} epochs is none"),
        (too_many, "active_seeds", f"{after} seeds would be active, and {limit} may be"),
        (not spec.slot_id, "slot", f"{spec.op.name} names no slot"),
        (sows and not spec.blueprint, "blueprint", "GERMINATE names no blueprint"),
        (sows and occupied, "occupied", f"the slot {spec.slot_id} is occupied"),
    )
    return [(factor, reason) for wrong, factor, reason in checks if wrong]


@dataclass(frozen=True, slots=True)
class VitalLimits:
    """When a host counts as lost."""

    random_guess_loss: float
    """Of a host that knows nothing: the logarithm of the number of classes."""
    divergence_loss: float = DIVERGENCE_LOSS
    divergence_sigmas: float = 6.0
    divergence_ratio: float = 3.0
    divergence_panics: int = 3
    lobotomy_mean: float = 0.6
    """Part of the random guess below which a host had learnt something."""
    lobotomy_band: float = 0.065
    """How near to the random guess it must fall to have lost it all."""
    window: int = 20
    samples_min: int = 10


@dataclass(frozen=True, slots=True)
class VitalSigns:
    """The losses of a healthy host, and how often in a row it has looked ill."""

    losses: tuple[float, ...] = ()
    panics: int = 0


@dataclass(frozen=True, slots=True)
class Panic:
    """A host that must be rolled back, and what said so."""

    reason: PruneReason
    loss: float
    threshold: float
    """The figure that was crossed; the random guess where knowledge was lost."""
    panics: int


def examine(
    before: VitalSigns, loss: float, limits: VitalLimits
) -> tuple[VitalSigns, Panic | None]:
    """One more loss. What looks ill is not taken into the picture of health."""
    if not math.isfinite(loss):
        return replace(before, panics=0), Panic("governor_nan", loss, math.inf, 1)
    if len(before.losses) >= limits.samples_min:
        if _knows_nothing_any_more(before.losses, loss, limits):
            panic = Panic("governor_lobotomy", loss, limits.random_guess_loss, 1)
            return replace(before, panics=0), panic
        threshold = _divergence_threshold(before.losses, limits)
        if loss > threshold:
            panics = before.panics + 1
            if panics < limits.divergence_panics:
                return replace(before, panics=panics), None
            panic = Panic("governor_divergence", loss, threshold, panics)
            return replace(before, panics=0), panic
    return VitalSigns((*before.losses, loss)[-limits.window :]), None


def _knows_nothing_any_more(losses: tuple[float, ...], loss: float, limits: VitalLimits) -> bool:
    guess = limits.random_guess_loss
    knew = sum(losses) / len(losses) < limits.lobotomy_mean * guess
    return knew and abs(loss - guess) <= limits.lobotomy_band * guess


def _divergence_threshold(losses: tuple[float, ...], limits: VitalLimits) -> float:
    mean = sum(losses) / len(losses)
    sigma = math.sqrt(sum((loss - mean) ** 2 for loss in losses) / len(losses))
    spread = mean + limits.divergence_sigmas * sigma
    return max(limits.divergence_loss, spread, limits.divergence_ratio * mean)
