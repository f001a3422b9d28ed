"""The line of a PPO log that an event of a run becomes.

A figure that does not exist is 0, since every number of a log is finite.
"""

from __future__ import annotations

from typing import Any, Final

from astrarium.telemetry import ppo_log_fields as fields
from astrarium.telemetry.events import PolicyCloned, UpdateFinished
from astrarium.telemetry.ppo_log_fields import Version

Cycle = UpdateFinished | PolicyCloned
"""What makes a line: a policy learned from a rollout, or from captures alone."""
Line = dict[str, Any]

_ANNEALED: Final = (*fields.BASELINE, *fields.BASELINE_MAY, *fields.ANNEAL)
"""What the event of an update tells of its anneal."""


def number_of(event: Cycle) -> int:
    """Which cycle of the run it was, from 0."""
    return event.cycle if isinstance(event, PolicyCloned) else event.update


def line_of(event: Cycle, seconds: float, version: Version) -> Line:
    """A cycle that took so long as a line, but for its number in the stream."""
    cloned = isinstance(event, PolicyCloned)
    own = _of_replay(event, seconds) if cloned else _of_rollout(event, seconds)
    line: Line = {
        "telemetry_version": version,
        "epoch": number_of(event) + 1,
        "updates": event.minibatches or 0,
        "transitions": event.transitions or 0,
        "steps": event.env_steps_total or 0,
        "loss_policy": event.policy_loss or 0.0,
        "loss_value": event.value_loss or 0.0,
        "loss_total": event.loss or 0.0,
        "grad_norm": event.grad_norm or 0.0,
        "lr": event.learning_rate or 0.0,
        **own,
    }
    added = () if version == "1.0" else (name for name in line if name not in fields.BASE)
    return {name: line[name] for name in (*fields.BASE, *added)}


def _of_rollout(event: UpdateFinished, seconds: float) -> Line:
    stats, anneal = event.world_stats or {}, event.anneal or {}
    return {
        "loss_entropy": -(event.entropy or 0.0),
        "clip_fraction": event.clip_fraction or 0.0,
        "adv_mean": event.advantage_mean or 0.0,
        "adv_std": event.advantage_std or 0.0,
        "kl_divergence": event.approx_kl or 0.0,
        "epoch_duration_sec": seconds,
        "data_mode": anneal.get("data_mode", "rollout"),
        "cycle_id": event.update + 1,
        "batch_entropy_mean": event.entropy or 0.0,
        "batch_entropy_std": event.entropy_std or 0.0,
        "grad_norm_max": event.grad_norm_max or 0.0,
        "kl_divergence_max": event.approx_kl_max or 0.0,
        "reward_advantage_corr": event.reward_advantage_corr or 0.0,
        "rollout_ticks": event.rollout_ticks or 0,
        fields.OFFSET: 0,
        **{f"conflict.{name}_avg": stats.get(name, 0.0) for name in fields.RIVALRY},
        "clip_fraction_max": event.clip_fraction_max or 0.0,
        "clip_triggered_minibatches": event.clipped_minibatches or 0,
        "adv_zero_std_batches": event.flat_minibatches or 0,
        "adv_min_std": event.advantage_std_min or 0.0,
        **{name: stats[name] for name in fields.SCENARIO if name in stats},
        **{name: anneal[name] for name in _ANNEALED if name in anneal},
    }


def _of_replay(event: PolicyCloned, seconds: float) -> Line:
    """Nothing was played: there are no advantages, no divergence and nothing of the world."""
    return {
        **dict.fromkeys(("loss_entropy", "clip_fraction", "adv_mean", "adv_std"), 0.0),
        "kl_divergence": 0.0,
        "epoch_duration_sec": seconds,
        "data_mode": fields.REPLAY,
        "cycle_id": 0,
        "batch_entropy_mean": 0.0,
        "batch_entropy_std": 0.0,
        "grad_norm_max": event.grad_norm_max or 0.0,
        "kl_divergence_max": 0.0,
        "reward_advantage_corr": 0.0,
        "rollout_ticks": 0,
        fields.OFFSET: 0,
        **dict.fromkeys(fields.CONFLICT, 0.0),
        "anneal_cycle": event.cycle,
        "anneal_stage": "bc",
        "anneal_dataset": event.dataset,
        "anneal_bc_accuracy": event.accuracy,
        "anneal_bc_threshold": event.accuracy_min,
        "anneal_bc_passed": event.outcome == "PASS",
        **dict.fromkeys(fields.ANNEAL_BASELINES),
        **{name: False for name in fields.FLAGS if name != "anneal_bc_passed"},
    }
