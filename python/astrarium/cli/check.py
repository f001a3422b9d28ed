"""`astrarium check`: the seven promises, tested on one world."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Annotated, Any, cast

import cyclopts
from rich.console import Console
from rich.markup import escape

from astrarium.bench.tables import new_table, print_table
from astrarium.check import PROMISES, Maker, Report, Verdict, check_world
from astrarium.errors import ConfigError, UnknownWorldError
from astrarium.worlds import WorldEntry


def check(
    world: str,
    *,
    worlds: int = 16,
    steps: int = 400,
    seed: int = 0,
    config: Annotated[list[str] | None, cyclopts.Parameter(negative=())] = None,
    playthroughs: Path | None = None,
) -> int:
    """Test the seven promises every world keeps; exit with 1 if one is broken.

    Parameters
    ----------
    world
        A registered id, or `package.module:name` of a WorldEntry or of a factory that takes the
        number of worlds, threads and the autoreset mode.
    worlds
        Worlds in the batch.
    steps
        Steps of each run; more steps see more episodes.
    seed
        The run that is played.
    config
        A setting as `key=value`, the value in JSON; may be given often.
    playthroughs
        The folder of committed transcripts, if it is not this repository's.
    """
    target = _imported(world) if ":" in world else world
    if config and not isinstance(target, str | WorldEntry):
        raise ConfigError("--config needs a registered world; a factory has its settings inside")
    console = Console()
    with console.status("") as status:
        report = check_world(
            target,
            worlds=worlds,
            steps=steps,
            seed=seed,
            config=_settings(config or []),
            folder=playthroughs,
            progress=lambda promise: status.update(f"{promise} {PROMISES[promise]}"),
        )
    _show(console, report)
    return 0 if report.ok else 1


def _imported(name: str) -> WorldEntry | Maker:
    module, _, attribute = name.partition(":")
    if not module or not attribute or module.startswith("."):
        raise UnknownWorldError(
            f"{name!r} is no module with a name in it; write package.module:name"
        )
    # A script finds modules beside it; the installed command must look where it was started.
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        found: Any = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise UnknownWorldError(f"{name} cannot be imported: {error}") from error
    except (Exception, SystemExit) as error:
        # A script that exits while it is imported would otherwise decide this command's status.
        raise UnknownWorldError(
            f"{name} cannot be imported: {module} raises {type(error).__name__}: {error}"
        ) from error
    if isinstance(found, WorldEntry):
        return found
    if callable(found):
        return cast("Maker", found)
    raise UnknownWorldError(
        f"{name} is a {type(found).__name__}; name a WorldEntry or a factory of batches"
    )


def _settings(given: list[str]) -> dict[str, Any]:
    settings: dict[str, Any] = {}
    for one in given:
        key, equals, value = one.partition("=")
        if not equals:
            raise ConfigError(f"--config {one!r} has no value; write key=value")
        try:
            settings[key] = json.loads(value)
        except json.JSONDecodeError:
            settings[key] = value
    return settings


def _show(console: Console, report: Report) -> None:
    console.print(f"[italic]{escape(report.world)}[/]", highlight=False, soft_wrap=True)
    table = new_table("", "promise", "result", text=("promise", "result"))
    table.columns[0].justify, table.columns[0].style = "right", "bold"
    for verdict in report.verdicts:
        table.add_row(str(verdict.promise), verdict.title, _mark(verdict))
    print_table(console, table)
    for verdict in report.verdicts:
        for finding in verdict.findings:
            console.print(
                f"\n[bold red]✗ {verdict.promise}[/] {escape(finding.fault)}", highlight=False
            )
            console.print(f"  [bold]fix[/] {escape(finding.fix)}", highlight=False)
        for note in verdict.notes:
            console.print(f"\n[yellow]– {verdict.promise}[/] {escape(note)}", highlight=False)


def _mark(verdict: Verdict) -> str:
    if verdict.findings:
        return f"[bold red]✗[/] {len(verdict.findings)}"
    return "[bold green]✓[/]" if verdict.tested else "[yellow]– not tested[/]"
