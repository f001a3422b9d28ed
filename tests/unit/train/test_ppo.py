"""Whole updates: against a textbook, against themselves, and the rules between them."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from closeness import close
from small_runs import (
    LANTERNS,
    PROSPECTOR,
    small,
    training,
    updates,
    watched,
    weights,
    weights_after,
)
from textbook import Textbook
from tiny_worlds import Scripted, TinyWorld

from astrarium import worlds
from astrarium.errors import ConfigError
from astrarium.train import gradients, learner
from astrarium.train.errors import UnlearnableWorldError

# By the book

BOOKS = {
    "lanterns": {},
    "prospector": {"world": PROSPECTOR},
    "plain": {
        "ppo": {
            "normalise_rewards": False,
            "normalise_advantages": False,
            "max_grad_norm": 1e9,
            "value_clip": 0.05,
        }
    },
    "scaled": {
        "world": PROSPECTOR,
        "policy": {"activation": "tanh"},
        "ppo": {"normalise_observations": True, "value_clip": 0.1, "gamma": 0.9},
    },
    "groups": {"policy": {"groups": {"left": [0], "right": [1]}}},
    "linear": {"policy": {"hidden": []}},
}


@pytest.mark.parametrize("name", BOOKS)
def test_the_weights_are_those_of_the_textbook(name: str) -> None:
    config = small({"ppo": {"rollout_steps": 40}}, BOOKS[name])
    with training(config) as ppo:
        books = {
            one.name: Textbook(one.network, config, one.name, list(one.rollout.slots))
            for one in ppo.learners
        }
        first = weights(ppo)
        for at, (update, watcher) in enumerate(watched(ppo, 3)):
            for one in ppo.learners:
                book = books[one.name]
                book.learn(watcher.happened(book.slots), at, at / 10)
                assert update.policies[one.name]["grad_norm"] == pytest.approx(
                    np.mean(book.norms), rel=1e-3
                )
                for key, weight in one.network.named_parameters():
                    close(weight.detach().double(), book.weights[key].detach(), rtol=0, atol=5e-5)
        moved = (weights(ppo) - first).abs()
        assert float(moved.max()) > 5e-3
        if name == "lanterns":
            # Of everything there was some: losses, cut-offs, empty slots.
            seen = watcher.happened([0, 1])
            assert seen["terminated"].any()
            assert seen["truncated"].any()
            assert not seen["alive"].all()


# Bits

FAST = {"ppo": {"rollout_steps": 8}}


@pytest.mark.parametrize(
    "extra",
    [
        {"world": PROSPECTOR},
        # Enough rows for several chunks of the native passes, in acting and in learning.
        {"world": {**LANTERNS, "worlds": 300}},
        {"policy": {"memory": "lstm", "memory_size": 8}},
        {
            "policy": {"groups": {"left": [0], "right": [1]}},
            "ppo": {"normalise_observations": True},
        },
    ],
)
def test_threads_leave_no_trace_in_the_weights(extra, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gradients, "CHUNK_ROWS", 7)
    monkeypatch.setattr(gradients, "CHUNK_SEQUENCES", 2)
    monkeypatch.setattr(learner, "ACT_ROWS", 2)
    config = small(FAST, extra)
    alone, *others = (weights_after(config, threads=threads) for threads in (1, 2, 3))
    for other in others:
        assert torch.equal(alone, other)


def test_controls_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gradients, "CHUNK_ROWS", 7)
    monkeypatch.setattr(learner, "ACT_ROWS", 2)
    config = small(FAST)
    alone, *others = (
        weights_after(config, world=Scripted(4, 20, controls=2), threads=threads)
        for threads in (1, 2, 3)
    )
    for other in others:
        assert torch.equal(alone, other)


def test_the_same_seed_gives_the_same_weights_and_its_neighbour_others() -> None:
    config = small(FAST)
    assert torch.equal(weights_after(config), weights_after(config))
    other = weights_after(small(FAST, {"run": {"seed": 6}}))
    assert float(torch.isclose(weights_after(config), other).float().mean()) < 0.2


@pytest.mark.parametrize("memory", ["none", "gru"])
def test_the_size_of_chunks_does_not_leak(memory: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A minibatch smaller than a chunk, and one that is no multiple of it."""
    config = small(FAST, {"policy": {"memory": memory, "memory_size": 8}})
    whole = weights_after(config)
    for rows, sequences, acting in ((5, 3, 1), (32, 4, 5)):
        monkeypatch.setattr(gradients, "CHUNK_ROWS", rows)
        monkeypatch.setattr(gradients, "CHUNK_SEQUENCES", sequences)
        monkeypatch.setattr(learner, "ACT_ROWS", acting)
        close(weights_after(config), whole, rtol=0, atol=2e-5)


def test_every_update_draws_numbers_of_its_own() -> None:
    world = Scripted(16, 80)
    with training(small({"ppo": {"rollout_steps": 20}}), world) as ppo:
        rollout = ppo.learners[0].rollout
        ppo.collect(lambda world: None)
        before = rollout.actions.clone()
        ppo.updates += 1
        ppo.collect(lambda world: None)
        # A new policy chooses one of three, whatever it sees.
        assert 0.25 < float((rollout.actions == before).float().mean()) < 0.42


