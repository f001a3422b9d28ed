"""Large answers: sent in pieces, and bounded in the memory they hold until they are taken."""

from __future__ import annotations

import msgspec
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from astrarium.serve.clients import client_of
from astrarium.serve.turns import Places

PIECE_BYTES = 256 << 10
"""Written at once; a connection buffers no more than this."""
_RETRY_SECONDS = 2


class BoundedAnswers:
    """Sends large bodies in pieces, and refuses them while too many others wait to be taken."""

    def __init__(self, app: ASGIApp, memory: Places) -> None:
        self._app = app
        self._memory = memory

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on and bound its answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        client = client_of(scope)
        start: Message | None = None
        refused = False

        async def bounded(message: Message) -> None:
            nonlocal start, refused
            if refused:
                return
            if message["type"] == "http.response.start":
                start = message
                return
            size = len(message.get("body", b""))
            if size <= PIECE_BYTES:
                if start is not None:
                    await send(start)
                    start = None
                await send(message)
                return
            if start is None:
                await _send_pieces(message, send)
                return
            if not self._memory.take(client, size):
                refused = True
                await _refuse(send)
                return
            try:
                await send(start)
                start = None
                await _send_pieces(message, send)
            finally:
                self._memory.leave(client, size)

        await self._app(scope, receive, bounded)


async def _send_pieces(message: Message, send: Send) -> None:
    body = memoryview(message["body"])
    for at in range(0, len(body), PIECE_BYTES):
        last = at + PIECE_BYTES >= len(body)
        more = message.get("more_body", False) or not last
        piece = bytes(body[at : at + PIECE_BYTES])
        await send({"type": "http.response.body", "body": piece, "more_body": more})


async def _refuse(send: Send) -> None:
    words = "too many large answers wait for their clients; try again later"
    body = msgspec.json.encode({"detail": words})
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", b"%d" % len(body)),
        (b"retry-after", b"%d" % _RETRY_SECONDS),
    ]
    await send({"type": "http.response.start", "status": 503, "headers": headers})
    await send({"type": "http.response.body", "body": body})
