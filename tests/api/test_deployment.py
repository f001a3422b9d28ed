"""`astrarium serve --check`: a good server passes, and each check fails on a broken one."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr
from served_runs import served, write_run
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from astrarium.cli import main
from astrarium.errors import ConfigError
from astrarium.serve.app import create_app
from astrarium.serve.deployment import CHECKS, Result, run_check, run_checks
from astrarium.serve.settings import Settings

TOKEN = "correct-horse-battery-staple"
PAGE = '<!doctype html><link rel="stylesheet" href="./assets/a.css"><script src="./assets/a.js">'
Change = Callable[[Scope, Message], Message]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("deployment")
    write_run(place / "runs", windows=1, frames=3)
    (place / "app" / "assets").mkdir(parents=True)
    (place / "app" / "index.html").write_text(PAGE)
    (place / "app" / "assets" / "a.css").write_text("a{}")
    (place / "app" / "assets" / "a.js").write_text("1")
    return place


@pytest.fixture(scope="module")
def settings(place: Path) -> Settings:
    return Settings(
        runs_root=place / "runs",
        app_folder=place / "app",
        wars=place / "wars",
        reports=place / "reports",
        head_seconds_max=1.0,
        requests_per_second=0,
    )


def check(address: str, token: str | None = None) -> dict[str, Result]:
    found = run_checks(f"http://{address}", token)
    return {one.name: one for one in found}


def failed(results: dict[str, Result]) -> set[str]:
    return {name for name, one in results.items() if one.outcome == "failed"}


class Broken:
    """An app whose answers are changed on their way, or which is asked something else."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        head: Callable[[Scope, dict[bytes, bytes], int], int | None] | None = None,
        body: Callable[[Scope, bytes], bytes] | None = None,
        scope: Callable[[Scope], Scope | None] | None = None,
    ) -> None:
        self._app, self._head, self._body, self._scope = app, head, body, scope

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if self._scope is not None:
            scope = self._scope(dict(scope)) or scope

        async def changed(message: Message) -> None:
            if message["type"] == "http.response.start" and self._head is not None:
                headers = dict(message["headers"])
                status = self._head(scope, headers, message["status"])
                headers.pop(b"content-length", None)
                message = {
                    **message,
                    "status": status or message["status"],
                    "headers": list(headers.items()),
                }
            if message["type"] == "http.response.body" and self._body is not None:
                message = {**message, "body": self._body(scope, message.get("body", b""))}
            await send(message)

        await self._app(scope, receive, changed)


def status_of(path: str, status: int) -> dict[str, Any]:
    return {"head": lambda scope, headers, was: status if scope["path"].startswith(path) else was}


def without(path: str, name: bytes) -> dict[str, Any]:
    def drop(scope: Scope, headers: dict[bytes, bytes], was: int) -> int:
        if scope["path"] == path:
            headers.pop(name, None)
        return was

    return {"head": drop}


def instead(path: str, content: bytes) -> dict[str, Any]:
    def replace(scope: Scope, body: bytes) -> bytes:
        return content if scope["path"].startswith(path) and body else body

    return {"body": replace, "head": lambda scope, headers, was: was}


def always(name: bytes, value: bytes) -> dict[str, Any]:
    def add(scope: Scope, headers: dict[bytes, bytes], was: int) -> int:
        headers[name] = value
        return was

    return {"head": add}


def asks(change: Callable[[Scope], Scope | None]) -> dict[str, Any]:
    return {"scope": change}


def _no_origin(scope: Scope) -> Scope:
    return {**scope, "headers": [one for one in scope["headers"] if one[0] != b"origin"]}


def _no_origin_of(kind: str) -> Callable[[Scope], Scope | None]:
    return lambda scope: _no_origin(scope) if scope["type"] == kind else None


def _own_name(scope: Scope) -> Scope:
    kept = [one for one in scope["headers"] if one[0] != b"host"]
    return {**scope, "headers": [*kept, (b"host", b"localhost")]}


def _with_token(scope: Scope) -> Scope:
    kept = [one for one in scope["headers"] if one[0] != b"authorization"]
    return {**scope, "headers": [*kept, (b"authorization", f"Bearer {TOKEN}".encode())]}


def _other_stream(scope: Scope) -> Scope | None:
    if scope["type"] != "websocket":
        return None
    return {**scope, "path": scope["path"] + "/elsewhere", "raw_path": b"/elsewhere"}


