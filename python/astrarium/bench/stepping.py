"""How fast the worlds step, through every face.

Loops that are compared run in turns, slice by slice, and the comparison is the median of their
pairs: on a shared machine one minute differs from the next by more than the loops differ.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from astrarium.bench.faces import SINGLY, Face, Opener, UnavailableError, Workload, workloads
from astrarium.bench.loops import Clock, Count, Loop, PeerLoop, PythonLoop, Slice
from astrarium.bench.report import Spread

COMPARED_SIZE: Final = 1024
"""The batch size whose resets are timed too."""
_WARM_CALLS: Final = 256
"""Calls before the clock: by then the episodes of a batch no longer begin together."""
_WARM_STEPS_MIN: Final = 1 << 14


@dataclass(frozen=True, slots=True)
class Plan:
    """What to measure."""

    worlds: tuple[str, ...] = ("prospector-v1", "prospector-v2")
    sizes: tuple[int, ...] = (SINGLY, 1, 64, 1024, 8192)
    threads: tuple[int, ...] = (1, 2)
    through: tuple[Face, ...] = ("rust", "c", "python")
    seconds: float = 0.1
    """Length of one slice, about."""
    repeats: int = 15
    """Slices of each loop."""
    growth_steps: int = 10_000_000


@dataclass(frozen=True, slots=True)
class Row:
    """One loop, measured."""

    workload: Workload
    face: Face
    num_worlds: int
    threads: int
    calls: int
    """Calls of one slice."""
    steps: list[Slice]
    count: Count
    resets: list[Slice]

    def rate(self, clock: Clock = "cpu") -> float:
        """Steps per second: the median slice, by wall or processor time."""
        return Spread.of(rates(self.steps, clock)).p50

    def quiet_rate(self, clock: Clock = "cpu") -> float:
        """Steps per second of the fastest slice: the machine when others disturbed it least."""
        return Spread.of(rates(self.steps, clock)).max

    def reset_rate(self) -> float:
        """Resets per second of processor time: the median slice."""
        return Spread.of(rates(self.resets, "cpu")).p50

    def quiet_reset_rate(self) -> float:
        """Resets per second of processor time: the fastest slice."""
        return Spread.of(rates(self.resets, "cpu")).max

    @property
    def ticks_per_step(self) -> float:
        """Simulated ticks a decision takes, on average."""
        return self.count.ticks / self.count.steps

    def as_dict(self) -> dict[str, Any]:
        """The row as a report holds it."""
        cpu, wall = Spread.of(rates(self.steps, "cpu")), Spread.of(rates(self.steps, "wall"))
        row: dict[str, Any] = {
            "world": self.workload.world,
            "actions": self.workload.actions,
            "face": self.face,
            "num_worlds": self.num_worlds or "singly",
            "threads": self.threads,
            "calls_per_slice": self.calls,
            "steps_per_cpu_second": asdict(cpu),
            "steps_per_wall_second": asdict(wall),
            "ticks_per_step": self.ticks_per_step,
            "ticks_per_cpu_second": cpu.p50 * self.ticks_per_step,
            "ticks_per_wall_second": wall.p50 * self.ticks_per_step,
            "steps_per_episode": self.count.steps / max(1.0, self.count.episodes),
            "cpu_use": sum(one.cpu_s for one in self.steps) / sum(one.wall_s for one in self.steps),
        }
        if self.resets:
            row["resets_per_cpu_second"] = asdict(Spread.of(rates(self.resets, "cpu")))
            row["resets_per_wall_second"] = asdict(Spread.of(rates(self.resets, "wall")))
        return row


def rates(slices: list[Slice], clock: Clock) -> list[float]:
    """Steps per second of each slice."""
    return [one.steps / one.seconds(clock) for one in slices]


@dataclass
class Measured:
    """Everything a run has measured so far."""

    rows: list[Row] = field(default_factory=list[Row])
    same_work: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    unavailable: list[dict[str, str]] = field(default_factory=list[dict[str, str]])

    def find(self, face: Face, workload: Workload, num_worlds: int, threads: int = 1) -> Row | None:
        """The row of one loop, if it was measured."""
        wanted = (face, workload, num_worlds, threads)
        for row in self.rows:
            if (row.face, row.workload, row.num_worlds, row.threads) == wanted:
                return row
        return None

    def miss(self, face: Face, world: str, reason: str) -> None:
        """Note once that a face could not be measured."""
        entry = {"face": face, "world": world, "reason": reason}
        if entry not in self.unavailable:
            self.unavailable.append(entry)


def measure(plan: Plan, opener: Opener, say: Callable[[str], None]) -> Measured:
    """Every world, size and face of the plan."""
    measured = Measured()
    for world in plan.worlds:
        for workload in workloads(world):
            for num_worlds in plan.sizes:
                size = f"n = {num_worlds}" if num_worlds else "singly"
                say(f"{workload.world}, {workload.actions}, {size}")
                _measure_size(plan, opener, workload, num_worlds, measured)
    return measured


def _combinations(plan: Plan, num_worlds: int) -> Iterator[tuple[Face, int]]:
    for face in plan.through:
        for threads in plan.threads:
            # A batch never uses more threads than it has worlds; the C face uses its caller's.
            if threads == 1 or (threads <= num_worlds and face != "c"):
                yield face, threads


def _measure_size(
    plan: Plan, opener: Opener, workload: Workload, num_worlds: int, measured: Measured
) -> None:
    actions = opener.draw(workload, num_worlds)
    loops: dict[tuple[Face, int], Loop] = {}
    try:
        for face, threads in _combinations(plan, num_worlds):
            try:
                loops[face, threads] = opener.open(
                    face, workload.world, num_worlds, threads, actions
                )
            except UnavailableError as error:
                measured.miss(face, workload.world, str(error))
        if loops:
            _take_turns(plan, loops, workload, num_worlds, measured)
    finally:
        for loop in loops.values():
            loop.close()


def _take_turns(
    plan: Plan,
    loops: dict[tuple[Face, int], Loop],
    workload: Workload,
    num_worlds: int,
    measured: Measured,
) -> None:
    size = max(1, num_worlds)
    warm = max(_WARM_CALLS, _WARM_STEPS_MIN // size)
    # The slowest decides how many calls a slice has: all must do the same.
    seconds_per_call = max(loop.steps(warm).cpu_s / warm for loop in loops.values())
    calls = max(1, math.ceil(plan.seconds / max(seconds_per_call, 1e-9)))
    slices = {key: list[Slice]() for key in loops}
    for turn in range(plan.repeats):
        # There and back: a place in the order that is warmer than another favours nobody.
        for key in list(loops) if turn % 2 == 0 else reversed(loops):
            slices[key].append(loops[key].steps(calls))
    _compare_digests(loops, workload, num_worlds, measured)
    counts = {key: loop.count(min(calls, warm)) for key, loop in loops.items()}
    resets = {key: list[Slice]() for key in loops}
    if num_worlds == COMPARED_SIZE:
        for _ in range(plan.repeats):
            for key, loop in loops.items():
                if key[1] == 1:
                    resets[key].append(loop.resets(max(1, math.ceil(plan.seconds * 100))))
    for face, threads in loops:
        key = (face, threads)
        row = Row(workload, face, num_worlds, threads, calls, slices[key], counts[key], resets[key])
        measured.rows.append(row)


def _compare_digests(
    loops: dict[tuple[Face, int], Loop], workload: Workload, num_worlds: int, measured: Measured
) -> None:
    """Loops over one native batch must have come to the same states, whatever their threads."""
    digests = {
        f"{face}, {threads} thread{'s' if threads > 1 else ''}": f"{loop.digest():016x}"
        for (face, threads), loop in loops.items()
        if isinstance(loop, PythonLoop) or (face == "rust" and isinstance(loop, PeerLoop))
    }
    measured.same_work.append(
        {
            "world": workload.world,
            "actions": workload.actions,
            "num_worlds": num_worlds or "singly",
            "equal": len(set(digests.values())) <= 1,
            "digests": digests,
        }
    )


def paired(numerator: Row, denominator: Row, clock: Clock) -> float:
    """The median of slice by slice ratios of time: how much longer `numerator` takes."""
    pairs = zip(numerator.steps, denominator.steps, strict=True)
    ratios = [one.seconds(clock) / two.seconds(clock) for one, two in pairs]
    return Spread.of(ratios).p50
