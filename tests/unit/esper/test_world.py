"""Hosts as a batch of worlds: every promise, and what a step tells."""

from __future__ import annotations

import os
import signal

import msgspec
import numpy as np
import pytest
import torch
from little_hosts import TASK, little_entry, little_world

from astrarium import worlds
from astrarium.check import check_world, legality
from astrarium.errors import ConfigError, EpisodeOverError, SnapshotError
from astrarium.esper import orders
from astrarium.esper.batch_snapshots import sealed
from astrarium.esper.entry import EVENTS, STATS, WORLDS, EsperConfig, world_id
from astrarium.esper.tasks import task_names
from astrarium.esper.workers import Processes, WorkerError
from astrarium.esper.world import EsperWorld
from astrarium.worlds import VectorWorld, parse_config
from astrarium.worlds.random_legal import random_legal


def bit(name: str) -> int:
    return 1 << EVENTS.index(name)


def play(world: EsperWorld, steps: int, first: int = 0) -> list[int]:
    for step in range(first, first + steps):
        world.step(random_legal(world, step))
    return world.digests().tolist()


def test_every_promise_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    # Each probe trains a network for an epoch, so it is done at fewer places than elsewhere.
    monkeypatch.setattr(legality, "_PROBED_STEPS", 1)
    monkeypatch.setattr(legality, "_PROBED_WORLDS", 1)
    report = check_world(little_entry(), worlds=4, steps=4, config={"epochs": 3, "seed_limit": 2})
    assert report.ok, [str(finding) for finding in report.findings]
    untested = [verdict.promise for verdict in report.verdicts if not verdict.tested]
    # No transcript: other machines train with other bits.
    assert untested == [6]


def test_every_task_is_a_world_that_names_what_it_has() -> None:
    assert [entry.id for entry in WORLDS] == [world_id(name) for name in task_names()]
    for entry in WORLDS:
        layout = entry.layout
        assert layout is not None
        assert tuple(len(names) for names in entry.action_names) == layout.heads
        assert len(entry.obs_names) == len(set(entry.obs_names)) == layout.obs_dim
        assert len(layout.matters) == layout.heads[0]
        assert {one.stat for one in entry.yardsticks} <= set(layout.stats)


def test_the_layout_told_beforehand_is_that_of_a_batch() -> None:
    world = little_world()
    assert isinstance(world, VectorWorld)
    assert world.layout == little_entry().layout


def test_a_batch_can_be_made_by_name() -> None:
    """The whole task, as users have it."""
    if world_id(TASK) not in worlds.ids():
        for entry in WORLDS:
            worlds.register(entry)
    world = worlds.make_vec(world_id(TASK), 1, epochs=2, seed=None)
    world.step(random_legal(world, 0))
    assert world.stats[0, STATS.index("epochs")] == 2
    world.close()


def test_settings_that_do_not_exist_are_refused() -> None:
    with pytest.raises(ConfigError, match="epoch_count"):
        parse_config(EsperConfig, {"epoch_count": 4})


def test_a_batch_goes_on_from_a_snapshot_as_if_never_stopped() -> None:
    """Deep enough for seeds to blend and for episodes to end on the way."""
    world = little_world(2, epochs=14)
    play(world, 9)
    kept = world.snapshot()
    gone_on = play(world, 9, first=9)
    other = little_world(2, threads=2, epochs=14)
    other.restore(kept)
    assert other.snapshot() == kept
    assert play(other, 9, first=9) == gone_on


def test_neither_threads_nor_place_change_a_host() -> None:
    alone = little_world(3, epochs=8)
    expected = play(alone, 6)
    assert play(little_world(3, threads=2, epochs=8), 6) == expected
    moved = little_world(2, epochs=8)
    moved.reset_with_seeds(little_world(3, epochs=8).episode_seed[[2, 0]])
    assert play(moved, 6) == [expected[2], expected[0]]


def test_hosts_of_other_processes_can_be_looked_at_and_replaced() -> None:
    here, apart = little_world(3, epochs=8), little_world(3, threads=2, epochs=8)
    play(here, 4)
    play(apart, 4)
    assert [host.epoch for host in apart.hosts] == [host.epoch for host in here.hosts]
    copies = apart.fork([2, 0], threads=2)
    assert play(copies, 2, first=4) == play(here.fork([2, 0]), 2, first=4)
    broken = msgspec.structs.replace(here._document(), hosts=[b"?"] * 3)
    before = apart.snapshot()
    with pytest.raises(SnapshotError, match="no snapshot of an episode"):
        apart.restore(sealed(broken))
    assert apart.snapshot() == before
    for world in (copies, apart):
        world.close()


def test_a_process_that_dies_is_told_of() -> None:
    world = little_world(2, threads=2, epochs=8)
    workers = world._workers
    assert isinstance(workers, Processes)
    workers._processes[1].kill()
    with pytest.raises(WorkerError, match=r"every host 1 modulo 2 has ended .* restore its last"):
        world.step(random_legal(world, 0))
    world.close()


