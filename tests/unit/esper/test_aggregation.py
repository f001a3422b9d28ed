"""Gradients put together: weights, conflicts, and their figures."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from astrarium.errors import ShapeError
from astrarium.esper.aggregation import Source, aggregate, plan, project, source_weight
from astrarium.esper.aggregation_metrics import (
    AggregationWarning,
    epoch_report,
    largest_layers,
)
from astrarium.esper.contracts.errors import MeasurementError
from astrarium.esper.contracts.stages import Stage


def source(name: str, stage: Stage = Stage.HOLDING, alpha: float = 1.0) -> Source:
    return Source(name, stage, alpha, 100)


AB = [source("a"), source("b")]


def rng() -> np.random.Generator:
    return np.random.default_rng(5)


def test_mean_and_sum() -> None:
    gradients = [np.array([1.0, 0.0]), np.array([3.0, 2.0])]
    assert aggregate(gradients, AB)[0].tolist() == [2.0, 1.0]
    assert aggregate(gradients, AB, "sum")[0].tolist() == [4.0, 2.0]


def test_weights_by_stage_and_amplitude() -> None:
    assert source_weight(source("a", Stage.TRAINING, 0.0)) == 0.125
    assert source_weight(source("a", Stage.BLENDING, 0.5)) == 0.375
    assert source_weight(source("a", Stage.HOLDING, 1.0)) == 1.0
    assert source_weight(source("a", Stage.FOSSILIZED, 1.0)) == 1.0
    assert source_weight(source("a", Stage.GERMINATED, 0.0)) == 0.1
    sources = [source("a", Stage.BLENDING, 0.0), source("b")]  # 0.25 and 1
    mixed, _ = aggregate([np.array([5.0]), np.array([0.0])], sources, "state_weighted")
    assert mixed.tolist() == pytest.approx([1.0])


def test_a_conflict_is_projected_out() -> None:
    """Of (1, 0) and (-1, 1) each loses what points against the other."""
    gradients = [np.array([1.0, 0.0]), np.array([-1.0, 1.0])]
    mixed, found = aggregate(gradients, AB, "sum", rng())
    assert mixed.tolist() == pytest.approx([0.5, 1.5])
    assert (found.conflicts, found.conflict_ratio, found.projected) == (1, 1.0, True)
    _, plain = aggregate(gradients, AB, "sum")
    assert (plain.conflicts, plain.projected) == (1, False)


@st.composite
def stacks(draw: st.DrawFn) -> np.ndarray:
    count, size = draw(st.integers(1, 5)), draw(st.integers(1, 8))
    seed = draw(st.integers(0, 2**32 - 1))
    return np.random.default_rng(seed).normal(size=(count, size))


@given(stacks(), st.integers(0, 2**32 - 1))
def test_the_mixture_is_what_projecting_the_vectors_gives(stack: np.ndarray, seed: int) -> None:
    """The rule of the book, on the vectors themselves."""
    expected, generator = [], np.random.default_rng(seed)
    for own in range(len(stack)):
        gradient = stack[own].copy()
        for other in generator.permutation(len(stack)):
            product = gradient @ stack[other]
            if other != own and product < 0:
                gradient -= product / (stack[other] @ stack[other] + 1e-12) * stack[other]
        expected.append(gradient)
    mixing = project(stack @ stack.T, np.random.default_rng(seed))
    np.testing.assert_allclose(mixing @ stack, expected, rtol=1e-6, atol=1e-9)


@given(stacks())
def test_two_projected_gradients_no_longer_conflict(stack: np.ndarray) -> None:
    pair = stack[:2]
    mixed = project(pair @ pair.T, rng()) @ pair
    for own, gradient in enumerate(mixed):
        for other, original in enumerate(pair):
            if other != own:
                assert gradient @ original >= -1e-8


@given(stacks())
def test_shares_add_up_and_conflicts_are_counted_once_a_pair(stack: np.ndarray) -> None:
    sources = [source(str(at)) for at in range(len(stack))]
    found = plan(stack @ stack.T, sources)
    assert sum(one.share for one in found.shares) == pytest.approx(1.0)
    assert sum(one.conflicts for one in found.shares) == 2 * found.conflicts
    pairs = [(i, j) for i in range(len(stack)) for j in range(i)]
    assert found.conflicts == sum(stack[i] @ stack[j] < 0 for i, j in pairs)
    np.testing.assert_allclose(found.coefficients @ stack, stack.mean(axis=0), atol=1e-12)


def test_gradients_keep_their_type() -> None:
    gradients = [np.ones(3, np.float32), np.ones(3, np.float32)]
    assert aggregate(gradients, AB)[0].dtype == np.float32


def test_gradients_that_do_not_match_are_refused() -> None:
    one = np.ones(3)
    for other in (np.ones(4), np.ones(3, np.float32), np.ones((3, 1))):
        with pytest.raises(ShapeError, match="the gradient of 'b' is"):
            aggregate([one, other], AB)
    with pytest.raises(ShapeError, match="1 gradients for 2 sources"):
        aggregate([one], AB)
    with pytest.raises(MeasurementError, match="the gradient of 'b' is not finite"):
        aggregate([np.zeros(1), np.array([np.nan])], AB)
    with pytest.raises(ShapeError, match="2 times 2 products"):
        plan(np.eye(3), AB)


def test_the_figures_of_an_epoch() -> None:
    teacher = Source("t", Stage.FOSSILIZED, 1.0, 10, 0.5, teacher=True)
    calm = plan(np.diag([9.0, 1.0]), [source("a"), teacher])
    clash = plan(np.array([[9.0, -1.0], [-1.0, 1.0]]), [source("a"), teacher])
    report = epoch_report([calm, clash], {"a": 0.4}, hook_ms=60.0, hook_limit_ms=50.0)
    prefix = "tolaria.grad_agg."
    assert report.metrics == {
        f"{prefix}microbatches_total": 2.0,
        f"{prefix}conflicts": 1.0,
        f"{prefix}conflict_ratio": 0.5,
        f"{prefix}weights_mean": 1.0,
        f"{prefix}pcgrad_applied": 0.0,
        f"{prefix}teacher_share": 0.25,
    }
    seed = report.seeds["a"]
    assert seed[f"{prefix}seed.share"] == pytest.approx(0.75)
    assert seed[f"{prefix}seed.share_delta"] == pytest.approx(0.35)
    assert seed[f"{prefix}seed.conflict_ratio"] == 0.5
    assert report.seeds["t"][f"{prefix}seed.mask_fraction"] == 0.5
    assert report.seeds["t"][f"{prefix}seed.share_delta"] == 0.0
    assert report.shares() == pytest.approx({"a": 0.75, "t": 0.25})
    assert [(one.event, one.source) for one in report.warnings] == [
        ("seed_conflict_high", "a"),
        ("seed_share_jump", "a"),
        ("seed_conflict_high", "t"),
        ("epoch_hook_latency_high", ""),
    ]
    every = epoch_report([clash], {}, 0.0, 50.0)
    assert every.warnings[0] == AggregationWarning("conflict_high", "", 1.0)


def test_the_largest_layers() -> None:
    layers = {"one": slice(0, 2), "two": slice(2, 3), "three": slice(3, 4)}
    found = largest_layers(np.array([3.0, 4.0, 1.0, -7.0]), layers, 2)
    assert found == (("three", 7.0), ("one", 5.0))
