"""A server among people who mean no good: raw bytes, floods, and a folder that never rests."""

import contextlib
import http.client
import json
import random
import shutil
import socket
import threading
import time
from pathlib import Path

import pytest
from served_runs import add_replay, add_window, long_replay, new_run, served, write_run
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from astrarium.serve.app import create_app
from astrarium.serve.running import config_of
from astrarium.serve.settings import Settings

HANDSHAKE = (
    "GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


def frames_of(replay_id: str, run_id: str = "run") -> str:
    return f"/api/v1/ws/runs/{run_id}/replays/{replay_id}/frames"


def get(address: str, path: str) -> tuple[int, bytes]:
    host, port = address.split(":")
    connection = http.client.HTTPConnection(host, int(port), timeout=30)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def until(truth) -> None:
    deadline = time.monotonic() + 20
    while not truth():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_raw_bytes_on_a_socket_harm_nobody(root: Path) -> None:
    """Whatever a client sends, before or after the handshake, it loses its seat and no more."""
    (replay_id,) = write_run(root, windows=1, frames=400)
    settings = Settings(runs_root=root, sockets_per_client=4)
    app = create_app(settings)
    dice = random.Random(7)
    with served(settings, app) as address:
        host, port = address.split(":")
        greeting = HANDSHAKE.format(path=frames_of(replay_id), host=address).encode()
        for attempt in range(120):
            garbage = dice.randbytes(dice.choice((1, 2, 6, 14, 200, 70_000)))
            with (
                contextlib.suppress(OSError),
                socket.create_connection((host, int(port)), 5) as one,
            ):
                if attempt % 3 == 0:
                    cut = dice.randrange(len(greeting))
                    one.sendall(greeting[:cut] + garbage)
                else:
                    one.sendall(greeting)
                    if attempt % 3 == 1:
                        one.recv(64)
                    one.sendall(garbage)
        until(lambda: app.state.observatory.places.taken == 0)
        with connect(f"ws://{address}{frames_of(replay_id)}", max_size=None) as fair:
            count = 0
            while (told := json.loads(fair.recv(30)))["type"] == "frames":
                count += told["count"]
        assert (told["type"], count) == ("complete", 400)
        assert get(address, "/readyz")[0] == 200


def test_a_reader_that_talks_is_not_listened_to(root: Path) -> None:
    (replay_id,) = write_run(root, windows=1, frames=3_000)
    with served(Settings(runs_root=root)) as address:
        path = f"{frames_of(replay_id)}?batch_size=16"
        with connect(f"ws://{address}{path}", max_size=None) as talker:
            count = 0
            for number in range(100):
                talker.send("x" * number)
                talker.ping()
                count += json.loads(talker.recv(30))["count"]
            while (told := json.loads(talker.recv(30)))["type"] == "frames":
                count += told["count"]
            assert (told["type"], count) == ("complete", 3_000)
        with connect(f"ws://{address}{path}", max_size=None) as loud:
            with contextlib.suppress(ConnectionClosed):
                loud.send("x" * (1 << 20))
                while True:
                    loud.recv(30)
            # Too large, if the word came through before the line was cut.
            assert loud.close_code in (1009, 1006)
        assert get(address, "/readyz")[0] == 200


def test_connections_beyond_the_limit_are_turned_away_and_come_back(root: Path) -> None:
    """Streams that are open count, and do not give way."""
    write_run(root, windows=1, frames=3)
    with served(Settings(runs_root=root, connections_max=8)) as address:
        host, port = address.split(":")
        busy = [socket.create_connection((host, int(port))) for _ in range(8)]
        for one in busy:
            one.sendall(f"GET /api/v1/live HTTP/1.1\r\nHost: {address}\r\n\r\n".encode())
            assert one.recv(4096).startswith(b"HTTP/1.1 200 ")
        with socket.create_connection((host, int(port)), 8) as turned_away:
            assert turned_away.recv(4096).startswith(b"HTTP/1.1 503 ")
        for one in busy:
            one.close()
        until(lambda: _is_served(address))


def _is_served(address: str) -> bool:
    try:
        return get(address, "/healthz")[0] == 200
    except (OSError, http.client.HTTPException):
        return False


def test_connections_that_wait_give_way_to_new_ones(root: Path) -> None:
    with served(Settings(runs_root=root, connections_max=8)) as address:
        host, port = address.split(":")
        idle = [socket.create_connection((host, int(port)), 8) for _ in range(12)]
        assert get(address, "/healthz")[0] == 200
        assert idle[0].recv(1) == b""
        idle[-1].sendall(f"GET /healthz HTTP/1.1\r\nHost: {address}\r\n\r\n".encode())
        assert idle[-1].recv(4096).startswith(b"HTTP/1.1 200 ")
        for one in idle:
            one.close()


@pytest.mark.parametrize("head", [b"", b"GET", b"GET / HTTP/1.1\r\nHost: "])
def test_a_head_that_never_ends_is_not_waited_for(root: Path, head: bytes) -> None:
    with served(Settings(runs_root=root, head_seconds_max=0.3)) as address:
        host, port = address.split(":")
        with socket.create_connection((host, int(port)), 20) as one:
            one.sendall(head)
            answer = one.recv(4096)
            assert answer.startswith(b"HTTP/1.1 408 ") or (answer == b"" and not head)
            assert answer == b"" or one.recv(1) == b""


def test_a_head_in_drops_is_not_waited_for(root: Path) -> None:
    """Every byte shows that the client is there; the whole head must come in time all the same."""
    with served(Settings(runs_root=root, head_seconds_max=0.5)) as address:
        host, port = address.split(":")
        with socket.create_connection((host, int(port)), 20) as one:
            one.sendall(f"GET /healthz HTTP/1.1\r\nHost: {address}\r\n\r\n".encode())
            assert one.recv(4096).startswith(b"HTTP/1.1 200 ")
            began = time.monotonic()
            with contextlib.suppress(OSError):
                while time.monotonic() < began + 20:
                    one.sendall(b"G" if time.monotonic() == began else b"E")
                    time.sleep(0.02)
            assert time.monotonic() < began + 20


def test_a_body_that_never_comes_is_not_waited_for(root: Path) -> None:
    with served(Settings(runs_root=root, body_seconds_max=0.2)) as address:
        host, port = address.split(":")
        with socket.create_connection((host, int(port)), 20) as one:
            head = f"POST /api/v1/play/session HTTP/1.1\r\nHost: {address}\r\n"
            one.sendall(f"{head}Content-Length: 9\r\n\r\n{{".encode())
            assert one.recv(4096).startswith(b"HTTP/1.1 408 ")


def test_a_body_nobody_asked_for_keeps_no_connection(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No route reads the body of a GET, so that no route would notice that it never ends."""
    monkeypatch.setattr("astrarium.serve.connections._BODY_GRACE_SECONDS", 0.1)
    with served(Settings(runs_root=root, body_seconds_max=0.3)) as address:
        host, port = address.split(":")
        with socket.create_connection((host, int(port)), 20) as one:
            head = f"GET /healthz HTTP/1.1\r\nHost: {address}\r\nContent-Length: 99999\r\n\r\n"
            one.sendall(head.encode())
            assert one.recv(4096).startswith(b"HTTP/1.1 200 ")
            began = time.monotonic()
            with contextlib.suppress(OSError):
                while time.monotonic() < began + 20:
                    one.sendall(b"x")
                    time.sleep(0.02)
            assert time.monotonic() < began + 20


def test_a_body_that_says_it_is_large_is_not_even_read(root: Path) -> None:
    with served(Settings(runs_root=root)) as address:
        host, port = address.split(":")
        with socket.create_connection((host, int(port)), 8) as one:
            head = f"POST /api/v1/play/session HTTP/1.1\r\nHost: {address}\r\n"
            one.sendall(f"{head}Content-Length: {1 << 40}\r\n\r\n".encode())
            assert one.recv(4096).startswith(b"HTTP/1.1 413 ")


def test_a_server_has_its_limits_and_does_not_say_what_it_is(root: Path) -> None:
    told = config_of(Settings(runs_root=root))
    assert told.limit_concurrency == 2_048
    assert told.ws_max_size == 64 << 10
    assert told.proxy_headers is False
    with served(Settings(runs_root=root)) as address:
        host, port = address.split(":")
        with socket.create_connection((host, int(port)), 20) as one:
            one.sendall(f"GET /healthz HTTP/1.1\r\nHost: {address}\r\n\r\n".encode())
            assert b"server:" not in one.recv(4096).lower()


def test_runs_that_come_change_and_go_are_never_a_servers_fault(root: Path) -> None:
    """Readers of everything, while a writer writes runs and a broom sweeps them away."""
    (replay_id,) = write_run(root, "still", windows=1, frames=40)
    stop = threading.Event()
    troubles: list[BaseException] = []

    def write(number: int) -> None:
        while not stop.is_set():
            writer = new_run(root, f"going-{number}")
            for window in range(3):
                add_window(writer, window)
                add_replay(writer, long_replay(30, mark=window))
            writer.finish()
            shutil.rmtree(root / f"going-{number}")

    def guarded(number: int) -> None:
        try:
            write(number)
        except BaseException as error:
            troubles.append(error)

    threads = [threading.Thread(target=guarded, args=(number,)) for number in range(2)]
    seen: dict[int, int] = {}
    with served(Settings(runs_root=root, requests_per_second=0, sweep_seconds=0.01)) as address:
        for thread in threads:
            thread.start()
        try:
            for turn in range(150):
                run = f"/api/v1/runs/going-{turn % 2}"
                replays = get(address, f"{run}/replays")
                paths = [run, f"{run}/config", f"{run}/metrics/windows"]
                paths += [f"{run}/analytics/completeness", "/api/v1/runs"]
                if replays[0] == 200:
                    for one in json.loads(replays[1])["replays"][:1]:
                        paths += [
                            f"{run}/replays/{one['replay_id']}/{p}" for p in ("frames", "timeline")
                        ]
                answers = [replays, *(get(address, path) for path in paths)]
                for status, content in answers:
                    seen[status] = seen.get(status, 0) + 1
                    assert status in (200, 404), content
                still = f"/api/v1/runs/still/replays/{replay_id}/frames"
                assert json.loads(get(address, still)[1])["count"] == 40
        finally:
            stop.set()
            for thread in threads:
                thread.join()
    assert troubles == []
    assert set(seen) == {200, 404}
