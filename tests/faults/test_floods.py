"""Floods of a real server process: what it holds, and whether others are served meanwhile."""

from __future__ import annotations

import resource
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from floods import (
    OTHER,
    Visitor,
    at_once,
    half_sent,
    lab,
    outcome_requests,
    saved_runs,
    saves_at_once,
    sessions_at_once,
    slow_readers,
    slow_sockets,
    write_large_replay,
)

MIB = 1 << 20


@pytest.fixture(autouse=True)
def _files() -> Iterator[None]:
    """Allow this process as many sockets as the floods need."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_clients_that_read_nothing_hold_little_memory(tmp_path: Path) -> None:
    """A page of 20 MB for each would be 120 MB in all, and twice that while it is copied."""
    path = write_large_replay(tmp_path / "runs", 1_300, 16_000)
    with lab(tmp_path, send_seconds_max=60) as server, Visitor(server) as visitor:
        assert slow_readers(server, path, 6, 2) < 40 * MIB
        assert slow_sockets(server, path, 6, 2) < 100 * MIB
    assert set(visitor.statuses) == {200}


def test_clients_that_read_nothing_are_cut_in_the_end(tmp_path: Path) -> None:
    path = write_large_replay(tmp_path / "runs", 1_300, 16_000)
    with lab(tmp_path, send_seconds_max=0.5) as server:
        request = f"GET {path}?limit=5000 HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
        with server.open() as silent:
            silent.sendall(request)
            time.sleep(2)
            received = 0
            try:
                while piece := silent.recv(1 << 20):
                    received += len(piece)
            except ConnectionError:
                pass
        assert 0 < received < 20 * MIB


def test_half_sent_requests_keep_nobody_out(tmp_path: Path) -> None:
    settings = {"connections_max": 48, "connections_per_client": 24}
    with lab(tmp_path, **settings) as server, half_sent(server, 100):
        with Visitor(server) as same, Visitor(server, OTHER) as other:
            time.sleep(1.5)
        assert set(same.statuses) == set(other.statuses) == {200}


def test_half_sent_requests_of_many_addresses_keep_nobody_out(tmp_path: Path) -> None:
    with lab(tmp_path, connections_max=24, connections_per_client=8) as server:
        addresses = [f"127.0.2.{number + 1}" for number in range(10)]
        with (
            half_sent(server, 6, addresses[0]),
            half_sent(server, 6, addresses[1]),
            half_sent(server, 6, addresses[2]),
            half_sent(server, 6, addresses[3]),
            half_sent(server, 6, addresses[4]),
            Visitor(server, OTHER) as other,
        ):
            time.sleep(1)
        assert set(other.statuses) == {200}


def test_requests_for_outcomes_leave_threads_for_others(tmp_path: Path) -> None:
    """Twelve at a time would take all threads of the pool, were they not given their own."""
    with lab(tmp_path) as server:
        with Visitor(server, OTHER) as other:
            statuses = outcome_requests(server, 16, 8)
        assert statuses[503] >= 4
        assert statuses[200] >= 2
        assert statuses[200] + statuses[503] == 16
        assert set(other.statuses) == {200}
        address = server.session()
        told = at_once(8, lambda _: server.ask("GET", f"{address}/outcome")[0])
        assert told[503] >= 4
        refused = [
            headers for status, _, headers in _many(server, f"{address}/save", 12) if status == 503
        ]
        assert all(headers["retry-after"] == "5" for headers in refused)


def _many(server, path: str, count: int) -> list[tuple[int, bytes, dict[str, str]]]:
    answers: list[tuple[int, bytes, dict[str, str]]] = []

    def ask(_: int) -> int:
        answers.append(server.ask("POST", path))
        return answers[-1][0]

    at_once(count, ask)
    return answers


def test_saves_at_once_keep_to_the_limits(tmp_path: Path) -> None:
    limits = {"human_runs_max": 6, "human_runs_per_client": 2}
    with lab(tmp_path, **limits) as server:
        statuses = saves_at_once(server, 6, 4)
        assert saved_runs(server) == statuses[200] <= 6
        assert statuses[409] + statuses[503] == 24 - statuses[200]


def test_sessions_at_once_keep_to_the_limit(tmp_path: Path) -> None:
    with lab(tmp_path, sessions_per_client=3) as server:
        assert sessions_at_once(server, 24) == {200: 3, 429: 21}


@pytest.mark.parametrize("trusted", [False, True])
def test_only_a_trusted_proxy_says_who_the_client_is(tmp_path: Path, trusted: bool) -> None:
    proxies = ["127.0.0.0/8"] if trusted else []
    with lab(tmp_path, requests_per_second=2, trusted_proxies=proxies) as server:
        time.sleep(1)
        statuses = [
            server.ask("GET", "/healthz", x_forwarded_for=f"10.0.0.{number}")[0]
            for number in range(20)
        ]
        assert (429 in statuses) == (not trusted)


@pytest.mark.long
@pytest.mark.timeout(900)
def test_floods_at_full_size(tmp_path: Path) -> None:
    path = write_large_replay(tmp_path / "runs", 4_200, 16_000)
    with lab(tmp_path) as server:
        assert slow_readers(server, path, 12, 10) < 64 * MIB
    with lab(tmp_path) as server:
        assert slow_sockets(server, path, 32, 10) < 400 * MIB
    with lab(tmp_path) as server, half_sent(server, 1_030):
        with Visitor(server) as same, Visitor(server, OTHER) as other:
            time.sleep(5)
        assert set(same.statuses) == set(other.statuses) == {200}
    with lab(tmp_path) as server, Visitor(server, OTHER) as other:
        statuses = outcome_requests(server, 60, 8)
        assert statuses[200] + statuses[503] == 60
    assert set(other.statuses) == {200}
    with lab(tmp_path, human_runs_max=20, sessions_max=500) as server:
        saves_at_once(server, 40, 4)
        assert saved_runs(server) <= 20
    with lab(tmp_path) as server:
        assert sessions_at_once(server, 60) == {200: 8, 429: 52}
