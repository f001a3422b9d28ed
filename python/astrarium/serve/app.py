"""One server, put together."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator

from fastapi import FastAPI, Request, Response
from starlette.middleware.cors import CORSMiddleware

from astrarium import __version__
from astrarium.serve import problems
from astrarium.serve.answers import BoundedAnswers
from astrarium.serve.metrics import Measured
from astrarium.serve.observatory import Observatory, observatory_of
from astrarium.serve.routes import (
    growth,
    health,
    live,
    play,
    replays,
    reports,
    runs,
    streams,
    wandb,
    wars,
    worlds,
)
from astrarium.serve.routes.asking import REFUSALS
from astrarium.serve.security import Guard, SecurityHeaders
from astrarium.serve.settings import Settings

PREFIX = "/api/v1"


def create_app(settings: Settings) -> FastAPI:
    """The application; nothing runs before it is served."""
    observatory = Observatory(settings)

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncGenerator[None]:
        del app
        async with observatory.at_work():
            yield

    app = FastAPI(
        title="Astrarium observatory",
        version=__version__,
        description="Runs, replays and play. Errors are `{detail: text}`.",
        lifespan=lifespan,
        openapi_url=f"{PREFIX}/openapi.json",
        docs_url=None,
        redoc_url=None,
        responses=REFUSALS,
    )
    app.state.observatory = observatory
    problems.install(app, str(observatory.root))
    for part in (runs, growth, replays, streams, live, play, worlds, wars, reports, wandb):
        app.include_router(part.router, prefix=PREFIX)
    app.include_router(health.router)
    app.add_api_route("/{path:path}", _web_app, methods=["GET", "HEAD"], include_in_schema=False)
    _add_middleware(app, settings, observatory)
    return app


def _web_app(request: Request, path: str) -> Response:
    if path == "api" or path.startswith("api/"):
        return problems.answer(404, "there is no such endpoint; see /api/v1/openapi.json")
    return observatory_of(request).web_app.answer(request, path)


def _add_middleware(app: FastAPI, settings: Settings, observatory: Observatory) -> None:
    """The last one added is the outermost."""
    app.add_middleware(Guard, settings=settings)
    app.add_middleware(BoundedAnswers, memory=observatory.memory)
    if settings.cors_origins or settings.cors_pattern:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(settings.cors_origins),
            allow_origin_regex=settings.cors_pattern,
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=["authorization", "content-type", "last-event-id"],
            expose_headers=["retry-after"],
            max_age=600,
        )
    app.add_middleware(SecurityHeaders)
    app.add_middleware(Measured, metrics=observatory.metrics)
