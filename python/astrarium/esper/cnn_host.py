"""Hosts of convolutions: blocks, pools, one average over the picture, a linear classifier."""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from astrarium.errors import ConfigError
from astrarium.esper.contracts.seeds import InjectionSpec, Surface
from astrarium.esper.convolutions import convolution
from astrarium.esper.hosts import RoutedHost, slot_name


@dataclass(frozen=True, slots=True)
class CnnShape:
    """Everything about a host of convolutions but its weights."""

    base: int
    """Channels of the first block; each further block has twice as many."""
    blocks: int
    kernel: int
    pools: int
    """The first so many blocks are followed by a pool."""
    in_channels: int = 3
    classes: int = 10
    rows: tuple[int, ...] = (0, 1)
    """Which slots there are: 0 before the pools, 1 behind them."""

    def __post_init__(self) -> None:
        for name in ("base", "blocks", "kernel", "in_channels", "classes"):
            if getattr(self, name) < 1:
                raise ConfigError(f"{name} is {getattr(self, name)}; a host needs at least 1")
        if self.kernel % 2 == 0:
            raise ConfigError(f"kernel is {self.kernel}; only odd ones keep the picture's size")
        if not 0 <= self.pools <= self.blocks:
            raise ConfigError(f"pools is {self.pools}; there are {self.blocks} blocks to follow")
        if not self.rows or set(self.rows) - {0, 1} or (not self.pools and 0 not in self.rows):
            raise ConfigError(f"rows is {self.rows}; use 0 and, behind pools, 1")

    def channels(self, block: int) -> int:
        """The width of a block."""
        return int(self.base * 2**block)


class ConvBlock(nn.Module):
    """Convolution, batch norm, ReLU."""

    def __init__(self, channels_in: int, channels_out: int, kernel: int) -> None:
        super().__init__()
        self.conv = convolution(channels_in, channels_out, kernel)
        self.norm = nn.BatchNorm2d(channels_out)

    def forward(self, x: Tensor) -> Tensor:
        """Features of the same size."""
        if x.is_cuda:
            x = x.contiguous(memory_format=torch.channels_last)
        return torch.relu(self.norm(self.conv(x)))


class Classifier(nn.Module):
    """The average over the picture, then one linear layer."""

    def __init__(self, channels: int, classes: int) -> None:
        super().__init__()
        self.linear = nn.Linear(channels, classes)

    def forward(self, x: Tensor) -> Tensor:
        """Logits."""
        return self.linear(x.mean(dim=(2, 3)))


class CnnHost(RoutedHost):
    """A host of convolutions. Its weights are torch's; `weights.grown` draws ours."""

    def __init__(self, shape: CnnShape) -> None:
        steps: list[nn.Module] = []
        specs: list[InjectionSpec] = []
        after: dict[str, int] = {}

        def slot(row: int, block: int, surface: Surface) -> None:
            if row not in shape.rows:
                return
            slot_id = slot_name(row, block)
            after[slot_id] = len(steps) - 1
            position = (block + 0.5 + 0.5 * row) / shape.blocks
            width, order = shape.channels(block), len(specs)
            place = (block, block + 1)
            specs.append(InjectionSpec(slot_id, width, position, place, surface, order, row, block))

        for block in range(shape.blocks):
            before = shape.channels(block - 1) if block else shape.in_channels
            steps.append(ConvBlock(before, shape.channels(block), shape.kernel))
            slot(0, block, Surface.PRE_POOL)
            if block < shape.pools:
                steps.append(nn.MaxPool2d(2))
                slot(1, block, Surface.POST_POOL)
        steps.append(Classifier(shape.channels(shape.blocks - 1), shape.classes))
        super().__init__("cnn", steps, specs, after)
        self.shape = shape
