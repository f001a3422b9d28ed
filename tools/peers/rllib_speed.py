"""RLlib's PPO on its present interface: one runner and one learner, both in this process.

Infos are dropped on the way in: RLlib would unpack them into a dict for each of the worlds.
"""

from __future__ import annotations

import logging
import os
import tempfile
from typing import Any

import ray
import torch
from gymnasium.vector import AutoresetMode
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig
from ray.tune.registry import register_env

from astrarium.adapters.gymnasium_vector import WorldVectorEnv
from astrarium.bench.trainers import contract, dummy
from astrarium.bench.trainers.contract import Task, Timed, timed


class QuietVectorEnv(WorldVectorEnv):
    """The batch without infos."""

    def reset(self, **kwargs: Any) -> tuple[Any, dict[str, Any]]:
        """Begin episodes."""
        return super().reset(**kwargs)[0], {}

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Advance every world."""
        return (*super().step(actions)[:-1], {})


def config_of(task: Task) -> PPOConfig:
    """What the algorithm runs with."""

    def make(context: dict[str, Any]) -> QuietVectorEnv:
        dummy.register()
        return QuietVectorEnv(
            task.world,
            context.get("num_envs", 1),
            threads=task.threads,
            autoreset_mode=AutoresetMode.NEXT_STEP,
            figures=False,
        )

    register_env("world", make)
    return (
        PPOConfig()
        .environment("world")
        .env_runners(
            num_env_runners=0,
            num_envs_per_env_runner=task.num_worlds,
            rollout_fragment_length=task.rollout_steps,
            gym_env_vectorize_mode="vector_entry_point",
        )
        .learners(num_learners=0)
        .rl_module(
            model_config=DefaultModelConfig(
                fcnet_hiddens=list(task.hidden), fcnet_activation="relu", vf_share_layers=True
            )
        )
        .training(
            train_batch_size_per_learner=task.batch_size,
            minibatch_size=task.minibatch_size,
            num_epochs=task.epochs,
            lr=contract.LEARNING_RATE,
            gamma=contract.DISCOUNT,
            lambda_=contract.TRACE_DECAY,
            clip_param=contract.CLIP,
            entropy_coeff=contract.ENTROPY_WEIGHT,
            vf_loss_coeff=contract.VALUE_WEIGHT,
            grad_clip=contract.GRADIENT_NORM_MAX,
            use_kl_loss=False,
        )
        .debugging(seed=task.seed, log_level="ERROR")
    )


def measure(task: Task) -> tuple[Timed, dict[str, Any]]:
    """Steps per second of each iteration."""
    logging.disable(logging.WARNING)
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        ray.init(
            num_cpus=task.threads,
            include_dashboard=False,
            log_to_driver=False,
            _temp_dir=folder,
        )
        try:
            return train(task)
        finally:
            ray.shutdown()


def train(task: Task) -> tuple[Timed, dict[str, Any]]:
    """The same, in a running Ray."""
    torch.set_num_threads(task.threads)
    algorithm = config_of(task).build_algo()
    taken = 0

    def iterate() -> int:
        nonlocal taken
        result = algorithm.train()
        before, taken = taken, int(result["num_env_steps_sampled_lifetime"])
        return taken - before

    try:
        return timed(task, iterate), {"optimizer": "Adam", "mask": "ignored"}
    finally:
        algorithm.stop()


if __name__ == "__main__":
    dummy.register()
    contract.answer(measure, ("ray", "gymnasium"))
