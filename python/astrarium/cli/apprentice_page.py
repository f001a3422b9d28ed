"""What came of an apprenticeship: shown, written down, and turned into an exit status."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from rich.console import Console
from rich.markdown import Markdown
from rich.markup import escape

from astrarium import atomic, machine, worlds
from astrarium.bench import duels_page
from astrarium.bench.report import FAILED, PASSED
from astrarium.train.apprentice import page, pictures
from astrarium.train.apprentice.course import judgement_at
from astrarium.train.apprentice.dueling import fought
from astrarium.train.apprentice.judging import judged
from astrarium.train.apprentice.keeping import read_json
from astrarium.train.apprentice.plan import CLONE, Plan, Stage


def tell(
    console: Console, plan: Plan, others: Sequence[str], where: machine.Machine, place: Path
) -> int:
    """Write the page and its picture; whether all that was asked was reached."""
    entry = worlds.get(plan.world)
    picture = place.with_name(f"{place.stem}-courses.png")
    place.parent.mkdir(parents=True, exist_ok=True)
    atomic.write_bytes(picture, pictures.courses(plan, tuple(entry.outcomes)))
    say = _tell_duels if entry.duels else _tell_figures
    passed = say(console, plan, others, where, place, picture.name)
    for what, where_to in (("page", place), ("picture", picture)):
        console.print(f"[dim]{what}: {escape(str(where_to))}[/]", soft_wrap=True)
    return PASSED if passed else FAILED


def _tell_figures(
    console: Console,
    plan: Plan,
    others: Sequence[str],
    where: machine.Machine,
    place: Path,
    picture: str,
) -> bool:
    """By how far apprentices are ahead of the others."""
    learned = [CLONE, *(stage.name for stage in plan.stages)]
    found = page.Found(
        {seed: {name: judged(plan, f"{name}-{seed}") for name in learned} for seed in plan.seeds},
        {name: judged(plan, name) for name in others},
        {seed: read_json(judgement_at(plan, seed)) for seed in plan.seeds},
    )
    atomic.write_text(place, page.page(plan, found, where, picture))
    rows = page.asked(plan, found)
    for one in rows:
        colour = "green" if one.met else "red"
        low, high = one.ahead.low, one.ahead.high
        span = "" if low is None or high is None else f" [{low:+.3f}, {high:+.3f}]"
        words = f"{one.figure} ahead of {one.other} by"
        console.print(f"{words:44} [{colour}]{one.ahead.value:+.3f}[/]{escape(span)}")
    return all(one.met for one in rows)


def _tell_duels(
    console: Console,
    plan: Plan,
    others: Sequence[str],
    where: machine.Machine,
    place: Path,
    picture: str,
) -> bool:
    """Which share of their games they win."""
    last = [f"{plan.stages[-1].name}-{seed}" for seed in plan.seeds]
    clones = [f"{CLONE}-{seed}" for seed in plan.seeds]
    found = [one for name in (*last, *clones, *others) for one in fought(plan, name)]
    asked = duels_page.checks(worlds.get(plan.world).duels, last, found)
    tables = duels_page.tables(duels_page.results(found, plan.teacher, asked))
    won = page.page_of_duels(plan, where, picture, tables, lambda stage: _won(plan, stage))
    atomic.write_text(place, won)
    console.print(Markdown(tables))
    return all(check.passed for check in asked)


def _won(plan: Plan, stage: Stage) -> str:
    """The shares of a stage, on average over apprentices."""
    found = [one for seed in plan.seeds for one in fought(plan, f"{stage.name}-{seed}")]
    opponents = dict.fromkeys(one.opponent for one in found)
    shares = (
        (name, fmean(one.share.value for one in found if one.opponent == name))
        for name in opponents
    )
    return "won " + ", ".join(f"{share:.1%} against {name}" for name, share in shares)
