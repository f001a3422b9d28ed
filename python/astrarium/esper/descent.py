"""SGD with momentum over one flat tensor, so that a step costs a handful of calls.

The parameters become views of the flat tensor and their gradients views of a second one: clipping,
decay and the step are then calls on whole tensors, however many layers there are.
"""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor, nn

_CLIP_EPSILON: Final = 1e-6


@dataclass(frozen=True, slots=True)
class Rates:
    """How host and seeds learn."""

    host_lr: float = 0.01
    seed_lr: float = 0.01
    unseen_share: float = 0.1
    """Of a seed's rate, while nothing shows it what its own output does."""
    momentum: float = 0.9
    host_decay: float = 5e-4
    clip: float = 1.0
    """Largest norm of a gradient, of the host and of each seed alone."""


class Descent:
    """An optimiser that owns the memory of exactly the parameters it moves."""

    def __init__(
        self,
        parameters: Sequence[nn.Parameter],
        lr: float,
        momentum: float,
        decay: float,
        clip: float,
    ) -> None:
        self.parameters = tuple(parameters)
        self.lr, self.decay, self.inertia, self.clip = lr, decay, momentum, clip
        shapes = [parameter.shape for parameter in parameters]
        sizes = [shape.numel() for shape in shapes]
        self.flat = torch.cat([parameter.detach().reshape(-1) for parameter in parameters])
        self.grad = torch.zeros_like(self.flat)
        self.momentum = torch.zeros_like(self.flat)
        pieces = zip(self.flat.split(sizes), self.grad.split(sizes), strict=True)
        for parameter, shape, (values, slopes) in zip(parameters, shapes, pieces, strict=True):
            parameter.data = values.view(shape)
            parameter.grad = slopes.view(shape)

    @torch.no_grad()
    def step(self, share: float = 1.0) -> None:
        """Clip, decay, move by that share of the rate, and forget the gradient."""
        grad = self.grad
        norm = torch.linalg.vector_norm(grad)
        grad.mul_((self.clip / (norm + _CLIP_EPSILON)).clamp(max=1.0))
        if self.decay:
            grad.add_(self.flat, alpha=self.decay)
        self.momentum.mul_(self.inertia).add_(grad)
        self.flat.add_(self.momentum, alpha=-self.lr * share)
        grad.zero_()

    def forget(self) -> None:
        """Begin anew from where the parameters are."""
        self.grad.zero_()
        self.momentum.zero_()

    def holds(self, parameters: Sequence[Tensor]) -> bool:
        """Whether these, and no others, are what it moves."""
        return len(parameters) == len(self.parameters) and all(
            one is other for one, other in zip(parameters, self.parameters, strict=True)
        )
