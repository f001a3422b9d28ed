"""Forward and backward through a network without memory, step by step and without autograd.

Everything lands in memory allocated once, a chunk of rows small enough to stay in the cache goes
through all layers before the next one begins, and several threads can do so side by side.
"""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnnecessaryComparison=false

from __future__ import annotations

import torch
from torch import Tensor, nn

from astrarium.train.policy import Network

_relu_backward = torch.ops.aten.threshold_backward.grad_input
_tanh_backward = torch.ops.aten.tanh_backward.grad_input


class Pass:
    """One thread's memory for chunks of at most `rows` rows."""

    def __init__(self, network: Network, rows: int) -> None:
        self._layers = [layer for layer in network.hidden if isinstance(layer, nn.Linear)]
        self._output = network.output
        self._relu = network.section.activation == "relu"
        sizes = [layer.out_features for layer in self._layers]
        self.obs = torch.empty(rows, network.shape.obs_dim)
        self._activations = [torch.empty(rows, size) for size in sizes]
        self._deltas = [torch.empty(rows, size) for size in sizes]
        self._outputs = torch.empty(rows, network.shape.outputs)

    def forward(self, obs: Tensor) -> Tensor:
        """Outputs of these rows, valid until the next call. Keeps what `backward` needs."""
        rows = len(obs)
        below = obs
        for layer, memory in zip(self._layers, self._activations, strict=True):
            now = torch.addmm(layer.bias, below, layer.weight.t(), out=memory[:rows])
            below = now.relu_() if self._relu else now.tanh_()
        outputs = self._outputs[:rows]
        return torch.addmm(self._output.bias, below, self._output.weight.t(), out=outputs)

    def backward(self, obs: Tensor, slope: Tensor, into: list[Tensor]) -> None:
        """Gradients of the parameters, written over `into` in their order.

        `slope` is the gradient of the outputs of the last `forward`, which was of `obs`.
        """
        rows = len(obs)
        count = len(self._layers)
        below = [obs, *(memory[:rows] for memory in self._activations)]
        # A module's own parameters come first: the deviations of controls, then layer by layer.
        _, *into = into
        torch.mm(slope.t(), below[count], out=into[2 * count])
        torch.sum(slope, 0, out=into[2 * count + 1])
        weight = self._output.weight
        for at in range(count - 1, -1, -1):
            delta = torch.mm(slope, weight, out=self._deltas[at][:rows])
            self._bend_back(delta, below[at + 1])
            torch.mm(delta.t(), below[at], out=into[2 * at])
            torch.sum(delta, 0, out=into[2 * at + 1])
            slope, weight = delta, self._layers[at].weight

    def _bend_back(self, delta: Tensor, activation: Tensor) -> None:
        if self._relu:
            _relu_backward(delta, activation, 0, grad_input=delta)
        else:
            _tanh_backward(delta, activation, grad_input=delta)
