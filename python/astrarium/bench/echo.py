"""The ceiling of a Python server: uvicorn sending bytes it has ready, and nothing else.

Run as a program: `python -m astrarium.bench.echo PORT PAGE CHUNK COUNT`, the names of two files and
how often the chunk is sent over a WebSocket.
"""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

Send = Callable[[dict[str, Any]], Awaitable[None]]
Receive = Callable[[], Awaitable[dict[str, Any]]]


def app_of(page: bytes, chunk: str, count: int) -> Callable[..., Awaitable[None]]:
    """An application that answers every request with `page`, every socket with `count` chunks."""
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(page))]

    async def app(scope: dict[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await send({"type": "http.response.body", "body": page})
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.accept"})
            for _ in range(count):
                await send({"type": "websocket.send", "text": chunk})
            await send({"type": "websocket.close", "code": 1000})

    return app


def main() -> None:
    """Serve until killed."""
    import uvicorn

    port, page, chunk, count = sys.argv[1:]
    app = app_of(Path(page).read_bytes(), Path(chunk).read_text("utf-8"), int(count))
    uvicorn.run(
        app,
        port=int(port),
        log_level="error",
        access_log=False,
        lifespan="off",
        ws="websockets-sansio",
        ws_per_message_deflate=False,
    )


if __name__ == "__main__":
    main()
