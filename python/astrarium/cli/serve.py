"""`astrarium serve`: the observatory in a browser, and a check of one that runs."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import cyclopts
from rich.console import Console
from rich.markup import escape

from astrarium.bench.tables import new_table, print_table
from astrarium.cli.json_output import Json, print_json
from astrarium.extras import require_extra

Origins = Annotated[list[str], cyclopts.Parameter(consume_multiple=True, negative="")]


def serve(
    *,
    root: Path = Path("runs"),
    reports: Path = Path("bench-reports"),
    wars: Path = Path("wars"),
    host: str = "127.0.0.1",
    port: int = 8000,
    cors_origins: Origins | None = None,
    cors_pattern: str | None = None,
    host_names: Origins | None = None,
    app_folder: Path | None = None,
    requests_per_second: float | None = None,
    sockets_per_client: int | None = None,
    trusted_proxies: Origins | None = None,
    limits: Origins | None = None,
    without_token: bool = False,
    check: str | None = None,
    json: Json = False,
) -> int:
    """Serve runs, replays and play over HTTP, or check a server that runs.

    The token for remote use comes from the environment variable ASTRARIUM_TOKEN, the key of
    Weights & Biases from WANDB_API_KEY.

    Parameters
    ----------
    root
        The folder of runs.
    reports
        The folder of benchmark reports.
    wars
        The folder of wars, as `astrarium campaign run` fills it.
    host
        The address to listen at; only this machine unless told.
    port
        The port to listen at; 0 takes one that is free.
    cors_origins
        Other origins whose pages may ask, such as https://lab.example.
    cors_pattern
        A regular expression for more origins, matched whole.
    host_names
        Further names by which this server may be called without a token.
    app_folder
        A built web app to serve in place of the one that came with the package.
    requests_per_second
        How fast one client may ask; 0 is without limit.
    sockets_per_client
        How many streams one client may hold open.
    trusted_proxies
        Addresses or networks of reverse proxies whose X-Forwarded-For names the client.
    limits
        Other limits as NAME=VALUE; docs/serving.md lists them.
    without_token
        Listen beyond this machine without a token; something else must guard the way.
    check
        Check the server at this URL instead, and exit with 1 if it fails a check.
    json
        With --check, print the results as JSON.
    """
    for package in ("fastapi", "uvicorn"):
        require_extra(package, "serve")
    if check is not None:
        return _check(check, json)
    folders = {"runs_root": root, "reports": reports, "wars": wars, "app_folder": app_folder}
    network = {"host": host, "port": port, "host_names": host_names}
    callers = {"cors_origins": cors_origins, "cors_pattern": cors_pattern}
    callers |= {"trusted_proxies": trusted_proxies, "sockets_per_client": sockets_per_client}
    given = {**folders, **network, **callers, "requests_per_second": requests_per_second}
    _serve(given, limits or [], without_token)
    return 0


def _serve(given: Mapping[str, Any], limits: Sequence[str], without_token: bool) -> None:
    # Imported on use: they bring the packages of the extra.
    from astrarium.serve import running
    from astrarium.serve.settings import check_reach, from_environment, limits_of

    settings = from_environment({**given, **limits_of(limits)})
    check_reach(settings, without_token=without_token)
    with running.listen(settings) as listening:
        place = f"[{settings.host}]" if ":" in settings.host else settings.host
        port = listening.getsockname()[1]
        told = escape(f"http://{place}:{port} (runs: {settings.runs_root})")
        Console(highlight=False).print(f"[bold]Astrarium[/] at {told}; Ctrl+C ends it")
        running.serve(settings, listening)


def _check(url: str, as_json: bool) -> int:
    from astrarium.serve.deployment import run_checks
    from astrarium.serve.settings import TOKEN

    results = run_checks(url, os.environ.get(TOKEN))
    failed = sum(result.outcome == "failed" for result in results)
    if as_json:
        print_json([asdict(result) for result in results])
        return 1 if failed else 0
    table = new_table("check", "outcome", "detail", text=["detail"])
    for result in results:
        style = {"ok": "green", "failed": "bold red", "skipped": "dim"}[result.outcome]
        table.add_row(result.name, f"[{style}]{result.outcome}[/]", escape(result.detail))
    console = Console(highlight=False)
    print_table(console, table)
    console.print(f"{len(results)} checks, {failed} failed")
    return 1 if failed else 0
