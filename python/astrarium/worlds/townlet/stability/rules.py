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

    @classmethod
    def of(cls, config: TownletConfig, thresholds: Stability | None = None) -> Rules:
        """The rules of a town."""
        return cls(
            thresholds=thresholds or Stability(),
            ticks_per_day=config.time.ticks_per_day,
            exit_queue_limit=config.employment.exit_queue_limit,
            absent_shifts_max=config.employment.max_absent_shifts,
            rivalry_avoided=config.conflict.rivalry.avoid_threshold,
            slot_reuse_max=config.embedding_allocator.reuse_warning_threshold,
        )
