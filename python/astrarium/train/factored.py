"""The PPO loss where the first head decides which of the others matter.

An order such as "wait" leaves the other heads without effect: what came of it is no merit of
theirs and no fault. So each head that mattered has a ratio and a clip of its own, the others have
none, and a head is kept open while it could have mattered. Entropies are parts of the most they
could be, since heads differ in size and in how many of their choices are legal.
"""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnnecessaryComparison=false

from __future__ import annotations

from functools import cache
from typing import Any

import torch
from torch import Tensor

from astrarium.train.loss import Objective, Samples, head_log_probs, value_loss
from astrarium.train.policy import Network, Shape


def factored_loss(
    network: Network,
    outputs: Tensor,
    samples: Samples,
    objective: Objective,
    counted: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """As `loss.loss`, for samples whose `log_prob` has an entry for each head."""
    shape = network.shape
    each = head_log_probs(shape, outputs, samples.mask)
    weight: Any = 1.0 if counted is None else counted.to(outputs.dtype)
    mattered = relevance(shape)[samples.actions[..., 0].long()]
    advantage = (samples.advantage - objective.advantage_mean) * objective.advantage_scale
    log_ratio = _chosen(each, samples.actions) - samples.log_prob
    ratio = log_ratio.exp()
    kept = torch.clamp(ratio, 1.0 - objective.clip, 1.0 + objective.clip)
    gain = torch.minimum(ratio * advantage[..., None], kept * advantage[..., None])
    policy_loss = -(gain * mattered).sum(-1)
    miss = value_loss(outputs[..., -1], samples, objective.value_clip)
    entropy = (_openness(shape, each, samples.mask) * _could_matter(shape, samples.mask)).sum(-1)
    whole = policy_loss + objective.value_coef * miss - objective.entropy_coef * entropy
    with torch.no_grad():
        divergence = ((ratio - 1.0 - log_ratio) * mattered).sum(-1)
        clipped = ((kept != ratio) * mattered).sum(-1) / mattered.sum(-1)
        rows = torch.stack([policy_loss, miss, entropy, divergence, clipped])
        sums = (rows * weight).flatten(1).sum(1)
    return (whole * weight).sum() * objective.row_weight, sums


def order_figures(network: Network, outputs: Tensor, samples: Samples) -> Tensor:
    """(..., heads, 3): the log-probability of what was ordered, how open the head was, and whether
    it could have mattered; an openness where it could not is 0.
    """
    shape, mask = network.shape, samples.mask
    each = head_log_probs(shape, outputs, mask)
    could = _could_matter(shape, mask)
    return torch.stack(
        [_chosen(each, samples.actions), _openness(shape, each, mask) * could, could], -1
    )


def head_entropies(orders: Tensor, counted: Tensor) -> list[float | None]:
    """Of each head, from 0 to 1, over the rows that count and could matter; None where none did."""
    totals = orders[counted][..., 1:].double().sum(0)
    return [None if could == 0 else open / could for open, could in totals.tolist()]


@cache
def relevance(shape: Shape) -> Tensor:
    """(choices of the first head, heads): 1 where a head matters for a choice."""
    table = torch.zeros(shape.heads[0], len(shape.heads))
    table[:, 0] = 1.0
    for choice, heads in enumerate(shape.matters):
        table[choice, list(heads)] = 1.0
    return table


def _could_matter(shape: Shape, mask: Tensor) -> Tensor:
    """(..., heads): 1 where some legal choice of the first head makes a head matter."""
    legal = mask[..., : shape.heads[0]].to(torch.float32)
    return (legal @ relevance(shape) > 0).to(torch.float32)


def _chosen(each: list[Tensor], actions: Tensor) -> Tensor:
    found = [
        log_probs.gather(-1, actions[..., head : head + 1].long())
        for head, log_probs in enumerate(each)
    ]
    return torch.cat(found, -1)


def _openness(shape: Shape, each: list[Tensor], mask: Tensor) -> Tensor:
    """(..., heads): entropy over the entropy of choosing evenly; 0 where nothing can be chosen."""
    parts: list[Tensor] = []
    for log_probs, legal in zip(each, mask.split(list(shape.heads), -1), strict=True):
        # An illegal choice has no probability; its infinite logarithm must not enter.
        finite = log_probs.clamp_min(torch.finfo(log_probs.dtype).min)
        entropy = -(log_probs.exp() * finite).sum(-1)
        most = legal.sum(-1).to(entropy.dtype).log()
        parts.append(torch.where(most > 0, entropy / most.clamp_min(1e-6), 0.0))
    return torch.stack(parts, -1)
