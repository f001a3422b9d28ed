"""Who may ask, how often, and what every answer says to the browser.

The order: a page of another origin is answered by the CORS middleware; then come the limits of
this module, cheapest first; then the routes.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import math
import re
import time
from collections import OrderedDict
from typing import Final
from urllib.parse import parse_qs, urlsplit

import msgspec
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from astrarium.serve.clients import client_of
from astrarium.serve.settings import Settings
from astrarium.serve.turns import Turns

API: Final = "/api/"
LIVE: Final = "/api/v1/live"
STREAMS: Final = "/api/v1/ws/"

_log: Final = logging.getLogger(__name__)

_OPEN_PATHS: Final = frozenset({"/health", "/healthz", "/readyz"})
_UNSAFE: Final = frozenset({"POST", "PUT", "PATCH", "DELETE"})
_CLIENTS_MAX: Final = 10_000
_LOOPBACK_NAMES: Final = frozenset({"localhost", "127.0.0.1", "[::1]"})

_AT_ONCE: Final = "too many requests at once; wait for some of them to be answered"

_APP_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
    "img-src 'self' data: blob:; media-src 'self' data: blob:; connect-src 'self'; "
    "worker-src 'self' blob:; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
_API_POLICY: Final = "default-src 'none'; frame-ancestors 'none'"
_HEADERS: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
)


class _Refused(Exception):
    """Why a request goes no further."""

    def __init__(self, status: int, detail: str, *headers: tuple[bytes, bytes]) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.headers = headers


class SecurityHeaders:
    """Outermost: every answer, refusals included, tells browsers to be strict."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Add the headers to whatever is answered."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        path: str = scope["path"]
        is_api = path.startswith(API) or path in _OPEN_PATHS or path == "/metrics"
        policy = _API_POLICY if is_api else _APP_POLICY
        added = [*_HEADERS, (b"content-security-policy", policy.encode())]
        if is_api:
            added.append((b"cache-control", b"no-store"))

        async def strict(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *added]
            await send(message)

        await self._app(scope, receive, strict)


