"""One host of a run drawn over its epochs: what seeds brought, where they stood, what it cost."""

# matplotlib leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Literal

from astrarium.esper.contracts.happening import Happening
from astrarium.esper.contracts.host_happenings import EpochCompleted, LastAction, SeedSeen
from astrarium.extras import require_extra

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Form = Literal["png", "svg"]
STAGE_COLOURS: Final = {
    "GERMINATED": "#c9b458",
    "TRAINING": "#6f9bd1",
    "BLENDING": "#b07cc6",
    "HOLDING": "#e08e45",
    "FOSSILIZED": "#4c9f70",
    "PRUNED": "#b5544f",
    "EMBARGOED": "#c9c9c9",
    "RESETTING": "#e3e3e3",
}


def episodes_of(news: Sequence[Happening]) -> list[tuple[int, int]]:
    """Host and episode of everything that can be drawn, in order."""
    told = [one for one in news if isinstance(one, EpochCompleted)]
    return sorted({(one.env, one.episode) for one in told})


def picture(news: Sequence[Happening], env: int, episode: int, form: Form) -> bytes:
    """Four panels of one episode of one host."""
    require_extra("matplotlib", "train")
    import matplotlib
    from matplotlib.figure import Figure

    place = (env, episode)
    epochs = [o for o in news if isinstance(o, EpochCompleted) and (o.env, o.episode) == place]
    actions = [o for o in news if isinstance(o, LastAction) and (o.env, o.episode) == place]
    figure = Figure(figsize=(9.6, 11.0), layout="constrained")
    figure.suptitle(f"host {env}, episode {episode}")
    top, middle, size, reward = figure.subplots(4, 1, sharex=True, height_ratios=(3, 2, 1, 2))
    _accuracies(top, epochs)
    _slots(middle, epochs)
    size.plot([one.epoch for one in epochs], [one.param_ratio for one in epochs], color="black")
    size.set_ylabel("times the\nhost's parameters")
    _rewards(reward, actions)
    reward.set_xlabel("epoch")
    for axes in (top, middle, size, reward):
        axes.grid(alpha=0.3)
    file = io.BytesIO()
    # Without a date and with a fixed salt, equal runs are equal files.
    with matplotlib.rc_context({"svg.hashsalt": "astrarium"}):
        metadata = {"Date": None} if form == "svg" else None
        figure.savefig(file, format=form, dpi=120, metadata=metadata)
    return file.getvalue()


def _accuracies(axes: Axes, epochs: list[EpochCompleted]) -> None:
    at = [one.epoch for one in epochs]
    axes.plot(at, [one.host_accuracy for one in epochs], color="grey", label="every seed off")
    axes.plot(at, [one.val_accuracy for one in epochs], "--", color="black", label="everything on")
    axes.plot(at, [one.committed_accuracy for one in epochs], ":", color="grey", label="fossils")
    for colour, seed_id in enumerate(_seed_ids(epochs)):
        seen = [
            (one.epoch, seed) for one in epochs for seed in one.seeds if seed.seed_id == seed_id
        ]
        points = [(x, y) for x, seed in seen if (y := seed.accuracy_without) is not None]
        if points:
            label = f"without {seen[0][1].blueprint} in {seen[0][1].slot_id}"
            axes.plot(*zip(*points, strict=True), color=f"C{colour}", label=label, linewidth=1.0)
    axes.set_ylabel("validation accuracy, per cent")
    axes.legend(fontsize="small")


def _seed_ids(epochs: list[EpochCompleted]) -> list[str]:
    return list(dict.fromkeys(seed.seed_id for one in epochs for seed in one.seeds))


def _slots(axes: Axes, epochs: list[EpochCompleted]) -> None:
    """A band for every slot: its colour the stage, its height the amplitude."""
    slots = sorted({seed.slot_id for one in epochs for seed in one.seeds})
    shown: set[str] = set()
    for row, slot in enumerate(slots):
        for one in epochs:
            for seed in one.seeds:
                if seed.slot_id == slot:
                    label = seed.stage if seed.stage not in shown else None
                    shown.add(seed.stage)
                    axes.bar(
                        one.epoch,
                        _height(seed),
                        width=1.0,
                        bottom=row,
                        color=STAGE_COLOURS.get(seed.stage, "black"),
                        label=label,
                    )
    axes.set_yticks([row + 0.4 for row in range(len(slots))], slots)
    axes.set_ylim(0.0, max(1, len(slots)))
    axes.set_ylabel("slots: stage, and amplitude")
    if shown:
        axes.legend(fontsize="small", ncols=4)


def _height(seed: SeedSeen) -> float:
    return 0.1 + 0.7 * seed.alpha


def _rewards(axes: Axes, actions: list[LastAction]) -> None:
    for term in dict.fromkeys(name for one in actions for name in one.components):
        points = [(one.epoch, one.components.get(term, 0.0)) for one in actions]
        axes.plot(*zip(*points, strict=True), label=term, linewidth=1.0)
    axes.set_ylabel("reward by term")
    if actions and any(one.components for one in actions):
        axes.legend(fontsize="x-small", ncols=3)
