"""Stable-Baselines3's PPO, one iteration after the other.

`net_arch` alone would give actor and critic a network each, so the shared layers are a features
extractor and nothing follows it but the two heads.
"""

from __future__ import annotations

from typing import Any

import torch
from stable_baselines3 import PPO
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

from astrarium.adapters.sb3 import WorldVecEnv
from astrarium.bench.trainers import contract, dummy, plain
from astrarium.bench.trainers.contract import Task, Timed, timed


class Trunk(BaseFeaturesExtractor):
    """The layers that actor and critic share."""

    def __init__(self, observation_space: Any, hidden: tuple[int, ...]) -> None:
        super().__init__(observation_space, hidden[-1])
        self.layers = plain.trunk(observation_space.shape[0], hidden)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Observations to features."""
        return self.layers(observations)


def measure(task: Task) -> tuple[Timed, dict[str, Any]]:
    """Steps per second of each iteration."""
    torch.set_num_threads(task.threads)
    env = WorldVecEnv(task.world, task.num_worlds, threads=task.threads)
    model = PPO(
        "MlpPolicy",
        env,
        learning_rate=contract.LEARNING_RATE,
        n_steps=task.rollout_steps,
        batch_size=task.minibatch_size,
        n_epochs=task.epochs,
        gamma=contract.DISCOUNT,
        gae_lambda=contract.TRACE_DECAY,
        clip_range=contract.CLIP,
        ent_coef=contract.ENTROPY_WEIGHT,
        vf_coef=contract.VALUE_WEIGHT,
        max_grad_norm=contract.GRADIENT_NORM_MAX,
        policy_kwargs={
            "features_extractor_class": Trunk,
            "features_extractor_kwargs": {"hidden": task.hidden},
            "net_arch": [],
        },
        device="cpu",
        seed=task.seed,
    )

    def iterate() -> int:
        model.learn(task.batch_size, reset_num_timesteps=False)
        return task.batch_size

    rates = timed(task, iterate)
    weights = sum(weight.numel() for weight in model.policy.parameters())
    return rates, {"optimizer": "Adam", "mask": "ignored", "weights": weights}


if __name__ == "__main__":
    dummy.register()
    contract.answer(measure, ("stable-baselines3", "gymnasium"))
