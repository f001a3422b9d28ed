"""Who trains the hosts of a batch: this process, or several that share its arrays.

An epoch of a small host is thousands of small calls, during which the interpreter lock changes
hands all the time; only processes train two hosts in half the time.
"""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

import atexit
import signal
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection
from typing import Protocol

import torch

from astrarium.esper.contracts.errors import EsperError
from astrarium.esper.episode import EpisodeRules
from astrarium.esper.host_arrays import HostArrays, bytes_needed
from astrarium.esper.phases import TaskData
from astrarium.esper.shard import Shard
from astrarium.worlds.vector import Layout

Asked = tuple[int, bytes]
"""A host, and what its work needs."""


class WorkerError(EsperError, RuntimeError):
    """A process of a batch that is no more."""


class Workers(Protocol):
    """Whoever does a piece of work for many hosts."""

    def each(self, work: str, asked: Sequence[Asked]) -> list[bytes]:
        """Do it for all; when all are done, the first that failed is told of."""
        ...

    def close(self) -> None:
        """Let go of threads and processes."""
        ...


class Threads:
    """Threads of this process: one, or on a GPU as many as hosts are to be launched from."""

    def __init__(self, shard: Shard, count: int) -> None:
        self.shard = shard
        self._pool = ThreadPoolExecutor(count, "host", _one_thread)

    def each(self, work: str, asked: Sequence[Asked]) -> list[bytes]:
        """Do it for all; when all are done, the first that failed is told of."""
        pending = [self._pool.submit(self.shard.do, work, *one) for one in asked]
        wait(pending)
        return [done.result() for done in pending]

    def close(self) -> None:
        """Let go of the threads."""
        self._pool.shutdown()


class Processes:
    """Processes with one thread each; host i belongs to process i modulo their number."""

    def __init__(
        self,
        count: int,
        memory: torch.Tensor,
        shape: tuple[int, Layout],
        data: TaskData,
        rules: EpisodeRules,
        begin_anew: bool,
    ) -> None:
        """`memory` is shared, and holds the arrays of a batch of that shape."""
        context = get_context("spawn")
        # Who stops a run often tells every process of it; the one that can finish a step decides.
        # Multiprocessing unblocks signals when it starts its tracker, so that is started first.
        resource_tracker.ensure_running()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
        self._lines: list[Connection] = []
        self._processes = []
        try:
            for number in range(count):
                ours, theirs = context.Pipe()
                given = (theirs, memory, shape, data, rules, begin_anew)
                process = context.Process(
                    target=_serve, args=given, name=f"hosts {number}", daemon=True
                )
                process.start()
                theirs.close()
                self._lines.append(ours)
                self._processes.append(process)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            # Deaf to signals, they end with their lines, also where a program forgets to close.
            atexit.register(self.close)

    def each(self, work: str, asked: Sequence[Asked]) -> list[bytes]:
        """Do it for all; when all are done, the first that failed is told of."""
        count = len(self._lines)
        shares = [[one for one in asked if one[0] % count == owner] for owner in range(count)]
        busy = [owner for owner in range(count) if shares[owner]]
        for owner in busy:
            self._say(owner, (work, shares[owner]))
        found: dict[int, bytes | Exception] = {}
        for owner in busy:
            found |= zip((at for at, _ in shares[owner]), self._hear(owner), strict=True)
        results = [found[at] for at, _ in asked]
        for result in results:
            if isinstance(result, Exception):
                raise result
        return [result for result in results if isinstance(result, bytes)]

    def _say(self, owner: int, message: tuple[str, list[Asked]]) -> None:
        try:
            self._lines[owner].send(message)
        except OSError as error:
            raise self._gone(owner) from error

    def _hear(self, owner: int) -> list[bytes | Exception]:
        try:
            return self._lines[owner].recv()
        except (EOFError, OSError) as error:
            raise self._gone(owner) from error

    def _gone(self, owner: int) -> WorkerError:
        self._processes[owner].join()
        status = self._processes[owner].exitcode
        return WorkerError(
            f"the process that trains every host {owner} modulo {len(self._lines)} has ended "
            f"(exit status {status}); make the batch anew and restore its last snapshot"
        )

    def close(self) -> None:
        """Let the processes end."""
        atexit.unregister(self.close)
        for line in self._lines:
            line.close()
        for process in self._processes:
            process.join()


def shared_memory(n: int, layout: Layout) -> torch.Tensor:
    """Memory for the arrays of a batch that other processes can see."""
    return torch.zeros(bytes_needed(n, layout), dtype=torch.uint8).share_memory_()


def _one_thread() -> None:
    # A setting of the thread: sums over several would come out differently.
    torch.set_num_threads(1)


def _serve(
    line: Connection,
    memory: torch.Tensor,
    shape: tuple[int, Layout],
    data: TaskData,
    rules: EpisodeRules,
    begin_anew: bool,
) -> None:
    """A process's whole life: pieces of work, until nobody is left to ask."""
    _one_thread()
    shard = Shard(HostArrays(*shape, memory.numpy()), data, rules, begin_anew=begin_anew)
    with suppress(EOFError, ConnectionError, KeyboardInterrupt):
        while True:
            work, asked = line.recv()
            done: list[bytes | Exception] = []
            for at, given in asked:
                try:
                    done.append(shard.do(work, at, given))
                except Exception as error:
                    done.append(error)
            line.send(done)
