"""`astrarium esper harness`: drills of supervision, and what they take on this machine."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Literal, get_args

import cyclopts
from rich.console import Console
from rich.markup import escape

from astrarium import atomic, machine
from astrarium.bench import pages
from astrarium.bench.drills import growing, record, scenarios
from astrarium.bench.drills.settings import DrillSettings, Measured, find_device, use_one_thread
from astrarium.bench.report import FOLDER, PASSED
from astrarium.bench.tables import mark, new_table, print_table
from astrarium.errors import ConfigError
from astrarium.esper.tasks.sources import VARIABLES
from astrarium.worlds import arguments

REGRESSED: Final = 1
"""Exit status when something is slower than the baseline."""
Drill = Literal[
    "steady-train",
    "rollback",
    "tamiyo-timeout",
    "kasmina-prefetch",
    "seed-overhead",
    "seed-soak",
    "short-runs",
    "cifar-run",
]
DRILLS: Final = {
    "steady-train": (scenarios.steady_train,),
    "rollback": (scenarios.rollback_deadline,),
    "tamiyo-timeout": (scenarios.tamiyo_timeout,),
    "kasmina-prefetch": (scenarios.kasmina_prefetch_burst, scenarios.kasmina_prefetch_bench),
    "seed-overhead": (growing.seed_overhead,),
    "seed-soak": (growing.seed_soak,),
    "short-runs": (growing.short_run, growing.vector_run),
    "cifar-run": (growing.cifar_run,),
}


def _told(words: str) -> cyclopts.Parameter:
    return cyclopts.Parameter(help=words)


@cyclopts.Parameter(name="*")
@dataclass(frozen=True, slots=True)
class Drilling:
    """How drills are run."""

    device: Annotated[str, _told("Where hosts are trained: cpu or cuda.")] = "cpu"
    epochs: Annotated[
        int | None, _told("Of each drill but rollback and those of PPO; as it needs unless told.")
    ] = None
    batch_size: Annotated[int, _told("Of steady-train and tamiyo-timeout.")] = 4
    timeout_every: Annotated[int, _told("In which epochs the controller hangs.")] = 2
    timeout_ms: Annotated[float, _told("How long the drill waits for it, instead of 2 s.")] = 100.0
    requests: Annotated[int, _told("Seeds asked for in a burst.")] = 64
    concurrency: Annotated[int, _told("How many of them at a time.")] = 8
    ready_latency_ms: Annotated[float, _told("How far away they are made to seem.")] = 40.0
    jitter_ms: Annotated[float, _told("By how much that differs, up and down.")] = 0.0
    deadline_ms: Annotated[float, _told("Of the rollback drill.")] = 5.0

    def settings(self) -> DrillSettings:
        """The same, looked over."""
        if not 0.0 <= self.jitter_ms <= self.ready_latency_ms:
            raise ConfigError(f"jitter_ms is {self.jitter_ms}; give 0 to ready_latency_ms")
        return DrillSettings(
            device=find_device(self.device),
            epochs=None if self.epochs is None else self._count("epochs"),
            batch_size=self._count("batch_size"),
            timeout_every=self._count("timeout_every"),
            timeout_ms=self._time("timeout_ms"),
            requests=self._count("requests"),
            concurrency=self._count("concurrency"),
            ready_latency_ms=self._time("ready_latency_ms"),
            jitter_ms=self.jitter_ms,
            deadline_ms=self._time("deadline_ms"),
        )

    def _count(self, name: str) -> int:
        return arguments.count(name, getattr(self, name))

    def _time(self, name: str) -> float:
        value: float = getattr(self, name)
        if not 0.0 < value < math.inf:
            raise ConfigError(f"{name} is {value}; it must be more than 0")
        return value


@dataclass(frozen=True, slots=True)
class Places:
    """Where figures go."""

    output_dir: Path
    markdown_report: Path | None
    page: Path | None


def harness(
    drill: Annotated[Literal[Drill, "all"], cyclopts.Parameter(name="DRILL")],
    /,
    *,
    drilling: Drilling | None = None,
    output_dir: Path = FOLDER / "esper-harness",
    baseline: Path | None = None,
    markdown_report: Path | None = None,
    page: Path | None = None,
) -> int:
    """Run a drill, or all of them, and write what it took.

    Parameters
    ----------
    drill
        Which one.
    output_dir
        Where the figures go: a file for each scenario, and summary.csv, which grows.
    baseline
        An earlier summary.csv; anything more than 5 % slower makes the exit status 1.
    markdown_report
        Where to write the table as a page.
    page
        A page with marks for the table, which is put there.
    """
    settings = (drilling or Drilling()).settings()
    before = None if baseline is None else record.read_baseline(baseline)
    console = Console(highlight=False)
    names = _all(console) if drill == "all" else (drill,)
    found = _measure(console, names, settings, Places(output_dir, markdown_report, page))
    worse = () if before is None else record.regressions(found, before)
    for line in worse:
        console.print(f"[red]{escape(line)}[/]", soft_wrap=True)
    return REGRESSED if worse else PASSED


def _all(console: Console) -> tuple[str, ...]:
    """Every drill there is data for."""
    if os.environ.get(VARIABLES["cifar"]):
        return get_args(Drill)
    console.print(f"[yellow]cifar-run is left out: {VARIABLES['cifar']} names no data[/]")
    return tuple(name for name in get_args(Drill) if name != "cifar-run")


def _measure(
    console: Console, names: Sequence[str], settings: DrillSettings, places: Places
) -> list[Measured]:
    """Run drills one after the other; show and write what they took."""
    where = machine.facts()
    atomic.check_folder(places.output_dir)
    if places.page is not None:
        pages.check(places.page, "esper harness", where.commit)
    # Networks this small are slower on several threads than on one.
    use_one_thread()
    told = record.environment(where, settings.device)
    found: list[Measured] = []
    for run in (one for name in names for one in DRILLS[name]):
        found.append(run(settings))
        path = record.write(found[-1], places.output_dir, told)
        console.print(f"[dim]{found[-1].scenario}: {escape(str(path))}[/]", soft_wrap=True)
    _show(console, found, where.words(), settings)
    words = f"{where.words()}, {told['device']}"
    text = record.markdown(found, words, where.command, settings)
    if places.markdown_report is not None:
        atomic.write_text(places.markdown_report, text)
    if places.page is not None:
        pages.fill(places.page, "esper harness", text, where.commit)
    return found


def _show(console: Console, found: list[Measured], where: str, settings: DrillSettings) -> None:
    console.print(f"\n[bold]{escape(where)}[/]", soft_wrap=True)
    names = ("figure", "on record", "asked", "here")
    table = new_table(*names, "met", text=names)
    for *cells, met in record.rows(found, settings):
        table.add_row(*(escape(str(cell)) for cell in cells), mark(met))
    print_table(console, table)
