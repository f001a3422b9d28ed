"""Events survive the way through a line of JSON, and lines that are none are told apart."""

from __future__ import annotations

import json
import math
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astrarium.errors import AstrariumError
from astrarium.telemetry import events
from astrarium.telemetry.events import (
    Event,
    EventError,
    ReplayRecorded,
    RunFailed,
    UnknownEventError,
    UpdateFinished,
)

FIELDS = {
    "run_started": {"run_id": "r", "world": "w-v1", "seed": 7, "config_hash": "abc"},
    "run_resumed": {"window_id": 3, "update": 12, "env_steps_total": 4000},
    "update_finished": {
        "update": 1,
        "env_steps_total": 100,
        "calls_total": 60,
        "policy": "hunters",
        "learning_rate": 3e-4,
        "entropy_coef": 0.01,
        "policy_loss": -0.1,
        "value_loss": 2.0,
        "entropy": 1.5,
        "approx_kl": 0.02,
        "clip_fraction": 0.1,
        "explained_variance": None,
        "grad_norm": 0.4,
        "epochs_run": 4.0,
        "loss": 0.9,
        "entropy_std": 0.1,
        "grad_norm_max": 0.6,
        "approx_kl_max": 0.03,
        "clip_fraction_max": 0.2,
        "clipped_minibatches": 3,
        "minibatches": 16,
        "advantage_std_min": 0.8,
        "flat_minibatches": 0,
        "head_entropies": [0.7, None],
        "transitions": 96,
        "advantage_mean": 0.0,
        "advantage_std": 1.0,
        "reward_advantage_corr": 0.3,
        "reward_running_mean": 0.01,
        "reward_running_variance": 0.2,
        "rollout_ticks": 100,
        "world_stats": {"queue_conflict_events": 2.0},
        "anneal": {"outcome": "PASS", "teacher_share": 0.8},
    },
    "policy_cloned": {
        "cycle": 0,
        "policy": "hunters",
        "dataset": "captures/hunters",
        "accuracy": 0.95,
        "accuracy_min": 0.9,
        "value_miss": 0.01,
        "outcome": "PASS",
        "rolled_back": False,
        "env_steps_total": 100,
        "minibatches": 16,
        "transitions": 96,
        "learning_rate": 1e-3,
        "policy_loss": 0.2,
        "value_loss": 0.1,
        "loss": 0.25,
        "grad_norm": 0.4,
        "grad_norm_max": 0.9,
    },
    "promotion_judged": {"policy": "hunters", "ready": False, "faults": ["2 rehearsals of 3"]},
    "window_closed": {"window_id": 0, "env_steps_total": 1000},
    "checkpoint_written": {"window_id": 0, "path": "checkpoints/000000"},
    "replay_recorded": {
        "window_id": 0,
        "replay_id": "replay-000000-0badcafe",
        "return_total": 1.5,
        "tags": ["every_window", "milestone:profit:100"],
    },
    "run_interrupted": {"env_steps_total": 10},
    "run_completed": {"env_steps_total": 20},
    "run_failed": {"error": "ValueError: no"},
    "sink_failed": {"sink": "wandb", "error": "TimeoutError: no answer"},
}


def test_these_are_all_the_kinds() -> None:
    assert set(FIELDS) == set(events.KINDS)
    assert len(FIELDS) == len(get_args(Event))


@pytest.mark.parametrize("kind", FIELDS)
def test_an_event_is_its_line_and_the_line_its_event(kind: str) -> None:
    line = json.dumps({"kind": kind, "at": "2030-01-02T03:04:05.678Z", **FIELDS[kind]})
    event = events.decode(line)
    assert type(event) is events.KINDS[kind]
    assert event.at == "2030-01-02T03:04:05.678Z"
    written = json.loads(json.dumps(events.encode(event)))
    assert written == json.loads(line)
    assert events.decode(written) == event


def test_the_time_is_told_and_does_not_count() -> None:
    one, two = RunFailed("boom", at="1"), RunFailed("boom")
    assert one == two
    assert hash(one) == hash(two)
    assert two.at.endswith("Z")
    assert one != RunFailed("other", at="1")
    assert one != events.RunCompleted(3, at="1")
    assert one != "boom"


@pytest.mark.parametrize("figure", [math.nan, math.inf, -math.inf])
def test_a_figure_without_a_form_in_json_is_null(figure: float) -> None:
    event = UpdateFinished(1, 2, 3, policy_loss=figure, entropy=0.5)
    written = events.encode(event)
    assert (written["policy_loss"], written["entropy"]) == (None, 0.5)
    json.dumps(written, allow_nan=False)


def test_fields_of_a_newer_version_are_ignored() -> None:
    line = b'{"kind":"run_failed","error":"x","at":"t","colour":{"deep":[1]}}'
    assert events.decode(line) == RunFailed("x")


def test_a_kind_of_a_newer_version_is_an_error_of_its_own() -> None:
    with pytest.raises(UnknownEventError, match="did you mean 'run_started'") as told:
        events.decode('{"kind":"run_startd"}')
    assert isinstance(told.value, AstrariumError)
    assert isinstance(told.value, ValueError)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "truncated"),
        (b"\xff\xfe", "malformed"),
        ("[1]", "JSON object, not list"),
        ("{}", "'kind'"),
        ('{"kind":7}', "'kind'"),
        ('{"kind":"run_failed"}', "`error`"),
        ('{"kind":"run_failed","error":5}', "error"),
        ('{"kind":"update_finished","update":"1"}', "update"),
    ],
)
def test_what_is_no_event_says_why(line: str | bytes, reason: str) -> None:
    with pytest.raises(EventError, match=reason) as told:
        events.decode(line)
    assert type(told.value) is EventError


@given(
    st.builds(
        ReplayRecorded,
        st.integers(0, 10**9),
        st.text(),
        st.none() | st.floats(allow_nan=False, allow_infinity=False),
        st.lists(st.text(), max_size=3).map(tuple),
    )
)
def test_any_words_and_numbers_come_back(event: ReplayRecorded) -> None:
    written: dict[str, Any] = json.loads(json.dumps(events.encode(event)))
    assert events.decode(written) == event
