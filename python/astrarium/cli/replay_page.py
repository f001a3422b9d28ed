"""A replay as a page for the terminal: facts, curves, reward terms, events, frames."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from astrarium.bench.tables import new_table, print_table
from astrarium.cli.plotting import curve, strip
from astrarium.runs import Replay
from astrarium.runs.exporting import action_words

_HEIGHT: Final = 6
_WIDTH_MAX: Final = 100
_PLOTTED: Final = ("credits",)
"""Figures of a frame worth a curve of their own, where a world shows them."""

Frames = Sequence[Mapping[str, Any]]


def show(console: Console, replay: Replay, rows: range) -> None:
    """The whole page, with the frames of `rows`."""
    if not replay.frames:
        console.print("[yellow]the replay has no frames[/]")
        return
    width = min(console.width, _WIDTH_MAX)
    _print_head(console, replay)
    _print_curves(console, replay.frames, width)
    _print_terms(console, replay)
    _print_events(console, replay.frames, width)
    _print_frames(console, replay, rows)


def rewards_of(frames: Frames) -> list[float]:
    """The reward of each step, agents together."""
    return [float(np.sum(frame["reward"], dtype=np.float64)) for frame in frames]


def _print_head(console: Console, replay: Replay) -> None:
    header, last = replay.header, replay.frames[-1]
    policy = ", ".join(f"{key} {value}" for key, value in header["policy"].items()) or "unknown"
    total = sum(rewards_of(replay.frames))
    ends = [name for name in ("terminated", "truncated") if np.any(last[name])]
    table = new_table("fact", "value", text=["value"])
    table.show_header = False
    for name, value in (
        ("world", f"{header['world']}, seed {header['seed']}"),
        ("policy", policy),
        ("recorded by", f"version {header['build']['version']}, {header['build']['commit']}"),
        ("length", f"{len(replay.frames):,} frames, {last['t']:,} ticks"),
        ("return", f"{total:,.3f}"),
        ("ending", ", ".join(ends) or "left running"),
    ):
        table.add_row(f"[dim]{name}[/]", escape(value))
    print_table(console, table)


def _print_curves(console: Console, frames: Frames, width: int) -> None:
    curves = {"return": np.cumsum(rewards_of(frames)).tolist()}
    for name in _PLOTTED:
        if name in frames[0]["render_state"]:
            curves[name] = [float(frame["render_state"][name]) for frame in frames]
    for name, values in curves.items():
        console.print(f"\n[bold]{name}[/] [dim]by frame[/]")
        for line in curve(values, width, _HEIGHT):
            console.print(line, markup=False, no_wrap=True, style="cyan")


def _print_terms(console: Console, replay: Replay) -> None:
    totals: dict[str, float] = {}
    for frame in replay.frames:
        for terms in _by_agent(frame.get("terms")):
            for name, value in terms.items():
                totals[name] = totals.get(name, 0.0) + value
    if not totals:
        return
    table = new_table("reward term", "sum", "")
    table.columns[2].justify = "left"
    table.header_style = "bold"
    largest = max(map(abs, totals.values())) or 1.0
    for name, value in totals.items():
        bar = "█" * round(20 * abs(value) / largest)
        table.add_row(name, f"{value:+,.3f}", f"[{'green' if value >= 0 else 'red'}]{bar}[/]")
    console.print()
    print_table(console, table)


def _by_agent(told: Any) -> list[dict[str, float]]:
    if isinstance(told, list):
        return cast("list[dict[str, float]]", told)
    return [] if told is None else [cast("dict[str, float]", told)]


def _print_events(console: Console, frames: Frames, width: int) -> None:
    places: dict[str, list[int]] = {}
    for at, frame in enumerate(frames):
        for event in frame["events"]:
            places.setdefault(event, []).append(at)
    if not places:
        return
    table = new_table("event", "frames", "when")
    table.columns[2].justify = "left"
    table.header_style = "bold"
    room = width - max(map(len, places)) - 12
    for event, at in sorted(places.items(), key=lambda one: one[1][0]):
        table.add_row(escape(event), f"{len(at):,}", strip(at, len(frames), room))
    console.print()
    print_table(console, table)


def _print_frames(console: Console, replay: Replay, rows: range) -> None:
    shown = range(len(replay.frames))[rows.start : rows.stop]
    if not shown:
        console.print(f"\n[dim]no frames from {rows.start} on[/]")
        return
    table = _frame_table(replay.frames)
    for at in shown:
        table.add_row(*_cells(replay, replay.frames[at]))
    console.print()
    print_table(console, table)
    left = len(replay.frames) - shown.stop
    if left > 0:
        console.print(f"[dim]{left:,} more: --first {shown.stop}[/]")


def _frame_table(frames: Frames) -> Table:
    names = ["frame", "tick", "action", "reward"]
    names += [name for name in _PLOTTED if name in frames[0]["render_state"]]
    if any(frame.get("policy") for frame in frames):
        names += ["chance", "value"]
    table = new_table(*names, "events", text=("action", "events"))
    table.columns[0].justify = "right"
    return table


def _cells(replay: Replay, frame: Mapping[str, Any]) -> Iterator[str]:
    yield str(frame["frame_index"])
    yield str(frame["t"])
    yield escape(action_words(replay, frame))
    yield f"{float(np.sum(frame['reward'])):+.3f}"
    for name in _PLOTTED:
        if name in frame["render_state"]:
            yield f"{frame['render_state'][name]:,.0f}"
    if any(one.get("policy") for one in replay.frames):
        thoughts = [one for one in _by_agent(frame.get("policy")) if one]
        yield " ".join(f"{one['probability']:.0%}" for one in thoughts)
        yield " ".join(f"{one['value']:.2f}" for one in thoughts)
    yield escape(" ".join(frame["events"]))
