"""`astrarium parity`: two implementations of a world, compared step by step."""

from __future__ import annotations

import json as jsons
import os
import time
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, Final

from cyclopts import App, Parameter
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from astrarium import atomic
from astrarium.bench.tables import new_table, print_table
from astrarium.errors import UnknownWorldError, did_you_mean
from astrarium.parity import bundle as bundles
from astrarium.parity import report as reports
from astrarium.parity.bundle import Bundle
from astrarium.parity.compare import Tolerances
from astrarium.parity.prospector import PAIR
from astrarium.parity.report import Outcome, Plan
from astrarium.parity.run import rerun
from astrarium.parity.side import Pair
from astrarium.parity.stepping import STEPS_SHOWN, steps_around
from astrarium.parity.suites import (
    DEFAULT_SEEDS,
    DEFAULT_STEPS,
    DEFAULT_SUITES,
    DEFAULT_TIME_MAX,
    Case,
    CaseError,
    cases,
)
from astrarium.worlds.prospector.layout import ACTION_NAMES, OBSERVATION_NAMES
from astrarium.worlds.prospector.reference.f32 import USES_LIBM

PAIRS: Final = {"prospector": PAIR}
"""Worlds with two implementations."""


@Parameter(name="*")
@dataclass(frozen=True, slots=True)
class Matrix:
    """Which cases."""

    seeds: int = DEFAULT_SEEDS
    """How many seeds each suite and budget is played from."""
    first_seed: int = 0
    """The first of them."""
    steps: int = DEFAULT_STEPS
    """Steps of each case; an ended episode is followed by one with the next seed."""
    suites: str = DEFAULT_SUITES
    """Letters out of ABCDEFG: A uniform, B and C fixed loops, D greedy miner, E cautious
    scanner, F market timer, G random prospector."""
    time_max: Annotated[tuple[float, ...], Parameter(consume_multiple=True, negative=())] = (
        DEFAULT_TIME_MAX
    )
    """Time budgets, in ticks."""

    def cases(self) -> list[Case]:
        """Every combination."""
        return cases(self.suites.upper(), self.seeds, self.first_seed, self.time_max, self.steps)


@Parameter(name="*")
@dataclass(frozen=True, slots=True)
class Strictness:
    """What counts as a difference."""

    exact: bool | None = None
    """Compare to the bit. The default where the reference uses the same math library as the
    native core (Linux with glibc); elsewhere, or when a tolerance is given, within tolerances."""
    reward_tolerance: float | None = None
    """Absolute part of the reward's tolerance (1e-6)."""
    obs_tolerance: float | None = None
    """Absolute part of an observation's tolerance (1e-6)."""
    relative_tolerance: float | None = None
    """Relative part of both (1e-5)."""
    metric_tolerance: float | None = None
    """Tolerance of a metric, times the greatest of 1 and its magnitudes (1e-4)."""

    def tolerances(self) -> Tolerances | None:
        """What to allow; None for nothing at all."""
        given = {
            field.name: getattr(self, f"{field.name}_tolerance") for field in fields(Tolerances)
        }
        asked = {name: value for name, value in given.items() if value is not None}
        if self.exact and asked:
            raise CaseError("--exact leaves no room for a tolerance; drop one or the other")
        for name, value in asked.items():
            # A NaN is refused too: nothing would ever be within it.
            if not 0 <= value < float("inf"):
                raise CaseError(f"--{name}-tolerance is {value}; it must be 0 or more, finite")
        if self.exact or (self.exact is None and not asked and USES_LIBM):
            return None
        return Tolerances(**asked)


@Parameter(name="*")
@dataclass(frozen=True, slots=True)
class Conduct:
    """How to run, and what to do about differences."""

    stop_at_first: Annotated[bool, Parameter(negative=())] = False
    """Stop at the first failing case."""
    report_only: Annotated[bool, Parameter(negative=())] = False
    """Report differences, but exit with status 0."""
    out: Path = Path("parity-mismatches")
    """Where the evidence of each failing case goes."""
    report: Path | None = None
    """Write the results to this JSON file."""
    jobs: int | None = None
    """Processes to use; one per core unless told."""

    def processes(self) -> int:
        """How many to use."""
        if self.jobs is not None and self.jobs < 1:
            raise CaseError(f"jobs is {self.jobs}; at least one process is needed")
        return self.jobs or os.cpu_count() or 1


