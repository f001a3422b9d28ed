"""What is told of seeds: their stages, their gates, and how they ended."""

from __future__ import annotations

from typing import ClassVar

from astrarium.esper.contracts.happening import Happening, HostHappening, SeedHappening, Severity


class SeedGerminated(SeedHappening, frozen=True, kw_only=True, tag="SEED_GERMINATED"):
    """A seed was put into an empty slot."""

    label: ClassVar[str] = "Germinated"

    initiator: str
    params: int
    blend: str
    tempo_epochs: int
    val_accuracy: float


class SeedStageChanged(SeedHappening, frozen=True, kw_only=True, tag="SEED_STAGE_CHANGED"):
    """A seed, or the slot it left, entered another stage."""

    label: ClassVar[str] = "Stage"

    before: str
    after: str
    epochs_in_stage: int
    """Spent in the stage before."""
    alpha: float
    reason: str


class SeedGateEvaluated(SeedHappening, frozen=True, kw_only=True, tag="SEED_GATE_EVALUATED"):
    """A gate was asked. G0, where it opened, is told by the germination itself."""

    label: ClassVar[str] = "Gate"

    gate: str
    passed: bool
    score: float
    checks_passed: tuple[str, ...]
    checks_failed: tuple[str, ...]
    message: str
    severity: Severity
    """Critical where it refused a command."""


class SeedFossilized(SeedHappening, frozen=True, kw_only=True, tag="SEED_FOSSILIZED"):
    """A seed is kept for good."""

    label: ClassVar[str] = "Kept"

    initiator: str
    params: int
    age_epochs: int
    improvement: float
    """Points of accuracy since it germinated."""
    contribution: float | None
    counterfactual_total: float | None


class SeedPruned(SeedHappening, frozen=True, kw_only=True, tag="SEED_PRUNED"):
    """A seed was taken out."""

    label: ClassVar[str] = "Pruned"

    initiator: str
    reason: str
    params: int
    """That were let go."""
    age_epochs: int
    improvement: float
    contribution: float | None


class ViolationRecorded(SeedHappening, frozen=True, kw_only=True, tag="VIOLATION_RECORDED"):
    """A seed in training was seen to touch its host."""

    label: ClassVar[str] = "Isolation broken"
    rank: ClassVar[Severity] = "critical"
    view: ClassVar[str] = "anomalies"

    violations: tuple[str, ...]


class BlendRejected(HostHappening, frozen=True, kw_only=True, tag="BLEND_REJECTED"):
    """A blend that needs something nobody gave."""

    label: ClassVar[str] = "Blend refused"
    rank: ClassVar[Severity] = "warning"
    view: ClassVar[str] = "anomalies"

    slot_id: str
    reason: str


SEED_HAPPENINGS: tuple[type[Happening], ...] = (
    SeedGerminated,
    SeedStageChanged,
    SeedGateEvaluated,
    SeedFossilized,
    SeedPruned,
    ViolationRecorded,
    BlendRejected,
)
