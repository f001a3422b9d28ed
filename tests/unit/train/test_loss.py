"""The two losses against a third that knows neither."""

from __future__ import annotations

import math

import numpy as np
import pytest
import second_opinion
import torch
from closeness import close
from hypothesis import given, settings
from hypothesis import strategies as st

from astrarium import _native
from astrarium.errors import ShapeError
from astrarium.train import loss as trained
from astrarium.train.config import PolicySection
from astrarium.train.loss import Objective, Samples, bounded
from astrarium.train.policy import Network, Shape
from astrarium.train.streams import stream

ONE_HEAD = (7,)
SEVERAL_HEADS = (3, 11, 2)


def objective(rows: int, **changed) -> Objective:
    numbers = {
        "clip": 0.2,
        "value_clip": math.inf,
        "value_coef": 0.6,
        "entropy_coef": 0.03,
        "advantage_mean": 0.2,
        "advantage_scale": 1.7,
        "row_weight": 1.0 / rows,
    }
    return Objective(**(numbers | changed))


def network_for(heads=(), controls=0, kind="squashed") -> Network:
    section = PolicySection(hidden=(4,), controls=kind)
    network = Network(Shape(4, heads, controls), section, stream(1, "weights"))
    with torch.no_grad():
        network.log_std.copy_(torch.linspace(-0.9, 0.4, controls))
    return network


def random_outputs(draw, rows: int, network: Network) -> torch.Tensor:
    return torch.from_numpy(2 * draw.standard_normal((rows, network.shape.outputs))).float()


def native_samples(samples: Samples, heads) -> _native.PolicySamples:
    parts = (
        samples.mask,
        samples.actions,
        samples.log_prob,
        samples.value,
        samples.advantage,
        samples.returns,
    )
    return _native.PolicySamples(heads, *(part.numpy() for part in parts))


def native_slopes(samples: Samples, heads, rows, weights: Objective, outputs: torch.Tensor):
    """The gradient by each row of outputs, and the sums over all of them.

    A network of one layer that changes nothing has it as the gradient of its biases.
    """
    width = outputs.shape[1]
    network = _native.PolicyNetwork(heads, (width,), "relu", 1)
    parameters = np.concatenate([np.eye(width).ravel(), np.zeros(width)]).astype(np.float32)
    kept, seen = native_samples(samples, heads), outputs.numpy()
    out = np.zeros_like(parameters)

    def gradient(part):
        return network.gradient(parameters, seen, None, kept, part, weights.numbers(), out)

    sums = gradient(np.asarray(rows))
    slopes = np.zeros((len(rows), width), np.float32)
    for row, slope in zip(rows, slopes, strict=True):
        gradient(np.array([row]))
        slope[:] = out[-width:]
    return torch.from_numpy(slopes), sums


# The native pass


@given(
    seed=st.integers(0, 2**32 - 1),
    heads=st.sampled_from([ONE_HEAD, SEVERAL_HEADS, (1,), (2, 40)]),
    rows=st.integers(1, 40),
    value_clip=st.sampled_from([math.inf, 0.25]),
)
@settings(max_examples=30, deadline=None)
def test_the_native_gradient_is_that_of_the_loss(seed, heads, rows, value_clip) -> None:
    draw = np.random.default_rng(seed)
    network = network_for(heads)
    outputs = random_outputs(draw, rows, network)
    samples = second_opinion.made_up_samples(draw, network, outputs)
    weights = objective(rows, value_clip=value_clip)
    exact = outputs.double().requires_grad_()
    whole, figures = second_opinion.loss(network, exact, samples, weights)
    (slope,) = torch.autograd.grad(whole, exact)
    found, sums = native_slopes(samples, heads, np.arange(rows), weights, outputs)
    close(found.double(), slope, rtol=2e-4, atol=2e-5)
    np.testing.assert_allclose(sums, figures.numpy(), rtol=1e-4, atol=1e-4)


def test_a_value_that_was_not_clipped_always_has_its_slope() -> None:
    """Whatever rounding does to `old + (new - old)`."""
    draw = np.random.default_rng(5)
    rows, network = 4000, network_for((2,))
    outputs = random_outputs(draw, rows, network)
    samples = second_opinion.made_up_samples(draw, network, outputs)
    value = outputs[:, -1].clone()
    for value_clip in (math.inf, 1e3):
        weights = objective(rows, value_clip=value_clip, value_coef=1.0, row_weight=1.0)
        found, _ = native_slopes(samples, (2,), np.arange(rows), weights, outputs)
        close(found[:, -1], value - samples.returns, rtol=0, atol=0)


