"""Runs and replays as they are named on a command line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.markup import escape

from astrarium.errors import did_you_mean
from astrarium.runs import (
    ReplayEntry,
    ReplayError,
    RunError,
    RunFolder,
    RunNotFoundError,
    RunSummary,
    list_runs,
)
from astrarium.runs.metadata import KIND_WORDS, Kind, kind_of
from astrarium.runs.names import METADATA, is_run_id
from astrarium.runs.replay_index import BEST_SO_FAR

LATEST = "latest"
BEST = "best"
_SHOWN_MAX: Final = 8


class RunKindError(RunError, ValueError):
    """A run that the command has no use for."""


@dataclass(frozen=True, slots=True)
class Fit:
    """Which runs a command can use."""

    words: str
    """What it needs."""
    kinds: frozenset[Kind]
    status: frozenset[str]
    has: Callable[[RunFolder], bool] = lambda _: True
    """Whether a run holds what the command needs."""
    named: frozenset[Kind] = frozenset(KIND_WORDS)
    """Of which kinds a run may be that is named instead of called `latest`."""

    def fault(self, run: RunSummary) -> str | None:
        """Return why a run cannot be the latest one that is fit; None for one that is."""
        if run.status not in self.status:
            return run.status
        kind = kind_of(run.metadata)
        if kind not in self.kinds:
            return KIND_WORDS[kind]
        try:
            return None if self.has(RunFolder.open(run.folder)) else "it has none yet"
        except RunError:
            return "damaged"


_ALIVE: Final = frozenset({"running", "completed", "interrupted", "killed"})
_LEARNING: Final = frozenset[Kind]({"training", "baseline", "growth"})
_TRAINED: Final = frozenset[Kind]({"training"})
_POLICY: Final = frozenset[Kind]({"training", "baseline"})

LEARNING: Final = Fit("a run that learns or grows", _LEARNING, _ALIVE)
TRAINED: Final = Fit(
    "a training run with a checkpoint",
    _TRAINED,
    _ALIVE,
    lambda run: bool(run.checkpoints()),
    named=_POLICY,
)
RESUMABLE: Final = Fit(
    "a training run that was stopped, with a checkpoint to go on from",
    _POLICY,
    frozenset({"interrupted", "killed", "failed"}),
    lambda run: any(one.resumable for one in run.checkpoints()),
    named=_POLICY,
)
REGROWABLE: Final = Fit(
    "a run of `astrarium esper grow` that was stopped, with a checkpoint to go on from",
    frozenset[Kind]({"growth"}),
    RESUMABLE.status,
    RESUMABLE.has,
)
REPLAYED: Final = Fit(
    "a run with replays",
    frozenset(KIND_WORDS),
    _ALIVE,
    lambda run: bool(run.replay_index().entries),
)
GROWN: Final = Fit(
    "a run of Esper with events of its world",
    _LEARNING,
    _ALIVE,
    RunFolder.has_world_events,
)


def find_run(given: str, root: Path, fit: Fit) -> RunFolder:
    """Return the run meant: `latest`, an id below `root`, or the path of a run folder.

    `latest` is the run written last among those that are fit for the command.
    """
    if given == LATEST:
        return _latest(root, fit)
    run = _named(given, root)
    if len(fit.named) < len(KIND_WORDS) and (kind := kind_of(run.metadata())) not in fit.named:
        raise RunKindError(f"{run.run_id} is {KIND_WORDS[kind]}; name {fit.words}")
    return run


def _named(given: str, root: Path) -> RunFolder:
    if is_run_id(given) and (root / given / METADATA).is_file():
        return RunFolder.find(root, given)
    if (Path(given) / METADATA).is_file():
        return RunFolder.open(Path(given).resolve())
    known = [run.run_id for run in list_runs(root)]
    there = f"runs there: {', '.join(known[:_SHOWN_MAX])}" if known else "there are none"
    raise RunNotFoundError(
        f"no run is called {given!r} in {root}{did_you_mean(given, known)} ({there}); give an id, "
        f"a path or {LATEST!r}, or another folder of runs with --root"
    )


def _latest(root: Path, fit: Fit) -> RunFolder:
    passed_over: list[str] = []
    for run in list_runs(root):
        fault = fit.fault(run)
        if fault is None:
            if passed_over:
                words = f"{LATEST} is {run.run_id}; newer, but not {fit.words}: "
                words += ", ".join(passed_over[:_SHOWN_MAX])
                Console(stderr=True, highlight=False).print(
                    f"[dim]{escape(words)}[/]", soft_wrap=True
                )
            return RunFolder.open(run.folder)
        passed_over.append(f"{run.run_id} ({fault})")
    there = f"; runs there: {', '.join(passed_over[:_SHOWN_MAX])}" if passed_over else ""
    raise RunNotFoundError(
        f"there is no run in {root} that is {fit.words}{there}; train one with `astrarium train`, "
        "name another run, or give another folder of runs with --root"
    )


def find_replay(run: RunFolder, given: str) -> ReplayEntry:
    """The replay meant: `latest`, `best`, or an id of the run's index."""
    index = run.replay_index()
    if not index.entries:
        raise ReplayError(f"{run.folder} has no replays; runs record them with their checkpoints")
    if given == LATEST:
        return index.select()[0]
    if given == BEST:
        return index.select(tag=BEST_SO_FAR)[0]
    entry = index.find(given)
    if entry is None:
        known = [one.replay_id for one in index.entries]
        raise ReplayError(
            f"{run.run_id} has no replay {given!r}{did_you_mean(given, known)}; see "
            f"`astrarium replay list {run.run_id}`, or say {LATEST!r} or {BEST!r}"
        )
    return entry
