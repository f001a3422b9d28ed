"""What a training leaves, and the commands that go on from there."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape

from astrarium.bench.tables import quantity
from astrarium.runs import ReplayEntry, RunFolder
from astrarium.train.config import RunSection

if TYPE_CHECKING:
    from astrarium.train.training import Outcome

Next = tuple[str, str]
"""A command and what it is for."""


def named(folder: Path, *words: str) -> str:
    """A command about a run, with the folder of its runs where that is not the usual one."""
    root = folder.parent
    usual = root == RunSection().root
    return shlex.join([*words, *([] if usual else ["--root", str(root)])])


def resume_command(folder: Path) -> str:
    """How to go on with a run."""
    usual = folder.parent == RunSection().root
    return shlex.join(["astrarium", "train", "--resume", folder.name if usual else str(folder)])


def last_checkpoint(folder: Path | None) -> int | None:
    """The window a run would go on from."""
    if folder is None:
        return None
    there = [one.window_id for one in RunFolder.open(folder).checkpoints() if one.resumable]
    return there[-1] if there else None


def ways_on(folder: Path) -> list[Next]:
    """What to do with a finished run."""
    name = folder.name
    return [
        (named(folder, "astrarium", "evaluate", name), "judge it on unseen episodes"),
        (named(folder, "astrarium", "replay", "show", name, "best"), "look at its best episode"),
        (named(folder, "astrarium", "runs", "show", name), "its windows and curves"),
    ]


def print_next(console: Console, ways: Sequence[Next]) -> None:
    """A list of commands, each on a line of its own that can be copied."""
    width = max(len(command) for command, _ in ways)
    console.print("Next:")
    for command, meaning in ways:
        gap = " " * (width - len(command))
        console.print(f"  [cyan]{escape(command)}[/]{gap}  [dim]{meaning}[/]", soft_wrap=True)


def print_end(console: Console, outcome: Outcome) -> None:
    """What was reached, where it lies, and what to do with it."""
    console.print(f"\n[bold]{outcome.status}[/]: {reached_words(outcome)}", soft_wrap=True)
    console.print(f"run: {escape(str(outcome.folder))}", soft_wrap=True)
    if outcome.best_replay is not None:
        console.print(f"best replay: {replay_words(outcome.best_replay)}", soft_wrap=True)
    ways = ways_on(outcome.folder)
    if outcome.status == "interrupted":
        ways.insert(0, (resume_command(outcome.folder), "go on as if it had not stopped"))
    elif outcome.best_replay is None:
        ways = [way for way in ways if " replay " not in way[0]]
    print_next(console, ways)


def reached_words(outcome: Outcome) -> str:
    """What a training came to, in a few words."""
    time = timedelta(seconds=round(outcome.seconds))
    steps = quantity(outcome.calls_total)
    return f"{quantity(outcome.env_steps_total)} ticks, {steps} steps, after {time}"


def replay_words(entry: ReplayEntry) -> str:
    """A replay in a few words."""
    words = f"{entry.replay_id} of window {entry.window_id}, return {entry.return_total:,.2f}"
    return words if entry.profit is None else f"{words}, profit {entry.profit:,.0f}"


def end_object(outcome: Outcome) -> dict[str, Any]:
    """The same for a program."""
    return {
        "kind": "end",
        "status": outcome.status,
        "run_id": outcome.folder.name,
        "folder": str(outcome.folder),
        "env_steps_total": outcome.env_steps_total,
        "calls_total": outcome.calls_total,
        "seconds": outcome.seconds,
        "best_replay": outcome.best_replay,
    }


def cut_words(folder: Path | None) -> str:
    """What is left of a run that was stopped in the middle of a window."""
    window = last_checkpoint(folder)
    if folder is None or window is None:
        return "stopped before the first checkpoint; begin again"
    return f"stopped; go on from window {window}: {resume_command(folder)}"


def broken_words(folder: Path | None) -> str:
    """What to do about a run that met a number which is not finite."""
    if folder is None:
        return ""
    anew = shlex.join(["astrarium", "train", "--config", str(folder / "config.json")])
    changed = f"begin anew with a setting changed: {anew} --ppo.learning-rate ..."
    window = last_checkpoint(folder)
    if window is None:
        return f"\nIt happened before the first checkpoint; {changed}"
    return (
        f"\nGo on from window {window}, which with the same settings meets the same numbers: "
        f"{resume_command(folder)}\nOr {changed}"
    )
