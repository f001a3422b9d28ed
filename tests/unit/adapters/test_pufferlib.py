"""A batch with PufferLib's native contract, driven as PufferLib drives one."""

import importlib.util
import sys
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium import spaces

from astrarium import worlds
from astrarium.adapters.errors import UnsupportedWorldError
from astrarium.adapters.pufferlib import WorldPufferEnv, native_class
from astrarium.errors import ActionError, ClosedError, ConfigError, MissingPackageError

HAS_PUFFERLIB = importlib.util.find_spec("pufferlib") is not None


def shared_buffers(env: WorldPufferEnv, copies: int = 1) -> list[dict[str, Any]]:
    """One block of memory cut into a slice per environment, as PufferLib's Serial backend does."""
    agents = env.num_agents
    dtypes = {"observations": np.float32, "rewards": np.float32, "actions": env.actions.dtype}
    whole = {
        name: np.zeros((copies * agents, *getattr(env, name).shape[1:]), dtypes.get(name, np.bool_))
        for name in ("observations", "rewards", "terminals", "truncations", "masks", "actions")
    }
    return [
        {name: array[at * agents : (at + 1) * agents] for name, array in whole.items()}
        for at in range(copies)
    ]


def sample(env: WorldPufferEnv, rng: np.random.Generator) -> np.ndarray[Any, Any]:
    """A legal choice of each head for each agent."""
    heads = env.world.layout.heads
    parts = np.split(env.action_masks(), np.cumsum(heads)[:-1], axis=1)
    drawn = [[rng.choice(np.flatnonzero(row)) for row in part] for part in parts]
    actions = np.array(drawn, np.int32).T
    return actions[:, 0] if len(heads) == 1 else actions


@pytest.mark.parametrize("world_id", ["lanterns-v1", "prospector-v2"])
def test_a_training_loop_sees_the_batch(world_id: str) -> None:
    """The send and receive loop of PufferLib's trainer, beside the batch it should show."""
    driver = WorldPufferEnv(world_id, 3)
    (buf,) = shared_buffers(driver)
    env = WorldPufferEnv(world_id, 3, buf=buf, seed=4)
    world = worlds.make_vec(world_id, 3, seed=4)
    n, m, agents = 3, world.layout.agents, 3 * world.layout.agents
    assert (env.num_agents, env.emulated, env.done, env.driver_env) == (agents, False, False, env)
    env.async_reset()
    rng = np.random.default_rng(0)
    returns, lengths, told = np.zeros((n, m)), np.zeros(n, int), 0
    before = world.episode.copy()
    for step in range(400):
        obs, rewards, terminals, truncations, infos, ids, masks = env.recv()
        for name, array in (
            ("observations", obs),
            ("rewards", rewards),
            ("terminals", terminals),
            ("truncations", truncations),
            ("masks", masks),
        ):
            assert array is buf[name]
        assert np.array_equal(ids, np.arange(agents))
        assert np.array_equal(obs, world.obs.reshape(agents, -1))
        assert np.array_equal(rewards, world.reward.ravel())
        assert np.array_equal(terminals, world.terminated.ravel())
        assert np.array_equal(truncations, world.truncated.ravel())
        assert np.array_equal(masks, world.alive.ravel())
        assert isinstance(infos, list)
        if step:
            returns, lengths = returns + world.reward, lengths + 1
            over = np.flatnonzero(world.episode != before)
            assert len(infos) == len(over)
            for index, info in zip(over, infos, strict=True):
                told += 1
                assert info["episode_return"] == pytest.approx(returns[index].mean())
                assert info["episode_length"] == lengths[index]
                assert info[world.layout.stats[0]] == world.stats[index, 0]
                returns[index] = lengths[index] = 0
        actions = sample(env, rng)
        before = world.episode.copy()
        world.step(actions.reshape(n, m, -1))
        env.send(actions)
        assert np.array_equal(buf["actions"], actions)
    assert told


def test_spaces_are_of_one_agent_and_buffers_fit_them() -> None:
    env = WorldPufferEnv("lanterns-v1", 3)
    assert env.single_action_space == spaces.MultiDiscrete([3, 2])
    assert env.action_space.shape == env.actions.shape == (6, 2)
    assert env.observation_space.shape == env.observations.shape == (6, 13)
    assert env.actions.dtype == np.int32
    assert WorldPufferEnv("prospector-v2", 3).actions.shape == (3,)
    obs, infos = env.reset(seed=1)
    assert obs is env.observations
    assert infos == []


def test_environments_share_memory_without_touching_each_other() -> None:
    driver = WorldPufferEnv("lanterns-v1", 2)
    first, second = (
        WorldPufferEnv("lanterns-v1", 2, buf=buf, seed=seed)
        for seed, buf in enumerate(shared_buffers(driver, 2))
    )
    first.reset()
    kept = first.observations.copy()
    second.reset()
    second.step(np.zeros((4, 2), int))
    assert np.array_equal(first.observations, kept)
    assert not np.array_equal(first.observations, second.observations)


def test_a_seed_names_a_run() -> None:
    one, two = WorldPufferEnv("prospector-v2", 3, seed=1), WorldPufferEnv("prospector-v2", 3)
    made_with, _ = one.reset()
    assert np.array_equal(made_with, two.reset(seed=1)[0])
    first = made_with.copy()
    assert not np.array_equal(first, one.reset()[0])
    assert np.array_equal(first, one.reset(seed=1)[0])
    random = [WorldPufferEnv("prospector-v2", seed=None).reset()[0] for _ in range(2)]
    assert not np.array_equal(*random)


