"""`astrarium bench duels` and `battles`: Tidebreak's captains judged, and its battles timed."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path
from typing import Annotated

import cyclopts
from rich.console import Console

from astrarium import machine
from astrarium.bench import battles as battles_bench
from astrarium.bench import battles_page, duels_page
from astrarium.bench.report import Report
from astrarium.cli.bench import Output, Page, check_places, publish
from astrarium.cli.evaluate import chosen_window
from astrarium.cli.finding import find_run
from astrarium.train import duels as games
from astrarium.train.contenders import contender
from astrarium.worlds import arguments, ladder


def battles(
    *,
    threads: int | None = None,
    page: Page | None = None,
    json: Output | None = None,
    quick: bool = False,
    enforce: bool = False,
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
    """
    check_places(json, page, "battles")
    console = Console(highlight=False)
    plan = battles_bench.QUICK if quick else battles_bench.Plan()
    cores = (os.cpu_count() or 1) if threads is None else arguments.count("threads", threads)
    plan = dataclasses.replace(plan, threads=cores)
    with console.status("starting") as status:
        report = battles_bench.bench_battles(plan, status.update, quick=quick)
    return publish(report, battles_page.tables(report), console, page, json, failing=enforce)


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
    one = contender(find_run(run, root), chosen_window(window))
    known = ladder.policies(one.entry, list(one.entry.oracles))
    with console.status("starting") as status:
        found = games.tournament(
            one.entry,
            one.config,
            {one.name: one.policy, **known},
            list(known),
            games=arguments.count("games_each", games_each),
            seed=arguments.seed(seed),
            threads=(os.cpu_count() or 1) if threads is None else threads,
            begin=status.update,
        )
    report = _report(one.name, found)
    return publish(report, duels_page.tables(report), console, page, json, failing=enforce)


def _report(name: str, found: list[games.Meeting]) -> Report:
    checks = duels_page.checks(name, found)
    return Report(
        "duels",
        {"player": name, "games": found[0].games, "seed": games.SEED},
        machine.facts(),
        [f"{check.name}: {check.value:.3g}" for check in checks if check.passed is False],
        {
            "meetings": [one.as_dict() for one in found],
            "ratings": games.ratings(found, "line"),
            "checks": [check.as_dict() for check in checks],
        },
    )
