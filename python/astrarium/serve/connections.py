"""Connections with limits: how many there are, and how long each may keep the server waiting.

uvicorn waits without end for the rest of a request and for a client to take an answer. The classes
here add deadlines for both to its protocols, and a cap on connections in all and for each client.
Where a cap is reached, the connection that has waited longest without a whole request gives way.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any, Final, cast

import h11
from starlette.types import Message
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import get_remote_addr
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from astrarium.serve.clients import UNKNOWN, client_key, is_within, networks_of
from astrarium.serve.settings import Settings

_BODY_GRACE_SECONDS: Final = 2.0
"""The application answers a slow body itself; this is how much later the connection is cut."""
_REFUSAL: Final = (
    b"HTTP/1.1 %s\r\ncontent-type: application/json\r\ncontent-length: %d\r\n"
    b"retry-after: 5\r\nconnection: close\r\n\r\n%s"
)


def _refusal(status: bytes, detail: bytes) -> bytes:
    body = b'{"detail":"%s"}' % detail
    return _REFUSAL % (status, len(body), body)


_BUSY: Final = _refusal(b"503 Service Unavailable", b"too many connections; try again later")
_TOO_SLOW: Final = _refusal(b"408 Request Timeout", b"the request took too long to arrive")


class Connections:
    """The open connections of one server. Used by the thread of the event loop only."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._proxies = networks_of(settings.trusted_proxies)
        self._clients: dict[object, str] = {}
        """Every connection, and the client it counts for."""
        self._counts: Counter[str] = Counter()
        self._waiting: dict[HttpConnection, None] = {}
        """Connections without a whole request, in the order in which they began to wait."""

    def __len__(self) -> int:
        return len(self._clients)

    def admit(self, connection: object, address: str) -> bool:
        """Take a place for a new connection; another one may have to give way."""
        settings, client = self.settings, client_key(address)
        # Behind a proxy there are many clients; what it forwards is limited request by request.
        is_proxy = is_within(address, self._proxies)
        if not is_proxy and self._counts[client] >= settings.connections_per_client:
            if not self._make_room(client):
                return False
        elif len(self._clients) >= settings.connections_max and not self._make_room(None):
            return False
        self.add(connection, client)
        return True

    def add(self, connection: object, client: str) -> None:
        """Take a place without asking."""
        self._clients[connection] = client
        self._counts[client] += 1

    def leave(self, connection: object) -> str:
        """Give the place of a connection back, and return its client."""
        client = self._clients.pop(connection, None)
        if client is None:
            return UNKNOWN
        self._counts[client] -= 1
        if self._counts[client] <= 0:
            del self._counts[client]
        self._waiting.pop(cast("Any", connection), None)
        return client

    def waits(self, connection: HttpConnection) -> None:
        """Note that a connection has no whole request."""
        if connection in self._clients:
            self._waiting[connection] = None

    def works(self, connection: HttpConnection) -> None:
        """Note that the request of a connection is being answered."""
        self._waiting.pop(connection, None)

    def _make_room(self, client: str | None) -> bool:
        """Cut the connection that waits longest, of one client or of all."""
        oldest = next((one for one in self._waiting if client in (None, self._clients[one])), None)
        if oldest is None:
            return False
        self.leave(oldest)
        oldest.transport.abort()
        return True


class _WriteDeadline:
    """Cuts a connection whose client takes nothing of what was written for too long."""

    transport: asyncio.Transport
    loop: asyncio.AbstractEventLoop
    _write_timer: asyncio.TimerHandle | None = None
    _send_seconds_max: float

    def _bound_writes(self, transport: asyncio.Transport, settings: Settings) -> None:
        # Without a margin, writing pauses while anything is left, and resumes once it is all taken.
        transport.set_write_buffer_limits(high=0)
        self._send_seconds_max = settings.send_seconds_max

    def _start_write_timer(self) -> None:
        self._stop_write_timer()
        self._write_timer = self.loop.call_later(self._send_seconds_max, self.transport.abort)

    def _stop_write_timer(self) -> None:
        if self._write_timer is not None:
            self._write_timer.cancel()
            self._write_timer = None


