"""Towns as PettingZoo environments: people come and go, and none of them twice."""

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from pettingzoo.test import parallel_api_test, parallel_seed_test

from astrarium import ClosedError, worlds
from astrarium.adapters.errors import UnknownAgentError
from astrarium.adapters.pettingzoo import WorldParallelEnv
from astrarium.adapters.townlet import EXITS, TownletParallelEnv
from astrarium.worlds import registry
from astrarium.worlds.townlet.metadata import agent_metadata

TICKS = 900


def legal(env: WorldParallelEnv, infos: dict[str, Any]) -> dict[str, Any]:
    return {name: env.action_space(name).sample(infos[name]["action_mask"]) for name in env.agents}


def play(env: WorldParallelEnv, seed: int, ticks: int) -> Iterator[tuple[Any, ...]]:
    """Random legal choices, with somebody taken out of town every 60 ticks."""
    for at, name in enumerate(env.possible_agents):
        env.action_space(name).seed(seed + at)
    answer: tuple[Any, ...] = env.reset(seed=seed)
    for tick in range(ticks):
        if tick % 60 == 59:
            kill_first(env)
        answer = env.step(legal(env, answer[-1]))
        yield answer
        if not env.agents:
            return


def kill_first(env: WorldParallelEnv) -> None:
    portrait = env.world.portrait(0)  # pyright: ignore
    env.world.command(0, "kill", agent_id=min(portrait["agents"]))  # pyright: ignore


def test_pettingzoos_checkers_find_nothing_in_a_town() -> None:
    parallel_api_test(TownletParallelEnv(), num_cycles=TICKS)
    parallel_seed_test(TownletParallelEnv)
    plain = WorldParallelEnv("townlet-v1", mask_in_obs=True)
    parallel_api_test(plain, num_cycles=TICKS)
    parallel_seed_test(lambda: WorldParallelEnv("townlet-v1"))


def test_a_seed_decides_a_life_with_departures() -> None:
    one, two = TownletParallelEnv(), TownletParallelEnv()
    pairs = zip(play(one, 3, 400), play(two, 3, 400), strict=True)
    assert all(data_equivalence(a, b, exact=True) for a, b in pairs)
    other = TownletParallelEnv()
    pairs = zip(play(one, 3, 50), play(other, 4, 50), strict=True)
    assert not all(data_equivalence(a, b, exact=True) for a, b in pairs)


def test_successors_take_new_names_and_nobody_returns() -> None:
    env = TownletParallelEnv()
    gone: set[str] = set()
    ids: dict[str, str] = {}
    seen_agents = env.possible_agents[:8]
    for obs, rewards, terminated, truncated, infos in play(env, 5, TICKS):
        assert set(obs) == set(rewards) == set(terminated) == set(truncated) == set(infos)
        assert set(seen_agents) <= set(obs)
        for name, info in infos.items():
            assert name not in gone
            assert ids.setdefault(name, info["town_id"]) == info["town_id"]
            if terminated[name]:
                assert info["exit_reason"] in EXITS
                gone.add(name)
            else:
                assert "exit_reason" not in info
        assert not gone & set(env.agents)
        assert len(env.agents) <= 8
        seen_agents = list(env.agents)
    assert len(gone) > 10
    named = sorted(ids)
    assert named == env.possible_agents[: len(named)], "names are given out in order"
    assert len(set(ids.values())) == len(ids)
    assert any(town_id.endswith("#1") for town_id in ids.values())


def test_a_context_is_new_for_a_newcomer_only() -> None:
    env = TownletParallelEnv()
    _, infos = env.reset(seed=5)
    known = set(env.agents)
    assert all(info["ctx_reset_flag"] for info in infos.values())
    came = 0
    for obs, _, terminated, _, infos in play(env, 5, 200):
        for name, info in infos.items():
            assert info["ctx_reset_flag"] == (name not in known or terminated[name])
            at = env.metadata["feature_index"]["ctx_reset_flag"]
            assert obs[name]["features"][at] == info["ctx_reset_flag"]
            came += name not in known
        known |= set(infos)
    assert came > 1


