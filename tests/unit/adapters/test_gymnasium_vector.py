"""A batch as a Gymnasium vector environment: the same as its worlds one by one, in every mode."""

import gc
from copy import deepcopy
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics
from hypothesis import given, settings
from hypothesis import strategies as st

from astrarium.adapters.errors import UnsupportedWorldError
from astrarium.adapters.gymnasium import WorldEnv, WorldVectorEnv, register_all
from astrarium.errors import ActionError, ClosedError, ConfigError

register_all()
MODES = list(AutoresetMode)
N = 6
# Short, so that ends of both kinds come often and at different times.
SHORT = {"time_max": 60}


def sample(mask: npt.NDArray[Any], rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """One legal action per world, or now and then any action at all."""
    legal = np.array([rng.choice(np.flatnonzero(row)) for row in mask])
    return np.where(rng.random(len(mask)) < 0.1, rng.integers(0, 69, len(mask)), legal)


def assert_same_infos(ours: dict[str, Any], theirs: dict[str, Any], where: str = "") -> None:
    """Key by key; what Gymnasium collects as float64 is float32 here, so values are compared."""
    assert ours.keys() == theirs.keys(), where
    for key, value in ours.items():
        other = theirs[key]
        if isinstance(value, dict):
            assert_same_infos(value, other, f"{where}.{key}")
        elif value.dtype == object:
            assert [x is None for x in value] == [x is None for x in other], key
            for mine, its in zip(value, other, strict=True):
                assert mine is None or np.array_equal(mine, its), key
        else:
            assert value.shape == other.shape, f"{where}.{key}"
            assert np.array_equal(value, other), f"{where}.{key}"


def both(mode: AutoresetMode, n: int = N) -> tuple[WorldVectorEnv, SyncVectorEnv]:
    """The native vector environment, and Gymnasium's own over single worlds."""
    ours = WorldVectorEnv("prospector-v2", n, autoreset_mode=mode, **SHORT)
    single = [lambda: WorldEnv("prospector-v2", **SHORT)] * n  # type: ignore[arg-type]
    return ours, SyncVectorEnv(single, autoreset_mode=mode)


def forget_final_masks(infos: dict[str, Any]) -> None:
    """The one thing Gymnasium's has more: the mask of a state that is over."""
    if "final_info" in infos:
        infos["final_info"].pop("action_mask")
        infos["final_info"].pop("_action_mask")


@pytest.mark.parametrize("mode", MODES)
@settings(max_examples=8, deadline=None)
@given(
    seeds=st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=N),
    play=st.integers(0, 2**32 - 1),
)
def test_equals_gymnasiums_own_step_by_step(
    mode: AutoresetMode, seeds: list[int], play: int
) -> None:
    ours, theirs = both(mode, len(seeds))
    rng = np.random.default_rng(play)
    obs, infos = ours.reset(seed=seeds)
    other, other_infos = theirs.reset(seed=list(seeds))
    ended_before, ends = np.zeros(len(seeds), bool), 0
    for _ in range(60):
        assert np.array_equal(obs, other)
        assert_same_infos(infos, other_infos)
        if mode is AutoresetMode.DISABLED and ended_before.any():
            obs, infos = ours.reset(options={"reset_mask": ended_before})
            other, other_infos = theirs.reset(options={"reset_mask": ended_before})
            # Theirs tells of the worlds that were reset, ours of all.
            assert np.array_equal(
                infos["action_mask"][ended_before], other_infos["action_mask"][ended_before]
            )
            assert np.array_equal(obs, other)
        actions = sample(infos["action_mask"], rng)
        obs, *ours_rest, infos = ours.step(actions)
        other, *their_rest, other_infos = theirs.step(actions)
        forget_final_masks(other_infos)
        for mine, its in zip(ours_rest, their_rest, strict=True):
            assert np.array_equal(mine, its)
        ended_before = ours_rest[1] | ours_rest[2]
        ends += int(ended_before.sum())
    assert ends


@pytest.mark.parametrize("mode", MODES)
def test_the_mode_is_declared_by_each_instance(mode: AutoresetMode) -> None:
    env = gymnasium.make_vec(
        "astrarium/Prospector-v2",
        num_envs=3,
        vectorization_mode="vector_entry_point",
        autoreset_mode=mode,
        time_max=99,
    )
    assert env.metadata["autoreset_mode"] is mode
    assert WorldVectorEnv("prospector-v2", autoreset_mode=mode.value).autoreset_mode is mode
    assert isinstance(env.unwrapped, WorldVectorEnv)
    assert env.unwrapped.world.config.time_max == 99  # type: ignore[attr-defined]
    assert WorldVectorEnv.metadata == VectorEnv.metadata
    again = gymnasium.make_vec(env.spec)  # type: ignore[arg-type]
    assert (again.num_envs, again.metadata["autoreset_mode"]) == (3, mode)


