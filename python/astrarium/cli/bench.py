"""`astrarium bench`: measure this machine."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Annotated, Final

import cyclopts
from rich.console import Console
from rich.markdown import Markdown
from rich.markup import escape

from astrarium import machine
from astrarium import worlds as registry
from astrarium.bench import faces, floor, game_page, matrix, pages, profile, stepping, training_runs
from astrarium.bench import game as game_bench
from astrarium.bench.candidates import TICKS
from astrarium.bench.report import FAILED, PASSED, Report, ReportError, check_place
from astrarium.bench.worlds import bench_worlds
from astrarium.errors import did_you_mean
from astrarium.worlds import arguments

app: Final = cyclopts.App(name="bench", help="Measure this machine; reports go to bench-reports/.")
# In a module of their own, which is imported on use.
app.command(
    "astrarium.cli.bench_train:train", name="train", help="Measure our trainer beside others."
)
app.command(
    "astrarium.cli.bench_serve:serve", name="serve", help="Measure the server beside a bare one."
)
app.command(
    "astrarium.cli.bench_serve:stability",
    name="stability",
    help="Train under a running server; look for drift.",
)
app.command("astrarium.cli.bench_train:gpu", name="gpu", help="Measure our trainer on a GPU.")
app.command(
    "astrarium.cli.bench_train:hosts", name="hosts", help="Measure Esper's hosts, on a GPU too."
)
app.command(
    "astrarium.cli.bench_train:soak", name="soak", help="Watch the memory of an hour's training."
)
app.command(
    "astrarium.cli.bench_train:peers", name="peers", help="Install the trainers to measure beside."
)
app.command(
    "astrarium.cli.bench_towns:towns", name="towns", help="Measure towns: rates, weight, growth."
)
app.command("astrarium.cli.bench_fields:fields", name="fields", help="Measure fields.")
app.command(
    "astrarium.cli.bench_tidebreak:battles",
    name="battles",
    help="Measure Tidebreak: rates, growth, weight.",
)
app.command(
    "astrarium.cli.bench_tidebreak:duels",
    name="duels",
    help="Play a policy of Tidebreak against every doctrine.",
)

Names = Annotated[list[str], cyclopts.Parameter(consume_multiple=True, negative="")]
Numbers = Annotated[list[int], cyclopts.Parameter(consume_multiple=True, negative="")]
Sizes = Annotated[
    Numbers, cyclopts.Parameter(help="Worlds in a batch; 0 means one world without a batch.")
]
Threads = Annotated[Numbers, cyclopts.Parameter(help="Threads of a batch.")]
Seconds = Annotated[float, cyclopts.Parameter(help="Length of one timed sample.")]
TrainSizes = Annotated[Numbers, cyclopts.Parameter(help="Worlds of a training.")]
Minibatches = Annotated[Numbers, cyclopts.Parameter(help="Minibatches of a training.")]
Epochs = Annotated[Numbers, cyclopts.Parameter(help="Epochs of a training.")]
Ticks = Annotated[int, cyclopts.Parameter(help="Length of one timed training, all worlds.")]
Repeats = Annotated[int, cyclopts.Parameter(help="Samples of each loop.")]
Output = Annotated[Path, cyclopts.Parameter(help="Where to write the report.")]
Page = Annotated[Path, cyclopts.Parameter(help="A Markdown page whose tables to rewrite.")]

_REQUIRABLE: Final = (*profile.MODES, *training_runs.BACKENDS)
_PAGE_WIDTH: Final = 100
_QUICK: Final = {"seconds": 0.02, "repeats": 3, "growth_steps": 200_000}


@app.command
def worlds(
    *,
    worlds: Names | None = None,
    sizes: Sizes | None = None,
    threads: Threads | None = None,
    through: Names | None = None,
    seconds: Seconds | None = None,
    repeats: Repeats | None = None,
    page: Page | None = None,
    json: Output | None = None,
    quick: bool = False,
    enforce: bool = False,
) -> int:
    """Steps per second of the worlds through Rust, C and Python, against what is asked.

    Parameters
    ----------
    worlds
        Ids of the worlds; Prospector v1 and v2 unless told.
    through
        Which of rust, c and python to measure.
    quick
        Short slices and few of them: to see that it works, not to publish.
    enforce
        Exit with status 2 when something asked was not reached.
    """
    plan = stepping.Plan()
    if quick:
        plan = dataclasses.replace(plan, **_QUICK)
    given = {
        "worlds": worlds and tuple(registry.get(name).id for name in worlds),
        "sizes": sizes and _all_least(sizes, 0, "sizes"),
        "threads": threads and _all_least(threads, 1, "threads"),
        "through": through and faces.chosen_faces(through),
        "seconds": None if seconds is None else positive(seconds, "seconds"),
        "repeats": None if repeats is None else least(repeats, 1, "repeats"),
    }
    plan = dataclasses.replace(plan, **{key: value for key, value in given.items() if value})
    check_places(json, page, "worlds")
    # A page has its own width, whatever terminal wrote it.
    width = _PAGE_WIDTH if page is not None else None
    console = Console(highlight=False, record=page is not None, width=width)
    report = bench_worlds(plan, console)
    if page is not None:
        text = f"```text\n{console.export_text().strip()}\n```"
        pages.fill(page, "worlds", text, report.machine.commit)
    return finish(report, console, json, failing=enforce)


def finish(report: Report, console: Console, path: Path | None, *, failing: bool = True) -> int:
    """Write the report, say where, and turn its verdict into an exit status."""
    if failing:
        for reason in report.reasons:
            console.print(f"[bold red]missed:[/] {escape(reason)}", soft_wrap=True)
    console.print(f"[dim]report: {report.write(path)}[/]", soft_wrap=True)
    return FAILED if failing and not report.passed else PASSED


def publish(
    report: Report,
    text: str,
    console: Console,
    page: Path | None,
    json: Path | None,
    *,
    failing: bool = True,
) -> int:
    """Show a report's tables, put them into `page`, and finish."""
    console.print(Markdown(text))
    if page is not None:
        pages.fill(page, report.kind, text, report.machine.commit)
    return finish(report, console, json, failing=failing)


