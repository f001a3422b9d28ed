"""What a rollout remembers, and what the first pass of an update makes of it."""

from __future__ import annotations

import numpy as np
import pytest
import second_opinion
import torch
from closeness import close
from small_runs import PROSPECTOR, small, training, updates
from textbook import Watcher
from tiny_worlds import Scripted

from astrarium import worlds
from astrarium.train.rollout import Rollout, StepsInto
from astrarium.worlds.random_legal import random_legal


def filled(world, steps: int, slots: tuple[int, ...]) -> tuple[Rollout, Watcher]:
    """A rollout of chance, and what happened in it."""
    rollout, watcher = Rollout(world, steps, slots), Watcher(world)
    watcher.begin()
    rollout.begin(world)
    for t in range(steps):
        world.actions[...] = random_legal(world, t)
        rollout.step(t, world)
        watcher(world)
    return rollout, watcher


@pytest.mark.parametrize("world_id", ["lanterns-v1", "prospector-v2"])
def test_rows_are_what_the_worlds_showed(world_id: str) -> None:
    settings = {"ticks_max": 30} if world_id == "lanterns-v1" else {"time_max": 60}
    world = worlds.make_vec(world_id, 4, config=settings)
    assert isinstance(world, StepsInto)
    slots = tuple(range(world.layout.agents))
    rollout, watcher = filled(world, 40, slots)
    seen = watcher.happened(list(slots))
    alive = seen["alive"].bool()
    assert torch.equal(rollout.alive, alive)
    assert torch.equal(rollout.mask.double(), seen["mask"])
    assert torch.equal(rollout.obs.double(), seen["obs"] * alive.unsqueeze(-1))
    for name in ("reward", "terminated", "truncated"):
        assert torch.equal(getattr(rollout, name).double(), seen[name]), name
    ended = seen["terminated"] + seen["truncated"] > 0
    assert ended.any()
    # An episode begins after an end, and where somebody comes to an empty slot.
    for t in range(40):
        for row in range(rollout.rows):
            begins = bool(ended[t, row]) or bool(~alive[t, row] & alive[t + 1, row])
            assert bool(rollout.starts[t + 1, row]) == begins
    world.close()


def test_a_limit_can_be_an_ending_after_which_nothing_is_expected() -> None:
    world = worlds.make_vec("lanterns-v1", 4, config={"ticks_max": 30})
    rollout = Rollout(world, 40, (0, 1), limits_end=True)
    plain, _ = filled(worlds.make_vec("lanterns-v1", 4, config={"ticks_max": 30}), 40, (0, 1))
    rollout.begin(world)
    for t in range(40):
        world.actions[...] = random_legal(world, t)
        rollout.step(t, world)
    assert plain.truncated.any()
    assert torch.equal(rollout.terminated, plain.terminated | plain.truncated)
    assert not rollout.truncated.any()
    assert rollout.cuts == []
    world.close()


def test_a_step_into_ones_own_memory_is_a_step() -> None:
    """The native way and the plain one."""

    class Plain:
        """The same worlds without `step_into`."""

        def __init__(self, inner) -> None:
            self._inner = inner

        def __getattr__(self, name: str):
            if name == "step_into":
                raise AttributeError(name)
            return getattr(self._inner, name)

    rollouts = []
    for wrap in (lambda world: world, Plain):
        world = worlds.make_vec("lanterns-v1", 3, ticks_max=20)
        given = wrap(world)
        assert isinstance(given, StepsInto) == (given is world)
        rollouts.append(filled(given, 30, (0, 1))[0])
        world.close()
    for name in ("obs", "mask", "alive", "starts", "reward", "terminated", "truncated"):
        assert torch.equal(*(getattr(rollout, name) for rollout in rollouts)), name


def test_a_part_of_the_slots() -> None:
    world = Scripted(3, 20, agents=4)
    rollout, watcher = filled(world, 20, (1, 3))
    assert (rollout.rows, rollout.whole) == (6, False)
    seen = watcher.happened([1, 3])
    assert torch.equal(rollout.reward.double(), seen["reward"])
    alive = seen["alive"].unsqueeze(-1)
    assert torch.equal(rollout.obs.double(), seen["obs"] * alive)
    np.testing.assert_array_equal(rollout.mine(world.alive), world.alive[:, [1, 3]].reshape(6))


