"""The world that costs nothing: a world like any other, known to nobody who did not ask."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from astrarium import worlds
from astrarium.adapters.gymnasium_vector import WorldVectorEnv
from astrarium.adapters.pufferlib import WorldPufferEnv
from astrarium.adapters.sb3 import WorldVecEnv
from astrarium.bench.trainers import dummy
from astrarium.check import check_world
from astrarium.worlds import VectorWorld, registry


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Known for one test only: other tests walk through every world there is."""
    worlds.ids()
    monkeypatch.setattr(registry, "_known", dict(registry._known))
    dummy.register()


def test_it_has_the_shape_of_prospector() -> None:
    world = dummy.DummyWorld(dummy.DummyConfig(), 4)
    assert isinstance(world, VectorWorld)
    prospector = worlds.make_vec("prospector-v2", 4)
    for name in ("obs", "final_obs", "mask", "actions", "reward", "terminated", "truncated"):
        ours, theirs = getattr(world, name), getattr(prospector, name)
        assert (ours.shape, ours.dtype) == (theirs.shape, theirs.dtype), name
    assert world.mask.all()


def test_it_keeps_every_promise_of_a_world_but_the_transcript() -> None:
    report = check_world(dummy.ENTRY, steps=300)
    kept = {verdict.promise for verdict in report.verdicts if not verdict.findings}
    assert kept == {1, 2, 3, 4, 5, 7}
    assert all(verdict.tested for verdict in report.verdicts)


def test_episodes_end_now_and_then_in_both_ways() -> None:
    world = dummy.DummyWorld(dummy.DummyConfig(), 256)
    ended, cut_off, busy_steps = 0, 0, 0
    for _ in range(512):
        world.step(np.zeros(256, np.int64))
        ended += int(world.terminated.sum())
        cut_off += int(world.truncated.sum())
        busy_steps += bool(world.terminated.any() or world.truncated.any())
    assert min(ended, cut_off) > 100
    assert busy_steps <= 512 / dummy.BEAT


def test_what_is_seen_stays_until_the_episode_ends() -> None:
    world = dummy.DummyWorld(dummy.DummyConfig(), 64)
    before, episode = world.obs.copy(), world.episode.copy()
    for _ in range(200):
        world.step(np.full(64, 10**9))
    same = (world.obs == before).all(axis=(1, 2))
    assert same.tolist() == (world.episode == episode).tolist()
    assert 0 < same.sum() < 64


def test_nobody_finds_it_unasked() -> None:
    code = "from astrarium import worlds; from astrarium.bench.trainers import dummy"
    listing = f"{code}; print(dummy.WORLD in worlds.ids()); dummy.register(); dummy.register()"
    asked = f"{listing}; print(dummy.WORLD in worlds.ids())"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]


@pytest.mark.usefixtures("registered")
def test_every_face_that_peers_use_can_run_it() -> None:
    vector = WorldVectorEnv(dummy.WORLD, 8)
    vector.reset(seed=1)
    actions = np.zeros(8, np.int64)
    ended = [(step := vector.step(actions))[2] | step[3] for _ in range(300)]
    # With next-step autoreset an ended world rests for one step, and then goes on.
    assert sum(int(one.sum()) for one in ended) == int(vector.world.episode.sum())
    sb3 = WorldVecEnv(dummy.WORLD, 8)
    sb3.reset()
    infos = [info for _ in range(300) for info in sb3.step(actions)[3]]
    assert any("terminal_observation" in info for info in infos)
    flat = WorldPufferEnv(dummy.WORLD, 8)
    flat.reset()
    assert any(flat.step(actions)[4] for _ in range(300))
