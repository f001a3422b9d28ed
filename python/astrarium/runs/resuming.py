"""Going back to a checkpoint: find the newest that is whole, and forget what came after it.

Rolling back never touches the checkpoint itself, and doing it twice is doing it once: a process
that is killed here leaves a run that resumes from the same place.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from astrarium import atomic
from astrarium.runs import checkpoints, journal, metadata, names, replay_index
from astrarium.runs.checkpoints import Checkpoint, Manifest
from astrarium.runs.errors import (
    CheckpointError,
    DamagedRunError,
    NoCheckpointError,
    RunError,
)
from astrarium.runs.replay_index import ReplayIndex

_log: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ResumePoint:
    """A checkpoint that can be gone on from."""

    checkpoint: Checkpoint
    manifest: Manifest
    passed_over: list[int]
    """Windows of newer checkpoints that could not be used."""


def state_left(folder: Path) -> dict[str, Any]:
    """The metadata a run was left with; what it lacks, checkpoints have too."""
    try:
        return metadata.read(folder)
    except DamagedRunError as error:
        _log.warning("%s: going on without it", error)
        return {}


def newest(folder: Path) -> ResumePoint:
    """The newest checkpoint that is whole, together with the files it builds on."""
    problems: list[str] = []
    passed_over: list[int] = []
    found = checkpoints.folders(folder)
    for window_id, place in reversed(found):
        if not checkpoints.is_resumable(place):
            continue
        try:
            checkpoint, manifest = checkpoints.load(place, resumable=True)
            _check_ground(folder, manifest)
        except CheckpointError as error:
            _log.warning("checkpoint of window %d passed over: %s", window_id, error)
            problems.append(str(error))
            passed_over.append(window_id)
        else:
            return ResumePoint(checkpoint, manifest, passed_over)
    if not found:
        why = "it ended before its first"
    else:
        why = "; ".join(problems) or "only policies are left"
    raise NoCheckpointError(
        f"{folder} has no checkpoint to resume from ({why}); start a new run with its config.json"
    )


def _check_ground(folder: Path, manifest: Manifest) -> None:
    """Refuse a checkpoint whose run no longer holds what came before it."""
    for path in (names.WINDOWS, names.EVENTS):
        if path not in manifest.journals:
            raise CheckpointError(
                f"the checkpoint of window {manifest.window_id} says nothing of {path}; load "
                "another checkpoint"
            )
    for path, end in manifest.journals.items():
        try:
            journal.check(names.inside(folder, path), end)
        except RunError as error:
            raise CheckpointError(
                f"{folder / path} no longer has the {end.rows} rows that the checkpoint of window "
                f"{manifest.window_id} builds on: {error}"
            ) from error
    count = len(replay_index.read(folder, manifest.run_id).entries)
    if count < manifest.replay_entries:
        raise CheckpointError(
            f"{folder / names.REPLAY_INDEX} has {count} of the {manifest.replay_entries} entries "
            f"the checkpoint of window {manifest.window_id} builds on; restore it from a copy"
        )


def roll_back(folder: Path, manifest: Manifest, at: str) -> ReplayIndex:
    """Forget later checkpoints and replays; the index as it was. Journals are their writer's."""
    for part in ("", names.CHECKPOINTS, names.REPLAYS, Path(names.WINDOWS).parent):
        atomic.sweep(folder / part)
    for window_id, place in checkpoints.folders(folder):
        if window_id > manifest.window_id:
            atomic.remove_folder(place)
        elif not checkpoints.is_resumable(place):
            # A writer that was thinning it out may have been killed halfway.
            checkpoints.prune(place)
    whole = replay_index.read(folder, manifest.run_id)
    kept = ReplayIndex(whole.run_id, whole.entries[: manifest.replay_entries])
    if len(kept.entries) < len(whole.entries):
        replay_index.write(folder, kept, at)
    paths = {entry.replay_path for entry in kept.entries}
    for place in (folder / names.REPLAYS).glob("*"):
        if f"{names.REPLAYS}/{place.name}" not in paths:
            atomic.remove_file(place)
    return kept
