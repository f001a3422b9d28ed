"""Tools of other projects with worlds by their plain names, unmodified."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from pettingzoo.test import parallel_api_test
from stable_baselines3 import DQN, PPO
from stable_baselines3.common.env_util import make_vec_env

import astrarium
from astrarium.adapters.gymnasium import WorldEnv, WorldVectorEnv
from astrarium.adapters.pettingzoo import WorldParallelEnv
from astrarium.adapters.pufferlib import WorldPufferEnv
from astrarium.adapters.sb3 import WorldVecEnv
from astrarium.errors import ResetNeededError


@pytest.mark.parametrize("name", ["Prospector-v2", "Townlet-v1", "Tidebreak-v1", "Lanterns-v1"])
def test_sb3_makes_a_batch_by_name(name: str) -> None:
    envs = make_vec_env(f"astrarium/{name}", n_envs=2, seed=1)
    assert envs.render_mode == "rgb_array"
    PPO("MlpPolicy", envs, n_steps=8, batch_size=16, n_epochs=1, device="cpu").learn(16)


def test_sb3s_dqn_learns_by_name() -> None:
    model = DQN("MlpPolicy", "astrarium/Prospector-v2", learning_starts=8, device="cpu")
    model.learn(16)


SCRIPT = """
import sys
import astrarium
import numpy as np
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.vec_env import SubprocVecEnv

if __name__ == "__main__":
    envs = make_vec_env(sys.argv[1], n_envs=2, seed=1, vec_env_cls=SubprocVecEnv)
    alone = make_vec_env(sys.argv[1], n_envs=2, seed=1)
    assert np.array_equal(envs.reset(), alone.reset())
    assert np.array_equal(envs.step(np.zeros(2, int))[0], alone.step(np.zeros(2, int))[0])
    envs.close()
"""


def test_sb3s_processes_play_worlds_by_name(tmp_path: Path) -> None:
    """Its processes import the script again, and with it the worlds."""
    script = tmp_path / "script.py"
    script.write_text(SCRIPT, "utf-8")
    subprocess.run([sys.executable, str(script), "astrarium/Prospector-v2"], check=True)


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="SuperSuit has no wheel for this Python")
@pytest.mark.parametrize(
    ("world_id", "settings"), [("lanterns-v1", {"ticks_max": 20}), ("townlet-v1", {})]
)
def test_supersuit_makes_a_batch_of_agents(world_id: str, settings: dict[str, Any]) -> None:
    import supersuit

    env = supersuit.black_death_v3(WorldParallelEnv(world_id, **settings))
    agents = len(env.possible_agents)
    batch = supersuit.pettingzoo_env_to_vec_env_v1(env)
    batch = supersuit.concat_vec_envs_v1(batch, 2, num_cpus=1, base_class="gymnasium")
    batch.reset(seed=1)
    ended = 0
    for _ in range(50):
        actions = np.stack([batch.action_space.sample() for _ in range(2 * agents)])
        ended += batch.step(actions)[2].sum()
    assert ended > 0 or world_id == "townlet-v1"


@pytest.mark.parametrize("world_id", ["townlet-v1", "fieldseeker-v1"])
def test_pettingzoos_checker_finds_nothing(world_id: str) -> None:
    parallel_api_test(WorldParallelEnv(world_id), num_cycles=200)


def test_infos_of_agents_are_arrays_of_one_shape() -> None:
    """TorchRL makes room for what a reset returns, and stores every step there."""
    env = WorldParallelEnv("townlet-v1")
    _, infos = env.reset(seed=2**64 - 1)
    first = infos["citizen_000"]
    assert first["episode_seed"] == 2**64 - 1
    for _ in range(5):
        *_, infos = env.step(dict.fromkeys(env.agents, 0))
        for info in infos.values():
            assert info.keys() == first.keys()
            for name, value in info.items():
                assert isinstance(value, np.ndarray)
                assert (value.shape, value.dtype) == (first[name].shape, first[name].dtype)


@pytest.mark.parametrize(
    ("env", "action"),
    [
        (lambda: WorldEnv("prospector-v2"), 0),
        (lambda: WorldEnv("townlet-v1"), 0),
        (lambda: WorldVectorEnv("prospector-v2", 2), np.zeros(2, int)),
        (lambda: WorldVecEnv("prospector-v2", 2), np.zeros(2, int)),
        (lambda: WorldParallelEnv("lanterns-v1"), {}),
    ],
)
def test_a_step_before_the_first_reset_is_refused(env: Any, action: Any) -> None:
    with pytest.raises(gymnasium.error.ResetNeeded, match=r"begin .* with env\.reset\(\)") as found:
        env().step(action)
    assert isinstance(found.value, ResetNeededError)


def test_a_refused_keyword_is_pythons_own_error_too() -> None:
    for make in (WorldEnv, WorldVectorEnv, WorldVecEnv, WorldParallelEnv, WorldPufferEnv):
        with pytest.raises(TypeError, match="unexpected keyword argument 'frameskip'"):
            make("prospector-v2", frameskip=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="did you mean 'time_max'"):
        astrarium.make_vec("prospector-v2", time_maxx=1)
