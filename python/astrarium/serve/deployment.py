"""A check of a running server from outside, as `astrarium serve --check URL` makes it.

Each check sends a few requests and says what it expected. Nothing is changed on the server.
"""

from __future__ import annotations

import http.client
import ipaddress
import json
import re
import socket
import ssl
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, cast
from urllib.parse import SplitResult, urljoin, urlsplit

from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException
from websockets.sync.client import connect
from websockets.typing import Origin

from astrarium.errors import ConfigError

API: Final = "/api/v1"
FOREIGN: Final = "https://foreign.invalid"
_TIMEOUT_SECONDS: Final = 10.0
_HEAD_SECONDS: Final = 30.0
"""Within this a server must have ended a request that never arrives."""
_BODY_BYTES: Final = 1 << 30
_ANSWER_BYTES_MAX: Final = 64 << 20
_ASSET: Final = re.compile(r"<(?:script|link)\b[^>]*?\b(?:src|href)=\"([^\"]+)\"")
_ABSENT: Final = "replay-000000-00000000"
_TRAVERSALS: Final = (
    "/../../../../etc/passwd",
    "/%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
    "/..%2f..%2f..%2f..%2fetc%2fpasswd",
    "/assets/../../../../../etc/passwd",
    f"{API}/runs/..%2f..%2fetc/config",
    f"{API}/reports/..%2f..%2fetc%2fpasswd",
    f"{API}/wars/..%2f..%2fetc/days",
)
_STRICT: Final = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
}

Outcome = Literal["ok", "failed", "skipped"]


@dataclass(frozen=True, slots=True)
class Result:
    """What one check found."""

    name: str
    outcome: Outcome
    detail: str


