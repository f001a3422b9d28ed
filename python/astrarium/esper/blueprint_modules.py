"""The modules seeds are made of. All keep the shape of what they are given.

No batch norm: running statistics drift while a seed is isolated. `quieten` sets the last layer to
zero, after which the seed passes its input through unchanged.
"""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections import OrderedDict
from typing import Any, Final, Protocol, runtime_checkable

import torch
from torch import Tensor, nn
from torch.nn import functional

from astrarium.esper.convolutions import convolution
from astrarium.esper.transformer_host import CausalAttention, Mlp

ATTENTION_HEADS: Final = 4
SQUEEZE_BIAS: Final = 3.0
SPARSE_BLOCK: Final = 16
MASKS_MAX: Final = 8
_GROUP_CHANNELS_MIN: Final = 16
_JUST_BELOW_ZERO: Final = -torch.finfo(torch.float32).tiny


@runtime_checkable
class Quietable(Protocol):
    """A seed that can begin as the identity."""

    def quieten(self) -> None:
        """Set the last layer to zero."""
        ...


def group_count(channels: int) -> int:
    """Groups of a norm: as many as leave 16 channels each, or one.

    One channel a group would normalise the means of channels away in narrow seeds.
    """
    for groups in (32, 16, 8, 4, 2):
        if channels % groups == 0 and channels // groups >= _GROUP_CHANNELS_MIN:
            return groups
    return 1


def _norm(channels: int) -> nn.GroupNorm:
    return nn.GroupNorm(group_count(channels), channels)


class _Rectifying(torch.autograd.Function):
    """As ReLU, but with slope 1 at exactly 0: behind a layer of zeros a seed could not learn."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        return torch.relu(x)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tensor:  # pyright: ignore[reportIncompatibleMethodOverride]
        (x,) = ctx.saved_tensors
        # The kernel of ReLU's own gradient, several times as fast as a comparison and a choice.
        return torch.ops.aten.threshold_backward(grad, x, _JUST_BELOW_ZERO)


def _rectified(x: Tensor) -> Tensor:
    rectified: Tensor = _Rectifying.apply(x)
    return rectified


class ConvResidual(nn.Module):
    """x + ReLU(norm(convolutions)); one 3×3, one 1×1, or depthwise and then 1×1."""

    def __init__(self, channels: int, kernel: int, depthwise: bool = False) -> None:
        super().__init__()
        convs: list[nn.Module] = []
        if depthwise:
            convs.append(nn.Conv2d(channels, channels, 3, padding=1, groups=channels, bias=False))
        convs.append(convolution(channels, channels, kernel))
        self.convs = nn.Sequential(*convs)
        self.norm = _norm(channels)

    def forward(self, x: Tensor) -> Tensor:
        """Features of the same shape."""
        return x + _rectified(self.norm(self.convs(x)))

    def quieten(self) -> None:
        """Set the last layer to zero."""
        nn.init.zeros_(self.norm.weight)


class ConvSmall(ConvResidual):
    """x + ReLU(norm(1×1)), beginning as the identity."""

    def __init__(self, channels: int) -> None:
        super().__init__(channels, kernel=1)

    def begin(self) -> None:
        """Pass everything through."""
        self.quieten()


class ConvHeavy(nn.Module):
    """Two 3×3 convolutions, each with norm and ReLU, beside a direct path."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = convolution(channels, channels, 3)
        self.first_norm = _norm(channels)
        self.second = convolution(channels, channels, 3)
        self.second_norm = _norm(channels)

    def forward(self, x: Tensor) -> Tensor:
        """Features of the same shape."""
        inner = torch.relu(self.first_norm(self.first(x)))
        return x + _rectified(self.second_norm(self.second(inner)))

    def quieten(self) -> None:
        """Set the last layer to zero."""
        nn.init.zeros_(self.second_norm.weight)


