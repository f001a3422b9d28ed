"""What an anneal is judged by: the figures of an update, those of another run, and the KPIs of a
world."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from astrarium.errors import ConfigError
from astrarium.telemetry import ppo_log_fields as fields
from astrarium.telemetry.ppo_log_checking import means, read
from astrarium.train.anneal import Baseline, Measured
from astrarium.worlds.registry import WorldEntry

_EVENTS: Final = "queue_conflict_events"
_INTENSITY: Final = "queue_conflict_intensity_sum"


def kpis_of(entry: WorldEntry) -> dict[str, int]:
    """The outcomes of a world that players are compared by: 1 where more is better, -1 where less
    is."""
    told = set(entry.outcomes.values())
    return {
        one.stat: 1 if one.higher_is_better else -1 for one in entry.yardsticks if one.stat in told
    }


def measured(figures: Mapping[str, Any], stats: Mapping[str, float]) -> Measured:
    """An update that learned something, by what it told of itself and of the world."""
    return Measured(
        loss=figures["loss"],
        queue_events=stats.get(_EVENTS),
        queue_intensity=stats.get(_INTENSITY),
        late_help=stats.get("late_help_events"),
        kl_divergence=figures["approx_kl"],
        grad_norm=figures["grad_norm"],
        entropy=figures["entropy"],
    )


def baseline_at(path: Path | None) -> Baseline:
    """What another run's log says, cloning left out."""
    if path is None:
        return Baseline()
    lines, faults = read(path)
    if faults:
        raise ConfigError(f"anneal.baseline is no whole PPO log: {faults[0]}")
    known = means(lines)
    played = [one for one in lines if one.get("data_mode") != fields.REPLAY]

    def most(name: str) -> float | None:
        return max((one[name] for one in played if name in one), default=None)

    return Baseline(
        loss=known.get("loss_total"),
        queue_events=known.get(_EVENTS),
        queue_events_max=most(_EVENTS),
        queue_intensity=known.get(_INTENSITY),
        queue_intensity_max=most(_INTENSITY),
        entropy=known.get("batch_entropy_mean"),
    )
