"""The flat optimiser does what torch's does, and gradients are judged as published."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from small_networks import batch_of, grow_to, loss_of, network_of
from torch import Tensor, nn

from astrarium.esper.contracts.stages import Stage
from astrarium.esper.descent import Descent
from astrarium.esper.gradients import (
    GradientSampler,
    gradient_health,
    gradient_norms,
    gradient_ratio,
)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 999), st.sampled_from([0.0, 5e-4]), st.sampled_from([0.1, 1.0, 100.0]))
def test_it_walks_as_the_textbook_does(seed: int, decay: float, clip: float) -> None:
    generator = torch.Generator().manual_seed(seed)
    shapes = [(3, 2), (4,), ()]
    ours = [nn.Parameter(torch.randn(shape, generator=generator)) for shape in shapes]
    theirs = [p.detach().clone().requires_grad_() for p in ours]
    speeds = [torch.zeros_like(p) for p in theirs]
    descent = Descent(ours, 0.05, 0.9, decay, clip)

    def height(parameters: Sequence[Tensor]) -> Tensor:
        return torch.stack([p.square().sum() + (3.0 * p).sin().sum() for p in parameters]).sum()

    for _ in range(4):
        height(ours).backward()
        descent.step()
        slopes = torch.autograd.grad(height(theirs), theirs)
        norm = math.sqrt(sum(float(slope.square().sum()) for slope in slopes))
        with torch.no_grad():
            for p, slope, speed in zip(theirs, slopes, speeds, strict=True):
                speed.copy_(0.9 * speed + slope * min(1.0, clip / (norm + 1e-6)) + decay * p)
                p.sub_(0.05 * speed)
        for one, two in zip(ours, theirs, strict=True):
            assert torch.allclose(one, two, atol=1e-6)
            assert not bool(one.grad is None or one.grad.any())


def test_parameters_stay_the_same_objects_in_new_memory() -> None:
    parameters = [nn.Parameter(torch.ones(2, 2)), nn.Parameter(torch.zeros(3))]
    descent = Descent(parameters, 0.1, 0.9, 0.0, 1.0)
    descent.flat.fill_(7.0)
    assert all(bool((p == 7.0).all()) for p in parameters)
    assert descent.holds(parameters)
    assert not descent.holds(parameters[:1])
    assert not descent.holds([parameters[0], nn.Parameter(torch.zeros(3))])


def test_health_is_the_published_formula() -> None:
    assert gradient_health([0.5, 0.5], clip=1.0).health == 1.0
    ill = gradient_health([0.0, 11.0, math.nan, 1.0], clip=1.0)
    assert ill.health == pytest.approx(1.0 - 0.5 * 0.25 - 0.8 * 0.5)
    assert ill.exploding
    assert not ill.vanishing
    assert math.isfinite(ill.norm)
    assert gradient_health([0.0, 0.0, 1.0], clip=1.0).vanishing
    assert not gradient_health([11.0, 11.0, 1.0, 1.0], clip=1.0).exploding
    assert gradient_health([11.0, 11.0, 1.0], clip=1.0).exploding
    assert gradient_health([math.inf, math.inf], clip=1.0).health == pytest.approx(0.2)


def test_the_ratio_is_the_published_formula() -> None:
    assert gradient_ratio(1.0, 2.0, 100, 400) == pytest.approx(1.0)
    assert gradient_ratio(1.0, 1e-9, 100, 400) == 0.0
    assert gradient_ratio(99.0, 1.0, 100, 400) == 10.0
    assert gradient_ratio(math.nan, 1.0, 100, 400) == 10.0
    assert gradient_ratio(1.0, math.nan, 100, 400) == 0.0


def test_samples_are_averaged_and_read_once() -> None:
    network = network_of()
    grow_to(network, "r0c0", Stage.TRAINING)
    sampler = GradientSampler()
    assert sampler.read() == {}
    norms: list[list[float]] = []
    for seed in range(2):
        x, y = batch_of("cnn", seed=seed)
        loss_of(network(x), y).backward()
        sampler.sample(network.learning(), gradient_norms(network.learning()))
        norms.append([float(p.grad.norm()) for p in network.slot("r0c0").living()])
        network.step()
    found = sampler.read()
    assert found.keys() == {"r0c0"}
    mean = [sum(pair) / 2 for pair in zip(*norms, strict=True)]
    assert found["r0c0"].health.norm == pytest.approx(math.hypot(*mean), rel=1e-5)
    assert found["r0c0"].health.health == 1.0
    assert found["r0c0"].ratio > 0.0
    assert sampler.read() == {}
