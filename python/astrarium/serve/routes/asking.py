"""What routes have in common: checked parameters, answers as bytes, and their documentation."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from fastapi import Depends, Path, Response
from pydantic import BaseModel

from astrarium.runs import documents, names
from astrarium.serve.observatory import Observatory, observatory_of
from astrarium.serve.shapes import Detail

Asked = Annotated[Observatory, Depends(observatory_of)]
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
    }.items()
}


def answers(model: type[BaseModel], *also: int) -> dict[int | str, dict[str, Any]]:
    """The documentation of a route whose answers are bytes: its form, and further refusals."""
    words = {400: "A bad value.", 409: "Not now.", 502: "Failed elsewhere.", 503: "Not available."}
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


def quoted(text: str) -> bytes:
    """A text as JSON."""
    return msgspec.json.encode(text)
