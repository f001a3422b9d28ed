"""Every failure as a status and one line of text: `{"detail": text}`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from astrarium.errors import (
    ActionError,
    AstrariumError,
    ConfigError,
    EpisodeOverError,
    SeedError,
    UnknownWorldError,
)
from astrarium.runs import RunNameError, RunNotFoundError

_STATUS: Final[tuple[tuple[type[Exception], int], ...]] = (
    (RunNotFoundError, 404),
    (RunNameError, 404),
    (EpisodeOverError, 409),
    (ConfigError, 422),
    (SeedError, 422),
    (ActionError, 422),
    (UnknownWorldError, 422),
)


class Problem(Exception):
    """An answer that is not what was asked for."""

    def __init__(self, status: int, detail: str, *, retry_after: int | None = None) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.retry_after = retry_after
        """Seconds after which it is worth asking again."""


def status_of(error: Exception) -> int:
    """The HTTP status an error of the project stands for."""
    if isinstance(error, Problem):
        return error.status
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 500)


def words_of(error: Exception, root: str) -> str:
    """What to tell the caller: which file, but not where on this machine the runs lie."""
    return str(error).replace(root, "runs")


def answer(status: int, detail: str) -> Response:
    """A problem as a response."""
    # Half a surrogate pair, as a body may hold it, has no form in UTF-8.
    words = detail.encode("utf-8", "replace").decode("utf-8")
    return Response(msgspec.json.encode({"detail": words}), status, media_type="application/json")


def install(app: FastAPI, root: str) -> None:
    """Turn whatever a route raises into such an answer."""

    async def known(request: Request, error: Exception) -> Response:
        del request
        response = answer(status_of(error), words_of(error, root))
        if isinstance(error, Problem) and error.retry_after is not None:
            response.headers["retry-after"] = str(error.retry_after)
        return response

    async def http(request: Request, error: Exception) -> Response:
        del request
        assert isinstance(error, HTTPException)
        response = answer(error.status_code, str(error.detail))
        response.headers.update(error.headers or {})
        return response

    async def invalid(request: Request, error: Exception) -> Response:
        del request
        assert isinstance(error, RequestValidationError)
        return answer(422, "; ".join(map(_complaint, error.errors())) or "the request is malformed")

    app.add_exception_handler(Problem, known)
    app.add_exception_handler(AstrariumError, known)
    app.add_exception_handler(HTTPException, http)
    app.add_exception_handler(RequestValidationError, invalid)


def _complaint(error: Mapping[str, Any]) -> str:
    path: tuple[Any, ...] = error["loc"]
    return f"{'.'.join(map(str, path[1:])) or 'body'}: {error['msg']}"
