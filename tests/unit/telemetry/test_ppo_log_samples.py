"""The sample logs of the docs are what the writer writes now.

Run this file to write them anew after a change of the schema.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from astrarium.telemetry import ppo_log_fields as fields
from astrarium.telemetry.events import PolicyCloned, RunStarted, UpdateFinished
from astrarium.telemetry.ppo_log import PpoLogSink, files_of, log_path
from astrarium.telemetry.ppo_log_checking import check, read

SAMPLES = Path(__file__).parents[3] / "docs" / "samples"
LINES = 5
CLONED = 2
"""A cycle in which the teacher is cloned again."""
FILE_LINES = 3
"""So that the samples show what comes after a full file."""


def sample(version: str) -> Path:
    return SAMPLES / f"ppo-log-{version}.ndjson"


TAUGHT = {
    "data_mode": "mixed",
    "baseline_sample_count": 40,
    "baseline_reward_mean": 0.002,
    "baseline_reward_sum": 320.0,
    "baseline_reward_sum_mean": 8.0,
    "baseline_log_prob_mean": 0.0,
    "anneal_stage": "ppo",
    "anneal_dataset": "captures/keepers",
    "anneal_bc_threshold": 0.9,
    "anneal_bc_passed": True,
    **dict.fromkeys(fields.ANNEAL_BASELINES),
    **{name: False for name in fields.FLAGS if name != "anneal_bc_passed"},
}
"""What is known of the teacher, and of the policy beside it."""


def lived(at: int) -> dict[str, float]:
    """A town in which people learn to get along."""
    return {
        "rivalry_max_mean": round(0.30 - 0.02 * at, 3),
        "rivalry_max_max": round(0.62 - 0.03 * at, 3),
        "rivalry_avoid_count_mean": round(0.25 - 0.05 * at, 3),
        "rivalry_avoid_count_max": 1.0,
        "queue_conflict_events": 12.0 - at,
        "queue_conflict_intensity_sum": round(15.6 - 1.3 * at, 3),
        "shared_meal_events": 3.0 + at,
        "late_help_events": 1.0,
        "shift_takeover_events": 0.0,
        "chat_success_events": 18.0 + 2 * at,
        "chat_failure_events": 7.0 - at,
        "chat_quality_mean": round(0.55 + 0.02 * at, 3),
        "utility_outage_events": 1.0,
        "shower_complete_events": 14.0 + at,
        "sleep_complete_events": 16.0,
    }


def update(at: int) -> UpdateFinished:
    """A training that gets better, with everything a log has a field for."""
    learned = at / LINES
    anneal = {**TAUGHT, "anneal_cycle": at, "anneal_bc_accuracy": round(0.94 - 0.004 * at, 3)}
    return UpdateFinished(
        at,
        4096 * (at + 1),
        4096 * (at + 1),
        policy_loss=round(-0.01 - 0.002 * at, 4),
        value_loss=round(0.5 - 0.3 * learned, 4),
        entropy=round(2.0 - 0.5 * learned, 4),
        entropy_std=0.12,
        approx_kl=0.011,
        approx_kl_max=0.021,
        clip_fraction=0.08,
        clip_fraction_max=0.15,
        clipped_minibatches=7,
        flat_minibatches=0,
        loss=round(0.2 - 0.1 * learned, 4),
        advantage_mean=0.0,
        advantage_std=1.0,
        advantage_std_min=0.91,
        grad_norm=0.45,
        grad_norm_max=0.8,
        reward_advantage_corr=0.31,
        minibatches=16,
        transitions=4096,
        rollout_ticks=128,
        learning_rate=3e-4,
        world_stats=lived(at),
        anneal=anneal,
        at=f"2026-01-01T00:00:{4 * (at + 1):02d}.000Z",
    )


def cloning() -> PolicyCloned:
    """What a cycle of cloning tells."""
    return PolicyCloned(
        cycle=CLONED,
        policy="shared",
        dataset="captures/keepers",
        accuracy=0.94,
        accuracy_min=0.9,
        value_miss=0.01,
        outcome="PASS",
        rolled_back=False,
        env_steps_total=4096 * CLONED,
        minibatches=640,
        transitions=40_960,
        learning_rate=1e-3,
        policy_loss=0.21,
        value_loss=0.08,
        loss=0.25,
        grad_norm=0.7,
        grad_norm_max=1.9,
        at=f"2026-01-01T00:00:{4 * (CLONED + 1):02d}.000Z",
    )


def written(folder: Path, version: str) -> list[Path]:
    sink = PpoLogSink(folder, version=version, entries_max=FILE_LINES)
    at = "2026-01-01T00:00:00.000Z"
    sink.event(RunStarted(run_id="sample", world="w", seed=0, config_hash="", at=at))
    for number in range(LINES):
        sink.event(cloning() if number == CLONED else update(number))
    sink.close()
    return files_of(log_path(folder))


@pytest.mark.parametrize("version", fields.VERSIONS)
def test_the_samples_are_whole_and_of_today(tmp_path: Path, version: str) -> None:
    report = check(sample(version))
    assert (report.lines, report.faults) == (LINES, ())
    told = [place.read_bytes() for place in files_of(sample(version))]
    fresh = [place.read_bytes() for place in written(tmp_path, version)]
    assert told == fresh, "if the schema changed on purpose, run this file"


def test_the_newer_sample_has_every_field_there_is() -> None:
    lines = read(sample("1.1"))[0]
    cloned = lines.pop(CLONED)
    assert all(set(line) == fields.KNOWN for line in lines)
    assert (cloned["data_mode"], cloned["cycle_id"]) == ("replay", 0)


def write() -> None:
    for version in fields.VERSIONS:
        with tempfile.TemporaryDirectory() as folder:
            for place in written(Path(folder), version):
                suffix = place.name.removeprefix("ppo.ndjson")
                sample(version).with_name(sample(version).name + suffix).write_bytes(
                    place.read_bytes()
                )


if __name__ == "__main__":
    write()
