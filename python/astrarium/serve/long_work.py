"""Slow work in threads of its own, so that quick requests never wait behind it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from astrarium.serve.problems import Problem
from astrarium.serve.turns import Places

T = TypeVar("T")


class LongWork:
    """A bounded number of threads with a bounded line before them."""

    def __init__(self, what: str, *, threads: int, waiting_max: int, per_client: int) -> None:
        self._what = what
        self._thread_count = threads
        self._places = Places(threads + waiting_max, per_client)
        self._threads: ThreadPoolExecutor | None = None

    async def run(self, client: str, work: Callable[[], T]) -> T:
        """Do some work and return its result. Raises `Problem` 503 while too much is waiting."""
        if not self._places.take(client):
            raise Problem(503, f"too many {self._what} at once; try again later", retry_after=5)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool(), work)
        finally:
            self._places.leave(client)

    def _pool(self) -> ThreadPoolExecutor:
        """Made on first use, so that an app can be started again after it was stopped."""
        if self._threads is None:
            self._threads = ThreadPoolExecutor(self._thread_count, f"astrarium-{self._what}")
        return self._threads

    def close(self) -> None:
        """Drop what waits; what runs ends by itself."""
        if self._threads is not None:
            self._threads.shutdown(wait=False, cancel_futures=True)
            self._threads = None
