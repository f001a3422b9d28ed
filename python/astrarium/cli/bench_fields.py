"""`astrarium bench fields`: MorphoSpace measured."""

from __future__ import annotations

from rich.console import Console

from astrarium.bench import fields as fields_bench
from astrarium.cli.bench import Output, Page, check_places, publish


def fields(*, page: Page | None = None, json: Output | None = None, enforce: bool = False) -> int:
    """What steps, stamps, queries and memory of MorphoSpace take, against what is asked.

    Parameters
    ----------
    enforce
        Exit with status 2 when something asked was not reached.
    """
    check_places(json, page, "fields")
    console = Console(highlight=False)
    with console.status("building and measuring"):
        report = fields_bench.bench_fields()
    return publish(report, fields_bench.tables(report), console, page, json, failing=enforce)
