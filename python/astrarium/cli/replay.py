"""`astrarium replay`: recorded episodes listed, shown, verified and exported."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import cyclopts
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn

from astrarium import atomic
from astrarium.bench.tables import new_table, print_table
from astrarium.cli import replay_page
from astrarium.cli.finding import LATEST, REPLAYED, find_replay, find_run
from astrarium.cli.json_output import Json, print_json
from astrarium.cli.replay_record import record
from astrarium.errors import AstrariumError, ConfigError
from astrarium.runs import Replay, ReplayEntry, ReplayError, exporting, replays
from astrarium.runs.replay_index import EVERY_WINDOW
from astrarium.runs.replaying import Verdict
from astrarium.runs.replaying import verify as verify_replay
from astrarium.worlds import arguments

app: Final = cyclopts.App(
    name="replay", help="Recorded episodes: record, list, show, verify, export."
)
app.command(record)

BROKEN: Final = 1
"""Exit status when a replay does not hold."""
_PACKED: Final = ".gz"

Root = Annotated[Path, cyclopts.Parameter(help="Folder of the run folders.")]
_RUNS: Final = Path("runs")


@dataclass(frozen=True, slots=True)
class _Named:
    """A replay file, and what its run's index says of it."""

    name: str
    path: Path
    entry: ReplayEntry | None

    @property
    def sha256(self) -> str | None:
        return None if self.entry is None else self.entry.sha256

    def read(self) -> Replay:
        return replays.read(self.path, self.sha256)

    def open(self) -> replays.ReplayFile:
        return replays.ReplayFile(self.path)

    def check(self) -> None:
        """Refuse a file with other bytes than the index names, whatever its frames are."""
        if self.sha256 is not None:
            replays.check_file(self.path, self.sha256)


@app.command(name="list")
def list_replays(
    run: str = LATEST,
    *,
    tag: Annotated[Sequence[str], cyclopts.Parameter(negative=())] = (),
    window: int | None = None,
    limit: int | None = None,
    root: Root = _RUNS,
    json: Json = False,
) -> int:
    """List a run's replays, newest first.

    Parameters
    ----------
    run
        A run: its id, its path, or `latest`.
    tag
        Only replays with this tag, such as `best_so_far`; may be given often.
    window
        Only replays of this window.
    limit
        At most so many.
    """
    folder = find_run(run, root, REPLAYED)
    wanted = None if limit is None else arguments.count("limit", limit)
    index = folder.replay_index()
    found = index.select(tags_all=tag, window_id=window, limit=wanted)
    if json:
        return print_json(found)
    console = Console(highlight=False)
    console.print(f"[bold]{escape(folder.run_id)}[/]: {len(found)} of {len(index.entries)} replays")
    if not found:
        return 0
    table = new_table("replay", "return", "steps", "profit", "alive", "tags", text=["tags"])
    for one in found:
        table.add_row(
            one.replay_id,
            f"{one.return_total:,.2f}",
            f"{one.steps:,}",
            "-" if one.profit is None else f"{one.profit:,.0f}",
            "-" if one.survival is None else f"{one.survival:.0%}",
            escape(" ".join(_telling(one.tags))),
        )
    print_table(console, table)
    return 0


def _telling(tags: Sequence[str]) -> list[str]:
    """Tags that tell replays apart: not the one all have, and of each milestone the highest."""
    highest = {tag.rpartition(":")[0]: tag for tag in tags if tag.startswith("milestone:")}
    others = [tag for tag in tags if tag != EVERY_WINDOW and not tag.startswith("milestone:")]
    return [*others, *highest.values()]


@app.command
def show(
    run: str = LATEST,
    replay: str = LATEST,
    *,
    first: int = 0,
    rows: int = 20,
    root: Root = _RUNS,
) -> int:
    """Show an episode: its facts, curves, reward terms, events and frames.

    Parameters
    ----------
    run
        A run (its id, its path, or `latest`), or the path of a replay file, packed or exported.
    replay
        A replay of the run: its id, `latest` or `best`.
    first
        The first frame of the table.
    rows
        How many frames the table shows.
    """
    if first < 0:
        raise ConfigError(f"--first is {first}; the first frame is 0")
    last = first + arguments.count("rows", rows)
    found = _find(run, replay, root)
    console = Console(highlight=False)
    console.print(f"[bold]{escape(found.name)}[/]", soft_wrap=True)
    replay_page.show(console, found.read(), range(first, last))
    return 0


