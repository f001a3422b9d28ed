"""A disk that can be watched and made to fail at a chosen call."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Generator
from typing import Any

import pytest

# Every call through which the writer of a run changes the disk, or waits for it.
CALLS = ("open", "pwrite", "fsync", "ftruncate", "replace", "rename", "unlink", "mkdir", "rmdir")


class Disk:
    """Counts calls and asks `before` ahead of each, which may raise; fast, since nothing syncs."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.calls = 0
        self.before: Callable[[int], None] | None = None
        for name in CALLS:
            patch.setattr(os, name, self._watched(getattr(os, name), name))

    def _watched(self, call: Callable[..., Any], name: str) -> Callable[..., Any]:
        def watched(*args: Any, **kwargs: Any) -> Any:
            if self.before is not None:
                self.calls += 1
                self.before(self.calls - 1)
            return None if name == "fsync" else call(*args, **kwargs)

        return watched

    @contextlib.contextmanager
    def watching(self, before: Callable[[int], None]) -> Generator[None]:
        """Ask `before` ahead of every call in the block."""
        self.calls, self.before = 0, before
        try:
            yield
        finally:
            self.before = None

    @contextlib.contextmanager
    def resting(self) -> Generator[None]:
        """Ask nobody in the block."""
        before, self.before = self.before, None
        try:
            yield
        finally:
            self.before = before
