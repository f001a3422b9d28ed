"""Gradients put together: weights, conflicts, and their figures."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from little_hosts import begun, grown_until
from small_networks import batch_of, grow_to, loss_of, network_of

from astrarium.errors import ShapeError
from astrarium.esper.aggregation import (
    Aggregation,
    Combining,
    Plan,
    Source,
    plan,
    project,
    source_weight,
)
from astrarium.esper.aggregation_metrics import AggregationWarning, epoch_report
from astrarium.esper.contracts.errors import MeasurementError
from astrarium.esper.contracts.stages import Stage
from astrarium.esper.gradient_sources import GradientSources
from astrarium.train.streams import stream


def source(name: str, stage: Stage = Stage.HOLDING, alpha: float = 1.0) -> Source:
    return Source(name, stage, alpha, 100)


AB = [source("a"), source("b")]


def rng() -> np.random.Generator:
    return np.random.default_rng(5)


def aggregate(
    gradients: list[np.ndarray],
    sources: list[Source],
    combining: Combining = "mean",
    conflicts_out: np.random.Generator | None = None,
) -> tuple[np.ndarray, Plan]:
    """As the trainer does it: products, plan, coefficients."""
    stack = np.stack(gradients)
    found = plan(stack @ stack.T, sources, combining, conflicts_out)
    return found.coefficients @ stack, found


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


def test_products_that_do_not_fit_are_refused() -> None:
    with pytest.raises(MeasurementError, match="the gradient of 'b' is not finite"):
        aggregate([np.zeros(1), np.array([np.nan])], AB)
    with pytest.raises(ShapeError, match="2 times 2 products"):
        plan(np.eye(3), AB)


def test_the_figures_of_an_epoch() -> None:
    small = Source("t", Stage.FOSSILIZED, 1.0, 10, 0.5)
    calm = plan(np.diag([9.0, 1.0]), [source("a"), small])
    clash = plan(np.array([[9.0, -1.0], [-1.0, 1.0]]), [source("a"), small])
    layers = {"host": {f"layer{at}": float(at) for at in range(9)}, "t": {"x": 1.0}}
    report = epoch_report([calm, clash], {"a": 0.4}, layers)
    prefix = "tolaria.grad_agg."
    assert report.metrics == {
        f"{prefix}microbatches_total": 4.0,
        f"{prefix}conflicts": 1.0,
        f"{prefix}conflict_ratio": 0.5,
        f"{prefix}weights_mean": 1.0,
        f"{prefix}pcgrad_applied": 0.0,
    }
    seed = report.seeds["a"]
    assert seed[f"{prefix}seed.share"] == pytest.approx(0.75)
    assert seed[f"{prefix}seed.share_delta"] == pytest.approx(0.35)
    assert seed[f"{prefix}seed.conflict_ratio"] == 0.5
    assert report.seeds["t"][f"{prefix}seed.mask_fraction"] == 0.5
    assert report.seeds["t"][f"{prefix}seed.share_delta"] == 0.0
    assert report.published()[f'{prefix}seed.params{{seed="t"}}'] == 10.0
    assert report.shares() == pytest.approx({"a": 0.75, "t": 0.25})
    assert list(report.layers["host"]) == ["layer8", "layer7", "layer6", "layer5", "layer4"]
    assert [(one.event, one.source) for one in report.warnings] == [
        ("seed_conflict_high", "a"),
        ("seed_share_jump", "a"),
        ("seed_conflict_high", "t"),
    ]
    every = epoch_report([clash], {}, {})
    assert every.warnings[0] == AggregationWarning("conflict_high", "", 1.0)


# In training

PARTS = Aggregation(micro_batches=3, conflict_projection=False)


def host_gradient(rules: Aggregation) -> tuple[torch.Tensor, GradientSources]:
    """Of one batch of a host without batch norms, whose parts do not feel each other."""
    network = network_of("transformer")
    x, y = batch_of("transformer", rows=6)
    sources = GradientSources(rules, 1, 1)
    sources.backward(network, x, y, loss_of, look=True)
    return network.host_descent.grad.clone(), sources


def test_the_mean_of_equal_parts_is_the_gradient_of_the_batch() -> None:
    network = network_of("transformer")
    x, y = batch_of("transformer", rows=6)
    loss = loss_of(network(x), y)
    loss.backward()
    found, sources = host_gradient(PARTS)
    torch.testing.assert_close(found, network.host_descent.grad)
    other = network_of("transformer")
    outputs, labels, told = GradientSources(PARTS, 1, 1).backward(other, x, y, loss_of, look=False)
    torch.testing.assert_close(told, loss.detach())
    torch.testing.assert_close(loss_of(outputs, labels), loss.detach())
    report = sources.report({})
    assert report.metrics["tolaria.grad_agg.microbatches_total"] == 3.0
    assert list(report.seeds) == ["micro-0", "micro-1", "micro-2"]
    assert all(name.startswith("host.") for name in report.layers["host"])


def test_conflicts_between_parts_are_projected_out() -> None:
    """What the trainer follows is what projecting the parts' own gradients gives."""
    rules = Aggregation(micro_batches=3, combining="sum")
    found, sources = host_gradient(rules)
    x, y = batch_of("transformer", rows=6)
    parts: list[np.ndarray] = []
    for at in range(3):
        network = network_of("transformer")
        loss_of(network(x[at::3]), y[at::3]).backward()
        parts.append(network.host_descent.grad.double().numpy())
    clashes = sum(float(parts[i] @ parts[j]) < 0 for i in range(3) for j in range(i))
    assert clashes > 0, "this batch shows nothing; take another"
    report = sources.report({})
    assert report.metrics["tolaria.grad_agg.conflicts"] == clashes
    assert report.metrics["tolaria.grad_agg.pcgrad_applied"] == 1.0
    mixing = project(np.stack(parts) @ np.stack(parts).T, stream(1, "esper.aggregation", 1))
    expected = torch.from_numpy((mixing @ np.stack(parts)).sum(axis=0)).float()
    torch.testing.assert_close(found, expected)
    assert not torch.allclose(found, torch.from_numpy(sum(parts)).float(), rtol=1e-3)


