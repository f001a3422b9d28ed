"""Worlds of several agents as PettingZoo environments."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.utils.env_checker import data_equivalence
from pettingzoo.test import parallel_api_test, parallel_seed_test
from pettingzoo.utils.conversions import parallel_to_aec

from astrarium import worlds
from astrarium.adapters.errors import UnknownAgentError, UnsupportedWorldError
from astrarium.adapters.pettingzoo import WorldParallelEnv
from astrarium.errors import ActionError, ClosedError, ConfigError, EpisodeOverError, SeedError

KEEPERS = ["keeper_0", "keeper_1"]


def happened(env: WorldParallelEnv, info: dict[str, Any], event: str) -> bool:
    """Whether an event is set in an agent's info."""
    return bool(info["events"][env.metadata["events"].index(event)])


def legal(env: WorldParallelEnv, infos: dict[str, Any]) -> dict[str, Any]:
    """A random legal action for everyone in play."""
    return {name: env.action_space(name).sample(infos[name]["action_mask"]) for name in env.agents}


def play(
    env: WorldParallelEnv, seed: int | None, spaces_seed: int = 0
) -> Iterator[tuple[Any, ...]]:
    """An episode of random legal actions, answer by answer."""
    for at, name in enumerate(env.possible_agents):
        env.action_space(name).seed(spaces_seed + at)
    answer: tuple[Any, ...] = env.reset(seed=seed)
    yield answer
    while env.agents:
        answer = env.step(legal(env, answer[-1]))
        yield answer


@pytest.mark.parametrize("mask_in_obs", [False, True])
@pytest.mark.parametrize("world_id", ["lanterns-v1", "prospector-v2"])
def test_pettingzoos_checkers_find_nothing(world_id: str, mask_in_obs: bool) -> None:
    parallel_api_test(WorldParallelEnv(world_id, mask_in_obs=mask_in_obs), num_cycles=2000)
    parallel_seed_test(lambda: WorldParallelEnv(world_id, mask_in_obs=mask_in_obs))


@pytest.mark.parametrize("kind", ["two-heads", "controls", "mixed"])
def test_the_checker_finds_nothing_in_any_kind_of_action(scales: dict[str, str], kind: str) -> None:
    parallel_api_test(WorldParallelEnv(scales[kind]))


@pytest.mark.parametrize("world_id", ["lanterns-v1", "prospector-v2"])
def test_a_seed_decides_whole_episodes(world_id: str) -> None:
    """PettingZoo's own seed test stops as soon as a dict of endings is not empty: after a step."""
    one, two = WorldParallelEnv(world_id), WorldParallelEnv(world_id)
    lengths: set[int] = set()
    for seed in range(6):
        first = list(play(one, seed, seed))
        second = list(play(two, seed, seed))
        assert len(first) == len(second) > 1
        assert all(data_equivalence(a, b, exact=True) for a, b in zip(first, second, strict=True))
        lengths.add(len(first))
        # Without a seed both go on to the same next episode.
        assert data_equivalence(one.reset(), two.reset(), exact=True)
    assert len(lengths) > 1
    changed = list(play(two, 6, 5))
    assert not data_equivalence(first, changed, exact=True)


def test_unseeded_environments_differ() -> None:
    drawn = {
        int(WorldParallelEnv("lanterns-v1").reset()[1]["keeper_0"]["episode_seed"])
        for _ in range(4)
    }
    assert len(drawn) == 4


def test_agents_leave_when_they_end() -> None:
    env = WorldParallelEnv("lanterns-v1")
    left_alone = ended_by_time = 0
    for seed in range(10):
        present = list(KEEPERS)
        gone: set[str] = set()
        for answer in list(play_noting_agents(env, seed)):
            (obs, rewards, terminated, truncated, infos), agents = answer
            for part in (obs, rewards, terminated, truncated, infos):
                assert list(part) == present
            ended = {name for name in present if terminated[name] or truncated[name]}
            for name in ended:
                assert happened(env, infos[name], "lost") == terminated[name]
            assert agents == [name for name in present if name not in ended]
            ended_by_time += any(truncated.values())
            gone |= ended
            assert not gone & set(agents)
            present = agents
            left_alone += len(agents) == 1
    assert left_alone
    assert not env.agents
    assert env.step({}) == ({}, {}, {}, {}, {})
    with pytest.raises(EpisodeOverError, match=r"; begin .* with env\.reset\(\)$"):
        env.step(dict.fromkeys(KEEPERS, 0))


def test_a_closed_environment_says_so_in_its_own_words() -> None:
    env = WorldParallelEnv("prospector-v2")
    env.reset(seed=1)
    env.close()
    for call in (env.reset, env.state, lambda: env.step({"ship": 0})):
        with pytest.raises(ClosedError, match=r"this WorldParallelEnv of .*make a new one$"):
            call()


def test_an_agent_nobody_knows_is_refused_with_advice() -> None:
    env = WorldParallelEnv("lanterns-v1")
    for space in (env.action_space, env.observation_space):
        with pytest.raises(UnknownAgentError, match=r"'keeper_7'; did you mean 'keeper_"):
            space("keeper_7")
        with pytest.raises(KeyError, match=r"'zz' \(known: keeper_0, keeper_1\)"):
            space("zz")


