"""What the matrix tries: a candidate, how long to try it, and what one try gave."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from astrarium.bench.loops import Slice

TICKS: Final = 3_000 * 64
"""Ticks of one training run: 3,000 for each of 64 worlds.

3,000 in all would be less than one rollout; a quarter of these holds one of 256 worlds.
"""


class ImpossibleError(Exception):
    """A candidate that cannot exist, and why; it is skipped."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One way of running a world."""

    mode: str
    world: str
    implementation: str
    """`native` or `reference`."""
    num_worlds: int
    """Worlds in a batch; 0 for one world without a batch."""
    threads: int
    backend: str = ""
    """What trains on the worlds, if anything does."""
    minibatches: int = 0
    """Parts a rollout is learned from in, with a backend."""
    epochs: int = 0
    """Passes over a rollout, with a backend."""

    @property
    def name(self) -> str:
        """How tables call it; `4×16 minibatches` are 4 epochs of 16."""
        size = f"n={self.num_worlds}" if self.num_worlds else "singly"
        words = f"{self.implementation}, {size}, {self.threads} thread" + "s" * (self.threads > 1)
        if not self.backend:
            return words
        return f"{self.backend}, {words}, {self.epochs}×{self.minibatches} minibatches"

    def check_threads(self) -> None:
        """Refuse more threads than worlds."""
        if self.threads > max(1, self.num_worlds):
            raise ImpossibleError("a batch uses no more threads than it has worlds")


@dataclass(frozen=True, slots=True)
class Effort:
    """How long to try a candidate."""

    seconds: float = 2.0
    """Length of one sample of stepping."""
    ticks: int = TICKS
    """Length of one sample of training."""
    repeats: int = 3


@dataclass(frozen=True, slots=True)
class Sample:
    """One timed run of a candidate."""

    steps: float
    wall_s: float
    cpu_s: float
    steps_per_second: float
    """Decisions, per second of the wall's clock."""
    ticks_per_second: float
    """Simulated ticks, likewise; a decision may take several."""
    steps_per_cpu_second: float
    cpu_use: float

    @classmethod
    def of(cls, one: Slice, ticks: float) -> Sample:
        """What a timed stretch that took so many ticks comes to."""
        wall_s, cpu_s = one.seconds("wall"), one.seconds("cpu")
        return cls(
            steps=one.steps,
            wall_s=one.wall_s,
            cpu_s=one.cpu_s,
            steps_per_second=one.steps / wall_s,
            ticks_per_second=ticks / wall_s,
            steps_per_cpu_second=one.steps / cpu_s,
            cpu_use=one.cpu_s / wall_s,
        )


class Subject(Protocol):
    """A candidate, ready to be sampled."""

    def samples(self, effort: Effort) -> list[Sample]:
        """Run against the clock."""
        ...

    def exercise(self) -> None:
        """The same in short, without a clock."""
        ...

    def close(self) -> None:
        """Let go of what it holds."""
        ...
