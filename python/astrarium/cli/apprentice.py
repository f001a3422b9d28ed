"""`astrarium apprentice`: learn from a scripted teacher, then do better than it."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import cyclopts
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar

from astrarium import machine, worlds
from astrarium.bench.report import check_place
from astrarium.cli.interrupting import INTERRUPTED, say_at_once
from astrarium.cli.train import Settings, chosen_config, given_settings, plain_error
from astrarium.errors import ConfigError
from astrarium.train.apprentice.plan import GAMES, JUDGED, Plan, Stage, check
from astrarium.train.config import preset_names
from astrarium.train.correcting import Correction
from astrarium.train.teaching import Lesson
from astrarium.worlds import arguments, ladder
from astrarium.worlds.registry import Schooling

if TYPE_CHECKING:
    from astrarium.train.apprentice.crew import News

_PRESETS: Final = ("apprentice", "journeyman")
"""What the presets of a world's stages end with; it may have one of them or both."""

app: Final = cyclopts.App(name="apprentice", error_formatter=plain_error)

Stages = Annotated[tuple[str, ...], cyclopts.Parameter(consume_multiple=True, negative_iterable=())]


@app.default
def apprentice(
    world: str,
    /,
    *,
    root: Path = Path("apprentices"),
    teacher: str | None = None,
    stages: Stages = (),
    seeds: int = 5,
    first_seed: int = 0,
    workers: int = 1,
    captured: int | None = None,
    captured_steps: int | None = None,
    epochs: int = 2,
    corrections: int = 8,
    episodes: int | None = None,
    judge_seed: int = JUDGED.seed,
    page: Path | None = None,
    settings: Settings = None,
) -> int:
    """Capture a teacher, clone it, train on from the clone, and judge all on unseen episodes.

    What is finished stays in the root: the same command goes on from there. Exits with status 2
    where apprentices are not ahead of their teacher or, in a world of two sides, win too seldom.

    Parameters
    ----------
    world
        Id of the world; see `astrarium worlds`.
    root
        Folder of captures, clones, runs and judgements.
    teacher
        One of the world's players; the one it names for this unless told.
    stages
        Presets or TOML files of the trainings, each going on from the policy before it.
    seeds
        How many apprentices; `first_seed` is that of the first.
    workers
        Apprentices trained side by side, a process each; run.threads is for each of them.
    captured
        Episodes of the teacher; as many as suit the world unless told.
    captured_steps
        Steps after which such an episode is left.
    epochs
        Passes of the cloning.
    corrections
        Rounds in which the clone plays and its teacher says what it would have done.
    episodes
        Unseen episodes of each player; in a world of two sides, games against each opponent.
    judge_seed
        Seed of the first of them.
    page
        Where to write the page; beside it its picture.
    """
    schooling = _schooling(world, teacher)
    lesson = _lesson(schooling, captured, captured_steps)
    rounds = arguments.count("corrections", corrections)
    chosen = _stages(world, stages, settings)
    plan = Plan(
        world=world,
        schooling=schooling,
        stages=chosen,
        seeds=tuple(range(first_seed, first_seed + arguments.count("seeds", seeds))),
        root=root,
        lesson=lesson,
        correction=Correction(rounds, steps=lesson.steps_max),
        epochs=arguments.count("epochs", epochs),
        rules=_rules(world, episodes, judge_seed),
        threads=chosen[0].config.run.threads or 1,
    )
    return _carry_out(plan, arguments.count("workers", workers), page or root / "page.md")


def _schooling(world: str, teacher: str | None) -> Schooling:
    entry = worlds.get(world)
    if teacher is None and entry.schooling is None:
        raise ConfigError(f"{world} names no teacher; name one of its players with --teacher")
    if teacher is not None:
        ladder.policies(entry, [teacher])
    if entry.schooling is None:
        return Schooling(teacher=str(teacher))
    return dataclasses.replace(entry.schooling, teacher=teacher or entry.schooling.teacher)


def _lesson(schooling: Schooling, captured: int | None, steps: int | None) -> Lesson:
    episodes = schooling.captured if captured is None else captured
    steps = schooling.captured_steps if steps is None else steps
    return Lesson(
        arguments.count("captured", episodes), steps_max=arguments.count("captured_steps", steps)
    )


def _rules(world: str, episodes: int | None, seed: int) -> ladder.Rules:
    usual = GAMES if worlds.get(world).duels else JUDGED.episodes
    judged = usual if episodes is None else episodes
    return ladder.Rules(episodes=arguments.count("episodes", judged), seed=seed)


def _stages(world: str, named: Stages, settings: Settings) -> tuple[Stage, ...]:
    given = {} if settings is None else given_settings(settings)
    ours = [f"{world}-{end}" for end in _PRESETS]
    usual = [name for name in ours if name in preset_names()]
    if not named and not usual:
        raise ConfigError(f"no stages ship for {world}; name presets or TOML files with --stages")
    return tuple(_stage(world, name, given) for name in named or usual)


def _stage(world: str, name: str, given: dict[str, object]) -> Stage:
    """A preset by its name, or a file of settings."""
    if name.endswith(".toml"):
        return Stage(Path(name).stem, chosen_config(world, None, Path(name), given))
    return Stage(name.removeprefix(f"{world}-"), chosen_config(world, name, None, given))


def _carry_out(plan: Plan, workers: int, page: Path) -> int:
    check(plan)
    check_place(page)
    console = Console(highlight=False)
    where = machine.facts()
    console.print(f"[dim]root: {escape(str(plan.root))}[/]", soft_wrap=True)
    # Here, after everything that could be refused without loading torch.
    from astrarium.cli.apprentice_page import tell
    from astrarium.train.apprentice.course import examine, show

    try:
        with console.status(f"{plan.teacher} plays"):
            show(plan)
        _learn(console, plan, workers)
        for name, policy in _others(plan).items():
            with console.status(f"{name} plays"):
                examine(plan, worlds.get(plan.world), name, policy)
    except KeyboardInterrupt:
        say_at_once(f"stopped; go on with the same command (finished: {plan.root})")
        return INTERRUPTED
    return tell(console, plan, list(_others(plan)), where, page)


def _others(plan: Plan) -> dict[str, ladder.Policy]:
    """The teacher, then everyone else who needs no learning."""
    entry = worlds.get(plan.world)
    # Players of two sides meet each other; chance has nothing to say there.
    known = ladder.policies(entry, list(entry.oracles) if entry.duels else None)
    teacher = ladder.policies(entry, [plan.teacher])
    return {**teacher, **known}


def _learn(console: Console, plan: Plan, workers: int) -> None:
    from astrarium.train.apprentice.crew import learn_all

    bar = Bar(
        TextColumn("{task.description}"),
        BarColumn(bar_width=None, complete_style="cyan", finished_style="dim cyan"),
        TextColumn("{task.percentage:>3.0f} %", justify="right"),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    tasks = {seed: bar.add_task(f"seed {seed}", total=1.0) for seed in plan.seeds}

    def tell(news: News) -> None:
        seed, what, share = news
        bar.update(tasks[seed], description=f"seed {seed}: {escape(what)}", completed=share)

    with bar:
        learn_all(plan, workers, tell)
