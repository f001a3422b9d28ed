"""Threads that share the chunks of a batch of rows.

Chunks are the same for any number of threads and their results come back in order, so nothing
computed here depends on how many threads there are.
"""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnnecessaryComparison=false

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import torch

Item = TypeVar("Item")
Answer = TypeVar("Answer")


def spans(count: int, size: int) -> list[slice]:
    """0 to `count` in pieces of `size`, the last one perhaps smaller."""
    return [slice(at, min(at + size, count)) for at in range(0, count, size)]


def _begin_lane() -> None:
    # Both are settings of a thread, not of the process.
    torch.set_num_threads(1)
    torch.set_grad_enabled(False)


class Lanes:
    """A fixed set of threads; the caller's own is lane 0.

    Inside a lane torch uses no threads of its own: two layers of them would fight for the cores.
    """

    def __init__(self, threads: int) -> None:
        self.count = threads
        self._pool = (
            ThreadPoolExecutor(threads - 1, "lane", initializer=_begin_lane)
            if threads > 1
            else None
        )

    def run(self, work: Callable[[int, Item], Answer], items: Sequence[Item]) -> list[Answer]:
        """`work(lane, item)` for every item; answers in the items' order."""
        if self._pool is None or len(items) == 1:
            return [work(0, item) for item in items]
        pool = self._pool

        def share(lane: int) -> list[Answer]:
            return [work(lane, item) for item in items[lane :: self.count]]

        others = [pool.submit(share, lane) for lane in range(1, min(self.count, len(items)))]
        parts = [share(0), *(other.result() for other in others)]
        return [parts[at % self.count][at // self.count] for at in range(len(items))]

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()
