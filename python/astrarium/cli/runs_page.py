"""Runs as a reader sees them: tables that fit the terminal, curves, what to do next."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from rich.columns import Columns
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from astrarium.bench.tables import fits, new_table, print_table, quantity
from astrarium.errors import MissingPackageError
from astrarium.runs import ReplayEntry, RunFolder
from astrarium.runs.metadata import kind_of
from astrarium.telemetry import pages, plots

Sides = Mapping[str, Sequence[Any]]
"""A line for each name, a value for each run."""

_STYLES: Final = {"running": "cyan", "completed": "green", "interrupted": "yellow"}
_SIDE_BY_SIDE: Final = 100
"""Characters a terminal must have for two curves in a row."""
_CURVE_HEIGHT: Final = 10


@dataclass(frozen=True, slots=True)
class _Column:
    """A column of a table; in a narrow terminal those of the least weight are left out first."""

    title: str
    field: str
    cell: Callable[[Any], str]
    weight: int


def number(value: Any) -> str:
    """A figure, or a dash where there is none."""
    if value is None:
        return "-"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def _share(value: Any) -> str:
    return "-" if value is None else f"{value:.1%}"


def _whole(value: Any) -> str:
    return "-" if value is None else f"{value:,}"


def _rate(value: Any) -> str:
    return "-" if value is None else quantity(value)


def _word(value: Any) -> str:
    return "-" if value is None else escape(str(value))


def _player(value: Any) -> str:
    return "random (baseline)" if value == "random" else _word(value)


def _status(value: Any) -> str:
    return f"[{_STYLES.get(value, 'red')}]{escape(str(value))}[/]"


def _ago(value: Any, now: datetime | None = None) -> str:
    """How long ago a time was."""
    try:
        then = datetime.fromisoformat(str(value))
        seconds = ((now or datetime.now(UTC)) - then).total_seconds()
    except (ValueError, TypeError):
        return "-"
    for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= size:
            return f"{seconds // size:.0f} {unit} ago"
    return f"{max(0.0, seconds):.0f} s ago"


_LIST: Final = (
    _Column("run", "run_id", _word, 9),
    _Column("kind", "kind", _word, 5),
    _Column("world", "world", _word, 3),
    _Column("player", "trainer_backend", _player, 3),
    _Column("status", "status", _status, 8),
    _Column("ticks", "env_steps_total", _rate, 7),
    _Column("windows", "windows", _whole, 2),
    _Column("best return", "return_best", number, 6),
    _Column("last profit", "profit_last", number, 5),
    _Column("last accuracy", "accuracy_last", number, 5),
    _Column("when", "updated_at", _ago, 4),
)
_WINDOWS: Final = (
    _Column("window", "window_id", _whole, 9),
    _Column("ticks", "env_steps_total", _rate, 8),
    _Column("episodes", "episodes_completed", _whole, 4),
    _Column("return", "return_mean", number, 7),
    _Column("profit", "profit_mean", number, 6),
    _Column("alive", "survival_rate", _share, 5),
    _Column("accuracy", "final_accuracy", number, 6),
    _Column("reward/tick", "reward_mean", number, 3),
    _Column("ticks/s", "ticks_per_second", _rate, 2),
)


def print_list(console: Console, briefs: Sequence[Mapping[str, Any]]) -> None:
    """Print runs, one a line, without the outcomes that none of them has."""
    outcomes = {"profit_last", "accuracy_last"}
    empty = {name for name in outcomes if all(one.get(name) is None for one in briefs)}
    _print_fitting(console, briefs, [one for one in _LIST if one.field not in empty])


def print_windows(console: Console, rows: Sequence[Mapping[str, Any]]) -> None:
    """Windows, one a line, without the figures that none of them has."""
    known = {name for row in rows for name, value in row.items() if value is not None}
    _print_fitting(console, rows, [one for one in _WINDOWS if one.field in known])


def _print_fitting(
    console: Console, rows: Sequence[Mapping[str, Any]], columns: list[_Column]
) -> None:
    table = _table(rows, columns)
    while len(columns) > 1 and not fits(console, table):
        columns.remove(min(columns, key=lambda one: one.weight))
        table = _table(rows, columns)
    print_table(console, table)


def _table(rows: Sequence[Mapping[str, Any]], columns: Sequence[_Column]) -> Table:
    table = new_table(*(one.title for one in columns))
    for row in rows:
        table.add_row(*(one.cell(row.get(one.field)) for one in columns))
    return table


def print_facts(console: Console, run: RunFolder) -> None:
    """What a run is and where it stands."""
    state, status = run.metadata(), run.status()
    ticks, target = state.get("env_steps_total", 0), state.get("target_env_steps") or 0
    part = f" of {quantity(target)}, {ticks / target:.0%}" if target else ""
    machine: Mapping[str, Any] = state.get("machine") or {}
    facts = {
        "kind": kind_of(state),
        "world": state.get("world"),
        "status": None,
        "ticks": f"{quantity(ticks)}{part}",
        "windows": f"{state.get('windows_emitted', 0):,}",
        "episodes": f"{state.get('episodes_total', 0):,}",
        "started": state.get("started_at"),
        "finished": state.get("finished_at"),
        "commit": state.get("commit"),
        "machine": machine.get("cpu"),
        "W&B": state.get("wandb_run_url"),
        "error": state.get("error"),
    }
    console.print(
        f"[bold]{escape(run.run_id)}[/]  [dim]{escape(str(run.folder))}[/]\n", soft_wrap=True
    )
    table = new_table("fact", "value", text=["value"])
    table.show_header = False
    table.columns[0].style = "dim"
    for name, value in facts.items():
        if name == "status":
            table.add_row(name, _status(status))
        elif value is not None:
            table.add_row(name, escape(str(value)))
    print_table(console, table)


def print_curves(console: Console, panels: Sequence[plots.Panel]) -> None:
    """Panels side by side where there is room, and whose curve is which."""
    if not panels:
        return
    colour = console.color_system is not None and not console.no_color
    columns = 2 if console.width >= _SIDE_BY_SIDE and len(panels) > 1 else 1
    width = console.width // columns - 2
    try:
        drawn = [plots.in_terminal(panel, width, _CURVE_HEIGHT, colour=colour) for panel in panels]
    except MissingPackageError as error:
        console.print(f"\n[dim]no curves: {escape(str(error))}[/]", soft_wrap=True)
        return
    console.print()
    console.print(Columns([Text.from_ansi(one.rstrip("\n")) for one in drawn], padding=(0, 2)))
    curves = panels[0].curves
    for at, one in enumerate(curves if len(curves) > 1 else ()):
        mark = "●" if colour else plots.MARKS[at % len(plots.MARKS)]
        style = f"color({plots.COLOURS[at % len(plots.COLOURS)]})"
        console.print(Text(f"{mark} {one.label}", style=style))


def print_left(console: Console, run: RunFolder, best: ReplayEntry | None) -> None:
    """Checkpoints and the best replay, and how to open them."""
    console.print()
    there = run.checkpoints()
    place = escape(str(run.folder))
    commands = [f"astrarium runs export {place} board --to tensorboard"]
    if there:
        resumable = [one.window_id for one in there if one.resumable]
        words = f"checkpoints: {len(there)}, the newest of window {there[-1].window_id}"
        words += f", resumable from {', '.join(map(str, resumable))}" if resumable else ""
        console.print(words)
        commands.insert(0, f"astrarium evaluate {place}")
    if best is not None:
        profit = "" if best.profit is None else f", profit {number(best.profit)}"
        console.print(
            f"best replay {best.replay_id}: return {number(best.return_total)}{profit}, "
            f"{best.steps:,} steps, window {best.window_id}",
            soft_wrap=True,
        )
        commands.insert(0, f"astrarium replay show {place} {best.replay_id}")
    console.print("\nNext:")
    for command in commands:
        console.print(f"  [cyan]{command}[/]", soft_wrap=True)


def print_sides(console: Console, title: str, names: Sequence[str], sides: Sides) -> None:
    """A table with a line for each name and a column for each run."""
    console.print(f"[bold]{title}[/]")
    if not sides:
        console.print("[dim]none[/]\n")
        return
    table = new_table("", *map(escape, names))
    for name, values in sides.items():
        table.add_row(escape(name), *(escape(side(value)) for value in values))
    print_table(console, table)
    console.print()


def side(value: Any) -> str:
    """A setting or a figure of one run."""
    if value is None or isinstance(value, bool | str):
        return "-" if value is None else str(value)
    return number(value) if isinstance(value, float) else str(value)


def html_page(
    names: Sequence[str], differing: Sides, final: Sides, panels: Sequence[plots.Panel]
) -> str:
    """A comparison as one file."""
    tables = [
        (title, pages.table(["", *names], [[name, *map(side, row)] for name, row in sides.items()]))
        for title, sides in (("Final figures", final), ("Settings that differ", differing))
    ]
    return pages.page(f"{' and '.join(names)}", panels, tables)
