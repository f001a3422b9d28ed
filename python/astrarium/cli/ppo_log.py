"""`astrarium runs ppo-log`: PPO logs, held to their schema and to one another."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Final

import cyclopts
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from astrarium.cli.runs import Json, as_json, print_json
from astrarium.telemetry.ppo_log_checking import Drift, LogReport, check

app: Final = cyclopts.App(name="ppo-log", help="PPO logs (NDJSON): validate, compare.")

BREACH: Final = 1


@app.command
def validate(
    path: Path,
    /,
    *,
    baseline: Path | None = None,
    relative_max: float = math.inf,
    json: Json = None,
) -> int:
    """Check every line of a log; exit with 1 where a field, a number or the drift is wrong.

    Parameters
    ----------
    path
        The first file of the log; `.1`, `.2` and so on are found beside it.
    baseline
        Another log: how far means have moved from it is told.
    relative_max
        Part of the baseline's mean that a field may lie away from it.
    """
    report = check(path, baseline, relative_max)
    status = BREACH if report.faults else 0
    if as_json(json):
        print_json(_told(report))
        return status
    console = Console(highlight=False)
    for fault in report.faults:
        console.print(f"[red]{escape(fault)}[/]", soft_wrap=True)
    if report.drift:
        console.print(_table(report.drift))
    files = "1 file" if len(report.files) == 1 else f"{len(report.files)} files"
    verdict = f"{len(report.faults)} faults" if report.faults else "whole"
    console.print(f"{report.lines:,} lines in {files}: {verdict}")
    return status


def _told(report: LogReport) -> dict[str, object]:
    return {
        "files": [str(place) for place in report.files],
        "lines": report.lines,
        "faults": list(report.faults),
        "drift": [
            {
                "field": one.field,
                "mean": one.mean,
                "baseline": one.baseline,
                "absolute": one.absolute,
                "relative": one.relative,
            }
            for one in report.drift
        ],
    }


def _table(drift: tuple[Drift, ...]) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("field", style="bold cyan")
    for column in ("mean", "baseline", "difference", "relative"):
        table.add_column(column, justify="right")
    for one in drift:
        relative = "" if one.relative is None else f"{one.relative:+.1%}"
        numbers = (f"{number:.4g}" for number in (one.mean, one.baseline, one.absolute))
        table.add_row(one.field, *numbers, relative)
    return table
