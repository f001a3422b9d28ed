"""How host features and seed output become one: six operators, each the host alone at alpha 0."""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import torch
from torch import Tensor, nn

from astrarium.esper.contracts.actions import Blend
from astrarium.esper.contracts.errors import MutationError
from astrarium.esper.contracts.heads import Style
from astrarium.esper.contracts.seeds import RampCurve, Topology

CHANNEL_VALUES_MAX: Final = 64
CONFIDENCE_SHARPNESS: Final = 4.0
CONFIDENCE_MARGIN: Final = 0.2

STYLES: Final = MappingProxyType(
    {
        Style.LINEAR_ADD: (Blend.ADD, RampCurve.LINEAR),
        Style.LINEAR_MULTIPLY: (Blend.MULTIPLY, RampCurve.LINEAR),
        Style.SIGMOID_ADD: (Blend.ADD, RampCurve.SIGMOID),
        Style.GATED_GATE: (Blend.GATE, RampCurve.LINEAR),
    }
)
"""The operator and the curve of the first ramp that a style stands for."""


@dataclass(frozen=True, slots=True)
class Ingredients:
    """Everything an operator may need besides the amplitude; unused ones are None."""

    host: Tensor
    seed: Tensor
    seed_input: Tensor
    gate: Tensor | None = None
    """How far the seed's own gate is open, one figure for each row (and position)."""
    channels: Tensor | None = None
    """The share of every channel, shaped to multiply features."""
    confidence: Tensor | None = None
    """How sure the logits are, one figure for each row; from `confidence_of`."""
    bounds: tuple[float, float] = (0.0, 1.0)
    """Least and largest amplitude under CONFIDENCE."""


def blend(operator: Blend, alpha: float | Tensor, parts: Ingredients) -> Tensor:
    """Host and seed together. At alpha 0, unless in a tensor, this is the host's tensor itself."""
    if isinstance(alpha, float) and alpha == 0.0:
        return parts.host
    host, seed = parts.host, parts.seed
    match operator:
        case Blend.ADD:
            return torch.lerp(host, seed, alpha)
        case Blend.MULTIPLY:
            return host * (1.0 + alpha * torch.tanh(seed - parts.seed_input))
        case Blend.GATE:
            return torch.lerp(host, seed, alpha * _needed(parts.gate, "a gate"))
        case Blend.RESIDUAL:
            if isinstance(alpha, Tensor):
                return torch.addcmul(host, seed, alpha)
            return torch.add(host, seed, alpha=alpha)
        case Blend.CHANNEL:
            return torch.lerp(host, seed, alpha * _needed(parts.channels, "alpha_vec"))
        case Blend.CONFIDENCE:
            low, high = parts.bounds
            amplitude = (alpha * _needed(parts.confidence, "logits")).clamp(low, high)
            return torch.lerp(host, seed, amplitude)


def _needed(part: Tensor | None, name: str) -> Tensor:
    if part is None:
        raise MutationError(f"this operator blends with {name}, and there is none")
    return part


def channel_shares(alpha_vec: tuple[float, ...], channels: int, topology: Topology) -> Tensor:
    """`alpha_vec` shaped to multiply features; it needs one value for every channel."""
    check_alpha_vec(alpha_vec, channels)
    shares = torch.tensor(alpha_vec)
    return shares.view(1, channels, 1, 1) if topology == "cnn" else shares.view(1, 1, channels)


def check_alpha_vec(alpha_vec: tuple[float, ...], channels: int) -> None:
    """Refuse shares of channels that do not fit the features."""
    if not 1 <= len(alpha_vec) <= CHANNEL_VALUES_MAX:
        raise MutationError(
            f"alpha_vec has {len(alpha_vec)} values; it takes 1 to {CHANNEL_VALUES_MAX}"
        )
    if len(alpha_vec) != channels:
        raise MutationError(f"alpha_vec has {len(alpha_vec)} values for {channels} channels")
    if not all(0.0 <= value <= 1.0 for value in alpha_vec):
        raise MutationError(f"alpha_vec is {alpha_vec}; every value lies between 0 and 1")


def confidence_of(logits: Tensor, dims: int) -> Tensor:
    """How sure the logits are, from 0 to 1, shaped to multiply features of so many dimensions.

    It is the margin between the two likeliest classes; logits of sequences give one figure for
    every position.
    """
    best = logits.detach().softmax(dim=-1).topk(2, dim=-1).values
    margin = best[..., 0] - best[..., 1]
    sure = torch.sigmoid(CONFIDENCE_SHARPNESS * (margin - CONFIDENCE_MARGIN))
    return sure.view(*sure.shape, *(1 for _ in range(dims - sure.dim())))


class Gate(nn.Module):
    """How far to let a seed in, learnt from the features it sees."""

    def __init__(self, width: int, topology: Topology) -> None:
        super().__init__()
        hidden = max(8, width // 4)
        self.topology: Topology = topology
        self.hidden = nn.Linear(width, hidden)
        self.output = nn.Linear(hidden, 1)

    def forward(self, x: Tensor) -> Tensor:
        """From 0 to 1: a figure for every picture, or for every position of a sequence."""
        if self.topology == "cnn":
            pooled = x.mean(dim=(2, 3))
        else:
            # The mean of what came so far: the whole mean would tell a position its future.
            so_far = torch.arange(1, x.shape[1] + 1, device=x.device, dtype=x.dtype)
            pooled = x.cumsum(dim=1) / so_far[:, None]
        opened = torch.sigmoid(self.output(torch.relu(self.hidden(pooled))))
        return opened[:, :, None, None] if self.topology == "cnn" else opened
