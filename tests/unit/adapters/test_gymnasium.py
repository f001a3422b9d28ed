"""One world as a Gymnasium environment."""

import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.wrappers import RecordEpisodeStatistics

from astrarium import worlds
from astrarium.adapters.errors import UnsupportedWorldError
from astrarium.adapters.gymnasium import WorldEnv, WorldVectorEnv, gymnasium_id, register_all
from astrarium.errors import (
    ActionError,
    ClosedError,
    ConfigError,
    EpisodeOverError,
    SeedError,
    UnknownWorldError,
)
from astrarium.esper import entry
from astrarium.esper.tasks import task, task_names
from astrarium.esper.tasks.spec import USER_DATA

IDS = register_all()
BROUGHT = {
    gymnasium_id(entry.world_id(name)) for name in task_names() if task(name).data in USER_DATA
}
"""Worlds that can only be made where a user has brought their data."""


def legal(env: WorldEnv, rng: np.random.Generator) -> int:
    """A random legal action."""
    return int(rng.choice(np.flatnonzero(env.action_masks())))


def play(env: gymnasium.Env[Any, Any], rng: np.random.Generator) -> list[float]:
    """Rewards of random legal actions until the episode is over."""
    rewards: list[float] = []
    over = False
    while not over:
        _, reward, terminated, truncated, _ = env.step(legal(env.unwrapped, rng))  # type: ignore[arg-type]
        rewards.append(float(reward))
        over = terminated or truncated
    return rewards


def test_every_world_is_registered() -> None:
    assert set(IDS) == {gymnasium_id(world_id) for world_id in worlds.ids()}
    assert set(IDS) <= set(gymnasium.registry)


@pytest.mark.parametrize("name", [name for name in IDS if name not in BROUGHT])
def test_gymnasiums_checker_finds_nothing(name: str) -> None:
    """The checker draws in every render mode too."""
    # By its spec: by its name Gymnasium says of an old version that there is a newer one.
    env = gymnasium.make(gymnasium.spec(name))
    check_env(env.unwrapped)
    env.close()
    env.close()


@pytest.mark.parametrize("kind", ["one-head", "two-heads", "controls", "mixed"])
def test_the_checker_finds_nothing_in_any_kind_of_action(scales: dict[str, str], kind: str) -> None:
    env = WorldEnv(scales[kind])
    gymnasium.register("Scale-v0", lambda: WorldEnv(scales[kind]))
    env.spec = gymnasium.spec("Scale-v0")
    try:
        check_env(env, skip_render_check=True)
    finally:
        del gymnasium.registry["Scale-v0"]


def test_ids_are_derived_from_the_registry() -> None:
    assert gymnasium_id("prospector-v2") == "astrarium/Prospector-v2"
    assert gymnasium_id("deep-space_race-v10") == "astrarium/DeepSpaceRace-v10"
    assert gymnasium_id("unversioned") == "astrarium/Unversioned"


def test_make_by_name_with_settings() -> None:
    env = gymnasium.make("astrarium/Prospector-v2", time_max=50)
    assert env.unwrapped.world.config.time_max == 50  # type: ignore[attr-defined]
    with pytest.warns(DeprecationWarning, match="out of date"):
        gymnasium.make("astrarium/Prospector-v1")


def test_a_world_registered_later_can_be_added(scales: dict[str, str]) -> None:
    name = gymnasium_id(scales["one-head"])
    try:
        assert name in register_all()
        assert gymnasium.make(name).action_space == spaces.Discrete(3)
    finally:
        for world_id in scales.values():
            gymnasium.registry.pop(gymnasium_id(world_id), None)


