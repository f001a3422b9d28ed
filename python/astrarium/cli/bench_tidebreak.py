"""`astrarium bench duels` and `battles`: Tidebreak's captains judged, and its battles timed."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path
from typing import Annotated, Final

import cyclopts
from rich.console import Console

from astrarium import machine
from astrarium.atomic import check_file
from astrarium.bench import battles as battles_bench
from astrarium.bench import battles_baseline as beside
from astrarium.bench import battles_page, duels_page
from astrarium.bench.report import Report
from astrarium.cli.bench import Output, Page, check_places, publish
from astrarium.cli.evaluate import chosen_window
from astrarium.cli.finding import TRAINED, find_run
from astrarium.errors import ConfigError
from astrarium.train import duels as games
from astrarium.train.contenders import Contender, contender
from astrarium.worlds import arguments, ladder

_ANCHOR: Final = "line"
"""Whom ratings are told in comparison with."""


def battles(
    *,
    threads: int | None = None,
    page: Page | None = None,
    json: Output | None = None,
    quick: bool = False,
    enforce: bool = False,
    baseline: Path | None = None,
    save_baseline: Path | None = None,
) -> int:
    """Ticks per second of battles, how they grow, what Python adds and what memory they take.

    Parameters
    ----------
    threads
        Threads of the large batch; every core unless told.
    quick
        Short battles and few of them: to see that it works, not to publish.
    enforce
        Exit with status 2 when something asked was not reached.
    baseline
        What an earlier --save-baseline kept; anything over 15 % slower makes the exit status 1.
        Both are told in the work of a yardstick, so the machine's own speed does not count.
    save_baseline
        Where to keep what each row takes, to hold later runs to.
    """
    check_places(json, page, "battles")
    if save_baseline is not None:
        check_file(save_baseline)
    console = Console(highlight=False)
    plan = battles_bench.QUICK if quick else battles_bench.Plan()
    cores = (os.cpu_count() or 1) if threads is None else arguments.count("threads", threads)
    plan = dataclasses.replace(plan, threads=cores)
    before = None if baseline is None else beside.read(baseline, dataclasses.asdict(plan))
    with console.status("starting") as told:
        speed = beside.yardstick()
        report = battles_bench.bench_battles(plan, told.update, quick=quick)
        found = beside.costs(report, max(speed, beside.yardstick()))
    status = publish(report, battles_page.tables(report), console, page, json, failing=enforce)
    if save_baseline is not None:
        beside.save(save_baseline, report, found)
    worse = [] if before is None else beside.slower(found, before)
    for line in worse:
        console.print(line, style="red", markup=False, soft_wrap=True)
    return beside.REGRESSED if worse else status


def duels(
    run: str,
    *,
    games_each: int = games.GAMES,
    seed: int = games.SEED,
    window: str = "latest",
    threads: int | None = None,
    root: Annotated[Path, cyclopts.Parameter(help="Folder of the run folders.")] = Path("runs"),
    page: Page | None = None,
    json: Output | None = None,
    enforce: bool = False,
) -> int:
    """Side-swapped games of a trained policy and of the doctrines, on held-out seeds.

    Parameters
    ----------
    run
        A run: its id, its path, or `latest`.
    games_each
        Games against each doctrine, half of them from either side.
    seed
        Of the first battle.
    window
        Whose checkpoint plays: the number of a window, `latest` or `best`.
    threads
        Threads to step with; every core unless told.
    enforce
        Exit with status 2 when the policy does not win often enough.
    """
    check_places(json, page, "duels")
    console = Console(highlight=False)
    one = contender(find_run(run, root, TRAINED), chosen_window(window))
    _refuse(one, arguments.count("games_each", games_each), arguments.seed(seed))
    known = ladder.policies(one.entry, list(one.entry.oracles))
    with console.status("starting") as status:
        found = games.tournament(
            one.entry,
            one.config,
            {one.name: one.policy, **known},
            list(known),
            games=games_each,
            seed=seed,
            threads=(os.cpu_count() or 1) if threads is None else threads,
            begin=status.update,
        )
    checks = duels_page.checks(one.entry.duels, [one.name], found)
    report = Report(
        "duels",
        {"player": one.name, "games": games_each, "seed": seed},
        machine.facts(),
        [f"{check.name}: {check.value:.3g}" for check in checks if check.passed is False],
        duels_page.results(found, _ANCHOR, checks),
    )
    return publish(report, duels_page.page(report), console, page, json, failing=enforce)


def _refuse(one: Contender, games_each: int, seed: int) -> None:
    """What could only fail after the first games, or would judge by what was known before."""
    if not one.entry.duels:
        raise ConfigError(f"{one.entry.id} is no world of two sides; use `astrarium evaluate`")
    if one.has_seen(seed, games_each // 2):
        raise ConfigError(
            f"seeds {seed} to {seed + games_each // 2 - 1} are not held out: {one.name} was "
            f"evaluated on some of {one.seen.start} to {one.seen.stop - 1} in training; choose "
            "others with --seed"
        )