def test_processes_leave_it_to_the_first_to_stop() -> None:
    """Ctrl-C, and whoever ends a service, signal every process of it."""
    here, apart = little_world(2, epochs=8), little_world(2, threads=2, epochs=8)
    workers = apart._workers
    assert isinstance(workers, Processes)
    for process in workers._processes:
        assert process.pid is not None
        os.kill(process.pid, signal.SIGINT)
        os.kill(process.pid, signal.SIGTERM)
    assert play(apart, 4) == play(here, 4)
    apart.close()


def test_terms_add_up_and_legal_orders_are_never_invalid() -> None:
    world = little_world(2, epochs=16, reward_mode="escrow")
    told = 0
    for step in range(20):
        world.step(random_legal(world, step))
        summed = np.zeros_like(world.reward)
        for term in range(world.terms.shape[2]):
            summed += world.terms[:, :, term]
        np.testing.assert_array_equal(summed, world.reward)
        told |= int(np.bitwise_or.reduce(world.events, axis=None))
    assert not told & bit("invalid_action")
    assert told & bit("germinated")


def test_what_is_illegal_counts_as_waiting_and_is_said() -> None:
    world = little_world(3, epochs=8)
    heads = len(world.layout.heads)
    wait = np.array([0, 1, 2, 0, 2, 0, 0])
    actions = np.tile(wait, (3, 1))
    actions[1, 0] = world.layout.heads[0]
    # Nothing has been sown that could be kept.
    actions[2, 0] = 1 + orders.PLACED.index(4) * 5
    world.reset_with_seeds([7, 7, 7])
    assert world.mask.shape == (3, 1, sum(world.layout.heads))
    assert actions.shape[1] == heads
    world.step(actions)
    assert world.events[:, 0].tolist() == [0, bit("invalid_action"), bit("invalid_action")]
    states = [host.network.states() for host in world.hosts]
    assert states[0] == states[1] == states[2]
    assert [host.last_success for host in world.hosts] == [True, False, False]
    assert world.reward[1, 0] == world.reward[2, 0]


def test_a_gate_that_stays_shut_refuses_and_is_no_illegal_order() -> None:
    world = little_world(1, epochs=8)
    advance = 1 + orders.PLACED.index(5) * 5
    world.step([[1, 1, 2, 0, 2, 0, 0]])
    assert world.events[0, 0] == bit("germinated")
    world.step([[advance, 1, 2, 0, 2, 0, 0]])
    assert world.events[0, 0] == bit("advanced")
    world.step([[advance, 1, 2, 0, 2, 0, 0]])
    assert world.events[0, 0] == bit("refused")


@pytest.mark.parametrize("autoreset", ["same_step", "next_step"])
def test_a_broken_host_ends_its_episode_with_a_penalty(autoreset) -> None:
    world = little_world(2, autoreset=autoreset, epochs=8)
    world.step(random_legal(world, 0))
    with torch.no_grad():
        world.hosts[1].network.host_descent.flat.fill_(float("nan"))
    world.step(random_legal(world, 1))
    assert world.terminated[:, 0].tolist() == [0, 1]
    assert world.truncated.sum() == 0
    assert world.reward[1, 0] == -10.0
    assert world.terms[1, 0, world.layout.terms.index("rollback_penalty")] == -10.0
    assert world.events[1, 0] & bit("rolled_back")
    assert np.isfinite(world.stats).all()
    assert np.isfinite(world.final_obs[1]).all()
    if autoreset == "next_step":
        kept = world.snapshot()
        assert world.episode.tolist() == [0, 0]
        world.restore(kept)
        world.step(random_legal(world, 2))
        assert world.reward[1, 0] == 0.0
    assert world.episode.tolist() == [0, 1]


def test_without_autoreset_an_ended_host_waits_to_be_reset() -> None:
    world = little_world(2, autoreset="disabled", epochs=2)
    play(world, 2)
    assert world.truncated.all()
    ended = world.snapshot()
    with pytest.raises(EpisodeOverError, match=r"host 0 is over; call reset_worlds\(\[0\]\)"):
        world.step()
    with pytest.raises(SnapshotError, match="host 0 of the snapshot has ended"):
        little_world(2, epochs=2).restore(ended)
    world.reset_worlds([0, 1])
    world.step()


def test_a_budget_takes_the_place_of_the_clock_in_what_is_seen() -> None:
    world = little_world(1, epochs=50, budget_epochs=4.0)
    seen = [float(world.obs[0, 0, 0])]
    wait = [[0, 1, 2, 0, 2, 0, 0]]
    while not world.terminated.any():
        world.step(wait)
        seen.append(
            float(world.final_obs[0, 0, 0] if world.terminated.any() else world.obs[0, 0, 0])
        )
    assert seen == pytest.approx([0.25, 0.5, 0.75, 1.0, 1.0])
    # Compute that is spent is an end; only a limit of epochs leaves a future behind.
    assert not world.truncated.any()
