"""Replays unpacked once, and sent as they are stored.

A replay is unpacked into a temporary file in which every line's newline is a comma. A page of
frames is then one slice of that file between brackets: no frame is decoded or encoded again. Lines
are checked while they are unpacked, and can be read as soon as they are.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import threading
import weakref
import zlib
from array import array
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import BinaryIO, Final

from astrarium.runs import Header, ReplayError, replays
from astrarium.runs.documents import open_plain
from astrarium.serve.timeline import Timeline

_PACKED_BYTES: Final = 128 << 10
_UNPACKED_BYTES: Final = 1 << 20
_GZIP: Final = 31
"""Tells zlib that gzip's header comes first."""

REPLAYS_MAX: Final = 256
"""Each takes a file handle, of which a process has few."""

Key = tuple[str, int, int, int]
"""Path, inode, time and size of a file."""


class StoredReplay:
    """One replay, as far as it is unpacked."""

    def __init__(self, path: Path, folder: Path | None, sha256: str | None = None) -> None:
        self.path = path
        self._sha256 = sha256
        self.header: Header | None = None
        self.header_line = b""
        self.timeline = Timeline()
        self.error: Exception | None = None
        """Why there are no more frames than these."""
        self.done = False
        self._starts = array("Q", [0])
        """Where each frame begins, and where the next one will."""
        self._waiting: list[tuple[asyncio.AbstractEventLoop, asyncio.Future[None]]] = []
        self._lock = threading.Lock()
        with tempfile.TemporaryFile(dir=folder, prefix="astrarium-") as file:
            self._handle = os.dup(file.fileno())
        weakref.finalize(self, os.close, self._handle)

    @property
    def frames(self) -> int:
        """Frames that can be read."""
        return len(self._starts) - 1

    @property
    def size(self) -> int:
        """Bytes it takes."""
        return self._starts[-1]

    async def reach(self, frames: int) -> None:
        """Wait until there are this many frames, or no more are coming."""
        while self.frames < frames and not self.done:
            loop = asyncio.get_running_loop()
            woken: asyncio.Future[None] = loop.create_future()
            with self._lock:
                if self.frames >= frames or self.done:
                    return
                self._waiting.append((loop, woken))
            await woken

    def bytes_of(self, first: int, end: int) -> int:
        """The length of some frames in the replay's own lines."""
        return self._starts[end] - self._starts[first]

    def end_within(self, first: int, end: int, limit: int) -> int:
        """Where a chunk from `first` closes: with the frame by which it reaches `limit` bytes."""
        reached = bisect_left(self._starts, self._starts[first] + limit, first + 1, end + 1)
        return min(reached, end)

    def read(self, first: int, end: int) -> bytes:
        """Some frames as the inside of a JSON list."""
        if first >= end:
            return b""
        start = self._starts[first]
        return os.pread(self._handle, self._starts[end] - 1 - start, start)

    def pieces(self, first: int, end: int, bytes_max: int) -> Iterator[bytes]:
        """Yield what `read` returns, in pieces that are read only when they are asked for."""
        if first >= end:
            return
        start, stop = self._starts[first], self._starts[end] - 1
        while start < stop:
            piece = os.pread(self._handle, min(bytes_max, stop - start), start)
            if not piece:
                raise OSError("an unpacked replay is shorter than it was")
            yield piece
            start += len(piece)

    def unpack(self) -> None:
        """Read the whole file; runs in a thread of its own, once."""
        try:
            self._unpack()
        except Exception as error:
            self.error = error
        finally:
            self.done = True
            self._wake()

    def _unpack(self) -> None:
        if self._sha256 is not None:
            with _opened(self.path) as file:
                replays.check_bytes(self.path, file, self._sha256)
        rest, number = b"", 0
        for piece in _unpacked(self.path):
            lines = (rest + piece).split(b"\n")
            rest = lines.pop()
            replays.check_line(self.path, len(rest))
            if lines and self.header is None:
                self.header_line = lines.pop(0)
                self.header = replays.decode_header(self.header_line, f"{self.path}:1")
            number = self._keep(lines, number)
        if rest:
            raise ReplayError(f"{self.path} ends within a line; record it again")
        if self.header is None:
            raise ReplayError(f"{self.path} is empty; record it again")

    def _keep(self, lines: list[bytes], number: int) -> int:
        """Check some lines and make them readable, as far as they are frames."""
        ends: list[int] = []
        end = self._starts[-1]
        try:
            for line in lines:
                facts = replays.frame_facts(line, number, f"{self.path}:{number + 2}")
                self.timeline.add(facts)
                number += 1
                end += len(line) + 1
                ends.append(end)
        finally:
            if ends:
                _write(self._handle, b",".join(lines[: len(ends)]) + b",", self._starts[-1])
                self._starts.extend(ends)
                self._wake()
        return number

    def _wake(self) -> None:
        with self._lock:
            waiting, self._waiting = self._waiting, []
        for loop, woken in waiting:
            if not loop.is_closed():
                loop.call_soon_threadsafe(_settle, woken)


