"""`astrarium esper watch`: a run of Esper on a terminal, while it goes on or after it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import cyclopts
from rich.console import Console, Group
from rich.text import Text

from astrarium.bench.report import PASSED
from astrarium.cli.finding import GROWN, LATEST, find_run
from astrarium.errors import ConfigError
from astrarium.runs.moments import utc_now

if TYPE_CHECKING:
    from astrarium.esper.console.follow import RunFollower

_RUNS: Final = Path("runs")


def watch(
    run: Annotated[str, cyclopts.Parameter(name="RUN")] = LATEST,
    /,
    *,
    once: bool = False,
    root: Path = _RUNS,
) -> int:
    """Follow a run on a terminal: hosts, seeds, decisions, the policy, and what is odd.

    Works while a run goes on and after it; 80 columns and 24 lines are enough, and from 130 by 40
    on everything is shown at once. Arrows choose a host and Enter shows all about it; 1 to 8 choose
    a panel, q leaves. Nothing is written, so any number may watch.

    In the table of hosts, G T B H F are the stages of a seed (germinated, training, blending,
    holding, fossilized; P E R for a slot that cools), followed by its amplitude and blueprint.

    Parameters
    ----------
    run
        A run: its id, its path, or `latest`.
    once
        Print what there is to see now, as plain text, and end.
    root
        Folder of runs.
    """
    # Here, so that listing commands does not wait for it.
    from astrarium.esper.console.follow import RunFollower

    follower = RunFollower(find_run(run, root, GROWN))
    if once:
        return _print(follower)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise ConfigError("this is no terminal to draw on; --once prints what there is to see now")
    from astrarium.esper.console.app import Dashboard

    error = Dashboard(follower).run()
    if error is not None:
        raise error
    return PASSED


def _print(follower: RunFollower) -> int:
    from astrarium.esper.console import panels

    while follower.proceed():
        pass
    seen, console = follower.snapshot, Console(highlight=False)
    parts = {
        "": Group(panels.header(seen, follower.standing(utc_now())), panels.strip(seen)),
        "hosts": panels.hosts(seen, console.width).drawn(),
        "decisions": panels.decisions(seen).drawn(),
        **panels.texts(seen),
    }
    for name, drawn in parts.items():
        console.print(*([Text(f"\n{name}", "bold")] if name else []), drawn, sep="\n")
    return PASSED
