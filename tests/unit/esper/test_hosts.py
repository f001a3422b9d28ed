"""Hosts: the published sizes, routing that agrees with the whole, slots where they should be."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from astrarium.esper import tasks
from astrarium.esper.building import build_host
from astrarium.esper.cnn_host import CnnHost
from astrarium.esper.contracts.errors import RoutingError
from astrarium.esper.contracts.seeds import Surface
from astrarium.esper.hosts import RoutedHost
from astrarium.esper.shapes import CnnShape, TransformerShape
from astrarium.esper.transformer_host import TransformerHost
from astrarium.esper.weights import parameter_count


def input_of(shape: CnnShape | TransformerShape, rows: int, seed: int = 0) -> Tensor:
    generator = np.random.default_rng(seed)
    if isinstance(shape, CnnShape):
        pictures = generator.standard_normal((rows, shape.in_channels, 8, 8))
        return torch.from_numpy(pictures).float()
    return torch.from_numpy(generator.integers(0, shape.vocabulary, (rows, shape.context)))


def small_hosts() -> list[CnnShape | TransformerShape]:
    return [
        CnnShape(base=2, blocks=3, kernel=3, pools=2, in_channels=1),
        CnnShape(base=2, blocks=2, kernel=1, pools=2, rows=(1,)),
        TransformerShape(8, 2, 4, 6, 5, 2),
        TransformerShape(8, 0, 2, 6, 5, 2, mlp_ratio=2, tied=False),
    ]


@pytest.mark.parametrize("name", tasks.task_names())
def test_a_host_is_as_its_shape_says(name: str) -> None:
    shape = tasks.task(name).host
    # The largest is only counted, not filled.
    with torch.device("meta" if name == "tinystories" else "cpu"):
        host = CnnHost(shape) if isinstance(shape, CnnShape) else TransformerHost(shape)
    assert parameter_count(host) == shape.parameters
    assert tuple(spec.slot_id for spec in host.injection_specs()) == shape.slot_ids
    assert host.topology == shape.topology


def test_slots_of_a_cnn_lie_before_and_behind_its_pools() -> None:
    host = CnnHost(CnnShape(base=8, blocks=3, kernel=3, pools=2))
    specs = host.injection_specs()
    assert [spec.slot_id for spec in specs] == ["r0c0", "r0c1", "r0c2", "r1c0", "r1c1"]
    assert host.execution_order() == ("r0c0", "r1c0", "r0c1", "r1c1", "r0c2")
    assert [spec.channels for spec in specs] == [8, 16, 32, 8, 16]
    assert dict(host.segment_channels) == {spec.slot_id: spec.channels for spec in specs}
    surfaces = {spec.row: spec.surface for spec in specs}
    assert surfaces == {0: Surface.PRE_POOL, 1: Surface.POST_POOL}
    assert sorted(spec.order for spec in specs) == list(range(5))
    assert all(0.0 <= spec.position <= 1.0 for spec in specs)
    picture = torch.zeros(1, 3, 8, 8)
    assert host.forward_to_segment("r0c1", picture).shape == (1, 16, 4, 4)
    assert host.forward_to_segment("r1c1", picture).shape == (1, 16, 2, 2)


@pytest.mark.parametrize("shape", small_hosts(), ids=repr)
def test_going_through_any_slots_is_going_through_the_host(
    shape: CnnShape | TransformerShape,
) -> None:
    host = build_host(shape, np.random.default_rng(3)).eval()
    x = input_of(shape, 3)
    whole = host(x)
    order = host.execution_order()
    for first in order:
        features = host.forward_to_segment(first, x)
        assert torch.equal(host.forward_from_segment(first, features), whole)
        for second in order[order.index(first) + 1 :]:
            further = host.forward_to_segment(second, features, first)
            assert torch.equal(host.forward_from_segment(second, further), whole)


@pytest.mark.parametrize("shape", small_hosts(), ids=repr)
def test_routes_that_do_not_exist_are_refused(shape: CnnShape | TransformerShape) -> None:
    host = build_host(shape, np.random.default_rng(0))
    x = input_of(shape, 1)
    order = host.execution_order()
    with pytest.raises(RoutingError, match="has no slot 'early'"):
        host.forward_to_segment("early", x)
    with pytest.raises(RoutingError, match="does not lie behind"):
        host.forward_to_segment(order[0], x, order[0])
    with pytest.raises(RoutingError, match="does not lie behind"):
        host.forward_to_segment(order[0], x, order[1])


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(small_hosts()))
def test_equal_generators_give_equal_bits_and_leave_torch_alone(
    seed: int, shape: CnnShape | TransformerShape
) -> None:
    def bits(host: RoutedHost) -> list[Tensor]:
        return [*host.parameters(), *host.buffers()]

    before = torch.random.get_rng_state()
    one = bits(build_host(shape, np.random.default_rng(seed)))
    two = bits(build_host(shape, np.random.default_rng(seed)))
    other = bits(build_host(shape, np.random.default_rng(seed + 1)))
    assert all(torch.equal(a, b) for a, b in zip(one, two, strict=True))
    assert any(not torch.equal(a, b) for a, b in zip(one, other, strict=True))
    assert torch.equal(before, torch.random.get_rng_state())


def test_a_tied_head_is_the_embedding_itself() -> None:
    host = build_host(TransformerShape(8, 2, 2, 6, 5, 1), np.random.default_rng(0))
    names = [name for name, parameter in host.named_parameters() if parameter.shape == (5, 8)]
    assert len(names) == 1


def test_no_position_of_a_language_host_knows_its_future() -> None:
    shape = TransformerShape(8, 2, 2, 6, 5, 1)
    host = build_host(shape, np.random.default_rng(1)).eval()
    tokens = input_of(shape, 1)
    changed = tokens.clone()
    changed[0, 3:] = (changed[0, 3:] + 1) % shape.vocabulary
    assert torch.equal(host(tokens)[:, :3], host(changed)[:, :3])
    assert not torch.equal(host(tokens)[:, 3:], host(changed)[:, 3:])
