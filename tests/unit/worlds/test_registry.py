"""Worlds are found, not listed."""

import dataclasses
import importlib.metadata
import logging
import subprocess
import sys

import numpy as np
import pytest

from astrarium import DuplicateWorldError, UnknownWorldError, _native, make_vec, worlds
from astrarium.worlds import VectorWorld, WorldEntry, registry

# Those that step in microseconds: a step of an Esper world trains a network, and some need data
# that users bring. Their own tests keep them small.
QUICK = _native.world_ids()


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """A registry that has not looked yet, put back afterwards."""
    monkeypatch.setattr(registry, "_known", {})
    monkeypatch.setitem(registry._state, "discovered", False)


def renamed(world_id: str) -> WorldEntry:
    return dataclasses.replace(worlds.get("lanterns-v1"), id=world_id)


def test_every_native_world_has_a_face() -> None:
    assert set(_native.world_ids()) <= set(worlds.ids())


@pytest.mark.parametrize("world_id", QUICK)
def test_an_entry_names_exactly_what_its_layout_has(world_id: str) -> None:
    entry, layout = worlds.get(world_id), make_vec(world_id).layout
    assert tuple(len(names) for names in entry.action_names) == layout.heads
    assert len(entry.control_names) == len(set(entry.control_names)) == layout.controls
    assert len(entry.obs_names) == len(set(entry.obs_names)) == layout.obs_dim
    assert len(entry.agent_names) == len(set(entry.agent_names)) == layout.agents
    assert entry.title
    assert entry.summary


@pytest.mark.parametrize("world_id", QUICK)
def test_bots_answer_for_a_whole_batch_with_orders_that_exist(world_id: str) -> None:
    entry, world = worlds.get(world_id), make_vec(world_id, 5, seed=1)
    for name, bot in entry.bots.items():
        world.reset(1)
        for _ in range(100):
            orders = np.asarray(bot(world.obs, world.mask))
            if world.layout.heads:
                assert orders.shape == world.actions.shape, name
                assert (orders >= 0).all(), name
                assert (orders < world.layout.heads).all(), name
                world.step(orders)
            else:
                assert orders.shape == world.controls.shape, name
                assert (np.abs(orders) <= 1).all(), name
                world.step(controls=orders)


def test_the_lantern_bot_keeps_both_keepers_alive_and_lamps_lit() -> None:
    world = make_vec("lanterns-v1", 32, seed=3)
    bot = worlds.get("lanterns-v1").bots["nearest_dark_lamp"]
    for _ in range(200):
        world.step(bot(world.obs, world.mask))
    assert world.truncated.all()
    _, lit, lost = world.stats.T
    assert lost.max() == 0
    assert lit.min() > 10


def test_an_unknown_world_is_answered_with_the_nearest_and_the_list() -> None:
    with pytest.raises(UnknownWorldError) as caught:
        make_vec("lantern-v1")
    words = str(caught.value)
    assert words.startswith("no world is called 'lantern-v1'; did you mean 'lanterns-v1'?")
    assert all(world_id in words for world_id in worlds.ids())


@pytest.mark.usefixtures("fresh")
def test_a_registered_world_is_made_like_any_other() -> None:
    worlds.register(renamed("mine-v1"))
    assert "mine-v1" in worlds.ids()
    assert isinstance(make_vec("mine-v1", 2), VectorWorld)
    with pytest.raises(DuplicateWorldError, match="'mine-v1' is already known"):
        worlds.register(renamed("mine-v1"))
    with pytest.raises(DuplicateWorldError):
        worlds.register(renamed("lanterns-v1"))


@pytest.mark.usefixtures("fresh")
def test_worlds_of_installed_packages_are_found_and_broken_packages_only_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    group = registry.ENTRY_POINTS
    theirs = (renamed("theirs-v1"),)
    registry._known.clear()
    registry._state["discovered"] = False
    monkeypatch.setattr(sys.modules[__name__], "THEIRS", theirs, raising=False)
    good = importlib.metadata.EntryPoint("theirs", f"{__name__}:THEIRS", group)
    broken = importlib.metadata.EntryPoint("broken", "no_such_package:WORLDS", group)
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: (broken, good))
    with caplog.at_level(logging.ERROR):
        assert {"theirs-v1", "lanterns-v1"} <= set(worlds.ids())
    assert "no_such_package" in caplog.text


