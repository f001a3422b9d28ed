"""The PPO loss a second time, from `torch.distributions`, in 64 bits."""

from __future__ import annotations

import math

import torch
from torch import distributions as d

from astrarium.train.loss import Objective, Samples
from astrarium.train.policy import Network


def masked(logits: torch.Tensor, legal: torch.Tensor) -> d.Categorical:
    """A choice among what is legal."""
    return d.Categorical(logits=torch.where(legal.bool(), logits, torch.tensor(-1e300).double()))


def policy_of(network: Network, outputs: torch.Tensor, mask: torch.Tensor):
    """The distributions of the heads, that of the controls, and the value."""
    shape = network.shape
    logits = outputs[..., : shape.choices]
    first, heads = 0, []
    for size in shape.heads:
        span = slice(first, first + size)
        heads.append(masked(logits[..., span], mask[..., span]))
        first += size
    controls = None
    if shape.controls:
        means = outputs[..., first : first + shape.controls]
        controls = d.Normal(means, network.log_std.double().exp())
    return heads, controls, outputs[..., -1]


def log_prob_and_entropy(network: Network, outputs, samples: Samples):
    """Of the orders that were given."""
    heads, normal, _ = policy_of(network, outputs, samples.mask)
    log_prob = torch.zeros_like(outputs[..., -1])
    entropy = torch.zeros_like(log_prob)
    for head, one in enumerate(heads):
        log_prob = log_prob + one.log_prob(samples.actions[..., head])
        entropy = entropy + one.entropy()
    if normal is not None:
        draws = samples.draws.double()
        if network.section.controls == "squashed":
            bent = d.TransformedDistribution(normal, d.TanhTransform(cache_size=1))
            # With its cache the transform knows where its image came from.
            log_prob = log_prob + bent.log_prob(bent.transforms[0](draws)).sum(-1)
        else:
            log_prob = log_prob + normal.log_prob(draws).sum(-1)
        entropy = entropy + normal.entropy().sum(-1)
    return log_prob, entropy


def loss(network: Network, outputs, samples: Samples, objective: Objective, counted=None):
    """The loss as the PPO paper has it, and the figures that are reported with it."""
    log_prob, entropy = log_prob_and_entropy(network, outputs, samples)
    ratio = torch.exp(log_prob - samples.log_prob.double())
    advantage = samples.advantage.double()
    advantage = (advantage - objective.advantage_mean) * objective.advantage_scale
    clipped = torch.where(
        advantage >= 0, ratio.clamp(max=1 + objective.clip), ratio.clamp(min=1 - objective.clip)
    )
    surrogate = clipped * advantage
    value, old, returns = outputs[..., -1], samples.value.double(), samples.returns.double()
    miss = (value - returns) ** 2
    if not math.isinf(objective.value_clip):
        near = torch.minimum(value, old + objective.value_clip)
        near = torch.maximum(near, old - objective.value_clip)
        miss = torch.maximum(miss, (near - returns) ** 2)
    outside = (ratio < 1 - objective.clip) | (ratio > 1 + objective.clip)
    figures = torch.stack(
        [-surrogate, miss / 2, entropy, ratio - 1 - ratio.log(), outside.double()]
    )
    weight = torch.ones_like(ratio) if counted is None else counted.double()
    whole = -surrogate + objective.value_coef * miss / 2 - objective.entropy_coef * entropy
    sums = (figures * weight).flatten(1).sum(1)
    return (whole * weight).sum() * objective.row_weight, sums.detach()


def legal_mask(draw, rows: int, heads: tuple[int, ...]) -> torch.Tensor:
    """About half of the choices, one of each head at least."""
    mask = draw.random((rows, sum(heads))) < 0.5
    first = 0
    for size in heads:
        mask[range(rows), first + draw.integers(0, size, rows)] = True
        first += size
    return torch.from_numpy(mask.astype("uint8"))


def made_up_samples(draw, network: Network, outputs: torch.Tensor, spread=0.3) -> Samples:
    """Legal orders under a policy near the present one, and returns of all kinds."""
    shape, rows = network.shape, len(outputs)
    mask = legal_mask(draw, rows, shape.heads)
    heads, controls, value = policy_of(network, outputs.detach().double(), mask)
    actions = torch.zeros(rows, len(shape.heads), dtype=torch.int32)
    for head, one in enumerate(heads):
        cumulated = one.probs.cumsum(-1)
        uniform = torch.from_numpy(draw.random((rows, 1))) * cumulated[:, -1:]
        actions[:, head] = (cumulated <= uniform).sum(-1).clamp(max=shape.heads[head] - 1)

    def normal(*size: int) -> torch.Tensor:
        return torch.from_numpy(draw.standard_normal(size)).float()

    draws = normal(rows, shape.controls)
    if controls is not None:
        draws = (controls.mean + controls.stddev * draws).detach().float()
    none = torch.zeros(rows)
    samples = Samples(mask, actions, draws, none, none, normal(rows), 3 * normal(rows))
    log_prob, _ = log_prob_and_entropy(network, outputs.detach().double(), samples)
    old = (log_prob.detach() + spread * normal(rows)).float()
    near = (value + spread * normal(rows)).float()
    return Samples(mask, actions, draws, old, near, samples.advantage, samples.returns)
