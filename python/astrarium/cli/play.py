"""`astrarium play`: a world's scripted players side by side."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
)
from rich.text import Text

from astrarium import worlds
from astrarium.bench.report import check_place, new_run_id, write_json
from astrarium.bench.tables import fits, new_table, print_table, quantity
from astrarium.machine import facts
from astrarium.worlds import arguments, ladder
from astrarium.worlds.registry import WorldEntry

EPISODES: Final = 1_000
"""About a minute for the players of the default world on two cores."""

_BESIDES: Final = 3
"""Columns for stats this page has no words for."""


@dataclass(frozen=True, slots=True)
class _Column:
    """A figure of the summary and how to show it."""

    title: str
    key: str
    form: str = ",.0f"


_KNOWN: Final = (
    _Column("profit", "net_profit_mean"),
    _Column("median", "net_profit_median"),
    _Column("alive", "survival_rate", ".1%"),
    _Column("steps", "steps_mean", ",.1f"),
    _Column("ticks", "dt_mean", ",.1f"),
    _Column("pirates", "pirate_encounters_mean", ",.1f"),
    _Column("mining", "mining_ticks_mean", ",.1f"),
    _Column("overheated", "overheat_ticks_mean", ",.1f"),
    _Column("invalid", "invalid_action_rate_global", ".1%"),
)
"""In order of importance: a narrow terminal loses the last ones first."""


def play(
    world: str = "prospector-v2",
    *,
    episodes: int = EPISODES,
    seed: int = 7,
    threads: int | None = None,
    bots: str | None = None,
    json: Path | None = None,
) -> int:
    """Play a world's scripted bots on the same episodes and compare them.

    Parameters
    ----------
    world
        Id of the world; see `astrarium worlds`.
    episodes
        Episodes of each bot, in one batch.
    seed
        Seed of the first episode; each next one has the next seed.
    threads
        Threads to step the batch with; every core unless told. Results do not depend on it.
    bots
        Names of the bots to play, separated by commas; all of them unless told.
    json
        Where to write a report with every episode.
    """
    console = Console(highlight=False)
    entry = worlds.get(world)
    rules = ladder.Rules(
        episodes=arguments.count("episodes", episodes),
        seed=arguments.seed(seed),
        threads=arguments.count("threads", (os.cpu_count() or 1) if threads is None else threads),
    )
    players = ladder.policies(entry, None if bots is None else bots.split(","))
    if json is not None:
        check_place(json)
    console.print(f"[bold]{entry.title}[/]: {entry.summary}", soft_wrap=True)
    console.print(f"[dim]{rules.words()}[/]\n")
    began = time.perf_counter()
    records = _play_all(console, entry, players, rules)
    _show(console, records, time.perf_counter() - began)
    oracles = [name for name in players if name in entry.sees_hidden]
    if oracles:
        console.print(f"[dim]{', '.join(oracles)}: with sight of the hidden state, a ceiling[/]\n")
    if json is not None:
        _write(json, records, entry, rules)
        console.print(f"[dim]report: {json}[/]", soft_wrap=True)
    _hint(console, entry, rules)
    return 0


def _play_all(
    console: Console,
    entry: WorldEntry,
    players: dict[str, ladder.Policy],
    rules: ladder.Rules,
) -> list[ladder.Record]:
    """Every player in turn, with a bar where somebody can see it move."""
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=None, complete_style="cyan", finished_style="dim cyan"),
        TextColumn("{task.completed:,.0f}/{task.total:,.0f}", justify="right"),
        _StepRate(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    records: list[ladder.Record] = []
    with bar:
        for name, policy in players.items():
            task = bar.add_task(name, total=rules.episodes, steps=0)

            def tell(_: str, ended: int, steps: int, task: Any = task) -> None:
                bar.update(task, completed=ended, steps=steps)

            records.append(ladder.play(entry, name, policy, rules, progress=tell))
    return records


class _StepRate(ProgressColumn):
    """Steps per second since the player began."""

    def render(self, task: Task) -> Text:
        # A task's clock runs on after its end.
        seconds = task.finished_time or task.elapsed or 0.0
        rate = task.fields["steps"] / max(seconds, 1e-6)
        return Text(f"{quantity(rate):>7} steps/s", style="cyan")


def _show(console: Console, records: Sequence[ladder.Record], seconds: float) -> None:
    """The table, best return first, and what the run came to."""
    summaries = {record.bot: record.summary() for record in records}
    columns = _columns(summaries)
    while columns and not fits(console, _table(summaries, columns)):
        columns.pop()
    print_table(console, _table(summaries, columns))
    steps = sum(summary["steps_total"] for summary in summaries.values())
    ticks = sum(summary["dt_total"] for summary in summaries.values())
    given_up = sum(summary["guard_truncated_count"] for summary in summaries.values())
    console.print(
        f"\n{quantity(steps)} steps, {quantity(ticks)} ticks in {seconds:.1f} s: "
        f"[bold]{quantity(steps / max(seconds, 1e-9))} steps/s[/], the bots' thinking included"
    )
    if given_up:
        console.print(f"[yellow]{given_up:,} episodes had no end and were given up[/]")
    console.print(
        f"digest [bold]{ladder.digest_of(records)}[/]: equal on every machine of this platform\n"
    )


def _columns(summaries: dict[str, dict[str, Any]]) -> list[_Column]:
    """The columns this world has figures for."""
    first = next(iter(summaries.values()))
    shown = [column for column in _KNOWN if column.key in first]
    # A column that says nothing new takes room from one that would.
    if all(summary["dt_mean"] == summary["steps_mean"] for summary in summaries.values()):
        shown = [column for column in shown if column.key != "dt_mean"]
    if not any(summary["invalid_action_rate_global"] for summary in summaries.values()):
        shown = [column for column in shown if column.key != "invalid_action_rate_global"]
    if "net_profit_mean" not in first:
        own = {"return_mean", "invalid_action_rate_mean", *(column.key for column in _KNOWN)}
        others = [key for key in first if key.endswith("_mean") and key not in own]
        shown += [_Column(key.removesuffix("_mean"), key, ",.2f") for key in others[:_BESIDES]]
    return shown


def _table(summaries: dict[str, dict[str, Any]], columns: Sequence[_Column]) -> Any:
    table = new_table("player", "return", *(column.title for column in columns))
    ranked = sorted(summaries.items(), key=lambda item: item[1]["return_mean"], reverse=True)
    for place, (name, summary) in enumerate(ranked):
        figures = (format(summary[column.key], column.form) for column in columns)
        score = f"{summary['return_mean']:,.2f} ± {summary['return_ci95']:.2f}"
        table.add_row(name, score, *figures, style="bold green" if place == 0 else "")
    return table


def _write(
    path: Path, records: Sequence[ladder.Record], entry: WorldEntry, rules: ladder.Rules
) -> None:
    write_json(
        {
            "kind": "ladder",
            "generated_at": datetime.now(UTC).isoformat(timespec="seconds"),
            "run_id": new_run_id(),
            "machine": asdict(facts()),
            **ladder.report(records, entry, rules, entry.config()),
        },
        path,
    )


def _hint(console: Console, entry: WorldEntry, rules: ladder.Rules) -> None:
    others = [name for name in worlds.ids() if name != entry.id and worlds.get(name).bots]
    table = new_table("command", "meaning", text=["meaning"])
    table.show_header = False
    for command, meaning in (
        (f"astrarium play {others[0] if others else entry.id}", "another world"),
        ("astrarium play --json ladder.json", "every episode of every player"),
        ("astrarium bench worlds", "how fast this machine steps the worlds"),
        (f"worlds.make_vec({entry.id!r}, 1024)", "the same worlds from Python"),
    ):
        table.add_row(f"[cyan]{command}[/]", meaning)
    console.print("Next:")
    print_table(console, table)
