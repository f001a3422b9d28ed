"""Policies that learn what only their kind can learn, in seconds."""

from __future__ import annotations

import numpy as np
import pytest
from small_runs import small, training
from tiny_worlds import Knock, Recall, Steer


def rewards(config, world, count: int) -> list[float]:
    """Mean reward a step, update by update."""
    means: list[float] = []
    with training(config, world) as ppo:
        for _ in range(count):
            seen: list[float] = []
            ppo.update(0.0, lambda one, into=seen: into.append(float(one.reward.mean())))
            means.append(float(np.mean(seen)))
    return means


def recall_after(memory: str, count: int) -> float:
    """The share of right answers in the last few updates."""
    config = small(
        {
            "policy": {"hidden": [16], "memory": memory, "memory_size": 16},
            "ppo": {
                "rollout_steps": 16,
                "epochs": 4,
                "minibatches": 2,
                "learning_rate": 5e-3,
                "entropy_coef": 0.0,
            },
        }
    )
    # One step in four is asked about, right is 1 and wrong is -1.
    return (1.0 + Recall.STEPS * float(np.mean(rewards(config, Recall(32), count)[-5:]))) / 2.0


@pytest.mark.parametrize("memory", ["lstm", "gru"])
def test_a_memory_recalls_what_it_saw(memory: str) -> None:
    assert recall_after(memory, 30) > 0.9


def test_without_a_memory_there_is_only_guessing() -> None:
    assert 0.4 < recall_after("none", 30) < 0.6


@pytest.mark.parametrize("kind", ["gaussian", "squashed"])
@pytest.mark.parametrize("heads", [(), (2,)])
def test_controls_find_their_place(kind: str, heads: tuple[int, ...]) -> None:
    config = small(
        {
            "policy": {"hidden": [16], "controls": kind},
            "ppo": {
                "rollout_steps": 16,
                "epochs": 4,
                "learning_rate": 1e-2,
                "entropy_coef": 0.0,
                "gamma": 0.0,
            },
        }
    )
    told = rewards(config, Steer(64, heads), 15)
    # A choice of the right side pays 1; a miss costs its square.
    best = 1.0 if heads else 0.0
    assert told[0] < best - 0.3
    assert told[-1] > best - 0.1


@pytest.mark.parametrize("memory", ["none", "lstm"])
def test_a_head_that_matters_at_times_learns_from_those_times(memory: str) -> None:
    config = small(
        {
            "policy": {"hidden": [16], "memory": memory, "memory_size": 16},
            "ppo": {
                "rollout_steps": 16,
                "epochs": 4,
                "minibatches": 2,
                "learning_rate": 5e-3,
                "entropy_coef": 0.01,
                "gamma": 0.0,
            },
        }
    )
    assert np.mean(rewards(config, Knock(32), 40)[-5:]) > 0.9
