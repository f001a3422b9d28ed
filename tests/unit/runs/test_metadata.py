"""The live state of a run."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from run_parts import facts, row

from astrarium.errors import ConfigError
from astrarium.runs import RunOrderError, metadata, moments

# Fields that readers rely on, whatever else a trainer adds.
PROMISED = (
    *("run_id", "status", "trainer_backend", "target_env_steps", "window_env_steps"),
    *("env_steps_total", "episodes_total", "windows_emitted", "checkpoints_written"),
    *("latest_window", "latest_checkpoint", "latest_replay", "metrics_windows_path"),
    *("checkpoints_dir", "replays_dir", "replay_index_path", "config_path", "wandb_run_url"),
    *("constellation_url", "info_metric_keys", "started_at", "updated_at", "finished_at"),
)


def test_a_new_run_has_every_field() -> None:
    state = metadata.begin("run", facts(), "then", "0123456789abcdef")
    assert [name for name in PROMISED if name not in state] == []
    assert (state["status"], state["started_at"], state["finished_at"]) == ("running", "then", None)
    assert state["ppo_device"] == "cpu"
    assert state["info_metric_keys"] == ["credits"]


def test_fields_of_the_writer_are_its_own() -> None:
    state = metadata.begin("run", facts(), "then", "0123456789abcdef")
    assert metadata.with_fields(state, {"wandb_run_url": "w"})["wandb_run_url"] == "w"
    assert metadata.with_fields(state, {"target_env_steps": 80})["target_env_steps"] == 80
    with pytest.raises(RunOrderError, match="latest_replay, status: kept by the writer"):
        metadata.with_fields(state, {"status": "x", "latest_replay": None, "ppo_epochs": 1})
    with pytest.raises(RunOrderError, match="run_id"):
        metadata.begin("run", facts(extra={"run_id": "mine"}), "then", "0123456789abcdef")


def test_rows_are_counted() -> None:
    state = metadata.begin("run", facts(), "then", "0123456789abcdef")
    for window_id in range(2):
        state = metadata.after_window(state, row(window_id))
    assert (state["env_steps_total"], state["episodes_total"], state["windows_emitted"]) == (
        20,
        4,
        2,
    )
    assert state["latest_window"] == {
        "window_id": 1,
        "window_complete": True,
        "env_steps_start": 10,
        "env_steps_end": 20,
        "env_steps_in_window": 10,
        "env_steps_total": 20,
        "metrics_row_path": "metrics/windows.jsonl",
    }


def test_milestones_are_sorted_and_checked() -> None:
    state = metadata.begin(
        "run", facts(milestones={"profit": (5, 1, 5.0)}), "then", "0123456789abcdef"
    )
    assert state["milestones"] == {"profit": [1.0, 5.0], "return": [], "survival": []}
    for bad in ({"profit": (-1,)}, {"return": (float("nan"),)}, {"speed": (1,)}):
        with pytest.raises(ConfigError, match="milestones of"):
            facts(milestones=bad)


def test_times_are_written_so_that_they_sort() -> None:
    local = timezone(timedelta(hours=2))
    moment = datetime(2031, 5, 6, 9, 8, 9, 5_999, tzinfo=local)
    assert moments.written(moment) == "2031-05-06T07:08:09.005Z"
    whole = datetime(2031, 5, 6, 7, 8, 9, tzinfo=UTC)
    assert moments.written(whole) == "2031-05-06T07:08:09.000Z"
    assert moments.utc_now().utcoffset() == timedelta()