def test_rows_of_a_gradient_are_picked_by_index_in_any_order() -> None:
    draw = np.random.default_rng(6)
    network = network_for(SEVERAL_HEADS)
    outputs = random_outputs(draw, 20, network)
    samples = second_opinion.made_up_samples(draw, network, outputs)
    weights = objective(20)
    whole, _ = native_slopes(samples, SEVERAL_HEADS, np.arange(20), weights, outputs)
    rows = draw.permutation(20)[:7]
    part, _ = native_slopes(samples, SEVERAL_HEADS, rows, weights, outputs)
    assert torch.equal(part, whole[rows])
    assert not torch.equal(part, whole[:7])


@pytest.mark.parametrize("row", [-1, 3])
def test_a_row_that_is_not_there_is_refused(row: int) -> None:
    network = network_for(ONE_HEAD)
    outputs = torch.zeros(3, network.shape.outputs)
    samples = second_opinion.made_up_samples(np.random.default_rng(0), network, outputs)
    with pytest.raises(ShapeError, match=f"row {row} is not one of the 3"):
        native_slopes(samples, ONE_HEAD, [row], objective(1), outputs)


def test_arrays_of_other_sizes_are_refused() -> None:
    network = network_for(ONE_HEAD)
    outputs = torch.zeros(3, network.shape.outputs)
    samples = second_opinion.made_up_samples(np.random.default_rng(0), network, outputs)
    with pytest.raises(ShapeError, match="obs"):
        native_slopes(samples, ONE_HEAD, [0, 1], objective(1), outputs[:2])
    with pytest.raises(ShapeError, match="mask"):
        native_samples(samples, (8,))


@pytest.mark.parametrize("part", ["advantage", "returns", "log_prob"])
def test_what_is_not_a_number_goes_through_to_the_gradient(part: str) -> None:
    """A gradient of zeros would look like a policy that cannot improve."""
    draw = np.random.default_rng(8)
    network = network_for(ONE_HEAD)
    outputs = random_outputs(draw, 3, network)
    samples = second_opinion.made_up_samples(draw, network, outputs)
    getattr(samples, part)[1] = math.nan
    slopes, _ = native_slopes(samples, ONE_HEAD, np.arange(3), objective(3), outputs)
    assert slopes.isnan().any(1).tolist() == [False, True, False]


# Choosing


@given(
    seed=st.integers(0, 2**32 - 1),
    heads=st.sampled_from([ONE_HEAD, SEVERAL_HEADS, (64,)]),
    extra=st.integers(0, 3),
)
@settings(max_examples=40, deadline=None)
def test_choices_walk_the_cumulated_probabilities(seed, heads, extra) -> None:
    draw = np.random.default_rng(seed)
    rows, choices = 30, sum(heads)
    outputs = (3 * draw.standard_normal((rows, choices + extra + 1))).astype(np.float32)
    mask = second_opinion.legal_mask(draw, rows, heads)
    uniform = draw.random((rows, len(heads)), dtype=np.float32)
    actions = np.full((rows, len(heads)), -1, np.int32)
    log_prob, value = np.zeros(rows, np.float32), np.zeros(rows, np.float32)
    _native.choose_actions(heads, outputs, mask.numpy(), uniform, actions, log_prob, value)
    np.testing.assert_array_equal(value, outputs[:, -1])
    expected, first = np.zeros(rows), 0
    for head, size in enumerate(heads):
        span = slice(first, first + size)
        one = second_opinion.masked(torch.from_numpy(outputs[:, span]).double(), mask[:, span])
        chosen = torch.from_numpy(actions[:, head])
        assert mask[:, span].gather(1, chosen.long().unsqueeze(1)).all()
        expected += one.log_prob(chosen).numpy()
        cumulated = np.concatenate([np.zeros((rows, 1)), one.probs.cumsum(-1).numpy()], axis=1)
        at = actions[:, head]
        assert (cumulated[range(rows), at] <= uniform[:, head] + 1e-6).all()
        assert (uniform[:, head] <= cumulated[range(rows), at + 1] + 1e-6).all()
        first += size
    np.testing.assert_allclose(log_prob, expected, rtol=1e-5, atol=1e-5)


def test_without_uniform_numbers_the_first_of_the_likeliest_is_chosen() -> None:
    outputs = np.array([[1, 5, 5, 9, 2, 0.5], [1, 0, 0, 0, -3, 0.5]], np.float32)
    mask = np.array([[1, 1, 1, 0, 1], [0, 1, 1, 1, 1]], np.uint8)
    actions = np.zeros((2, 2), np.int32)
    log_prob, value = np.zeros(2, np.float32), np.zeros(2, np.float32)
    _native.choose_actions((3, 2), outputs, mask, None, actions, log_prob, value)
    assert actions.tolist() == [[1, 1], [1, 0]]


