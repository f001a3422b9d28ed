"""What episodes and rounds came to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from astrarium.esper.contracts.rewards import RewardMode

SUCCESS_ACCURACY: Final = 80.0


@dataclass(frozen=True, slots=True)
class EpisodeRecord:
    """One episode in three figures."""

    env_id: int
    episode_reward: float
    final_accuracy: float


@dataclass(frozen=True, slots=True)
class EpisodeOutcome:
    """One episode, as it is compared with others."""

    env_id: int
    episode_idx: int
    final_accuracy: float
    param_ratio: float
    """All parameters over the host's; 1.0 means that nothing grew."""
    num_fossilized: int
    num_contributing_fossilized: int
    episode_reward: float
    stability_score: float
    reward_mode: RewardMode

    def dominates(self, other: EpisodeOutcome) -> bool:
        """Whether it is nowhere worse and somewhere better."""
        mine = (self.final_accuracy, self.stability_score, -self.param_ratio)
        theirs = (other.final_accuracy, other.stability_score, -other.param_ratio)
        return all(a >= b for a, b in zip(mine, theirs, strict=True)) and mine != theirs


@dataclass(frozen=True, slots=True)
class RewardSummary:
    """The rewards of one episode by the terms people ask about."""

    bounded_attribution: float
    compute_rent: float
    alpha_shock: float
    hindsight_credit: float
    total_reward: float
    count: int


@dataclass(frozen=True, slots=True)
class BatchSummary:
    """One round: an episode in every host, and one update."""

    batch: int
    episodes: int
    avg_accuracy: float
    rolling_avg_accuracy: float
    reward_summary: tuple[RewardSummary, ...]
    episode_history: tuple[EpisodeRecord, ...]
    topology_manifests: tuple[str, ...]
    """A hash of what each host has become."""
