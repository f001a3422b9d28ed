"""Imitation beside PPO: in every minibatch a little of what a teacher did."""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
from torch import Tensor

from astrarium.train.demonstrations import Items, Mimic
from astrarium.train.imitation import Imitation
from astrarium.train.learner import Learner


class Tutor:
    """The imitation's part of a minibatch's gradient."""

    def __init__(
        self, imitation: Imitation, learner: Learner, weight: float, order: np.random.Generator
    ) -> None:
        self._mimic = Mimic(learner.network, learner.scale, imitation.learned)
        self._weight = weight
        self._batches = _endless(self._mimic, order, imitation.study.batch_rows)
        self._gradient = torch.zeros_like(learner.network.flat)

    def __call__(self, gradient: Tensor) -> None:
        """Add to the gradient of a minibatch."""
        self._mimic.gradient(next(self._batches), self._gradient)
        with torch.no_grad():
            gradient.add_(self._gradient, alpha=self._weight)


def _endless(mimic: Mimic, order: np.random.Generator, rows: int) -> Iterator[Items]:
    while True:
        yield from mimic.batches(order, rows)
