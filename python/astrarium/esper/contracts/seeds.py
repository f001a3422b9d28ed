"""A seed as others see it: its place, its amplitude, its figures."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Literal

from astrarium.esper.contracts.actions import Blend
from astrarium.esper.contracts.stages import Stage

Topology = Literal["cnn", "transformer"]
PruneReason = Literal[
    "policy", "governor_nan", "governor_lobotomy", "governor_divergence", "governor_rollback"
]
"""Who let a seed go; all but the first are automatic."""


class Surface(IntEnum):
    """Where in a block a slot sits."""

    BLOCK_END = 0
    PRE_POOL = 1
    POST_POOL = 2
    POST_ATTN = 3
    POST_MLP = 4


@dataclass(frozen=True, slots=True)
class InjectionSpec:
    """A place in a host where a seed can be grafted. It knows no spatial size, nor may seeds."""

    slot_id: str
    """`r{row}c{col}`."""
    channels: int
    position: float
    """From 0 to 1 along the host; for drawings."""
    layer_range: tuple[int, int]
    surface: Surface
    order: int
    """Place in the forward order."""
    row: int
    col: int


class AlphaMode(IntEnum):
    """Whether an amplitude is on its way."""

    HOLD = 0
    UP = 1
    DOWN = 2


class RampCurve(IntEnum):
    """The shape of a ramp."""

    LINEAR = 1
    COSINE = 2
    SIGMOID = 3


@dataclass(frozen=True, slots=True)
class AlphaState:
    """The amplitude of a seed and where it is going."""

    alpha: float = 0.0
    start: float = 0.0
    target: float = 0.0
    mode: AlphaMode = AlphaMode.HOLD
    curve: RampCurve = RampCurve.LINEAR
    steepness: float = 12.0
    """Of the sigmoid; at least 0.1."""
    steps_total: int = 0
    steps_done: int = 0

    @property
    def steps_left(self) -> int:
        """Epochs until the target is reached."""
        return self.steps_total - self.steps_done if self.mode is not AlphaMode.HOLD else 0


@dataclass(frozen=True, slots=True)
class GradientHealth:
    """How the gradients of a seed look; kept only where they were measured."""

    norm: float
    health: float
    """From 0 to 1."""
    vanishing: bool
    exploding: bool


@dataclass(frozen=True, slots=True)
class SeedMetrics:
    """Everything measured about one seed. None means: never measured."""

    epochs_total: int
    epochs_in_current_stage: int
    initial_val_accuracy: float
    current_val_accuracy: float
    best_val_accuracy: float
    accuracy_at_stage_start: float
    accuracy_at_blending_start: float | None
    gradient_norm_avg: float | None
    seed_gradient_norm_ratio: float | None
    host_param_count: int
    seed_param_count: int
    counterfactual_contribution: float | None
    contribution_epoch: int | None
    """The epoch it was measured in."""
    contribution_velocity: float
    interaction_sum: float
    boost_received: float
    upstream_alpha_sum: float
    downstream_alpha_sum: float
    gradients: GradientHealth | None
    previous_gradient_health: float | None
    isolation_violations: int


@dataclass(frozen=True, slots=True)
class SeedMeasurement:
    """What one epoch told about one seed. None means: not measured in this epoch."""

    slot_id: str
    contribution: float | None = None
    """Accuracy with everything on less accuracy without this seed."""
    interaction_sum: float = 0.0
    boost_received: float = 0.0
    gradients: GradientHealth | None = None
    gradient_ratio: float | None = None


@dataclass(frozen=True, slots=True)
class EpochMeasurement:
    """What one epoch told about a network."""

    epoch: int
    val_accuracy: float
    seeds: tuple[SeedMeasurement, ...] = ()
    nominal: bool = True
    """Whether whoever watches the training has nothing to complain about."""


@dataclass(frozen=True, slots=True)
class SeedStateReport:
    """One slot that is not empty: with a seed in it, or cooling after one."""

    seed_id: str
    slot_id: str
    blueprint_id: str
    blueprint_index: int
    stage: Stage
    previous_stage: Stage
    previous_epochs_in_stage: int
    alpha: AlphaState
    alpha_velocity: float
    """Change of the amplitude in the last epoch."""
    blend: Blend
    blend_tempo_epochs: int
    germinated_epoch: int
    age_epochs: int
    metrics: SeedMetrics
    is_healthy: bool
    prune_reason: PruneReason | None
    """Why it was pruned or is being pruned; None for a seed that stays."""


@dataclass(frozen=True, slots=True)
class GateResult:
    """What a gate said."""

    gate: str
    passed: bool
    score: float
    """From 0 to 1."""
    checks_passed: tuple[str, ...]
    checks_failed: tuple[str, ...]
    message: str
