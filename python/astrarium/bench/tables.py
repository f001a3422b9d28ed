"""Measurements as a reader sees them: one table, then what was asked and what was reached."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from rich.console import Console, ConsoleOptions, RenderableType
from rich.measure import Measurement
from rich.table import Column, Table
from rich.text import Text

from astrarium.bench.faces import FACES, Workload
from astrarium.bench.stepping import Measured, Row, paired
from astrarium.bench.verdict import Check

_UNLIMITED: Final = 1_000_000
"""Characters a line may have where nothing cuts it."""
_WRAPPED_MIN: Final = 12
"""Characters that a column of text keeps when it is wrapped."""
_FACE_TITLES: Final = {"rust": "Rust loop", "c": "C face", "python": "Python"}


def quantity(value: float) -> str:
    """A rate in three digits or so: `2.05 M`, `834 k`, `12.0`."""
    for size, unit in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if abs(value) >= size:
            scaled = value / size
            return f"{scaled:.2f}{unit}" if scaled < 10 else f"{scaled:.3g}{unit}"
    return f"{value:.3g}"


def new_table(*columns: str, text: Sequence[str] = ()) -> Table:
    """Return a table without frames: first columns to the left, figures to the right.

    The columns named in `text` hold prose: to the left, and wrapped where the terminal is narrow.
    """
    table = Table(box=None, pad_edge=False, header_style="dim")
    for at, column in enumerate(columns):
        prose = column in text
        justify = "left" if at == 0 or prose else "right"
        table.add_column(column, justify=justify, no_wrap=not prose)
    return table


def fits(console: Console, table: Table) -> bool:
    """Return whether every line of a table fits, unwrapped; in a file or a pipe it always does."""
    return not console.is_terminal or _width(console, table) <= console.width


def print_table(console: Console, table: Table) -> None:
    """Print a table without losing a letter of it.

    Outside a terminal, lines are as long as they need to be. In a terminal, prose is wrapped; where
    that does not suffice, each row becomes a block with one line for each column.
    """
    width = _width(console, table)
    if not console.is_terminal:
        table.width = width
        console.print(table, crop=False)
    elif _wrapped(console, table, width - console.width):
        console.print(table)
    else:
        _print_blocks(console, table)


def _width(console: Console, table: Table) -> int:
    """Return the characters of a table's longest line, unwrapped."""
    return console.measure(table, options=_roomy(console)).maximum


def _roomy(console: Console) -> ConsoleOptions:
    # A console measures within its own width unless it is given another.
    return console.options.update(width=_UNLIMITED)


def _wrapped(console: Console, table: Table, excess: int) -> bool:
    """Narrow the columns of prose by `excess` characters, no word cut; return whether they can."""
    prose = [column for column in table.columns if not column.no_wrap]
    widths = [_widths(console, column) for column in prose]
    spare = sum(widest - least for least, widest in widths)
    if excess > spare:
        return False
    for column, (least, widest) in zip(prose, widths, strict=True):
        if excess > 0:
            less = -(-excess * (widest - least) // spare)
            excess, spare = excess - less, spare - (widest - least)
            column.width = widest - less
    return True


def _widths(console: Console, column: Column) -> tuple[int, int]:
    """Return the characters of a column when it is wrapped as far as it may be, and unwrapped."""
    roomy = _roomy(console)
    cells = [Measurement.get(console, roomy, cell) for cell in (column.header, *column.cells)]
    widest = max(cell.maximum for cell in cells)
    word = max(cell.minimum for cell in cells)
    return min(widest, max(word, _WRAPPED_MIN)), widest


def _print_blocks(console: Console, table: Table) -> None:
    """Print each row as lines, the first column's above the others'."""
    if table.title:
        console.print(table.title, style="italic", soft_wrap=True)
    for row in zip(*(column.cells for column in table.columns), strict=True):
        for at, (column, cell) in enumerate(zip(table.columns, row, strict=True)):
            words = _text(console, cell)
            if words.plain.strip():
                title = _text(console, column.header) if table.show_header else Text()
                title.append(": " if title.plain else "")
                title.stylize("dim")
                words.stylize_before(column.style)
                console.print(Text("  " if at else "").append(title).append(words), soft_wrap=True)
    if table.caption:
        console.print(table.caption, style="dim italic", soft_wrap=True)


def _text(console: Console, cell: RenderableType) -> Text:
    return cell.copy() if isinstance(cell, Text) else console.render_str(str(cell))


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
    print_table(console, table)
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
    print_table(console, table)


def _figure(check: Check, value: float) -> str:
    if check.unit:
        return quantity(value) + check.unit
    return f"{value:.1%}" if "over" in check.name else f"{value:.0f}"


def mark(passed: bool | None) -> Text:
    """Yes, no, or nothing to say."""
    if passed is None:
        return Text("-", style="dim")
    return Text("yes", style="green") if passed else Text("no", style="bold red")