def test_bad_input_is_refused(scales: dict[str, str]) -> None:
    env = WorldPufferEnv("prospector-v2", 2)
    env.reset()
    before, orders = env.world.digests(), env.actions.copy()
    for wrong in (None, [0], [0.0, 1.0], [[0, 1]], [0, 1, 2]):
        with pytest.raises(ActionError):
            env.step(wrong)  # type: ignore[arg-type]
    assert np.array_equal(env.world.digests(), before)
    assert np.array_equal(env.actions, orders)
    (buf,) = shared_buffers(env)
    with pytest.raises(ConfigError, match=r"buf\['masks'\] must be an array of shape \(2,\)"):
        WorldPufferEnv("prospector-v2", 2, buf={**buf, "masks": np.zeros(3, bool)})
    with pytest.raises(ConfigError, match=r"buf\['rewards'\]"):
        WorldPufferEnv("prospector-v2", 2, buf={"observations": buf["observations"]})
    with pytest.raises(ConfigError, match=r"buf\['observations'\] must be an array"):
        WorldPufferEnv("prospector-v2", 2, buf={**buf, "observations": 3})  # type: ignore[dict-item]
    with pytest.raises(ConfigError, match=r"buf is 3; give a dict of arrays \(observations, "):
        WorldPufferEnv("prospector-v2", 2, buf=3)  # type: ignore[arg-type]
    with pytest.raises(UnsupportedWorldError, match="PufferLib has no such action space"):
        WorldPufferEnv(scales["mixed"])
    env.close()
    with pytest.raises(ClosedError, match=r"this WorldPufferEnv .*make a new one$"):
        env.step([0, 0])


def test_controls_reach_the_world(scales: dict[str, str]) -> None:
    env = WorldPufferEnv(scales["controls"], 2)
    env.reset()
    assert env.actions.dtype == np.float32
    env.step(np.array([[0.5, 0.25], [-1.0, 0.0]]))
    assert env.rewards.tolist() == [0.75, -1.0]


class PufferEnv:
    """What PufferLib's base class does to an environment, for where it is not installed."""

    def __init__(self, buf: dict[str, Any] | None = None) -> None:
        for name in ("single_observation_space", "single_action_space", "num_agents"):
            assert hasattr(self, name), name
        for name in ("observation_space", "action_space"):
            assert not hasattr(self, name), name
        assert buf is not None
        for name, array in buf.items():
            setattr(self, name, array)
        self.agent_ids = np.arange(self.num_agents)  # type: ignore[attr-defined]

    def reset(self, seed: int | None = None) -> None:
        raise NotImplementedError


def test_the_native_class_is_a_pufferenv(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = types.ModuleType("pufferlib")
    fake.PufferEnv = PufferEnv  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "pufferlib", fake)
    (buf,) = shared_buffers(WorldPufferEnv("lanterns-v1", 2))
    env = native_class()("lanterns-v1", 2, buf=buf, seed=3)
    assert isinstance(env, PufferEnv)
    obs, _ = env.reset()
    assert obs is buf["observations"]
    assert np.array_equal(obs, WorldPufferEnv("lanterns-v1", 2).reset(seed=3)[0])


@pytest.mark.parametrize("was_there", [False, True])
def test_importing_pufferlib_leaves_nothing_behind(
    was_there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PufferLib links its pictures into the current folder; a folder of one's own stays."""
    package = tmp_path / "site" / "pufferlib.py"
    package.parent.mkdir()
    package.write_text(
        "import os\nPufferEnv = object\n"
        "try:\n    os.symlink('/nowhere', 'resources')\nexcept FileExistsError:\n    pass\n"
    )
    monkeypatch.syspath_prepend(package.parent)
    monkeypatch.delitem(sys.modules, "pufferlib", raising=False)
    work = tmp_path / "work"
    work.mkdir()
    if was_there:
        (work / "resources").mkdir()
    monkeypatch.chdir(work)
    native_class()
    del sys.modules["pufferlib"]
    assert (work / "resources").is_dir() == was_there
    assert not (work / "resources").is_symlink()


@pytest.mark.skipif(HAS_PUFFERLIB, reason="pufferlib is installed")
def test_without_pufferlib_the_native_class_says_so() -> None:
    with pytest.raises(MissingPackageError, match="WorldPufferEnv works without it"):
        native_class()


@pytest.mark.skipif(
    not HAS_PUFFERLIB, reason="pufferlib pins NumPy and Gymnasium below Astrarium's; build it apart"
)
def test_the_real_thing_takes_it() -> None:
    vector = importlib.import_module("pufferlib.vector")
    kwargs = {"world_id": "lanterns-v1", "num_worlds": 2}
    env = vector.make(native_class(), env_kwargs=kwargs)
    env.reset(seed=1)
    assert env.step(np.zeros((4, 2), np.int32))[0].shape == (4, 13)
    serial = vector.make(native_class(), env_kwargs=kwargs, backend=vector.Serial, num_envs=2)
    serial.reset(seed=None)
    assert serial.step(np.zeros((8, 2), np.int64))[0].shape == (8, 13)
