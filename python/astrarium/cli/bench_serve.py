"""`astrarium bench serve`: how fast the observatory sends frames."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from astrarium.bench.report import check_place
from astrarium.bench.serve import QUICK, Plan, bench_serve
from astrarium.cli.bench import finish
from astrarium.telemetry.sinks import need


def serve(*, json: Path | None = None, quick: bool = False, enforce: bool = False) -> int:
    """Frames per second, latencies and memory of the server, beside a bare uvicorn.

    Parameters
    ----------
    json
        Where to write the report.
    quick
        Few frames and requests: to see that it works, not to publish.
    enforce
        Exit with status 2 when something asked was not reached.
    """
    for package in ("fastapi", "uvicorn", "websockets"):
        need(package, "serve")
    check_place(json)
    console = Console(highlight=False)
    report = bench_serve(QUICK if quick else Plan(), console)
    return finish(report, console, json, failing=enforce)
