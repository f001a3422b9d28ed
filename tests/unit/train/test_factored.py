"""The loss of heads that matter at times, against a slow version of the same sentences."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import second_opinion
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from small_runs import small, training
from tiny_worlds import Knock, TinyWorld

from astrarium.errors import ConfigError
from astrarium.train.config import PolicySection
from astrarium.train.errors import UnlearnableWorldError
from astrarium.train.factored import factored_loss, head_entropies, order_figures
from astrarium.train.loss import SUMS, Objective, Samples
from astrarium.train.policy import Network, Shape
from astrarium.train.ppo import check_learnable

HEADS = (3, 4, 2)
MATTERS = ((), (1,), (1, 2))
SHAPE = Shape(5, HEADS, 0, MATTERS)
OBJECTIVE = Objective(0.2, math.inf, 0.5, 0.03, 0.1, 1.7, 1 / 24)


def network() -> Network:
    return Network(SHAPE, PolicySection(hidden=(8,)), np.random.default_rng(3))


def samples(seed: int, rows: int = 24) -> Samples:
    draw = torch.Generator().manual_seed(seed)
    mask = (torch.rand(rows, sum(HEADS), generator=draw) < 0.7).to(torch.uint8)
    actions = torch.zeros(rows, len(HEADS), dtype=torch.int32)
    first = 0
    for head, size in enumerate(HEADS):
        actions[:, head] = torch.randint(0, size, (rows,), generator=draw)
        mask[torch.arange(rows), first + actions[:, head].long()] = 1
        first += size
    numbers = torch.randn(3, rows, generator=draw)
    log_prob = -torch.rand(rows, len(HEADS), generator=draw) * 3
    return Samples(mask, actions, torch.zeros(rows, 0), log_prob, *numbers)


def slowly(net: Network, outputs: torch.Tensor, given: Samples) -> tuple[torch.Tensor, list[float]]:
    """Row by row and head by head, in 64 bits."""
    heads, _, value = second_opinion.policy_of(net, outputs, given.mask)
    whole = torch.zeros((), dtype=torch.float64)
    sums = np.zeros(len(SUMS))
    for row in range(len(outputs)):
        advantage = (float(given.advantage[row]) - 0.1) * 1.7
        mattered = [0, *MATTERS[int(given.actions[row, 0])]]
        legal = [c for c in range(HEADS[0]) if given.mask[row, c]]
        could = {0} | {head for choice in legal for head in MATTERS[choice]}
        policy, entropy, kl, clipped = 0.0, 0.0, 0.0, 0.0
        for head, one in enumerate(heads):
            log_prob = one.log_prob(given.actions[:, head])[row]
            ratio = torch.exp(log_prob - given.log_prob[row, head].double())
            if head in mattered:
                kept = torch.clamp(ratio, 0.8, 1.2)
                policy = policy - torch.minimum(ratio * advantage, kept * advantage)
                kl += (ratio - 1 - torch.log(ratio)).item()
                clipped += float(ratio != kept) / len(mattered)
            span = slice(sum(HEADS[:head]), sum(HEADS[: head + 1]))
            count = int(given.mask[row, span].sum())
            if head in could and count > 1:
                entropy = entropy + one.entropy()[row] / math.log(count)
        miss = 0.5 * (value[row] - given.returns[row].double()) ** 2
        whole = whole + (policy + 0.5 * miss - 0.03 * entropy) / 24
        sums += [torch.as_tensor(part).item() for part in (policy, miss, entropy, kl, clipped)]
    return whole, list(sums)


@given(st.integers(0, 10_000))
@settings(max_examples=25, deadline=None)
def test_loss_slopes_and_figures_are_those_of_the_slow_version(seed: int) -> None:
    net, given_samples = network(), samples(seed)
    outputs = torch.randn(24, SHAPE.outputs, generator=torch.Generator().manual_seed(seed + 1))
    ours = outputs.clone().requires_grad_()
    theirs = outputs.double().requires_grad_()
    whole, sums = factored_loss(net, ours, given_samples, OBJECTIVE)
    expected, figures = slowly(net, theirs, given_samples)
    assert whole.item() == pytest.approx(expected.item(), rel=1e-4, abs=1e-5)
    assert sums.tolist() == pytest.approx(figures, rel=1e-3, abs=1e-4)
    (slope,) = torch.autograd.grad(whole, ours)
    (second,) = torch.autograd.grad(expected, theirs)
    assert torch.allclose(slope.double(), second, rtol=1e-3, atol=1e-5)


def test_a_head_that_did_not_matter_is_neither_praised_nor_blamed() -> None:
    net, given_samples = network(), samples(1)
    given_samples.actions[:, 0] = 0
    given_samples.mask[:, 0] = 1
    given_samples.mask[:, 1:3] = 0
    outputs = torch.randn(24, SHAPE.outputs).requires_grad_()
    whole, _ = factored_loss(net, outputs, given_samples, OBJECTIVE)
    (slope,) = torch.autograd.grad(whole, outputs)
    assert not slope[:, : sum(HEADS)].any()
    assert slope[:, -1].any()


def test_rows_that_do_not_count_do_not_enter() -> None:
    net, given_samples = network(), samples(2)
    outputs = torch.randn(24, SHAPE.outputs)
    counted = torch.arange(24) < 10
    part = given_samples.at(torch.arange(10))
    whole, sums = factored_loss(net, outputs, given_samples, OBJECTIVE, counted)
    alone, alone_sums = factored_loss(net, outputs[:10], part, OBJECTIVE)
    assert torch.allclose(whole, alone)
    assert torch.allclose(sums, alone_sums)


def test_before_the_first_step_nothing_has_moved() -> None:
    config = small({"ppo": {"epochs": 1, "minibatches": 1, "rollout_steps": 8}})
    for memory in ("none", "lstm"):
        own = config.model_copy(
            update={"policy": PolicySection(hidden=(8,), memory=memory, memory_size=8)}
        )
        with training(own, Knock(16)) as ppo:
            told = ppo.update(0.0, lambda _: None).policies["shared"]
        assert told["approx_kl"] == pytest.approx(0.0, abs=1e-6)
        assert told["clip_fraction"] == 0.0


def test_log_probabilities_come_head_by_head() -> None:
    net, given_samples = network(), samples(4)
    outputs = torch.randn(24, SHAPE.outputs)
    each = order_figures(net, outputs, given_samples)[..., 0]
    heads, _, _ = second_opinion.policy_of(net, outputs.double(), given_samples.mask)
    for head, one in enumerate(heads):
        expected = one.log_prob(given_samples.actions[:, head])
        assert torch.allclose(each[:, head].double(), expected, atol=1e-5)


def test_entropies_come_head_by_head_from_where_the_head_could_matter() -> None:
    net, given_samples = network(), samples(5)
    outputs = torch.zeros(24, SHAPE.outputs)
    counted = torch.ones(24, dtype=torch.bool)
    free = torch.ones_like(given_samples.mask)
    given_samples = replace(given_samples, mask=free)
    orders = order_figures(net, outputs, given_samples)
    assert head_entropies(orders, counted) == pytest.approx([1.0, 1.0, 1.0])
    free[:, 2] = 0  # the only order the third head matters for
    outputs[:12, 3] = 50.0  # half of the rows are sure of the second head
    orders = order_figures(net, outputs, given_samples)
    assert head_entropies(orders, counted) == [pytest.approx(1.0), pytest.approx(0.5), None]
    assert head_entropies(orders, torch.arange(24) < 12)[1] == pytest.approx(0.0, abs=1e-6)


def test_an_update_tells_the_entropy_of_every_head() -> None:
    config = small({"ppo": {"epochs": 1, "minibatches": 1, "rollout_steps": 8}})
    with training(config, Knock(16)) as ppo:
        told = ppo.update(0.0, lambda _: None).policies["shared"]
    assert len(told["head_entropies"]) == 2
    assert all(0.9 < one <= 1.0 for one in told["head_entropies"])


def test_controls_beside_a_deciding_head_are_refused() -> None:
    world = TinyWorld(1, heads=(2, 2), controls=1, matters=((), (1,)))
    with pytest.raises(UnlearnableWorldError, match="continuous controls too"):
        check_learnable(world)


def test_a_gpu_is_refused_with_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("astrarium.train.ppo.pick_device", lambda _: torch.device("cuda"))
    with (
        pytest.raises(ConfigError, match=r"set run\.device to 'cpu'"),
        training(small({}), Knock(4)),
    ):
        pass
