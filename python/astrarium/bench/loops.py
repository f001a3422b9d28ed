"""Loops that step worlds and are timed in slices: Python's own, and those of other programs.

Every loop takes its actions from the same array, drawn beforehand, row after row and then again
from the first. Loops over the same native batch therefore do the same work in the same slice, and
their digests say so.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, Protocol

import numpy as np

from astrarium.bench.report import ReportError
from astrarium.worlds.prospector.reference import ReferenceProspector
from astrarium.worlds.vector import Actions, Layout, VectorWorld

ACTIONS_MIN: Final = 1 << 18
"""Actions drawn for one loop: enough rows that a small batch does not see a pattern."""
ROWS_MIN: Final = 64

Clock = Literal["wall", "cpu"]


@dataclass(frozen=True, slots=True)
class Slice:
    """One timed stretch of a loop."""

    steps: float
    """Worlds advanced by one decision, or begun anew when resets were timed."""
    wall_s: float
    cpu_s: float
    """Processor time of every thread of the process that did it."""

    def seconds(self, clock: Clock) -> float:
        """What the clock said; never quite nothing, so that a rate can be taken."""
        return max(self.wall_s if clock == "wall" else self.cpu_s, 1e-9)


@dataclass(frozen=True, slots=True)
class Count:
    """What happened in an untimed stretch."""

    steps: float
    ticks: float
    episodes: float


class Loop(Protocol):
    """Something that can be asked for slices."""

    def steps(self, calls: int) -> Slice:
        """Time `calls` calls, each with the next row of actions."""
        ...

    def resets(self, calls: int) -> Slice:
        """Time `calls` fresh beginnings of every world."""
        ...

    def count(self, calls: int) -> Count:
        """Step without a clock and count ticks and episodes."""
        ...

    def close(self) -> None:
        """Let go of what the loop holds."""
        ...


def draw_actions(layout: Layout, num_worlds: int, last_left_out: int = 0) -> Actions:
    """Uniform actions, legal or not: (rows, n, m, H). The first head loses its last choices."""
    rows = max(ROWS_MIN, ACTIONS_MIN // num_worlds)
    generator = np.random.default_rng(0)
    drawn = np.empty((rows, num_worlds, layout.agents, len(layout.heads)), np.int32)
    for head, choices in enumerate(layout.heads):
        most = choices - last_left_out if head == 0 else choices
        drawn[..., head] = generator.integers(0, most, drawn.shape[:-1], np.int32)
    return drawn


def timed(steps: int, work: Callable[[], object]) -> Slice:
    """Do `work` and say how long it took."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return Slice(steps, time.perf_counter() - wall, time.process_time() - cpu)


class PythonLoop:
    """`VectorWorld.step(actions)`, as a trainer calls it."""

    def __init__(self, world: VectorWorld, actions: Actions) -> None:
        self.world: Final = world
        self._actions = actions
        self._next = 0
        self._seed = 0
        stats = world.layout.stats
        self._ticks = stats.index("dt") if "dt" in stats else None

    def _walk(self, calls: int, after: Callable[[], None] | None = None) -> None:
        step, actions, rows, at = self.world.step, self._actions, len(self._actions), self._next
        for _ in range(calls):
            step(actions[at])
            at = at + 1 if at + 1 < rows else 0
            if after is not None:
                after()
        self._next = at

    def steps(self, calls: int) -> Slice:
        """Time `calls` calls of `step`."""
        return timed(calls * self.world.num_worlds, lambda: self._walk(calls))

    def resets(self, calls: int) -> Slice:
        """Time `calls` calls of `reset`."""
        first, self._seed = self._seed + 1, self._seed + calls

        def work() -> None:
            for seed in range(first, first + calls):
                self.world.reset(seed)

        return timed(calls * self.world.num_worlds, work)

    def count(self, calls: int) -> Count:
        """Step and add up the `dt` of every step; a world without one takes one tick each."""
        world, at = self.world, self._ticks
        ticks: list[float] = []
        before = int(world.episode.sum())
        after = None if at is None else lambda: ticks.append(float(world.stats[:, at].sum()))
        self._walk(calls, after)
        steps = calls * world.num_worlds
        episodes = int(world.episode.sum()) - before
        return Count(steps, steps if at is None else sum(ticks), episodes)

    def digest(self) -> int:
        """All worlds' digests, XORed."""
        return int(np.bitwise_xor.reduce(self.world.digests()))

    def close(self) -> None:
        """Close the batch."""
        self.world.close()