def test_a_seed_learns_from_its_own_rows_only() -> None:
    network = network_of("transformer")
    grow_to(network, "r0c0", Stage.HOLDING)
    grow_to(network, "r0c1", Stage.TRAINING)
    x, y = batch_of("transformer", rows=8)
    network.train()
    rules = Aggregation(sources="seeds", combining="state_weighted")
    sources = GradientSources(rules, 1, 1)
    sources.backward(network, x, y, loss_of, look=False)
    found = {name: one.grad.clone() for name, one in network.optimisers.items()}
    for at, slot in enumerate(network.slot_ids):
        for one in network.optimisers.values():
            one.grad.zero_()
        loss_of(network(x[at::2]), y[at::2]).backward()
        torch.testing.assert_close(found[slot], network.optimisers[slot].grad)
    report = sources.report({})
    assert list(report.seeds) == list(network.slot_ids)
    weights = [one["tolaria.grad_agg.seed.weight"] for one in report.seeds.values()]
    assert weights == [1.0, 0.125]


def test_an_episode_publishes_its_parts_and_stays_itself_without_them() -> None:
    plain = begun()
    parted = begun(aggregation=Aggregation(micro_batches=2))
    assert plain.trained is not None
    assert parted.trained is not None
    assert plain.trained.aggregation is None
    assert parted.trained.aggregation is not None
    flats = [one.network.host_descent.flat for one in (plain, parted)]
    assert not torch.equal(*flats)
    again = begun(aggregation={"micro_batches": 2})
    assert torch.equal(again.network.host_descent.flat, flats[1])


def test_seeds_grow_up_with_rows_of_their_own() -> None:
    episode = grown_until(Stage.BLENDING, aggregation={"sources": "seeds"}, epochs=200)
    assert episode.trained is not None
    report = episode.trained.aggregation
    assert report is not None
    assert list(report.seeds) == ["r0c0"]
    assert report.metrics["tolaria.grad_agg.microbatches_total"] == 1.0


def test_a_gradient_that_is_no_number_reaches_the_governor() -> None:
    episode = begun(aggregation={"micro_batches": 2})
    with torch.no_grad():
        episode.network.host_descent.flat.fill_(torch.nan)
    panic = episode.proceed()
    assert panic is not None
    assert panic.reason == "governor_nan"
