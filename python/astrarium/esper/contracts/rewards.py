"""What a reward is worked out from, and what it consists of."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final, Literal

from astrarium.esper.contracts.heads import Op
from astrarium.esper.contracts.stages import Stage

RewardMode = Literal[
    "shaped", "simplified", "basic", "basic_plus", "sparse", "minimal", "escrow", "gain", "loss"
]
"""All but the last belong to the contribution family."""


@dataclass(frozen=True, slots=True)
class SeedInfo:
    """The seed an action was about, as rewards see it."""

    slot_id: str
    seed_id: str
    stage: Stage
    previous_stage: Stage
    """As it stood at the step before; GERMINATED, with 0 epochs, at a seed's first step."""
    epochs_in_stage: int
    previous_epochs_in_stage: int
    """At the step before, in `previous_stage`."""
    leaving: bool
    """Its prune has been decided and accounted for: it earns and loses nothing any more."""
    seed_age_epochs: int
    germinated_epoch: int
    seed_params: int
    improvement_since_stage_start: float
    total_improvement: float
    acc_at_germination: float
    contribution: float | None
    counterfactual_total: float | None
    """Accuracy with everything on less accuracy with everything off."""
    interaction_sum: float
    boost_received: float


@dataclass(frozen=True, slots=True)
class DripState:
    """A fossil whose bonus is still being paid out."""

    seed_id: str
    pool: float
    """What is left to be paid if it keeps contributing as it does."""
    scale: float


@dataclass(frozen=True, slots=True)
class ContributionRewardInputs:
    """One step of one host, for every mode of the contribution family."""

    op: Op
    """The operation that happened."""
    action_success: bool
    seed: SeedInfo | None
    """Of the slot acted on, or of the oldest live seed when nothing was done."""
    others: tuple[SeedInfo, ...]
    """The other occupied slots."""
    val_acc: float
    acc_delta: float
    """Against the epoch before."""
    host_baseline_acc: float
    """The accuracy of the first epoch."""
    epoch: int
    """From 1; the last is `max_epochs`."""
    max_epochs: int
    host_params: int
    total_params: int
    effective_seed_params: float
    alpha_delta_sq_sum: float
    """Sum over slots of the squared change of amplitude times parameters."""
    committed_val_acc: float | None
    fossilized_seed_params: int
    num_fossilized_seeds: int
    num_contributing_fossilized: int
    n_active_seeds: int
    """Occupied slots that hold no fossil."""
    stable_val_acc: float
    """The least of the last three accuracies."""
    escrow_credit_prev: float
    """In the account of `seed`."""
    escrow_credit_others: float
    """In the accounts of all other seeds that were never fossilized, lost ones included."""
    drips: tuple[DripState, ...]
    fossil_contributions: tuple[float, ...]
    """In the order of `drips`."""
    auto_pruned: bool
    hindsight_credit: float


@dataclass(frozen=True, slots=True)
class LossRewardInputs:
    """One step of one host, for the loss family."""

    op: Op
    action_success: bool
    seed: SeedInfo | None
    others: tuple[SeedInfo, ...]
    val_loss: float
    loss_delta: float
    """Against the epoch before; above 0 where it grew."""
    epoch: int
    max_epochs: int
    host_params: int
    total_params: int


@dataclass(frozen=True, slots=True)
class RewardComponents:
    """A reward by its terms: every summand, in the order they are added."""

    bounded_attribution: float = 0.0
    ratio_penalty: float = 0.0
    escrow_delta: float = 0.0
    escrow_forfeit: float = 0.0
    accuracy_gain: float = 0.0
    loss_progress: float = 0.0
    pbrs_bonus: float = 0.0
    synergy_bonus: float = 0.0
    compute_rent: float = 0.0
    alpha_shock: float = 0.0
    occupancy_rent: float = 0.0
    fossilized_rent: float = 0.0
    blending_warning: float = 0.0
    holding_warning: float = 0.0
    action_shaping: float = 0.0
    fossilize_bonus: float = 0.0
    drip: float = 0.0
    germination_clawback: float = 0.0
    auto_prune_penalty: float = 0.0
    hindsight_credit: float = 0.0
    terminal_bonus: float = 0.0
    rollback_penalty: float = 0.0

    def total(self) -> float:
        """Their sum, in order."""
        return sum((getattr(self, name) for name in TERMS), 0.0)


TERMS: Final = tuple(field.name for field in fields(RewardComponents))
"""The names of a reward's summands, in order."""


@dataclass(frozen=True, slots=True)
class RewardResult:
    """A reward, what it consists of, and what must be remembered for the next."""

    reward: float
    components: RewardComponents
    escrow_credit: float
    """What the account of the seed holds now."""
    drips: tuple[DripState, ...]
