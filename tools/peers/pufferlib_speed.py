"""PufferLib's own trainer, with our settings or with its defaults.

With the variant `defaults` everything but the network is as PufferLib ships it: one epoch, a
horizon of 64, minibatches of 8,192, and its own optimizer. Then it does a quarter of the work.
"""

from __future__ import annotations

import ast
import configparser
from pathlib import Path
from typing import Any

import pufferlib
import torch
from pufferlib.pufferl import PuffeRL
from torch import nn

from astrarium.adapters.pufferlib import native_class
from astrarium.bench.trainers import contract, dummy, plain
from astrarium.bench.trainers.contract import Task, Timed, timed

DEFAULTS = "defaults"


class Policy(nn.Module):
    """The network in the form PufferLib calls."""

    def __init__(self, obs_dim: int, hidden: tuple[int, ...], choices: int) -> None:
        super().__init__()
        self.trunk = plain.trunk(obs_dim, hidden)
        self.actor = nn.Linear(hidden[-1], choices)
        self.critic = nn.Linear(hidden[-1], 1)

    def forward(self, observations: torch.Tensor, state: Any = None) -> tuple[Any, Any]:
        """Logits and value."""
        features = self.trunk(observations)
        return self.actor(features), self.critic(features)

    forward_eval = forward


def shipped_settings() -> dict[str, Any]:
    """The `train` part of the configuration that PufferLib comes with."""
    shipped = configparser.ConfigParser()
    shipped.read(Path(pufferlib.__file__).parent / "config" / "default.ini")
    settings: dict[str, Any] = {}
    for name, value in shipped["train"].items():
        try:
            settings[name] = ast.literal_eval(value)
        except (SyntaxError, ValueError):
            settings[name] = value
    return settings


def settings_of(task: Task) -> dict[str, Any]:
    """What the trainer runs with."""
    settings = {
        **shipped_settings(),
        "device": "cpu",
        "env": task.world,
        "use_rnn": False,
        "seed": task.seed,
        "total_timesteps": 10**12,
        "checkpoint_interval": 10**9,
    }
    if task.variant == DEFAULTS:
        # A minibatch may not be larger than what was collected.
        most = task.num_worlds * settings["bptt_horizon"]
        return {**settings, "minibatch_size": min(settings["minibatch_size"], most)}
    return {
        **settings,
        "optimizer": "adam",
        "learning_rate": contract.LEARNING_RATE,
        "gamma": contract.DISCOUNT,
        "gae_lambda": contract.TRACE_DECAY,
        "clip_coef": contract.CLIP,
        "ent_coef": contract.ENTROPY_WEIGHT,
        "vf_coef": contract.VALUE_WEIGHT,
        "max_grad_norm": contract.GRADIENT_NORM_MAX,
        "update_epochs": task.epochs,
        "bptt_horizon": task.rollout_steps,
        "minibatch_size": task.minibatch_size,
        "max_minibatch_size": task.minibatch_size,
    }


def measure(task: Task) -> tuple[Timed, dict[str, Any]]:
    """Steps per second of each iteration."""
    torch.set_num_threads(task.threads)
    env = native_class()(task.world, task.num_worlds, threads=task.threads, seed=task.seed)
    policy = Policy(
        env.single_observation_space.shape[0], task.hidden, int(env.single_action_space.n)
    )
    settings = settings_of(task)
    trainer = PuffeRL(settings, env, policy)

    def iterate() -> int:
        before = trainer.global_step
        trainer.evaluate()
        trainer.train()
        return trainer.global_step - before

    try:
        rates = timed(task, iterate)
    finally:
        trainer.utilization.stop()
    told = ("optimizer", "update_epochs", "bptt_horizon", "batch_size", "minibatch_size")
    return rates, {"mask": "ignored", **{name: settings[name] for name in told}}


if __name__ == "__main__":
    dummy.register()
    contract.answer(measure, ("pufferlib", "gymnasium"))
