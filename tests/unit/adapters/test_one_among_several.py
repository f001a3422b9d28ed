"""One agent of a world of several, with scripted others."""

from typing import Any

import numpy as np
import pytest

from astrarium import worlds
from astrarium.adapters.errors import UnknownAgentError
from astrarium.adapters.gymnasium import WorldEnv
from astrarium.adapters.pettingzoo import WorldParallelEnv
from astrarium.errors import ActionError, ConfigError, EpisodeOverError
from astrarium.worlds.ladder import policies


def test_the_agent_acts_and_the_scripted_citizens_do_the_rest() -> None:
    env = WorldEnv("townlet-v1", agent="seat_3")
    world = worlds.make_vec("townlet-v1", 1, seed=None, autoreset="disabled")
    citizens = policies(worlds.get("townlet-v1"), ["citizens"])["citizens"]
    obs, info = env.reset(seed=5)
    world.reset_with_seeds([5])
    rng = np.random.default_rng(0)
    for step in range(300):
        assert np.array_equal(obs, world.obs[0, 3])
        action = int(rng.choice(np.flatnonzero(info["action_mask"])))
        orders = citizens(world, step).copy()
        orders[0, 3, 0] = action
        world.step(orders)
        obs, reward, *_, info = env.step(action)
        assert reward == world.reward[0, 3]
    assert np.array_equal(env.world.digests(), world.digests())


def test_others_may_be_played_by_any_player_of_the_world() -> None:
    digests: set[int] = set()
    for others in (None, "citizens", "idle", "random_legal"):
        env = WorldEnv("townlet-v1", others=others)
        env.reset(seed=2)
        for _ in range(100):
            env.step(0)
        digests.add(int(env.world.digests()[0]))
    assert len(digests) == 3, "without a name the citizens act"


def test_the_episode_is_over_when_the_agent_leaves() -> None:
    """The other keeper may still be walking."""
    endings: set[bool] = set()
    for seed in range(40):
        env = WorldEnv("lanterns-v1", agent="keeper_1")
        env.action_space.seed(seed)
        _, info = env.reset(seed=seed)
        terminated = truncated = False
        while not (terminated or truncated):
            action = env.action_space.sample(info["action_mask"])
            _, _, terminated, truncated, info = env.step(action)
        endings.add(bool(env.world.alive[0, 0]))
        with pytest.raises(EpisodeOverError, match=r"begin the next with env\.reset\(\)$"):
            env.step([1, 0])
        env.reset()
        env.step([1, 0])
    assert True in endings


def test_bad_names_and_actions_are_refused() -> None:
    with pytest.raises(UnknownAgentError, match=r"'keeper_9'; did you mean 'keeper_"):
        WorldEnv("lanterns-v1", agent="keeper_9")
    with pytest.raises(ConfigError, match="no bot called 'citizen'; did you mean 'citizens'"):
        WorldEnv("townlet-v1", others="citizen")
    with pytest.raises(ConfigError, match="prospector-v2 has one agent; leave it out"):
        WorldEnv("prospector-v2", others="greedy_miner")
    env = WorldEnv("lanterns-v1")
    env.reset(seed=1)
    before = env.world.digests()
    for wrong in (None, [1], [1.0, 0.0], [[1, 0]]):
        with pytest.raises(ActionError):
            env.step(wrong)
    assert np.array_equal(env.world.digests(), before)
    town = WorldEnv("townlet-v1", agent="seat_8", population={"agents": 8, "seats": 10})
    with pytest.raises(ConfigError, match="seat_8', which is not in play when this episode begins"):
        town.reset(seed=1)


def life(env: WorldParallelEnv, seed: int, steps: int) -> list[list[str]]:
    """Who was in play after each step of idle agents."""
    present: list[list[str]] = []
    env.reset(seed=seed)
    while env.agents and len(present) < steps:
        env.step(dict.fromkeys(env.agents, 0))
        present.append(list(env.agents))
    return present


def test_newcomers_are_played_by_a_script_or_are_agents() -> None:
    hungry: dict[str, Any] = {
        "rewards": {"decay_rates": {"hunger": 0.02}},
        "features": {"allow_unlivable": True},
    }
    scripted = WorldParallelEnv("townlet-v1", **hungry)
    assert len(scripted.possible_agents) == 8
    left = life(scripted, 3, 600)[-1]
    assert len(left) < 8, "agents that do nothing starve"
    assert set(left) < set(scripted.possible_agents)
    in_play = {slot for _, slot in scripted._seating.slots(left)}
    newcomers = set(np.flatnonzero(scripted.world.alive[0]).tolist()) - in_play
    assert newcomers, "others came in their place"
    pool = WorldParallelEnv("townlet-v1", newcomers="agents", **hungry)
    assert len(pool.possible_agents) == 256
    assert "citizen_008" in {name for names in life(pool, 3, 600) for name in names}
    with pytest.raises(ConfigError, match=r"newcomers is 'none' \(allowed: 'agents', 'scripted'\)"):
        WorldParallelEnv("townlet-v1", newcomers="none")  # type: ignore[arg-type]