def test_nothing_is_looked_for_before_the_first_question() -> None:
    program = (
        "import sys, astrarium.worlds\n"
        "assert 'astrarium.worlds.lanterns' not in sys.modules\n"
        "assert 'astrarium._native' not in sys.modules\n"
        "astrarium.worlds.ids()\n"
        "assert 'astrarium.worlds.lanterns' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


class Countdown:
    """The least a world written in Python has to be: one agent that waits for zero."""

    world_id = "countdown-v1"

    def __init__(self, config: worlds.WorldConfig, num_worlds: int) -> None:
        n = num_worlds
        self.config, self.num_worlds, self.autoreset = config, num_worlds, "same_step"
        self.layout = worlds.Layout(1, 1, 0.0, 1.0, (2,), 0, ("time",), (), ())
        self.obs = np.ones((n, 1, 1), np.float32)
        self.final_obs = np.zeros((n, 1, 1), np.float32)
        self.mask = np.ones((n, 1, 2), np.uint8)
        self.alive = np.ones((n, 1), np.uint8)
        self.actions = np.zeros((n, 1, 1), np.int32)
        self.controls = np.zeros((n, 1, 0), np.float32)
        self.reward = np.zeros((n, 1), np.float32)
        self.terms = np.zeros((n, 1, 1), np.float32)
        self.terminated = np.zeros((n, 1), np.uint8)
        self.truncated = np.zeros((n, 1), np.uint8)
        self.events = np.zeros((n, 1), np.uint32)
        self.stats = np.zeros((n, 0), np.float32)
        self.episode_seed = np.zeros(n, np.uint64)
        self.episode = np.zeros(n, np.uint64)

    def reset(self, seed: int | None = None) -> None:
        self.obs[...] = 1.0

    def reset_with_seeds(self, seeds: object) -> None:
        self.reset()

    def reset_worlds(self, indices: object, seeds: object = None) -> None:
        self.reset()

    def step(self, actions: object = None, controls: object = None) -> None:
        self.obs[...] = np.maximum(self.obs - 0.1, 0.0)

    def digests(self) -> np.ndarray:
        return self.obs.view(np.uint32)[:, 0, 0].astype(np.uint64)

    def snapshot(self) -> bytes:
        return self.obs.tobytes()

    def restore(self, snapshot: bytes) -> None:
        self.obs[...] = np.frombuffer(snapshot, np.float32).reshape(self.obs.shape)

    def fork(self, indices: object, threads: int = 1) -> "Countdown":
        return Countdown(self.config, self.num_worlds)

    def reveal(self) -> np.ndarray:
        return np.zeros((self.num_worlds, 0), np.float32)

    def close(self) -> None:
        pass


@pytest.mark.usefixtures("fresh")
def test_a_world_written_in_python_is_a_world() -> None:
    entry = WorldEntry(
        id="countdown-v1",
        title="Countdown",
        summary="Wait for zero.",
        config=worlds.WorldConfig,
        make=lambda config, num_worlds, threads, autoreset: Countdown(config, num_worlds),
        action_names=(("wait", "wait too"),),
        obs_names=("left",),
        agent_names=("waiter",),
    )
    worlds.register(entry)
    world = make_vec("countdown-v1", 3)
    assert isinstance(world, VectorWorld)
    world.step()
    assert world.obs.shape == (3, 1, 1)
    assert entry.bots == {}


@pytest.mark.parametrize("world_id", QUICK)
def test_what_a_world_is_judged_by_exists(world_id: str) -> None:
    entry, world = worlds.get(world_id), make_vec(world_id)
    assert set(entry.outcomes.values()) <= set(world.layout.stats)
    assert set(entry.peaceful_endings) <= set(world.layout.events)
    assert {one.stat for one in entry.yardsticks} <= set(world.layout.stats)
    assert {one.at_least for one in entry.yardsticks} - {None} <= set(entry.bots)
    world.step()
    stats = dict(zip(world.layout.stats, world.stats[0].tolist(), strict=True))
    state = entry.frame_state(world.obs[0], stats)
    assert np.asarray(state["observation"]).size == world.obs[0].size


def test_prospectors_windows_are_judged_by_profit_and_survival() -> None:
    for world_id in ("prospector-v1", "prospector-v2"):
        outcomes = worlds.get(world_id).outcomes
        assert outcomes == {"profit_mean": "net_profit", "survival_rate": "survival"}
