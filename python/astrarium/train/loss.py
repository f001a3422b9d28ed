"""The PPO loss, as the formulas say it.

Used where gradients come from autograd: memories, controls, GPUs. Policies with discrete heads on a
CPU take the same gradient from one native pass instead; the tests hold the two together.
"""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnnecessaryComparison=false

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import torch
from torch import Tensor
from torch.nn import functional

from astrarium.train.policy import Network, Shape

SUMS: Final = ("policy_loss", "value_loss", "entropy", "approx_kl", "clip_fraction")
"""What a gradient reports besides itself, summed over rows."""


@dataclass(frozen=True, slots=True)
class Objective:
    """The weights of the loss of one minibatch."""

    clip: float
    value_clip: float
    """Infinite for no clipping."""
    value_coef: float
    entropy_coef: float
    advantage_mean: float
    advantage_scale: float
    row_weight: float
    """One over the rows of the minibatch."""

    def numbers(self) -> list[float]:
        """In the order of the native pass."""
        return [
            self.clip,
            self.value_clip,
            self.value_coef,
            self.entropy_coef,
            self.advantage_mean,
            self.advantage_scale,
            self.row_weight,
        ]


@dataclass(frozen=True, slots=True)
class Samples:
    """What was remembered of each step, flat over steps and rows."""

    mask: Tensor
    actions: Tensor
    draws: Tensor
    """Controls before they were brought into range."""
    log_prob: Tensor
    value: Tensor
    advantage: Tensor
    returns: Tensor

    def at(self, rows: Tensor) -> Samples:
        """Some of them."""
        return Samples(*(part[rows] for part in self.parts()))

    def parts(self) -> tuple[Tensor, ...]:
        """The tensors in order."""
        return (
            self.mask,
            self.actions,
            self.draws,
            self.log_prob,
            self.value,
            self.advantage,
            self.returns,
        )


def loss(
    network: Network,
    outputs: Tensor,
    samples: Samples,
    objective: Objective | Tensor,
    counted: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """The loss of some rows, and the sums of `SUMS`; rows where `counted` is 0 do not enter.

    An objective may also come as a tensor of its numbers, so that a captured graph can change it.
    """
    given = objective.numbers() if isinstance(objective, Objective) else objective.unbind()
    numbers: list[Any] = list(given)
    clip, value_clip, value_coef, entropy_coef, mean, scale, row_weight = numbers
    log_prob, entropy = log_prob_and_entropy(network, outputs, samples)
    weight = torch.ones_like(log_prob) if counted is None else counted.to(log_prob.dtype)
    advantage = (samples.advantage - mean) * scale
    log_ratio = log_prob - samples.log_prob
    ratio = log_ratio.exp()
    kept = torch.clamp(ratio, 1.0 - clip, 1.0 + clip)
    policy_loss = -torch.minimum(ratio * advantage, kept * advantage)
    miss = value_loss(outputs[..., -1], samples, value_clip)
    whole = policy_loss + value_coef * miss - entropy_coef * entropy
    with torch.no_grad():
        divergence = ratio - 1.0 - log_ratio
        clipped = (kept != ratio).to(ratio.dtype)
        rows = torch.stack([policy_loss, miss, entropy, divergence, clipped])
        sums = (rows * weight).flatten(1).sum(1)
    return (whole * weight).sum() * row_weight, sums


def value_loss(value: Tensor, samples: Samples, value_clip: Any) -> Tensor:
    """Half the squared miss, also of a value that moved no further than allowed."""
    moved = torch.clamp(value - samples.value, -value_clip, value_clip)
    miss = (value - samples.returns).square()
    kept_miss = (samples.value + moved - samples.returns).square()
    return 0.5 * torch.maximum(miss, kept_miss)


def log_prob_and_entropy(
    network: Network, outputs: Tensor, samples: Samples
) -> tuple[Tensor, Tensor]:
    """Of the orders that were given, under the present network."""
    shape = network.shape
    log_prob = torch.zeros_like(outputs[..., -1])
    entropy = torch.zeros_like(log_prob)
    for head, log_probs in enumerate(head_log_probs(shape, outputs, samples.mask)):
        chosen = samples.actions[..., head : head + 1].long()
        log_prob = log_prob + log_probs.gather(-1, chosen).squeeze(-1)
        # An illegal choice has no probability; its infinite logarithm must not enter.
        finite = log_probs.clamp_min(torch.finfo(log_probs.dtype).min)
        entropy = entropy - (log_probs.exp() * finite).sum(-1)
    if shape.controls:
        means = outputs[..., shape.choices : shape.choices + shape.controls]
        log_prob = log_prob + control_log_prob(network, means, samples.draws)
        # Of the Gaussian before it is bent: the bent one has no closed form.
        entropy = entropy + (network.log_std + 0.5 * math.log(2 * math.pi * math.e)).sum()
    return log_prob, entropy


def head_log_probs(shape: Shape, outputs: Tensor, mask: Tensor) -> list[Tensor]:
    """The log-probabilities of each head's choices; -inf where illegal."""
    logits = outputs[..., : shape.choices].masked_fill(mask == 0, -math.inf)
    return [functional.log_softmax(head, -1) for head in logits.split(list(shape.heads), -1)]


def control_log_prob(network: Network, means: Tensor, draws: Tensor) -> Tensor:
    """Log-density of controls, given as they were before they were brought into range."""
    deviation = network.log_std.exp()
    density = -0.5 * ((draws - means) / deviation).square() - network.log_std
    density = density - 0.5 * math.log(2 * math.pi)
    if network.section.controls == "squashed":
        # The logarithm of 1 - tanh(u)^2, in the form that does not lose it far out.
        density = density - 2.0 * (math.log(2.0) - draws - functional.softplus(-2.0 * draws))
    return density.sum(-1)


def bounded(network: Network, draws: Tensor) -> Tensor:
    """Controls as the world takes them, in -1..1."""
    return draws.tanh() if network.section.controls == "squashed" else draws.clamp(-1.0, 1.0)
