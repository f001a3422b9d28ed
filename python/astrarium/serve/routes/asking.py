"""What routes have in common: checked parameters, answers as bytes, and their documentation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import msgspec
from fastapi import Depends, Path, Response
from pydantic import BaseModel
from starlette.types import Receive, Scope, Send

from astrarium.runs import documents, names
from astrarium.serve.observatory import Observatory, asked_observatory
from astrarium.serve.shapes import Detail

Asked = Annotated[Observatory, Depends(asked_observatory)]
RunId = Annotated[str, Path(pattern=f"^{names.RUN_ID}$", description="The folder of the run.")]
ReplayId = Annotated[
    str,
    Path(pattern=f"^{names.REPLAY_ID}$", max_length=64, description="From the replay index."),
]

REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": Detail, "description": words}
    for status, words in {
        401: "No bearer token, or a wrong one.",
        403: "Asked by a page of another origin.",
        404: "There is no such thing.",
        413: "The body is too large.",
        422: "A parameter is malformed or out of range.",
        429: "Too much at once.",
        500: "A file of the run is damaged.",
        503: "Too much at once, or not available; ask again after `Retry-After`.",
    }.items()
}


def answers(model: type[BaseModel], *also: int) -> dict[int | str, dict[str, Any]]:
    """The documentation of a route whose answers are bytes: its form, and further refusals."""
    words = {400: "A bad value.", 409: "Not now.", 502: "Failed elsewhere."}
    return {
        200: {"model": model, "description": "As asked."},
        **{status: {"model": Detail, "description": words[status]} for status in also},
    }


def json(content: Any) -> Response:
    """An answer that is encoded here."""
    return Response(documents.encode(content), media_type="application/json")


def raw_json(content: bytes) -> Response:
    """An answer that is encoded already."""
    return Response(content, media_type="application/json")


class JsonInPieces(Response):
    """An answer whose large middle part is read piece by piece while it is sent.

    Only the piece that is being sent is in memory, however slow the client is.
    """

    media_type = "application/json"

    def __init__(self, head: bytes, pieces: Iterator[bytes], length: int, tail: bytes) -> None:
        super().__init__()
        self.headers["content-length"] = str(len(head) + length + len(tail))
        self._head, self._pieces, self._tail = head, pieces, tail

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send every piece, each when the one before it was taken."""
        del scope, receive
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        waiting = self._head
        for piece in self._pieces:
            await send({"type": "http.response.body", "body": waiting, "more_body": True})
            waiting = piece
        await send({"type": "http.response.body", "body": waiting, "more_body": True})
        await send({"type": "http.response.body", "body": self._tail})


def quoted(text: str) -> bytes:
    """A text as JSON."""
    return msgspec.json.encode(text)
