"""What alerts and figures of a town are judged by."""

from __future__ import annotations

from dataclasses import dataclass, field

from astrarium.worlds.townlet.config import TownletConfig
from astrarium.worlds.townlet.config.watching import Stability


@dataclass(frozen=True, slots=True)
class Rules:
    """Thresholds, and those settings of the town that matter for them."""

    thresholds: Stability = field(default_factory=Stability)
    ticks_per_day: int = 1000
    exit_queue_limit: int = 8
    absent_shifts_max: int = 3
    rivalry_avoided: float = 0.7
    slot_reuse_max: float = 0.05
    conflict_ticks: int = 1000
    """From here on the intensity of conflicts is complete: a day, or an episode if that is less."""
    good_day: float = 3.85
    """What a day brings at most, but for company: every need met, every shift worked ..."""
    bad_day: float = -47.8
    """... and at least: no need met at all, no wage."""

    @classmethod
    def of(cls, config: TownletConfig, thresholds: Stability | None = None) -> Rules:
        """The rules of a town."""
        rewards, day = config.rewards, config.time.ticks_per_day
        shift = max((job.end_tick - job.start_tick for job in config.jobs.values()), default=0)
        wages, weights = rewards.wage_rate * shift, rewards.needs_weights
        want = rewards.needs_scale * (weights.hunger + weights.hygiene + weights.energy)
        return cls(
            thresholds=thresholds or Stability(),
            ticks_per_day=day,
            exit_queue_limit=config.employment.exit_queue_limit,
            absent_shifts_max=config.employment.max_absent_shifts,
            rivalry_avoided=config.conflict.rivalry.avoid_threshold,
            slot_reuse_max=config.embedding_allocator.reuse_warning_threshold,
            conflict_ticks=min(day, config.env.max_ticks),
            good_day=rewards.survival_tick * day + wages + rewards.punctuality_bonus,
            bad_day=(rewards.survival_tick - want) * day - wages,
        )
