"""One candidate's throughput: a way of running worlds, sampled several times.

A mode is a way of spending steps. `env_only` steps worlds with random actions and nothing else;
what trains on top of worlds adds its own mode to `MODES`.
"""

from __future__ import annotations

import math
import tracemalloc
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal

from astrarium import worlds
from astrarium.bench.faces import SINGLY
from astrarium.bench.loops import Loop, PythonLoop, PythonSingly, ReferenceLoop, draw_actions
from astrarium.bench.report import Spread

Status = Literal["ok", "skipped", "error"]

REFERENCE_WORLD: Final = "prospector-v1"
"""The world that also has a reference implementation."""


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

    @property
    def name(self) -> str:
        """How tables call it."""
        size = f"n={self.num_worlds}" if self.num_worlds else "singly"
        return f"{self.implementation}, {size}, {self.threads} thread" + "s" * (self.threads > 1)


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


_FIGURES: Final = (
    "steps_per_second",
    "ticks_per_second",
    "steps_per_cpu_second",
    "wall_s",
    "cpu_s",
    "cpu_use",
)


@dataclass(frozen=True, slots=True)
class Profile:
    """What came of one candidate."""

    candidate: Candidate
    status: Status
    reason: str = ""
    samples: tuple[Sample, ...] = ()
    peak_heap_bytes: int = 0
    """Growth of Python's heap over a short untimed run."""
    spreads: dict[str, Spread] = field(default_factory=dict[str, Spread])

    @property
    def steps_per_second(self) -> Spread:
        """The figure candidates are compared by."""
        return self.spreads["steps_per_second"]

    def as_dict(self) -> dict[str, Any]:
        """The profile as a report holds it."""
        return {**asdict(self), "name": self.candidate.name}


def env_only(candidate: Candidate) -> Loop:
    """Random actions, every choice of every head; an ended world begins again."""
    batch = worlds.make_vec(candidate.world, max(1, candidate.num_worlds))
    layout = batch.layout
    batch.close()
    actions = draw_actions(layout, max(1, candidate.num_worlds))
    if candidate.implementation == "reference":
        if candidate.world != REFERENCE_WORLD:
            raise ImpossibleError(f"only {REFERENCE_WORLD} has a reference implementation")
        if candidate.num_worlds != SINGLY or candidate.threads != 1:
            raise ImpossibleError("the reference runs one world on one thread")
        return ReferenceLoop(actions)
    if candidate.threads > max(1, candidate.num_worlds):
        raise ImpossibleError("a batch uses no more threads than it has worlds")
    batch = worlds.make_vec(
        candidate.world, max(1, candidate.num_worlds), threads=candidate.threads
    )
    return (PythonSingly if candidate.num_worlds == SINGLY else PythonLoop)(batch, actions)


MODES: Final[dict[str, Callable[[Candidate], Loop]]] = {"env_only": env_only}


def profile(candidate: Candidate, seconds: float, repeats: int) -> Profile:
    """Run one candidate; whatever goes wrong with it is part of the answer."""
    try:
        loop = MODES[candidate.mode](candidate)
    except ImpossibleError as reason:
        return Profile(candidate, "skipped", str(reason))
    except Exception as error:
        return Profile(candidate, "error", f"{type(error).__name__}: {error}")
    try:
        return _sampled(candidate, loop, seconds, repeats)
    except Exception as error:
        return Profile(candidate, "error", f"{type(error).__name__}: {error}")
    finally:
        loop.close()


def _sampled(candidate: Candidate, loop: Loop, seconds: float, repeats: int) -> Profile:
    warm = max(16, 4096 // max(1, candidate.num_worlds))
    seconds_per_call = loop.steps(warm).seconds("cpu") / warm
    calls = max(1, math.ceil(seconds / seconds_per_call))
    slices = [loop.steps(calls) for _ in range(repeats)]
    # Counting ticks and tracing the heap both slow a loop down, so they come after the clock.
    count = loop.count(min(calls, warm))
    samples = tuple(
        Sample(
            steps=one.steps,
            wall_s=one.wall_s,
            cpu_s=one.cpu_s,
            steps_per_second=one.steps / one.seconds("wall"),
            ticks_per_second=one.steps / one.seconds("wall") * count.ticks / count.steps,
            steps_per_cpu_second=one.steps / one.seconds("cpu"),
            cpu_use=one.cpu_s / one.seconds("wall"),
        )
        for one in slices
    )
    spreads = {name: Spread.of([getattr(one, name) for one in samples]) for name in _FIGURES}
    peak = _peak_heap_bytes(loop, min(calls, warm))
    return Profile(candidate, "ok", samples=samples, peak_heap_bytes=peak, spreads=spreads)


def _peak_heap_bytes(loop: Loop, calls: int) -> int:
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        loop.count(calls)
        return max(0, tracemalloc.get_traced_memory()[1] - before)
    finally:
        tracemalloc.stop()
