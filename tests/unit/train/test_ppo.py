"""Whole updates: against a textbook, against themselves, and the rules between them."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import torch
from small_runs import PROSPECTOR, small, training, updates, watched, weights, weights_after
from textbook import Textbook
from tiny_worlds import Scripted, TinyWorld

from astrarium import worlds
from astrarium.errors import ConfigError
from astrarium.train import gradients, learner
from astrarium.train.errors import UnlearnableWorldError
from astrarium.train.ppo import line

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
                    torch.testing.assert_close(
                        weight.detach().double(), book.weights[key].detach(), rtol=0, atol=5e-5
                    )
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
        torch.testing.assert_close(weights_after(config), whole, rtol=0, atol=2e-5)


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
            torch.testing.assert_close(
                one.rollout.actions.double(), seen["actions"], rtol=0, atol=0
            )

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
        assert update.policies["gone"] == {"explained_variance": None, "epochs_run": 2}
        last = {one.name: one.network.flat for one in ppo.learners}
        assert torch.equal(first["gone"], last["gone"])
        assert not torch.equal(first["there"], last["there"])


# The rules of an update


def test_a_straight_line() -> None:
    assert [line(3.0, 1.0, at) for at in (0.0, 0.25, 1.0)] == [3.0, 2.5, 1.0]
    # A run may overshoot its goal within its last update.
    assert line(3.0, 1.0, 1.5) == 1.0
    assert line(3.0, 1.0, -1.0) == 3.0


def test_schedules_follow_progress() -> None:
    config = small(
        FAST,
        {
            "ppo": {
                "learning_rate": 1e-3,
                "final_learning_rate": 5e-4,
                "entropy_coef": 0.0,
                "final_entropy_coef": 0.4,
            }
        },
    )
    with training(config) as ppo:
        update = ppo.update(0.5, lambda world: None)
        assert (update.number, ppo.updates) == (0, 1)
        assert update.learning_rate == pytest.approx(7.5e-4)
        assert update.entropy_coef == pytest.approx(0.2)
        assert float(ppo.learners[0].optimizer.rate) == pytest.approx(7.5e-4)


def test_a_learning_rate_of_nothing_changes_nothing() -> None:
    config = small(FAST, {"ppo": {"final_learning_rate": 0.0}})
    with training(config) as ppo:
        before = weights(ppo)
        ppo.update(1.0, lambda world: None)
        assert torch.equal(weights(ppo), before)
        ppo.update(0.9, lambda world: None)
        assert not torch.equal(weights(ppo), before)


def test_entropy_is_paid_for() -> None:
    """With nothing else to gain, a policy that prefers something unlearns it."""
    config = small(FAST, {"ppo": {"entropy_coef": 1.0, "learning_rate": 1e-2}})
    world = Scripted(16, 200)
    world.rewards[...] = 0.0
    with training(config, world) as ppo:
        with torch.no_grad():
            ppo.learners[0].network.output.bias[0] = 2.0
        told = [one.policies["shared"]["entropy"] for one in updates(ppo, 8)]
    assert told[0] < 0.8
    assert told[-1] > 1.0
    assert told[-1] < np.log(3.0) + 1e-6


def test_epochs_stop_once_the_policy_has_moved_far_enough() -> None:
    far = {"ppo": {"epochs": 6, "learning_rate": 4e-3, "rollout_steps": 16}}

    def told(**ppo: float) -> dict[str, float]:
        with training(small(far, {"ppo": ppo})) as trainer:
            return updates(trainer)[0].policies["shared"]

    free = told()
    assert free["epochs_run"] == 6
    assert told(target_kl=1e3) == free
    one, two = told(epochs=1), told(epochs=2)
    first = one["approx_kl"]
    second = 2 * two["approx_kl"] - first
    assert 2 * first < second
    # It stops after the epoch that went too far, and nothing before that is different.
    assert told(target_kl=0.9 * first) == one
    assert told(target_kl=1.1 * first) == two
    assert told(target_kl=0.9 * second) == two
    assert told(target_kl=1.1 * second)["epochs_run"] > 2


def test_a_long_gradient_is_shortened() -> None:
    """Told as it was, followed as it may be."""
    one_step = {"ppo": {"epochs": 1, "minibatches": 1, "rollout_steps": 8}}
    lengths, norms = [], []
    for longest in (1e9, 1e-3):
        with training(small(one_step, {"ppo": {"max_grad_norm": longest}})) as ppo:
            (update,) = updates(ppo)
            norms.append(update.policies["shared"]["grad_norm"])
            lengths.append(float(ppo.learners[0].optimizer.gradient.norm()))
    assert norms[0] == norms[1] == pytest.approx(lengths[0])
    assert norms[0] > 1e-3
    assert lengths[1] == pytest.approx(1e-3, rel=1e-2)


def test_the_scale_of_observations_stands_still_within_an_update() -> None:
    config = small({"ppo": {"normalise_observations": True}})
    with training(config) as ppo:
        (scale,) = (one.scale for one in ppo.learners)
        assert scale is not None
        updates(ppo)
        before = (scale.mean.clone(), scale.factor.clone())
        during: list[bool] = []

        def still(world) -> None:
            during.append(torch.equal(scale.mean, before[0]))
            during.append(torch.equal(scale.factor, before[1]))

        ppo.collect(still)
        assert len(during) == 32
        assert all(during)
        # And the log-probabilities come again under it: nothing moved in between.
        log_prob = ppo.learners[0].rollout.log_prob.clone()
        ppo.learners[0].learn(1, 0.0, 0.0)
        assert not torch.equal(scale.mean, before[0])
        played = ppo.learners[0].rollout.obs[:-1][ppo.learners[0].rollout.alive[:-1]]
        assert scale.moments.count[0] > len(played)
        assert torch.equal(ppo.learners[0].rollout.log_prob, log_prob)


def test_what_an_update_tells_is_what_its_event_takes() -> None:
    from astrarium.telemetry.events import UpdateFinished

    with training(small(FAST)) as ppo:
        (update,) = updates(ppo)
    event = UpdateFinished(
        update=update.number, env_steps_total=1, calls_total=1, **update.policies["shared"]
    )
    assert event.grad_norm == update.policies["shared"]["grad_norm"] > 0
    with pytest.raises(dataclasses.FrozenInstanceError):
        update.number = 3
