"""Two ways to one gradient, in chunks of any size."""

from __future__ import annotations

import math

import numpy as np
import pytest
import second_opinion
import torch
from closeness import close
from small_runs import small, training
from tiny_worlds import Scripted

from astrarium.train import gradients
from astrarium.train.gradients import AutogradGradient, named
from astrarium.train.lanes import Lanes
from astrarium.train.learner import Learner
from astrarium.train.loss import Objective
from astrarium.train.native_policy import NativePolicy

NOWHERE = [
    {},
    {"ppo": {"normalise_observations": True}},
    {"policy": {"hidden": []}},
    {"policy": {"hidden": [9], "activation": "tanh"}},
]


@pytest.fixture
def lanes():
    made = Lanes(1)
    yield made
    made.close()


def both_ways(learner: Learner, lanes: Lanes) -> tuple[NativePolicy, AutogradGradient]:
    network, scale = learner.network, learner.scale
    return NativePolicy(network, scale, 2), AutogradGradient(network, lanes, scale)


def weights_of(rows: int, **changed: float) -> Objective:
    numbers = {
        "clip": 0.2,
        "value_clip": math.inf,
        "value_coef": 0.5,
        "entropy_coef": 0.02,
        "advantage_mean": -0.1,
        "advantage_scale": 1.3,
        "row_weight": 1.0 / rows,
    }
    return Objective(**(numbers | changed))


def off_policy(learner: Learner) -> None:
    """As in a later epoch: the policy is no longer the one that acted."""
    draw = np.random.default_rng(1)
    noise = torch.from_numpy(draw.standard_normal(len(learner.network.flat))).float()
    with torch.no_grad():
        learner.network.flat += 0.1 * noise


def true_gradient(learner: Learner, rows: np.ndarray, objective: Objective):
    """Of the loss in 64 bits, over all rows at once."""
    rollout, network = learner.rollout, learner.network
    obs = rollout.flat_obs()[torch.from_numpy(rows)].clone()
    if learner.scale is not None:
        learner.scale.apply_(obs)
    outputs, _ = network(obs)
    whole, figures = second_opinion.loss(
        network, outputs.double(), rollout.samples().at(torch.from_numpy(rows)), objective
    )
    found = torch.autograd.grad(whole, list(network.parameters()), materialize_grads=True)
    return torch.cat([one.reshape(-1) for one in found]), figures.numpy()


@pytest.mark.parametrize("value_clip", [math.inf, 0.02])
@pytest.mark.parametrize("layer", NOWHERE)
def test_both_ways_lead_to_the_gradient_of_the_loss(layer, value_clip, lanes, monkeypatch) -> None:
    with training(small({"ppo": {"rollout_steps": 30}}, layer)) as ppo:
        ppo.update(0.0, lambda world: None)
        ppo.collect(lambda world: None)
        (learner,) = ppo.learners
        off_policy(learner)
        rows = np.random.default_rng(2).permutation(learner.rollout.played())[:100]
        objective = weights_of(100, value_clip=value_clip)
        expected, figures = true_gradient(learner, rows, objective)
        assert figures[-1] > 0, "some ratio left its range"
        scale = float(expected.abs().max())
        for size in (2048, 100, 33, 7):
            monkeypatch.setattr(gradients, "CHUNK_ROWS", size)
            for way in both_ways(learner, lanes):
                way.prepare(learner.rollout, learner.rollout.samples())
                out = torch.full_like(learner.network.flat, 77.0)
                sums = way(rows, objective, out)
                close(out, expected, rtol=1e-3, atol=2e-5 * scale)
                np.testing.assert_allclose(sums, figures, rtol=1e-3, atol=1e-3)


def test_an_earlier_larger_minibatch_leaves_nothing_behind(lanes, monkeypatch) -> None:
    monkeypatch.setattr(gradients, "CHUNK_ROWS", 10)
    with training(small()) as ppo:
        ppo.collect(lambda world: None)
        (learner,) = ppo.learners
        played = learner.rollout.played()
        for used, fresh in zip(both_ways(learner, lanes), both_ways(learner, lanes), strict=True):
            outs = []
            for way, first in ((used, played[:95]), (fresh, None)):
                way.prepare(learner.rollout, learner.rollout.samples())
                out = torch.zeros_like(learner.network.flat)
                if first is not None:
                    way(first, weights_of(95), out)
                way(played[50:73], weights_of(23), out)
                outs.append(out)
            assert torch.equal(*outs)


@pytest.mark.parametrize("memory", ["lstm", "gru"])
@pytest.mark.parametrize("controls", [0, 2])
def test_sequences_count_only_where_an_agent_was(memory, controls, lanes, monkeypatch) -> None:
    config = small({"policy": {"memory": memory, "memory_size": 8}})
    world = Scripted(5, 40, controls=controls)
    with training(config, world) as ppo:
        ppo.collect(lambda world: None)
        ppo.collect(lambda world: None)
        (learner,) = ppo.learners
        rollout, network = learner.rollout, learner.network
        begun = tuple(part.clone() for part in learner._begun)
        assert all(part.any() for part in begun)
        off_policy(learner)
        chosen = np.array([7, 0, 3, 4, 9])
        alive = rollout.alive[:-1, chosen]
        assert not alive.all()
        objective = weights_of(int(alive.sum()))
        # One row after another and one step after another, in 64 bits from the outputs on.
        whole = torch.zeros((), dtype=torch.float64)
        figures = np.zeros(5)
        for row in chosen:
            state = tuple(part[row : row + 1] for part in begun)
            for t in range(rollout.steps):
                if rollout.starts[t, row]:
                    state = network.first_state(1)
                outputs, state = network(rollout.obs[t, row : row + 1], state)
                if not rollout.alive[t, row]:
                    continue
                at = torch.tensor([t * rollout.rows + row])
                one, sums = second_opinion.loss(
                    network, outputs.double(), rollout.samples().at(at), objective
                )
                whole = whole + one
                figures += sums.numpy()
        parameters = list(network.parameters())
        found = torch.autograd.grad(whole, parameters, materialize_grads=True)
        expected = torch.cat([one.reshape(-1) for one in found])
        for size in (64, 3):
            monkeypatch.setattr(gradients, "CHUNK_SEQUENCES", size)
            way = AutogradGradient(network, lanes, None)
            way.prepare(rollout, rollout.samples())
            out = torch.zeros_like(network.flat)
            sums = way.of_sequences(chosen, begun, objective, out)
            scale = float(expected.abs().max())
            close(out, expected, rtol=1e-3, atol=2e-5 * scale)
            np.testing.assert_allclose(sums, figures, rtol=1e-3, atol=1e-3)


def test_sums_become_means_by_name() -> None:
    told = named(np.array([2.0, 4.0, 6.0, 8.0, 1.0]), 4)
    assert told == {
        "policy_loss": 0.5,
        "value_loss": 1.0,
        "entropy": 1.5,
        "approx_kl": 2.0,
        "clip_fraction": 0.25,
    }
