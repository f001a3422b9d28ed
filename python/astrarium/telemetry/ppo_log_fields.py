"""The fields of a PPO log, by version: which must be there, which come together, which may.

A log is NDJSON, one object for every cycle of one policy: an update, or a cloning. Version 1.0 has
the base fields only; 1.1 adds what is listed below, and none of it may appear in a line that says
1.0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final, Literal

Version = Literal["1.0", "1.1"]
VERSIONS: Final[tuple[Version, ...]] = ("1.0", "1.1")

BASE: Final = (
    *("telemetry_version", "epoch", "updates", "transitions", "steps"),
    *("loss_policy", "loss_value", "loss_entropy", "loss_total"),
    *("clip_fraction", "adv_mean", "adv_std", "grad_norm", "kl_divergence", "lr"),
)
OFFSET: Final = "log_stream_offset"
ADDED: Final = (
    *("epoch_duration_sec", "data_mode", "cycle_id"),
    *("batch_entropy_mean", "batch_entropy_std", "grad_norm_max", "kl_divergence_max"),
    *("reward_advantage_corr", "rollout_ticks", OFFSET),
)
RIVALRY: Final = (
    *("rivalry_max_mean", "rivalry_max_max"),
    *("rivalry_avoid_count_mean", "rivalry_avoid_count_max"),
)
"""Stats of a world that the fields of conflict are taken from; 0 for a world without them."""
CONFLICT: Final = tuple(f"conflict.{name}_avg" for name in RIVALRY)
SCENARIO: Final = (
    *("queue_conflict_events", "queue_conflict_intensity_sum"),
    *("shared_meal_events", "late_help_events", "shift_takeover_events"),
    *("chat_success_events", "chat_failure_events", "chat_quality_mean"),
    *("utility_outage_events", "shower_complete_events", "sleep_complete_events"),
)
"""Stats of a world that are told under their own names; absent for a world without them."""
BASELINE: Final = (
    *("baseline_sample_count", "baseline_reward_mean"),
    *("baseline_reward_sum", "baseline_reward_sum_mean"),
)
BASELINE_MAY: Final = ("baseline_log_prob_mean",)
HEALTH: Final = (
    *("clip_fraction_max", "clip_triggered_minibatches"),
    *("adv_zero_std_batches", "adv_min_std"),
)
_CHECKED: Final = ("loss", "queue", "intensity")
ANNEAL_BASELINES: Final = tuple(f"anneal_{one}_baseline" for one in _CHECKED)
ANNEAL: Final = (
    *("anneal_cycle", "anneal_stage", "anneal_dataset"),
    *("anneal_bc_accuracy", "anneal_bc_threshold", "anneal_bc_passed"),
    *ANNEAL_BASELINES,
    *(f"anneal_{one}_flag" for one in _CHECKED),
)
TOGETHER: Final = {"baseline": BASELINE, "health": HEALTH, "anneal": ANNEAL}
"""All of a set or none of it."""

WORDS: Final = ("telemetry_version", "data_mode", "anneal_stage", "anneal_dataset")
FLAGS: Final = ("anneal_bc_passed", *(f"anneal_{one}_flag" for one in _CHECKED))
SHARES: Final = (
    *("clip_fraction", "clip_fraction_max", "chat_quality_mean"),
    *("anneal_bc_accuracy", "anneal_bc_threshold"),
)
WHOLE: Final = ("epoch", "updates", "transitions", "steps", "cycle_id", OFFSET)
NULLABLE: Final = ANNEAL_BASELINES
REPLAY: Final = "replay"
"""The data mode of a cycle that learned from captures alone."""
DATA_MODES: Final = (REPLAY, "rollout", "mixed")
KNOWN: Final = {
    *BASE,
    *ADDED,
    *CONFLICT,
    *SCENARIO,
    *BASELINE,
    *BASELINE_MAY,
    *HEALTH,
    *ANNEAL,
}


def faults_of(line: Mapping[str, Any]) -> list[str]:
    """Everything wrong with one line, in words."""
    version = line.get("telemetry_version")
    if version not in VERSIONS:
        return [f"telemetry_version is {version!r}, not one of {', '.join(VERSIONS)}"]
    required = BASE if version == "1.0" else (*BASE, *ADDED, *CONFLICT)
    faults = [f"{name} is missing" for name in required if name not in line]
    for name in line:
        if name not in KNOWN:
            faults.append(f"{name} is no field of a PPO log")
        elif version == "1.0" and name not in BASE:
            faults.append(f"{name} belongs to 1.1; a line of 1.0 has none of its fields")
    if version == "1.1":
        faults += _torn_sets(line) + _played(line)
    return faults + [
        f"{name} is {line[name]!r}, not {kind}"
        for name, (kind, fits) in _KINDS.items()
        if name in line and not fits(line[name])
    ]


def _torn_sets(line: Mapping[str, Any]) -> list[str]:
    faults: list[str] = []
    for title, names in TOGETHER.items():
        missing = [name for name in names if name not in line]
        if missing and len(missing) < len(names):
            faults.append(f"of the {title} fields {', '.join(missing)} is missing; all or none")
    if "baseline_log_prob_mean" in line and "baseline_sample_count" not in line:
        faults.append("baseline_log_prob_mean comes with the baseline fields only")
    return faults


def _played(line: Mapping[str, Any]) -> list[str]:
    """What a line that learned from captures alone tells of playing all the same."""
    if line.get("data_mode") != REPLAY:
        return []
    nothing = ("cycle_id", "rollout_ticks")
    return [f"{name} is {line[name]!r}, but 0 of a replay" for name in nothing if line.get(name)]


def _is_number(value: Any) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and math.isfinite(value)


def _is_share(value: Any) -> bool:
    return _is_number(value) and 0.0 <= value <= 1.0


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _kind(name: str) -> tuple[str, Callable[[Any], bool]]:
    if name == "data_mode":
        return f"one of {', '.join(DATA_MODES)}", lambda value: value in DATA_MODES
    if name in WORDS:
        return "a word", lambda value: isinstance(value, str)
    if name in FLAGS:
        return "true or false", lambda value: isinstance(value, bool)
    if name in SHARES:
        return "a share from 0 to 1", _is_share
    if name in WHOLE:
        return "a whole number from 0", _is_whole
    if name in NULLABLE:
        return "a finite number or null", lambda value: value is None or _is_number(value)
    return "a finite number", _is_number


_KINDS: Final = {name: _kind(name) for name in sorted(KNOWN)}
