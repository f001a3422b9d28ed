"""The learner of a GPU, on a CPU: without graphs it must be the same learner."""

from __future__ import annotations

import pytest
import torch
from closeness import close
from small_runs import PROSPECTOR, small, training, updates, weights
from tiny_worlds import Scripted

from astrarium.train.device import DeviceLearner
from astrarium.train.ppo import PPO

# One minibatch, for the two put rows in another order, each its own way.
ONE = {"ppo": {"minibatches": 1, "epochs": 3, "rollout_steps": 20}}
LAYERS = [
    ({}, False),
    ({"world": PROSPECTOR}, False),
    ({"policy": {"memory": "lstm", "memory_size": 8}}, False),
    ({"policy": {"memory": "gru", "memory_size": 8}, "ppo": {"value_clip": 0.05}}, True),
    ({"ppo": {"normalise_observations": True, "normalise_rewards": False}}, True),
    ({"policy": {"groups": {"left": [0], "right": [1]}, "controls": "gaussian"}}, True),
]


@pytest.fixture
def on_device(monkeypatch: pytest.MonkeyPatch):
    """Makes trainers use it, wherever they are."""

    def learner(ppo: PPO, name: str, slots: tuple[int, ...]) -> DeviceLearner:
        return DeviceLearner(name, ppo.world, slots, ppo.config, torch.device("cpu"))

    def turn_on() -> None:
        monkeypatch.setattr(PPO, "_learner", learner)

    return turn_on


def course(config, world) -> tuple[list[dict], torch.Tensor]:
    with training(config, world) as ppo:
        return [update.policies for update in updates(ppo, 3)], weights(ppo)


@pytest.mark.parametrize(("layer", "scripted"), LAYERS)
def test_it_comes_to_the_same_weights(layer, scripted: bool, on_device) -> None:
    config = small(ONE, layer)

    def world():
        return Scripted(6, 80, heads=(3, 2), controls=1) if scripted else None

    told, end = course(config, world())
    on_device()
    told_there, end_there = course(config, world())
    close(end_there, end, rtol=0, atol=5e-5)
    for here, there in zip(told, told_there, strict=True):
        for name, figures in here.items():
            assert there[name] == pytest.approx(figures, rel=1e-2, abs=1e-4)
