"""Numbers that are not finite: named, and not learned from."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from small_runs import small, training, updates, weights
from tiny_worlds import Scripted

from astrarium.train.errors import NonFiniteError

POLICIES = [
    {},
    {"policy": {"hidden": []}},
    {"policy": {"memory": "lstm", "memory_size": 8}},
    {"ppo": {"normalise_observations": True}},
    {"ppo": {"normalise_rewards": False, "normalise_advantages": False}},
]


def spoil_rewards(world: Scripted, ppo) -> None:
    world.rewards[20, 2, 0] = np.nan
    world.alives[20, 2, 0] = 1


def spoil_rewards_with_infinity(world: Scripted, ppo) -> None:
    world.rewards[20, 2, 0] = np.inf
    world.alives[20, 2, 0] = 1


def spoil_observations(world: Scripted, ppo) -> None:
    world.sights[20, 2, 0, 1] = np.nan
    world.alives[20, 2, 0] = 1


def spoil_weights(world: Scripted, ppo) -> None:
    ppo.learners[0].network.output.weight.data[0, 0] = np.nan


def spoil_values(world: Scripted, ppo) -> None:
    ppo.learners[0].network.output.bias.data[-1] = 3e38
    ppo.learners[0].network.output.weight.data[-1] = 1e38


SPOILS = [
    (spoil_rewards, "rewards are not finite"),
    (spoil_rewards_with_infinity, "rewards are not finite"),
    (spoil_observations, "observations are not finite .*astrarium check"),
    (spoil_weights, r"weights are not finite \(first at \(.*learning_rate"),
    (spoil_values, r"(values|advantages) are not finite"),
]


@pytest.mark.parametrize("layer", POLICIES)
@pytest.mark.parametrize(("spoil", "words"), SPOILS)
@pytest.mark.filterwarnings("ignore:invalid value encountered:RuntimeWarning")
def test_the_culprit_is_named_and_nothing_is_learned(layer, spoil, words) -> None:
    config = small({"ppo": {"rollout_steps": 16, "minibatches": 8}}, layer)
    world = Scripted(4, 60)
    with training(config, world) as ppo:
        updates(ppo)
        spoil(world, ppo)
        before, adam = weights(ppo), ppo.learners[0].optimizer.state
        moments = {name: value.clone() for name, value in adam.items()}
        with pytest.raises(NonFiniteError, match=f"policy 'shared': {words}"):
            updates(ppo)
        after = weights(ppo)
        assert torch.equal(after.nan_to_num(7.0), before.nan_to_num(7.0))
        for name, value in adam.items():
            assert torch.equal(value, moments[name])
        assert ppo.updates == 1


def test_no_policy_learns_when_one_of_them_cannot() -> None:
    config = small(
        {"policy": {"groups": {"a": [0], "b": [1]}}, "ppo": {"normalise_rewards": False}}
    )
    world = Scripted(4, 60)
    world.alives[3, 1, 1], world.rewards[3, 1, 1] = 1, np.nan
    with training(config, world) as ppo:
        before = weights(ppo)
        with pytest.raises(NonFiniteError, match="policy 'b': rewards are not finite"):
            updates(ppo)
        assert torch.equal(weights(ppo), before)


def test_a_gradient_that_overflows_is_not_followed() -> None:
    """Everything is finite but the product of what was seen and what was missed."""
    config = small({"ppo": {"normalise_rewards": False, "rollout_steps": 8}})
    world = Scripted(4, 60)
    world.rewards *= np.float32(1e35)
    world.sights *= np.float32(1e5)
    with training(config, world) as ppo:
        before = weights(ppo)
        with pytest.raises(NonFiniteError, match="the gradient is not finite, although"):
            updates(ppo)
        assert torch.equal(weights(ppo), before)
