"""The first moment of a run: a free name, and a folder that is whole and locked when it appears."""

from __future__ import annotations

import errno
import itertools
import os
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from astrarium import atomic
from astrarium.atomic import WriteError
from astrarium.runs import documents, metadata, names
from astrarium.runs.errors import RunExistsError
from astrarium.runs.lock import RunLock
from astrarium.runs.metadata import Metadata, RunFacts
from astrarium.runs.moments import written


def found(
    root: Path, config: Mapping[str, Any], facts: RunFacts, run_id: str | None, at: datetime
) -> tuple[Path, RunLock, Metadata]:
    """A new run below `root`: its folder, its lock and its first metadata.

    Only a default name gets a number where it is taken; one that was asked for is refused.
    """
    wanted = names.check_run_id(names.new_run_id(at, facts.commit) if run_id is None else run_id)
    config_hash = documents.hash_of(config)
    for number in itertools.count(1):
        name = wanted if number == 1 else f"{wanted}-{number}"
        state = metadata.begin(name, facts, written(at), config_hash)
        lock = _build(root / name, config, state)
        if lock is not None:
            return root / name, lock, state
        if run_id is not None:
            break
    raise RunExistsError(
        f"there is already a run in {root / wanted}; resume it, or give another run_id"
    )


def _build(folder: Path, config: Mapping[str, Any], state: Metadata) -> RunLock | None:
    """The folder, locked; None where the name is taken."""
    if os.path.lexists(folder):
        return None
    lock: RunLock | None = None
    try:
        with atomic.new_folder(folder) as building:
            for path in (names.WINDOWS, names.EVENTS):
                (building / path).parent.mkdir(exist_ok=True)
                (building / path).touch()
            for path in (names.CHECKPOINTS, names.REPLAYS):
                (building / path).mkdir()
            lock = RunLock(building)
            documents.write(building / names.CONFIG, config)
            documents.write(building / names.METADATA, state)
    except BaseException as error:
        if lock is not None:
            lock.release()
        # Another process was faster.
        if isinstance(error, WriteError) and error.errno in (errno.EEXIST, errno.ENOTEMPTY):
            return None
        raise
    return lock