def test_spaces_are_batched() -> None:
    env, theirs = both(AutoresetMode.NEXT_STEP)
    for name in ("observation", "action"):
        for prefix in ("", "single_"):
            space = f"{prefix}{name}_space"
            assert getattr(env, space) == getattr(theirs, space)
    obs, _ = env.reset(seed=1)
    assert env.observation_space.contains(obs)
    assert env.observation_space.contains(env.step(env.action_space.sample())[0])


def run(
    mode: AutoresetMode, steps: int = 150
) -> tuple[RecordEpisodeStatistics[Any, Any], list[Any]]:
    """Play with Gymnasium's statistics around, and keep every (infos, episodes by hand)."""
    inner = WorldVectorEnv("prospector-v2", N, autoreset_mode=mode, **SHORT)
    env = RecordEpisodeStatistics(inner)
    rng, kept = np.random.default_rng(1), []
    _, infos = env.reset(seed=4)
    returns, lengths, idle = np.zeros(N), np.zeros(N, int), np.zeros(N, bool)
    for _ in range(steps):
        if mode is AutoresetMode.DISABLED and idle.any():
            _, infos = env.reset(options={"reset_mask": idle})
            idle = np.zeros(N, bool)
        _, rewards, terminated, truncated, infos = env.step(sample(infos["action_mask"], rng))
        returns, lengths = returns + rewards * ~idle, lengths + ~idle
        ended = terminated | truncated
        # Copied: Gymnasium's wrapper clears the array behind `_episode` at the next masked reset.
        kept.append((deepcopy(infos), ended, returns * ended, lengths * ended))
        returns, lengths, idle = returns * ~ended, lengths * ~ended, ended
        if mode is AutoresetMode.SAME_STEP:
            idle = np.zeros(N, bool)
    return env, kept


@pytest.mark.parametrize("mode", MODES)
def test_statistics_of_episodes_are_right(mode: AutoresetMode) -> None:
    env, kept = run(mode)
    count = 0
    for infos, ended, returns, lengths in kept:
        assert ("episode" in infos) == ended.any()
        if ended.any():
            assert np.array_equal(infos["_episode"], ended)
            assert infos["episode"]["r"] == pytest.approx(returns)
            assert np.array_equal(infos["episode"]["l"], lengths)
            count += int(ended.sum())
    assert env.episode_count == count > 2 * N


def test_a_final_observation_is_what_single_worlds_see_last() -> None:
    env = WorldVectorEnv("prospector-v2", N, autoreset_mode=AutoresetMode.SAME_STEP, **SHORT)
    singles = [WorldEnv("prospector-v2", **SHORT) for _ in range(N)]  # type: ignore[arg-type]
    _, infos = env.reset(seed=9)
    for single, seed in zip(singles, infos["episode_seed"], strict=True):
        single.reset(seed=int(seed))
    rng, seen = np.random.default_rng(0), 0
    for _ in range(120):
        actions = sample(infos["action_mask"], rng)
        obs, _, terminated, truncated, infos = env.step(actions)
        for index, single in enumerate(singles):
            last, _, *over, info = single.step(actions[index])
            assert over == [terminated[index], truncated[index]]
            if any(over):
                seen += 1
                assert infos["_final_obs"][index]
                assert infos["_final_info"][index]
                assert np.array_equal(infos["final_obs"][index], last)
                final = infos["final_info"]
                assert final["episode_seed"][index] == info["episode_seed"]
                assert {k: v[index] for k, v in final["stats"].items() if k[0] != "_"} == {
                    k: np.float32(v) for k, v in info["stats"].items()
                }
                first, _ = single.reset(seed=int(infos["episode_seed"][index]))
                assert np.array_equal(obs[index], first)
    assert seen > N


def test_infos_can_be_listed_by_gymnasiums_wrapper() -> None:
    env = DictInfoToList(
        WorldVectorEnv("prospector-v2", N, autoreset_mode=AutoresetMode.SAME_STEP, **SHORT)
    )
    env.reset(seed=1)
    ended = 0
    for _ in range(100):
        _, _, terminated, truncated, infos = env.step(env.action_space.sample())
        for over, info in zip(terminated | truncated, infos, strict=True):
            assert ("final_info" in info) == ("final_obs" in info) == over
            # What a step produced belongs to the episode that made the step.
            assert ("reward_terms" in info) != over
            ended += over
    assert ended


