"""The network: hidden layers, perhaps a memory, and one layer of outputs.

A row of outputs is the logits of all heads side by side, the means of the controls, then the value.
"""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnnecessaryComparison=false

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from torch import Tensor, nn

from astrarium.train.config import PolicySection
from astrarium.train.recurrence import unroll_lstm
from astrarium.worlds.vector import Layout

POLICY_GAIN: Final = 0.01
VALUE_GAIN: Final = 1.0
FIRST_LOG_STD: Final = -0.5


@dataclass(frozen=True, slots=True)
class Shape:
    """What a network is for."""

    obs_dim: int
    heads: tuple[int, ...]
    controls: int
    matters: tuple[tuple[int, ...], ...] = ()
    """As in `Layout`."""

    @classmethod
    def of(cls, layout: Layout) -> Shape:
        """The shape a world asks for."""
        return cls(layout.obs_dim, layout.heads, layout.controls, layout.matters)

    @property
    def choices(self) -> int:
        """Logits of all heads together."""
        return sum(self.heads)

    @property
    def outputs(self) -> int:
        """Floats of one row of outputs."""
        return self.choices + self.controls + 1


class Network(nn.Module):
    """Policy and value on one trunk, its parameters side by side in one flat tensor."""

    def __init__(
        self,
        shape: Shape,
        section: PolicySection,
        generator: np.random.Generator | None,
        device: torch.device | None = None,
    ) -> None:
        """Weights are drawn from `generator`; without one they wait to be loaded."""
        super().__init__()
        self.shape = shape
        self.section = section
        sizes = (shape.obs_dim, *section.hidden)
        self.hidden = nn.ModuleList(
            nn.Linear(before, after) for before, after in itertools.pairwise(sizes)
        )
        cell = {"none": None, "lstm": nn.LSTMCell, "gru": nn.GRUCell}[section.memory]
        self.memory = None if cell is None else cell(sizes[-1], section.memory_size)
        last = sizes[-1] if cell is None else section.memory_size
        self.output = nn.Linear(last, shape.outputs)
        self.log_std = nn.Parameter(torch.full((shape.controls,), FIRST_LOG_STD))
        if generator is not None:
            self._begin(generator)
        self.flat = flattened(self, device)

    @property
    def arch(self) -> str:
        """The architecture in one word: two networks with the same one share checkpoints."""
        section, shape = self.section, self.shape
        hidden = "x".join(map(str, section.hidden)) or "none"
        memory = "" if section.memory == "none" else f"-{section.memory}{section.memory_size}"
        heads = "+".join(map(str, shape.heads)) or "0"
        controls = f"-{section.controls}{shape.controls}" if shape.controls else ""
        return f"mlp-{shape.obs_dim}-{hidden}-{section.activation}{memory}-{heads}{controls}-v1"

    @property
    def state_parts(self) -> int:
        """Tensors of recurrent state: two for an LSTM, one for a GRU, none without memory."""
        return {"none": 0, "lstm": 2, "gru": 1}[self.section.memory]

    def first_state(self, rows: int) -> tuple[Tensor, ...]:
        """The state at the beginning of an episode."""
        size = self.section.memory_size
        device = self.flat.device
        return tuple(torch.zeros(rows, size, device=device) for _ in range(self.state_parts))

    def forward(
        self, obs: Tensor, state: tuple[Tensor, ...] = ()
    ) -> tuple[Tensor, tuple[Tensor, ...]]:
        """Outputs of one step (rows, outputs), and the state after it."""
        features, state = self._remember(self.encode(obs), state)
        return self.output(features), state

    def unroll(self, obs: Tensor, state: tuple[Tensor, ...], starts: Tensor) -> Tensor:
        """Outputs (T, rows, outputs) of whole sequences; the state is cleared where one starts."""
        encoded = self.encode(obs)
        kept = (~starts).unsqueeze(-1).to(encoded.dtype)
        if isinstance(self.memory, nn.LSTMCell):
            return self.output(unroll_lstm(self.memory, encoded, state, kept))
        features: list[Tensor] = []
        for now, keep in zip(encoded, kept, strict=True):
            remembered, state = self._remember(now, tuple(part * keep for part in state))
            features.append(remembered)
        return self.output(torch.stack(features))

    def encode(self, obs: Tensor) -> Tensor:
        """The hidden layers."""
        bend = torch.relu if self.section.activation == "relu" else torch.tanh
        for layer in self.hidden:
            obs = bend(layer(obs))
        return obs

    def _remember(
        self, features: Tensor, state: tuple[Tensor, ...]
    ) -> tuple[Tensor, tuple[Tensor, ...]]:
        if self.memory is None:
            return features, ()
        if isinstance(self.memory, nn.LSTMCell):
            short, long = self.memory(features, (state[0], state[1]))
            return short, (short, long)
        short = self.memory(features, state[0])
        return short, (short,)

    def _begin(self, generator: np.random.Generator) -> None:
        """Orthogonal weights from our own numbers: torch's change between versions."""
        gain = math.sqrt(2.0) if self.section.activation == "relu" else 5.0 / 3.0
        with torch.no_grad():
            for layer in self.hidden:
                assert isinstance(layer, nn.Linear)
                layer.weight.copy_(gain * orthogonal(layer.weight.shape, generator))
                layer.bias.zero_()
            if self.memory is not None:
                for name, parameter in self.memory.named_parameters():
                    if "weight" in name:
                        parameter.copy_(orthogonal(parameter.shape, generator))
                    else:
                        parameter.zero_()
            self.output.bias.zero_()
            self.output.weight.copy_(orthogonal(self.output.weight.shape, generator))
            self.output.weight[:-1] *= POLICY_GAIN
            value = orthogonal((1, self.output.weight.shape[1]), generator)
            self.output.weight[-1:] = VALUE_GAIN * value


def orthogonal(shape: tuple[int, ...] | torch.Size, generator: np.random.Generator) -> Tensor:
    """A matrix with orthonormal rows or columns, whichever are fewer."""
    rows, columns = shape
    draws = generator.standard_normal((max(rows, columns), min(rows, columns)))
    basis, triangle = np.linalg.qr(draws)
    basis *= np.sign(np.diag(triangle))
    return torch.from_numpy(basis if rows >= columns else basis.T).float()


def flattened(network: nn.Module, device: torch.device | None = None) -> Tensor:
    """One tensor, on `device`, that all parameters become views of."""
    parameters = list(network.parameters())
    flat = torch.cat([parameter.detach().reshape(-1) for parameter in parameters]).to(device)
    for parameter, view in zip(parameters, views(flat, network), strict=True):
        parameter.data = view
    return flat


def views(flat: Tensor, network: nn.Module) -> list[Tensor]:
    """`flat` cut into the shapes of the network's parameters, in their order."""
    shapes = [parameter.shape for parameter in network.parameters()]
    pieces = flat.split([shape.numel() for shape in shapes])
    return [piece.view(shape) for piece, shape in zip(pieces, shapes, strict=True)]