def play_noting_agents(env: WorldParallelEnv, seed: int) -> Iterator[tuple[Any, list[str]]]:
    """Each step's answer, and who was in play after it."""
    answers = play(env, seed)
    next(answers)
    for answer in answers:
        yield answer, list(env.agents)


def test_equals_the_batch_it_reads() -> None:
    env = WorldParallelEnv("lanterns-v1", ticks_max=50)
    world = worlds.make_vec("lanterns-v1", 1, seed=None, autoreset="disabled", ticks_max=50)
    obs, infos = env.reset(seed=3)
    world.reset_with_seeds([3])
    while env.agents:
        actions = legal(env, infos)
        rows = np.array([[actions.get(name, [0, 0]) for name in KEEPERS]])
        obs, rewards, _, _, infos = env.step(actions)
        world.step(rows)
        for name in obs:
            slot = KEEPERS.index(name)
            assert np.array_equal(obs[name], world.obs[0, slot])
            assert rewards[name] == world.reward[0, slot]
            assert infos[name]["reward_terms"].sum() == rewards[name]
            assert infos[name]["episode_seed"] == 3
            assert np.array_equal(infos[name]["action_mask"], world.mask[0, slot])
        assert np.array_equal(env.world.digests(), world.digests())


def test_spaces_and_names() -> None:
    env = WorldParallelEnv("lanterns-v1", mask_in_obs=True)
    assert env.possible_agents == KEEPERS
    assert env.action_space("keeper_0") == spaces.MultiDiscrete([3, 2])
    assert env.action_space("keeper_0") is not env.action_space("keeper_1")
    assert str(env) == "lanterns-v1"
    obs, infos = env.reset(seed=1)
    for name in KEEPERS:
        assert env.observation_space(name).contains(obs[name])
        assert data_equivalence(obs[name]["action_mask"], infos[name]["action_mask"])
    assert WorldParallelEnv("prospector-v2").possible_agents == ["ship"]


def test_state_is_everything_at_once() -> None:
    env = WorldParallelEnv("lanterns-v1")
    obs, _ = env.reset(seed=1)
    assert np.array_equal(env.state(), np.concatenate([obs[name] for name in KEEPERS]))
    ship = WorldParallelEnv("prospector-v2")
    obs, _ = ship.reset(seed=1)
    assert ship.state().shape == ship.state_space.shape
    assert np.array_equal(ship.state()[:260], obs["ship"])


def test_legal_actions_are_never_ignored() -> None:
    env = WorldParallelEnv("lanterns-v1")
    for seed in range(3):
        for answer, _ in play_noting_agents(env, seed):
            infos = answer[-1].values()
            assert not any(happened(env, info, "ignored_order") for info in infos)


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"keeper_0": [1, 0]},
        {"keeper_0": [1, 0], "keeper_1": [1]},
        {"keeper_0": [1, 0], "keeper_1": [1.0, 0.0]},
        {"keeper_0": [1, 0], "keeper_1": None},
        {"keeper_0": [1, 0], "keeper_1": [[1, 0]]},
        {"keeper_0": [1, 0], "keeper_1": [1, 0], "keeper_2": [1, 0]},
    ],
)
def test_actions_of_the_wrong_form_change_nothing(wrong: dict[str, Any]) -> None:
    env = WorldParallelEnv("lanterns-v1")
    env.reset(seed=1)
    before = env.world.digests()
    with pytest.raises(ActionError, match="keeper"):
        env.step(wrong)
    assert np.array_equal(env.world.digests(), before)


def test_what_does_not_fit_is_refused(scales: dict[str, str]) -> None:
    env = WorldParallelEnv("lanterns-v1")
    with pytest.raises(SeedError):
        env.reset(seed=-1)
    with pytest.raises(ConfigError, match="did you mean 'ticks_max'"):
        WorldParallelEnv("lanterns-v1", tick_max=3)
    with pytest.raises(UnsupportedWorldError, match="no heads to mask"):
        WorldParallelEnv(scales["controls"], mask_in_obs=True)


def test_out_of_range_orders_are_the_worlds_business() -> None:
    env = WorldParallelEnv("lanterns-v1")
    env.reset(seed=1)
    *_, infos = env.step({"keeper_0": [2**40, 0], "keeper_1": [1, 0]})
    assert happened(env, infos["keeper_0"], "ignored_order")
    assert not happened(env, infos["keeper_1"], "ignored_order")


def test_pictures_and_turns() -> None:
    env = WorldParallelEnv("lanterns-v1", render_mode="ansi")
    env.reset(seed=5)
    drawn = env.render()
    assert drawn is not None
    assert [part.splitlines()[0] for part in drawn.split("\n\n")] == [
        f"lanterns-v1 {name}, episode 5" for name in KEEPERS
    ]
    assert WorldParallelEnv("lanterns-v1").render() is None
    turns = parallel_to_aec(env)
    turns.reset(seed=5)
    for name in turns.agent_iter(50):
        *_, terminated, truncated, info = turns.last()
        over = terminated or truncated
        turns.step(None if over else turns.action_space(name).sample(info["action_mask"]))
    turns.close()
