"""An apprenticeship as a page: every player, every difference, what was asked and what was not
reached."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from astrarium.machine import Machine
from astrarium.train.apprentice.judging import Judged, across, ahead, figures_of
from astrarium.train.apprentice.plan import CLONE, Plan, Stage
from astrarium.train.intervals import Interval


@dataclass(frozen=True, slots=True)
class Found:
    """What came of an apprenticeship."""

    apprentices: Mapping[int, Mapping[str, Judged]]
    """By seed, then by what they had learned: the clone, then every stage."""
    others: Mapping[str, Judged]
    """The teacher first."""
    gates: Mapping[int, Mapping[str, Any]]
    """How well each clone does what its teacher did."""

    def after(self, stage: str) -> list[Judged]:
        """All apprentices at the end of a stage."""
        return [one[stage] for one in self.apprentices.values()]


@dataclass(frozen=True, slots=True)
class Asked:
    """Apprentices are to be ahead of another player in a figure."""

    figure: str
    other: str
    ahead: Interval

    @property
    def met(self) -> bool:
        """Whether they are ahead on average."""
        return self.ahead.value > 0

    @property
    def sure(self) -> bool:
        """Whether the whole interval is."""
        return self.ahead.sign > 0


def asked(plan: Plan, found: Found) -> list[Asked]:
    """In every figure ahead of the teacher; in the return ahead of everyone."""
    last = found.after(plan.stages[-1].name)
    figures = figures_of(last[0])
    teacher = found.others[plan.teacher]
    rows = [Asked(name, plan.teacher, ahead(last, teacher, name)) for name in figures]
    for name, other in found.others.items():
        if name != plan.teacher:
            rows.append(Asked(figures[0], name, ahead(last, other, figures[0])))
    return rows


def page(plan: Plan, found: Found, where: Machine, picture: str) -> str:
    """The report in Markdown; `picture` is the name of a file beside it."""
    how = (
        f"All players are judged in the same world with its own settings and rewards, "
        f"{plan.rules.words()}: episodes that nobody learned from. Brackets are 95 % intervals "
        "over apprentices."
    )
    parts = [
        *_head(plan, where, how),
        "",
        *_players(plan, found),
        "",
        *_verdict(plan, found),
        "",
        f"![How they learned]({picture})",
        "",
        *_each(plan, found),
        "",
        *_stages(plan, lambda stage: _return_words(found.after(stage.name))),
    ]
    return "\n".join(parts).strip() + "\n"


def page_of_duels(
    plan: Plan, where: Machine, picture: str, tables: str, won: Callable[[Stage], str]
) -> str:
    """The report on a world of two sides: `tables` of games, and what was `won` after a stage."""
    how = (
        f"All players meet the world's own players in its own settings, {plan.rules.episodes} "
        f"games each, every seed from both sides, seeds from {plan.rules.seed}: battles that "
        "nobody learned from. Brackets are Wilson's 95 % intervals."
    )
    parts = [
        *_head(plan, where, how),
        "",
        tables,
        "",
        f"![How they learned]({picture})",
        "",
        *_stages(plan, won),
    ]
    return "\n".join(parts).strip() + "\n"


def _head(plan: Plan, where: Machine, how: str) -> Iterator[str]:
    yield f"# Apprentices of {plan.world}"
    yield ""
    yield (
        f"`{where.command}` at commit {where.commit}; {where.cpu}, {where.cores} cores, load "
        f"{where.load:.1f} before."
    )
    yield ""
    yield (
        f"`{plan.teacher}` is captured, cloned, and the clone trained on by PPO; each of "
        f"{len(plan.seeds)} seeds is an apprentice of its own. {how}"
    )


def _players(plan: Plan, found: Found) -> Iterator[str]:
    first = next(iter(found.others.values()))
    figures = list(first.figures)
    rows = [
        (f"{name}, mean of {len(found.apprentices)}", *_spans(found.after(name), figures))
        for name in (plan.stages[-1].name, CLONE)
    ]
    for name, one in found.others.items():
        rows.append((name, *(_number(one.mean(figure)) for figure in figures)))
    yield from _table(("player", *figures), rows)


def _spans(judged: Sequence[Judged], figures: Sequence[str]) -> list[str]:
    return [_words(across(judged, figure)) for figure in figures]


def _verdict(plan: Plan, found: Found) -> Iterator[str]:
    yield "Apprentices less others, on the same episodes:"
    yield ""
    rows = [
        (one.figure, one.other, _words(one.ahead, signed=True), _met(one))
        for one in asked(plan, found)
    ]
    yield from _table(("figure", "ahead of", "by", "asked: more than 0"), rows)


def _met(one: Asked) -> str:
    if not one.met:
        return "**no**"
    if one.ahead.low is None:
        return "yes, of the only apprentice"
    return "yes" if one.sure else "yes on average; the interval holds 0"


def _each(plan: Plan, found: Found) -> Iterator[str]:
    yield "Every apprentice after its last stage:"
    yield ""
    last = plan.stages[-1].name
    figures = list(found.others[plan.teacher].figures)
    rows = [
        (
            str(seed),
            f"{found.gates[seed]['accuracy']:.3f}",
            *(_number(one[last].mean(figure)) for figure in figures),
        )
        for seed, one in found.apprentices.items()
    ]
    yield from _table(("seed", "clone right in", *figures), rows)


def _stages(plan: Plan, came_to: Callable[[Stage], str]) -> Iterator[str]:
    yield "Stages, each from the policy before it:"
    yield ""
    for stage in plan.stages:
        own = stage.config.world.settings
        settings = "the world's own settings" if not own else f"trained with `{own}`"
        yield (
            f"- `{stage.name}`: {stage.config.run.total_env_steps:,} ticks, {settings}; "
            f"{came_to(stage)}."
        )


def _return_words(judged: Sequence[Judged]) -> str:
    return f"return {_words(across(judged, figures_of(judged[0])[0]))}"


def _words(given: Interval, *, signed: bool = False) -> str:
    sign = "+" if signed else ""
    words = _number(given.value, sign)
    if given.low is None or given.high is None:
        return words
    return f"{words} [{_number(given.low, sign)}, {_number(given.high, sign)}]"


def _number(value: float, sign: str = "") -> str:
    return f"{value:{sign}.1f}" if abs(value) >= 10 else f"{value:{sign}.3f}"


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(columns)} |"
    yield f"|{' --- |' * len(columns)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"
