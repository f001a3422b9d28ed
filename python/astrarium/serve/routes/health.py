"""Whether the server is alive, ready, and what it counts."""

from __future__ import annotations

import os

from fastapi import APIRouter, Response

from astrarium.serve.problems import Problem
from astrarium.serve.routes.asking import Asked, answers, json
from astrarium.serve.shapes import Health

router = APIRouter(tags=["health"])


@router.get("/health", include_in_schema=False)
@router.get("/healthz", summary="Alive")
async def healthz() -> Health:
    """The process answers."""
    return Health(status="ok")


@router.get("/readyz", responses=answers(Health), response_class=Response, summary="Ready")
def readyz(asked: Asked) -> Response:
    """The runs folder can be read, or is not there yet, and is being watched."""
    if asked.root.exists() and not os.access(asked.root, os.R_OK | os.X_OK):
        raise Problem(503, "the runs folder cannot be read")
    if not asked.live.watching:
        raise Problem(503, "the runs folder is not being watched")
    return json({"status": "ok"})


@router.get(
    "/metrics",
    responses={200: {"content": {"text/plain": {}}, "description": "Prometheus text."}},
    response_class=Response,
    summary="Counters",
)
def metrics(asked: Asked) -> Response:
    """Requests, latencies, sockets, sessions, frames and the replay cache."""
    return Response(asked.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")
