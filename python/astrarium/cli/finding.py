"""Runs and replays as they are named on a command line."""

from __future__ import annotations

from pathlib import Path

from astrarium.errors import did_you_mean
from astrarium.runs import ReplayEntry, ReplayError, RunFolder, RunNotFoundError, list_runs
from astrarium.runs.names import METADATA, is_run_id
from astrarium.runs.replay_index import BEST_SO_FAR

LATEST = "latest"
BEST = "best"


def find_run(given: str, root: Path, option: str = "--root") -> RunFolder:
    """The run meant: `latest`, an id below `root`, or the path of a run folder.

    `option` is what the command calls the folder of runs.
    """
    if given == LATEST:
        return _latest(root, option)
    if is_run_id(given) and (root / given / METADATA).is_file():
        return RunFolder.find(root, given)
    if (Path(given) / METADATA).is_file():
        return RunFolder.open(Path(given).resolve())
    known = [run.run_id for run in list_runs(root)]
    there = f"runs there: {', '.join(known[:8])}" if known else "there are none"
    raise RunNotFoundError(
        f"no run is called {given!r} in {root}{did_you_mean(given, known)} ({there}); give an id, "
        f"a path or {LATEST!r}, or another folder of runs with {option}"
    )


def _latest(root: Path, option: str) -> RunFolder:
    for run in list_runs(root):
        if run.status != "broken":
            return RunFolder.open(run.folder)
    raise RunNotFoundError(f"there is no run in {root}; train one, or say where with {option}")


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
