"""`astrarium bench worlds`: every face of the worlds, the machine's limit, and what is asked."""

from __future__ import annotations

import dataclasses
import tempfile
from pathlib import Path
from typing import Any

from rich.console import Console

from astrarium import machine, worlds
from astrarium.bench import beside, faces, limits, stepping, tables, verdict
from astrarium.bench.report import Report


def bench_worlds(plan: stepping.Plan, console: Console) -> Report:
    """Measure, show the tables, and put everything into a report."""
    where = machine.facts()
    console.print(f"[dim]{where.words()}[/]\n", soft_wrap=True)
    with tempfile.TemporaryDirectory() as folder, console.status("building") as status:
        opener = faces.Opener(plan.through, Path(folder))
        measured = stepping.measure(plan, opener, status.update)
        status.update("memory")
        grown = limits.growth(plan, opener, faces.workloads(plan.worlds[0])[0], measured)
        bounds = _write_limits(plan, opener, measured)
        status.update("PufferLib's worlds")
        comparison = beside.compare(plan, opener) if "python" in plan.through else None
    checks = verdict.judge(measured, grown)
    shares = limits.shares(measured, bounds)
    tables.print_steps(console, measured)
    tables.print_limits(console, bounds, shares)
    if comparison is not None:
        beside.print_comparison(console, comparison)
    tables.print_checks(console, checks)
    return Report(
        kind="worlds",
        config=dataclasses.asdict(plan),
        machine=where,
        reasons=verdict.reasons(checks, measured),
        results={
            "rows": [row.as_dict() for row in measured.rows],
            "checks": [check.as_dict() for check in checks],
            "comparisons": verdict.comparisons(measured),
            "same_work": measured.same_work,
            "growth": grown,
            "write_limits": bounds,
            "shares_of_write_limit": shares,
            "beside": comparison and comparison.as_dict(),
            "unavailable": measured.unavailable,
        },
    )


def _write_limits(
    plan: stepping.Plan, opener: faces.Opener, measured: stepping.Measured
) -> list[dict[str, Any]]:
    """The limits for rows of the plan's first world; none where nothing can be built."""
    if "rust" not in plan.through:
        return []
    row_floats = len(worlds.get(plan.worlds[0]).obs_names)
    try:
        return limits.write_limits(plan, opener, row_floats)
    except faces.UnavailableError as error:
        measured.miss("rust", "memory", str(error))
        return []
