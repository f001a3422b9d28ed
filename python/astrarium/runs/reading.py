"""Reading runs: while they are written, resumed or deleted, and after."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, TypeVar, get_args

from astrarium.runs import (
    checkpoints,
    journal,
    lock,
    metadata,
    names,
    replay_index,
    replays,
    run_config,
)
from astrarium.runs.checkpoints import Checkpoint
from astrarium.runs.errors import (
    CheckpointError,
    DamagedRunError,
    NoCheckpointError,
    ReplayError,
    RunError,
    RunNotFoundError,
)
from astrarium.runs.metadata import Status
from astrarium.runs.replay_index import ReplayIndex
from astrarium.runs.replays import Replay

T = TypeVar("T")

_RETRY_SECONDS: Final = 0.05
_DELETION_TRIES: Final = 12
"""How often a journal is read that lacks rows: its run may be in the middle of a deletion."""
_FIGURES: Final = (
    *("episodes_completed", "return_mean", "reward_mean", "profit_mean", "survival_rate"),
    *("steps_in_window", "wall_seconds", "steps_per_second", "ticks_per_second"),
)
"""Fields of a row of windows that readers count with, where a row has them."""


@dataclass(frozen=True, slots=True)
class CheckpointPlace:
    """A checkpoint of a run, not yet read."""

    window_id: int
    folder: Path
    resumable: bool
    """Whether it holds more than its policy."""


class RunFolder:
    """One run, for reading. Every call reads the files as they are then."""

    def __init__(self, folder: Path) -> None:
        if not (folder / names.METADATA).is_file():
            raise RunNotFoundError(f"there is no run in {folder}: it has no {names.METADATA}")
        self._folder = folder

    @classmethod
    def open(cls, folder: Path) -> RunFolder:
        """The run in a folder."""
        return cls(folder)

    @classmethod
    def find(cls, root: Path, run_id: str) -> RunFolder:
        """The run of this id among the runs below `root`."""
        return cls(root / names.check_run_id(run_id))

    @property
    def folder(self) -> Path:
        """Where the run lies."""
        return self._folder

    @property
    def run_id(self) -> str:
        """The name of its folder."""
        return self._folder.name

    def metadata(self) -> dict[str, Any]:
        """The live state of the run, as its writer last put it."""
        return metadata.read(self._folder)

    def status(self) -> Status:
        """How the run is; `killed` where it says that it is running and nobody writes it."""
        status = self._status_told()
        if status != "running" or lock.is_held(self._folder):
            return status
        # It may have ended between the two questions.
        status = self._status_told()
        return "killed" if status == "running" else status

    def _status_told(self) -> Status:
        told = self.metadata().get("status")
        for known in get_args(Status):
            if told == known:
                return known
        raise DamagedRunError(f"{self._folder / names.METADATA}: {told!r} is not a status of a run")

    def config(self) -> dict[str, Any]:
        """The config the run was begun with, or was changed to on purpose when it was resumed."""
        return self._steadily(
            lambda state: run_config.read(self._folder, str(state.get("config_hash", "")))
        )

    def windows(
        self,
        limit: int | None = None,
        order: Literal["asc", "desc"] = "asc",
        *,
        skip_bad: bool = False,
    ) -> list[dict[str, Any]]:
        """Rows of windows, in order, cut to the first `limit`: with `desc` the newest come first.

        A damaged line, or rows that the metadata counts and that are not there, are a
        `DamagedRunError`; with `skip_bad` what is whole is given, with a warning.
        """
        fields = ("window_id", "env_steps_total")
        rows = self._rows(names.WINDOWS, skip_bad, fields, _FIGURES)
        rows.sort(
            key=lambda row: (row["window_id"], row["env_steps_total"]), reverse=order == "desc"
        )
        return rows[:limit]

    def events(self, *, skip_bad: bool = False) -> list[dict[str, Any]]:
        """Every event so far."""
        return self._rows(names.EVENTS, skip_bad)

    def world_events(self, *, skip_bad: bool = False) -> list[dict[str, Any]]:
        """Everything its world told so far; nothing, in most worlds."""
        return self._rows(names.WORLD_EVENTS, skip_bad)

    def _rows(
        self,
        path: str,
        skip_bad: bool,
        integers: Sequence[str] = (),
        numbers: Sequence[str] = (),
    ) -> list[dict[str, Any]]:
        def read(state: Mapping[str, Any]) -> list[dict[str, Any]]:
            return journal.read(
                self._folder / path,
                counted=metadata.counted(state, path),
                exact=state.get("status") == "completed",
                integers=integers,
                numbers=numbers,
                skip_bad=skip_bad,
            )

        return self._steadily(read, tries=_DELETION_TRIES)

    def _steadily(self, read: Callable[[Mapping[str, Any]], T], *, tries: int = 1) -> T:
        """Read against the metadata; again where a writer changed both meanwhile.

        A run that is being deleted may lose its windows before its metadata, so missing rows
        count only if the metadata is still there after several tries.
        """
        while True:
            state = self.metadata()
            try:
                return read(state)
            except RunError:
                if self.metadata() != state:
                    continue
                tries -= 1
                if tries < 1 or (self._folder / names.WINDOWS).exists():
                    raise
                time.sleep(_RETRY_SECONDS)

    def has_world_events(self) -> bool:
        """Return whether its world wrote events."""
        return (self._folder / names.WORLD_EVENTS).is_file()

    def checkpoints(self) -> list[CheckpointPlace]:
        """The run's checkpoints, oldest first."""
        return [
            CheckpointPlace(window_id, folder, checkpoints.is_resumable(folder))
            for window_id, folder in checkpoints.folders(self._folder)
        ]

    def load_checkpoint(
        self, window: int | Literal["latest"] = "latest", *, resumable: bool = False
    ) -> Checkpoint:
        """The checkpoint of a window, or the newest; without `resumable` only its policy."""
        there = [one for one in self.checkpoints() if one.resumable or not resumable]
        if not there:
            wanted = "that can be resumed from" if resumable else "yet"
            raise NoCheckpointError(f"{self._folder} has no checkpoint {wanted}")
        by_window = {one.window_id: one for one in there}
        chosen = there[-1] if window == "latest" else by_window.get(window)
        if chosen is None:
            known = ", ".join(map(str, by_window))
            wanted = "resumable checkpoint" if resumable else "checkpoint"
            raise CheckpointError(
                f"{self._folder} has no {wanted} of window {window} (there are: {known})"
            )
        checkpoint, _ = checkpoints.load(chosen.folder, resumable=resumable)
        return checkpoint

    def replay_index(self) -> ReplayIndex:
        """The catalogue of the run's replays."""
        return replay_index.read(self._folder, self.metadata()["run_id"])

    def replay_file(self, replay_id: str) -> Path:
        """Where a replay lies."""
        names.check_replay_id(replay_id)
        entry = self.replay_index().find(replay_id)
        if entry is None:
            raise ReplayError(f"{self._folder} has no {replay_id}; look in its replay index")
        return names.inside(self._folder, entry.replay_path)

    def replay(self, replay_id: str) -> Replay:
        """A whole replay, if its file is the one that the index names."""
        path = self.replay_file(replay_id)
        entry = self.replay_index().find(replay_id)
        return replays.read(path, None if entry is None else entry.sha256)


@dataclass(frozen=True, slots=True)
class RunSummary:
    """A run in a list of runs."""

    run_id: str
    folder: Path
    status: Status | Literal["broken"]
    metadata: Mapping[str, Any]
    """Empty where it cannot be read."""
    problem: str | None
    """What is wrong with a broken run."""


def list_runs(root: Path) -> list[RunSummary]:
    """Every run below `root`, last updated first, broken ones at the end."""
    try:
        found = sorted(one for one in root.iterdir() if names.is_run_id(one.name))
    except (FileNotFoundError, NotADirectoryError):
        return []
    runs = [one for folder in found if (one := _summary(folder)) is not None]
    runs.sort(key=lambda one: str(one.metadata.get("updated_at", "")), reverse=True)
    return runs


def _summary(folder: Path) -> RunSummary | None:
    """One run; None where there is none, or no longer."""
    try:
        run = RunFolder.open(folder)
        return RunSummary(run.run_id, folder, run.status(), run.metadata(), None)
    except RunNotFoundError:
        return None
    except RunError as error:
        return RunSummary(folder.name, folder, "broken", {}, str(error))