def test_a_fresh_process_can_make_it_by_naming_the_module() -> None:
    code = (
        "import gymnasium, sys\n"
        "env = gymnasium.make('astrarium.adapters.gymnasium:astrarium/Prospector-v2')\n"
        "assert env.reset(seed=1)[0].shape == (260,)\n"
        "assert 'torch' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)


def test_worlds_that_do_not_fit_are_refused_with_the_way_out(scales: dict[str, str]) -> None:
    with pytest.raises(UnsupportedWorldError, match=r"2 agents \(keeper_0, keeper_1\).*Parallel"):
        WorldVectorEnv("lanterns-v1")
    with pytest.raises(UnsupportedWorldError, match="no action space"):
        WorldEnv(scales["nothing"])
    with pytest.raises(UnknownWorldError, match="did you mean 'prospector-v2'"):
        WorldEnv("prospecter-v2")


def test_bad_settings_are_refused_by_name() -> None:
    with pytest.raises(ConfigError, match="did you mean 'time_max'"):
        WorldEnv("prospector-v2", time_mx=5)
    for wrong in ({"threads": 2}, {"seed": 1}, {"autoreset": "same_step"}):
        name = next(iter(wrong))
        # Other libraries try keywords and look for Python's own error and words.
        with pytest.raises(TypeError, match=f"unexpected keyword argument '{name}'") as refused:
            WorldEnv("prospector-v2", **wrong)  # type: ignore[arg-type]
        assert isinstance(refused.value, ConfigError)
    with pytest.raises(ConfigError, match=r"'human' \(allowed: None, 'ansi', 'rgb_array'\)"):
        WorldEnv("prospector-v2", render_mode="human")
    with pytest.raises(ConfigError, match="unknown reset option 'sed'"):
        WorldEnv("prospector-v2").reset(options={"sed": 3})


def test_a_seed_is_exactly_the_episodes_seed() -> None:
    env = WorldEnv("prospector-v2")
    world = worlds.make_vec("prospector-v2", 1, seed=None)
    for seed in (0, 7, 2**64 - 1):
        obs, info = env.reset(seed=seed)
        world.reset_with_seeds([seed])
        assert info["episode_seed"] == seed
        assert np.array_equal(obs, world.obs[0, 0])


def test_resets_without_a_seed_continue_and_can_be_rerun() -> None:
    one, two = WorldEnv("prospector-v2"), WorldEnv("prospector-v2")
    one.reset(seed=5)
    two.reset(seed=5)
    seen: set[int] = set()
    for _ in range(4):
        (obs, info), (other, _) = one.reset(), two.reset()
        assert np.array_equal(obs, other)
        again, _ = WorldEnv("prospector-v2").reset(seed=int(info["episode_seed"]))
        assert np.array_equal(obs, again)
        seen.add(int(info["episode_seed"]))
    assert len(seen) == 4


def test_unseeded_environments_differ_unless_their_generator_is_set() -> None:
    drawn = {int(WorldEnv("prospector-v2").reset()[1]["episode_seed"]) for _ in range(4)}
    assert len(drawn) == 4
    same: set[int] = set()
    for _ in range(2):
        env = WorldEnv("prospector-v2")
        env.np_random = np.random.default_rng(3)
        same.add(int(env.reset()[1]["episode_seed"]))
    assert len(same) == 1


def test_bad_seeds_change_nothing() -> None:
    env = WorldEnv("prospector-v2")
    env.reset(seed=1)
    before, generator = env.world.digests(), env.np_random
    for wrong in (-1, 2**64, 1.5, True, "1"):
        with pytest.raises(SeedError):
            env.reset(seed=wrong)  # type: ignore[arg-type]
    assert np.array_equal(env.world.digests(), before)
    assert env.np_random is generator


def test_info_names_everything() -> None:
    env = WorldEnv("prospector-v2")
    _, info = env.reset(seed=2)
    assert set(info) == {"episode_seed", "action_mask"}
    layout, rng = env.world.layout, np.random.default_rng(0)
    heard: set[str] = set()
    for _ in range(200):
        _, reward, terminated, truncated, info = env.step(legal(env, rng))
        assert tuple(info["reward_terms"]) == layout.terms
        total = np.float32(0)
        for term in info["reward_terms"].values():
            total += np.float32(term)
        assert total == np.float32(reward)
        assert tuple(info["stats"]) == layout.stats
        assert np.array_equal(list(info["stats"].values()), env.world.stats[0])
        assert tuple(info["events"]) == layout.events
        heard |= {name for name, happened in info["events"].items() if happened}
        assert np.array_equal(info["action_mask"], env.world.mask[0, 0])
        if terminated or truncated:
            env.reset()
    assert heard
    assert "invalid_action" not in heard


def test_masks_are_made_for_sampling(scales: dict[str, str]) -> None:
    for world_id in ("prospector-v2", scales["two-heads"]):
        env = WorldEnv(world_id)
        _, info = env.reset(seed=1)
        for _ in range(20):
            assert env.action_space.contains(env.action_space.sample(info["action_mask"]))
    with pytest.raises(ActionError, match=r"the mask has shape \(4,\); this space takes \(5,\)"):
        env.action_space.sample(info["action_mask"][:4])
    assert "action_mask" not in WorldEnv(scales["controls"]).reset()[1]


def test_an_illegal_action_is_the_worlds_business() -> None:
    env = WorldEnv("prospector-v2")
    _, info = env.reset(seed=1)
    for action in (int(np.flatnonzero(info["action_mask"] == 0)[0]), 69, -1, 2**40):
        assert env.step(action)[-1]["events"]["invalid_action"], action


@pytest.mark.parametrize(
    "wrong", [None, 1.0, "1", [1, 2], [[[1]]], np.zeros(2, int), {"actions": 1}]
)
def test_an_action_of_the_wrong_form_changes_nothing(wrong: object) -> None:
    env = WorldEnv("prospector-v2")
    env.reset(seed=1)
    before = env.world.digests()
    with pytest.raises(ActionError):
        env.step(wrong)
    assert np.array_equal(env.world.digests(), before)


def test_numbers_of_any_integer_type_are_one_action() -> None:
    results: list[Any] = []
    for action in (3, np.int64(3), np.int8(3), np.array(3), np.array([3])):
        env = WorldEnv("prospector-v2")
        env.reset(seed=1)
        results.append(env.step(action))
    assert all(data_equivalence(results[0], other, exact=True) for other in results)


def test_every_kind_of_order_reaches_the_world(scales: dict[str, str]) -> None:
    choices, controls = np.array([2, 1]), np.array([0.5, -0.25])
    for kind, action, weight in (
        ("one-head", 2, 2.0),
        ("two-heads", choices, 3.0),
        ("controls", controls, 0.25),
        ("mixed", {"actions": choices, "controls": controls}, 3.25),
    ):
        env = WorldEnv(scales[kind])
        env.reset(seed=1)
        assert env.action_space.contains(env.action_space.sample())
        assert env.step(action)[1] == weight, kind
    for wrong in (choices, {"actions": choices}, {"actions": choices, "controls": None}):
        with pytest.raises(ActionError):
            env.step(wrong)


def test_an_episode_that_is_over_must_be_reset() -> None:
    env = WorldEnv("prospector-v2", time_max=20)
    env.reset(seed=1)
    play(env, np.random.default_rng(0))
    with pytest.raises(EpisodeOverError, match=r"^the episode is over; .* env\.reset\(\)$"):
        env.step(0)
    env.reset()
    env.step(0)


def test_a_closed_environment_says_so_in_its_own_words() -> None:
    env = WorldEnv("prospector-v2")
    env.close()
    for call in (env.reset, lambda: env.step(0)):
        with pytest.raises(ClosedError, match=r"this WorldEnv of prospector-v2 .*make a new one$"):
            call()


def test_statistics_of_episodes_are_right() -> None:
    env = RecordEpisodeStatistics(gymnasium.make("astrarium/Prospector-v2", time_max=200))
    rng = np.random.default_rng(0)
    by_hand: list[list[float]] = []
    for episode in range(5):
        env.reset(seed=episode)
        by_hand.append(play(env, rng))
    assert list(env.length_queue) == [len(rewards) for rewards in by_hand]
    assert list(env.return_queue) == pytest.approx([sum(rewards) for rewards in by_hand])


def test_the_picture_names_what_is_seen() -> None:
    env = WorldEnv("prospector-v2", render_mode="ansi")
    env.reset(seed=3)
    drawn = env.render()
    assert drawn is not None
    assert drawn.startswith("prospector-v2 ship, episode 3\n")
    assert "fuel_frac=1" in drawn.split()
    assert max(map(len, drawn.splitlines())) <= 100
    assert WorldEnv("prospector-v2").render() is None
