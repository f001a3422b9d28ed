"""Growing as its command shows it: progress, and what became of every host."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar

from astrarium.bench.report import PASSED
from astrarium.bench.tables import new_table, print_table
from astrarium.cli.interrupting import INTERRUPTED, Interrupts, say_at_once
from astrarium.errors import ConfigError
from astrarium.esper.growing import Grown, Growth, Status, Tell, grow, growth_of, resume
from astrarium.runs import RunFolder

_STOPPING: Final = "stopping after this epoch; once more to stop at once"


Stop = Callable[[], bool]


def run(growth: Growth, root: Path, run_id: str | None) -> int:
    """Grow, and show where the hosts ended."""

    def work(tell: Tell, stop: Stop) -> tuple[Status, Path]:
        return grow(growth, root, run_id, tell=tell, stop=stop)

    return _show_work(work, growth.config.epochs, root)


def run_again(run: RunFolder) -> int:
    """Continue a run that ended early, and show where the hosts ended."""
    growth = growth_of(run)
    if run.status() == "completed":
        raise ConfigError(f"{run.folder} is complete; start another with `astrarium esper grow`")

    def work(tell: Tell, stop: Stop) -> tuple[Status, Path]:
        return resume(run.folder, tell=tell, stop=stop)

    return _show_work(work, growth.config.epochs, run.folder)


def _show_work(work: Callable[[Tell, Stop], tuple[Status, Path]], epochs: int, place: Path) -> int:
    console = Console(highlight=False)
    bar = Bar(
        TextColumn("{task.description}"),
        BarColumn(bar_width=None, complete_style="cyan", finished_style="dim cyan"),
        TextColumn("{task.completed:.0f}/{task.total:.0f} epochs", justify="right"),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    shown = bar.add_task("", total=epochs)
    last: Grown | None = None

    def tell(grown: Grown) -> None:
        nonlocal last
        last = grown
        best = max(grown.accuracies)
        bar.update(shown, completed=grown.epoch, description=f"best {best:.1f} %")

    try:
        with Interrupts(lambda: say_at_once(_STOPPING)) as interrupts, bar:
            status, folder = work(tell, interrupts.asked)
    except KeyboardInterrupt:
        say_at_once(f"stopped; what was grown lies in {place if last is None else last.folder}")
        return INTERRUPTED
    if last is not None:
        _show(console, last)
    console.print(f"[dim]{escape(str(folder))}[/]", soft_wrap=True)
    if status == "interrupted":
        command = shlex.join(["astrarium", "esper", "grow", "--resume", str(folder)])
        console.print(f"continue: [cyan]{escape(command)}[/]", soft_wrap=True)
    return PASSED if status == "completed" else INTERRUPTED


def _show(console: Console, grown: Grown) -> None:
    table = new_table("host", "accuracy", "parameters")
    pairs = zip(grown.accuracies, grown.parameter_ratios, strict=True)
    for at, (accuracy, ratio) in enumerate(pairs):
        table.add_row(str(at), f"{accuracy:.1f} %", f"{ratio:.2f} times the host's")
    print_table(console, table)
