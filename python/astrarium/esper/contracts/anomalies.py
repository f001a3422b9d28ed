"""What in a host should be looked at."""

from __future__ import annotations

from typing import ClassVar

from astrarium.esper.contracts.happening import Anomaly, Happening, HostHappening, Severity


class GovernorRollback(HostHappening, frozen=True, kw_only=True, tag="GOVERNOR_ROLLBACK"):
    """A host was put back to its last good epoch, and its episode ended."""

    label: ClassVar[str] = "Rolled back"
    rank: ClassVar[Severity] = "critical"
    view: ClassVar[str] = "anomalies"

    reason: str
    loss: float | None
    threshold: float | None
    panics: int
    pruned_slots: tuple[str, ...]


class NumericalInstabilityDetected(
    Anomaly, frozen=True, kw_only=True, tag="NUMERICAL_INSTABILITY_DETECTED"
):
    """The loss of a host is not a finite number."""

    label: ClassVar[str] = "Not finite"
    rank: ClassVar[Severity] = "error"


class GradientPathologyDetected(
    Anomaly, frozen=True, kw_only=True, tag="GRADIENT_PATHOLOGY_DETECTED"
):
    """The gradients of a seed explode."""

    label: ClassVar[str] = "Exploding gradients"

    slot_id: str
    seed_id: str
    norm: float | None
    health: float


class GradientVanished(Anomaly, frozen=True, kw_only=True, tag="GRADIENT_ANOMALY"):
    """The gradients of a seed have become zero: it learns nothing and cannot move on."""

    label: ClassVar[str] = "Vanishing gradients"

    slot_id: str
    seed_id: str
    norm: float
    health: float
    blocked_by: str
    """The slot behind it whose seed passes no gradient back; empty where there is none."""


class RewardHackingSuspected(Anomaly, frozen=True, kw_only=True, tag="REWARD_HACKING_SUSPECTED"):
    """A seed looks useful without being so."""

    label: ClassVar[str] = "Looks better than it is"

    slot_id: str
    seed_id: str
    pattern: str
    contribution: float
    counterfactual_total: float
    severity: Severity


ANOMALIES: tuple[type[Happening], ...] = (
    GovernorRollback,
    NumericalInstabilityDetected,
    GradientPathologyDetected,
    GradientVanished,
    RewardHackingSuspected,
)
