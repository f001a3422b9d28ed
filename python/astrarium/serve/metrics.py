"""What the server counts about itself, for Prometheus."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

if TYPE_CHECKING:
    from astrarium.serve.observatory import Observatory

_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


class Metrics:
    """Counters of one server; several in a process do not mix."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self.requests = Counter(
            "astrarium_requests",
            "Requests answered.",
            ["route", "method", "status"],
            registry=self._registry,
        )
        self.seconds = Histogram(
            "astrarium_request_seconds",
            "Time to a whole answer.",
            ["route"],
            buckets=_SECONDS,
            registry=self._registry,
        )
        frames = Counter(
            "astrarium_frames_sent", "Frames sent.", ["transport"], registry=self._registry
        )
        self.frames_by_http = frames.labels("http")
        self.frames_by_socket = frames.labels("websocket")

    def watch(self, observatory: Observatory) -> None:
        """Show what the parts of the server hold now."""
        figures = {
            "sockets": ("Open WebSockets and live streams.", lambda: observatory.places.taken),
            "sessions": ("Play sessions.", lambda: len(observatory.sessions)),
            "runs": ("Runs in the catalogue.", lambda: len(observatory.catalogue)),
            "replay_cache_bytes": ("Unpacked replays.", lambda: observatory.frames.bytes_held),
        }
        for name, (words, read) in figures.items():
            Gauge(f"astrarium_{name}", words, registry=self._registry).set_function(read)

    def text(self) -> bytes:
        """Everything, as Prometheus reads it."""
        return generate_latest(self._registry)


class Measured:
    """Counts and times every request by the route that answered it."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on and note how it went."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = time.perf_counter(), 500

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, noting)
        finally:
            # Not the path: that would be one series for each run there is.
            name = _route_of(scope)
            method = scope["method"] if scope["method"] in _METHODS else "other"
            self._metrics.requests.labels(name, method, str(status)).inc()
            self._metrics.seconds.labels(name).observe(time.perf_counter() - began)


_METHODS: Final = frozenset({"GET", "HEAD", "POST", "DELETE", "OPTIONS", "PUT", "PATCH"})


def _route_of(scope: Scope) -> str:
    """The route's own path, under the prefix its router was given."""
    route: Any = scope.get("route")
    path: str = getattr(route, "path", "none")
    asked: str = scope["path"]
    if asked.startswith(_PREFIX) and path.startswith("/") and not path.startswith("/{path"):
        return path if path.startswith(_PREFIX) else f"{_PREFIX}{path}"
    return path


_PREFIX: Final = "/api/v1"