def test_copies_are_the_callers_and_views_are_read_only() -> None:
    env = WorldVectorEnv("prospector-v2", 2)
    obs, infos = env.reset(seed=1)
    kept = obs.copy()
    env.step([0, 1])
    assert np.array_equal(obs, kept)
    obs[:] = 0
    infos["action_mask"][:] = 0
    view = WorldVectorEnv("prospector-v2", 2, copy=False)
    obs, infos = view.reset(seed=1)
    for array, own in ((obs, view.world.obs), (infos["action_mask"], view.world.mask)):
        assert np.shares_memory(array, own)
        assert not array.flags.writeable


def test_without_figures_only_endings_are_told() -> None:
    options: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP, **SHORT}
    full = WorldVectorEnv("prospector-v2", N, **options)
    lean = WorldVectorEnv("prospector-v2", N, figures=False, **options)
    for env in (full, lean):
        env.reset(seed=3)
    for _ in range(60):
        actions = full.action_space.sample()
        *_, infos = full.step(actions)
        *_, few = lean.step(actions)
        for key in ("reward_terms", "events", "stats"):
            infos.pop(key, None)
            infos.pop(f"_{key}", None)
        assert_same_infos(few, infos)


@pytest.mark.parametrize("wrong", [None, 3, [1], [1.0, 2.0], [[1, 2], [3, 4]], "ab"])
def test_actions_of_the_wrong_form_change_nothing(wrong: object) -> None:
    env = WorldVectorEnv("prospector-v2", 2)
    env.reset(seed=1)
    before = env.world.digests()
    with pytest.raises(ActionError):
        env.step(wrong)
    assert np.array_equal(env.world.digests(), before)


@pytest.mark.parametrize("kind", ["one-head", "two-heads", "controls", "mixed"])
def test_every_kind_of_order_reaches_the_world(scales: dict[str, str], kind: str) -> None:
    env = WorldVectorEnv(scales[kind], 5, autoreset_mode=AutoresetMode.SAME_STEP)
    env.reset(seed=1)
    for _ in range(5):
        actions = env.action_space.sample()
        parts = actions.values() if isinstance(actions, dict) else [actions]
        weight = sum(part.reshape(5, -1).sum(-1) for part in parts)
        assert env.step(actions)[1] == pytest.approx(weight, abs=1e-6)


def test_what_does_not_fit_is_refused_and_leaves_nothing_behind() -> None:
    with pytest.raises(UnsupportedWorldError, match="WorldParallelEnv"):
        WorldVectorEnv("lanterns-v1", 2)
    with pytest.raises(ConfigError, match=r"autoreset_mode is 'soon' .*'NextStep'"):
        WorldVectorEnv("prospector-v2", autoreset_mode="soon")
    gc.collect()


def test_threads_do_not_change_a_bit() -> None:
    one, two = (WorldVectorEnv("prospector-v2", 33, threads=t) for t in (1, 2))
    for env in (one, two):
        env.reset(seed=1)
    for _ in range(30):
        actions = one.action_space.sample()
        for mine, other in zip(one.step(actions)[:4], two.step(actions)[:4], strict=True):
            assert np.array_equal(mine, other)


def test_pictures_and_closing() -> None:
    env = WorldVectorEnv("prospector-v2", 2, render_mode="ansi")
    env.reset(seed=[3, 4])
    assert [text.splitlines()[0][-1] for text in env.render() or ()] == ["3", "4"]
    assert WorldVectorEnv("prospector-v2").render() is None
    env.close()
    env.close()
    with pytest.raises(ClosedError, match=r"this WorldVectorEnv .*make a new one$"):
        env.step([0, 0])


@pytest.mark.parametrize(("mode", "kwargs"), [("sync", {}), ("async", {"context": "spawn"})])
def test_gymnasiums_own_vectorisation_works_too(mode: str, kwargs: dict[str, Any]) -> None:
    env = gymnasium.make_vec(
        "astrarium/Prospector-v2", num_envs=2, vectorization_mode=mode, vector_kwargs=kwargs
    )
    obs, infos = env.reset(seed=5)
    assert infos["episode_seed"].tolist() == [5, 6]
    assert obs.shape == (2, 260)
    env.step(env.action_space.sample())
    env.close()
