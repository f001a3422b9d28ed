"""An experiment drawn: what parameters buy, and how accuracy rises with compute."""

# matplotlib leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Final

import numpy as np

from astrarium.esper.experiment.results import ArmResult, TaskResult
from astrarium.extras import require_extra

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_POINTS: Final = 200
_BAND: Final = (10.0, 90.0)


def pareto(task: TaskResult) -> bytes:
    """Accuracy against parameters: every seed a dot, every arm's mean a cross."""
    figure, axes = _canvas(f"{task.task}: accuracy against parameters")
    for at, (name, arm) in enumerate(task.arms.items()):
        params = [float(one.params) for one in arm.outcomes]
        right = arm.figures("accuracy")
        axes.scatter(params, right, s=18, alpha=0.5, color=f"C{at}", label=name)
        middle = (float(np.mean(params)), float(np.mean(right)))
        axes.scatter(*middle, s=110, marker="X", color=f"C{at}", edgecolors="black")
    axes.set_xscale("log")
    axes.set_xlabel("parameters")
    axes.set_ylabel("test accuracy, per cent")
    axes.legend(fontsize="small")
    return _saved(figure)


def courses(task: TaskResult) -> bytes:
    """Validation accuracy over compute: the mean of each arm, and the middle 80 % of its seeds."""
    figure, axes = _canvas(f"{task.task}: accuracy over compute")
    for at, (name, arm) in enumerate(task.arms.items()):
        share, right = course(arm)
        low, high = np.percentile(right, _BAND, axis=0)
        axes.plot(share, right.mean(axis=0), color=f"C{at}", label=name)
        axes.fill_between(share, low, high, color=f"C{at}", alpha=0.15, linewidth=0)
    axes.set_xlabel("share of the budget spent")
    axes.set_ylabel("validation accuracy, per cent")
    axes.legend(fontsize="small")
    return _saved(figure)


def course(arm: ArmResult) -> tuple[np.ndarray, np.ndarray]:
    """Shares of the budget, and every seed's accuracy at each; seeds spend it in other steps."""
    share = np.linspace(0.0, 1.0, _POINTS)
    rows = [np.interp(share, one.curve_share, one.curve_accuracy) for one in arm.outcomes]
    return share, np.stack(rows)


def _canvas(title: str) -> tuple[Figure, Axes]:
    require_extra("matplotlib", "train")
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 4.2), layout="constrained")
    axes = figure.subplots()
    axes.set_title(title)
    axes.grid(alpha=0.3)
    return figure, axes


def _saved(figure: Figure) -> bytes:
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=120)
    return file.getvalue()
