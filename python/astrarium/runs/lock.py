"""Who writes a run: a lock that the system lets go of when its process ends, however it ends."""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from pathlib import Path
from typing import Final

from astrarium.runs import names
from astrarium.runs.errors import RunBusyError, RunNotFoundError

_PATIENCE_SECONDS: Final = 1.0
_PAUSE_SECONDS: Final = 0.01


class RunLock:
    """The lock of one run, held from here until `release` or the end of the process."""

    def __init__(self, folder: Path) -> None:
        try:
            self._handle = os.open(folder / names.LOCK, os.O_RDWR | os.O_CREAT, 0o644)
        except FileNotFoundError as error:
            raise RunNotFoundError(f"there is no run in {folder}") from error
        try:
            self._take(folder)
        except BaseException:
            os.close(self._handle)
            raise

    def _take(self, folder: Path) -> None:
        # A reader that asks `is_held` holds the lock for a moment: that is not a writer.
        tries = round(_PATIENCE_SECONDS / _PAUSE_SECONDS)
        for _ in range(tries):
            with contextlib.suppress(BlockingIOError):
                fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            time.sleep(_PAUSE_SECONDS)
        raise RunBusyError(
            f"another process is writing {folder}; wait for it to end, or stop it, and try again"
        )

    def release(self) -> None:
        """Let others write the run."""
        os.close(self._handle)


def is_held(folder: Path) -> bool:
    """Whether a process is writing this run now."""
    try:
        handle = os.open(folder / names.LOCK, os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False