def check_places(json: Path | None, page: Path | None, command: str) -> None:
    """Refuse now what could not be written after the measurement."""
    check_place(json)
    if page is not None:
        pages.check(page, command, machine.facts().commit)


def positive(value: float, name: str) -> float:
    """`value`, unless it is not a finite number above nothing."""
    # A NaN is refused too: no comparison with it holds.
    if not 0 < value < math.inf:
        raise ReportError(f"{name} is {value:g}; give a finite number above 0")
    return value


def _known(names: Sequence[str], known: Collection[str], what: str) -> tuple[str, ...]:
    for name in names:
        if name not in known:
            raise ReportError(
                f"no {what} is called {name!r}{did_you_mean(name, known)} "
                f"(known: {', '.join(known)})"
            )
    return tuple(names)


def _all_least(values: Sequence[int], allowed: int, name: str) -> tuple[int, ...]:
    return tuple(least(value, allowed, name) for value in values)


def least(value: int, allowed: int, name: str) -> int:
    """`value`, unless it is below what is allowed."""
    if value < allowed:
        raise ReportError(f"{name} has {value}; the least is {allowed}")
    return value


@app.command(name="matrix")
def run_matrix(
    *,
    world: str = "prospector-v1",
    modes: Names | None = None,
    implementations: Names | None = None,
    sizes: Sizes | None = None,
    threads: Threads | None = None,
    train_sizes: TrainSizes | None = None,
    minibatches: Minibatches | None = None,
    epochs: Epochs | None = None,
    seconds: Seconds = 2.0,
    ticks: Ticks = TICKS,
    repeats: Repeats = 3,
    safety: float = 0.90,
    target: float = 100_000.0,
    require: Names | None = None,
    enforce_target: bool = False,
    enforce_coverage: bool = False,
    json: Output | None = None,
) -> int:
    """Try every implementation, batch size, thread count and PPO setting; recommend floors.

    Parameters
    ----------
    world
        Id of the world.
    modes
        Which of env_only, trainer and trainer_eval to try; all unless told.
    implementations
        Which of native and reference to try.
    safety
        Part of the best candidate's slowest sample that becomes the floor.
    target
        Steps per second to aim at.
    require
        Modes and trainer backends that should have a working candidate.
    enforce_target
        Fail when the best candidate misses the target.
    enforce_coverage
        Fail when one that is required has none.
    """
    plan = matrix.Plan(
        world=registry.get(world).id,
        implementations=tuple(implementations or matrix.IMPLEMENTATIONS),
        sizes=_all_least(sizes or matrix.SIZES, 0, "sizes"),
        threads=_all_least(threads or (1, 2), 1, "threads"),
        train_sizes=_all_least(train_sizes or matrix.TRAIN_SIZES, 1, "train-sizes"),
        minibatches=_all_least(minibatches or matrix.MINIBATCHES, 1, "minibatches"),
        epochs=_all_least(epochs or matrix.EPOCHS, 1, "epochs"),
        modes=_known(modes or tuple(profile.MODES), profile.MODES, "mode"),
        seconds=positive(seconds, "seconds"),
        ticks=least(ticks, 1, "ticks"),
        repeats=least(repeats, 1, "repeats"),
        safety=safety,
        target=positive(target, "target"),
        required=_known(require or matrix.REQUIRED, _REQUIRABLE, "mode or backend"),
        enforce_target=enforce_target,
        enforce_coverage=enforce_coverage,
    )
    check_place(json)
    console = Console(highlight=False)
    return finish(matrix.bench_matrix(plan, console), console, json)


@app.command(name="floor")
def run_floor(report: Path, *, modes: Names | None = None, json: Output | None = None) -> int:
    """Rerun the best candidates of a matrix report; fail when one falls below its floor.

    Parameters
    ----------
    report
        A report written by `astrarium bench matrix`.
    modes
        Modes to hold to their floor; those the matrix was asked for unless told.
    """
    check_place(json)
    console = Console(highlight=False)
    done = floor.bench_floor(report, tuple(modes or ()), console)
    return finish(done, console, json)


@app.command
def game(
    *,
    episodes: int = 1000,
    seed: int = 7,
    threads: int = 2,
    page: Path | None = None,
    json: Path | None = None,
) -> int:
    """Play Prospector v2's ladder, vary the hauler's habits, search for exploits; judge the game.

    Parameters
    ----------
    episodes
        Episodes of each player.
    seed
        Seed of the first episode.
    threads
        Threads of a batch. Results do not depend on it.
    page
        A Markdown page whose tables to rewrite, such as docs/worlds/prospector.md.
    json
        Where to write the report.
    """
    console = Console(highlight=False)
    plan = game_bench.Plan(
        episodes=least(episodes, 2, "episodes"),
        seed=arguments.seed(seed),
        threads=least(threads, 1, "threads"),
    )
    check_places(json, page, "game")
    with console.status("starting") as status:
        report = game_bench.measure(plan, status.update)
    return publish(report, game_page.tables(report), console, page, json)
