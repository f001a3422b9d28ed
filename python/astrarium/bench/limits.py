"""What bounds a step: the machine's own writes above it, and no memory of its own below it."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

from astrarium.bench.faces import Opener, UnavailableError, Workload
from astrarium.bench.loops import Loop, PeerLoop
from astrarium.bench.report import Spread
from astrarium.bench.stepping import COMPARED_SIZE, Measured, Plan

_OBS_BYTES: Final = 4
T = TypeVar("T")


def write_limits(plan: Plan, opener: Opener, row_floats: int) -> list[dict[str, Any]]:
    """How many observation rows a second one core can write, per batch size of the plan.

    Stores through the cache (`fill`) and around it (`stream`) are both tried over a buffer as big
    as the batch's observations; the faster is the limit.
    """
    row_bytes = row_floats * _OBS_BYTES
    memory = PeerLoop([opener.peer("rust"), "memory"])
    limits: list[dict[str, Any]] = []
    try:
        for num_worlds in (size for size in plan.sizes if size >= COMPARED_SIZE):
            size = num_worlds * row_bytes
            found = {how: _write_rate(memory, how, size, plan) for how in ("fill", "stream")}
            best = max(found, key=lambda how: found[how].p50)
            limits.append(
                {
                    "num_worlds": num_worlds,
                    "row_bytes": row_bytes,
                    "fastest": best,
                    "bytes_per_cpu_second": found[best].p50,
                    "rows_per_cpu_second": found[best].p50 / row_bytes,
                    **{f"{how}_bytes_per_cpu_second": rate.p50 for how, rate in found.items()},
                }
            )
    finally:
        memory.close()
    return limits


def _write_rate(memory: PeerLoop, how: str, size: int, plan: Plan) -> Spread:
    probe = memory.ask(f"{how} {size} 8")
    passes = max(1, math.ceil(8 * plan.seconds / max(probe["cpu_s"], 1e-9)))
    answers = [memory.ask(f"{how} {size} {passes}") for _ in range(plan.repeats)]
    return Spread.of([answer["bytes"] / max(answer["cpu_s"], 1e-9) for answer in answers])


def shares(measured: Measured, limits: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The part of the write limit that each one-threaded loop reaches."""
    rows_per_s = {limit["num_worlds"]: limit["rows_per_cpu_second"] for limit in limits}
    return [
        {
            "world": row.workload.world,
            "actions": row.workload.actions,
            "face": row.face,
            "num_worlds": row.num_worlds,
            "share": row.rate() / rows_per_s[row.num_worlds],
        }
        for row in measured.rows
        if row.threads == 1 and row.num_worlds in rows_per_s
    ]


def growth(
    plan: Plan, opener: Opener, workload: Workload, measured: Measured
) -> list[dict[str, Any]]:
    """Memory a long run takes: counted by the allocator in Rust, by the system in both."""
    calls = max(1, math.ceil(plan.growth_steps / COMPARED_SIZE))
    actions = opener.draw(workload, COMPARED_SIZE)
    found: list[dict[str, Any]] = []
    for face in ("rust", "python"):
        if face not in plan.through:
            continue
        try:
            loop = opener.open(face, workload.world, COMPARED_SIZE, 1, actions)
        except UnavailableError as error:
            measured.miss(face, workload.world, str(error))
            continue
        try:
            loop.steps(min(calls, 256))
            grown = _grow(loop, calls)
        finally:
            loop.close()
        found.append({"face": face, "world": workload.world, "num_worlds": COMPARED_SIZE, **grown})
    return found


def _grow(loop: Loop, calls: int) -> dict[str, float]:
    if isinstance(loop, PeerLoop):
        return loop.ask(f"grow {calls}")
    before = resident_bytes()
    steps = loop.steps(calls).steps
    return {"steps": steps, "resident_bytes": resident_bytes() - before}


def resident_bytes() -> int:
    """Memory this process occupies, as the kernel sees it; 0 where that is not told."""
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def peak_resident_growth(work: Callable[[], T]) -> tuple[T, int]:
    """What `work` answers, and how much more memory than before the process held at most.

    The kernel keeps this high-water mark anyway, so `work` is not slowed down; 0 where it does not.
    """
    try:
        Path("/proc/self/clear_refs").write_text("5", "ascii")  # the mark is what is held now
    except OSError:
        return work(), 0
    before = resident_bytes()
    answer = work()
    mark = re.search(r"^VmHWM:\s+(\d+) kB$", Path("/proc/self/status").read_text("utf-8"), re.M)
    return answer, max(0, int(mark[1]) * 1024 - before) if mark else 0
