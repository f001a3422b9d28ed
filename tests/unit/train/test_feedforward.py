"""The explicit passes against autograd."""

from __future__ import annotations

import pytest
import torch
from closeness import close

from astrarium.train.config import PolicySection
from astrarium.train.feedforward import Pass
from astrarium.train.policy import Network, Shape, views
from astrarium.train.streams import stream

SHAPE = Shape(6, (4, 3), 0)


def network_of(hidden: tuple[int, ...], activation: str) -> Network:
    section = PolicySection(hidden=hidden, activation=activation)
    network = Network(SHAPE, section, stream(3, "weights"))
    with torch.no_grad():
        # Biases begin at zero and policy weights near it, which would hide faults in either.
        numbers = stream(3, "noise").standard_normal(len(network.flat))
        network.flat += 0.3 * torch.from_numpy(numbers).float()
    return network


def normal(name: str, *size: int) -> torch.Tensor:
    return torch.from_numpy(stream(4, name).standard_normal(size)).float()


@pytest.mark.parametrize("activation", ["relu", "tanh"])
@pytest.mark.parametrize("hidden", [(), (5,), (8, 7), (4, 9, 5)])
@pytest.mark.parametrize("rows", [1, 10, 16])
def test_outputs_and_gradients_are_those_of_autograd(hidden, activation, rows) -> None:
    network = network_of(hidden, activation)
    obs, slope = normal("obs", rows, 6), normal("slope", rows, SHAPE.outputs)
    expected, _ = network(obs)
    gradients = torch.autograd.grad(
        expected, list(network.parameters()), slope, materialize_grads=True
    )
    one = Pass(network, 16)
    flat = torch.full_like(network.flat, 77.0)
    with torch.no_grad():
        found = one.forward(obs)
        close(found, expected.detach())
        into = views(flat, network)
        one.backward(obs, slope.clone(), into)
    assert len(gradients) == len(into) == 2 * len(hidden) + 3
    for given, wanted in zip(into, gradients, strict=True):
        close(given, wanted, rtol=1e-5, atol=1e-5)
    assert not (flat == 77.0).any()


def test_what_an_earlier_chunk_left_does_not_matter() -> None:
    """The memory is used again, by larger chunks before smaller ones."""
    network = network_of((8, 7), "relu")
    used, fresh = Pass(network, 16), Pass(network, 16)
    results = []
    with torch.no_grad():
        used.forward(normal("before", 16, 6))
        used.backward(
            normal("before", 16, 6),
            normal("slope before", 16, SHAPE.outputs),
            views(torch.zeros_like(network.flat), network),
        )
        for one in (used, fresh):
            flat = torch.zeros_like(network.flat)
            outputs = one.forward(normal("obs", 5, 6)).clone()
            one.backward(
                normal("obs", 5, 6), normal("slope", 5, SHAPE.outputs), views(flat, network)
            )
            results.append((outputs, flat))
    assert torch.equal(results[0][0], results[1][0])
    assert torch.equal(results[0][1], results[1][1])
