"""Environments are pickled and copied in the middle of an episode, and play on alike."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import cloudpickle
import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from pettingzoo import ParallelEnv

from astrarium.adapters.gymnasium import WorldEnv
from astrarium.adapters.pettingzoo import WorldParallelEnv
from astrarium.adapters.tidebreak import TidebreakEnv
from astrarium.adapters.tidebreak_wrappers import FlatObs
from astrarium.adapters.townlet import TownletParallelEnv
from astrarium.errors import ClosedError

WAYS: list[Callable[[Any], Any]] = [
    lambda env: pickle.loads(pickle.dumps(env)),
    lambda env: cloudpickle.loads(cloudpickle.dumps(env)),
    copy.deepcopy,
]
ENVS: list[Callable[[], Any]] = [
    lambda: WorldEnv("prospector-v2", time_max=60),
    lambda: WorldEnv("fieldseeker-v1"),
    lambda: WorldEnv("lanterns-v1", ticks_max=30),
    lambda: WorldEnv("townlet-v1"),
    lambda: TidebreakEnv(obs_mode="raw"),
    lambda: FlatObs(TidebreakEnv()),
    lambda: WorldParallelEnv("lanterns-v1", ticks_max=30),
    lambda: WorldParallelEnv("townlet-v1"),
    lambda: WorldParallelEnv("tidebreak-v1", side="both", mask_in_obs=True),
    TownletParallelEnv,
]


def act(env: Any) -> Any:
    """Take one step of random actions, from the environment's own generators."""
    if isinstance(env, gymnasium.Env):
        answer = env.step(env.action_space.sample())
        return env.reset() if answer[2] or answer[3] else answer
    answer = env.step({name: env.action_space(name).sample() for name in env.agents})
    return answer if env.agents else env.reset()


@pytest.mark.parametrize("way", WAYS, ids=["pickle", "cloudpickle", "deepcopy"])
@pytest.mark.parametrize("make", ENVS)
def test_a_copy_plays_on_as_the_original_does(
    make: Callable[[], Any], way: Callable[[Any], Any]
) -> None:
    env = make()
    if isinstance(env, ParallelEnv):
        for at, name in enumerate(env.possible_agents):
            env.action_space(name).seed(at)
    else:
        env.action_space.seed(0)
    env.reset(seed=5)
    for _ in range(12):
        act(env)
    twin = way(env)
    world, other = env.unwrapped.world, twin.unwrapped.world
    assert other is not world
    assert np.array_equal(world.digests(), other.digests())
    for _ in range(40):
        assert data_equivalence(act(env), act(twin), exact=True)
        assert np.array_equal(world.digests(), other.digests())


def test_a_copy_that_was_never_reset_asks_for_a_reset() -> None:
    twin = pickle.loads(pickle.dumps(WorldEnv("prospector-v2")))
    with pytest.raises(gymnasium.error.ResetNeeded):
        twin.step(0)
    assert twin.reset(seed=4)[1]["episode_seed"] == 4


def test_a_closed_environment_cannot_be_pickled() -> None:
    env = WorldEnv("prospector-v2")
    env.close()
    with pytest.raises(ClosedError, match=r"this WorldEnv of prospector-v2 .*make a new one$"):
        pickle.dumps(env)
