"""Measurements as a reader sees them: one table, then what was asked and what was reached."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from astrarium.bench.faces import FACES, Workload
from astrarium.bench.stepping import Measured, Row, paired
from astrarium.bench.verdict import Check

_FACE_TITLES: Final = {"rust": "Rust loop", "c": "C face", "python": "Python"}


def quantity(value: float) -> str:
    """A rate in three digits or so: `2.05 M`, `834 k`, `12.0`."""
    for size, unit in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if abs(value) >= size:
            scaled = value / size
            return f"{scaled:.2f}{unit}" if scaled < 10 else f"{scaled:.3g}{unit}"
    return f"{value:.3g}"


def new_table(*columns: str) -> Table:
    """A table without frames: first columns to the left, figures to the right."""
    table = Table(box=None, pad_edge=False)
    for at, column in enumerate(columns):
        table.add_column(column, justify="left" if at == 0 else "right", no_wrap=True)
    return table


def print_steps(console: Console, measured: Measured) -> None:
    """Steps per second, one table for each world and kind of actions."""
    for workload in dict.fromkeys(row.workload for row in measured.rows):
        _print_workload(console, workload, [r for r in measured.rows if r.workload == workload])
    for one in measured.unavailable:
        console.print(f"[dim]no {one['face']} figure for {one['world']}: {one['reason']}[/]")


def _print_workload(console: Console, workload: Workload, rows: Sequence[Row]) -> None:
    faces = [face for face in FACES if any(row.face == face for row in rows)]
    ticks = rows[-1].ticks_per_step
    title = f"{workload.world}, {workload.actions}: steps/s of wall · processor time"
    columns = (*(_FACE_TITLES[face] for face in faces), "over Rust")
    console.print(f"[bold]{title}[/]", soft_wrap=True)
    table = new_table("worlds", "threads", *columns)
    by_key = {(row.num_worlds, row.threads, row.face): row for row in rows}
    for size, threads in dict.fromkeys((row.num_worlds, row.threads) for row in rows):
        cells = [by_key.get((size, threads, face)) for face in faces]
        ours = by_key.get((size, threads, "python"))
        rust = by_key.get((size, threads, "rust"))
        over = _excess(paired(ours, rust, "cpu")) if ours and rust else "-"
        table.add_row(f"{size:,}" if size else "singly", str(threads), *map(_rates, cells), over)
    console.print(table)
    console.print(f"[dim]one step takes {ticks:.2f} ticks on average[/]\n")


def _excess(ratio: float) -> str:
    """How much longer it takes: a percentage while that says something."""
    return f"{ratio - 1:+.1%}" if ratio < 2 else f"{ratio:.1f} times"


def _rates(row: Row | None) -> str:
    if row is None:
        return "-"
    return f"{quantity(row.rate('wall'))} · {quantity(row.rate('cpu'))}"


def print_limits(
    console: Console, limits: Iterable[dict[str, Any]], shares: Sequence[dict[str, Any]]
) -> None:
    """The write limit of the machine, and how near a step comes to it."""
    for limit in limits:
        console.print(
            f"write limit, {limit['num_worlds']:,} rows of {limit['row_bytes']} bytes: "
            f"{limit['bytes_per_cpu_second'] / 1e9:.1f} GB/s, "
            f"{quantity(limit['rows_per_cpu_second'])} rows/s ({limit['fastest']})",
            soft_wrap=True,
        )
        near = {
            f"{share['world']} {share['actions']}": f"{share['share']:.1%}"
            for share in shares
            if share["num_worlds"] == limit["num_worlds"] and share["face"] == "python"
        }
        if near:
            words = ", ".join(f"{name} {share}" for name, share in near.items())
            console.print(f"[dim]  Python step() reaches of it: {words}[/]", soft_wrap=True)
    console.print()


def print_checks(console: Console, checks: Sequence[Check]) -> None:
    """What is asked, and what was measured."""
    console.print("[bold]Asked and reached, on one core[/]")
    table = new_table("figure", "asked", "fastest slice", "median", "")
    for check in checks:
        sign = "≥" if check.at_least else "≤"
        value = "not measured" if check.value is None else _figure(check, check.value)
        median = "" if check.median is None else _figure(check, check.median)
        asked = f"{sign} {_figure(check, check.limit)}"
        table.add_row(check.name, asked, value, median, mark(check.passed))
    console.print(table)


def _figure(check: Check, value: float) -> str:
    if check.unit:
        return quantity(value) + check.unit
    return f"{value:.1%}" if "over" in check.name else f"{value:.0f}"


def mark(passed: bool | None) -> Text:
    """Yes, no, or nothing to say."""
    if passed is None:
        return Text("-", style="dim")
    return Text("yes", style="green") if passed else Text("no", style="bold red")
