"""What a comparison needs of an implementation: reset, step, and a full record of each step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from astrarium.worlds.vector import Floats


@dataclass(frozen=True, slots=True)
class StepRecord:
    """Everything one step reported. Arrays belong to the record: no later step changes them."""

    obs: Floats
    reward: np.float32
    terminated: bool
    truncated: bool
    dt: int
    invalid_action: bool
    action: int | None
    """The resolved action; None where an implementation does not report it."""
    metrics: Floats
    """One figure per name of `Side.metric_names`."""
    generator: int | None
    """Where the generator stands after the step; None where an implementation hides it."""

    @property
    def over(self) -> bool:
        """Whether the episode ended with this step."""
        return self.terminated or self.truncated


class Side(Protocol):
    """One implementation of a world, with one episode at a time."""

    @property
    def name(self) -> str:
        """What files and reports call this side."""
        ...

    @property
    def metric_names(self) -> tuple[str, ...]:
        """Names of the figures, in the order they are compared."""
        ...

    @property
    def generator(self) -> int | None:
        """Where the generator stands now, or None where that cannot be seen."""
        ...

    def reset(self, seed: int) -> Floats:
        """Begin the episode of `seed`; its first observation."""
        ...

    def step(self, action: int) -> StepRecord:
        """Take one action, of any integer value."""
        ...


SideMaker = Callable[[float], Side]
"""From a time budget to a fresh side. Must pickle, so that cases can run in other processes."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two implementations of one world. The right one's observations drive the players."""

    world: str
    left: SideMaker
    right: SideMaker
    config_hash: Callable[[float], str]
    """From a time budget to a digest of world and settings."""
