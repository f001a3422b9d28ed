"""Generalised advantage estimation, with the two endings kept apart.

A terminated episode has no future: the value after it is 0. A truncated one had a future that
nobody saw: the value after it is that of its last observation. Neither passes anything on to the
step before the next episode's beginning.
"""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnnecessaryComparison=false

from __future__ import annotations

import torch
from torch import Tensor


def advantages(
    reward: Tensor,
    value: Tensor,
    cut_value: Tensor,
    terminated: Tensor,
    truncated: Tensor,
    alive: Tensor,
    *,
    gamma: float,
    gae_lambda: float,
) -> Tensor:
    """(T, rows): the advantage of every step; 0 where the row held no agent.

    `value` is (T + 1, rows), the last row that of the observation after the rollout. `cut_value` is
    (T, rows), the value of the last observation where a step truncated an episode.
    """
    ended = terminated | truncated
    following = torch.where(ended, cut_value * truncated.logical_and(~terminated), value[1:])
    delta = (reward + gamma * following - value[:-1]) * alive
    carry = gamma * gae_lambda * (alive & ~ended)
    result = torch.empty_like(delta)
    running = torch.zeros_like(delta[0])
    for t in range(len(delta) - 1, -1, -1):
        torch.addcmul(delta[t], carry[t], running, out=running)
        result[t] = running
    return result


def explained_variance(value: Tensor, returns: Tensor) -> float | None:
    """How much of the returns' variance the values explain; None where there is none."""
    spread = float(returns.var(correction=0)) if len(returns) else 0.0
    return None if spread == 0.0 else 1.0 - float((returns - value).var(correction=0)) / spread
