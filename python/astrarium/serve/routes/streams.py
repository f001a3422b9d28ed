"""Frames over a WebSocket: chunks of stored lines, as fast as the reader takes them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import Any, Final

import msgspec
from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from starlette.datastructures import QueryParams

from astrarium.errors import AstrariumError
from astrarium.runs.names import replay_path
from astrarium.serve.clients import client_of
from astrarium.serve.frame_store import StoredReplay
from astrarium.serve.observatory import Observatory, observatory_of
from astrarium.serve.problems import Problem, status_of, words_of
from astrarium.serve.routes.asking import quoted
from astrarium.serve.routes.replays import failure_of, open_replay

router = APIRouter()

_CLOSING_SECONDS: Final = 0.05
_POLICY: Final = 1008
_UNEXPECTED: Final = 1011
_TRY_LATER: Final = 1013
_log: Final = logging.getLogger(__name__)

_RANGES: Final = {
    "offset": (0, 2**53, 0),
    "limit": (1, 50_000, 5_000),
    "batch_size": (1, 5_000, 256),
    "max_chunk_bytes": (1_024, 4_194_304, 262_144),
    "yield_every_batches": (0, 1_000, 8),
}
"""Of each parameter: least, most, default."""


class _Wanted(msgspec.Struct, frozen=True):
    offset: int
    limit: int
    batch_size: int
    max_chunk_bytes: int
    yield_every_batches: int


@router.websocket("/ws/runs/{run_id}/replays/{replay_id}/frames")
async def frames(socket: WebSocket, run_id: str, replay_id: str) -> None:
    """Prelude, chunks, complete; or an error that says what is wrong."""
    asked = observatory_of(socket)
    client = client_of(socket.scope)
    if not asked.places.take(client):
        await socket.close(_TRY_LATER)
        return
    try:
        await socket.accept()
        stream = _Stream(socket, asked, client, run_id, replay_id)
        # A reader that left shows as any of these, depending on when it did.
        with contextlib.suppress(WebSocketDisconnect, TimeoutError, OSError, RuntimeError):
            await stream.run()
    finally:
        asked.places.leave(client)


def _wanted(query: QueryParams) -> _Wanted:
    given: dict[str, int] = {}
    for name, (least, most, default) in _RANGES.items():
        text = query.get(name)
        if text is None:
            given[name] = default
            continue
        # int() alone would take underscores, signs of other scripts and endless digits.
        digits = text.isascii() and text.isdigit() and len(text) <= 16
        if not digits or not least <= int(text) <= most:
            raise Problem(400, f"{name} must be a whole number from {least} to {most}")
        given[name] = int(text)
    return _Wanted(**given)


class _NoMemoryError(Exception):
    """Readers have not taken what is in memory already."""


class _Stream:
    """One replay on its way to one reader."""

    def __init__(
        self, socket: WebSocket, asked: Observatory, client: str, run_id: str, replay_id: str
    ) -> None:
        self._socket = socket
        self._asked = asked
        self._client = client
        self._ids = b'"run_id":%s,"replay_id":%s' % (quoted(run_id), quoted(replay_id))
        self._run_id, self._replay_id = run_id, replay_id
        self._patience = asked.settings.send_seconds_max

    async def run(self) -> None:
        """Send everything, or say why not."""
        try:
            wanted = _wanted(self._socket.query_params)
            await self._send(self._chunk(wanted, wanted.offset, wanted.offset, -1, 0, b"", True))
            stored = open_replay(self._asked, self._run_id, self._replay_id)
            await self._send_all(wanted, stored)
        except (Problem, AstrariumError) as error:
            status = status_of(error)
            await self._fail(status, words_of(error, str(self._asked.root)))
        except _NoMemoryError:
            await self._socket.close(_TRY_LATER, "too many chunks wait for their readers")
        except (WebSocketDisconnect, TimeoutError, OSError):
            raise
        except Exception as error:
            _log.exception("a stream of %s failed", self._replay_id)
            await self._fail(500, f"unexpected {type(error).__name__}")

    async def _send_all(self, wanted: _Wanted, stored: StoredReplay) -> None:
        first, last = wanted.offset, wanted.offset + wanted.limit
        sent = 0
        while first < last:
            most = min(first + wanted.batch_size, last)
            await stored.reach(most)
            there = min(most, stored.frames)
            if stored.error is not None and there < most:
                last = min(last, stored.frames)
            if first >= there:
                break
            end = stored.end_within(first, there, wanted.max_chunk_bytes)
            size = stored.bytes_of(first, end)
            full = end - first == wanted.batch_size or size >= wanted.max_chunk_bytes
            await self._send(
                self._chunk(wanted, first, end, sent, size, stored.read(first, end), full)
            )
            self._asked.metrics.frames_by_socket.inc(end - first)
            sent, first = sent + 1, end
            if wanted.yield_every_batches and sent % wanted.yield_every_batches == 0:
                await asyncio.sleep(0)
        if stored.error is not None and first < wanted.offset + wanted.limit:
            raise failure_of(stored)
        await stored.reach(first + 1)
        await self._complete(wanted, first, sent, more=stored.frames > first)

    def _chunk(
        self,
        wanted: _Wanted,
        first: int,
        end: int,
        index: int,
        size: int,
        inside: bytes,
        more: bool,
    ) -> str:
        head = (
            b'{"type":"frames",%s,"offset":%d,"next_offset":%d,"count":%d,"has_more":%s,'
            b'"chunk_index":%d,"chunk_bytes":%d,"max_chunk_bytes":%d,%s"frames":['
        ) % (
            self._ids,
            first,
            end,
            end - first,
            b"true" if more else b"false",
            index,
            size,
            wanted.max_chunk_bytes,
            b'"prelude":true,' if index < 0 else b"",
        )
        return b"".join((head, inside, b"]}")).decode("utf-8")

    async def _complete(self, wanted: _Wanted, end: int, sent: int, *, more: bool) -> None:
        await self._tell(
            {
                "type": "complete",
                "run_id": self._run_id,
                "replay_id": self._replay_id,
                "offset": wanted.offset,
                "next_offset": end,
                "count": end - wanted.offset,
                "has_more": more,
                "replay_path": replay_path(self._replay_id),
                "chunks_sent": sent,
                "batch_size": wanted.batch_size,
                "max_chunk_bytes": wanted.max_chunk_bytes,
                "yield_every_batches": wanted.yield_every_batches,
            }
        )
        await asyncio.sleep(_CLOSING_SECONDS)
        await self._socket.close(1000)

    async def _fail(self, status: int, detail: str) -> None:
        await self._tell({"type": "error", "status_code": status, "detail": detail})
        await self._socket.close(_POLICY if status < 500 else _UNEXPECTED)

    async def _tell(self, content: dict[str, Any]) -> None:
        await self._send(msgspec.json.encode(content).decode("utf-8"))

    async def _send(self, content: str) -> None:
        """Wait until the reader has taken it, but not for ever."""
        memory, size = self._asked.memory, len(content)
        if not memory.take(self._client, size):
            raise _NoMemoryError
        try:
            async with asyncio.timeout(self._patience):
                await self._socket.send({"type": "websocket.send", "text": content})
        finally:
            memory.leave(self._client, size)
