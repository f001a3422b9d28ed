"""What is told of one host: its epochs, its seeds, and what was decided."""

from __future__ import annotations

from typing import ClassVar, Literal

import msgspec

from astrarium.esper.contracts.happening import (
    Happening,
    HostHappening,
    Severity,
)
from astrarium.esper.contracts.rewards import RewardMode

SUCCESS_ACCURACY = 80.0
"""An episode that ends above it counts as a success."""


class SeedSeen(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A slot that is not empty, at the end of an epoch. None means: not measured."""

    slot_id: str
    seed_id: str
    blueprint: str
    stage: str
    """By name; also EMBARGOED and RESETTING, while a slot cools after a prune."""
    epochs_in_stage: int
    age_epochs: int
    alpha: float
    alpha_target: float
    alpha_mode: Literal["HOLD", "UP", "DOWN"]
    blend: str
    params: int
    contribution: float | None
    """Points of accuracy the host would lose without it."""
    accuracy_without: float | None
    """The accuracy with this seed off and all others as they are."""
    interaction_sum: float
    gradient_norm: float | None
    gradient_health: float | None
    isolation_violations: int


class EpochCompleted(HostHappening, frozen=True, kw_only=True, tag="EPOCH_COMPLETED"):
    """A host was trained for an epoch and validated; nothing was decided yet."""

    label: ClassVar[str] = "Epoch"
    view: ClassVar[str] = "epochs"

    val_accuracy: float
    val_loss: float
    train_accuracy: float
    train_loss: float
    host_accuracy: float
    """With every seed off."""
    committed_accuracy: float
    """With fossils only."""
    counterfactual_total: float | None
    """What all seeds together are worth; None where the host feels none."""
    host_params: int
    total_params: int
    param_ratio: float
    """All parameters over the host's; 1.0 means that nothing grew."""
    spent_epochs: float
    """Compute so far, in epochs of the host alone."""
    budget_epochs: float | None
    """What it may spend in all, in the same unit."""
    plateau_epochs: int
    stabilised: bool
    seeds: tuple[SeedSeen, ...]
    """In the order of slots; empty slots are left out."""


class LastAction(HostHappening, frozen=True, kw_only=True, tag="ANALYTICS_SNAPSHOT:last_action"):
    """What was decided after an epoch, what became of it, and what it earned."""

    label: ClassVar[str] = "Decision"
    view: ClassVar[str] = "decisions"

    action_id: str
    initiator: str
    op: str
    """As asked for."""
    slot_id: str
    """Empty for WAIT."""
    blueprint: str | None
    style: str | None
    tempo: str | None
    alpha_target: str | None
    alpha_speed: str | None
    alpha_curve: str | None
    """Choices that do not matter for the operation are null."""
    success: bool
    effective_op: str
    """What happened: WAIT where it was refused."""
    reason: str
    """Why it was refused; empty where it was not."""
    legal_ops: tuple[str, ...]
    forced_heads: tuple[str, ...]
    """Heads that had no more than one legal choice."""
    reward: float
    reward_total: float
    """Of the episode so far."""
    components: dict[str, float]
    """The terms of the reward that are not 0."""
    probability: float | None = None
    """Of the whole order, under the policy that gave it; null where no policy did."""
    value: float | None = None
    """What that policy expected."""


class CounterfactualMatrixComputed(
    HostHappening, frozen=True, kw_only=True, tag="COUNTERFACTUAL_MATRIX_COMPUTED"
):
    """Accuracies with some seeds off; told where the host feels any."""

    label: ClassVar[str] = "With and without"
    view: ClassVar[str] = "counterfactuals"

    slot_ids: tuple[str, ...]
    strategy: Literal["full_factorial", "leave_one_out"]
    configs: tuple[tuple[bool, ...], ...]
    """Which of the slots are on; the first has all."""
    accuracies: tuple[float, ...]
    """In the order of `configs`."""


class ShapleyComputed(
    HostHappening, frozen=True, kw_only=True, tag="ANALYTICS_SNAPSHOT:shapley_computed"
):
    """What each seed adds on average, over all orders of adding them; at an episode's end."""

    label: ClassVar[str] = "Shapley values"
    view: ClassVar[str] = "shapley_computed"

    slot_ids: tuple[str, ...]
    means: tuple[float, ...]
    stds: tuple[float, ...]
    samples: int


class CausalLog(HostHappening, frozen=True, kw_only=True, tag="MORPHOLOGY_CAUSAL_LOG"):
    """One station of an action on a host: asked for, judged, carried out, and watched."""

    label: ClassVar[str] = "Causal log"
    rank: ClassVar[Severity] = "debug"
    view: ClassVar[str] = "morphology_causal_log"

    action_id: str
    station: Literal["proposal", "verdict", "mutation", "watch"]
    """The last one an epoch later."""
    op: str
    slot_id: str
    blueprint: str
    initiator: str
    observation_hash: str
    """Of what whoever decided could see."""
    approved: bool | None
    """From the verdict on."""
    reason: str
    blocked_factor: str
    val_accuracy: float | None
    val_loss: float | None
    """As they were at that station; null where they are not finite."""


class ManifestPart(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A seed that is kept."""

    slot_id: str
    blueprint: str
    blend: str
    params: int


class TopologyManifestRecorded(
    HostHappening, frozen=True, kw_only=True, tag="TOPOLOGY_MANIFEST_RECORDED"
):
    """What a host consists of for good, told whenever that changes."""

    label: ClassVar[str] = "Topology"
    view: ClassVar[str] = "topology_manifests"

    manifest_hash: str
    host: str
    """The task whose host it is."""
    host_params: int
    parts: tuple[ManifestPart, ...]


class EpisodeOutcome(HostHappening, frozen=True, kw_only=True, tag="EPISODE_OUTCOME"):
    """One episode, as it is compared with others."""

    label: ClassVar[str] = "Episode over"
    view: ClassVar[str] = "episode_outcomes"

    outcome_type: Literal["finished", "rolled_back"]
    episode_seed: int
    final_accuracy: float
    committed_accuracy: float
    param_ratio: float
    num_fossilized: int
    num_contributing_fossilized: int
    episode_reward: float
    stability_score: float
    """1 less the deviation of the last accuracies, in parts of 100."""
    reward_mode: RewardMode
    spent_epochs: float
    germinated: int
    pruned: int
    succeeded: bool

    def dominates(self, other: EpisodeOutcome) -> bool:
        """Whether it is nowhere worse and somewhere better."""
        mine = (self.final_accuracy, self.stability_score, -self.param_ratio)
        theirs = (other.final_accuracy, other.stability_score, -other.param_ratio)
        return all(a >= b for a, b in zip(mine, theirs, strict=True)) and mine != theirs


HOST_HAPPENINGS: tuple[type[Happening], ...] = (
    EpochCompleted,
    LastAction,
    CounterfactualMatrixComputed,
    ShapleyComputed,
    CausalLog,
    TopologyManifestRecorded,
    EpisodeOutcome,
)
