"""The state of one slot, what may happen to it, and what that asks of tensors."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from astrarium.esper.contracts.actions import ActionSpec, Blend
from astrarium.esper.contracts.lifecycle import LifecycleEvent, StageChanged
from astrarium.esper.contracts.seeds import (
    AlphaState,
    PruneReason,
    RampCurve,
    SeedMetrics,
    Topology,
)
from astrarium.esper.contracts.stages import Stage
from astrarium.esper.gates import GateMode, GateName

MIN_PRUNE_AGE: Final = 5
EMBARGO_EPOCHS: Final = 5
HISTORY_MAX: Final = 100
STABILITY_EPOCHS: Final = 3


@dataclass(frozen=True, slots=True)
class SeedState:
    """One slot: empty, with a seed, or cooling after one."""

    slot_id: str
    stage: Stage = Stage.DORMANT
    previous_stage: Stage = Stage.UNKNOWN
    previous_epochs_in_stage: int = 0
    seed_id: str = ""
    blueprint: str = ""
    germinated_epoch: int = 0
    blend: Blend = Blend.ADD
    alpha_vec: tuple[float, ...] = ()
    alpha_bounds: tuple[float, float] = (0.0, 1.0)
    tempo_epochs: int = 0
    first_target: float = 1.0
    first_curve: RampCurve = RampCurve.LINEAR
    alpha: AlphaState = field(default_factory=AlphaState)
    alpha_at_tick: float = 0.0
    """The amplitude when the last epoch ended."""
    alpha_velocity: float = 0.0
    prune_reason: PruneReason | None = None
    """Set while the seed is on its way out, and while its slot cools."""
    attach_ms: float | None = None
    metrics: SeedMetrics | None = None
    """None in an empty slot."""
    recent_accuracies: tuple[float, ...] = ()
    """The last three; their spread is the stability."""
    history: tuple[StageChanged, ...] = ()
    """The latest hundred changes of this slot."""

    @property
    def figures(self) -> SeedMetrics:
        """The metrics, in a slot that is not empty."""
        assert self.metrics is not None, f"{self.slot_id} is empty"
        return self.metrics


@dataclass(frozen=True, slots=True)
class LifecycleRules:
    """How seeds may live in one run."""

    gates: GateMode = "permissive"
    auto_forward: frozenset[GateName] = frozenset()
    """Of G1, G2 and G3: those that open by themselves."""
    seeds_max: int = 10
    """Slots that may be other than empty at once."""
    attach_budget_ms: float = 1000.0
    """Wide, since it must not be a busy machine that decides."""
    min_prune_age: int = MIN_PRUNE_AGE
    """Epochs a seed is left alone after it germinated."""
    grafting: bool = True
    """Off: nothing germinates."""


@dataclass(frozen=True, slots=True)
class ModuleFacts:
    """What a slot holds in fact."""

    attached: bool = False
    parameters_finite: bool = False
    interface_ok: bool = False
    layers_present: bool = False
    parameter_count: int = 0
    optimiser_present: bool = False
    prefetch_pending: bool = False
    attach_ms: float | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """What surrounds a slot at the moment something happens to it."""

    epoch: int
    accuracy: float | None
    """None before anything was measured."""
    nominal: bool
    rules: LifecycleRules
    topology: Topology
    channels: int
    host_params: int
    enabled: bool
    other_stages: tuple[Stage, ...]
    """Of the other enabled slots."""
    module: ModuleFacts
    """Of the seed in the slot, or of the candidate that is to germinate."""
    next_seed_id: str = ""


@dataclass(frozen=True, slots=True)
class Command:
    """Someone asks for something."""

    action: ActionSpec
    initiator: str
    prune_reason: PruneReason = "policy"


@dataclass(frozen=True, slots=True)
class Tick:
    """An epoch ends."""


@dataclass(frozen=True, slots=True)
class Attach:
    """Put the candidate into the slot."""


@dataclass(frozen=True, slots=True)
class MakeOptimiser:
    """A fresh optimiser over exactly the parameters in the slot."""


@dataclass(frozen=True, slots=True)
class FreezeSeed:
    """Stop, or resume, learning of seed and gate."""

    frozen: bool


@dataclass(frozen=True, slots=True)
class SetGate:
    """The slot needs a gate of its own, or needs one no longer."""

    present: bool


@dataclass(frozen=True, slots=True)
class Detach:
    """Let go of seed, gate and optimiser."""


@dataclass(frozen=True, slots=True)
class Emit:
    """Tell whoever listens."""

    event: LifecycleEvent


Effect = Attach | MakeOptimiser | FreezeSeed | SetGate | Detach | Emit


@dataclass(frozen=True, slots=True)
class Step:
    """What became of a slot. A refusal leaves the state as it was."""

    state: SeedState
    effects: tuple[Effect, ...] = ()
    refusal: str = ""
