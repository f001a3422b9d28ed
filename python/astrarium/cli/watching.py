"""A training as somebody follows it: a bar on a terminal, lines or JSON anywhere else."""

from __future__ import annotations

import contextlib
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

import msgspec
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.markup import escape
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from astrarium.bench.tables import quantity
from astrarium.cli.interrupting import say_at_once
from astrarium.cli.parting import end_object, print_end

if TYPE_CHECKING:
    from astrarium.train.training import Outcome, Progress

STOPPING: Final = "stopping after this window; once more to stop at once"
_RATE_SECONDS: Final = 10.0
"""Over which the speed is taken."""


class Watcher(Protocol):
    """Whoever is told how a training goes."""

    folder: Path | None
    """Of the run, once it is known."""

    def watching(self) -> contextlib.AbstractContextManager[Any]:
        """The time during which there is something to see."""
        ...

    def tell(self, progress: Progress) -> None:
        """The training went on."""
        ...

    def heard(self) -> None:
        """Somebody asked it to stop."""
        ...

    def ended(self, outcome: Outcome) -> None:
        """It came to an end, or to a good place to stop."""
        ...

    def broke(self, status: str, words: str) -> None:
        """It ended in the middle of a window."""
        ...


def watcher(outcomes: Mapping[str, str], *, quiet: bool, json: bool) -> Watcher:
    """The one for this terminal and these wishes."""
    if quiet:
        return Nothing()
    if json:
        return JsonLines()
    console = Console(highlight=False)
    return Bar(console, tuple(outcomes)) if console.is_terminal else Lines(console, tuple(outcomes))


class Nothing:
    """Says nothing."""

    folder: Path | None = None

    def watching(self) -> contextlib.AbstractContextManager[Any]:
        """Nothing to see."""
        return contextlib.nullcontext()

    def tell(self, progress: Progress) -> None:
        """Remember where it happens."""
        self.folder = progress.folder

    def heard(self) -> None:
        """Nothing to say."""

    def ended(self, outcome: Outcome) -> None:
        """Only where the run is."""
        sys.stdout.write(f"{outcome.folder}\n")

    def broke(self, status: str, words: str) -> None:
        """What is wrong is told elsewhere."""


class JsonLines(Nothing):
    """One object a line: every window."""

    def tell(self, progress: Progress) -> None:
        """Write the windows that closed."""
        super().tell(progress)
        for row in progress.closed:
            _print_json({"kind": "window", **row})

    def ended(self, outcome: Outcome) -> None:
        """Write the end."""
        _print_json(end_object(outcome))

    def broke(self, status: str, words: str) -> None:
        """Write how it ended."""
        folder = None if self.folder is None else str(self.folder)
        _print_json({"kind": "end", "status": status, "folder": folder, "error": words})


class Lines(Nothing):
    """One line a window."""

    def __init__(self, console: Console, outcomes: tuple[str, ...]) -> None:
        self._console = console
        self._outcomes = outcomes

    def tell(self, progress: Progress) -> None:
        """Print the windows that closed."""
        if self.folder is None:
            self._console.print(f"[dim]run: {escape(str(progress.folder))}[/]", soft_wrap=True)
        super().tell(progress)
        for row in progress.closed:
            self._console.print(window_words(row, self._outcomes), soft_wrap=True)

    def heard(self) -> None:
        """Say that it was heard."""
        say_at_once(STOPPING)

    def ended(self, outcome: Outcome) -> None:
        """Say what was reached and how to go on."""
        print_end(self._console, outcome)


class Bar(Lines):
    """A bar with the figures of the moment; windows pass above it."""

    def __init__(
        self,
        console: Console,
        outcomes: tuple[str, ...],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(console, outcomes)
        self._clock = clock
        self._progress: Progress | None = None
        self._row: Mapping[str, Any] | None = None
        self._speeds = _Speeds()
        self._stopping = False

    def watching(self) -> contextlib.AbstractContextManager[Any]:
        """The bar is there."""
        return Live(self, console=self._console, transient=True, refresh_per_second=4)

    def tell(self, progress: Progress) -> None:
        """Move on."""
        super().tell(progress)
        self._progress = progress
        self._speeds.note(self._clock(), progress.env_steps_total, progress.calls_total)
        # The last, incomplete one says little.
        whole = [row for row in progress.closed if row["window_complete"]]
        self._row = whole[-1] if whole else self._row

    def heard(self) -> None:
        """Say so under the bar."""
        self._stopping = True

    def __rich__(self) -> RenderableType:
        progress = self._progress
        if progress is None:
            return Text("making the worlds", style="dim")
        done, target = progress.env_steps_total, progress.target_env_steps
        ticks, steps = self._speeds.rates()
        bar = Table.grid(expand=True, padding=(0, 1))
        bar.add_column(ratio=1)
        bar.add_column(justify="right", no_wrap=True)
        left = str(timedelta(seconds=round(max(0, target - done) / ticks))) if ticks else "-:--:--"
        bar.add_row(
            ProgressBar(target, min(done, target), complete_style="cyan", finished_style="cyan"),
            f"{quantity(done)}/{quantity(target)} ticks, {left} left",
        )
        speed = f"{quantity(steps)} steps/s, {quantity(ticks)} ticks/s"
        figures = Text(no_wrap=True, overflow="ellipsis")
        figures.append(" · ".join([speed, *self._figures(progress)]), style="cyan")
        under = [Text(STOPPING, style="yellow")] if self._stopping else []
        return Group(bar, figures, *under)

    def _figures(self, progress: Progress) -> Iterator[str]:
        if self._row is not None:
            yield from figure_words(self._row, self._outcomes)
        if progress.replay is not None:
            yield f"best replay {progress.replay.return_total:,.2f}"


class _Speeds:
    """Ticks and steps a second over the last while."""

    def __init__(self) -> None:
        self._points: deque[tuple[float, int, int]] = deque()

    def note(self, at: float, ticks: int, steps: int) -> None:
        self._points.append((at, ticks, steps))
        while len(self._points) > 2 and at - self._points[1][0] > _RATE_SECONDS:
            self._points.popleft()

    def rates(self) -> tuple[float, float]:
        if len(self._points) < 2:
            return 0.0, 0.0
        (began, first_ticks, first_steps), (at, ticks, steps) = self._points[0], self._points[-1]
        seconds = max(at - began, 1e-9)
        return (ticks - first_ticks) / seconds, (steps - first_steps) / seconds


def window_words(row: Mapping[str, Any], outcomes: tuple[str, ...]) -> str:
    """A window in one line."""
    end = "" if row["window_complete"] else " (part of one)"
    return " · ".join(
        [
            f"window {row['window_id']:>3}{end}",
            f"{quantity(row['env_steps_total'])} ticks",
            *figure_words(row, outcomes),
            *([] if end else [f"{quantity(row['steps_per_second'])} steps/s"]),
        ]
    )


def figure_words(row: Mapping[str, Any], outcomes: tuple[str, ...]) -> Iterator[str]:
    """The return and the world's own figures; a dash where no episode ended."""
    for key in ("return_mean", *outcomes):
        value = row.get(key)
        label = key.removesuffix("_mean").removesuffix("_rate")
        if value is None:
            yield f"{label} -"
        elif key.endswith("_rate"):
            yield f"{label} {value:.1%}"
        else:
            yield f"{label} {value:,.0f}" if abs(value) >= 100 else f"{label} {value:,.2f}"


def _print_json(told: Mapping[str, Any]) -> None:
    """One object, one line, seen at once."""
    sys.stdout.write(msgspec.json.encode(told).decode() + "\n")
    sys.stdout.flush()
