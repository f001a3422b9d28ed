"""News of the runs as server-sent events."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Header, Request
from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from astrarium.serve.clients import client_of
from astrarium.serve.observatory import Observatory
from astrarium.serve.problems import Problem
from astrarium.serve.routes.asking import Asked

router = APIRouter(tags=["live"])


class _LiveResponse(StreamingResponse):
    """Gives its seat back however it ends."""

    def __init__(self, asked: Observatory, client: str, last_id: str | None) -> None:
        headers = {"x-accel-buffering": "no"}
        super().__init__(
            asked.live.listen(last_id), headers=headers, media_type="text/event-stream"
        )
        self._asked, self._client = asked, client

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._asked.places.leave(self._client)


@router.get(
    "/live",
    summary="News of the runs",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {}}, "description": "Until you leave."}},
)
async def live(
    asked: Asked,
    request: Request,
    last_event_id: Annotated[str | None, Header(max_length=64)] = None,
) -> StreamingResponse:
    """Events `run`, `window`, `replay`, `growth`, `gone`, and `reset` where news were missed."""
    client = client_of(request.scope)
    if not asked.places.take(client):
        raise Problem(429, "too many open streams; close one first")
    return _LiveResponse(asked, client, last_event_id)
