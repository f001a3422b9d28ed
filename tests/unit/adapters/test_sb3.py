"""A batch as a Stable-Baselines3 environment."""

from typing import Any

import numpy as np
import pytest
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3 import DQN, PPO
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.evaluation import evaluate_policy
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv, VecNormalize

from astrarium.adapters.errors import UnsupportedCallError, UnsupportedWorldError
from astrarium.adapters.gymnasium import WorldEnv
from astrarium.adapters.sb3 import WorldVecEnv
from astrarium.errors import ActionError, ClosedError, ConfigError, SeedError

N = 5
SHORT: dict[str, Any] = {"time_max": 60}


def sample(env: WorldVecEnv, rng: np.random.Generator) -> np.ndarray[Any, Any]:
    return np.array([rng.choice(np.flatnonzero(row)) for row in env.action_masks()])


@pytest.mark.parametrize("world_id", ["prospector-v1", "prospector-v2"])
def test_sb3s_checker_finds_nothing_in_the_single_environment(world_id: str) -> None:
    # Without its check of rendering, which closes the environment and then goes on using it.
    check_env(WorldEnv(world_id), warn=True)


def test_equals_sb3s_own_batch_step_by_step() -> None:
    """Against DummyVecEnv over single worlds in Monitors, with the same episode seeds."""
    env = WorldVecEnv("prospector-v2", N, **SHORT)
    env.seed(3)
    obs = env.reset()
    seeds = env.world.episode_seed.tolist()
    singles = DummyVecEnv([lambda: Monitor(WorldEnv("prospector-v2", **SHORT))] * N)
    singles._seeds = seeds
    assert np.array_equal(obs, singles.reset())
    rng, ends = np.random.default_rng(0), 0
    for _ in range(150):
        actions = sample(env, rng)
        obs, rewards, dones, infos = env.step(actions)
        _, other_rewards, other_dones, other_infos = singles.step(actions)
        assert np.array_equal(rewards, other_rewards)
        assert np.array_equal(dones, other_dones)
        for index, (info, other) in enumerate(zip(infos, other_infos, strict=True)):
            assert bool(info) == dones[index]
            if not info:
                continue
            ends += 1
            assert info["TimeLimit.truncated"] == other["TimeLimit.truncated"]
            assert np.array_equal(info["terminal_observation"], other["terminal_observation"])
            assert info["episode"]["l"] == other["episode"]["l"]
            assert info["episode"]["r"] == pytest.approx(other["episode"]["r"], abs=1e-5)
            assert info["episode"]["t"] > 0
            assert info["stats"] == other["stats"]
            assert info["episode_seed"] == other["episode_seed"]
            # The next episodes come from other lineages: put the single one on the batch's.
            seed = int(env.world.episode_seed[index])
            singles.envs[index].reset(seed=seed)
            assert np.array_equal(obs[index], singles.envs[index].unwrapped.world.obs[0, 0])  # type: ignore[attr-defined]
    assert ends > N


def test_ppo_learns_without_a_word() -> None:
    env = WorldVecEnv("prospector-v2", 8, **SHORT)
    model = PPO("MlpPolicy", env, n_steps=32, batch_size=64, n_epochs=1, seed=1, device="cpu")
    model.learn(512)
    assert model.num_timesteps == 512
    assert model.ep_info_buffer
    assert {"r", "l", "t"} <= set(model.ep_info_buffer[0])
    mean, spread = evaluate_policy(model, WorldVecEnv("prospector-v2", 4, **SHORT), 8)
    assert np.isfinite([mean, spread]).all()


def test_maskable_ppo_never_plays_an_illegal_action() -> None:
    env = WorldVecEnv("prospector-v2", 8, **SHORT)
    illegal = env.world.layout.events.index("invalid_action")
    assert is_masking_supported(env)
    masks = get_action_masks(env)
    assert (masks.shape, masks.dtype) == ((8, 69), np.bool_)
    model = MaskablePPO(
        "MlpPolicy", env, n_steps=32, batch_size=64, n_epochs=1, seed=1, device="cpu"
    )
    heard = np.zeros(8, np.uint32)
    step = env.step_wait

    def listen() -> Any:
        answer = step()
        np.bitwise_or(heard, env.world.events[:, 0], out=heard)
        return answer

    env.step_wait = listen  # type: ignore[method-assign]
    model.learn(512)
    assert heard.any()
    assert not (heard >> illegal & 1).any()


