"""Looking at runs of Esper: questions in SQL, an overview, and pictures."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import cyclopts
from rich.console import Console
from rich.markup import escape

from astrarium import atomic
from astrarium.bench.report import PASSED
from astrarium.bench.tables import new_table, print_table
from astrarium.cli.finding import GROWN, LATEST, find_run
from astrarium.cli.json_output import Json, print_json
from astrarium.cli.runs import Root
from astrarium.errors import ConfigError
from astrarium.esper.contracts.errors import HappeningError
from astrarium.esper.contracts.happening import Happening
from astrarium.esper.contracts.happenings import decode, severity_of
from astrarium.esper.contracts.host_happenings import EpisodeOutcome, EpochCompleted
from astrarium.runs import RunFolder
from astrarium.runs.names import WORLD_EVENTS
from astrarium.worlds import arguments

if TYPE_CHECKING:
    from astrarium.esper.queries import Answer

_RUNS: Final = Path("runs")
_RUNS_MAX: Final = 1_000_000
_LISTED: Final = """
    SELECT run_id, status, task, controller, n_envs, max_epochs, seed, gates, reward_mode,
        final_accuracy
    FROM runs LEFT JOIN (
        SELECT run_id, avg(final_accuracy) AS final_accuracy FROM episode_outcomes GROUP BY run_id
    ) USING (run_id)
    ORDER BY started_at DESC"""
Run = Annotated[str, cyclopts.Parameter(help="A run: its name, its folder, or `latest`.")]


def query(sql: str, /, *, limit: int = 100, root: Root = _RUNS, json: Json = False) -> int:
    """Ask the runs below a folder a question in SQL.

    Parameters
    ----------
    sql
        One SELECT; `astrarium esper views` lists what it can ask of.
    limit
        At most so many rows.
    """
    from astrarium.esper.queries import ask

    answer = ask(root, sql, arguments.count("limit", limit))
    _warn(answer)
    if json:
        rows = [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]
        return print_json({"rows": rows, "cut": answer.cut})
    console = Console(highlight=False)
    _show(console, answer.columns, answer.rows)
    if answer.cut:
        console.print(f"[dim]only the first {limit} rows; --limit shows more[/]")
    return PASSED


def views(*, json: Json = False) -> int:
    """List the views that questions can be asked of."""
    from astrarium.esper.views import summary_of, view_names

    found = [(name, summary_of(name)) for name in view_names()]
    if json:
        return print_json([{"view": name, "summary": words} for name, words in found])
    _show(Console(highlight=False), ("view", "what it shows"), found)
    return PASSED


def runs(*, root: Root = _RUNS, json: Json = False) -> int:
    """List the runs of Esper, and what they are."""
    from astrarium.esper.queries import ask

    answer = ask(root, _LISTED, _RUNS_MAX)
    _warn(answer)
    if json:
        return print_json([dict(zip(answer.columns, row, strict=True)) for row in answer.rows])
    _show(Console(highlight=False), answer.columns, answer.rows)
    return PASSED


def overview(run: Run = LATEST, /, *, root: Root = _RUNS, json: Json = False) -> int:
    """What became of every host of a run, and what should be looked at."""
    folder = find_run(run, root, GROWN)
    news = _told(folder)
    last = {one.env: one for one in news if isinstance(one, EpochCompleted)}
    outcomes = [one for one in news if isinstance(one, EpisodeOutcome)]
    best = [one for one in outcomes if not any(other.dominates(one) for other in outcomes)]
    grave = Counter(one.label for one in news if severity_of(one) not in ("debug", "info"))
    hosts = [
        (env, one.episode, one.epoch, one.val_accuracy, one.param_ratio, _seeds(one))
        for env, one in sorted(last.items())
    ]
    names = ("host", "episode", "epoch", "accuracy", "size", "seeds")
    ended = [
        (o.env, o.episode, o.final_accuracy, o.param_ratio, o.episode_reward, o.num_fossilized)
        for o in best
    ]
    ended_names = ("host", "episode", "accuracy", "size", "reward", "fossils")
    if json:
        return print_json(
            {
                "run_id": folder.run_id,
                "status": folder.status(),
                "hosts": [dict(zip(names, row, strict=True)) for row in hosts],
                "episodes": len(outcomes),
                "best": [dict(zip(ended_names, row, strict=True)) for row in ended],
                "anomalies": dict(grave),
            }
        )
    console = Console(highlight=False)
    console.print(f"[bold]{escape(folder.run_id)}[/] {folder.status()}")
    _show(console, names, hosts)
    if ended:
        console.print(f"\nepisodes that no other of {len(outcomes)} beats in everything")
        _show(console, ended_names, ended)
    for label, count in grave.most_common():
        console.print(f"[yellow]{count} times:[/] {escape(label)}")
    return PASSED


def plot(
    run: Run = LATEST,
    /,
    *,
    out: Path | None = None,
    form: Literal["png", "svg"] = "png",
    root: Root = _RUNS,
) -> int:
    """Draw every host of a run: accuracy with and without each seed, stages, size and rewards.

    Parameters
    ----------
    out
        Folder for the pictures; `pictures` in the run folder unless told.
    form
        The form of the files.
    """
    from astrarium.esper.plots import episodes_of, picture

    folder = find_run(run, root, GROWN)
    news = _told(folder)
    place = folder.folder / "pictures" if out is None else out
    found = dict(episodes_of(news))
    if not found:
        raise ConfigError(f"{folder.folder} has told of no epoch yet; there is nothing to draw")
    place.mkdir(parents=True, exist_ok=True)
    console = Console(highlight=False)
    # The last episode of every host: of a training there may be thousands.
    for env, episode in found.items():
        file = place / f"host-{env:03d}-episode-{episode:05d}.{form}"
        atomic.write_bytes(file, picture(news, env, episode, form))
        console.print(escape(str(file)), soft_wrap=True)
    return PASSED


def _told(run: RunFolder) -> list[Happening]:
    lines = run.world_events()
    if not lines:
        raise ConfigError(f"the world of {run.folder} tells nothing; this is for runs of Esper")
    told: list[Happening] = []
    for number, line in enumerate(lines, 1):
        try:
            told.append(decode(line))
        except HappeningError as error:
            raise HappeningError(f"{run.folder / WORLD_EVENTS}:{number}: {error}") from error
    return told


def _warn(answer: Answer) -> None:
    """Name the runs that were left out, on standard error."""
    for problem in answer.left_out:
        sys.stderr.write(f"warning: {problem}\n")


def _seeds(one: EpochCompleted) -> str:
    return ", ".join(f"{s.slot_id} {s.blueprint} {s.stage} {s.alpha:.2f}" for s in one.seeds)


def _show(console: Console, names: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    table = new_table(*names)
    for at, column in enumerate(table.columns):
        if any(isinstance(row[at], str) for row in rows):
            column.justify, column.no_wrap = "left", False
    for row in rows:
        table.add_row(*(escape(_cell(one)) for one in row))
    print_table(console, table)


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
