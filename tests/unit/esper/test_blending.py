"""Blends: six formulas, each the host itself where nothing is blended."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from astrarium.esper.blending import (
    STYLES,
    Gate,
    Ingredients,
    blend,
    channel_shares,
    confidence_of,
)
from astrarium.esper.contracts.actions import Blend
from astrarium.esper.contracts.errors import MutationError
from astrarium.esper.contracts.heads import Style
from astrarium.esper.contracts.seeds import RampCurve, Topology
from astrarium.esper.weights import grown, parameter_count

CHANNELS = 3


def ingredients(seed: int, topology: Topology = "cnn") -> Ingredients:
    generator = np.random.default_rng(seed)
    shape = (4, CHANNELS, 2, 2) if topology == "cnn" else (4, 5, CHANNELS)

    def draw(*of: int) -> Tensor:
        return torch.from_numpy(generator.standard_normal(of)).float()

    logits = draw(4, 7) if topology == "cnn" else draw(4, 5, 7)
    gate = draw(4, 1, 1, 1) if topology == "cnn" else draw(4, 5, 1)
    return Ingredients(
        host=draw(*shape),
        seed=draw(*shape),
        seed_input=draw(*shape),
        gate=torch.sigmoid(gate),
        channels=channel_shares((0.0, 0.5, 1.0), CHANNELS, topology),
        confidence=confidence_of(logits, len(shape)),
    )


topologies = st.sampled_from(["cnn", "transformer"])


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(Blend), st.integers(0, 99), topologies, st.sampled_from([math.nan, math.inf])
)
def test_every_operator_is_the_host_itself_at_0(
    operator: Blend, seed: int, topology: Topology, wrong: float
) -> None:
    parts = ingredients(seed, topology)
    host = parts.host.clone()
    host[0] = -0.0
    broken = torch.full_like(parts.seed, wrong)
    parts = dataclasses.replace(parts, host=host, seed=broken, bounds=(0.5, 1.0))
    found = blend(operator, 0.0, parts)
    assert torch.equal(found.view(torch.int32), host.view(torch.int32))


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(Blend), st.floats(0.01, 1.0), st.integers(0, 99), topologies)
def test_operators_follow_their_formulas(
    operator: Blend, alpha: float, seed: int, topology: Topology
) -> None:
    parts = ingredients(seed, topology)
    host, grown_out, seen = parts.host, parts.seed, parts.seed_input
    assert parts.gate is not None
    assert parts.channels is not None
    assert parts.confidence is not None
    formulas = {
        Blend.ADD: host + alpha * (grown_out - host),
        Blend.MULTIPLY: host * (1 + alpha * torch.tanh(grown_out - seen)),
        Blend.GATE: host + alpha * parts.gate * (grown_out - host),
        Blend.RESIDUAL: host + alpha * grown_out,
        Blend.CHANNEL: host + alpha * parts.channels * (grown_out - host),
        Blend.CONFIDENCE: host + alpha * parts.confidence * (grown_out - host),
    }
    assert torch.allclose(blend(operator, alpha, parts), formulas[operator], atol=1e-6)


def test_a_full_sum_is_the_seed_and_a_product_stays_near_the_host() -> None:
    parts = ingredients(1)
    assert torch.equal(blend(Blend.ADD, 1.0, parts), parts.seed)
    factor = blend(Blend.MULTIPLY, 0.3, parts) / parts.host
    assert float((factor - 1.0).abs().max()) <= 0.3 + 1e-6


def test_confidence_stays_within_its_bounds() -> None:
    zeros, ones = torch.zeros(2, CHANNELS, 1, 1), torch.ones(2, CHANNELS, 1, 1)
    logits = torch.tensor([[9.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    sure = confidence_of(logits, 4)
    margin = float(torch.softmax(logits[0], 0)[0] - torch.softmax(logits[0], 0)[1])
    assert math.isclose(float(sure[0]), 1 / (1 + math.exp(-4 * (margin - 0.2))), rel_tol=1e-5)
    assert math.isclose(float(sure[1]), 1 / (1 + math.exp(0.8)), rel_tol=1e-5)
    parts = Ingredients(zeros, ones, zeros, confidence=sure, bounds=(0.4, 0.6))
    found = blend(Blend.CONFIDENCE, 1.0, parts)
    assert torch.allclose(found[0], torch.tensor(0.6))
    assert torch.allclose(found[1], torch.tensor(0.4))


@pytest.mark.parametrize("operator", [Blend.GATE, Blend.CHANNEL, Blend.CONFIDENCE])
def test_a_missing_ingredient_is_named(operator: Blend) -> None:
    parts = ingredients(0)
    bare = Ingredients(parts.host, parts.seed, parts.seed_input)
    with pytest.raises(MutationError, match="and there is none"):
        blend(operator, 0.5, bare)


@pytest.mark.parametrize(
    ("shares", "said"),
    [
        ((), "has 0 values"),
        ((0.5,) * 65, "has 65 values"),
        ((0.5, 0.5), "2 values for 3 channels"),
        ((0.5, 2.0, 0.5), "between 0 and 1"),
    ],
)
def test_shares_of_channels_must_fit(shares: tuple[float, ...], said: str) -> None:
    with pytest.raises(MutationError, match=said):
        channel_shares(shares, CHANNELS, "cnn")


def test_styles_are_the_published_combinations() -> None:
    assert dict(STYLES) == {
        Style.LINEAR_ADD: (Blend.ADD, RampCurve.LINEAR),
        Style.LINEAR_MULTIPLY: (Blend.MULTIPLY, RampCurve.LINEAR),
        Style.SIGMOID_ADD: (Blend.ADD, RampCurve.SIGMOID),
        Style.GATED_GATE: (Blend.GATE, RampCurve.LINEAR),
    }


@pytest.mark.parametrize("topology", ["cnn", "transformer"])
def test_a_gate_opens_between_0_and_1_for_each_row(topology: Topology) -> None:
    gate = grown(lambda: Gate(8, topology), np.random.default_rng(0))
    assert parameter_count(gate) == 8 * 8 + 8 + 8 + 1
    x = torch.randn(3, 8, 4, 4) if topology == "cnn" else torch.randn(3, 6, 8)
    found = gate(x)
    assert found.shape == ((3, 1, 1, 1) if topology == "cnn" else (3, 6, 1))
    assert bool(((found > 0.0) & (found < 1.0)).all())


def test_a_gate_over_a_sequence_does_not_know_the_future() -> None:
    gate = grown(lambda: Gate(8, "transformer"), np.random.default_rng(0))
    x = torch.randn(1, 6, 8)
    changed = x.clone()
    changed[:, 4:] += 1.0
    assert torch.allclose(gate(x)[:, :4], gate(changed)[:, :4])
    assert not torch.allclose(gate(x)[:, 4:], gate(changed)[:, 4:])