def test_the_same_seed_learns_the_same_weights() -> None:
    found: list[Any] = []
    for _ in range(2):
        env = WorldVecEnv("prospector-v2", 4, **SHORT)
        model = PPO("MlpPolicy", env, n_steps=16, batch_size=32, n_epochs=1, seed=7, device="cpu")
        found.append(model.learn(128).get_parameters()["policy"])
    assert all(bool((found[0][name] == found[1][name]).all()) for name in found[0])


def test_off_policy_and_normalising_wrappers_work() -> None:
    env = VecNormalize(WorldVecEnv("prospector-v2", 4, **SHORT))
    DQN("MlpPolicy", env, buffer_size=500, learning_starts=100, device="cpu").learn(300)


def test_a_seed_names_a_run() -> None:
    one, two = WorldVecEnv("prospector-v2", 3), WorldVecEnv("prospector-v2", 3)
    assert not np.array_equal(one.reset(), two.reset())
    for env in (one, two):
        assert env.seed(5) == [5, 5, 5]
    first = one.reset()
    assert np.array_equal(first, two.reset())
    assert not np.array_equal(first, one.reset())
    assert np.array_equal(one.reset(), (two.reset(), two.reset())[1])
    with pytest.raises(SeedError):
        one.seed(-1)


def test_observations_are_the_callers() -> None:
    env = WorldVecEnv("prospector-v2", 2)
    obs = env.reset()
    kept = obs.copy()
    env.step(np.array([0, 1]))
    assert np.array_equal(obs, kept)


def test_infos_of_worlds_that_go_on_cost_nothing() -> None:
    env = WorldVecEnv("prospector-v2", 2)
    env.reset()
    first, second = (env.step(np.array([0, 0]))[-1] for _ in range(2))
    assert first == [{}, {}]
    assert first is not second
    assert all(a is b for a, b in zip(first, second, strict=True))


def test_attributes_and_methods() -> None:
    env = WorldVecEnv("prospector-v2", 3)
    env.reset()
    assert env.get_attr("render_mode") == [None] * 3
    assert not env.has_attr("nonsense")
    env.set_attr("difficulty", 2, indices=[0, 2])
    assert env.get_attr("difficulty") == [2, None, 2]
    assert env.get_attr("difficulty", indices=2) == [2]
    (mask,) = env.env_method("action_masks", indices=1)
    assert np.array_equal(mask, env.world.mask[1, 0])
    with pytest.raises(UnsupportedCallError, match="known: action_masks"):
        env.env_method("reset")
    assert env.env_is_wrapped(Monitor, indices=[0]) == [True]
    with pytest.raises(ConfigError, match="no reset options"):
        env.set_options({"a": 1})
    env.set_options()
    with pytest.raises(ActionError):
        env.step(np.zeros((3, 2)))
    env.close()
    with pytest.raises(ClosedError, match=r"this WorldVecEnv .*make a new one$"):
        env.step(np.zeros(3, int))


def test_worlds_that_do_not_fit_are_refused(scales: dict[str, str]) -> None:
    with pytest.raises(UnsupportedWorldError, match=r"a VecEnv has one; .*Parallel"):
        WorldVecEnv("lanterns-v1", 2)
    with pytest.raises(UnsupportedWorldError, match="mixes 2 heads with 2 controls"):
        WorldVecEnv(scales["mixed"], 2)


@pytest.mark.parametrize("kind", ["two-heads", "controls"])
def test_other_kinds_of_orders_can_be_learned(scales: dict[str, str], kind: str) -> None:
    env = WorldVecEnv(scales[kind], 4)
    PPO("MlpPolicy", env, n_steps=16, batch_size=32, n_epochs=1, device="cpu").learn(64)
