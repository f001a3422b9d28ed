"""`astrarium runs`: what has been trained, how it went, and how runs differ.

Text, or JSON with `--json`; all of it also while a run is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import cyclopts
from rich.console import Console
from rich.markup import escape

from astrarium import atomic
from astrarium.cli import runs_page
from astrarium.cli.finding import LATEST, LEARNING, find_run
from astrarium.cli.json_output import Json, print_json
from astrarium.errors import ConfigError
from astrarium.runs import ReplayEntry, RunError, RunFolder, RunSummary, list_runs
from astrarium.runs.metadata import kind_of
from astrarium.telemetry import feed, overview, plots
from astrarium.telemetry.overview import RunFigures
from astrarium.telemetry.parquet import write_tables
from astrarium.telemetry.sinks import Sink
from astrarium.telemetry.tensorboard import TensorBoardSink
from astrarium.telemetry.wandb import WandbSink
from astrarium.worlds import arguments

app: Final = cyclopts.App(name="runs", help="Training runs: list, show, compare, export.")

app.command("astrarium.cli.ppo_log:app", name="ppo-log", help="PPO logs: validate, watch.")

Root = Annotated[Path, cyclopts.Parameter(help="Folder of the run folders.")]
Curves = Annotated[
    str | None,
    cyclopts.Parameter(help="Figures of windows or updates to draw, separated by commas."),
]
Format = Literal["parquet", "csv", "tensorboard", "wandb"]

_RUNS: Final = Path("runs")
_PANELS: Final = 4


@app.command(name="list")
def list_all(*, root: Root = _RUNS, limit: int = 20, json: Json = False) -> int:
    """List runs, the one written last first.

    Parameters
    ----------
    limit
        At most so many.
    """
    count = arguments.count("limit", limit)
    found = list_runs(root)
    shown = found[:count]
    briefs = [_brief(run) for run in shown]
    if json:
        return print_json(briefs)
    console = Console(highlight=False)
    if not found:
        console.print(f"no runs in {escape(str(root))} yet; make one: [cyan]astrarium train[/]")
        return 0
    runs_page.print_list(console, briefs)
    for run in shown:
        if run.problem is not None:
            console.print(f"[red]{escape(run.run_id)}[/]: {escape(run.problem)}", soft_wrap=True)
    if len(found) > count:
        console.print(f"[dim]and {len(found) - count} more: --limit {len(found)}[/]")
    return 0


def _brief(run: RunSummary) -> dict[str, Any]:
    """A run in one line."""
    try:
        figures = overview.figures_of(RunFolder.open(run.folder), updates=False)
    except RunError:
        # Broken, or deleted since: what is known of it is shown all the same.
        figures = RunFigures(run.run_id, (), ())
    state = run.metadata
    return {
        "run_id": run.run_id,
        "kind": None if run.status == "broken" else kind_of(state),
        "world": state.get("world"),
        "trainer_backend": state.get("trainer_backend"),
        "status": run.status,
        "env_steps_total": state.get("env_steps_total"),
        "target_env_steps": state.get("target_env_steps"),
        "windows": state.get("windows_emitted"),
        "return_best": figures.best("return_mean"),
        "profit_last": figures.last("profit_mean"),
        "accuracy_last": figures.last("final_accuracy"),
        "started_at": state.get("started_at"),
        "updated_at": state.get("updated_at"),
        "problem": run.problem,
    }


@app.command
def show(
    run: str = LATEST,
    *,
    windows: int = 8,
    curves: Curves = None,
    root: Root = _RUNS,
    json: Json = False,
) -> int:
    """Show how a run goes or went: facts, last windows, curves, and what it left.

    Parameters
    ----------
    run
        A run: its id, its path, or `latest`.
    windows
        How many of the last windows to list.
    """
    count = arguments.count("windows", windows)
    folder = find_run(run, root, LEARNING)
    figures = overview.figures_of(folder)
    panels = overview.panels([figures], _names(curves), _PANELS)
    last = figures.windows[-count:]
    best = _best_replay(folder)
    if json:
        return print_json(
            {
                **folder.metadata(),
                "status": folder.status(),
                "folder": str(folder.folder),
                "windows": last,
                "curves": {one.title: _points(one.curves[0]) for one in panels},
                "checkpoints": [
                    {
                        "window_id": one.window_id,
                        "path": str(one.folder),
                        "resumable": one.resumable,
                    }
                    for one in folder.checkpoints()
                ],
                "best_replay": best,
            }
        )
    console = Console(highlight=False)
    runs_page.print_facts(console, folder)
    if last:
        console.print()
        runs_page.print_windows(console, last)
    runs_page.print_curves(console, panels)
    runs_page.print_left(console, folder, best)
    return 0


def _best_replay(run: RunFolder) -> ReplayEntry | None:
    return max(run.replay_index().entries, key=lambda one: one.return_total, default=None)


def _points(curve: plots.Curve) -> list[tuple[float, float]]:
    return list(zip(curve.steps, curve.values, strict=True))


@app.command
def compare(
    run: str,
    *others: str,
    curves: Curves = None,
    png: Path | None = None,
    html: Path | None = None,
    root: Root = _RUNS,
    json: Json = False,
) -> int:
    """Compare runs: settings that differ, final figures, curves over each other.

    Parameters
    ----------
    run
        A run: its id, its path, or `latest`.
    others
        The runs to compare it with.
    png
        Where to write the curves as a picture.
    html
        Where to write all of it as a page, one file that needs no network.
    """
    if not others:
        raise ConfigError("comparing takes two runs or more; see `astrarium runs list`")
    for place in (png, html):
        if place is not None:
            atomic.check_file(place)
    folders = [find_run(one, root, LEARNING) for one in (run, *others)]
    names = _told_apart(folders)
    figures = [
        RunFigures(name, one.windows, one.updates)
        for name, one in zip(names, map(overview.figures_of, folders), strict=True)
    ]
    differing = overview.differences([folder.config() for folder in folders])
    final = overview.final_figures(figures)
    panels = overview.panels(figures, _names(curves), _PANELS)
    if png is not None:
        if not panels:
            raise ConfigError("there is nothing to draw: these runs have no window yet")
        atomic.write_bytes(png, plots.png(panels))
    if html is not None:
        atomic.write_text(html, runs_page.html_page(names, differing, final, panels))
    files = [str(place) for place in (png, html) if place is not None]
    if json:
        told = {"runs": names, "settings": differing, "figures": final, "files": files}
        return print_json(told)
    console = Console(highlight=False)
    runs_page.print_sides(console, "settings that differ", names, differing)
    runs_page.print_sides(console, "final figures", names, final)
    runs_page.print_curves(console, panels)
    for file in files:
        console.print(f"[dim]written: {escape(file)}[/]", soft_wrap=True)
    return 0


def _told_apart(folders: Sequence[RunFolder]) -> list[str]:
    """Ids; paths where runs of different folders have the same one."""
    ids = [folder.run_id for folder in folders]
    if len({folder.folder.resolve() for folder in folders}) < len(folders):
        raise ConfigError(f"a run is named twice: {', '.join(ids)}")
    return ids if len(set(ids)) == len(ids) else [str(folder.folder) for folder in folders]


@app.command
def export(
    run: str,
    directory: Path,
    *,
    to: Format = "parquet",
    root: Root = _RUNS,
    json: Json = False,
) -> int:
    """Write the windows and events of a run for other tools.

    Parameters
    ----------
    run
        A run: its id, its path, or `latest`.
    directory
        The folder to write into.
    to
        Tables (parquet, csv), a TensorBoard log, or an offline W&B run to send with `wandb sync`.
    """
    folder = find_run(run, root, LEARNING)
    atomic.check_folder(directory)
    if to == "parquet" or to == "csv":
        files = write_tables(folder.folder, directory, to)
    else:
        files = _fed(folder, directory, to)
    if json:
        return print_json({"run_id": folder.run_id, "to": to, "files": list(map(str, files))})
    console = Console(highlight=False)
    for file in files:
        console.print(escape(str(file)), soft_wrap=True)
    if to == "tensorboard":
        console.print(f"[dim]look at it:[/] tensorboard --logdir {directory}", soft_wrap=True)
    elif to == "wandb":
        console.print(f"[dim]send it:[/] wandb sync {directory}/wandb/offline-*", soft_wrap=True)
    return 0


def _fed(run: RunFolder, directory: Path, to: Literal["tensorboard", "wandb"]) -> list[Path]:
    """Everything passed to a sink that writes into `directory`; the files it left."""
    sink: Sink
    if to == "tensorboard":
        if any(directory.glob("events.out.tfevents.*")):
            raise ConfigError(f"{directory} holds a TensorBoard log already; choose another folder")
        sink = TensorBoardSink(directory)
    else:
        project = str(run.config().get("sinks", {}).get("wandb_project", "astrarium"))
        sink = WandbSink(run.folder, to=directory, mode="offline", project=project)
    before = _files(directory)
    feed(run.folder, sink)
    return sorted(_files(directory) - before)


def _files(directory: Path) -> set[Path]:
    return {path for path in directory.rglob("*") if path.is_file() and not path.is_symlink()}


def _names(given: str | None) -> list[str] | None:
    return None if given is None else [one.strip() for one in given.split(",")]