def test_only_rows_that_held_an_agent_are_played() -> None:
    world = Scripted(3, 20)
    rollout, watcher = filled(world, 20, (0, 1))
    alive = watcher.happened([0, 1])["alive"][:-1].flatten().numpy()
    played = rollout.played()
    assert 0 < len(played) < len(alive)
    assert sorted(played) == np.flatnonzero(alive).tolist()
    samples = rollout.samples()
    flat = rollout.flat_obs()
    at = 7 * rollout.rows + 4
    assert torch.equal(flat[at], rollout.obs[7, 4])
    assert torch.equal(samples.mask[at], rollout.mask[7, 4])
    assert samples.log_prob.shape == (20 * 6,)


def test_an_empty_slot_shows_nothing() -> None:
    rollout, _ = filled(Scripted(3, 20, noise=np.nan), 20, (0, 1))
    assert not rollout.alive.all()
    assert torch.isfinite(rollout.obs).all()
    assert not rollout.obs[~rollout.alive].any()


# What the learner makes of it


def recomputed(learner) -> tuple[torch.Tensor, torch.Tensor]:
    """Log-probabilities and values of a rollout, step by step and row by row."""
    rollout, network = learner.rollout, learner.network
    log_prob = torch.zeros(rollout.steps, rollout.rows, dtype=torch.float64)
    value = torch.zeros_like(log_prob)
    state = tuple(part.clone() for part in learner._begun)
    with torch.no_grad():
        for t in range(rollout.steps):
            for part in state:
                part[rollout.starts[t]] = 0.0
            obs = rollout.obs[t].clone()
            if learner.scale is not None:
                learner.scale.apply_(obs)
            outputs, state = network(obs, state)
            rows = torch.arange(t * rollout.rows, (t + 1) * rollout.rows)
            samples = rollout.samples().at(rows)
            log_prob[t], _ = second_opinion.log_prob_and_entropy(network, outputs.double(), samples)
            value[t] = outputs[:, -1]
    return log_prob, value


KINDS = [
    ({}, None),
    ({"world": PROSPECTOR}, None),
    ({"policy": {"memory": "lstm", "memory_size": 8}}, None),
    ({"policy": {"memory": "gru", "memory_size": 8}}, None),
    ({"ppo": {"normalise_observations": True}}, None),
    ({}, (3, 2)),
    ({"policy": {"controls": "gaussian"}}, ()),
    ({"policy": {"controls": "squashed", "memory": "lstm", "memory_size": 8}}, (4,)),
]


@pytest.mark.parametrize(("layer", "heads"), KINDS)
def test_log_probabilities_and_values_come_again(layer, heads) -> None:
    world = None if heads is None else Scripted(6, 60, heads=heads, controls=2)
    with training(small({"ppo": {"rollout_steps": 20}}, layer), world) as ppo:
        updates(ppo, 2)
        ppo.collect(lambda world: None)
        (learner,) = ppo.learners
        rollout = learner.rollout
        log_prob, value = recomputed(learner)
        alive = rollout.alive[:-1]
        close(rollout.log_prob.double()[alive], log_prob[alive], rtol=1e-5, atol=1e-5)
        close(rollout.value[:-1].double()[alive], value[alive], rtol=1e-5, atol=1e-5)
        assert rollout.starts[1:-1].any()
        assert float(log_prob.std()) > 0.01


@pytest.mark.parametrize("memory", ["none", "lstm", "gru"])
def test_a_cut_off_episode_is_valued_by_its_last_sight_in_its_own_memory(memory: str) -> None:
    layer = {"policy": {"memory": memory, "memory_size": 8}, "ppo": {"rollout_steps": 30}}
    world = Scripted(4, 70)
    with training(small(layer), world) as ppo:
        updates(ppo)
        ppo.collect(lambda world: None)
        (learner,) = ppo.learners
        rollout, network = learner.rollout, learner.network
        state = tuple(part.clone() for part in learner._begun)
        cuts = 0
        with torch.no_grad():
            for t in range(30):
                for part in state:
                    part[rollout.starts[t]] = 0.0
                _, state = network(rollout.obs[t], state)
                last = torch.from_numpy(world.last_sights[30 + t].reshape(8, -1))
                outputs, _ = network(last, state)
                cut = rollout.truncated[t]
                close(rollout.cut_value[t][cut], outputs[cut, -1], rtol=1e-5, atol=1e-6)
                cuts += int(cut.sum())
            for part in state:
                part[rollout.starts[30]] = 0.0
            outputs, _ = network(rollout.obs[30], state)
            close(rollout.value[30], outputs[:, -1], rtol=1e-5, atol=1e-6)
        assert cuts > 10
        # And the state goes on from the last step, as if nobody had looked ahead.
        for part, kept in zip(state, learner.state, strict=True):
            close(part, kept, rtol=1e-5, atol=1e-6)