class PythonSingly(PythonLoop):
    """One world the way a first program steps it: numbers in, numbers looked at."""

    def __init__(self, world: VectorWorld, actions: Actions) -> None:
        super().__init__(world, actions)
        self._numbers: list[Any] = actions[:, 0].tolist()
        self.seen: tuple[float, object] = (0.0, False)

    def _walk(self, calls: int, after: Callable[[], None] | None = None) -> None:
        world, at = self.world, self._next
        orders, reward = world.actions[0], world.reward
        ended, cut_off = world.terminated, world.truncated
        for _ in range(calls):
            orders[...] = self._numbers[at]
            world.step()
            self.seen = (reward.item(0), ended.item(0) or cut_off.item(0))
            at = at + 1 if at + 1 < len(self._numbers) else 0
            if after is not None:
                after()
        self._next = at


class ReferenceLoop:
    """The readable implementation of Prospector v1, one world, begun again with the next seed."""

    def __init__(self, actions: Actions) -> None:
        self._world = ReferenceProspector()
        self._numbers: list[int] = actions[:, 0, 0, 0].tolist()
        self._next = 0
        self._seed = 0
        self._world.reset(0)

    def count(self, calls: int) -> Count:
        """Step without a clock."""
        ticks, first = 0, self._seed
        for _ in range(calls):
            result = self._world.step(self._numbers[self._next])
            self._next = (self._next + 1) % len(self._numbers)
            ticks += result.dt
            if result.terminated or result.truncated:
                self._seed += 1
                self._world.reset(self._seed)
        return Count(calls, ticks, self._seed - first)

    def steps(self, calls: int) -> Slice:
        """Time `calls` steps."""
        return timed(calls, lambda: self.count(calls))

    def resets(self, calls: int) -> Slice:
        """Time `calls` resets."""
        return timed(calls, lambda: [self._world.reset(seed) for seed in range(calls)])

    def close(self) -> None:
        """Nothing is held."""


class PeerLoop:
    """A loop in another program, which obeys one line at a time; see `crates/bench`."""

    def __init__(self, command: Sequence[str | Path]) -> None:
        self._process = subprocess.Popen(
            [str(word) for word in command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def ask(self, order: str) -> dict[str, float]:
        """One order, one answer."""
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(order + "\n")
            process.stdin.flush()
        except BrokenPipeError:
            pass  # it has ended; what it said on the way out is below
        line = process.stdout.readline()
        if not line:
            assert process.stderr is not None
            raise ReportError(process.stderr.read().strip() or f"no answer to {order!r}")
        return json.loads(line)

    def steps(self, calls: int) -> Slice:
        """Time `calls` calls."""
        return Slice(**self.ask(f"steps {calls}"))

    def resets(self, calls: int) -> Slice:
        """Time `calls` fresh beginnings of every world."""
        return Slice(**self.ask(f"resets {calls}"))

    def count(self, calls: int) -> Count:
        """Step without a clock."""
        return Count(**self.ask(f"count {calls}"))

    def digest(self) -> int:
        """All worlds' digests, XORed."""
        halves = self.ask("digest")
        return int(halves["high"]) << 32 | int(halves["low"])

    def close(self) -> None:
        """End the program: it stops when its orders do."""
        assert self._process.stdin is not None
        # What a refused order left in the pipe has no reader any more.
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        with self._process:
            pass
