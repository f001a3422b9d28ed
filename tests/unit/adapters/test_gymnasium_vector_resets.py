"""Seeds and resets of the Gymnasium vector environment."""

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from astrarium import worlds
from astrarium.adapters.gymnasium import WorldVectorEnv
from astrarium.errors import ConfigError, EpisodeOverError, SeedError


def test_a_number_seeds_a_run_and_a_list_seeds_each_world() -> None:
    env, world = WorldVectorEnv("prospector-v2", 3), worlds.make_vec("prospector-v2", 3, seed=8)
    _, infos = env.reset(seed=8)
    assert np.array_equal(infos["episode_seed"], world.episode_seed)
    run_8 = infos["episode_seed"]
    _, infos = env.reset(seed=9)
    assert not set(run_8) & set(infos["episode_seed"])
    _, infos = env.reset(seed=[5, 2**64 - 1, 7])
    assert infos["episode_seed"].tolist() == [5, 2**64 - 1, 7]
    _, infos = env.reset(seed=np.array([1, 2, 3]))
    assert infos["episode_seed"].tolist() == [1, 2, 3]
    follows = WorldVectorEnv("prospector-v2", 1)
    follows.reset(seed=[1])
    _, infos = env.reset(seed=[None, 4, None])
    assert infos["episode_seed"][1] == 4
    assert infos["episode_seed"][0] == follows.reset()[1]["episode_seed"][0]


def test_resets_without_a_seed_continue_and_first_ones_differ() -> None:
    one, two = WorldVectorEnv("prospector-v2", 3), WorldVectorEnv("prospector-v2", 3)
    first = {int(env.reset()[1]["episode_seed"][0]) for env in (one, two)}
    assert len(first) == 2
    for env in (one, two):
        env.reset(seed=1)
    assert np.array_equal(one.reset()[0], two.reset()[0])
    assert one.np_random.random() == two.np_random.random()


def test_bad_seeds_and_options_change_nothing() -> None:
    env = WorldVectorEnv("prospector-v2", 3, autoreset_mode=AutoresetMode.DISABLED)
    env.reset(seed=1)
    before, mask = env.world.digests(), np.array([True, False, False])
    for wrong in (-1, 1.5, True, "abc", [1, 2], [1, 2, -3], [1, 2, "3"], [None, 2, 0.5]):
        with pytest.raises(SeedError):
            env.reset(seed=wrong)  # type: ignore[arg-type]
    with pytest.raises(SeedError, match="with a reset_mask give a list"):
        env.reset(seed=1, options={"reset_mask": mask})
    for bad in (mask[:2], mask.astype(int), mask.tolist(), ~mask & mask):
        with pytest.raises(ConfigError, match="reset_mask"):
            env.reset(options={"reset_mask": bad})
    with pytest.raises(ConfigError, match="did you mean 'reset_mask'"):
        env.reset(options={"reset_masks": mask})
    assert np.array_equal(env.world.digests(), before)


def test_a_masked_reset_leaves_the_others_and_its_options() -> None:
    env = WorldVectorEnv("prospector-v2", 3, autoreset_mode=AutoresetMode.DISABLED)
    env.reset(seed=1)
    env.step([0, 0, 0])
    before, options = env.world.digests(), {"reset_mask": np.array([True, False, True])}
    obs, infos = env.reset(seed=[11, 12, None], options=options)
    after = env.world.digests()
    assert (before == after).tolist() == [False, True, False]
    assert infos["episode_seed"][0] == 11
    assert np.array_equal(infos["action_mask"], env.world.mask[:, 0])
    assert np.array_equal(obs, env.world.obs[:, 0])
    assert list(options) == ["reset_mask"]


def test_an_ended_world_must_be_reset_when_autoreset_is_disabled() -> None:
    env = WorldVectorEnv("prospector-v2", 2, autoreset_mode=AutoresetMode.DISABLED, time_max=1)
    env.reset(seed=1)
    env.step([0, 0])
    before = env.world.digests()
    with pytest.raises(EpisodeOverError, match=r"^world 0 has ended .* env\.reset\(options="):
        env.step([0, 0])
    assert np.array_equal(env.world.digests(), before)
