"""What the worlds must reach on one core, and whether they did.

The figures are for a quiet core. A machine shared with strangers is seldom one: even processor
time stretches when a neighbour shares the core's caches. So each loop is judged by its fastest
slice, and the median is told beside it. Rates of one thread are of processor time; what two threads
gain can only be seen on the wall's clock.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from astrarium.bench.faces import C_WORLD, Workload, workloads
from astrarium.bench.stepping import COMPARED_SIZE, Measured, Row, paired

SCALING_SIZE: Final = 8192
STEPS_MIN: Final = 2e6
STEPS_WITHOUT_CASH_OUT_MIN: Final = 3e6
RESETS_MIN: Final = 250e3
OVERHEAD_MAX: Final = 0.05
SCALING_MIN: Final = 1.8


@dataclass(frozen=True, slots=True)
class Check:
    """One figure held against its limit. A figure that was not taken has no value."""

    name: str
    value: float | None
    limit: float
    at_least: bool
    """Whether the limit is the least allowed, not the most."""
    unit: str = ""
    median: float | None = None
    """The same figure from median slices, where the value is from the fastest."""

    @property
    def passed(self) -> bool | None:
        """None where nothing was measured."""
        if self.value is None:
            return None
        return self.value >= self.limit if self.at_least else self.value <= self.limit

    def as_dict(self) -> dict[str, Any]:
        """The check as a report holds it."""
        return {**asdict(self), "pass": self.passed}


def judge(measured: Measured, grown: Sequence[dict[str, Any]]) -> list[Check]:
    """Every limit, with the figure that was measured for it."""
    uniform, without_last = workloads(C_WORLD)
    return [
        _steps(measured, uniform, STEPS_MIN),
        _steps(measured, without_last, STEPS_WITHOUT_CASH_OUT_MIN),
        _resets(measured, uniform),
        _overhead(measured, uniform),
        _scaling(measured, uniform),
        *_memory(grown),
    ]


def reasons(checks: Sequence[Check], measured: Measured) -> list[str]:
    """What was missed, in words."""
    missed = [
        f"{check.name}: {check.value:.4g}{check.unit}, "
        f"{'at least' if check.at_least else 'at most'} {check.limit:.4g}{check.unit} is asked"
        for check in checks
        if check.passed is False
    ]
    differing = [
        f"{one['world']}, {one['actions']}, n = {one['num_worlds']}: loops over the same actions "
        "came to different states"
        for one in measured.same_work
        if not one["equal"]
    ]
    return missed + differing


def _steps(measured: Measured, workload: Workload, limit: float) -> Check:
    row = measured.find("python", workload, COMPARED_SIZE)
    name = f"v1 {workload.actions}, Python step(), n = {COMPARED_SIZE}"
    return Check(
        name,
        row and row.quiet_rate(),
        limit,
        at_least=True,
        unit=" steps/s",
        median=row and row.rate(),
    )


def _resets(measured: Measured, workload: Workload) -> Check:
    row = measured.find("python", workload, COMPARED_SIZE)
    measured_resets = row if row and row.resets else None
    return Check(
        "v1 reset, Python",
        measured_resets and measured_resets.quiet_reset_rate(),
        RESETS_MIN,
        at_least=True,
        unit=" resets/s",
        median=measured_resets and measured_resets.reset_rate(),
    )


def _overhead(measured: Measured, workload: Workload) -> Check:
    ours = measured.find("python", workload, COMPARED_SIZE)
    rust = measured.find("rust", workload, COMPARED_SIZE)
    name = f"Python over the Rust loop, n = {COMPARED_SIZE}"
    if ours is None or rust is None:
        return Check(name, None, OVERHEAD_MAX, at_least=False)
    value = rust.quiet_rate() / ours.quiet_rate() - 1
    median = paired(ours, rust, "cpu") - 1
    return Check(name, value, OVERHEAD_MAX, at_least=False, median=median)


def _scaling(measured: Measured, workload: Workload) -> Check:
    one = measured.find("python", workload, SCALING_SIZE, 1)
    two = measured.find("python", workload, SCALING_SIZE, 2)
    name = f"2 threads over 1, Python, n = {SCALING_SIZE}"
    if one is None or two is None:
        return Check(name, None, SCALING_MIN, at_least=True, unit="×")
    value = two.quiet_rate("wall") / one.quiet_rate("wall")
    median = paired(one, two, "wall")
    return Check(name, value, SCALING_MIN, at_least=True, unit="×", median=median)


def _memory(grown: Sequence[dict[str, Any]]) -> Iterator[Check]:
    rust = next((one for one in grown if one["face"] == "rust"), None)
    steps = f"{rust['steps']:.0e}".replace("e+0", "e") if rust else "many"
    for name, key in (
        ("heap allocations", "allocations"),
        ("heap growth, bytes", "heap_bytes"),
        ("resident growth, bytes", "resident_bytes"),
    ):
        value = rust[key] if rust else None
        yield Check(f"{name} in {steps} steps", value, 0.0, at_least=False)


def comparisons(measured: Measured) -> dict[str, list[dict[str, Any]]]:
    """Python against the Rust loop, and two threads against one, wherever both were measured."""
    over: list[dict[str, Any]] = []
    gain: list[dict[str, Any]] = []
    for row in measured.rows:
        rust = measured.find("rust", row.workload, row.num_worlds, row.threads)
        if row.face == "python" and rust:
            over.append(_ratio(row, rust, 1.0))
        one = measured.find(row.face, row.workload, row.num_worlds, 1)
        if row.threads > 1 and one:
            gain.append({"face": row.face, **_ratio(one, row, 0.0)})
    return {"python_over_rust": over, "threads_over_one": gain}


def _ratio(one: Row, other: Row, less: float) -> dict[str, Any]:
    return {
        "world": one.workload.world,
        "actions": one.workload.actions,
        "num_worlds": one.num_worlds or "singly",
        "threads": max(one.threads, other.threads),
        "wall": paired(one, other, "wall") - less,
        "cpu": paired(one, other, "cpu") - less,
    }
