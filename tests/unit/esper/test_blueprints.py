"""Blueprints keep their promises: size, shape, and what they begin as."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from astrarium.esper.blueprint_modules import (
    MASKS_MAX,
    Quietable,
    SparseAttentionSeed,
    group_count,
)
from astrarium.esper.blueprints import (
    Blueprint,
    allowed_blueprints,
    check_shape,
    find_blueprint,
    make_seed,
)
from astrarium.esper.contracts.errors import BlueprintError
from astrarium.esper.contracts.heads import BLUEPRINTS
from astrarium.esper.contracts.seeds import Topology
from astrarium.esper.convolutions import Pointwise
from astrarium.esper.weights import parameter_count

CNN_WIDTHS, TRANSFORMER_WIDTHS = (8, 32, 64), (32, 64, 384)
CNN_SIZES = {
    "conv_light": (592, 9_280, 36_992),
    "attention": (40, 544, 2_112),
    "norm": (17, 65, 129),
    "depthwise": (152, 1_376, 4_800),
    "bottleneck": (720, 1_152, 4_480),
    "conv_small": (80, 1_088, 4_224),
    "conv_heavy": (1_184, 18_560, 73_984),
}
TRANSFORMER_SIZES = {
    "attention": (4_224, 16_640, 591_360),
    "norm": (65, 129, 769),
    "lora": (512, 1_024, 6_144),
    "lora_large": (2_048, 4_096, 24_576),
    "mlp_small": (4_192, 16_576, 590_976),
    "mlp": (8_352, 33_088, 1_181_568),
    "flex_attention": (4_224, 16_640, 591_360),
}
IDENTITIES = {
    "cnn": {"norm", "bottleneck", "conv_small"},
    "transformer": set(TRANSFORMER_SIZES),
}
EVERY: list[tuple[str, Topology]] = [
    *((name, "cnn") for name in CNN_SIZES),
    *((name, "transformer") for name in TRANSFORMER_SIZES),
]


def seed_of(name: str, topology: Topology, width: int = 32, quiet: bool = False) -> nn.Module:
    generator = np.random.default_rng(5)
    return make_seed(find_blueprint(name, topology), width, generator, quiet=quiet)


def features(topology: Topology, width: int = 32, seed: int = 0) -> torch.Tensor:
    shape = (2, width, 5, 7) if topology == "cnn" else (2, 9, width)
    return torch.from_numpy(np.random.default_rng(seed).standard_normal(shape)).float()


def test_the_registry_is_the_published_table() -> None:
    assert set(allowed_blueprints("cnn")) == CNN_SIZES.keys()
    assert set(allowed_blueprints("transformer")) == TRANSFORMER_SIZES.keys()
    assert [find_blueprint(name, "cnn").index for name in ("noop", "conv_heavy")] == [0, 7]
    assert find_blueprint("flex_attention", "transformer").index == 12
    assert len(BLUEPRINTS) == 13


@pytest.mark.parametrize(("name", "topology"), EVERY)
def test_a_seed_has_the_published_size(name: str, topology: Topology) -> None:
    sizes = CNN_SIZES[name] if topology == "cnn" else TRANSFORMER_SIZES[name]
    widths = CNN_WIDTHS if topology == "cnn" else TRANSFORMER_WIDTHS
    for width, size in zip(widths, sizes, strict=True):
        blueprint = find_blueprint(name, topology)
        module = blueprint.make(width)
        assert blueprint.parameters(width) == size
        assert parameter_count(module) == size


@pytest.mark.parametrize(("name", "topology"), EVERY)
def test_a_seed_begins_as_the_identity_where_it_says_so_and_can_learn(
    name: str, topology: Topology
) -> None:
    seed = seed_of(name, topology)
    x = features(topology)
    found = seed(x)
    assert found.shape == x.shape
    says = find_blueprint(name, topology).begins_as_identity
    assert says is (name in IDENTITIES[topology])
    assert torch.equal(found, x) is says
    # A ReLU behind zeros would have no slope, and the seed would stay the identity for ever.
    (found - x - 1.0).square().sum().backward()
    assert any(float(p.grad.abs().sum()) > 0.0 for p in seed.parameters() if p.grad is not None)


@pytest.mark.parametrize(("name", "topology"), EVERY)
def test_a_quiet_seed_is_the_identity_and_can_learn(name: str, topology: Topology) -> None:
    seed = seed_of(name, topology, quiet=True)
    if not isinstance(seed, Quietable):
        assert (name, topology) == ("attention", "cnn")
        return
    x = features(topology)
    assert torch.equal(seed(x), x)
    (seed(x) - x - 1.0).square().sum().backward()
    assert any(float(p.grad.abs().sum()) > 0.0 for p in seed.parameters() if p.grad is not None)


def test_squeeze_and_excite_begins_nearly_open() -> None:
    seed, x = seed_of("attention", "cnn"), features("cnn")
    assert torch.allclose(seed(x), x * torch.sigmoid(torch.tensor(3.0)))


@pytest.mark.parametrize(("name", "topology"), EVERY)
def test_no_seed_remembers_statistics(name: str, topology: Topology) -> None:
    seed = seed_of(name, topology)
    assert not list(seed.buffers())
    assert not any(isinstance(part, nn.BatchNorm2d) for part in seed.modules())


@pytest.mark.parametrize("name", ["attention", "flex_attention", "norm", "mlp", "lora"])
def test_no_position_knows_its_future(name: str) -> None:
    seed = seed_of(name, "transformer")
    with torch.no_grad():
        for parameter in seed.parameters():
            parameter.add_(0.1)
    x = torch.cat([features("transformer", seed=at) for at in range(5)], dim=1)
    changed = x.clone()
    changed[:, 20:] += 1.0
    assert torch.allclose(seed(x)[:, :20], seed(changed)[:, :20], atol=1e-6)


def test_sparse_attention_skips_far_blocks_and_keeps_few_masks() -> None:
    seed = SparseAttentionSeed(8)
    mask = seed.mask(64, torch.device("cpu"))
    assert mask[63, 63]
    assert mask[63, 32]
    assert mask[63, 0]
    assert not mask[63, 31]
    assert not mask[0, 1]
    assert seed.pairs(64) == int(mask.sum()) < 64 * 65 // 2
    for time in range(1, 20):
        seed.mask(time, torch.device("cpu"))
        assert len(seed.masks) <= MASKS_MAX
    assert (19, "cpu") in seed.masks
    assert (1, "cpu") not in seed.masks


@given(st.integers(1, 2048))
def test_groups_divide_and_are_wide_or_one(channels: int) -> None:
    groups = group_count(channels)
    assert channels % groups == 0
    assert groups == 1 or channels // groups >= 16
    wider = [g for g in (32, 16, 8, 4, 2) if channels % g == 0 and channels // g >= 16]
    assert groups == max(wider, default=1)


def test_unknown_and_unfitting_blueprints_are_refused() -> None:
    with pytest.raises(BlueprintError, match="did you mean 'conv_light'"):
        find_blueprint("conv_lite", "cnn")
    with pytest.raises(BlueprintError, match="lora does not fit a cnn host"):
        find_blueprint("lora", "cnn")
    with pytest.raises(BlueprintError, match="cannot be split"):
        seed_of("attention", "transformer", width=6)


def test_a_seed_that_breaks_its_promises_is_refused() -> None:
    class Wider(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.cat([x, x], dim=1)

    broken = Blueprint("noop", "cnn", lambda width: Wider(), lambda width: 0, False)
    with pytest.raises(BlueprintError, match="seeds keep the shape"):
        make_seed(broken, 4, np.random.default_rng(0))
    heavy = Blueprint("noop", "cnn", lambda w: nn.Conv2d(w, w, 1), lambda width: 0, False)
    with pytest.raises(BlueprintError, match="has 20 parameters at width 4, not 0"):
        make_seed(heavy, 4, np.random.default_rng(0))


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(EVERY), st.integers(0, 2**32))
def test_equal_generators_give_equal_seeds(which: tuple[str, Topology], number: int) -> None:
    one, two = (
        make_seed(find_blueprint(*which), 8, np.random.default_rng(number)) for _ in range(2)
    )
    pairs = zip(one.parameters(), two.parameters(), strict=True)
    assert all(torch.equal(a, b) for a, b in pairs)
    check_shape(find_blueprint(*which), 8, one)


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 5), st.integers(1, 6), st.integers(1, 4), st.integers(1, 5))
def test_a_pointwise_convolution_is_one(rows: int, before: int, after: int, side: int) -> None:
    ours = Pointwise(before, after)
    x = torch.randn(rows, before, side, side, requires_grad=True)
    theirs = torch.nn.functional.conv2d(x, ours.weight)
    assert torch.allclose(ours(x), theirs, atol=1e-5)
    one = torch.autograd.grad(ours(x).square().sum(), [x, ours.weight])
    two = torch.autograd.grad(theirs.square().sum(), [x, ours.weight])
    assert all(torch.allclose(a, b, atol=1e-4) for a, b in zip(one, two, strict=True))
