"""On a GPU: recorded work gives what the same work gives as it is, alone and beside others."""

from __future__ import annotations

import dataclasses
from functools import cache

import pytest
import torch
from little_hosts import grow_next

from astrarium.esper.contracts.actions import ActionSpec
from astrarium.esper.contracts.heads import AlphaSpeed, Op
from astrarium.esper.contracts.stages import LIVE
from astrarium.esper.entry import EsperConfig
from astrarium.esper.episode import EpisodeRules, HostEpisode
from astrarium.esper.launching import Graphs, Launcher, pick_device
from astrarium.esper.phases import TaskData
from astrarium.esper.shapes import TransformerShape
from astrarium.esper.tasks import copying, noise, task
from astrarium.esper.world import EsperWorld
from astrarium.worlds.random_legal import random_legal

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")

EPOCHS = 24


@cache
def data_of(name: str) -> TaskData:
    """Steps that come often enough to be recorded, the last of an epoch smaller than the rest."""
    if name == "noise":
        spec = dataclasses.replace(
            task(name), training=dataclasses.replace(task(name).training, batch=32)
        )
        return TaskData(spec, noise.load(32 * 12 + 8, 150, 10), pick_device("cuda"))
    spec = task("copy_lm")
    shape = spec.host
    assert isinstance(shape, TransformerShape)
    shape = dataclasses.replace(shape, heads=2, dropout=0.1)
    spec = dataclasses.replace(spec, host=shape)
    return TaskData(spec, copying.load(64 * 12 + 8, 150, 10), pick_device("cuda"))


def asked(episode: HostEpisode, blueprint: str) -> ActionSpec:
    """Grow as fast as it goes; take one seed out again on the way."""
    live = [state.slot_id for state in episode.network.states() if state.stage in LIVE]
    if episode.epoch == 17 and live:
        return ActionSpec(Op.PRUNE, live[0], alpha_speed=AlphaSpeed.FAST)
    return grow_next(episode, blueprint)


def grown(name: str, recorded: bool) -> tuple[HostEpisode, list[float]]:
    data = data_of(name)
    graphs = Graphs(data.device)
    graphs.allowed = recorded
    rules = EpisodeRules(max_epochs=EPOCHS + 1)
    episode = HostEpisode(data, rules, 3, Launcher(data.device, graphs))
    losses: list[float] = []
    for _ in range(EPOCHS):
        assert episode.proceed() is None
        assert episode.trained is not None
        assert episode.validated is not None
        losses += [episode.trained.loss, episode.validated.loss]
        episode.decide(asked(episode, "conv_light" if name == "noise" else "attention"))
    assert graphs.fallback is None
    return episode, losses


@pytest.mark.parametrize("name", ["noise", "copy_lm"])
def test_graphs_learn_what_the_same_work_learns_without(name: str) -> None:
    eager, losses = grown(name, recorded=False)
    recorded, others = grown(name, recorded=True)
    worst = max(abs(a - b) for a, b in zip(losses, others, strict=True))
    states = [(s.slot_id, s.stage.name, s.alpha.alpha) for s in eager.network.states()]
    figures = recorded.launcher.figures
    print(f"{name}: {worst=:.2e}", states, figures)
    assert eager.launcher.figures.replays == 0
    assert figures.replays > 150
    assert states == [(s.slot_id, s.stage.name, s.alpha.alpha) for s in recorded.network.states()]
    assert any(stage == "FOSSILIZED" for _, stage, _ in states)
    assert worst < 2e-3
    for slot, descent in eager.network.optimisers.items():
        assert torch.allclose(descent.flat, recorded.network.optimisers[slot].flat, atol=5e-3)


def test_a_ramp_needs_no_other_recording() -> None:
    """Four pieces of work for each of the five networks on the way; ramps take as many epochs."""
    episode, _ = grown("noise", recorded=True)
    assert len(episode.launcher.figures.capture_ms) <= 4 * 6


def test_hosts_beside_each_other_are_hosts_alone() -> None:
    digests = []
    for threads in (1, 4):
        world = EsperWorld("noise", EsperConfig(epochs=9), 4, threads, data=data_of("noise"))
        for step in range(14):
            world.step(random_legal(world, step))
        digests.append(world.digests().tolist())
        world.close()
    assert data_of("noise").graphs.fallback is None
    assert digests[0] == digests[1]


def test_a_batch_goes_on_from_a_snapshot_and_in_a_fork() -> None:
    world = EsperWorld("noise", EsperConfig(epochs=30), 2, 2, data=data_of("noise"))
    for step in range(8):
        world.step(random_legal(world, step))
    kept, fork = world.snapshot(), world.fork([0, 1], threads=2)
    found = []
    for one in (world, fork, world):
        if found:
            world.restore(kept)
        for step in range(8, 14):
            one.step(random_legal(one, step))
        found.append(one.digests().tolist())
    assert found[0] == found[1] == found[2]
    world.close()
    fork.close()
