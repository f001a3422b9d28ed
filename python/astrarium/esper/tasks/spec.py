"""What a task is: which data, which host, how it is trained, and when it counts as broken."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from astrarium.errors import ConfigError
from astrarium.esper.contracts.seeds import Topology
from astrarium.esper.shapes import CnnShape, HostShape

DataKind = Literal["digits", "textures", "copying", "cifar", "tinystories", "noise"]
"""Where the data comes from; each has a module of that name."""

USER_DATA: Final[frozenset[DataKind]] = frozenset({"cifar", "tinystories"})
"""Kinds that are never shipped nor generated: the user says where they are."""


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
    host: HostShape
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
        dimensions = 3 if isinstance(self.host, CnnShape) else 1
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
