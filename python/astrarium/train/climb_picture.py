"""A climb as a picture: the share of games won in every round, and the rung it was fought on."""

# matplotlib leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

import io
from collections.abc import Sequence

from astrarium.extras import require_extra
from astrarium.train.climbing import Round
from astrarium.train.curriculum import Curriculum


def picture(curriculum: Curriculum, rounds: Sequence[Round]) -> bytes:
    """A PNG: shares above, rungs below."""
    require_extra("matplotlib", "train")
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.0, 5.0), layout="constrained")
    shares, rungs = figure.subplots(2, 1, sharex=True)
    numbers = [one.number + 1 for one in rounds]
    shares.plot(numbers, [one.share for one in rounds], marker="o", linewidth=1.2)
    shares.fill_between(
        numbers, [one.low for one in rounds], [one.high for one in rounds], alpha=0.2
    )
    for limit in (curriculum.promote, curriculum.demote):
        shares.axhline(limit, color="grey", linewidth=0.8, linestyle="--")
    shares.set_ylim(0.0, 1.0)
    shares.set_ylabel("games won")
    rungs.step(numbers, [one.rung for one in rounds], where="mid", linewidth=1.2)
    rungs.set_yticks(
        range(len(curriculum.rungs)),
        [f"{rung.scenario}, {rung.opponent}" for rung in curriculum.rungs],
        fontsize="small",
    )
    rungs.set_xlabel("round")
    for axes in (shares, rungs):
        axes.grid(alpha=0.3)
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=120)
    return file.getvalue()
