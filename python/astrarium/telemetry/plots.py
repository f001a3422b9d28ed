"""Curves of runs, in the terminal or as a picture.

A figure that is null has no point, and the line goes on to the next; nothing is drawn as zero.
"""

# plotext has no types, and Matplotlib's are partly unknown.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

from astrarium.extras import require_extra
from astrarium.telemetry.sinks import STEP, figures

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MARKS: Final = "•x+o*#"
"""What curves are drawn with where there are no colours."""
COLOURS: Final = (12, 10, 9, 14, 13, 11)
"""Of curves in the terminal, from its own palette of sixteen."""


@dataclass(frozen=True, slots=True)
class Curve:
    """One figure of one run over its ticks."""

    label: str
    steps: Sequence[float]
    values: Sequence[float]


@dataclass(frozen=True, slots=True)
class Panel:
    """Curves that share their axes."""

    title: str
    curves: Sequence[Curve]


def curve(rows: Iterable[Mapping[str, Any]], field: str, label: str = "") -> Curve:
    """The curve of a field, over those rows that have a number there."""
    points = [
        (float(row[STEP]), value)
        for row in rows
        for value in figures({field: row.get(field)}).values()
    ]
    return Curve(label, [x for x, _ in points], [y for _, y in points])


def drawable(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """The fields that have a number in any row, in the order of the rows."""
    return list(dict.fromkeys(name for row in rows for name in figures(row) if name != STEP))


def quantity(value: float) -> str:
    """A number short enough for an axis: `2.5 M`, `800 k`, `0.031`."""
    for size, unit in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if abs(value) >= size:
            return f"{value / size:.3g}{unit}"
    return f"{value:.3g}"


def in_terminal(panel: Panel, width: int, height: int, *, colour: bool) -> str:
    """A panel as lines of text, with escape codes only where `colour` is wanted."""
    require_extra("plotext", "train")
    import plotext

    plotext.terminal.limit(False, False)
    figure = plotext.figure
    figure.clear.all()
    figure.plot_size(width, height)
    figure.theme("simple")
    figure.axes(False, axis=(0, 1), side=1)
    figure.title(panel.title)
    for at, one in enumerate(panel.curves):
        if not one.values:
            continue  # keeps its colour for the panels in which it has any
        pixel = plotext.pixel(foreground=COLOURS[at % len(COLOURS)])
        symbol = "braille" if colour or len(panel.curves) == 1 else MARKS[at % len(MARKS)]
        signal = figure.signal(one.steps, one.values, marker=plotext.marker(symbol, pixel))
        figure.draw(signal.lines())
    for axis, points in enumerate((_all_steps(panel), _all_values(panel))):
        ticks = _ticks(points, 4)
        figure.ruler(axis, 0).ticks(ticks, [quantity(tick) for tick in ticks])
    return cast("str", figure.build().string(not colour))


def _all_steps(panel: Panel) -> list[float]:
    return [step for one in panel.curves for step in one.steps]


def _all_values(panel: Panel) -> list[float]:
    return [value for one in panel.curves for value in one.values]


def _ticks(points: Sequence[float], count: int) -> list[float]:
    """Evenly between the least and the greatest; one where they are the same."""
    low, high = min(points), max(points)
    if low == high:
        return [low]
    return [low + (high - low) * at / (count - 1) for at in range(count)]


def png(panels: Sequence[Panel]) -> bytes:
    """The panels as one picture."""
    return _saved(_drawn(panels), "png")


def svg(panels: Sequence[Panel]) -> str:
    """The panels as one drawing, an element to put into a page."""
    text = _saved(_drawn(panels), "svg").decode("utf-8")
    return text[text.index("<svg") :]


def _drawn(panels: Sequence[Panel]) -> Figure:
    require_extra("matplotlib", "train")
    from matplotlib.figure import Figure

    columns = min(2, len(panels))
    rows = -(-len(panels) // columns)
    figure = Figure(figsize=(6.4 * columns, 3.6 * rows), layout="constrained")
    grid = list(figure.subplots(rows, columns, squeeze=False).flat)
    for axes, panel in zip(grid, panels, strict=False):
        for one in panel.curves:
            dot = "o" if len(one.steps) == 1 else None
            axes.plot(one.steps, one.values, label=one.label, marker=dot)
        axes.set_title(panel.title)
        axes.set_xlabel("ticks")
        axes.grid(alpha=0.3)
        if any(one.label for one in panel.curves):
            axes.legend(fontsize="small")
    for axes in grid[len(panels) :]:
        axes.remove()
    return figure


def _saved(figure: Figure, form: str) -> bytes:
    import matplotlib

    file = io.BytesIO()
    # Without a date and with a fixed salt, equal curves are equal files.
    with matplotlib.rc_context({"svg.hashsalt": "astrarium"}):
        metadata = {"Date": None} if form == "svg" else None
        figure.savefig(file, format=form, dpi=120, metadata=metadata)
    return file.getvalue()
