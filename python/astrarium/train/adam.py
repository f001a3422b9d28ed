"""Adam over one flat tensor: one native call on a CPU, a few kernels that a GPU can record.

The library's own does the same and brings its compiler along when it is made, which takes seconds
at every start of the program.
"""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnnecessaryComparison=false

from __future__ import annotations

import torch
from torch import Tensor

from astrarium import _native
from astrarium.train.config import PPOSection

BETA1 = 0.9


class Adam:
    """An optimiser whose whole memory are tensors beside the parameters: a GPU can record it."""

    def __init__(self, flat: Tensor, ppo: PPOSection) -> None:
        self._flat = flat
        self._beta2 = ppo.adam_beta2
        self._epsilon = ppo.adam_epsilon
        self.gradient = torch.zeros_like(flat)
        """To be filled before `step`."""
        self.rate = torch.tensor(ppo.learning_rate, device=flat.device)
        self.state = {
            "step": torch.zeros((), device=flat.device),
            "mean": torch.zeros_like(flat),
            "square": torch.zeros_like(flat),
        }

    def follow(self, norm_max: float) -> float:
        """On a CPU: move against the gradient, shortened to `norm_max`; its length before that.

        Nothing moves if that is not finite.
        """
        step = self.state["step"].add_(1.0)
        return _native.adam_step(
            self._flat.numpy(),
            self.state["mean"].numpy(),
            self.state["square"].numpy(),
            self.gradient.numpy(),
            int(step),
            float(self.rate),
            (BETA1, self._beta2),
            self._epsilon,
            norm_max,
        )

    def step(self) -> None:
        """Anywhere: move the parameters against the gradient as it is."""
        step, mean, square = self.state["step"], self.state["mean"], self.state["square"]
        step.add_(1.0)
        mean.lerp_(self.gradient, 1.0 - BETA1)
        square.mul_(self._beta2).addcmul_(self.gradient, self.gradient, value=1.0 - self._beta2)
        root = (square / (1.0 - self._beta2**step)).sqrt_().add_(self._epsilon)
        self._flat.sub_((mean / root).mul_(self.rate / (1.0 - BETA1**step)))
