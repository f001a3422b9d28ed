"""How apprentices learned, drawn: every seed a line, stages one after another."""

# matplotlib leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

import io
from collections.abc import Sequence

from astrarium.extras import require_extra
from astrarium.runs import RunFolder
from astrarium.train.apprentice.plan import Plan

Curve = tuple[list[float], list[float]]
"""Ticks so far, and the figure of the windows that ended there."""


def panels(plan: Plan, outcomes: Sequence[str]) -> list[str]:
    """Figures of windows that are drawn: the return, then the world's outcomes."""
    known = {key for row in _rows(plan, plan.seeds[0]) for key in row}
    return ["return_mean", *(name for name in outcomes if name in known)]


def curve(plan: Plan, seed: int, figure: str) -> Curve:
    """A figure over all stages of one apprentice."""
    points: Curve = ([], [])
    for row in _rows(plan, seed):
        if row.get(figure) is not None:
            points[0].append(row["ticks"] / 1e6)
            points[1].append(row[figure])
    return points


def _rows(plan: Plan, seed: int) -> list[dict[str, float]]:
    rows: list[dict[str, float]] = []
    before = 0
    for stage in plan.stages:
        run = RunFolder.open(plan.run_of(stage, seed))
        last = 0
        for row in run.windows():
            last = row["env_steps_total"]
            # The last, incomplete window would end the line in noise.
            if row["window_complete"]:
                rows.append({**row, "ticks": before + last})
        before += last
    return rows


def courses(plan: Plan, outcomes: Sequence[str]) -> bytes:
    """A PNG: a panel for each figure."""
    require_extra("matplotlib", "train")
    from matplotlib.figure import Figure

    shown = panels(plan, outcomes)
    figure = Figure(figsize=(4.2 * len(shown), 3.4), layout="constrained")
    axes = figure.subplots(1, len(shown), squeeze=False)[0]
    for at, name in enumerate(shown):
        for seed in plan.seeds:
            axes[at].plot(*curve(plan, seed, name), label=f"seed {seed}", linewidth=1.2)
        axes[at].set_title(name)
        axes[at].set_xlabel("million ticks of a world")
        axes[at].grid(alpha=0.3)
    axes[0].legend(fontsize="small")
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=120)
    return file.getvalue()