@dataclass(frozen=True, slots=True)
class Answer:
    """A response."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> dict[str, Any]:
        """Return the body as a JSON object. Raises `_FailedError` where it is none."""
        try:
            document = json.loads(self.body)
        except ValueError:
            document = None
        _need(isinstance(document, dict), "the answer is not a JSON object")
        return cast("dict[str, Any]", document)


class _FailedError(Exception):
    """A server that does not do what it should."""


class _SkippedError(Exception):
    """A check that does not apply to this server."""


def _need(truth: bool, words: str) -> None:
    if not truth:
        raise _FailedError(words)


class _Target:
    """The server that is checked, and the token to ask it with."""

    def __init__(self, url: str, token: str | None, head_seconds: float) -> None:
        self.parts = _parsed(url)
        self.token = token
        self.head_seconds = head_seconds
        self.host = self.parts.hostname or ""
        self.is_tls = self.parts.scheme == "https"
        self.port = self.parts.port or (443 if self.is_tls else 80)
        self.base = self.parts.path.rstrip("/")

    @property
    def is_loopback(self) -> bool:
        """Whether the address is one of this machine."""
        try:
            return self.host == "localhost" or ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    def ask(
        self,
        path: str,
        method: str = "GET",
        *,
        token: str | Literal["ours"] | None = "ours",
        body: bytes | None = None,
        **headers: str,
    ) -> Answer:
        """Send one request, with our token unless told."""
        kind = http.client.HTTPSConnection if self.is_tls else http.client.HTTPConnection
        connection = kind(self.host, self.port, timeout=_TIMEOUT_SECONDS)
        try:
            connection.request(method, self.base + path, body, self._headers(token, headers))
            response = connection.getresponse()
            content = response.read(_ANSWER_BYTES_MAX)
            named = {name.lower(): value for name, value in response.getheaders()}
            return Answer(response.status, named, content)
        finally:
            connection.close()

    def begin(self, path: str, accept: str) -> tuple[int, str, bytes]:
        """Send a request and read only the first piece: status, content type and bytes."""
        kind = http.client.HTTPSConnection if self.is_tls else http.client.HTTPConnection
        connection = kind(self.host, self.port, timeout=_TIMEOUT_SECONDS)
        try:
            headers = self._headers("ours", {"accept": accept})
            connection.request("GET", self.base + path, headers=headers)
            response = connection.getresponse()
            return response.status, response.getheader("content-type", ""), response.read1(4096)
        finally:
            connection.close()

    def open(self) -> socket.socket:
        """A bare connection."""
        raw = socket.create_connection((self.host, self.port), _TIMEOUT_SECONDS)
        if not self.is_tls:
            return raw
        return ssl.create_default_context().wrap_socket(raw, server_hostname=self.host)

    def messages(self, *, token: str | None = None, origin: str | None = None) -> list[Any]:
        """What a stream of frames of a replay that is not there says."""
        scheme = "wss" if self.is_tls else "ws"
        path = f"{API}/ws/runs/no-such-run/replays/{_ABSENT}/frames"
        headers = self._headers(token, {})
        said: list[Any] = []
        with connect(
            f"{scheme}://{self.parts.netloc}{self.base}{path}",
            additional_headers=headers,
            origin=None if origin is None else Origin(origin),
            open_timeout=_TIMEOUT_SECONDS,
            close_timeout=1,
        ) as stream:
            try:
                while len(said) < 8:
                    said.append(json.loads(stream.recv(_TIMEOUT_SECONDS)))
            except (ConnectionClosed, ValueError, TimeoutError):
                pass
        return said

    def _headers(
        self, token: str | Literal["ours"] | None, headers: Mapping[str, str]
    ) -> dict[str, str]:
        told = {name.replace("_", "-"): value for name, value in headers.items()}
        chosen = self.token if token == "ours" else token
        return told if chosen is None else {**told, "authorization": f"Bearer {chosen}"}


def _parsed(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise ConfigError(f"--check {url!r}: {error}") from None
    del port
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ConfigError(
            f"--check {url!r}: give the address of a server, such as http://host:8000"
        )
    return parts


def _alive(target: _Target) -> str:
    answer = target.ask("/healthz", token=None)
    _need(answer.status == 200, f"/healthz answers {answer.status}, not 200")
    _need(answer.json() == {"status": "ok"}, "/healthz does not say that the status is ok")
    return "/healthz answers"


def _ready(target: _Target) -> str:
    answer = target.ask("/readyz", token=None)
    _need(answer.status == 200, f"/readyz answers {answer.status}: {_words(answer)}")
    return "the folder of runs is watched"


def _page(target: _Target) -> str:
    answer = target.ask("/", token=None)
    _need(answer.status == 200, f"/ answers {answer.status}, not 200")
    kind = answer.headers.get("content-type", "")
    _need(kind.startswith("text/html"), f"/ is {kind or 'without a type'}, not HTML")
    _need(bool(_ASSET.search(answer.body.decode("utf-8", "replace"))), "/ is not the built app")
    return "the front page is there"


def _assets(target: _Target) -> str:
    page = target.ask("/", token=None).body.decode("utf-8", "replace")
    found = [one for one in _ASSET.findall(page) if "://" not in one and not one.startswith("//")]
    _need(bool(found), "the front page names no scripts or styles")
    for name in found:
        path = urljoin("/", name)
        answer = target.ask(path, token=None)
        _need(answer.status == 200, f"{path} answers {answer.status}, not 200")
        kind = answer.headers.get("content-type", "")
        wanted = {".js": "javascript", ".css": "css"}.get(path[path.rfind(".") :], "")
        _need(wanted in kind, f"{path} has the type {kind!r}, not {wanted}")
        _need(bool(answer.body), f"{path} is empty")
    return f"{len(found)} files of the page are there"


def _schema(target: _Target) -> str:
    answer = target.ask(f"{API}/openapi.json")
    _need(answer.status == 200, f"{API}/openapi.json answers {answer.status}, not 200")
    paths = answer.json().get("paths", {})
    _need(f"{API}/runs" in paths, f"the published API has no {API}/runs")
    return f"{len(paths)} paths are published"


def _runs(target: _Target) -> str:
    answer = target.ask(f"{API}/runs?limit=1")
    _need(answer.status == 200, f"{API}/runs answers {answer.status}: {_words(answer)}")
    told = answer.json()
    _need(isinstance(told.get("runs"), list), f"{API}/runs has no list of runs")
    return f"{told.get('total')} runs"


def _worlds(target: _Target) -> str:
    answer = target.ask(f"{API}/worlds")
    _need(answer.status == 200, f"{API}/worlds answers {answer.status}: {_words(answer)}")
    worlds = answer.json().get("worlds", [])
    _need(bool(worlds), f"{API}/worlds lists none")
    return f"{len(worlds)} worlds"


def _unknown(target: _Target) -> str:
    for path in (f"{API}/nothing-of-this-name", f"{API}/runs/no-such-run"):
        answer = target.ask(path)
        _need(answer.status == 404, f"{path} answers {answer.status}, not 404")
        _need(isinstance(answer.json().get("detail"), str), f"{path} says no reason as JSON")
    return "unknown names are 404, with a reason"


def _parameters(target: _Target) -> str:
    answer = target.ask(f"{API}/runs?limit=-1")
    _need(answer.status == 422, f"a bad parameter answers {answer.status}, not 422")
    return "bad parameters are 422"


def _page_headers(target: _Target) -> str:
    return _strict(target.ask("/", token=None), "/", "script-src 'self'")


def _api_headers(target: _Target) -> str:
    answer = target.ask(f"{API}/runs")
    _need("no-store" in answer.headers.get("cache-control", ""), "answers of the API may be cached")
    return _strict(answer, f"{API}/runs", "default-src 'none'")


def _strict(answer: Answer, path: str, policy: str) -> str:
    for name, value in _STRICT.items():
        found = answer.headers.get(name)
        _need(found == value, f"{path}: the header {name} is {found!r}, not {value!r}")
    found = answer.headers.get("content-security-policy", "")
    _need(policy in found, f"{path}: the content security policy lacks {policy}")
    _need("unsafe" not in found, f"{path}: the content security policy allows something unsafe")
    return "browsers are told to be strict"


def _no_version(target: _Target) -> str:
    named = target.ask("/healthz", token=None).headers.get("server", "")
    _need(not re.search(r"\d|uvicorn", named), f"the header server tells {named!r}")
    return "no answer tells the server's version"


def _foreign_reads(target: _Target) -> str:
    for answer in (
        target.ask(f"{API}/runs", origin=FOREIGN),
        target.ask(
            f"{API}/runs",
            "OPTIONS",
            token=None,
            origin=FOREIGN,
            access_control_request_method="GET",
        ),
    ):
        allowed = answer.headers.get("access-control-allow-origin")
        _need(allowed is None, f"pages of any origin may read: allowed is {allowed!r}")
    return "pages of other origins read nothing"


def _foreign_writes(target: _Target) -> str:
    path = f"{API}/play/session/{'A' * 22}/undo"
    answer = target.ask(path, "POST", origin=FOREIGN)
    _need(answer.status == 403, f"a POST of another origin answers {answer.status}, not 403")
    return "pages of other origins change nothing"


def _token(target: _Target) -> str:
    answer = target.ask(f"{API}/runs", token=None)
    if target.token is None and target.is_loopback:
        if answer.status == 401:
            raise _FailedError("the server asks for a token; set ASTRARIUM_TOKEN and check again")
        raise _SkippedError("without a token, and only for this machine")
    _need(answer.status == 401, f"without a token the API answers {answer.status}, not 401")
    _need("www-authenticate" in answer.headers, "a refusal does not name the kind of token")
    wrong = target.ask(f"{API}/runs", token=f"{target.token or ''}x")
    _need(wrong.status == 401, f"a wrong token answers {wrong.status}, not 401")
    _need(target.token is not None, "the server asks for a token: set ASTRARIUM_TOKEN")
    return "the API asks for the token"


def _metrics(target: _Target) -> str:
    if target.token is not None or not target.is_loopback:
        bare = target.ask("/metrics", token=None)
        _need(bare.status != 200, "/metrics answers without the token")
    answer = target.ask("/metrics")
    _need(answer.status == 200, f"/metrics answers {answer.status}, not 200")
    _need(b"astrarium_requests_total" in answer.body, "/metrics has no counter of requests")
    return "counters for Prometheus"


def _names(target: _Target) -> str:
    if target.token is not None or not target.is_loopback:
        raise _SkippedError("only servers without a token check their name")
    answer = target.ask(f"{API}/runs", host="foreign.invalid")
    _need(answer.status == 421, f"a request to another name answers {answer.status}, not 421")
    return "the server answers to its own names only"


def _stream(target: _Target) -> str:
    said = target.messages(token=target.token)
    kinds = [cast("Any", one).get("type") if isinstance(one, dict) else None for one in said]
    _need(kinds == ["frames", "error"], f"a stream of an unknown replay says {kinds}")
    _need(said[-1].get("status_code") == 404, "a stream of an unknown replay is not a 404")
    return "WebSockets are passed through"


def _closed_streams(target: _Target) -> str:
    words = "a page of another origin may open a WebSocket"
    _need(_refuses_stream(target, target.token, FOREIGN), words)
    if target.token is None:
        return "no WebSocket for pages of other origins"
    _need(_refuses_stream(target, None, None), "a WebSocket opens without the token")
    return "no WebSocket for other origins, or without the token"


def _refuses_stream(target: _Target, token: str | None, origin: str | None) -> bool:
    try:
        target.messages(token=token, origin=origin)
    except InvalidStatus as refusal:
        return 400 <= refusal.response.status_code < 500
    return False


def _live(target: _Target) -> str:
    status, kind, first = target.begin(f"{API}/live", "text/event-stream")
    _need(status == 200, f"{API}/live answers {status}, not 200")
    _need(kind.startswith("text/event-stream"), f"{API}/live is {kind!r}")
    _need(first.startswith(b"id: "), f"{API}/live does not begin with an id")
    return "live events are passed through at once"


def _traversal(target: _Target) -> str:
    for path in _TRAVERSALS:
        answer = target.ask(path)
        _need(b"root:" not in answer.body, f"{path} gives a file of the system away")
        _need(400 <= answer.status < 500, f"{path} answers {answer.status}, not 404")
    return f"{len(_TRAVERSALS)} ways out lead nowhere"


def _null(target: _Target) -> str:
    for path in (f"{API}/runs/a%00b", "/a%00b", f"{API}/reports/a%00b"):
        answer = target.ask(path)
        _need(400 <= answer.status < 500, f"{path} answers {answer.status}, not 404")
    return "names with a NUL are refused"


def _large_body(target: _Target) -> str:
    with target.open() as connection:
        head = (
            f"POST {target.base}{API}/play/session HTTP/1.1\r\nHost: {target.parts.netloc}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {_BODY_BYTES}\r\n"
        )
        if target.token is not None:
            head += f"Authorization: Bearer {target.token}\r\n"
        connection.sendall(f"{head}\r\n".encode())
        answer = connection.recv(4096)
    _need(b" 413 " in answer[:16], f"a body of 1 GB is answered {answer[:12]!r}, not 413")
    return "large bodies are refused unread"


def _half_sent(target: _Target) -> str:
    began = time.monotonic()
    with target.open() as connection:
        connection.settimeout(target.head_seconds)
        connection.sendall(f"GET / HTTP/1.1\r\nHost: {target.parts.netloc}\r\n".encode())
        try:
            connection.recv(4096)
        except TimeoutError:
            words = f"a request that never ends is kept for {target.head_seconds:g} s and more"
            raise _FailedError(words) from None
    return f"a request that never ends is cut after {time.monotonic() - began:.0f} s"


def _methods(target: _Target) -> str:
    answer = target.ask(f"{API}/runs", "DELETE")
    _need(answer.status in (404, 405), f"DELETE of {API}/runs answers {answer.status}, not 405")
    return "only the published methods"


CHECKS: Final[Mapping[str, Callable[[_Target], str]]] = {
    "alive": _alive,
    "ready": _ready,
    "front page": _page,
    "assets": _assets,
    "published API": _schema,
    "runs": _runs,
    "worlds": _worlds,
    "unknown names": _unknown,
    "bad parameters": _parameters,
    "methods": _methods,
    "headers of pages": _page_headers,
    "headers of the API": _api_headers,
    "server's version": _no_version,
    "CORS: reading": _foreign_reads,
    "CORS: writing": _foreign_writes,
    "token": _token,
    "metrics": _metrics,
    "host name": _names,
    "WebSocket": _stream,
    "WebSocket refusals": _closed_streams,
    "live events": _live,
    "traversal": _traversal,
    "NUL in names": _null,
    "large body": _large_body,
    "half-sent request": _half_sent,
}


def run_checks(url: str, token: str | None, *, head_seconds: float = _HEAD_SECONDS) -> list[Result]:
    """Check a server. Where it cannot be reached at all, only the first check is made."""
    results: list[Result] = []
    for name in CHECKS:
        results.append(run_check(name, url, token, head_seconds=head_seconds))
        if name == "alive" and results[-1].detail.startswith(_UNREACHED):
            break
    return results


_UNREACHED: Final = "no answer"


def run_check(
    name: str, url: str, token: str | None, *, head_seconds: float = _HEAD_SECONDS
) -> Result:
    """Make one check."""
    target = _Target(url, token, head_seconds)
    try:
        return Result(name, "ok", CHECKS[name](target))
    except _SkippedError as reason:
        return Result(name, "skipped", str(reason))
    except _FailedError as reason:
        return Result(name, "failed", str(reason))
    except (OSError, http.client.HTTPException, WebSocketException) as error:
        return Result(name, "failed", f"{_UNREACHED}: {type(error).__name__}: {error}"[:300])


def _words(answer: Answer) -> str:
    return answer.body[:200].decode("utf-8", "replace")
