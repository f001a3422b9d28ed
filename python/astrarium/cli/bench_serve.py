"""`astrarium bench serve` and `stability`: the observatory measured and watched."""

from __future__ import annotations

from rich.console import Console

from astrarium.bench import serve as serve_bench
from astrarium.bench import serve_page, serve_stability
from astrarium.bench.report import check_place
from astrarium.cli.bench import Output, Page, check_places, publish
from astrarium.extras import require_extra

_PACKAGES = ("fastapi", "uvicorn", "websockets")


def serve(
    *,
    page: Page | None = None,
    json: Output | None = None,
    quick: bool = False,
    enforce: bool = False,
) -> int:
    """Frames per second, latencies and memory of the server, beside a bare uvicorn.

    Parameters
    ----------
    quick
        Few frames and requests: to see that it works, not to publish.
    enforce
        Exit with status 2 when something asked was not reached.
    """
    for package in _PACKAGES:
        require_extra(package, "serve")
    check_places(json, page, "serve")
    console = Console(highlight=False)
    with console.status("starting") as status:
        plan = serve_bench.QUICK if quick else serve_bench.Plan()
        report = serve_bench.bench_serve(plan, status.update)
    return publish(report, serve_page.tables(report), console, page, json, failing=enforce)


def stability(*, json: Output | None = None, quick: bool = False) -> int:
    """Train three runs under one server; exit with status 2 when an answer or memory drifts.

    Parameters
    ----------
    quick
        One run and few questions: to see that it works.
    """
    for package in _PACKAGES:
        require_extra(package, "serve")
    require_extra("torch", "train")
    check_place(json)
    console = Console(highlight=False)
    with console.status("starting") as status:
        plan = serve_stability.QUICK if quick else serve_stability.Plan()
        report = serve_stability.bench_stability(plan, status.update)
    return publish(report, serve_stability.tables(report), console, None, json)