_MATRIX: Final = Matrix()
_STRICTNESS: Final = Strictness()
_CONDUCT: Final = Conduct()


app: Final = App(name="parity")


@app.default
def parity(
    world: str = "prospector",
    /,
    *,
    matrix: Matrix = _MATRIX,
    strictness: Strictness = _STRICTNESS,
    conduct: Conduct = _CONDUCT,
) -> int:
    """Step the Python reference and the native core side by side and name the first difference.

    Every combination of seed, suite and time budget is one case; the default matrix has 140 cases
    and takes one to two minutes on two cores. Exit status: 0 when all cases agree, 1 when any
    differs, 2 when the request makes no sense.

    Parameters
    ----------
    world
        A world with two implementations.
    """
    plan = Plan(
        pair=_pair(world),
        cases=matrix.cases(),
        tolerances=strictness.tolerances(),
        out=conduct.out,
        jobs=conduct.processes(),
        stop_at_first=conduct.stop_at_first,
    )
    atomic.check_folder(plan.out)
    if conduct.report is not None:
        atomic.check_file(conduct.report)
    failed = _run(plan, conduct.report)
    return 1 if failed and not conduct.report_only else 0


@app.command
def replay(
    bundle: Path,
    /,
    *,
    steps: int = STEPS_SHOWN,
    json: Annotated[bool, Parameter(negative=())] = False,
) -> int:
    """Play the actions of a failing case again, up to the step that differs, and show that step.

    Exit status: 1 when the sides still differ, 0 when they agree now, 2 for a damaged bundle.

    Parameters
    ----------
    bundle
        A folder that `astrarium parity` wrote for a failing case.
    steps
        How many steps to show; the last of them is the one that differs.
    json
        Print one JSON object instead of tables.
    """
    if steps < 1:
        raise CaseError(f"steps is {steps}; at least one step is needed")
    recorded = bundles.load(bundle)
    again = rerun(_pair_of(recorded, bundle), recorded)
    shown = again or recorded
    around = steps_around(shown, OBSERVATION_NAMES, ACTION_NAMES, steps)
    around["reproduced"] = again is not None
    around["as_recorded"] = again is not None and again.mismatch == recorded.mismatch
    if json:
        print(jsons.dumps(around, allow_nan=False))
    else:
        _show_steps(around, _place_of(shown))
    return 1 if again is not None else 0


def _pair_of(recorded: Bundle, folder: Path) -> Pair:
    """The pair whose case a bundle holds."""
    for pair in PAIRS.values():
        if pair.world == recorded.world:
            return pair
    known = ", ".join(pair.world for pair in PAIRS.values())
    raise UnknownWorldError(
        f"{folder} is a case of {recorded.world!r}, which has no two implementations here "
        f"(known: {known})"
    )


def _show_steps(around: dict[str, Any], place: str) -> None:
    console = Console()
    left, right = around["sides"]
    steps = new_table("step", "action", "side", "dt", "reward", "ended", "invalid", "generator")
    for step in around["steps"]:
        name = step["action_name"] or "out of range"
        for side in (left, right):
            steps.add_row(*_step_row(step, side, f"{step['action']} {name}", first=side == left))
    print_table(console, steps)
    values = new_table("field", "name", "step before", left, right)
    for value in around["differences"]:
        cells = (value["field"], value["name"] or "", value["before"], value[left], value[right])
        values.add_row(*("" if cell is None else str(cell) for cell in cells))
    print_table(console, values)
    if not around["reproduced"]:
        words = f"[bold green]agrees now:[/] the recorded difference was at {place}"
    elif around["as_recorded"]:
        words = f"[red]still differs[/] as recorded, at {place}"
    else:
        words = f"[red]differs elsewhere[/] than recorded, now at {place}"
    console.print(words, highlight=False, soft_wrap=True)


