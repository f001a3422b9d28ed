"""Connections as the server's protocols see them: places, deadlines, and clients that talk."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

import uvicorn
from uvicorn.server import ServerState

from astrarium.serve.connections import Connections, HttpConnection, SocketConnection
from astrarium.serve.settings import Settings

HANDSHAKE = (
    b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
MASK = b"\0\0\0\0"
PING = b"\x89\xfd" + MASK + b"x" * 125
TEXT = b"\x01\x81" + MASK + b"x"
EMPTY_PART = b"\x00\x80" + MASK


class Transport(asyncio.Transport):
    """Takes what is written, and remembers how much."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self.address = address
        self.written = b""
        self.closing = self.aborted = False

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return (self.address, 9) if name == "peername" else default

    def set_write_buffer_limits(self, high: Any = None, low: Any = None) -> None:
        self.high = high

    def write(self, data: Any) -> None:
        self.written += bytes(data)

    def is_closing(self) -> bool:
        return self.closing

    def close(self) -> None:
        self.closing = True

    def abort(self) -> None:
        self.closing = self.aborted = True

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        pass

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass


class Server:
    """Makes connections without a socket."""

    def __init__(self, **settings: Any) -> None:
        self.places = Connections(Settings(**settings))
        self.config = uvicorn.Config(
            self.app,
            http=partial(HttpConnection, connections=self.places),  # type: ignore[arg-type]
            ws=partial(SocketConnection, connections=self.places),  # type: ignore[arg-type]
            ws_per_message_deflate=False,
            lifespan="off",
            interface="asgi3",
        )
        self.config.load()
        self.state = ServerState()
        self.received: list[Any] = []

    async def app(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.accept"})
            self.received.append(await receive())
            self.received.append(await receive())
            return
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})

    def connect(self, address: str = "10.0.0.1") -> HttpConnection:
        made = self.config.http_protocol_class(
            config=self.config,
            server_state=self.state,
            app_state={},
            _loop=asyncio.get_running_loop(),
        )
        assert isinstance(made, HttpConnection)
        made.connection_made(Transport(address))
        return made


async def settled() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def test_the_oldest_connection_that_waits_gives_way() -> None:
    async def act() -> None:
        server = Server(connections_max=4, connections_per_client=2)
        first, second = server.connect(), server.connect()
        third = server.connect()
        assert first.transport.aborted
        assert not second.transport.aborted
        assert not third.transport.aborted
        others = [server.connect("10.0.0.2"), server.connect("10.0.0.3")]
        assert len(server.places) == 4
        server.connect("10.0.0.4")
        assert second.transport.aborted
        assert not any(one.transport.aborted for one in (third, *others))
        assert len(server.places) == 4

    asyncio.run(act())


def test_connections_that_are_answered_do_not_give_way() -> None:
    async def act() -> None:
        server = Server(connections_max=2)
        busy = [server.connect(), server.connect()]
        for one in busy:
            # Read, but not answered yet: the app has had no turn.
            one.data_received(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        late = server.connect()
        assert late.transport.written.startswith(b"HTTP/1.1 503 ")
        assert b"retry-after: 5" in late.transport.written
        assert late.transport.closing
        assert not any(one.transport.closing for one in busy)
        await settled()
        assert all(b" 204 " in one.transport.written for one in busy)
        # Answered: they wait again, and the first one gives way.
        assert not server.connect().transport.closing
        assert busy[0].transport.aborted

    asyncio.run(act())


def test_proxies_have_as_many_connections_as_there_are() -> None:
    async def act() -> None:
        settings = {"connections_per_client": 1, "trusted_proxies": ("10.0.0.0/8",)}
        server = Server(**settings)
        proxied = [server.connect("10.0.0.1") for _ in range(5)]
        assert not any(one.transport.aborted for one in proxied)
        direct = [server.connect("192.0.2.1") for _ in range(2)]
        assert direct[0].transport.aborted

    asyncio.run(act())


def test_a_place_comes_back_with_its_connection() -> None:
    async def act() -> None:
        server = Server()
        connections = [server.connect() for _ in range(3)]
        for one in connections:
            one.connection_lost(None)
        assert len(server.places) == 0
        assert not server.places._counts
        assert not server.places._waiting

    asyncio.run(act())


def test_what_is_written_must_be_taken_in_time() -> None:
    async def act() -> None:
        server = Server(send_seconds_max=0.05)
        slow, quick = server.connect(), server.connect()
        assert slow.transport.high == 0
        for one in (slow, quick):
            one.data_received(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            one.pause_writing()
        quick.resume_writing()
        await asyncio.sleep(0.2)
        assert slow.transport.aborted
        assert not quick.transport.aborted
        slow.connection_lost(None)
        await settled()

    asyncio.run(act())


def test_a_websocket_keeps_nothing_that_its_client_says() -> None:
    """Neither messages, nor their parts, nor answers to pings that nobody takes."""

    async def act() -> None:
        server = Server()
        connection = server.connect()
        transport = connection.transport
        connection.data_received(HANDSHAKE)
        (stream,) = server.state.connections
        assert isinstance(stream, SocketConnection)
        await settled()
        assert b" 101 " in transport.written
        before = len(transport.written)
        stream.data_received(PING)
        assert len(transport.written) == before + 127
        stream.pause_writing()
        for _ in range(100):
            stream.data_received(PING)
        assert len(transport.written) == before + 127
        stream.resume_writing()
        stream.data_received(PING)
        assert len(transport.written) == before + 2 * 127
        stream.data_received(TEXT + EMPTY_PART * 1000)
        assert stream.frames == []
        assert stream.queue.empty()
        assert len(server.places) == 1
        stream.connection_lost(None)
        await settled()
        assert len(server.places) == 0
        assert [one["type"] for one in server.received] == [
            "websocket.connect",
            "websocket.disconnect",
        ]

    asyncio.run(act())