def _settle(woken: asyncio.Future[None]) -> None:
    if not woken.done():
        woken.set_result(None)


def _write(handle: int, content: bytes, offset: int) -> None:
    view = memoryview(content)
    while view:
        written = os.pwrite(handle, view, offset)
        view, offset = view[written:], offset + written


def _unpacked(path: Path) -> Iterator[bytes]:
    """The content of a gzip file, piece by piece and within the limit on its size."""
    total = 0
    unpacker = zlib.decompressobj(_GZIP)
    try:
        with _opened(path) as file:
            size = os.fstat(file.fileno()).st_size
            while packed := file.read(_PACKED_BYTES):
                while packed:
                    if unpacker.eof:
                        # Padding, or one more gzip file behind the first.
                        packed = packed.lstrip(b"\0")
                        if not packed:
                            break
                        unpacker = zlib.decompressobj(_GZIP)
                    piece = unpacker.decompress(packed, _UNPACKED_BYTES)
                    packed = unpacker.unused_data if unpacker.eof else unpacker.unconsumed_tail
                    total += len(piece)
                    replays.check_size(path, total, size)
                    yield piece
        if not unpacker.eof:
            raise ReplayError(f"{path} cannot be unpacked: it ends too early; record it again")
    except (OSError, zlib.error) as error:
        raise ReplayError(f"{path} cannot be unpacked: {error}; record it again") from error


def _opened(path: Path) -> BinaryIO:
    try:
        return open_plain(path)
    except FileNotFoundError as error:
        raise ReplayGoneError(f"there is no {path}; it may have been deleted") from error


class ReplayGoneError(ReplayError):
    """The file of a replay is not there."""


def _key(path: str) -> Key:
    """What tells a file from any other that lies, or lay, in its place."""
    try:
        facts = os.stat(path)
    except OSError as error:
        raise ReplayGoneError(f"there is no {path}; it may have been deleted") from error
    return path, facts.st_ino, facts.st_mtime_ns, facts.st_size


class FrameStore:
    """The replays read last, within a budget of bytes on the disk."""

    def __init__(self, bytes_max: int, folder: Path | None = None, threads: int = 2) -> None:
        self._bytes_max = bytes_max
        self._folder = folder
        self._held: OrderedDict[Key, StoredReplay] = OrderedDict()
        self._thread_count = threads
        self._threads: ThreadPoolExecutor | None = None

    @property
    def bytes_held(self) -> int:
        """What the unpacked replays take together."""
        return sum(one.size for one in self._held.values())

    def held(self, path: str) -> StoredReplay | None:
        """A replay that was opened under this path, if the path still leads to the same file."""
        key = _key(path)
        found = self._held.get(key)
        # A full disk may have room again; a damaged file stays as it is.
        if found is None or not (found.error is None or isinstance(found.error, ReplayError)):
            return None
        self._held.move_to_end(key)
        return found

    def open(self, path: Path, sha256: str | None = None) -> StoredReplay:
        """A replay, being unpacked if it was not yet. For one thread, that of the event loop.

        With `sha256`, a file with other bytes is an error of the replay.
        """
        found = self.held(str(path))
        if found is None:
            self._make_room()
            found = self._held[_key(str(path))] = StoredReplay(path, self._folder, sha256)
            self._pool().submit(found.unpack)
        return found

    def _pool(self) -> ThreadPoolExecutor:
        """Made on first use, so that an app can be started again after it was stopped."""
        if self._threads is None:
            self._threads = ThreadPoolExecutor(self._thread_count, "astrarium-unpack")
        return self._threads

    def _make_room(self) -> None:
        # One being read outlives its place here until its readers are done with it.
        while self._held and (self.bytes_held >= self._bytes_max or len(self._held) >= REPLAYS_MAX):
            self._held.popitem(last=False)

    def close(self) -> None:
        """Let go of everything."""
        if self._threads is not None:
            self._threads.shutdown(wait=True, cancel_futures=True)
            self._threads = None
        self._held.clear()
