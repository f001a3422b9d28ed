"""What seeds go through, told to whoever listens."""

from __future__ import annotations

from dataclasses import dataclass

from astrarium.esper.contracts.seeds import GateResult
from astrarium.esper.contracts.stages import Stage


@dataclass(frozen=True, slots=True)
class StageChanged:
    """A seed entered another stage."""

    slot_id: str
    seed_id: str
    blueprint: str
    before: Stage
    after: Stage
    epoch: int
    epochs_in_stage: int
    """Spent in the stage before."""
    reason: str
    """What asked for it: an operation, `tick`, or the reason of a prune."""


@dataclass(frozen=True, slots=True)
class GateEvaluated:
    """A gate was asked."""

    slot_id: str
    seed_id: str
    epoch: int
    result: GateResult
    critical: bool
    """A command was refused by it."""


@dataclass(frozen=True, slots=True)
class ViolationRecorded:
    """A seed in training was seen to touch its host."""

    slot_id: str
    seed_id: str
    epoch: int
    violations: tuple[str, ...]
    """Which promises were broken."""


@dataclass(frozen=True, slots=True)
class BlendRejected:
    """A blend that needs something nobody gave."""

    slot_id: str
    reason: str


LifecycleEvent = StageChanged | GateEvaluated | ViolationRecorded | BlendRejected