def test_when_the_names_run_out_everyone_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = worlds.get("townlet-v1")
    few = dataclasses.replace(entry, person_names=entry.person_names[:9])
    monkeypatch.setitem(registry._known, "townlet-v1", few)
    env = TownletParallelEnv()
    *_, last = play(env, 5, TICKS)
    _, _, terminated, truncated, infos = last
    assert not env.agents
    assert truncated
    assert all(truncated[name] or terminated[name] for name in infos)
    obs, _ = env.reset(seed=6)
    assert list(obs) == env.possible_agents[:8]


def test_the_end_of_time_cuts_everyone_off() -> None:
    env = TownletParallelEnv(env={"max_ticks": 30})
    answers = list(play(env, 1, 100))
    assert len(answers) == 30
    _, _, terminated, truncated, _ = answers[-1]
    assert all(truncated.values())
    assert not any(terminated.values())
    assert not env.agents


@pytest.mark.parametrize("variant", ["hybrid", "full", "compact"])
def test_observations_are_the_rows_of_the_batch_in_parts(variant: str) -> None:
    features = {"systems": {"observations": variant}}
    env = TownletParallelEnv(features=features)
    for obs, rewards, _, _, infos in play(env, 2, 30):
        for at, name in enumerate(env.agents):
            assert env.observation_space(name).contains(obs[name])
            row = np.concatenate([obs[name]["map"].ravel(), obs[name]["features"]])
            assert np.array_equal(row, env.world.obs[0, at])
            assert np.array_equal(obs[name]["action_mask"], infos[name]["action_mask"])
            parts = infos[name]["reward_breakdown"]
            assert parts["total"] == pytest.approx(rewards[name], abs=1e-6)
            social = parts["social_bonus"] + parts["social_penalty"] + parts["social_avoidance"]
            assert parts["social"] == social
            assert parts["guardrail_active"] == infos[name]["events"]["guardrail"]
    assert list(env.metadata["map_shape"]) == list(obs[env.agents[0]]["map"].shape)


def test_whoever_is_in_play_can_be_asked_about() -> None:
    env = TownletParallelEnv()
    with pytest.raises(UnknownAgentError, match="no agent is called 'mallory'"):
        env.agent_metadata("mallory")
    with pytest.raises(UnknownAgentError, match="citizen_000 is not in play"):
        env.agent_metadata("citizen_000")
    gone: set[str] = set()
    for _, _, terminated, _, infos in play(env, 5, 200):
        gone |= {name for name, ended in terminated.items() if ended}
        for name in env.agents:
            about = env.agent_metadata(name)
            assert about["embedding_slot"] == infos[name]["slot"]
            assert about == agent_metadata(env.world, 0, infos[name]["town_id"])  # pyright: ignore
    assert gone
    for name in gone:
        with pytest.raises(UnknownAgentError, match="is not in play"):
            env.agent_metadata(name)
    env.close()
    with pytest.raises(ClosedError, match="this TownletParallelEnv"):
        env.agent_metadata(env.agents[0])


def test_no_window_is_no_map() -> None:
    env = TownletParallelEnv(
        features={"systems": {"observations": "compact"}},
        observations={"compact": {"map_window": 0}},
    )
    obs, _ = env.reset(seed=1)
    assert set(obs["citizen_000"]) == {"features", "action_mask"}
    assert env.observation_space("citizen_000").contains(obs["citizen_000"])


def test_any_number_of_seats_is_named() -> None:
    env = TownletParallelEnv(population={"agents": 10, "seats": 12})
    obs, infos = env.reset(seed=1)
    assert list(obs) == [f"citizen_{number:03d}" for number in range(10)]
    assert infos["citizen_009"]["town_id"] == "resident_10"
    assert [info["slot"] for info in infos.values()] == list(range(10))
    with pytest.raises(
        UnknownAgentError, match=r"known: citizen_000, citizen_001, ..., citizen_255"
    ):
        env.action_space("mallory")
