"""The rules of one update: schedules, early stops, and what it tells."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import torch
from small_runs import small, training, updates, weights
from tiny_worlds import Scripted

from astrarium.telemetry.events import UpdateFinished
from astrarium.train.ppo import line

FAST = {"ppo": {"rollout_steps": 8}}


def test_a_straight_line() -> None:
    assert [line(3.0, 1.0, at) for at in (0.0, 0.25, 1.0)] == [3.0, 2.5, 1.0]
    # A run may overshoot its goal within its last update.
    assert line(3.0, 1.0, 1.5) == 1.0
    assert line(3.0, 1.0, -1.0) == 3.0


def test_schedules_follow_progress() -> None:
    config = small(
        FAST,
        {
            "ppo": {
                "learning_rate": 1e-3,
                "final_learning_rate": 5e-4,
                "entropy_coef": 0.0,
                "final_entropy_coef": 0.4,
            }
        },
    )
    with training(config) as ppo:
        update = ppo.update(0.5, lambda world: None)
        assert (update.number, ppo.updates) == (0, 1)
        assert update.learning_rate == pytest.approx(7.5e-4)
        assert update.entropy_coef == pytest.approx(0.2)
        assert float(ppo.learners[0].optimizer.rate) == pytest.approx(7.5e-4)


def test_a_learning_rate_of_nothing_changes_nothing() -> None:
    config = small(FAST, {"ppo": {"final_learning_rate": 0.0}})
    with training(config) as ppo:
        before = weights(ppo)
        ppo.update(1.0, lambda world: None)
        assert torch.equal(weights(ppo), before)
        ppo.update(0.9, lambda world: None)
        assert not torch.equal(weights(ppo), before)


def test_entropy_is_paid_for() -> None:
    """With nothing else to gain, a policy that prefers something unlearns it."""
    config = small(FAST, {"ppo": {"entropy_coef": 1.0, "learning_rate": 1e-2}})
    world = Scripted(16, 200)
    world.rewards[...] = 0.0
    with training(config, world) as ppo:
        with torch.no_grad():
            ppo.learners[0].network.output.bias[0] = 2.0
        told = [one.policies["shared"]["entropy"] for one in updates(ppo, 8)]
    assert told[0] < 0.8
    assert told[-1] > 1.0
    assert told[-1] < np.log(3.0) + 1e-6


def test_epochs_stop_once_the_policy_has_moved_far_enough() -> None:
    far = {"ppo": {"epochs": 6, "learning_rate": 4e-3, "rollout_steps": 16}}

    def told(**ppo: float) -> dict[str, float]:
        with training(small(far, {"ppo": ppo})) as trainer:
            return updates(trainer)[0].policies["shared"]

    free = told()
    assert free["epochs_run"] == 6
    assert told(target_kl=1e3) == free
    one, two = told(epochs=1), told(epochs=2)
    first = one["approx_kl"]
    second = 2 * two["approx_kl"] - first
    assert 2 * first < second
    # It stops after the epoch that went too far, and nothing before that is different.
    assert told(target_kl=0.9 * first) == one
    assert told(target_kl=1.1 * first) == two
    assert told(target_kl=0.9 * second) == two
    assert told(target_kl=1.1 * second)["epochs_run"] > 2


def test_a_long_gradient_is_shortened() -> None:
    """Told as it was, followed as it may be."""
    one_step = {"ppo": {"epochs": 1, "minibatches": 1, "rollout_steps": 8}}
    lengths, norms = [], []
    for longest in (1e9, 1e-3):
        with training(small(one_step, {"ppo": {"max_grad_norm": longest}})) as ppo:
            (update,) = updates(ppo)
            norms.append(update.policies["shared"]["grad_norm"])
            # The first mean is a tenth of the gradient that was followed.
            lengths.append(10 * float(ppo.learners[0].optimizer.state["mean"].norm()))
    assert norms[0] == norms[1] == pytest.approx(lengths[0])
    assert norms[0] > 1e-3
    assert lengths[1] == pytest.approx(1e-3, rel=1e-2)


def test_the_scale_of_observations_stands_still_within_an_update() -> None:
    config = small({"ppo": {"normalise_observations": True}})
    with training(config) as ppo:
        (scale,) = (one.scale for one in ppo.learners)
        assert scale is not None
        updates(ppo)
        before = (scale.mean.clone(), scale.factor.clone())
        during: list[bool] = []

        def still(world) -> None:
            during.append(torch.equal(scale.mean, before[0]))
            during.append(torch.equal(scale.factor, before[1]))

        ppo.collect(still)
        assert len(during) == 32
        assert all(during)
        # And the log-probabilities come again under it: nothing moved in between.
        log_prob = ppo.learners[0].rollout.log_prob.clone()
        ppo.learners[0].learn(1, 0.0, 0.0)
        assert not torch.equal(scale.mean, before[0])
        played = ppo.learners[0].rollout.obs[:-1][ppo.learners[0].rollout.alive[:-1]]
        assert scale.moments.count[0] > len(played)
        assert torch.equal(ppo.learners[0].rollout.log_prob, log_prob)


def test_what_an_update_tells_is_what_its_event_takes() -> None:
    with training(small(FAST)) as ppo:
        (update,) = updates(ppo)
    event = UpdateFinished(
        update=update.number, env_steps_total=1, calls_total=1, **update.policies["shared"]
    )
    assert event.grad_norm == update.policies["shared"]["grad_norm"] > 0
    with pytest.raises(dataclasses.FrozenInstanceError):
        update.number = 3
