"""What things in a run folder are called.

Names that come from outside (a request, an index, a command line) are checked here, so that no
reader is led out of the run folder.
"""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Final

from astrarium.runs.errors import RunNameError

METADATA: Final = "run_metadata.json"
CONFIG: Final = "config.json"
LOCK: Final = "run.lock"
WINDOWS: Final = "metrics/windows.jsonl"
EVENTS: Final = "events.jsonl"
WORLD_EVENTS: Final = "world_events.jsonl"
CHECKPOINTS: Final = "checkpoints"
REPLAYS: Final = "replays"
REPLAY_INDEX: Final = "replay_index.json"

RUN_ID: Final = r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}"
REPLAY_ID: Final = r"replay-[0-9]{6,}-[0-9a-f]{8}"
"""The forms of the ids, as patterns for those who check them before asking."""

_RUN_ID: Final = re.compile(RUN_ID)
_REPLAY_ID: Final = re.compile(REPLAY_ID)
_CHECKPOINT: Final = re.compile(r"[0-9]{6,}")
_COMMIT: Final = re.compile(r"[0-9a-f]{7,}")
_SHORT_COMMIT: Final = 8


def check_run_id(run_id: str) -> str:
    """The id itself, or a `RunNameError`."""
    if not is_run_id(run_id):
        raise RunNameError(
            f"run id {run_id!r} cannot be a folder of runs; use 1 to 128 letters, digits, "
            "dots, dashes and underscores, beginning with a letter or digit"
        )
    return run_id


def is_run_id(name: str) -> bool:
    """Whether a folder of this name can be a run."""
    return _RUN_ID.fullmatch(name) is not None


def new_run_id(now: datetime, commit: str) -> str:
    """The default id: when the run began and from which source."""
    found = _COMMIT.match(commit)
    return f"{now:%Y%m%dT%H%M%SZ}-{found.group()[:_SHORT_COMMIT] if found else 'nogit'}"


def check_replay_id(replay_id: str) -> str:
    """The id itself, or a `RunNameError`."""
    if not is_replay_id(replay_id):
        raise RunNameError(
            f"replay id {replay_id!r} has not the form of one, such as 'replay-000012-0badcafe'; "
            "take an id from the replay index"
        )
    return replay_id


def is_replay_id(name: str) -> bool:
    """Whether a replay can have this id."""
    return _REPLAY_ID.fullmatch(name) is not None


def replay_path(replay_id: str) -> str:
    """Where a replay lies, from the run folder."""
    return f"{REPLAYS}/{replay_id}.jsonl.gz"


def checkpoint_path(window_id: int) -> str:
    """Where a window's checkpoint lies, from the run folder."""
    return f"{CHECKPOINTS}/{window_id:06d}"


def window_of(name: str) -> int | None:
    """The window a folder of checkpoints is named after; None for any other folder."""
    return int(name) if _CHECKPOINT.fullmatch(name) else None


def inside(folder: Path, path: str) -> Path:
    """A path read from a file of the run, which must stay in the run, links included."""
    relative = PurePosixPath(path)
    place = folder / relative
    if (
        not path
        or relative.is_absolute()
        or ".." in relative.parts
        or "\\" in path
        or "\0" in path
        or not place.resolve().is_relative_to(folder.resolve())
    ):
        raise RunNameError(f"{path!r} leads out of {folder}; paths in a run are relative to it")
    return place