def _step_row(step: dict[str, Any], side: str, action: str, *, first: bool) -> tuple[str, ...]:
    told = step[side]
    endings = [name for name in ("terminated", "truncated") if told.get(name)]
    return (
        str(step["step"]) if first else "",
        action if first else "",
        side,
        str(told.get("dt", "")),
        str(told.get("reward", "")),
        ", ".join(endings),
        "yes" if told.get("invalid_action") else "",
        str(told.get("generator", "")),
    )


def _run(plan: Plan, report: Path | None) -> bool:
    """Run, show and report the plan; whether any case failed."""
    started = time.perf_counter()
    outcomes = _run_with_progress(plan)
    seconds = time.perf_counter() - started
    _show(plan, outcomes, seconds)
    if report is not None:
        reports.write(reports.summarise(plan, outcomes, seconds), report)
    return any(not outcome.result.passed for outcome in outcomes)


def _pair(world: str) -> Pair:
    if world not in PAIRS:
        raise UnknownWorldError(
            f"no world with two implementations is called {world!r}{did_you_mean(world, PAIRS)} "
            f"(known: {', '.join(PAIRS)})"
        )
    return PAIRS[world]


def _run_with_progress(plan: Plan) -> list[Outcome]:
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    # A bar redrawn into a file is noise.
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        bar = progress.add_task("parity", total=len(plan.cases))

        def advance(outcome: Outcome) -> None:
            progress.update(bar, advance=1, description=str(outcome.result.case))

        return reports.execute(plan, advance)


def _show(plan: Plan, outcomes: list[Outcome], seconds: float) -> None:
    console = Console()
    console.print(f"Parity: {plan.pair.world}", style="italic", highlight=False)
    print_table(console, _table(plan, outcomes))
    for outcome in outcomes:
        if outcome.result.bundle is not None:
            console.print(_sentence(outcome), highlight=False, soft_wrap=True)
    passed = sum(outcome.result.passed for outcome in outcomes)
    steps = sum(outcome.result.steps for outcome in outcomes)
    rule = "to the bit" if plan.tolerances is None else "within tolerances"
    style = "bold green" if passed == len(outcomes) else "bold red"
    console.print(
        f"[{style}]{passed} of {len(outcomes)} cases agree[/] {rule}: "
        f"{steps} equal steps in {seconds:.1f} s",
        highlight=False,
    )
    if len(outcomes) < len(plan.cases):
        console.print(f"stopped at the first failing case; {len(plan.cases)} were planned")


def _table(plan: Plan, outcomes: list[Outcome]) -> Table:
    table = new_table("suite", "time_max", "cases", "agree", "steps", "episodes")
    table.columns[0].style = "bold cyan"
    rows = dict.fromkeys((o.result.case.suite, o.result.case.time_max) for o in outcomes)
    for suite, time_max in rows:
        results = [
            o.result
            for o in outcomes
            if (o.result.case.suite, o.result.case.time_max) == (suite, time_max)
        ]
        agree = sum(result.passed for result in results)
        table.add_row(
            suite,
            f"{time_max:g}",
            str(len(results)),
            str(agree) if agree == len(results) else f"[red]{agree}[/]",
            str(sum(result.steps for result in results)),
            str(sum(result.episodes for result in results)),
        )
    return table


def _sentence(outcome: Outcome) -> str:
    bundle = outcome.result.bundle
    assert bundle is not None
    return f"[red]differs:[/] {bundle.case}: {_place_of(bundle)}; see {outcome.folder}"


def _place_of(bundle: Bundle) -> str:
    """Where the sides differ, with both values."""
    mismatch, apart = bundle.mismatch, bundle.mismatch.difference
    where = apart.field
    if apart.obs_index is not None:
        where = f"{apart.field}[{apart.obs_index}] ({OBSERVATION_NAMES[apart.obs_index]})"
    left, right = bundle.sides
    return (
        f"step {mismatch.step} (episode {mismatch.episode}, seed {mismatch.episode_seed}), "
        f"{where}: {left} {apart.left!r}, {right} {apart.right!r}"
    )
