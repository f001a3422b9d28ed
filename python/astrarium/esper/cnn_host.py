"""Hosts of convolutions: blocks, pools, one average over the picture, a linear classifier."""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

import torch
from torch import Tensor, nn

from astrarium.esper.contracts.seeds import InjectionSpec, Surface
from astrarium.esper.convolutions import convolution
from astrarium.esper.hosts import RoutedHost
from astrarium.esper.pooling import Pool
from astrarium.esper.shapes import CnnShape, slot_name


class ConvBlock(nn.Module):
    """Convolution, batch norm, ReLU."""

    def __init__(self, channels_in: int, channels_out: int, kernel: int) -> None:
        super().__init__()
        self.conv = convolution(channels_in, channels_out, kernel)
        self.norm = nn.BatchNorm2d(channels_out)

    def forward(self, x: Tensor) -> Tensor:
        """Features of the same size."""
        if x.is_cuda or self.conv.kernel_size != (1, 1):
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
            width, order = shape.widths[block], len(specs)
            place = (block, block + 1)
            specs.append(InjectionSpec(slot_id, width, position, place, surface, order, row, block))

        for block in range(shape.blocks):
            before = shape.widths[block - 1] if block else shape.in_channels
            steps.append(ConvBlock(before, shape.widths[block], shape.kernel))
            slot(0, block, Surface.PRE_POOL)
            if block < shape.pools:
                steps.append(Pool())
                slot(1, block, Surface.POST_POOL)
        steps.append(Classifier(shape.widths[-1], shape.classes))
        super().__init__("cnn", steps, specs, after)
        self.shape = shape
