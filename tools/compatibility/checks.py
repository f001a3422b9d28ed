"""Play worlds with one tool of another project; run by `run.py` in that tool's environment.

Prints a line of JSON for each world: `yes`, or what went wrong.
"""

from __future__ import annotations

import json
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from astrarium.adapters.registration import gymnasium_id

STEPS = 40
SLOW = 4
"""Steps of Esper's worlds, each of which trains a network for an epoch."""


def steps_of(world: str) -> int:
    """Return how long a world is played."""
    return SLOW if world.startswith("esper") else STEPS


def gymnasium(world: str) -> None:
    """Film an episode."""
    import gymnasium
    from gymnasium.wrappers import RecordVideo

    with tempfile.TemporaryDirectory() as folder:
        env = gymnasium.make(gymnasium.spec(gymnasium_id(world)), render_mode="rgb_array")
        film = RecordVideo(env, folder, episode_trigger=lambda episode: True)
        film.reset(seed=1)
        for _ in range(steps_of(world)):
            *_, terminated, truncated, _ = film.step(film.action_space.sample())
            if terminated or truncated:
                break
        film.close()
        assert [path.suffix for path in Path(folder).iterdir()] == [".mp4"]


def torchrl(world: str) -> None:
    """Check and roll out the world by name, and its agents through PettingZoo."""
    from torchrl.envs import GymEnv, PettingZooWrapper, check_env_specs

    from astrarium.adapters.pettingzoo import WorldParallelEnv

    for env in (
        GymEnv(gymnasium_id(world)),
        PettingZooWrapper(WorldParallelEnv(world), use_mask=True),
    ):
        if not world.startswith("esper"):
            check_env_specs(env)
        env.rollout(steps_of(world), break_when_any_done=False)


def supersuit(world: str) -> None:
    """Play two copies of the world as one batch of agents."""
    import numpy as np
    import supersuit

    from astrarium.adapters.pettingzoo import WorldParallelEnv

    batch = supersuit.pettingzoo_env_to_vec_env_v1(
        supersuit.black_death_v3(WorldParallelEnv(world))
    )
    batch = supersuit.concat_vec_envs_v1(batch, 2, num_cpus=1, base_class="gymnasium")
    batch.reset(seed=1)
    for _ in range(steps_of(world)):
        batch.step(np.stack([batch.action_space.sample() for _ in range(batch.num_envs)]))


def rllib(world: str) -> None:
    """Train PPO for an iteration with a remote worker."""
    import ray
    from ray.rllib.algorithms.ppo import PPOConfig

    if not ray.is_initialized():
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    size = 2 * steps_of(world)
    config = (
        PPOConfig()
        .environment(gymnasium_id(world))
        .env_runners(num_env_runners=1, rollout_fragment_length=size)
        .training(train_batch_size_per_learner=size, minibatch_size=size, num_epochs=1)
    )
    algorithm = config.build_algo()
    try:
        assert algorithm.train()["num_env_steps_sampled_lifetime"] >= size
    finally:
        algorithm.stop()


def pufferlib(world: str) -> None:
    """Play two worlds through its vectorisation."""
    import importlib

    from astrarium.adapters.pufferlib import native_class

    vector = importlib.import_module("pufferlib.vector")
    env = vector.make(native_class(), env_kwargs={"world_id": world, "num_worlds": 2})
    env.reset(seed=1)
    for _ in range(steps_of(world)):
        env.step(env.action_space.sample())
    env.close()


CHECKS: dict[str, Callable[[str], None]] = {
    check.__name__: check for check in (gymnasium, torchrl, supersuit, rllib, pufferlib)
}


def main(tool: str, worlds: list[str]) -> None:
    """Check each world and print how it went."""
    warnings.simplefilter("ignore")
    for world in worlds:
        result: Any = "yes"
        try:
            CHECKS[tool](world)
        except Exception as error:
            traceback.print_exc()
            result = f"{type(error).__name__}: {error}"[:200]
        print(json.dumps({"world": world, "result": result}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
