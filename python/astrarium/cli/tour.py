"""`astrarium tour`: from nothing to a trained policy, judged and ready to be looked at."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import cyclopts
from rich.console import Console
from rich.markup import escape

from astrarium import worlds
from astrarium.bench.report import check_place
from astrarium.bench.tables import quantity
from astrarium.cli import runs_page
from astrarium.cli.evaluate import evaluate
from astrarium.cli.interrupting import INTERRUPTED
from astrarium.cli.parting import print_next, reached_words, replay_words, ways_on
from astrarium.cli.train import (
    Root,
    Settings,
    carry_out,
    chosen_config,
    given_settings,
    in_root,
    plain_error,
)
from astrarium.cli.watching import watcher
from astrarium.runs import RunFolder
from astrarium.telemetry import overview
from astrarium.telemetry.overview import RunFigures
from astrarium.train.config import TrainConfig
from astrarium.train.evaluate import PROTOCOL
from astrarium.worlds import arguments

if TYPE_CHECKING:
    from astrarium.train.training import Outcome

_CURVE: Final = ("return_mean",)

app: Final = cyclopts.App(name="tour", error_formatter=plain_error)


@app.default
def tour(
    world: str = "prospector-v2",
    /,
    *,
    preset: str | None = None,
    seeds: int = 1,
    episodes: int = PROTOCOL.episodes,
    json: Path | None = None,
    markdown: Path | None = None,
    root: Root = None,
    settings: Settings = None,
) -> int:
    """Train a policy with a preset and judge it beside the scripted bots.

    Parameters
    ----------
    world
        Id of the world; see `astrarium worlds`.
    preset
        Settings that ship; those named as the world unless told.
    seeds
        Runs to train, one after another: with run.seed and the seeds after it.
    episodes
        Unseen episodes of each player.
    json
        Where to write the evaluation as a report.
    markdown
        Where to write it as a page.
    """
    given = in_root({} if settings is None else given_settings(settings), root)
    config = chosen_config(world, preset, None, given)
    count, played = arguments.count("seeds", seeds), arguments.count("episodes", episodes)
    for place in (json, markdown):
        if place is not None:
            check_place(place)
    console = Console(highlight=False)
    outcomes: list[Outcome] = []
    for seed in range(config.run.seed, config.run.seed + count):
        outcome = _train(console, _seeded(config, seed, alone=count == 1))
        if outcome is None:
            return INTERRUPTED
        outcomes.append(outcome)
    _show_curves(console, outcomes)
    console.print()
    first, *others = (str(one.folder) for one in outcomes)
    status = evaluate(
        first,
        *others,
        episodes=played,
        sampled=not config.run.eval_greedy,
        threads=config.run.threads,
        json=json,
        markdown=markdown,
    )
    _part(console, outcomes)
    return status


def _seeded(config: TrainConfig, seed: int, *, alone: bool) -> TrainConfig:
    name = config.run.id if alone or config.run.id is None else f"{config.run.id}-{seed}"
    run = config.run.model_copy(update={"seed": seed, "id": name})
    return config.model_copy(update={"run": run})


def _train(console: Console, config: TrainConfig) -> Outcome | None:
    """One run to its end; None where somebody stopped it."""
    entry = worlds.get(config.world.id)
    console.print(f"[bold]{entry.title}[/]: {entry.summary}", soft_wrap=True)
    console.print(
        f"[dim]{config.world.worlds:,} worlds at once, {quantity(config.run.total_env_steps)} "
        f"ticks, seed {config.run.seed}; Ctrl-C stops after a window[/]",
        soft_wrap=True,
    )
    seen = watcher(entry.outcomes, quiet=False, json=False)
    outcome = carry_out(config, seen)
    if outcome is not None and outcome.status == "interrupted":
        seen.ended(outcome)
        return None
    if outcome is not None:
        console.print(f"trained: {reached_words(outcome)}\n", soft_wrap=True)
    return outcome


def _show_curves(console: Console, outcomes: Sequence[Outcome]) -> None:
    runs: list[RunFigures] = []
    for one in outcomes:
        run = overview.figures_of(RunFolder.open(one.folder), updates=False)
        # The last, incomplete window would end the line in noise.
        whole = [row for row in run.windows if row["window_complete"]]
        runs.append(RunFigures(run.run_id, whole, ()))
    if any(row.get(_CURVE[0]) is not None for run in runs for row in run.windows):
        runs_page.print_curves(console, overview.panels(runs, _CURVE, len(_CURVE)))


def _part(console: Console, outcomes: Sequence[Outcome]) -> None:
    """Name the best replay, and how to open it."""
    shown = [one for one in outcomes if one.best_replay is not None]
    last = outcomes[-1]
    if shown:
        last = max(shown, key=lambda one: one.best_replay.return_total if one.best_replay else 0.0)
        if last.best_replay is not None:
            words = replay_words(last.best_replay)
            console.print(f"\nbest replay: [bold]{escape(words)}[/]", soft_wrap=True)
    print_next(console, ways_on(last.folder))
