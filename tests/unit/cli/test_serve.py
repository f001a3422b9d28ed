"""`astrarium serve`: what it passes on, and what it refuses."""

import importlib.util
import socket
from typing import Any

import pytest

from astrarium.cli import main
from astrarium.serve import running
from astrarium.serve.settings import Settings


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[Settings]:
    """What would have been served."""
    told: list[Settings] = []
    monkeypatch.setattr(running, "serve", lambda settings, _: told.append(settings))
    monkeypatch.setattr(running, "listen", lambda settings: socket.create_server(("127.0.0.1", 0)))
    monkeypatch.delenv("ASTRARIUM_TOKEN", raising=False)
    return told


def run(*words: str) -> Any:
    with pytest.raises(SystemExit) as end:
        main(["serve", *words])
    return end.value.code


def test_this_machine_and_no_other_by_default(served: list[Settings]) -> None:
    assert run() == 0
    (told,) = served
    assert (told.host, told.port, told.cors_origins, told.token) == ("127.0.0.1", 8000, (), None)


def test_options_reach_the_server(served: list[Settings], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASTRARIUM_TOKEN", "secret")
    words = "--host 0.0.0.0 --port 9 --root elsewhere --cors-origins https://a.example"
    assert run(*words.split()) == 0
    (told,) = served
    assert (str(told.runs_root), told.port) == ("elsewhere", 9)
    assert told.cors_origins == ("https://a.example",)
    assert told.token is not None


def test_a_network_without_a_token_is_refused(
    served: list[Settings], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("--host", "0.0.0.0") == 2
    assert "ASTRARIUM_TOKEN" in capsys.readouterr().err
    assert served == []
    assert run("--host", "0.0.0.0", "--without-token") == 0


def test_a_port_that_is_taken_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert run("--port", str(port)) == 2
    told = capsys.readouterr()
    assert f"port {port}" in told.err
    assert "--port" in told.err
    assert "Astrarium at" not in told.out


def test_a_free_port_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ports: list[int] = []
    monkeypatch.setattr(
        running, "serve", lambda _, listening: ports.append(listening.getsockname()[1])
    )
    assert run("--port", "0") == 0
    assert f"http://127.0.0.1:{ports[0]} " in capsys.readouterr().out


def test_what_is_sent_does_not_wait_for_more() -> None:
    """asyncio sees to that for sockets that say TCP, and else a small answer takes 40 ms."""
    with running.listen(Settings(port=0)) as listening:
        assert listening.proto == socket.IPPROTO_TCP


def test_a_missing_package_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert run() == 2
    assert 'pip install "astrarium[serve]"' in capsys.readouterr().err


def test_limits_and_proxies_reach_the_server(
    served: list[Settings], capsys: pytest.CaptureFixture[str]
) -> None:
    words = "--limits connections_max=5 head_seconds_max=2 --trusted-proxies 10.0.0.1 10.1.0.0/16"
    assert run(*words.split()) == 0
    (told,) = served
    assert (told.connections_max, told.head_seconds_max) == (5, 2.0)
    assert told.trusted_proxies == ("10.0.0.1", "10.1.0.0/16")
    assert run("--limits", "conections_max=5") == 2
    assert "did you mean 'connections_max'" in capsys.readouterr().err
