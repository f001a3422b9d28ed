"""What is told of a whole run: its beginning, its rounds, and the learning of its policy."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from astrarium.esper.contracts.happening import Happening, Severity
from astrarium.esper.contracts.rewards import RewardMode


class SlotPlace(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where a slot is, for a drawing."""

    slot_id: str
    row: int
    col: int
    order: int
    """Place in the forward order."""
    position: float
    """From 0 to 1 along the host."""
    surface: str
    channels: int


class TrainingStarted(Happening, frozen=True, kw_only=True, tag="TRAINING_STARTED"):
    """A run begins; everything that stays the same in it."""

    label: ClassVar[str] = "Started"
    view: ClassVar[str] = "runs"

    task: str
    world: str
    controller: str
    """`ppo`, or the name of the scripted one."""
    n_envs: int
    max_epochs: int
    max_rounds: int | None
    """None where nothing is learned from rounds."""
    seed: int
    topology: str
    classes: int
    host_params: int
    slots: tuple[SlotPlace, ...]
    """In the order of actions."""
    seed_limit: int
    gates: str
    reward_mode: RewardMode
    budget_epochs: float | None
    device: str
    lr: float | None
    clip_ratio: float | None
    entropy_coef: float | None
    """Of the policy; None where none learns."""


class Trend(Happening, frozen=True, kw_only=True):
    """Rounds that go up, down or nowhere."""

    view: ClassVar[str] = "anomalies"

    accuracy: float
    """The mean of the episodes that ended in the round."""
    change: float
    """Against the rounds before."""


class ImprovementDetected(Trend, frozen=True, kw_only=True, tag="IMPROVEMENT_DETECTED"):
    """A round is clearly better than those before it."""

    label: ClassVar[str] = "Improvement"


class DegradationDetected(Trend, frozen=True, kw_only=True, tag="DEGRADATION_DETECTED"):
    """A round is clearly worse than those before it."""

    label: ClassVar[str] = "Degradation"
    rank: ClassVar[Severity] = "warning"


class PlateauDetected(Trend, frozen=True, kw_only=True, tag="PLATEAU_DETECTED"):
    """Some rounds in a row are as those before them; told once."""

    label: ClassVar[str] = "Plateau"


class ValueCollapseDetected(Happening, frozen=True, kw_only=True, tag="VALUE_COLLAPSE_DETECTED"):
    """The policy's idea of what is to come is far off."""

    label: ClassVar[str] = "Value collapse"
    rank: ClassVar[Severity] = "warning"
    view: ClassVar[str] = "anomalies"

    value_loss: float
    threshold: float


class HeadEntropyCollapsed(Happening, frozen=True, kw_only=True, tag="HEAD_ENTROPY_COLLAPSED"):
    """A head of the policy has made nearly the same choice for some rounds; told once."""

    label: ClassVar[str] = "Closed head"
    rank: ClassVar[Severity] = "warning"
    view: ClassVar[str] = "anomalies"

    head: str
    entropy: float
    threshold: float


class PpoUpdateCompleted(Happening, frozen=True, kw_only=True, tag="PPO_UPDATE_COMPLETED"):
    """The policy learned from a round. A figure that does not exist is null."""

    label: ClassVar[str] = "Policy update"
    view: ClassVar[str] = "ppo_updates"

    policy: str
    learning_rate: float | None
    entropy_coef: float | None
    policy_loss: float | None
    value_loss: float | None
    entropy: float | None
    approx_kl: float | None
    clip_fraction: float | None
    explained_variance: float | None
    grad_norm: float | None
    epochs_run: float | None
    head_entropies: dict[str, float | None]
    """From 0 to 1, over the steps in which the head could matter."""
    more: dict[str, float | None]
    """Whatever else the learner measured, by name."""


class BatchStats(Happening, frozen=True, kw_only=True, tag="ANALYTICS_SNAPSHOT:batch_stats"):
    """A round in figures."""

    label: ClassVar[str] = "Round figures"
    view: ClassVar[str] = "batch_stats"

    steps: int
    episodes: int
    succeeded: int
    rolled_back: int
    germinated: int
    fossilized: int
    pruned: int
    refused: int
    forced_steps: int
    """Steps with a single legal operation."""
    reward_mean: float | None
    """Of a step."""
    param_ratio_mean: float | None
    """At the end of episodes."""
    components: dict[str, float]
    """Sums of the terms of the reward that are not 0."""


class BatchEpochCompleted(Happening, frozen=True, kw_only=True, tag="BATCH_EPOCH_COMPLETED"):
    """A round is over: whoever reads may count on everything before it."""

    label: ClassVar[str] = "Round over"
    view: ClassVar[str] = "batch_epochs"

    n_envs: int
    episodes: int
    """That ended in this round."""
    episodes_completed: int
    """In all."""
    env_accuracies: tuple[float, ...]
    """Final ones, of the episodes that ended, in the order they are told."""
    avg_accuracy: float | None
    rolling_accuracy: float | None
    """Over the last rounds that ended any."""
    avg_reward: float | None
    """Of an episode."""


class ActionDistribution(
    Happening, frozen=True, kw_only=True, tag="ANALYTICS_SNAPSHOT:action_distribution"
):
    """What was asked for in a round, and how often it happened."""

    label: ClassVar[str] = "Choices"
    view: ClassVar[str] = "action_distribution"

    asked: dict[str, int]
    """By operation."""
    done: dict[str, int]
    blueprints: dict[str, int]
    """Of seeds that germinated."""
    slots: dict[str, int]
    """Where anything was asked for."""


ROUND_HAPPENINGS: tuple[type[Happening], ...] = (
    TrainingStarted,
    ImprovementDetected,
    DegradationDetected,
    PlateauDetected,
    ValueCollapseDetected,
    HeadEntropyCollapsed,
    PpoUpdateCompleted,
    BatchStats,
    BatchEpochCompleted,
    ActionDistribution,
)
