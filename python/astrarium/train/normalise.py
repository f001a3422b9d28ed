"""Running scales for observations and rewards, saved with the run.

Both change between updates only: within one, the policy that is improved sees exactly what the
policy that acted saw.
"""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnnecessaryComparison=false

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

Column = npt.NDArray[np.float64]

_EPSILON: Final = 1e-8
_PIECE: Final = 512
"""Rows summed together in 32 bits."""


class Moments:
    """Mean and variance of all rows ever seen, column by column, in 64 bits."""

    def __init__(self, columns: int) -> None:
        self.count = np.zeros(1)
        self.mean = np.zeros(columns)
        self.spread = np.zeros(columns)
        """Sum of squared differences from the mean."""

    def add(self, rows: npt.NDArray[np.float32] | npt.NDArray[np.float64]) -> None:
        """Take in (rows, columns)."""
        if len(rows) == 0:
            return
        # About the present mean, and a cache's worth at a time: as exact as in 64 bits throughout,
        # and several times as fast. Zero may be many deviations away, so a row stands in at first.
        about = self.mean.astype(np.float32) if self.count[0] else rows[0]
        total, square = np.zeros_like(self.mean), np.zeros_like(self.mean)
        for at in range(0, len(rows), _PIECE):
            gap = rows[at : at + _PIECE] - about
            total += gap.sum(axis=0)
            square += np.square(gap, out=gap).sum(axis=0)
        shift = total / len(rows)
        spread = np.maximum(square - total * shift, 0.0)
        self.join(len(rows), about.astype(np.float64) + shift, spread)

    def join(self, count: int, mean: Column, spread: Column) -> None:
        """Take in `count` rows of which only the mean and the spread are known."""
        if count == 0:
            return
        total = self.count[0] + count
        gap = mean - self.mean
        self.spread += spread + gap**2 * (self.count[0] * count / total)
        self.mean += gap * (count / total)
        self.count[0] = total

    def deviation(self) -> npt.NDArray[np.float64]:
        """Standard deviation of each column; 1 before anything was seen."""
        if self.count[0] == 0:
            return np.ones_like(self.mean)
        return np.sqrt(self.spread / self.count[0] + _EPSILON)

    def arrays(self) -> dict[str, npt.NDArray[np.float64]]:
        """All state, by reference."""
        return {"count": self.count, "mean": self.mean, "spread": self.spread}


class ObservationScale:
    """Observations less their mean, over their deviation, within a few deviations."""

    CLIP: Final = 5.0

    def __init__(self, columns: int, device: torch.device | None = None) -> None:
        self.moments = Moments(columns)
        self.mean = torch.zeros(columns, device=device)
        self.factor = torch.ones(columns, device=device)

    def refresh(self) -> None:
        """Put the moments seen so far into force."""
        self.mean.copy_(torch.from_numpy(self.moments.mean))
        self.factor.copy_(torch.from_numpy(1.0 / self.moments.deviation()))

    def apply_(self, obs: Tensor) -> Tensor:
        """`obs` (rows, columns), scaled in place."""
        return obs.sub_(self.mean).mul_(self.factor).clamp_(-self.CLIP, self.CLIP)


class RewardScale:
    """Rewards over the deviation of the discounted returns they add up to; the mean stays."""

    def __init__(self, rows: int, gamma: float) -> None:
        self.moments = Moments(1)
        self.running = np.zeros(rows)
        """Discounted return so far, of each row's present episode."""
        self._gamma = gamma

    def scale_(
        self,
        reward: npt.NDArray[np.float32],
        ended: npt.NDArray[np.bool_],
        alive: npt.NDArray[np.bool_],
    ) -> npt.NDArray[np.float32]:
        """`reward` (T, rows) in place, after taking it in; `ended` where an episode closed.

        Rows that held no agent say nothing about the size of returns.
        """
        seen = np.empty(reward.shape, np.float32)
        for t, (now, over) in enumerate(zip(reward, ended, strict=True)):
            self.running = self.running * self._gamma + now
            seen[t] = self.running
            self.running[over] = 0.0
        self.moments.add(seen[alive].reshape(-1, 1))
        reward /= np.float32(self.moments.deviation()[0])
        return reward
