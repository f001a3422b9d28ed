"""What a task is: which data, which host, how it is trained, and when it counts as broken."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from astrarium.errors import ConfigError
from astrarium.esper.contracts.seeds import Topology

DataKind = Literal["digits", "textures", "copying", "cifar", "tinystories", "noise"]
"""Where the data comes from; each has a module of that name."""

USER_DATA: Final[frozenset[DataKind]] = frozenset({"cifar", "tinystories"})
"""Kinds that are never shipped nor generated: the user says where they are."""


@dataclass(frozen=True, slots=True)
class CnnHost:
    """A stack of convolution, normalisation and ReLU, doubling its channels in every block."""

    inputs: int
    """Channels of the image."""
    base: int
    """Channels of the first block."""
    blocks: int
    kernel: int
    pools: int
    """Blocks, counted from the first, that end in a 2×2 max-pool."""
    rows: tuple[int, ...]
    """Rows with slots: 0 after blocks, before their pool; 1 after pools."""
    classes: int
    topology: Literal["cnn"] = "cnn"

    def __post_init__(self) -> None:
        _positive(self, "inputs", "base", "blocks", "kernel", "classes")
        if self.kernel % 2 == 0:
            raise ConfigError(f"kernel is {self.kernel}; same padding needs an odd one")
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
        return tuple(f"r{row}c{column}" for row in self.rows for column in range(columns[row]))

    @property
    def parameters(self) -> int:
        """How many numbers are learnt."""
        ins = (self.inputs, *self.widths)
        convolutions = sum(a * b * self.kernel**2 for a, b in zip(ins, self.widths, strict=False))
        return convolutions + 2 * sum(self.widths) + (self.widths[-1] + 1) * self.classes


@dataclass(frozen=True, slots=True)
class TransformerHost:
    """Pre-norm blocks over token and position embeddings, every token seeing those before it."""

    width: int
    layers: int
    heads: int
    """Of the attention; 0 where a block is an MLP only."""
    context: int
    """Tokens at most."""
    vocabulary: int
    segments: int
    """Slots, one after every `layers / segments` layers."""
    mlp_ratio: int = 4
    tied: bool = True
    """Whether the output head shares its weights with the token embedding."""
    dropout: float = 0.0
    topology: Literal["transformer"] = "transformer"

    def __post_init__(self) -> None:
        _positive(self, "width", "layers", "context", "vocabulary", "segments", "mlp_ratio")
        if self.layers % self.segments:
            raise ConfigError(f"segments is {self.segments}; it must divide {self.layers} layers")
        if self.heads < 0 or (self.heads and self.width % self.heads):
            raise ConfigError(f"heads is {self.heads}; give a divisor of width {self.width}, or 0")
        if not 0.0 <= self.dropout < 1.0:
            raise ConfigError(f"dropout is {self.dropout}; give 0 or more, less than 1")

    @property
    def mlp_only(self) -> bool:
        """Whether no block can look at another token."""
        return self.heads == 0

    @property
    def classes(self) -> int:
        """What is told apart: the tokens."""
        return self.vocabulary

    @property
    def slot_ids(self) -> tuple[str, ...]:
        """In the order of actions, which is also that of the forward pass."""
        return tuple(f"r0c{column}" for column in range(self.segments))

    @property
    def parameters(self) -> int:
        """How many numbers are learnt."""
        width, inner = self.width, self.width * self.mlp_ratio
        block = 2 * width * inner + inner + width + 2 * width
        if self.heads:
            block += 4 * width**2 + 4 * width + 2 * width
        embeddings = (self.vocabulary * (1 if self.tied else 2) + self.context) * width
        return embeddings + self.layers * block + 2 * width


HostPreset = CnnHost | TransformerHost


@dataclass(frozen=True, slots=True)
class Training:
    """Stochastic gradient descent with momentum, for the host and for each seed on its own."""

    lr: float
    batch: int
    momentum: float = 0.9
    weight_decay: float = 5e-4
    """Of the host; seeds have none."""
    clip: float = 1.0
    """Longest gradient, of the host and of each seed."""
    augment: bool = False
    """Whether training images are shifted and mirrored."""

    def __post_init__(self) -> None:
        _positive(self, "lr", "batch", "clip")


@dataclass(frozen=True, slots=True)
class Split:
    """How many samples each part has."""

    train: int
    validation: int
    """All that controllers, gates and rewards may see."""
    test: int
    """Read once, at the end."""


@dataclass(frozen=True, slots=True)
class TaskSpec:
    """One row of the table of tasks."""

    name: str
    summary: str
    """What it asks."""
    data: DataKind
    host: HostPreset
    training: Training
    input_shape: tuple[int, ...]
    """Of one sample: channels, height and width, or tokens."""
    split: Split | None
    """None where the size of the user's file decides."""
    budget_epochs: int = 300
    """What every arm of an experiment may spend, in epochs of the host alone."""
    loss_limit: float = 12.0
    """Above it a loss may count as diverged."""
    stable_epochs: int = 3
    """Calm epochs after which the host counts as settled; 0 where its loss never calms down."""
    plateau_points: float = 0.5
    """An epoch that gains less over the best accuracy stands still."""
    timing_only: bool = False
    """Whether there is nothing to learn: fit for stopwatches, refused by experiments."""

    def __post_init__(self) -> None:
        _positive(self, "budget_epochs", "loss_limit")
        if not 0.3 <= self.plateau_points <= 0.5:
            raise ConfigError(f"plateau_points is {self.plateau_points}; give 0.3 to 0.5")
        dimensions = 3 if isinstance(self.host, CnnHost) else 1
        if len(self.input_shape) != dimensions:
            raise ConfigError(f"input_shape is {self.input_shape}; {self.topology} has no such")

    @property
    def topology(self) -> Topology:
        """Which blueprints fit."""
        return self.host.topology

    @property
    def classes(self) -> int:
        """Guessing among them costs `log(classes)` nats."""
        return self.host.classes


def _positive(of: object, *names: str) -> None:
    for name in names:
        value = getattr(of, name)
        if not value > 0:
            raise ConfigError(f"{name} is {value}; it must be more than 0")
