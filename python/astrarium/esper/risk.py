"""What speaks against carrying an action out: small rules, asked in order.

A figure that was not measured is None, and nothing follows from it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, Literal

from astrarium.esper.deadlines import Deadlines, Task

POLICY_PAUSE: Final = 0.98
POLICY_DEGRADE: Final = 0.85
BLUEPRINT_PAUSE: Final = 0.8
BLUEPRINT_WARN: Final = 0.5
LOSS_SPIKE: Final = 0.15
"""In nats, from one epoch to the next."""

Severity = Literal["info", "warning", "critical"]


class Response(IntEnum):
    """What follows from a finding, the gravest last."""

    NOTE = 0
    WARN = 1
    DEGRADE = 2
    """The action is not carried out."""
    PAUSE = 3
    """Nor is any other, until things have calmed down."""


@dataclass(frozen=True, slots=True)
class ActionRisk:
    """What is known of an action before it is carried out."""

    policy: float | None = None
    """How sure its author is that it will go wrong, from 0 to 1."""
    blueprint: float | None = None
    quarantined: bool = False


@dataclass(frozen=True, slots=True)
class RiskInputs:
    """All the rules may look at."""

    action: ActionRisk
    loss_rise: float | None
    took_ms: dict[Task, float]
    """Of the last epoch, as far as it was timed."""
    violations: int
    """Of seeds that touched their host in this epoch."""
    recovering: bool
    """Whether there was trouble, and it is not over."""
    deadlines: Deadlines


@dataclass(frozen=True, slots=True)
class Finding:
    """What one rule has against an action."""

    event: str
    response: Response
    severity: Severity
    value: float


def _policy(given: RiskInputs) -> Finding | None:
    risk = given.action.policy
    if risk is None or risk < POLICY_DEGRADE:
        return None
    response = Response.PAUSE if risk >= POLICY_PAUSE else Response.DEGRADE
    return Finding("policy_risk", response, "warning", risk)


def _blueprint(given: RiskInputs) -> Finding | None:
    risk = given.action.blueprint or 0.0
    if given.action.quarantined or risk >= BLUEPRINT_PAUSE:
        return Finding("bp_quarantine", Response.PAUSE, "critical", risk)
    if risk >= BLUEPRINT_WARN:
        return Finding("blueprint_risk", Response.WARN, "warning", risk)
    return None


def _loss(given: RiskInputs) -> Finding | None:
    rise = given.loss_rise
    if rise is None or rise <= LOSS_SPIKE:
        return None
    return Finding("loss_spike", Response.DEGRADE, "warning", rise)


def _latency(task: Task, event: str) -> Rule:
    def rule(given: RiskInputs) -> Finding | None:
        took = given.took_ms.get(task)
        if took is None or not given.deadlines.missed(task, took):
            return None
        return Finding(event, Response.WARN, "warning", took)

    return rule


def _isolation(given: RiskInputs) -> Finding | None:
    if not given.violations:
        return None
    return Finding("isolation_violation", Response.PAUSE, "critical", float(given.violations))


def _recovery(given: RiskInputs) -> Finding | None:
    return Finding("recovering", Response.DEGRADE, "info", 1.0) if given.recovering else None


Rule = Callable[[RiskInputs], Finding | None]
RULES: Final[tuple[Rule, ...]] = (
    _policy,
    _blueprint,
    _loss,
    _latency("step", "step_latency_high"),
    _latency("apply", "apply_latency_high"),
    _latency("finalize", "finalize_latency_high"),
    _latency("hook", "epoch_hook_latency_high"),
    _isolation,
    _recovery,
)


def assess(given: RiskInputs) -> tuple[Finding, ...]:
    """Everything found, in the order of the rules."""
    found = (rule(given) for rule in RULES)
    return tuple(finding for finding in found if finding is not None)


def gravest(findings: tuple[Finding, ...]) -> Response:
    """What follows from all of them together."""
    return max((finding.response for finding in findings), default=Response.NOTE)
