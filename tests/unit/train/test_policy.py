"""The network: its parts, its memory, and where it begins."""

from __future__ import annotations

import pytest
import torch
from closeness import close

from astrarium.train.config import PolicySection
from astrarium.train.policy import FIRST_LOG_STD, Network, Shape, orthogonal, views
from astrarium.train.streams import stream

SHAPE = Shape(5, (3, 2), 1)


def network_of(seed: int = 0, **section) -> Network:
    told = PolicySection(**({"hidden": (8, 6), "memory_size": 9} | section))
    return Network(SHAPE, told, stream(seed, "weights"))


def normal(name: str, *size: int) -> torch.Tensor:
    return torch.from_numpy(stream(4, name).standard_normal(size)).float()


def test_sizes() -> None:
    assert (SHAPE.choices, SHAPE.outputs) == (5, 7)
    outputs, state = network_of()(normal("obs", 4, 5))
    assert (outputs.shape, state) == ((4, 7), ())
    assert network_of(hidden=())(normal("obs", 4, 5))[0].shape == (4, 7)


@pytest.mark.parametrize(("rows", "columns"), [(3, 8), (8, 3), (4, 4), (1, 5)])
def test_first_weights_are_orthonormal(rows: int, columns: int) -> None:
    matrix = orthogonal((rows, columns), stream(1, "weights"))
    assert matrix.shape == (rows, columns)
    small = matrix @ matrix.T if rows <= columns else matrix.T @ matrix
    close(small, torch.eye(min(rows, columns)), rtol=0, atol=1e-5)


def test_a_new_policy_prefers_nothing_and_a_new_value_is_of_size_one() -> None:
    network = network_of()
    assert network.output.weight[:-1].abs().max() <= 0.01
    assert float(network.output.weight[-1].detach().norm()) == pytest.approx(1.0, rel=1e-5)
    assert not network.output.bias.any()
    first = network.hidden[0].weight
    close(first.T @ first, 2.0 * torch.eye(5), rtol=0, atol=1e-5)
    assert network.log_std.tolist() == [FIRST_LOG_STD]


def test_weights_come_from_the_generator_alone() -> None:
    torch.manual_seed(1)
    one = network_of(memory="lstm")
    torch.manual_seed(2)
    assert torch.equal(one.flat, network_of(memory="lstm").flat)
    assert not torch.equal(one.flat, network_of(seed=1, memory="lstm").flat)


@pytest.mark.parametrize("memory", ["none", "lstm", "gru"])
def test_parameters_are_views_of_one_flat_tensor(memory: str) -> None:
    network = network_of(memory=memory)
    parts = views(network.flat, network)
    for part, parameter in zip(parts, network.parameters(), strict=True):
        assert torch.equal(part, parameter)
    assert sum(part.numel() for part in parts) == network.flat.numel()
    obs = normal("obs", 2, 5)
    before, _ = network(obs, network.first_state(2))
    with torch.no_grad():
        network.flat.mul_(1.5)
    after, _ = network(obs, network.first_state(2))
    assert not torch.equal(before, after)


@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_the_activation_is_the_one_asked_for(activation: str) -> None:
    network = network_of(activation=activation, hidden=(8,))
    obs = normal("obs", 50, 5)
    before = torch.nn.functional.linear(obs, network.hidden[0].weight)
    bent = before.clamp(min=0) if activation == "relu" else before.tanh()
    close(network.encode(obs), bent)


def test_an_architecture_names_everything_that_shapes_weights() -> None:
    archs = {
        network_of().arch,
        network_of(hidden=()).arch,
        network_of(hidden=(8,)).arch,
        network_of(activation="tanh").arch,
        network_of(memory="lstm").arch,
        network_of(memory="gru").arch,
        network_of(memory="gru", memory_size=7).arch,
        network_of(controls="gaussian").arch,
        *(
            Network(shape, PolicySection(hidden=(8, 6)), stream(0, "weights")).arch
            for shape in (Shape(6, (3, 2), 1), Shape(5, (5,), 1), Shape(5, (2, 3), 1))
        ),
    }
    assert len(archs) == 11
    assert network_of(seed=3).arch == network_of().arch


# Memory


@pytest.mark.parametrize(("memory", "parts"), [("none", 0), ("gru", 1), ("lstm", 2)])
def test_first_states(memory: str, parts: int) -> None:
    network = network_of(memory=memory)
    state = network.first_state(4)
    assert len(state) == network.state_parts == parts
    assert all(part.shape == (4, 9) and not part.any() for part in state)


@pytest.mark.parametrize("memory", ["lstm", "gru"])
def test_unrolling_is_stepping_with_the_state_cleared_where_episodes_begin(memory: str) -> None:
    network = network_of(memory=memory)
    obs = normal("obs", 7, 4, 5)
    starts = torch.from_numpy(stream(2, "starts").random((7, 4)) < 0.3)
    assert starts.any()
    assert not starts.all()
    begun = tuple(normal(f"state {at}", 4, 9) for at in range(network.state_parts))
    whole = network.unroll(obs, begun, starts)
    for row in range(4):
        state = tuple(part[row : row + 1] for part in begun)
        for t in range(7):
            if starts[t, row]:
                state = network.first_state(1)
            outputs, state = network(obs[t, row : row + 1], state)
            close(whole[t, row], outputs[0], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("memory", ["lstm", "gru"])
def test_nothing_passes_from_one_episode_to_the_next(memory: str) -> None:
    network = network_of(memory=memory)
    obs = normal("obs", 6, 1, 5)
    starts = torch.zeros(6, 1, dtype=torch.bool)
    starts[3] = True
    begun = network.first_state(1)
    plain = network.unroll(obs, begun, starts)
    obs[:3] += 1.0
    moved = network.unroll(obs, begun, starts)
    assert torch.equal(plain[3:], moved[3:])
    assert not torch.isclose(plain[:3], moved[:3]).all(-1).any()
    starts[3] = False
    assert not torch.equal(network.unroll(obs, begun, starts)[3:], moved[3:])
