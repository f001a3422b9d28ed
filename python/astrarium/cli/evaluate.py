"""`astrarium evaluate`: trained policies beside the scripted bots, on episodes kept for this."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Final

import cyclopts
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn
from rich.table import Table

from astrarium import atomic
from astrarium.bench.report import FAILED, PASSED, Report, check_place
from astrarium.bench.tables import fits, mark, new_table, print_table
from astrarium.cli.finding import TRAINED, find_run
from astrarium.errors import ConfigError
from astrarium.machine import facts
from astrarium.runs import RunFolder
from astrarium.train import evaluation_report as written
from astrarium.train.contenders import Contender, Window, check_comparable, contender
from astrarium.train.evaluate import PROTOCOL, RETURN, Evaluation
from astrarium.train.evaluate import evaluate as play_all
from astrarium.worlds import arguments, ladder
from astrarium.worlds.registry import Yardstick

_ALL: Final = "all"
_NONE: Final = "none"
_VERDICTS: Final = {"better": "green", "worse": "red", "even": "dim"}
_Build = Callable[[Evaluation, Sequence[Yardstick]], Table]
_Flag = Annotated[bool, cyclopts.Parameter(negative=())]


def evaluate(
    run: str,
    *others: str,
    episodes: int = PROTOCOL.episodes,
    seed: int = PROTOCOL.seed,
    window: str = "latest",
    sampled: Annotated[bool | None, cyclopts.Parameter(negative="--greedy")] = None,
    versus: str = _ALL,
    threads: int | None = None,
    root: Annotated[Path, cyclopts.Parameter(help="Folder of the run folders.")] = Path("runs"),
    json: Annotated[Path | None, cyclopts.Parameter(help="Where to write a report.")] = None,
    markdown: Annotated[Path | None, cyclopts.Parameter(help="The same as a page.")] = None,
    per_seed: _Flag = False,
    enforce: _Flag = False,
) -> int:
    """Evaluate trained policies on held-out episodes, beside the world's scripted bots.

    Every player plays the same seeds, and differences are judged episode by episode. Several runs
    (one per training seed, say) are compared with each other too.

    Parameters
    ----------
    run
        A run: its id, its path, or `latest`.
    others
        More runs of the same world.
    episodes
        Episodes of each player, in one batch.
    seed
        Seed of the first episode; each next one has the next seed. Below 100,000 no run has used
        them to choose its best checkpoint.
    window
        Whose checkpoint plays: the number of a window, `latest`, or `best` for the window with the
        highest mean return in training.
    sampled
        Draw actions as in training, or take the likeliest; unless told, as the run evaluates
        its own checkpoints.
    versus
        Bots to play: `all`, `none`, or names separated by commas.
    threads
        Threads to step the batch with; every core unless told. Results do not depend on it.
    per_seed
        Put every episode into the report and a table of returns by seed on the page.
    enforce
        Exit with 2 when a policy does not reach what its world expects of one.
    """
    console = Console(highlight=False)
    rules = ladder.Rules(
        episodes=arguments.count("episodes", episodes),
        seed=arguments.seed(seed),
        threads=arguments.count("threads", (os.cpu_count() or 1) if threads is None else threads),
    )
    for place in (json, markdown):
        if place is not None:
            check_place(place)
    folders = [find_run(one, root, TRAINED) for one in (run, *others)]
    contenders = _contenders(folders, window, None if sampled is None else not sampled)
    bots = _bots(contenders[0], versus)
    _announce(console, contenders, rules)
    evaluation = _play(console, contenders, rules, bots)
    if enforce and not evaluation.expectations():
        raise ConfigError(
            f"nothing to judge by: {evaluation.entry.id} expects nothing of a trained policy in "
            "comparison with these bots; leave out --enforce, or play them with --versus all"
        )
    _show(console, evaluation)
    _write(console, evaluation, json, markdown, per_seed=per_seed)
    return FAILED if enforce and evaluation.reasons() else PASSED


def _contenders(folders: Sequence[RunFolder], window: str, greedy: bool | None) -> list[Contender]:
    chosen = chosen_window(window)
    contenders = [contender(folder, chosen, greedy=greedy) for folder in folders]
    check_comparable(contenders)
    return contenders


def chosen_window(given: str) -> Window:
    """Whose checkpoint is meant by what was typed."""
    if given == "latest" or given == "best":
        return given
    if given.isdecimal():
        return int(given)
    raise ConfigError(f"--window {given!r} is no window; give its number, 'latest' or 'best'")


def _bots(first: Contender, versus: str) -> list[str] | None:
    """The names asked for, refused now if unknown; None for all."""
    if versus == _ALL:
        return None
    names = [] if versus == _NONE else versus.split(",")
    ladder.policies(first.entry, names)
    return names


def _announce(console: Console, contenders: Sequence[Contender], rules: ladder.Rules) -> None:
    entry = contenders[0].entry
    names = ", ".join(f"{one.name} ({_choice_words(one)})" for one in contenders)
    console.print(f"[bold]{escape(names)}[/] on {entry.title}", soft_wrap=True)
    console.print(f"[dim]{rules.words()}[/]\n")


def _choice_words(one: Contender) -> str:
    if one.is_baseline:
        return "a baseline of random actions, no policy"
    return "likeliest actions" if one.facts["greedy"] else "sampled actions"


def _play(
    console: Console, contenders: Sequence[Contender], rules: ladder.Rules, bots: list[str] | None
) -> Evaluation:
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=None, complete_style="cyan", finished_style="dim cyan"),
        TextColumn("{task.completed:,.0f}/{task.total:,.0f}", justify="right"),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )

    def begin(name: str) -> ladder.Progress:
        task = bar.add_task(escape(name), total=rules.episodes)
        return lambda _, ended, steps: bar.update(task, completed=ended)

    with bar:
        return play_all(contenders, rules, versus=bots, begin=begin)


def _show(console: Console, evaluation: Evaluation) -> None:
    _print_fitting(console, evaluation, _figures)
    console.print("[dim]return with its 95 % interval; other figures are means[/]")
    if not evaluation.held_out():
        console.print(
            "[yellow]not held out: a run evaluated its own checkpoints on some of these seeds[/]"
        )
    for name in evaluation.contenders:
        others = [theirs for ours, theirs in evaluation.pairs() if ours == name]
        if others:
            console.print(f"\n[bold]{escape(name)} less the others, on the same episodes[/]")
            _print_fitting(console, evaluation, partial(_differences, ours=name, others=others))
    if len(evaluation.contenders) > 1:
        across = written.interval_words(evaluation.across_runs(RETURN), RETURN)
        console.print(f"\nmean return across {len(evaluation.contenders)} runs: [bold]{across}[/]")
    if evaluation.expectations():
        console.print("\n[bold]Expected of a trained policy[/]")
        table = new_table("", "difference", "")
        for one in evaluation.expectations():
            words = written.interval_words(one.overall, one.yardstick, signed=True)
            table.add_row(one.words(), words, mark(one.passed))
        print_table(console, table)


def _print_fitting(console: Console, evaluation: Evaluation, build: _Build) -> None:
    """A table with as many of the world's figures as there is room for."""
    figures = list(evaluation.yardsticks[1:])
    table = build(evaluation, figures)
    while figures and not fits(console, table):
        figures.pop()
        table = build(evaluation, figures)
    print_table(console, table)