# The loss of autograd

POLICIES = [
    (ONE_HEAD, 0, "squashed"),
    (SEVERAL_HEADS, 0, "squashed"),
    ((), 3, "gaussian"),
    ((), 3, "squashed"),
    (SEVERAL_HEADS, 2, "gaussian"),
    (ONE_HEAD, 1, "squashed"),
]


@pytest.mark.parametrize("value_clip", [math.inf, 0.25])
@pytest.mark.parametrize(("heads", "controls", "kind"), POLICIES)
def test_the_loss_and_its_slopes_are_those_of_the_distributions(
    heads, controls, kind, value_clip
) -> None:
    draw = np.random.default_rng(11)
    network = network_for(heads, controls, kind)
    outputs = random_outputs(draw, 300, network).requires_grad_()
    samples = second_opinion.made_up_samples(draw, network, outputs)
    counted = torch.from_numpy(draw.random(300) < 0.7)
    weights = objective(int(counted.sum()), value_clip=value_clip)
    reached = (outputs, network.log_std)
    whole, figures = trained.loss(network, outputs, samples, weights, counted)
    slopes = torch.autograd.grad(whole, reached, allow_unused=True)
    exact, exact_figures = second_opinion.loss(network, outputs.double(), samples, weights, counted)
    exact_slopes = torch.autograd.grad(exact, reached, allow_unused=True)
    close(whole.double(), exact, rtol=1e-5, atol=1e-6)
    close(figures.double(), exact_figures, rtol=1e-4, atol=1e-3)
    for slope, expected in zip(slopes, exact_slopes, strict=True):
        if expected is None:
            assert slope is None or not slope.any()
        else:
            assert expected.any() or expected.numel() == 0
            close(slope, expected, rtol=2e-4, atol=2e-6)


def test_an_objective_may_come_as_a_tensor() -> None:
    draw = np.random.default_rng(12)
    network = network_for(SEVERAL_HEADS)
    outputs = random_outputs(draw, 50, network)
    samples = second_opinion.made_up_samples(draw, network, outputs)
    weights = objective(50, value_clip=0.3)
    plain, _ = trained.loss(network, outputs, samples, weights)
    tensor, _ = trained.loss(network, outputs, samples, torch.tensor(weights.numbers()))
    close(plain, tensor)


def test_an_illegal_choice_has_no_slope_and_no_entropy() -> None:
    network = network_for((4,))
    outputs = torch.tensor([[0.0, 1.0, 50.0, 2.0, 0.3]], requires_grad=True)
    mask = torch.tensor([[1, 1, 0, 0]], dtype=torch.uint8)
    one = torch.ones(1)
    samples = Samples(mask, torch.tensor([[1]]), torch.zeros(1, 0), -one, one, one, one)
    _, entropy = trained.log_prob_and_entropy(network, outputs, samples)
    # Two legal choices, the second e times as likely.
    share = math.e / (1 + math.e)
    by_hand = -(share * math.log(share) + (1 - share) * math.log(1 - share))
    assert float(entropy.detach()) == pytest.approx(by_hand, rel=1e-6)
    whole, _ = trained.loss(network, outputs, samples, objective(1))
    (slope,) = torch.autograd.grad(whole, outputs)
    assert slope[0, 2] == slope[0, 3] == 0.0
    assert slope[0, 0] != 0.0


def test_controls_are_brought_into_range() -> None:
    draws = torch.tensor([[-7.0, 0.5, 1.25]])
    cut = bounded(network_for(controls=3, kind="gaussian"), draws)
    assert cut.tolist() == [[-1.0, 0.5, 1.0]]
    bent = bounded(network_for(controls=3, kind="squashed"), draws)
    by_hand = [math.tanh(-7.0), math.tanh(0.5), math.tanh(1.25)]
    np.testing.assert_allclose(bent[0].numpy(), by_hand, rtol=1e-6)


def test_a_squashed_control_far_out_keeps_a_finite_density() -> None:
    network = network_for(controls=1)
    means = torch.tensor([[20.0], [-20.0]])
    density = trained.control_log_prob(network, means, means)
    # At the mean: -log(deviation) - log(2 pi) / 2, less log(1 - tanh(u)^2) = 2 log 2 - 2 |u|.
    by_hand = 0.9 - 0.5 * math.log(2 * math.pi) - (2 * math.log(2.0) - 40.0)
    np.testing.assert_allclose(density.detach().numpy(), [by_hand, by_hand], rtol=1e-6)
