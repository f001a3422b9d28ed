"""Sample Factory's PPO: on one core everything in turn, on more a process for each part.

It samples and learns at the same time when it has the cores for it, as it was made to do; an
iteration is then the time from one finished training step to the next. Minibatches are not
shuffled and nothing is normalised, both to its advantage.
"""

from __future__ import annotations

import logging
import tempfile
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import torch
from sample_factory.algo.runners.runner import AlgoObserver
from sample_factory.algo.utils.misc import ExperimentStatus
from sample_factory.cfg.arguments import parse_full_cfg, parse_sf_args
from sample_factory.envs.env_utils import register_env
from sample_factory.train import make_runner

from astrarium import worlds
from astrarium.adapters import spaces
from astrarium.bench.trainers import contract, dummy
from astrarium.bench.trainers.contract import Stopwatch, Task, Timed


class BatchedEnv(gymnasium.Env):
    """A batch of worlds as one environment of many agents, which is how batches enter here."""

    is_multiagent = True

    def __init__(self, task: Task) -> None:
        dummy.register()
        self.world = worlds.make_vec(task.world, task.num_worlds)
        self.num_agents = task.num_worlds
        self.observation_space = spaces.observation_space(self.world.layout)
        self.action_space = spaces.action_space(self.world.layout)

    def reset(self, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        """Begin run `seed`."""
        self.world.reset(seed or 0)
        return self.world.obs[:, 0], {}

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Advance every world."""
        world = self.world
        world.step(actions)
        ended, cut_off = (
            flags[:, 0].view(np.bool_) for flags in (world.terminated, world.truncated)
        )
        return world.obs[:, 0], world.reward[:, 0], ended, cut_off, {}

    def close(self) -> None:
        """Let go of the batch."""
        self.world.close()


def make_env(task: Task, name: str, cfg: Any, env_config: Any, render_mode: Any = None) -> Any:
    """The environment, in whichever process it is wanted."""
    return BatchedEnv(task)


class Timer(AlgoObserver):
    """Notes every finished training step, and stops when there were enough."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.watch = Stopwatch(task)

    def on_training_step(self, runner: Any, training_iteration_since_resume: int) -> None:
        """One iteration is over."""
        if self.watch.lap(self.task.batch_size):
            runner._stop_training()


def arguments_of(task: Task, folder: str) -> list[str]:
    """The command line of the library."""
    alone = task.threads == 1
    settings = {
        "algo": "APPO",
        "env": "world",
        "experiment": "speed",
        "train_dir": folder,
        "restart_behavior": "overwrite",
        "device": "cpu",
        "seed": task.seed,
        "serial_mode": alone,
        "async_rl": not alone,
        "batched_sampling": True,
        "num_workers": 1,
        "num_envs_per_worker": 1,
        "worker_num_splits": 1,
        "rollout": task.rollout_steps,
        "batch_size": task.minibatch_size,
        "num_batches_per_epoch": task.minibatches,
        "num_epochs": task.epochs,
        "use_rnn": False,
        "recurrence": 1,
        "nonlinearity": "relu",
        "actor_critic_share_weights": True,
        "normalize_input": False,
        "normalize_returns": False,
        "learning_rate": contract.LEARNING_RATE,
        "gamma": contract.DISCOUNT,
        "gae_lambda": contract.TRACE_DECAY,
        "ppo_clip_ratio": contract.CLIP,
        "exploration_loss_coeff": contract.ENTROPY_WEIGHT,
        "value_loss_coeff": contract.VALUE_WEIGHT,
        "max_grad_norm": contract.GRADIENT_NORM_MAX,
        "train_for_env_steps": 10**12,
        "save_every_sec": 10**6,
        "log_to_file": False,
    }
    words = [f"--{name}={value}" for name, value in settings.items()]
    return [*words, "--encoder_mlp_layers", *map(str, task.hidden)]


def measure(task: Task) -> tuple[Timed, dict[str, Any]]:
    """Steps per second of each iteration."""
    logging.disable(logging.WARNING)
    torch.set_num_threads(task.threads)
    register_env("world", partial(make_env, task))
    with tempfile.TemporaryDirectory() as folder:
        words = arguments_of(task, folder)
        parser, _ = parse_sf_args(words)
        _, runner = make_runner(parse_full_cfg(parser, words))
        timer = Timer(task)
        runner.register_observer(timer)
        status = runner.init()
        if status == ExperimentStatus.SUCCESS:
            status = runner.run()
        if status != ExperimentStatus.SUCCESS:
            raise RuntimeError(f"the run ended with status {status}")
    alone, rates = task.threads == 1, timer.watch.timed()
    mode = "serial" if alone else "asynchronous"
    # Of several processes, this one only waits for the others.
    told = rates if alone else Timed(rates.wall, [])
    return told, {"optimizer": "Adam", "mask": "ignored", "mode": mode}


if __name__ == "__main__":
    dummy.register()
    contract.answer(measure, ("sample-factory", "gymnasium"))
