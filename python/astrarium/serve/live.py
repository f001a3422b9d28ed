"""News of the runs for open pages: one watcher, any number of listeners.

The watcher looks over the runs folder and turns what changed into events, each encoded once. A
listener has a short queue; one that does not keep up is told to load everything again and dropped.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections import deque
from collections.abc import AsyncIterator, Sequence
from typing import Any, Final

import msgspec

from astrarium.runs import RunError, names
from astrarium.serve.catalogue import Catalogue, Changes, Known, world_events_bytes
from astrarium.serve.paths import plain_file
from astrarium.telemetry.journals import JournalReader, Place

KEEP_ALIVE_SECONDS: Final = 15.0
HISTORY_MAX: Final = 1_000
QUEUE_MAX: Final = 256
WINDOWS_MAX: Final = 200
"""Rows of one run in one look; a page that was away longer loads them itself."""

_log: Final = logging.getLogger(__name__)


class _WindowId(msgspec.Struct):
    window_id: int


class Listener:
    """One open page."""

    def __init__(self) -> None:
        self.queue: asyncio.Queue[bytes | None] = asyncio.Queue(QUEUE_MAX)
        self.lost = False

    def tell(self, event: bytes) -> None:
        """Queue an event; a full queue is emptied and ends with a reset."""
        if self.lost:
            return
        try:
            self.queue.put_nowait(event)
        except asyncio.QueueFull:
            self.lost = True
            while not self.queue.empty():
                self.queue.get_nowait()
            self.queue.put_nowait(RESET)
            self.queue.put_nowait(None)


RESET: Final = b"event: reset\ndata: {}\n\n"


class Live:
    """What happens in the runs folder, as server-sent events."""

    def __init__(self, catalogue: Catalogue, seconds: float) -> None:
        self._catalogue = catalogue
        self._seconds = seconds
        self._listeners: set[Listener] = set()
        self._history: deque[tuple[int, bytes]] = deque(maxlen=HISTORY_MAX)
        self._count = 0
        self._tails: dict[str, JournalReader] = {}
        self._grown: dict[str, int] = {}
        self._task: asyncio.Task[None] | None = None
        self._epoch = secrets.token_hex(4)
        """Tells events of this process from those of another."""

    @property
    def watching(self) -> bool:
        """Whether the watcher is at work."""
        return self._task is not None and not self._task.done()

    async def start(self) -> None:
        """Look once, in silence, and then again and again."""
        await asyncio.to_thread(self._catalogue.sweep)
        self._task = asyncio.create_task(self._watch())

    async def stop(self) -> None:
        """Let every page go."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        for listener in self._listeners:
            with contextlib.suppress(asyncio.QueueFull):
                listener.queue.put_nowait(None)

    async def listen(self, last_id: str | None) -> AsyncIterator[bytes]:
        """Events from now on, or from where a page that lost its connection was."""
        listener = Listener()
        self._listeners.add(listener)
        try:
            for event in self._welcome(last_id):
                yield event
            while True:
                try:
                    async with asyncio.timeout(KEEP_ALIVE_SECONDS):
                        event = await listener.queue.get()
                except TimeoutError:
                    event = b": still here\n\n"
                if event is None:
                    return
                yield event
        finally:
            self._listeners.discard(listener)

    def _welcome(self, last_id: str | None) -> list[bytes]:
        # An id without data: the page remembers it and nothing happens.
        here = f"id: {self._epoch}-{self._count}\n\n".encode()
        if last_id is None:
            return [here]
        epoch, _, number = last_id.rpartition("-")
        first = self._history[0][0] if self._history else self._count + 1
        known = number.isdigit() and len(number) < 16 and epoch == self._epoch
        if not known or not first - 1 <= int(number) <= self._count:
            return [RESET + here]
        missed = [event for at, event in self._history if at > int(number)]
        return missed or [here]

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(max(self._seconds, self._catalogue.rest_seconds))
            try:
                news = await asyncio.to_thread(self._look)
            except Exception:
                _log.exception("the runs folder could not be looked over")
                continue
            for name, content in news:
                self._publish(name, content)

    def _publish(self, name: str, content: bytes) -> None:
        self._count += 1
        event = b"id: %s-%d\nevent: %s\ndata: %s\n\n" % (
            self._epoch.encode(),
            self._count,
            name.encode(),
            content,
        )
        self._history.append((self._count, event))
        for listener in self._listeners:
            listener.tell(event)

    def _look(self) -> Sequence[tuple[str, bytes]]:
        changes: Changes = self._catalogue.sweep()
        news: list[tuple[str, bytes]] = []
        for earlier, now in changes.changed:
            news.append(("run", now.encoded))
            news += [("window", line) for line in self._new_windows(earlier, now)]
            before = dict[str, Any]() if earlier is None else earlier.by_id
            for entry in now.entries:
                if entry.replay_id not in before:
                    news.append(("replay", _encoded(run_id=now.row.run_id, replay=entry)))
        for run_id in changes.gone:
            self._tails.pop(run_id, None)
            news.append(("gone", _encoded(run_id=run_id)))
        return news + self._growth()

    def _growth(self) -> list[tuple[str, bytes]]:
        """Which running runs have written more world events; pages ask for those themselves."""
        before, self._grown = self._grown, {}
        for known in self._catalogue.runs():
            if known.row.status == "running" and known.row.has_world_events:
                self._grown[known.row.run_id] = world_events_bytes(known.folder) or 0
        return [
            ("growth", _encoded(run_id=run_id, bytes=size))
            for run_id, size in self._grown.items()
            if before.get(run_id, 0) != size
        ]

    def _new_windows(self, earlier: Known | None, now: Known) -> list[bytes]:
        """Rows written since the last look, wherever a resumption may have cut the journal."""
        run_id, seen = now.row.run_id, 0 if earlier is None else earlier.row.windows_emitted or 0
        try:
            path = plain_file(now.folder, names.WINDOWS)
            tail = self._tails.get(run_id)
            if tail is None:
                tail = JournalReader(path, Place())
                tail.place = tail.place_before(lambda line: _window_of(line) >= seen)
                self._tails[run_id] = tail
            elif tail.was_cut():
                left = min(seen, now.row.windows_emitted or 0)
                tail.place = tail.place_before(lambda line: _window_of(line) >= left)
            lines = list(tail.lines())
        except (OSError, RunError):
            return []
        if now.row.status != "running":
            self._tails.pop(run_id, None)
        told = _encoded(run_id=run_id)[:-1]
        return [
            b'%s,"window":%s}' % (told, line)
            for line in lines[-WINDOWS_MAX:]
            if _window_of(line) >= 0 and b"\n" not in line and b"\r" not in line
        ]


def _window_of(line: bytes) -> int:
    try:
        return msgspec.json.decode(line, type=_WindowId).window_id
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return -1


def _encoded(**content: Any) -> bytes:
    return msgspec.json.encode(content)