# Who learns from whom


def test_a_rollout_goes_on_where_the_last_one_ended() -> None:
    # As long as an episode may last, so that some end with the rollout.
    with training(small({"ppo": {"rollout_steps": 30}})) as ppo:
        updates(ppo)
        rollout = ppo.learners[0].rollout
        last = {name: getattr(rollout, name)[-1].clone() for name in ("obs", "mask", "starts")}
        assert last["starts"].any()
        updates(ppo)
        for name, row in last.items():
            assert torch.equal(getattr(rollout, name)[0], row), name


def test_each_group_learns_from_its_own_slots_only() -> None:
    config = small(FAST, {"policy": {"groups": {"b": [1], "a": [0]}}})
    with training(config) as ppo:
        assert {one.name: one.rollout.slots for one in ppo.learners} == {"a": (0,), "b": (1,)}
        first = {one.name: one.network.flat.clone() for one in ppo.learners}
        assert not torch.equal(first["a"], first["b"])
        watcher = next(watched(ppo, 1))[1]
        for one in ppo.learners:
            seen = watcher.happened(list(one.rollout.slots))
            close(one.rollout.actions.double(), seen["actions"], rtol=0, atol=0)

    def left_after(spoilt_slot: int) -> dict[str, torch.Tensor]:
        """Weights by policy, where one slot's rewards were multiplied."""
        world = Scripted(4, 40)
        world.rewards[:, :, spoilt_slot] *= 3.0
        with training(config, world) as ppo:
            updates(ppo)
            return {one.name: one.network.flat.clone() for one in ppo.learners}

    spoilt_left, spoilt_right = left_after(0), left_after(1)
    with training(config, Scripted(4, 40)) as ppo:
        updates(ppo)
        plain = {one.name: one.network.flat.clone() for one in ppo.learners}
    assert torch.equal(plain["a"], spoilt_right["a"])
    assert torch.equal(plain["b"], spoilt_left["b"])
    assert not torch.equal(plain["a"], spoilt_left["a"])
    assert not torch.equal(plain["b"], spoilt_right["b"])


def test_a_shared_policy_learns_from_every_slot() -> None:
    ends = []
    for slot in (None, 0, 1):
        world = Scripted(4, 40)
        if slot is not None:
            world.rewards[:, :, slot] *= 3.0
        ends.append(weights_after(small(FAST), 1, world=world))
    assert not torch.equal(ends[0], ends[1])
    assert not torch.equal(ends[0], ends[2])


@pytest.mark.parametrize(
    "groups", [{"a": [0]}, {"a": [0, 1], "b": [1]}, {"a": [0, 1, 2]}, {"a": [0, 0, 1]}]
)
def test_every_slot_belongs_to_exactly_one_group(groups) -> None:
    with (
        pytest.raises(ConfigError, match=r"policy\.groups plays the slots .*exactly one group"),
        training(small({"policy": {"groups": groups}})),
    ):
        pass


def test_worlds_that_cannot_be_learned_are_refused() -> None:
    world = worlds.make_vec("lanterns-v1", 2, autoreset="next_step")
    with (
        pytest.raises(UnlearnableWorldError, match="autoreset='same_step'"),
        training(small(), world),
    ):
        pass
    with (
        pytest.raises(UnlearnableWorldError, match="nothing to learn"),
        training(small(), TinyWorld(2)),
    ):
        pass


# Empty slots


@pytest.mark.parametrize("memory", ["none", "lstm", "gru"])
@pytest.mark.parametrize("scaled", [False, True])
@pytest.mark.parametrize("noise", [100.0, np.nan])
def test_what_empty_slots_show_changes_nothing(memory: str, scaled: bool, noise: float) -> None:
    config = small(
        FAST,
        {
            "policy": {"memory": memory, "memory_size": 8},
            "ppo": {"normalise_observations": scaled},
        },
    )
    quiet = weights_after(config, 4, world=Scripted(4, 40, noise=0.0))
    loud = Scripted(4, 40, noise=noise)
    assert not loud.alives.all()
    assert torch.equal(weights_after(config, 4, world=loud), quiet)


def test_a_policy_without_anybody_in_play_waits() -> None:
    config = small(FAST, {"policy": {"groups": {"there": [0], "gone": [1]}}})
    world = Scripted(4, 40)
    world.alives[:, :, 1] = 0
    world.alive[:, 1] = 0
    with training(config, world) as ppo:
        first = {one.name: one.network.flat.clone() for one in ppo.learners}
        (update,) = updates(ppo)
        nothing = {"explained_variance": None, "epochs_run": 2, "transitions": 0}
        assert update.policies["gone"] == nothing
        last = {one.name: one.network.flat for one in ppo.learners}
        assert torch.equal(first["gone"], last["gone"])
        assert not torch.equal(first["there"], last["there"])