@app.command
def verify(
    run: str = LATEST,
    replay: str | None = None,
    *,
    all: Annotated[bool, cyclopts.Parameter(negative=())] = False,
    any_build: Annotated[bool, cyclopts.Parameter(negative=())] = False,
    root: Root = _RUNS,
) -> int:
    """Play replays again and compare every frame; exit with 1 if one does not hold.

    In a run, the replay's id covers the rest of the file too, such as what the policy said of its
    choices. A file on its own has no such witness.

    Parameters
    ----------
    run
        A run (its id, its path, or `latest`), or the path of a replay file, packed or exported.
    replay
        A replay of the run: its id, `latest` or `best`; the latest unless told.
    all
        Every replay of the run.
    any_build
        Compare replays of other versions of Astrarium too.
    """
    if all and replay is not None:
        raise ConfigError(f"name one replay ({replay}) or give --all, not both")
    console = Console(highlight=False, soft_wrap=True)
    if not all:
        verdict = _verified(console, _find(run, replay or LATEST, root), any_build)
        return 0 if verdict.holds else BROKEN
    folder = find_run(run, root, REPLAYED)
    entries = folder.replay_index().entries
    broken = 0
    for entry in entries:
        one = _Named(entry.replay_id, folder.replay_file(entry.replay_id), entry)
        try:
            broken += not _verified(console, one, any_build).holds
        except AstrariumError as error:
            # One that cannot be played must not hide what the others are.
            broken += 1
            console.print(f"[red]✗[/] {escape(one.name)}: {escape(str(error))}")
    console.print(f"{len(entries) - broken} of {len(entries)} replays hold")
    return BROKEN if broken else 0


@app.command
def export(run: str, replay: str = LATEST, *, to: Path, root: Root = _RUNS) -> int:
    """Write a replay as a table (.csv), as plain lines (.jsonl) or as it is (.jsonl.gz).

    Parameters
    ----------
    run
        A run (its id, its path, or `latest`), or the path of a replay file.
    replay
        A replay of the run: its id, `latest` or `best`.
    to
        The file to write; its ending says in which form.
    """
    if to.suffix not in (".csv", ".jsonl", _PACKED):
        raise ConfigError(f"--to {to} ends in none of .csv, .jsonl and .jsonl.gz; choose one")
    atomic.check_file(to)
    found = _find(run, replay, root)
    whole = found.read()
    if to.suffix == _PACKED:
        atomic.write_bytes(to, found.path.read_bytes())
    else:
        form = exporting.as_csv if to.suffix == ".csv" else exporting.as_lines
        atomic.write_text(to, form(whole))
    Console(highlight=False, soft_wrap=True).print(
        f"{escape(found.name)}: {len(whole.frames):,} frames written to {escape(str(to))}"
    )
    return 0


def _find(run: str, replay: str, root: Path) -> _Named:
    """A file by its path, or a replay of a run."""
    path = Path(run)
    if path.is_file():
        if replay != LATEST:
            raise ReplayError(f"{run} is a file; {replay!r} would be a replay of a run")
        return _Named(path.name, path, None)
    folder = find_run(run, root, REPLAYED)
    entry = find_replay(folder, replay)
    return _Named(entry.replay_id, folder.replay_file(entry.replay_id), entry)


def _verified(console: Console, one: _Named, any_build: bool) -> Verdict:
    """Play one again, and say what came of it."""
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=None, complete_style="cyan"),
        TextColumn("{task.completed:,.0f}/{task.total:,.0f} frames", justify="right"),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    steps = None if one.entry is None else one.entry.steps
    with bar:
        task = bar.add_task(escape(one.name), total=steps)
        verdict = verify_replay(
            one.open(),
            one.entry,
            any_build=any_build,
            progress=lambda done, _: bar.update(task, completed=done),
        )
    if verdict.difference is None:
        one.check()
        end = "" if verdict.ended else ", the episode left running"
        console.print(f"[green]✓[/] {escape(one.name)}: {verdict.frames:,} frames as recorded{end}")
        if one.entry is None:
            console.print(
                "  not checked: what the policy said of its choices; only the run's index tells",
                style="dim",
            )
    else:
        console.print(f"[red]✗[/] {escape(one.name)}: {escape(verdict.difference.words())}")
        console.print(f"  recorded by {verdict.recorded_by}", style="dim")
    return verdict
