"""Ctrl-C with manners: the first asks for a good place to stop, the second does not wait for it."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, Final, Self

INTERRUPTED: Final = 130
"""Exit status of a command that was asked to stop before it was done."""
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


class Interrupts:
    """While the block runs, Ctrl-C and SIGTERM are counted; the second is a KeyboardInterrupt."""

    def __init__(self, heard: Callable[[], None]) -> None:
        """`heard` is called at the first, from the signal handler."""
        self._heard = heard
        self._count = 0
        self._before: dict[signal.Signals, Any] = {}

    def asked(self) -> bool:
        """Whether somebody wants it to stop."""
        return self._count > 0

    def __enter__(self) -> Self:
        self._before = {one: signal.signal(one, self._count_one) for one in _SIGNALS}
        return self

    def __exit__(self, *_: object) -> None:
        for one, handler in self._before.items():
            signal.signal(one, handler)

    def _count_one(self, number: int, frame: FrameType | None) -> None:
        self._count += 1
        if self._count > 1:
            raise KeyboardInterrupt
        self._heard()


def say_at_once(words: str) -> None:
    """Write a line to standard error from a signal handler, whatever was being written there."""
    sys.stderr.flush()
    os.write(2, f"{words}\n".encode())