def _new_table(first: str, figures: Sequence[Yardstick]) -> Table:
    return new_table(first, *(written.title_of(one) for one in (RETURN, *figures)))


def _figures(evaluation: Evaluation, figures: Sequence[Yardstick]) -> Table:
    table = _new_table("player", figures)
    ranked = sorted(
        evaluation.records, key=lambda name: evaluation.figure(name, RETURN).value, reverse=True
    )
    for name in ranked:
        kind = written.kind_of(evaluation, name)
        table.add_row(
            escape(name) + (" *" if kind == "oracle" else ""),
            written.interval_words(evaluation.figure(name, RETURN), RETURN),
            *(written.number_words(evaluation.figure(name, one).value, one) for one in figures),
            style="bold" if kind == "run" else "",
        )
    if any(name in evaluation.entry.sees_hidden for name in ranked):
        table.caption = "* sees the hidden state: a ceiling"
        table.caption_justify = "left"
    return table


def _differences(
    evaluation: Evaluation, figures: Sequence[Yardstick], *, ours: str, others: Sequence[str]
) -> Table:
    table = _new_table("compared with", figures)
    for theirs in others:
        cells = [_judged(evaluation, ours, theirs, RETURN, whole=True)]
        cells += [_judged(evaluation, ours, theirs, one, whole=False) for one in figures]
        table.add_row(escape(theirs), *cells)
    return table


def _judged(evaluation: Evaluation, ours: str, theirs: str, one: Yardstick, *, whole: bool) -> str:
    difference = evaluation.difference(ours, theirs, one)
    style = _VERDICTS[written.verdict(difference, one)]
    words = (
        written.interval_words(difference, one, signed=True)
        if whole
        else written.number_words(difference.value, one, signed=True)
    )
    return f"[{style}]{words}[/]"


def _write(
    console: Console,
    evaluation: Evaluation,
    json: Path | None,
    markdown: Path | None,
    *,
    per_seed: bool,
) -> None:
    artifacts = {} if markdown is None else {"markdown": str(markdown)}
    if markdown is not None:
        atomic.write_text(markdown, written.markdown(evaluation, per_seed=per_seed))
    if json is not None:
        Report(
            kind="evaluation",
            config=written.config_of(evaluation),
            machine=facts(),
            reasons=evaluation.reasons(),
            results=written.results_of(evaluation, per_seed=per_seed),
            artifacts=artifacts,
        ).write(json)
        artifacts["report"] = str(json)
    if artifacts:
        console.print()
    for what, place in artifacts.items():
        console.print(f"[dim]{what}: {escape(place)}[/]", soft_wrap=True)
