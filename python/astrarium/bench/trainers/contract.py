"""What a contender is asked and what it answers: a task in, steps per second out.

A contender is a program. Its only argument is a `Task` in JSON; it prints one line, its `Answer`
in JSON. Nothing beyond the standard library is needed: the interpreters of others run this too.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Final, cast

from astrarium.errors import AstrariumError

HIDDEN: Final = (128, 128)
LEARNING_RATE: Final = 3e-4
DISCOUNT: Final = 0.99
TRACE_DECAY: Final = 0.95
CLIP: Final = 0.2
ENTROPY_WEIGHT: Final = 0.01
VALUE_WEIGHT: Final = 0.5
GRADIENT_NORM_MAX: Final = 0.5
"""The usual settings of PPO: the same for all, though the speed does not depend on them."""


class ContractError(AstrariumError, ValueError):
    """A task or an answer that is not one."""


_SHOWN: Final = 200
"""Characters of bad input that an error repeats."""


@dataclass(frozen=True, slots=True)
class Task:
    """How to train, for how long, on how many cores."""

    world: str
    num_worlds: int = 1024
    rollout_steps: int = 128
    epochs: int = 4
    minibatches: int = 4
    hidden: tuple[int, ...] = HIDDEN
    """Widths of the layers that actor and critic share."""
    threads: int = 1
    warm_up: int = 1
    """Iterations before the clock."""
    iterations: int = 3
    seconds_max: float = 20.0
    """After so long no further iteration begins; one is always timed."""
    seed: int = 0
    variant: str = ""
    """Which of its configurations a contender runs, where it has several."""

    @property
    def batch_size(self) -> int:
        """Steps of one iteration."""
        return self.num_worlds * self.rollout_steps

    @property
    def minibatch_size(self) -> int:
        """Steps of one gradient."""
        return self.batch_size // self.minibatches


@dataclass(frozen=True, slots=True)
class Timed:
    """Steps per second of each timed iteration: collecting and learning together."""

    wall: list[float]
    cpu: list[float]
    """By processor time, not always one for each; empty where other processes did the work."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a contender measured."""

    rates: Timed
    settings: dict[str, Any] = field(default_factory=dict[str, Any])
    """What is particular to this contender."""
    versions: dict[str, str] = field(default_factory=dict[str, str])
    cores: int = 0
    """Processors the system let it use."""


class Stopwatch:
    """Times whole iterations, the first of them without counting."""

    def __init__(self, task: Task) -> None:
        self._task: Final = task
        self._laps: Final[list[tuple[int, float, float]]] = []
        self._warm_up_left = task.warm_up
        self._begun = time.perf_counter(), time.process_time()

    def lap(self, steps: int) -> bool:
        """An iteration of so many steps has ended. Whether that was the last one needed."""
        now = time.perf_counter(), time.process_time()
        if self._warm_up_left:
            self._warm_up_left -= 1
        else:
            self._laps.append((steps, now[0] - self._begun[0], now[1] - self._begun[1]))
        self._begun = now
        spent_s = sum(wall_s for _, wall_s, _ in self._laps)
        enough = len(self._laps) >= self._task.iterations
        return enough or (bool(self._laps) and spent_s >= self._task.seconds_max)

    def timed(self) -> Timed:
        """The laps as rates."""
        return Timed(
            [steps / wall_s for steps, wall_s, _ in self._laps],
            [steps / max(cpu_s, 1e-9) for steps, _, cpu_s in self._laps],
        )


def timed(task: Task, iterate: Callable[[], int]) -> Timed:
    """How fast `iterate` is, which says how many steps it took."""
    watch = Stopwatch(task)
    while not watch.lap(iterate()):
        pass
    return watch.timed()


def parse_task(text: str) -> Task:
    """A task from its JSON."""
    given = _fields(Task, text)
    given["hidden"] = tuple(given.get("hidden", HIDDEN))
    return Task(**given)


def parse_answer(text: str) -> Answer:
    """An answer from its JSON."""
    given = _fields(Answer, text)
    try:
        rates = Timed(**given.pop("rates"))
        usable = rates.wall and all(rate > 0 for rate in (*rates.wall, *rates.cpu))
    except TypeError as error:
        raise ContractError(f"{text[:_SHOWN]!r} is no answer: {error}") from error
    if not usable:
        raise ContractError(f"{text[:_SHOWN]!r} is no answer: it needs a rate, and rates above 0")
    return Answer(rates, **given)


def _fields(kind: type[Task | Answer], text: str) -> dict[str, Any]:
    """An object that has the first field of `kind` and none that `kind` has not."""
    what = f"{text[:_SHOWN]!r} is no {kind.__name__.lower()}"
    try:
        given = json.loads(text)
    except ValueError as error:
        raise ContractError(f"{what}: {error}") from error
    if not isinstance(given, dict):
        raise ContractError(f"{what}: give an object")
    found = cast("dict[str, Any]", given)
    names = [one.name for one in fields(kind)]
    unknown = sorted(set(found) - set(names))
    first = names[0]
    if unknown or first not in found:
        wrong = f"it has no {unknown[0]!r}" if unknown else f"it needs {first!r}"
        raise ContractError(f"{what}: {wrong}")
    return found


def versions_of(packages: Iterable[str]) -> dict[str, str]:
    """The interpreter and the installed packages among `packages`."""
    found = {"python": platform.python_version()}
    for package in packages:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def allowed_cores() -> int:
    """Processors this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def answer(
    measure: Callable[[Task], tuple[Timed, dict[str, Any]]], packages: Iterable[str] = ()
) -> None:
    """The whole of a contender's program: read the task, measure, print the answer."""
    # Libraries talk on standard output; only the answer belongs there.
    out = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    task = parse_task(sys.argv[-1])
    rates, settings = measure(task)
    versions = versions_of(("numpy", "torch", *packages))
    made = Answer(rates, settings, versions, allowed_cores())
    os.write(out, (json.dumps(asdict(made)) + "\n").encode())
