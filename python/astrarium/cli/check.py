"""`astrarium check`: the seven promises, tested on one world."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Annotated, Any, Final, Self, cast

import cyclopts
from rich.console import Console
from rich.markup import escape

from astrarium.bench.tables import new_table, print_table
from astrarium.check import PROMISES, Maker, Report, Verdict, check_world, sizing
from astrarium.check.sizing import Sizes
from astrarium.check.subject import Subject, as_subject
from astrarium.errors import ConfigError, UnknownWorldError
from astrarium.worlds import WorldEntry, arguments


def check(
    world: str,
    *,
    worlds: int | None = None,
    steps: int | None = None,
    seed: int = 0,
    config: Annotated[list[str] | None, cyclopts.Parameter(negative=())] = None,
    playthroughs: Path | None = None,
    whole: Annotated[bool, cyclopts.Parameter(negative=())] = False,
) -> int:
    """Test the seven promises every world keeps; exit with 1 if one is broken.

    A world that is too expensive for the usual size is checked on as many worlds and steps as fit
    a minute.

    Parameters
    ----------
    world
        A registered id, or `package.module:name` of a WorldEntry or of a factory that takes the
        number of worlds, threads and the autoreset mode.
    worlds
        Worlds in the batch; 16 unless given.
    steps
        Steps of each run; more steps see more episodes. 400 unless given.
    seed
        The run that is played.
    config
        A setting as `key=value`, the value in JSON; may be given often.
    playthroughs
        The folder of committed transcripts, if it is not this repository's.
    whole
        Check at the usual size, however long that takes.
    """
    target = _imported(world) if ":" in world else world
    if config and not isinstance(target, str | WorldEntry):
        raise ConfigError("--config needs a registered world; a factory has its settings inside")
    if whole and (worlds is not None or steps is not None):
        raise ConfigError("--whole is 16 worlds and 400 steps; leave out --worlds and --steps")
    settings = _settings(config or [])
    asked = whole or worlds is not None or steps is not None
    size, minutes = Sizes(worlds or WORLDS, steps or STEPS), 0.0
    console, errors = Console(), Console(stderr=True)
    with _Progress(errors) as progress:
        if not asked:
            progress.say("how much of the check fits a minute")
            size, minutes = _fitting(as_subject(target, settings), arguments.seed(seed), size)
        report = check_world(
            target,
            worlds=size.worlds if worlds is None else worlds,
            steps=size.steps if steps is None else steps,
            seed=seed,
            config=settings,
            folder=playthroughs,
            progress=lambda promise: progress.say(f"{promise} {PROMISES[promise]}"),
            on_run=progress.count_run,
            probes=size.probes,
        )
    _show(console, report)
    if (size.worlds, size.steps) != (WORLDS, STEPS) and not asked:
        console.print(
            f"\n[yellow]A share of the check:[/] {size.worlds} worlds and {size.steps} steps, "
            f"which fit a minute. --whole takes {WORLDS} and {STEPS}, about {minutes:,.0f} "
            "minutes; --worlds and --steps choose anything between.",
            highlight=False,
        )
    return 0 if report.ok else 1


WORLDS: Final = 16
STEPS: Final = 400
SECONDS: Final = 60.0
"""What a check takes at most unless more is asked for; the smallest may take longer."""


def _fitting(subject: Subject, seed: int, whole: Sizes) -> tuple[Sizes, float]:
    """Return the size of the check that fits, and the minutes that the whole would take."""
    try:
        cost = sizing.cost_of(subject, seed)
    except Exception:
        # The check itself says what is wrong with a world that cannot be stepped.
        return whole, 0.0
    minutes = cost.seconds(whole.worlds, whole.steps, whole.probes) / 60.0
    return sizing.largest_within(SECONDS, cost, whole), minutes


class _Progress:
    """What is being tested: one line that changes on a terminal, a line for each anywhere else."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._status = console.status("")
        self._doing = ""
        self._runs = 0

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._status.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._status.stop()

    def say(self, doing: str) -> None:
        """Show what is tested now."""
        self._doing = doing
        self._status.update(doing)
        if not self._console.is_terminal:
            self._console.print(f"checking {doing}", highlight=False, soft_wrap=True)

    def count_run(self) -> None:
        """Show that another run began."""
        self._runs += 1
        self._status.update(f"{self._doing} (run {self._runs})")


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
