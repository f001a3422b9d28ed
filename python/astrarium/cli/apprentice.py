"""`astrarium apprentice`: learn from a scripted teacher, then do better than it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import cyclopts
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar

from astrarium import atomic, machine, worlds
from astrarium.bench.report import FAILED, PASSED, check_place
from astrarium.cli.interrupting import INTERRUPTED, say_at_once
from astrarium.cli.train import Settings, chosen_config, given_settings, plain_error
from astrarium.errors import ConfigError
from astrarium.train.apprentice.plan import JUDGED, Plan, Stage, check
from astrarium.train.correcting import Correction
from astrarium.train.teaching import Lesson
from astrarium.worlds import arguments, ladder

if TYPE_CHECKING:
    from astrarium.train.apprentice.crew import News, Results
    from astrarium.train.apprentice.judging import Judged
    from astrarium.train.apprentice.page import Found

_PRESETS: Final = ("apprentice", "journeyman")
"""What the presets of a world's stages end with."""

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
    captured: int = 6,
    captured_steps: int = 10_000,
    epochs: int = 2,
    corrections: int = 8,
    episodes: int = JUDGED.episodes,
    judge_seed: int = JUDGED.seed,
    page: Path | None = None,
    settings: Settings = None,
) -> int:
    """Capture a teacher, clone it, train on from the clone, and judge all on unseen episodes.

    What is finished stays in the root: the same command goes on from there. Exits with status 2
    where apprentices are not ahead of their teacher.

    Parameters
    ----------
    world
        Id of the world; see `astrarium worlds`.
    root
        Folder of captures, clones, runs and judgements.
    teacher
        One of the world's players; its first oracle unless told.
    stages
        Presets or TOML files of the trainings, each going on from the policy before it.
    seeds
        How many apprentices.
    first_seed
        The seed of the first.
    workers
        Apprentices trained side by side, a process each; run.threads is for each of them.
    captured
        Episodes of the teacher.
    captured_steps
        Steps after which such an episode is left.
    epochs
        Passes of the cloning.
    corrections
        Rounds in which the clone plays and its teacher says what it would have done.
    episodes
        Unseen episodes of each player.
    judge_seed
        Seed of the first of them.
    page
        Where to write the page; beside it its picture.
    """
    chosen = _stages(world, stages, settings)
    plan = Plan(
        world=world,
        teacher=_teacher_of(world, teacher),
        stages=chosen,
        seeds=tuple(range(first_seed, first_seed + arguments.count("seeds", seeds))),
        root=root,
        lesson=_lesson(captured, captured_steps),
        correction=Correction(arguments.count("corrections", corrections), steps=captured_steps),
        epochs=arguments.count("epochs", epochs),
        rules=ladder.Rules(episodes=arguments.count("episodes", episodes), seed=judge_seed),
        threads=chosen[0].config.run.threads or 1,
    )
    return _carry_out(plan, arguments.count("workers", workers), page or root / "page.md")


def _teacher_of(world: str, named: str | None) -> str:
    entry = worlds.get(world)
    teacher = next(iter(entry.oracles), None) if named is None else named
    if teacher is None:
        raise ConfigError(f"{world} has no oracle to learn from; name one of its players")
    ladder.policies(entry, [teacher])
    return teacher


def _lesson(captured: int, steps: int) -> Lesson:
    episodes = arguments.count("captured", captured)
    return Lesson(episodes, steps_max=arguments.count("captured_steps", steps))


def _stages(world: str, named: Stages, settings: Settings) -> tuple[Stage, ...]:
    given = {} if settings is None else given_settings(settings)
    usual = [f"{world}-{end}" for end in _PRESETS]
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
    from astrarium.train.apprentice.course import judgement_at, show
    from astrarium.train.apprentice.judging import judge
    from astrarium.train.apprentice.keeping import read_json
    from astrarium.train.apprentice.page import Found

    try:
        with console.status(f"{plan.teacher} plays"):
            show(plan)
        results = _learn(console, plan, workers)
    except KeyboardInterrupt:
        say_at_once(f"stopped; go on with the same command (finished: {plan.root})")
        return INTERRUPTED
    entry = worlds.get(plan.world)
    others: dict[str, Judged] = {}
    for name, policy in _others(plan).items():
        with console.status(f"{name} plays"):
            others[name] = judge(plan, entry, name, policy)
    gates = {seed: read_json(judgement_at(plan, seed)) for seed in plan.seeds}
    return _tell(console, plan, Found(results, others, gates), where, page)


def _others(plan: Plan) -> dict[str, ladder.Policy]:
    """The teacher, then everyone else who needs no learning."""
    known = ladder.policies(worlds.get(plan.world))
    return {plan.teacher: known.pop(plan.teacher), **known}


def _learn(console: Console, plan: Plan, workers: int) -> Results:
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
        return learn_all(plan, workers, tell)


def _tell(console: Console, plan: Plan, found: Found, where: machine.Machine, place: Path) -> int:
    from astrarium.train.apprentice import page, pictures

    outcomes: Sequence[str] = tuple(worlds.get(plan.world).outcomes)
    picture = place.with_name(f"{place.stem}-courses.png")
    place.parent.mkdir(parents=True, exist_ok=True)
    atomic.write_bytes(picture, pictures.courses(plan, outcomes))
    atomic.write_text(place, page.page(plan, found, where, picture.name))
    rows = page.asked(plan, found)
    for one in rows:
        colour = "green" if one.met else "red"
        low, high = one.ahead.low, one.ahead.high
        span = "" if low is None or high is None else f" [{low:+.3f}, {high:+.3f}]"
        words = f"{one.figure} ahead of {one.other} by"
        console.print(f"{words:44} [{colour}]{one.ahead.value:+.3f}[/]{escape(span)}")
    for what, where_to in (("page", place), ("picture", picture)):
        console.print(f"[dim]{what}: {escape(str(where_to))}[/]", soft_wrap=True)
    return PASSED if all(one.met for one in rows) else FAILED
