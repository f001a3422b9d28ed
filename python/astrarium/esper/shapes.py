"""Everything about a host but its weights: what tasks name and host modules are built from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from astrarium.errors import ConfigError
from astrarium.esper.contracts.seeds import Topology


@dataclass(frozen=True, slots=True)
class CnnShape:
    """A stack of convolution, normalisation and ReLU, doubling its channels in every block."""

    topology: ClassVar[Topology] = "cnn"

    base: int
    """Channels of the first block."""
    blocks: int
    kernel: int
    pools: int
    """Blocks, counted from the first, that end in a 2×2 max-pool."""
    in_channels: int = 3
    """Of the picture."""
    classes: int = 10
    rows: tuple[int, ...] = (0, 1)
    """Rows with slots: 0 after blocks, before their pool; 1 after pools."""

    def __post_init__(self) -> None:
        _positive(self, "base", "blocks", "kernel", "in_channels", "classes")
        if self.kernel % 2 == 0:
            raise ConfigError(f"kernel is {self.kernel}; only odd ones keep the picture's size")
        if not 0 <= self.pools <= self.blocks:
            raise ConfigError(f"pools is {self.pools}; {self.blocks} blocks have 0 to that many")
        if self.rows not in ((0,), (1,), (0, 1)) or (1 in self.rows and not self.pools):
            raise ConfigError(f"rows is {self.rows}; give (0,) or, where pools are, (1,) or (0, 1)")

    @property
    def widths(self) -> tuple[int, ...]:
        """Channels after each block."""
        return tuple(self.base << block for block in range(self.blocks))

    @property
    def slot_ids(self) -> tuple[str, ...]:
        """Row by row, which is the order of actions."""
        columns = (self.blocks, self.pools)
        return tuple(slot_name(row, column) for row in self.rows for column in range(columns[row]))

    @property
    def parameters(self) -> int:
        """How many numbers are learnt."""
        ins = (self.in_channels, *self.widths)
        convolutions = sum(a * b * self.kernel**2 for a, b in zip(ins, self.widths, strict=False))
        return convolutions + 2 * sum(self.widths) + (self.widths[-1] + 1) * self.classes


@dataclass(frozen=True, slots=True)
class TransformerShape:
    """Pre-norm blocks over token and position embeddings, every token seeing those before it."""

    topology: ClassVar[Topology] = "transformer"

    width: int
    heads: int
    """Of the attention; 0 where a block is an MLP only."""
    layers: int
    context: int
    """Tokens at most."""
    vocabulary: int
    segments: int
    """Slots, evenly spread: one behind every `layers / segments` blocks."""
    mlp_ratio: int = 4
    tied: bool = True
    """Whether the output head is the embedding of tokens read backwards."""
    dropout: float = 0.0

    def __post_init__(self) -> None:
        _positive(self, "width", "layers", "context", "vocabulary", "segments", "mlp_ratio")
        if self.layers % self.segments:
            raise ConfigError(f"segments is {self.segments}; it must divide {self.layers} layers")
        if self.heads < 0 or (self.heads and self.width % self.heads):
            raise ConfigError(f"heads is {self.heads}; give a divisor of width {self.width}, or 0")
        if not 0.0 <= self.dropout < 1.0:
            raise ConfigError(f"dropout is {self.dropout}; give 0 or more, less than 1")

    @property
    def classes(self) -> int:
        """What is told apart: the tokens."""
        return self.vocabulary

    @property
    def slot_ids(self) -> tuple[str, ...]:
        """In the order of actions, which is also that of the forward pass."""
        return tuple(slot_name(0, column) for column in range(self.segments))

    @property
    def parameters(self) -> int:
        """How many numbers are learnt."""
        width, inner = self.width, self.width * self.mlp_ratio
        block = 2 * width * inner + inner + width + 2 * width
        if self.heads:
            block += 4 * width**2 + 4 * width + 2 * width
        embeddings = (self.vocabulary * (1 if self.tied else 2) + self.context) * width
        return embeddings + self.layers * block + 2 * width


HostShape = CnnShape | TransformerShape


def slot_name(row: int, column: int) -> str:
    """The name of a slot."""
    return f"r{row}c{column}"


def _positive(shape: HostShape, *names: str) -> None:
    for name in names:
        if getattr(shape, name) < 1:
            raise ConfigError(f"{name} is {getattr(shape, name)}; a host needs at least 1")
