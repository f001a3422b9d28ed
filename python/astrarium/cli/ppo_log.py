"""`astrarium runs ppo-log`: PPO logs, held to their schema, to limits and to one another."""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import Final

import cyclopts
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from astrarium.bench.tables import new_table, print_table
from astrarium.cli.interrupting import Interrupts
from astrarium.cli.json_output import Json, print_json
from astrarium.errors import ConfigError
from astrarium.telemetry.ppo_log import files_of
from astrarium.telemetry.ppo_log_checking import Drift, LogReport, PpoLogError, check
from astrarium.telemetry.ppo_log_watching import Limits, LogAlert, Tail, alerts_of, baseline_of

app: Final = cyclopts.App(name="ppo-log", help="PPO logs (NDJSON): validate, compare, watch.")

BREACH: Final = 1
_LIMITS: Final = Limits()


@app.command
def validate(
    path: Path,
    /,
    *,
    baseline: Path | None = None,
    relative_max: float = math.inf,
    absolute_max: float = math.inf,
    json: Json = False,
) -> int:
    """Check every line of a log; exit with 1 where a field, a number or the drift is wrong.

    Parameters
    ----------
    path
        The first file of the log; `.1`, `.2` and so on are found beside it.
    baseline
        Another log: how far means have moved from it is told.
    relative_max
        Part of the baseline's mean that a field may lie away from it; from a mean of 0, nowhere.
    absolute_max
        How far a field may lie away from the baseline's mean, in its own unit.
    """
    report = check(path, baseline, relative_max, absolute_max)
    status = BREACH if report.faults else 0
    if json:
        print_json(_told(report))
        return status
    console = Console(highlight=False)
    for fault in report.faults:
        console.print(f"[red]{escape(fault)}[/]", soft_wrap=True)
    if report.drift:
        print_table(console, _table(report.drift))
    files = "1 file" if len(report.files) == 1 else f"{len(report.files)} files"
    verdict = f"{len(report.faults)} faults" if report.faults else "whole"
    console.print(f"{report.lines:,} lines in {files}: {verdict}")
    return status


@app.command
def watch(
    path: Path,
    /,
    *,
    baseline: Path | None = None,
    kl_max: float = _LIMITS.kl_max,
    grad_max: float = _LIMITS.grad_max,
    correlation_min: float = _LIMITS.correlation_min,
    late_help_min: float = _LIMITS.late_help_min,
    chat_failure_max: float = _LIMITS.chat_failure_max,
    every: float = 2.0,
    once: bool = False,
) -> int:
    """Follow a log and tell every line beyond a limit, until Ctrl-C; exit with 1 if there was one.

    Parameters
    ----------
    path
        The first file of the log; `.1`, `.2` and so on are found beside it.
    baseline
        A whole log: loss (10 %), queues (15 %) and entropy (0.1) are held to its means.
    kl_max
        Most KL divergence of an update; a minibatch may have twice as much.
    grad_max
        Most gradient norm.
    correlation_min
        Least correlation of rewards and advantages.
    late_help_min
        Least help for late comers, in worlds that count it.
    chat_failure_max
        Most part of chats that fail, in worlds that count them.
    every
        Seconds between looks.
    once
        Judge what is there, and end.
    """
    limits = Limits(kl_max, grad_max, correlation_min, late_help_min, chat_failure_max)
    if not files_of(path):
        raise PpoLogError(f"there is no PPO log at {path}; give the path of its first file")
    if not 0 < every < math.inf:
        raise ConfigError(f"--every is {every:g}; give seconds above 0")
    usual = None if baseline is None else baseline_of(baseline)
    console = Console(highlight=False)
    tail, lines, alerts = Tail(path), 0, 0
    with Interrupts(lambda: None) as interrupts:
        while True:
            for line in tail.fresh():
                lines += 1
                for one in alerts_of(line, limits, usual):
                    alerts += 1
                    console.print(_words(one), soft_wrap=True)
            if once or interrupts.asked():
                break
            time.sleep(every)
    console.print(f"{lines:,} lines, {alerts} alerts")
    return BREACH if alerts else 0


def _words(alert: LogAlert) -> str:
    return (
        f"[red]epoch {alert.epoch:,}: {alert.field} is {alert.value:.4g}[/], {escape(alert.words)}"
    )


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
    table = new_table("field", "mean", "baseline", "difference", "relative")
    table.columns[0].style = "bold cyan"
    for one in drift:
        relative = "" if one.relative is None else f"{one.relative:+.1%}"
        numbers = (f"{number:.4g}" for number in (one.mean, one.baseline, one.absolute))
        table.add_row(one.field, *numbers, relative)
    return table
