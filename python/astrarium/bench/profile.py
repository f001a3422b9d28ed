"""One candidate's throughput: a way of running worlds, sampled several times.

A mode is a way of spending steps. `env_only` steps worlds with random actions and nothing else;
`trainer` and `trainer_eval` learn from them.
"""

from __future__ import annotations

import contextlib
import math
import tracemalloc
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal

from astrarium import worlds
from astrarium.bench import training_runs
from astrarium.bench.candidates import Candidate, Effort, ImpossibleError, Sample, Subject
from astrarium.bench.faces import SINGLY
from astrarium.bench.limits import peak_resident_growth
from astrarium.bench.loops import Loop, PythonLoop, PythonSingly, ReferenceLoop, draw_actions
from astrarium.bench.report import Spread
from astrarium.errors import MissingPackageError

Status = Literal["ok", "skipped", "error"]

REFERENCE_WORLD: Final = "prospector-v1"
"""The world that also has a reference implementation."""

_EXERCISE_CALLS: Final = 64
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
    peak_resident_bytes: int = 0
    """Growth of what the process occupies over the timed runs, as the kernel sees it."""
    spreads: dict[str, Spread] = field(default_factory=dict[str, Spread])

    @property
    def steps_per_second(self) -> Spread:
        """The figure candidates are compared by."""
        return self.spreads["steps_per_second"]

    @property
    def steps_per_cpu_second(self) -> Spread:
        """The figure floors are judged by."""
        return self.spreads["steps_per_cpu_second"]

    def as_dict(self) -> dict[str, Any]:
        """The profile as a report holds it."""
        return {**asdict(self), "name": self.candidate.name}


class Stepping:
    """Worlds stepped for their own sake."""

    def __init__(self, loop: Loop, num_worlds: int) -> None:
        self._loop = loop
        self._warm = max(16, 4096 // max(1, num_worlds))

    def samples(self, effort: Effort) -> list[Sample]:
        """Slices of equally many calls."""
        loop, warm = self._loop, self._warm
        seconds_per_call = loop.steps(warm).seconds("cpu") / warm
        calls = max(1, math.ceil(effort.seconds / seconds_per_call))
        slices = [loop.steps(calls) for _ in range(effort.repeats)]
        # Counting ticks slows a loop down, so it comes after the clock.
        count = loop.count(min(calls, warm))
        return [Sample.of(one, one.steps * count.ticks / count.steps) for one in slices]

    def exercise(self) -> None:
        """A few calls."""
        self._loop.count(_EXERCISE_CALLS)

    def close(self) -> None:
        """Close the loop."""
        self._loop.close()


def env_only(candidate: Candidate) -> Stepping:
    """Random actions, every choice of every head; an ended world begins again."""
    num_worlds = max(1, candidate.num_worlds)
    batch = worlds.make_vec(candidate.world, num_worlds)
    layout = batch.layout
    batch.close()
    actions = draw_actions(layout, num_worlds)
    if candidate.implementation == "reference":
        if candidate.world != REFERENCE_WORLD:
            raise ImpossibleError(f"only {REFERENCE_WORLD} has a reference implementation")
        if candidate.num_worlds != SINGLY or candidate.threads != 1:
            raise ImpossibleError("the reference runs one world on one thread")
        return Stepping(ReferenceLoop(actions), num_worlds)
    candidate.check_threads()
    batch = worlds.make_vec(candidate.world, num_worlds, threads=candidate.threads)
    looping = PythonSingly if candidate.num_worlds == SINGLY else PythonLoop
    return Stepping(looping(batch, actions), num_worlds)


MODES: Final[dict[str, Callable[[Candidate], Subject]]] = {
    "env_only": env_only,
    **training_runs.MODES,
}


def profile(candidate: Candidate, effort: Effort) -> Profile:
    """Run one candidate; whatever goes wrong with it is part of the answer."""
    try:
        with contextlib.closing(MODES[candidate.mode](candidate)) as subject:
            return _sampled(candidate, subject, effort)
    except (ImpossibleError, MissingPackageError) as reason:
        return Profile(candidate, "skipped", str(reason))
    except Exception as error:
        return Profile(candidate, "error", f"{type(error).__name__}: {error}")


def _sampled(candidate: Candidate, subject: Subject, effort: Effort) -> Profile:
    # What is done only the first time, such as loading torch, is no part of any figure.
    subject.exercise()
    samples, resident = peak_resident_growth(lambda: subject.samples(effort))
    return Profile(
        candidate,
        "ok",
        samples=tuple(samples),
        # Tracing the heap slows everything down, so it comes after the clock.
        peak_heap_bytes=_peak_heap_bytes(subject),
        peak_resident_bytes=resident,
        spreads={name: Spread.of([getattr(one, name) for one in samples]) for name in _FIGURES},
    )


def _peak_heap_bytes(subject: Subject) -> int:
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        subject.exercise()
        return max(0, tracemalloc.get_traced_memory()[1] - before)
    finally:
        tracemalloc.stop()
