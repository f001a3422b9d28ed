"""Wars from their first day to their last, in a folder or in memory."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

from astrarium.campaign import chronicle
from astrarium.campaign.beginning import begin
from astrarium.campaign.captains import RUNS, arena
from astrarium.campaign.day import Fight, live
from astrarium.campaign.ending import judge
from astrarium.campaign.folder import WarFolder
from astrarium.campaign.plan import Plan
from astrarium.campaign.report import write_report
from astrarium.campaign.state import War

Told = Callable[[War], None]


def wage(
    folder: WarFolder,
    fight: Fight = arena,
    *,
    told: Told | None = None,
    stop: Callable[[], bool] = lambda: False,
    runs: Path = RUNS,
) -> War:
    """Live the days a war has left, writing each; stops early, between two days, when asked.

    The folder is closed then, so that others may write it.

    The report of a war that is over links to those of its battles that were recorded below `runs`.
    """
    with contextlib.closing(folder):
        while not folder.war.ended_by and folder.war.day < folder.days and not stop():
            folder.add(live(folder.plan, folder.war, fight))
            if told is not None:
                told(folder.war)
        if folder.war.day >= folder.days:
            judge(folder.plan, folder.war)
        folder.keep()
        if folder.war.ended_by:
            write_report(folder.path, runs)
        return folder.war


def new_war(
    path: Path, plan: Plan, seed: int, days: int, doctrines: dict[str, str] | None = None
) -> WarFolder:
    """A war about to begin."""
    return WarFolder.begin(path, plan, days, begin(plan, seed, doctrines))


def rehearse(
    plan: Plan, seed: int, days: int, fight: Fight = arena, doctrines: dict[str, str] | None = None
) -> War:
    """A whole war in memory, with the same log hash as one in a folder."""
    war = begin(plan, seed, doctrines)
    while not war.ended_by and war.day < days:
        evening = live(plan, war, fight)
        war = evening.war
        war.log_hash = chronicle.chained(war.log_hash, chronicle.log_lines(war, evening.records))
    judge(plan, war)
    return war