BROKEN: dict[str, dict[str, Any]] = {
    "alive": status_of("/healthz", 500),
    "ready": status_of("/readyz", 503),
    "front page": instead("/", b"<html>nothing</html>"),
    "assets": status_of("/assets/a.js", 404),
    "published API": instead("/api/v1/openapi.json", b'{"paths":{}}'),
    "runs": instead("/api/v1/runs", b'{"runs":null}'),
    "worlds": instead("/api/v1/worlds", b'{"worlds":[]}'),
    "unknown names": instead("/api/v1/nothing", b"<html>"),
    "bad parameters": asks(lambda scope: {**scope, "query_string": b""}),
    "methods": asks(
        lambda scope: {**scope, "method": "GET"} if scope.get("method") == "DELETE" else None
    ),
    "headers of pages": without("/", b"content-security-policy"),
    "headers of the API": without("/api/v1/runs", b"x-content-type-options"),
    "server's version": always(b"server", b"uvicorn/0.54"),
    "CORS: reading": always(b"access-control-allow-origin", b"*"),
    "CORS: writing": asks(_no_origin_of("http")),
    "token": asks(_with_token),
    "metrics": status_of("/metrics", 404),
    "host name": asks(_own_name),
    "WebSocket": asks(_other_stream),
    "WebSocket refusals": asks(_no_origin_of("websocket")),
    "live events": instead("/api/v1/live", b"event: run\n\n"),
    "traversal": {
        "head": lambda scope, headers, was: 200 if "passwd" in scope["path"] else was,
        "body": lambda scope, body: b"root:x:0:0" if "passwd" in scope["path"] else body,
    },
    "NUL in names": {"head": lambda scope, headers, was: 500 if "\0" in scope["path"] else was},
}
"""Of each check, a change to the app that it must see."""
BROKEN_SETTINGS: dict[str, dict[str, Any]] = {
    "large body": {"body_bytes_max": 1 << 40},
    "half-sent request": {"head_seconds_max": 60.0},
}
"""The same for checks of what happens before the app is asked."""


def test_every_check_has_a_server_that_fails_it() -> None:
    assert len(CHECKS) >= 15
    assert set(BROKEN) | set(BROKEN_SETTINGS) == set(CHECKS)


@pytest.mark.parametrize("token", [None, TOKEN])
def test_a_good_server_passes(settings: Settings, token: str | None) -> None:
    told = settings.model_copy(update={"token": None if token is None else SecretStr(token)})
    with served(told) as address:
        results = check(address, token)
    assert set(results) == set(CHECKS)
    assert failed(results) == set(), {name: results[name].detail for name in failed(results)}
    skipped = {name for name, one in results.items() if one.outcome == "skipped"}
    assert skipped == ({"token"} if token is None else {"host name"})


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_server_fails_its_check(settings: Settings, name: str) -> None:
    token = TOKEN if name == "token" else None
    told = settings.model_copy(update={"token": None if token is None else SecretStr(token)})
    with served(told, Broken(create_app(told), **BROKEN[name])) as address:
        assert run_check(name, f"http://{address}", token).outcome == "failed"


@pytest.mark.parametrize("name", BROKEN_SETTINGS)
def test_a_server_with_broken_limits_fails_its_check(
    settings: Settings, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("astrarium.serve.deployment._TIMEOUT_SECONDS", 1.0)
    told = settings.model_copy(update=BROKEN_SETTINGS[name])
    with served(told) as address:
        one = run_check(name, f"http://{address}", None, head_seconds=1.0)
    assert one.outcome == "failed"


def test_a_forgotten_token_is_said(settings: Settings) -> None:
    told = settings.model_copy(update={"token": SecretStr(TOKEN)})
    with served(told) as address:
        results = check(address)
    assert "ASTRARIUM_TOKEN" in results["token"].detail
    assert "runs" in failed(results)


def test_a_server_that_is_not_there_is_one_failure() -> None:
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        port = nobody.getsockname()[1]
    (only,) = run_checks(f"http://127.0.0.1:{port}", None)
    assert (only.name, only.outcome) == ("alive", "failed")
    assert "no answer" in only.detail


@pytest.fixture
def babbler() -> Iterator[str]:
    """Something that listens, and is no web server."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        stop = threading.Event()

        def babble() -> None:
            listening.settimeout(0.1)
            while not stop.is_set():
                try:
                    connection, _ = listening.accept()
                except TimeoutError:
                    continue
                with connection:
                    connection.sendall(b"220 mail ready\r\n")

        thread = threading.Thread(target=babble)
        thread.start()
        yield f"127.0.0.1:{listening.getsockname()[1]}"
        stop.set()
        thread.join()


def test_something_else_that_listens_fails_and_raises_nothing(babbler: str) -> None:
    (only,) = run_checks(f"http://{babbler}", None)
    assert only.outcome == "failed"


@pytest.mark.parametrize("url", ["localhost:8000", "ftp://host", "http://", "http://host:x", ""])
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(ConfigError, match="--check"):
        run_checks(url, None)


def test_the_command_prints_a_table_and_exits_by_it(
    settings: Settings, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ASTRARIUM_TOKEN", raising=False)

    def run(*words: str) -> int:
        with pytest.raises(SystemExit) as end:
            main(["serve", *words])
        return int(end.value.code or 0)

    with served(settings) as address:
        assert run("--check", f"http://{address}") == 0
        told = capsys.readouterr().out
        assert all(name in told for name in CHECKS)
        assert f"{len(CHECKS)} checks, 0 failed" in told
    with served(settings, Broken(create_app(settings), **BROKEN["runs"])) as address:
        assert run("--check", f"http://{address}", "--json") == 1
        rows = json.loads(capsys.readouterr().out)
        assert "runs" in [one["name"] for one in rows if one["outcome"] == "failed"]
    assert run("--check", "nowhere") == 2