class HttpConnection(_WriteDeadline, H11Protocol):
    """A connection whose requests must arrive, and whose answers must be taken, in time."""

    def __init__(self, *args: Any, connections: Connections, **named: Any) -> None:
        super().__init__(*args, **named)
        self._places = connections
        self._request_timer: asyncio.TimerHandle | None = None
        self._state: Any = None
        """What the client was sending when the timer was set."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a place, or answer that there is none."""
        super().connection_made(transport)
        self._bound_writes(transport, self._places.settings)
        address = self.client[0] if self.client else UNKNOWN
        if self._places.admit(self, address):
            self._follow()
        else:
            transport.write(_BUSY)
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Give the place back."""
        self._stop_timers()
        self._places.leave(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take in more of a request."""
        if not self.transport.is_closing():
            super().data_received(data)
            self._follow()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._follow()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the place over to the WebSocket."""
        self._stop_timers()
        # The connection that follows takes the place in `connection_made`, before anything else.
        self._places.leave(self)
        super().handle_websocket_upgrade(event)

    def pause_writing(self) -> None:
        """Start the deadline of a write."""
        super().pause_writing()
        self._start_write_timer()

    def resume_writing(self) -> None:
        """Stop the deadline of a write."""
        super().resume_writing()
        self._stop_write_timer()

    def _follow(self) -> None:
        """Keep a deadline while a request is arriving, a new one for its body."""
        state = self.conn.their_state
        if self.transport.is_closing() or state not in (h11.IDLE, h11.SEND_BODY):
            self._stop_request_timer()
            self._places.works(self)
        elif self._request_timer is None or state is not self._state:
            self._stop_request_timer()
            settings = self._places.settings
            seconds = settings.head_seconds_max
            if state is h11.SEND_BODY:
                seconds = settings.body_seconds_max + _BODY_GRACE_SECONDS
            self._state = state
            self._request_timer = self.loop.call_later(seconds, self._cut)
            self._places.waits(self)

    def _cut(self) -> None:
        """End a connection whose request does not arrive."""
        self._request_timer = None
        begun = bool(self.conn.trailing_data[0])
        if self._state is h11.IDLE and begun and self.conn.our_state is h11.IDLE:
            self.transport.write(_TOO_SLOW)
            self.transport.close()
        else:
            self.transport.abort()

    def _stop_request_timer(self) -> None:
        if self._request_timer is not None:
            self._request_timer.cancel()
            self._request_timer = None

    def _stop_timers(self) -> None:
        self._stop_request_timer()
        self._stop_write_timer()


class SocketConnection(_WriteDeadline, WebSocketsSansIOProtocol):
    """A WebSocket that only sends, one message at a time, to a client that takes it in time."""

    def __init__(self, *args: Any, connections: Connections, **named: Any) -> None:
        super().__init__(*args, **named)
        self._places = connections

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take over the place of the HTTP connection."""
        super().connection_made(transport)
        self._bound_writes(self.transport, self._places.settings)
        peer = get_remote_addr(self.transport)
        self._places.add(self, client_key(peer[0]) if peer else UNKNOWN)

    def connection_lost(self, exc: Exception | None) -> None:
        """Give the place back."""
        self._stop_write_timer()
        self._places.leave(self)
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Start the deadline of a write."""
        super().pause_writing()
        self._start_write_timer()

    def resume_writing(self) -> None:
        """Stop the deadline of a write."""
        super().resume_writing()
        self._stop_write_timer()

    async def send(self, message: Message) -> None:  # type: ignore[override]
        """Send a message, and wait until the client has taken it."""
        await super().send(cast("Any", message))
        await self.writable.wait()

    def handle_text(self, event: Frame) -> None:
        """Ignore a message: nothing here listens, and kept messages would take memory."""

    def handle_bytes(self, event: Frame) -> None:
        """Ignore a message."""

    def handle_cont(self, event: Frame) -> None:
        """Ignore a part of a message."""

    def handle_ping(self) -> None:
        """Answer a ping, unless the client takes no answers."""
        answer = b"".join(self.conn.data_to_send())
        if self.writable.is_set():
            self.transport.write(answer)
