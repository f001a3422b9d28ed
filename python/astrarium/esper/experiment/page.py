"""An experiment as a page: every arm, every difference, every criterion, every failure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Any

from astrarium.esper.experiment.arms import ARMS
from astrarium.esper.experiment.criteria import Check
from astrarium.esper.experiment.plan import Plan
from astrarium.esper.experiment.results import ArmResult, Figure, Results, TaskResult
from astrarium.esper.experiment.running import device_name
from astrarium.esper.experiment.trial import Outcome
from astrarium.machine import Machine
from astrarium.train.intervals import Interval


def page(
    plan: Plan,
    results: Results,
    checks: Sequence[Check],
    where: Machine,
    pictures: Mapping[str, Sequence[str]],
) -> str:
    """The report in Markdown; `pictures` are file names by task."""
    parts = [*_head(plan, results, where), ""]
    for one in results.tasks:
        parts += [*_task(one), ""]
        parts += [f"![{one.task}]({name})\n" for name in pictures.get(one.task, ())]
    parts += _criteria(checks)
    return "\n".join(parts).strip() + "\n"


def differences(task: TaskResult) -> Iterator[tuple[str, str]]:
    """Pairs of arms to compare: each of those that grow with every other that was run."""
    growing = [name for name in ("ppo", "heuristic_probe", "heuristic") if name in task.arms]
    for place, ours in enumerate(growing):
        for theirs in task.arms:
            if theirs != ours and theirs not in growing[:place]:
                yield ours, theirs


def interval_words(given: Interval, figure: Figure = "accuracy", *, signed: bool = False) -> str:
    """`91.1 [85.9, 95.2]`."""
    form = f"{'+' if signed else ''}.{1 if figure == 'accuracy' else 3}f"
    words = f"{given.value:{form}}"
    if given.low is None or given.high is None:
        return words
    return f"{words} [{given.low:{form}}, {given.high:{form}}]"


def arm_cells(result: ArmResult) -> tuple[str, ...]:
    """One row of the table of arms."""
    worst = result.worst()
    return (
        interval_words(result.interval("accuracy")),
        f"{worst.test_accuracy:.1f} (seed {worst.trial.seed})",
        interval_words(result.interval("loss"), "loss"),
        f"{result.mean(lambda one: one.params_ratio):.2f}",
        f"{result.mean(lambda one: float(one.epochs)):.0f}",
        str(timedelta(seconds=round(result.mean(lambda one: one.wall_s)))),
    )


ARM_COLUMNS = ("accuracy", "worst", "loss", "parameters", "epochs", "time")


def results_dict(results: Results, checks: Sequence[Check]) -> dict[str, Any]:
    """The report as JSON holds it."""
    return {
        "tasks": [
            {
                "task": one.task,
                "budget_epochs": one.budget_epochs,
                "arms": [_arm_dict(arm) for arm in one.arms.values()],
                "differences": [
                    {
                        "ours": ours,
                        "theirs": theirs,
                        "accuracy": one.difference(ours, theirs).as_dict(),
                        "loss": one.difference(ours, theirs, "loss").as_dict(),
                    }
                    for ours, theirs in differences(one)
                ],
            }
            for one in results.tasks
        ],
        "criteria": [one.as_dict() for one in checks],
    }


def _arm_dict(result: ArmResult) -> dict[str, Any]:
    return {
        "arm": result.arm,
        "accuracy": result.interval("accuracy").as_dict(),
        "loss": result.interval("loss").as_dict(),
        "trials": [_trial_dict(one) for one in result.outcomes],
    }


def _trial_dict(one: Outcome) -> dict[str, Any]:
    return {
        "seed": one.trial.seed,
        "accuracy": one.test_accuracy,
        "loss": one.test_loss,
        "params": one.params,
        "host_params": one.host_params,
        "epochs": one.epochs,
        "spent": one.spent_macs / one.budget_macs,
        "kept": [f"{seed.slot_id} {seed.blueprint}" for seed in one.kept],
        "rolled_back": one.rolled_back,
        "wall_s": one.wall_s,
        "commit": one.commit,
    }


def _head(plan: Plan, results: Results, where: Machine) -> Iterator[str]:
    yield "# Does growth pay?"
    yield ""
    yield (
        f"`{where.command}` at commit {where.commit}; {where.cpu}, {where.cores} cores, load "
        f"{where.load:.1f}; hosts trained on {device_name(plan.device)}."
    )
    yield ""
    yield (
        f"Seeds {plan.seeds[0]} to {plan.seeds[-1]} ({len(plan.seeds)}), the same for every arm. "
        "Each arm stops when its budget of multiply-accumulates is spent. Accuracy in per cent and "
        "loss in nats are of the test part, read once at the end, with settled seeds on and "
        "blending ones off. Brackets are 95 % intervals of means, from 10,000 bootstrap samples; "
        "parameters are in those of the host alone, epochs and times are means."
    )
    commits = Counter(
        one.commit for task in results.tasks for arm in task.arms.values() for one in arm.outcomes
    )
    if set(commits) != {where.commit}:
        told = ", ".join(f"{count} at {commit}" for commit, count in commits.items())
        yield ""
        yield f"Trials were run at other commits than this page was written at: {told}."


def _task(task: TaskResult) -> Iterator[str]:
    yield f"## {task.task}"
    yield ""
    yield f"Budget: {task.budget_epochs} epochs of the host alone."
    yield ""
    yield from _table(
        ("arm", *ARM_COLUMNS), [(name, *arm_cells(arm)) for name, arm in task.arms.items()]
    )
    yield ""
    for name in task.arms:
        yield f"- `{name}`: {ARMS[name].summary}."
    pairs = list(differences(task))
    if pairs:
        yield ""
        yield "Differences on the same seeds:"
        yield ""
        rows = [
            (
                f"{ours} less {theirs}",
                interval_words(task.difference(ours, theirs), signed=True),
                interval_words(task.difference(ours, theirs, "loss"), "loss", signed=True),
            )
            for ours, theirs in pairs
        ]
        yield from _table(("", "accuracy", "loss"), rows)
    lost = [
        f"- {one.trial.words()}: rolled back ({one.rolled_back}) at epoch {one.epochs}."
        for arm in task.arms.values()
        for one in arm.outcomes
        if one.rolled_back
    ]
    if lost:
        yield ""
        yield from lost


def _criteria(checks: Sequence[Check]) -> Iterator[str]:
    yield "## Criteria"
    yield ""
    rows = [(one.id, one.task, one.asked, *check_cells(one)) for one in checks]
    yield from _table(("", "task", "asked", "found", "seeds", ""), rows)


def check_cells(check: Check) -> tuple[str, str, str]:
    """What was found, on how many seeds, and whether it will do."""
    figure: Figure = "loss" if check.id == "A4" else "accuracy"
    found = check.told
    if check.difference is not None:
        found = interval_words(check.difference, figure, signed=True)
    return found, str(check.seeds or ""), check.state


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(columns)} |"
    yield f"|{'---|' * len(columns)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"
