"""`astrarium bench towns`: Townlet measured."""

from __future__ import annotations

from rich.console import Console

from astrarium.bench import towns as towns_bench
from astrarium.bench import towns_page
from astrarium.cli.bench import Output, Page, check_places, publish


def towns(
    *,
    page: Page | None = None,
    json: Output | None = None,
    quick: bool = False,
    enforce: bool = False,
) -> int:
    """Agent-steps per second of Townlet, how they scale, and what a town weighs and gains.

    Parameters
    ----------
    quick
        Small towns and few ticks: to see that it works, not to publish.
    enforce
        Exit with status 2 when something asked was not reached.
    """
    check_places(json, page, "towns")
    console = Console(highlight=False)
    plan = towns_bench.QUICK if quick else towns_bench.Plan()
    with console.status("starting") as status:
        report = towns_bench.bench_towns(plan, status.update)
    return publish(report, towns_page.tables(report), console, page, json, failing=enforce)