class Bottleneck(nn.Module):
    """Norm, down, 3×3, up, beside a direct path; beginning as the identity."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        narrow = max(8, channels // 4)
        # In front: behind layers of zeros a norm would blow their first gradients up.
        self.norm = _norm(channels)
        self.down = convolution(channels, narrow, 1)
        self.conv = convolution(narrow, narrow, 3)
        self.up = convolution(narrow, channels, 1)

    def forward(self, x: Tensor) -> Tensor:
        """Features of the same shape."""
        inner = torch.relu(self.conv(torch.relu(self.down(self.norm(x)))))
        return x + self.up(inner)

    def begin(self) -> None:
        """Pass everything through."""
        self.quieten()

    def quieten(self) -> None:
        """Set the last layer to zero."""
        nn.init.zeros_(self.up.weight)


class SqueezeExcite(nn.Module):
    """Every channel scaled by what the whole picture says; beginning near the identity."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        narrow = max(1, channels // 4)
        self.squeeze = nn.Linear(channels, narrow, bias=False)
        self.excite = nn.Linear(narrow, channels)

    def forward(self, x: Tensor) -> Tensor:
        """Features of the same shape."""
        scale = self.excite(torch.relu(self.squeeze(x.mean(dim=(2, 3)))))
        return x * torch.sigmoid(scale)[:, :, None, None]

    def begin(self) -> None:
        """Nearly open everywhere."""
        nn.init.zeros_(self.excite.weight)
        nn.init.constant_(self.excite.bias, SQUEEZE_BIAS)


class NormSeed(nn.Module):
    """As much of a norm as it learns to use, at first nothing."""

    def __init__(self, norm: nn.GroupNorm | nn.LayerNorm) -> None:
        super().__init__()
        self.norm = norm
        self.share = nn.Parameter(torch.zeros(()))

    def forward(self, x: Tensor) -> Tensor:
        """Features of the same shape."""
        return x + torch.tanh(self.share) * (self.norm(x) - x)

    def begin(self) -> None:
        """Pass everything through."""
        self.quieten()

    def quieten(self) -> None:
        """Use nothing of the norm."""
        nn.init.zeros_(self.share)


class AttentionSeed(CausalAttention):
    """x + causal attention, beginning as the identity."""

    def __init__(self, width: int) -> None:
        super().__init__(width, ATTENTION_HEADS)

    def forward(self, x: Tensor) -> Tensor:
        """Features of the same shape."""
        return x + super().forward(x)

    def begin(self) -> None:
        """Pass everything through."""
        self.quieten()

    def quieten(self) -> None:
        """Set the last layer to zero."""
        nn.init.zeros_(self.project.weight)
        nn.init.zeros_(self.project.bias)


class SparseAttentionSeed(AttentionSeed):
    """As `AttentionSeed`, but a block of positions sees itself, the one before, and the first."""

    def __init__(self, width: int) -> None:
        super().__init__(width)
        self.masks: OrderedDict[tuple[int, str], Tensor] = OrderedDict()

    def pairs(self, time: int) -> int:
        """How many positions look at how many, counted together."""
        return int(self.mask(time, torch.device("cpu")).sum())

    def _attend(self, query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        mask = self.mask(query.shape[2], query.device)
        return functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)

    def mask(self, time: int, device: torch.device) -> Tensor:
        """Who may look at whom; the last few are kept."""
        name = (time, str(device))
        if name not in self.masks:
            places = torch.arange(time, device=device)
            rows, columns = places[:, None], places[None, :]
            apart = rows // SPARSE_BLOCK - columns // SPARSE_BLOCK
            near = (apart <= 1) | (columns < SPARSE_BLOCK)
            self.masks[name] = (columns <= rows) & near
            if len(self.masks) > MASKS_MAX:
                self.masks.popitem(last=False)
        self.masks.move_to_end(name)
        return self.masks[name]


class LowRank(nn.Module):
    """x + up(down(x)) through a few dimensions, beginning as the identity."""

    def __init__(self, width: int, rank: int) -> None:
        super().__init__()
        self.down = nn.Linear(width, rank, bias=False)
        self.up = nn.Linear(rank, width, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        """Features of the same shape."""
        return x + self.up(self.down(x))

    def begin(self) -> None:
        """Pass everything through."""
        self.quieten()

    def quieten(self) -> None:
        """Set the last layer to zero."""
        nn.init.zeros_(self.up.weight)


class MlpSeed(Mlp):
    """x + MLP, beginning as the identity."""

    def forward(self, x: Tensor) -> Tensor:
        """Features of the same shape."""
        return x + super().forward(x)

    def begin(self) -> None:
        """Pass everything through."""
        self.quieten()

    def quieten(self) -> None:
        """Set the last layer to zero."""
        nn.init.zeros_(self.narrow.weight)
        nn.init.zeros_(self.narrow.bias)
