"""An experiment as its command shows it: progress, tables, and what is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar

from astrarium import atomic
from astrarium.bench.report import PASSED, Report, check_place
from astrarium.bench.tables import new_table, print_table
from astrarium.cli.interrupting import INTERRUPTED, Interrupts, say_at_once
from astrarium.esper.experiment import crew, page, pictures
from astrarium.esper.experiment.criteria import Check, judge, missed
from astrarium.esper.experiment.journal import Journal
from astrarium.esper.experiment.plan import Plan
from astrarium.esper.experiment.results import ArmResult, Results, gather
from astrarium.esper.experiment.trial import Outcome
from astrarium.esper.launching import pick_device
from astrarium.machine import Machine, facts

_STOPPING: Final = "stopping after the trials in progress; once more to stop at once"
_STATES: Final = {"met": "green", "not met": "red", "not tried": "dim"}


@dataclass(frozen=True, slots=True)
class Places:
    """Where an experiment leaves what."""

    root: Path
    markdown: Path
    json: Path


def places_in(root: Path, markdown: Path | None, json: Path | None) -> Places:
    """The usual places unless told otherwise, each of which must be writable."""
    places = Places(root, markdown or root / "experiment.md", json or root / "experiment.json")
    for place in (places.markdown, places.json):
        check_place(place)
    return places


def run(plan: Plan, places: Places, workers: int) -> int:
    """Run what is missing, then show and write all of it."""
    # The processes that run trials would only find out when all of them have loaded torch.
    pick_device(plan.device)
    console = Console(highlight=False)
    where = facts()
    journal = Journal(places.root)
    console.print(f"[dim]journal: {escape(str(journal.path))}[/]", soft_wrap=True)
    try:
        with Interrupts(lambda: say_at_once(_STOPPING)) as interrupts:
            done = _run(console, plan, journal, workers, where.commit, interrupts)
    except KeyboardInterrupt:
        done = False
    if not done:
        say_at_once(f"stopped; go on with the same command (finished: {journal.path})")
        return INTERRUPTED
    outcomes = [journal.finished[trial] for trial in plan.trials()]
    results = gather(outcomes, [arm.name for arm in plan.arms])
    checks = judge(results)
    _show(console, results, checks)
    _write(console, plan, results, checks, places, where)
    return PASSED


def _run(
    console: Console,
    plan: Plan,
    journal: Journal,
    workers: int,
    commit: str,
    interrupts: Interrupts,
) -> bool:
    bar = Bar(
        TextColumn("{task.description}"),
        BarColumn(bar_width=None, complete_style="cyan", finished_style="dim cyan"),
        TextColumn("{task.completed:.1f}/{task.total:.0f} trials", justify="right"),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    trials = plan.trials()
    begun = sum(trial in journal.finished for trial in trials)
    if begun:
        console.print(f"[dim]{begun} of {len(trials)} trials are there already[/]")
    task = bar.add_task("", total=len(trials), completed=begun)
    ended = begun

    def tell(progress: crew.Progress) -> None:
        nonlocal ended
        if progress.ended is not None:
            ended += 1
            bar.console.print(_trial_words(progress.ended), soft_wrap=True)
        words = ", ".join(f"{one.arm} {one.seed}" for one in progress.running)
        done = ended + sum(progress.running.values())
        bar.update(task, completed=done, description=escape(words))

    with bar:
        return crew.run_all(plan, journal, workers, commit, tell=tell, stop=interrupts.asked)


def _trial_words(one: Outcome) -> str:
    lost = f" · [red]rolled back: {escape(one.rolled_back)}[/]" if one.rolled_back else ""
    return (
        f"{escape(one.trial.words())} · [bold]{one.test_accuracy:.1f}[/] % · loss "
        f"{one.test_loss:.3f} · {one.params_ratio:.2f} times the host · {one.epochs} epochs · "
        f"{timedelta(seconds=round(one.wall_s))}{lost}"
    )


def _show(console: Console, results: Results, checks: Sequence[Check]) -> None:
    for one in results.tasks:
        console.print(f"\n[bold]{one.task}[/], budget {one.budget_epochs} epochs of the host")
        table = new_table("arm", "accuracy", "worst", "loss", "size", "epochs", "time")
        for name, arm in one.arms.items():
            table.add_row(name, *_arm_cells(arm))
        print_table(console, table)
        for ours, theirs in page.differences(one):
            words = page.interval_words(one.difference(ours, theirs), signed=True)
            console.print(f"{ours} less {theirs}: [bold]{words}[/] points", soft_wrap=True)
    console.print("\n[bold]Criteria[/]")
    table = new_table("", "task", "found", "seeds", "")
    for one in checks:
        found, seeds, state = page.check_cells(one)
        table.add_row(one.id, one.task, escape(found), seeds, f"[{_STATES[one.state]}]{state}[/]")
    print_table(console, table)


def _arm_cells(arm: ArmResult) -> tuple[str, ...]:
    """Less than the page has: a terminal may be narrow."""
    return (
        page.interval_words(arm.interval("accuracy")),
        f"{arm.worst().test_accuracy:.1f}",
        f"{arm.interval('loss').value:.3f}",
        f"×{arm.mean(lambda one: one.params_ratio):.2f}",
        f"{arm.mean(lambda one: float(one.epochs)):.0f}",
        str(timedelta(seconds=round(arm.mean(lambda one: one.wall_s)))),
    )


def _write(
    console: Console,
    plan: Plan,
    results: Results,
    checks: Sequence[Check],
    places: Places,
    where: Machine,
) -> None:
    drawn = _draw(results, places.markdown)
    names = {task: [path.name for path in paths] for task, paths in drawn.items()}
    atomic.write_text(places.markdown, page.page(plan, results, checks, where, names))
    artifacts = {"page": str(places.markdown)}
    artifacts |= {path.stem: str(path) for paths in drawn.values() for path in paths}
    config = {
        "tasks": plan.tasks,
        "arms": [arm.name for arm in plan.arms],
        "seeds": plan.seeds,
        "budget_epochs": {task: plan.budget_of(task) for task in plan.tasks},
        "twice": plan.twice,
        "policies": {one.task: one.id for one in plan.policies},
        "device": plan.device,
    }
    found = page.results_dict(results, checks)
    report = Report("esper-experiment", config, where, missed(checks), found, artifacts)
    artifacts = {"report": str(report.write(places.json)), "page": str(places.markdown)}
    console.print()
    for what, place in artifacts.items():
        console.print(f"[dim]{what}: {escape(place)}[/]", soft_wrap=True)


def _draw(results: Results, markdown: Path) -> dict[str, list[Path]]:
    """Two pictures for each task, beside the page."""
    drawn: dict[str, list[Path]] = {}
    for one in results.tasks:
        for what, draw in (("pareto", pictures.pareto), ("courses", pictures.courses)):
            path = markdown.with_name(f"{markdown.stem}-{one.task}-{what}.png")
            atomic.write_bytes(path, draw(one))
            drawn.setdefault(one.task, []).append(path)
    return drawn
