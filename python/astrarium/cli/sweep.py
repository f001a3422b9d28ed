"""`astrarium sweep`: many trainings in search of better settings."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

import cyclopts
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from astrarium import atomic
from astrarium.bench.report import check_place
from astrarium.bench.tables import new_table, print_table
from astrarium.cli.interrupting import INTERRUPTED, Interrupts, say_at_once
from astrarium.cli.train import Settings, given_settings, plain_error
from astrarium.train.space import Space, read_space
from astrarium.worlds import arguments

if TYPE_CHECKING:
    from astrarium.train.study import Standing, TrialRow
    from astrarium.train.sweeping import Sweep

_SIDE_BY_SIDE: Final = 5
_STOPPING: Final = "stopping after the windows in progress; once more to stop at once"

app: Final = cyclopts.App(
    name="sweep",
    error_formatter=plain_error,
    help_epilogue="The same command again goes on with the study; Ctrl-C stops it between windows.",
)


@app.default
def sweep(
    *,
    space: str,
    trials: int | None = None,
    study: str | None = None,
    root: Path = Path("sweeps"),
    workers: int = 1,
    markdown: Path | None = None,
    settings: Settings = None,
) -> int:
    """Train again and again with other settings, learning from each trial where to look next.

    Parameters
    ----------
    space
        A TOML file that says what varies, or the name of one that ships.
    trials
        Trials of the whole study; as the space says unless told.
    study
        Name of the study, also its folder; named after the space unless told.
    root
        Folder of the studies.
    workers
        Processes that train at the same time.
    markdown
        Where to write the trials and the parameters' importances as a page.
    """
    chosen = read_space(space, {} if settings is None else given_settings(settings))
    count = chosen.trials if trials is None else arguments.count("trials", trials)
    hands = arguments.count("workers", workers)
    if markdown is not None:
        check_place(markdown)
    # Here, after everything that could be refused without loading torch.
    from astrarium.train.sweeping import Sweep

    console = Console(highlight=False)
    opened = Sweep(chosen, root, Path(space).stem if study is None else study)
    console.print(f"[dim]study: {escape(str(opened.folder))}[/]", soft_wrap=True)
    try:
        with Interrupts(lambda: say_at_once(_STOPPING)) as interrupts:
            standing = _search(console, opened, count, hands, interrupts)
    except KeyboardInterrupt:
        say_at_once(
            f"stopped; what was finished is in {opened.folder}, go on with the same command"
        )
        return INTERRUPTED
    _show(console, chosen, opened, standing)
    if interrupts.asked():
        console.print("[yellow]stopped; the same command goes on from here[/]")
    if markdown is not None:
        from astrarium.train.sweep_report import page

        atomic.write_text(markdown, page(opened.name, chosen, standing, opened.importances()))
        console.print(f"[dim]page: {escape(str(markdown))}[/]", soft_wrap=True)
    if interrupts.asked():
        return INTERRUPTED
    return 0 if standing.finished and not _all_failed(standing) else 1


def _all_failed(standing: Standing) -> bool:
    return all(row.state == "fail" for row in standing.finished)


def _search(
    console: Console, sweep: Sweep, trials: int, workers: int, interrupts: Interrupts
) -> Standing:
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=None, complete_style="cyan", finished_style="dim cyan"),
        TextColumn("{task.completed}/{task.total} trials", justify="right"),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    task = bar.add_task("", total=trials)
    told: set[int] | None = None

    def tell(standing: Standing) -> None:
        nonlocal told
        finished = standing.finished
        if told is None:
            # Those of earlier sessions are no news.
            told = {row.number for row in finished}
            if told:
                console.print(f"[dim]{len(told)} trials are there already[/]")
        for row in finished:
            if row.number not in told:
                told.add(row.number)
                bar.console.print(_trial_words(row), soft_wrap=True)
        best = standing.ranked[:1]
        words = f"best {best[0].value:,.2f} (trial {best[0].number}), " if best else ""
        running = len(standing.rows) - len(finished)
        bar.update(task, completed=len(finished), description=f"{words}{running} running")

    with bar:
        return sweep.run(trials, workers, tell=tell, stop=interrupts.asked)


def _trial_words(row: TrialRow) -> str:
    time = "" if row.seconds is None else f" · {timedelta(seconds=round(row.seconds))}"
    words = f"trial {row.number:>3} · {row.windows} windows{time}"
    match row.state:
        case "complete":
            return f"{words} · [bold]{row.value:,.3f}[/]"
        case "pruned":
            return f"[dim]{words} · given up[/]"
        case _:
            return f"{words} · [red]failed[/]: {escape(row.error or 'broke off')}"


def _show(console: Console, space: Space, sweep: Sweep, standing: Standing) -> None:
    """The best trials side by side."""
    from astrarium.train.sweep_report import state_words, value_words

    console.print(f"\n[bold]{len(standing.rows)} trials[/]: {state_words(standing)}")
    best = standing.ranked[:_SIDE_BY_SIDE]
    if not best:
        return
    importances = sweep.importances()
    table = new_table("trial", *(str(row.number) for row in best), "importance")
    table.add_row("objective", *(f"{row.value:,.3f}" for row in best), "", style="bold green")
    for key in space.parameters:
        values = (value_words(row.parameters[key]) for row in best)
        share = f"{importances[key]:.0%}" if key in importances else "-"
        table.add_row(key, *values, share)
    print_table(console, table)
    console.print(f"[dim]best run: {escape(str(best[0].run))}[/]", soft_wrap=True)
