"""`astrarium esper harness`: drills of supervision, and what they take on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final, Literal, get_args

import cyclopts
import torch
from rich.console import Console
from rich.markup import escape

from astrarium import atomic, machine
from astrarium.bench import pages
from astrarium.bench.report import PASSED
from astrarium.bench.tables import mark, new_table
from astrarium.errors import ConfigError
from astrarium.esper.harness import growing, record, scenarios
from astrarium.esper.harness.settings import DrillSettings, Measured
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
]
DRILLS: Final = {
    "steady-train": (scenarios.steady_train,),
    "rollback": (scenarios.rollback_deadline,),
    "tamiyo-timeout": (scenarios.tamiyo_timeout,),
    "kasmina-prefetch": (scenarios.kasmina_prefetch_burst, scenarios.kasmina_prefetch_bench),
    "seed-overhead": (growing.seed_overhead,),
    "seed-soak": (growing.seed_soak,),
    "short-runs": (growing.short_run, growing.vector_run),
}


def harness(
    drill: Annotated[Literal[Drill, "all"], cyclopts.Parameter(name="DRILL")],
    /,
    *,
    device: str = "cpu",
    epochs: int | None = None,
    batch_size: int = 4,
    timeout_every: int = 2,
    timeout_ms: float = 100.0,
    requests: int = 64,
    concurrency: int = 8,
    ready_latency_ms: float = 40.0,
    jitter_ms: float = 0.0,
    deadline_ms: float = 5.0,
    output_dir: Path = Path("harness"),
    baseline: Path | None = None,
    markdown_report: Path | None = None,
    page: Path | None = None,
) -> int:
    """Run a drill, or all of them, and write what it took.

    Parameters
    ----------
    drill
        Which: steady-train, rollback, tamiyo-timeout, kasmina-prefetch, seed-overhead, seed-soak,
        short-runs, or all.
    device
        Where hosts are trained: cpu, or cuda.
    epochs
        Of steady-train, tamiyo-timeout, seed-overhead and seed-soak; as each needs unless told.
    batch_size
        Of steady-train and tamiyo-timeout.
    timeout_every
        In which epochs of tamiyo-timeout the controller hangs.
    timeout_ms
        How long the drill waits for it; a trained host waits two seconds.
    requests
        Seeds asked for in a burst.
    concurrency
        How many of them at a time.
    ready_latency_ms
        How far away they are made to seem.
    jitter_ms
        By how much that differs, up and down.
    deadline_ms
        Of the rollback drill.
    output_dir
        Where the figures go: a file for each scenario, and summary.csv, which grows.
    baseline
        An earlier summary.csv; anything more than 5 % slower makes the exit status 1.
    markdown_report
        Where to write the table as a page.
    page
        A page with marks for the table, which is put there.
    """
    settings = DrillSettings(
        device=_device(device),
        epochs=None if epochs is None else arguments.count("epochs", epochs),
        batch_size=arguments.count("batch_size", batch_size),
        timeout_every=arguments.count("timeout_every", timeout_every),
        timeout_ms=_more_than_zero("timeout_ms", timeout_ms),
        requests=arguments.count("requests", requests),
        concurrency=arguments.count("concurrency", concurrency),
        ready_latency_ms=_more_than_zero("ready_latency_ms", ready_latency_ms),
        jitter_ms=jitter_ms,
        deadline_ms=_more_than_zero("deadline_ms", deadline_ms),
    )
    if not 0.0 <= jitter_ms <= ready_latency_ms:
        raise ConfigError(f"jitter_ms is {jitter_ms}; give 0 to ready_latency_ms")
    where = machine.facts()
    before = None if baseline is None else record.read_baseline(baseline)
    atomic.check_folder(output_dir)
    if page is not None:
        pages.check(page, "esper harness", where.commit)
    # Networks this small are slower on several threads than on one.
    torch.set_num_threads(1)
    console = Console(highlight=False)
    told = record.environment(where, settings.device)
    names = get_args(Drill) if drill == "all" else (drill,)
    found: list[Measured] = []
    for run in (one for name in names for one in DRILLS[name]):
        found.append(run(settings))
        path = record.write(found[-1], output_dir, told)
        console.print(f"[dim]{found[-1].scenario}: {escape(str(path))}[/]", soft_wrap=True)
    _show(console, found, where.words())
    text = record.markdown(found, f"{where.words()}, {told['device']}", where.command)
    if markdown_report is not None:
        atomic.write_text(markdown_report, text)
    if page is not None:
        pages.fill(page, "esper harness", text, where.commit)
    worse = () if before is None else record.regressions(found, before)
    for line in worse:
        console.print(f"[red]{escape(line)}[/]", soft_wrap=True)
    return REGRESSED if worse else PASSED


def _show(console: Console, found: list[Measured], where: str) -> None:
    console.print(f"\n[bold]{escape(where)}[/]", soft_wrap=True)
    table = new_table("figure", "on record", "asked", "here", "")
    table.header_style = "dim"
    for *cells, met in record.rows(found):
        table.add_row(*map(escape, cells), mark(met))
    console.print(table)


def _device(name: str) -> torch.device:
    if name not in ("cpu", "cuda"):
        raise ConfigError(f"device is {name!r}; give cpu or cuda")
    if name == "cuda" and not torch.cuda.is_available():
        raise ConfigError("device is 'cuda', but torch sees no GPU; give cpu")
    return torch.device(name)


def _more_than_zero(name: str, value: float) -> float:
    if not 0.0 < value < float("inf"):
        raise ConfigError(f"{name} is {value}; it must be more than 0")
    return value
