"""A policy of heads, without memory or controls, native from observations to gradients.

Every call does a whole step or a whole minibatch, on all threads, without the interpreter. Results
do not depend on how many threads there are.
"""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnnecessaryComparison=false

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from torch import Tensor

from astrarium import _native
from astrarium.train.loss import Objective, Samples
from astrarium.train.normalise import ObservationScale
from astrarium.train.policy import Network
from astrarium.train.rollout import Rollout


class NativePolicy:
    """Acts and finds gradients with the present parameters of `network`."""

    def __init__(self, network: Network, scale: ObservationScale | None, threads: int) -> None:
        shape, section = network.shape, network.section
        sizes = (shape.obs_dim, *section.hidden)
        self._native = _native.PolicyNetwork(shape.heads, sizes, section.activation, threads)
        self._parameters = network.flat.numpy()
        self._heads = shape.heads
        # The scale changes in place.
        self._scale = (
            None if scale is None else (scale.mean.numpy(), scale.factor.numpy(), scale.CLIP)
        )

    def act(self, rollout: Rollout, t: int, uniform: npt.NDArray[np.float32]) -> None:
        """Choose the orders of step `t` by uniform numbers."""
        self._native.act(
            self._parameters,
            rollout.obs[t].numpy(),
            self._scale,
            rollout.mask[t].numpy(),
            uniform,
            rollout.actions[t].numpy(),
            rollout.log_prob[t].numpy(),
            rollout.value[t].numpy(),
        )

    def value(self, rollout: Rollout, t: int) -> None:
        """What the sights of step `t` are worth."""
        obs, value = rollout.obs[t].numpy(), rollout.value[t].numpy()
        self._native.value(self._parameters, obs, self._scale, value)

    def prepare(self, rollout: Rollout, samples: Samples) -> None:
        """The rollout that the next minibatches are taken from."""
        self._obs = rollout.flat_obs().numpy()
        self._samples = _native.PolicySamples(
            self._heads,
            samples.mask.numpy(),
            samples.actions.numpy(),
            samples.log_prob.numpy(),
            samples.value.numpy(),
            samples.advantage.numpy(),
            samples.returns.numpy(),
        )

    def __call__(
        self, rows: npt.NDArray[np.int64], objective: Objective, out: Tensor
    ) -> npt.NDArray[np.float64]:
        """The gradient of a minibatch into `out`; the sums of `SUMS` over its rows."""
        sums = self._native.gradient(
            self._parameters,
            self._obs,
            self._scale,
            self._samples,
            rows,
            objective.numbers(),
            out.numpy(),
        )
        return np.array(sums)