class Guard:
    """Turns away what should not reach a route."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings
        token = settings.token
        self._token = None if token is None else token.get_secret_value().encode()
        self._pattern = re.compile(settings.cors_pattern) if settings.cors_pattern else None
        self._rate = RateLimit(settings.requests_per_second)
        self._turns = Turns(settings.requests_at_once, settings.turn_seconds_max)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request or a handshake, then pass it on."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        try:
            headers: dict[bytes, bytes] = dict(scope["headers"])
            self._check(scope, headers)
            if scope["type"] == "http" and scope["method"] in _UNSAFE:
                receive = await self._with_body(headers, receive)
        except _Refused as refusal:
            await _refuse(scope, send, refusal)
            return
        if scope["type"] == "websocket":
            await self._app(scope, receive, send)
        elif scope["path"] == LIVE:  # open for long, and limited by places of its own
            await self._answer(scope, receive, send)
        else:
            async with self._turns.turn(client_of(scope)) as came:
                if came:
                    await self._answer(scope, receive, send)
                else:
                    await _refuse(scope, send, _Refused(503, _AT_ONCE, (b"retry-after", b"2")))

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """What no route expected is answered here, inside the headers, and only the log tells."""
        started = False

        async def noting(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self._app(scope, receive, noting)
        except Exception as error:
            if started:
                raise
            _log.exception("%s %s failed", scope["method"], scope["path"])
            words = f"unexpected {type(error).__name__}; the server's log has the details"
            await _refuse(scope, send, _Refused(500, words))

    def _check(self, scope: Scope, headers: dict[bytes, bytes]) -> None:
        self._check_host(headers)
        wait = self._rate.wait_for(client_of(scope))
        if wait > 0:
            seconds = str(math.ceil(wait)).encode()
            raise _Refused(429, "too many requests; slow down", (b"retry-after", seconds))
        self._check_origin(scope, headers)
        self._check_token(scope, headers)

    def _check_host(self, headers: dict[bytes, bytes]) -> None:
        """Without a token, only by our own names: or a page could reach us under one of its own."""
        settings = self._settings
        if self._token is not None or not settings.loopback:
            return
        name = headers.get(b"host", b"").decode("latin-1").lower()
        bare = re.sub(r":\d+$", "", name)
        if (
            bare not in _LOOPBACK_NAMES
            and bare != settings.host
            and bare not in settings.host_names
        ):
            raise _Refused(421, f"this server does not answer to the name {bare[:80]!r}")

    def _check_origin(self, scope: Scope, headers: dict[bytes, bytes]) -> None:
        """Browsers send plain POSTs and open WebSockets across origins unasked."""
        if scope["type"] == "http" and scope["method"] not in _UNSAFE:
            return
        origin = headers.get(b"origin")
        if origin is None:
            return
        told = origin.decode("latin-1")
        if _place_of(told) == headers.get(b"host", b"").decode("latin-1").lower():
            return
        allowed = told in self._settings.cors_origins or (
            self._pattern is not None and self._pattern.fullmatch(told) is not None
        )
        if not allowed:
            raise _Refused(403, "pages of another origin may not do this")

    def _check_token(self, scope: Scope, headers: dict[bytes, bytes]) -> None:
        path: str = scope["path"]
        if self._token is None or not (path.startswith(API) or path == "/metrics"):
            return
        given = _bearer(headers)
        if given is None and (path == LIVE or path.startswith(STREAMS)):
            # EventSource and WebSocket cannot set headers in a browser.
            query: bytes = scope.get("query_string", b"")
            told = parse_qs(query.decode("latin-1")).get("access_token", [])
            given = told[0].encode() if told else None
        if given is None or not hmac.compare_digest(given, self._token):
            raise _Refused(
                401,
                "a bearer token is needed: send `Authorization: Bearer <token>`",
                (b"www-authenticate", b"Bearer"),
            )

    async def _with_body(self, headers: dict[bytes, bytes], receive: Receive) -> Receive:
        """The whole body, read here within limits, for the route to receive."""
        most, seconds = self._settings.body_bytes_max, self._settings.body_seconds_max
        told = headers.get(b"content-length", b"")
        if told.isdigit() and int(told) > most:
            raise _Refused(413, f"the body is larger than {most} bytes")
        body, more = b"", True
        try:
            async with asyncio.timeout(seconds):
                while more:
                    message = await receive()
                    if message["type"] != "http.request":
                        break
                    body += message.get("body", b"")
                    more = message.get("more_body", False)
                    if len(body) > most:
                        raise _Refused(413, f"the body is larger than {most} bytes")
        except TimeoutError:
            raise _Refused(408, f"the body took longer than {seconds:g} s") from None
        whole: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def again() -> Message:
            return whole.pop() if whole else await receive()

        return again


class RateLimit:
    """A bucket of requests for each client, filled at a steady rate; bounded in number."""

    def __init__(self, per_second: float) -> None:
        self._per_second = per_second
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait_for(self, client: str) -> float:
        """Take one request; how many seconds too early it came, 0 where it did not."""
        if self._per_second <= 0:
            return 0.0
        now, burst = time.monotonic(), 2 * self._per_second
        left, then = self._buckets.get(client, (burst, now))
        left = min(burst, left + (now - then) * self._per_second)
        wait = 0.0 if left >= 1 else (1 - left) / self._per_second
        self._buckets[client] = (left - 1 if wait == 0 else left, now)
        self._buckets.move_to_end(client)
        if len(self._buckets) > _CLIENTS_MAX:
            self._buckets.popitem(last=False)
        return wait


def _place_of(origin: str) -> str | None:
    """Host and port of an origin; None for one that has none."""
    try:
        return urlsplit(origin).netloc.lower() or None
    except ValueError:
        return None


def _bearer(headers: dict[bytes, bytes]) -> bytes | None:
    kind, _, token = headers.get(b"authorization", b"").partition(b" ")
    return token.strip() if kind.lower() == b"bearer" else None


async def _refuse(scope: Scope, send: Send, refusal: _Refused) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": refusal.detail})
        return
    body = msgspec.json.encode({"detail": refusal.detail})
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send(
        {
            "type": "http.response.start",
            "status": refusal.status,
            "headers": [*headers, *refusal.headers],
        }
    )
    await send({"type": "http.response.body", "body": body})
