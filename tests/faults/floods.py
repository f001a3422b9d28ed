"""Floods against a real server process on this machine, each with what it measured.

Traffic goes to 127.0.0.0/8 only. The tests run them small. At full size, with figures printed:
`PYTHONPATH=tests/unit/serve python tests/faults/floods.py`.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import resource
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from served_runs import add_replay, add_window, long_replay, new_run

from astrarium.runs import Replay

HERE = Path(__file__).parent
OTHER = "127.0.0.2"
"""The address of a client beside the one that floods."""
PLAY = "/api/v1/play/session"
HANDSHAKE = (
    "GET {path} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


@dataclass
class Lab:
    """A running server."""

    process: subprocess.Popen[str]
    port: int
    root: Path

    def memory(self, name: str = "VmRSS") -> int:
        """Resident bytes of the process: now, or at most with `VmHWM`."""
        text = Path(f"/proc/{self.process.pid}/status").read_text("ascii")
        (line,) = [one for one in text.splitlines() if one.startswith(f"{name}:")]
        return int(line.split()[1]) << 10

    def open(self, source: str = "127.0.0.1") -> socket.socket:
        """A connection that comes from an address of this machine."""
        return socket.create_connection(("127.0.0.1", self.port), 30, (source, 0))

    def ask(
        self, method: str, path: str, body: Any = None, source: str = "127.0.0.1", **headers: str
    ) -> tuple[int, bytes, dict[str, str]]:
        """One request on a connection of its own: status, body, headers."""
        connection = http.client.HTTPConnection(
            "127.0.0.1", self.port, timeout=120, source_address=(source, 0)
        )
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            content = None if body is None else json.dumps(body).encode()
            if content is not None:
                named["content-type"] = "application/json"
            connection.request(method, path, content, named)
            answer = connection.getresponse()
            return answer.status, answer.read(), {k.lower(): v for k, v in answer.getheaders()}
        finally:
            connection.close()

    def session(self, source: str = "127.0.0.1", **body: Any) -> str:
        """A play session's address, after one step."""
        status, content, _ = self.ask("POST", PLAY, {"seed": 5, **body}, source)
        assert status == 200, content
        address = f"{PLAY}/{json.loads(content)['session_id']}"
        status, content, _ = self.ask("POST", f"{address}/step", {"action": 8}, source)
        assert status == 200, content
        return address


@contextlib.contextmanager
def lab(place: Path, **settings: Any) -> Iterator[Lab]:
    """A server over `place/runs`, ended afterwards."""
    root = place / "runs"
    told = {
        "runs_root": str(root),
        "wars": str(place / "wars"),
        "reports": str(place / "reports"),
        "port": 0,
        **settings,
    }
    process = subprocess.Popen(
        [sys.executable, str(HERE / "flood_server.py"), json.dumps(told)],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        port = int(process.stdout.readline())
        running = Lab(process, port, root)
        deadline = time.monotonic() + 30
        while True:
            with contextlib.suppress(OSError):
                if running.ask("GET", "/readyz")[0] == 200:
                    break
            assert time.monotonic() < deadline, "the server does not become ready"
            time.sleep(0.05)
        yield running
    finally:
        process.terminate()
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()


def write_large_replay(root: Path, frames: int, bytes_each: int) -> str:
    """A run whose replay has frames of about this size; the path of its pages."""
    writer = new_run(root, "large")
    add_window(writer, 0)
    replay = long_replay(frames)
    padding = "x" * bytes_each
    padded = [{**frame, "render_state": {"padding": padding}} for frame in replay.frames]
    replay_id = add_replay(writer, Replay(replay.header, padded))
    writer.finish()
    return f"/api/v1/runs/large/replays/{replay_id}/frames"


class Visitor:
    """Asks for `/runs` again and again beside a flood, and notes status and latency."""

    def __init__(self, lab: Lab, source: str = "127.0.0.1") -> None:
        self._lab, self._source = lab, source
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.statuses: Counter[int | str] = Counter()
        self.seconds_max = 0.0

    def __enter__(self) -> Visitor:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._stop.set()
        self._thread.join(130)

    def _run(self) -> None:
        while not self._stop.is_set():
            began = time.monotonic()
            try:
                status: int | str = self._lab.ask("GET", "/api/v1/runs", source=self._source)[0]
            except (OSError, http.client.HTTPException) as error:
                status = type(error).__name__
            self.seconds_max = max(self.seconds_max, time.monotonic() - began)
            self.statuses[status] += 1
            self._stop.wait(0.05)

    @property
    def seen(self) -> str:
        """What happened, in a line."""
        return f"{dict(self.statuses)}, slowest {self.seconds_max:.2f} s"


def slow_readers(lab: Lab, path: str, clients: int, seconds: float) -> int:
    """Bytes the server holds for clients that ask for a page and read nothing of it."""
    lab.ask("GET", f"{path}?limit=1")
    # Until the whole replay is unpacked, so that only answers are measured.
    lab.ask("GET", path.replace("/frames", "/timeline"))
    before = lab.memory()
    request = f"GET {path}?limit=5000 HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    return _held_by_silent(lab, request, clients, seconds) - before


def slow_sockets(lab: Lab, path: str, clients: int, seconds: float) -> int:
    """The same for WebSockets with chunks as large as they may be."""
    lab.ask("GET", path.replace("/frames", "/timeline"))
    before = lab.memory()
    address = f"{path.replace('/api/v1/', '/api/v1/ws/')}?limit=50000&max_chunk_bytes=4194304"
    request = HANDSHAKE.format(path=f"{address}&batch_size=5000").encode()
    return _held_by_silent(lab, request, clients, seconds) - before


def _held_by_silent(lab: Lab, request: bytes, clients: int, seconds: float) -> int:
    most = 0
    with contextlib.ExitStack() as opened:
        for _ in range(clients):
            client = socket.socket()
            opened.callback(client.close)
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.connect(("127.0.0.1", lab.port))
            client.sendall(request)
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            most = max(most, lab.memory())
            time.sleep(0.05)
    return most


@contextlib.contextmanager
def half_sent(lab: Lab, clients: int, source: str = "127.0.0.1") -> Iterator[list[socket.socket]]:
    """Connections whose requests never end, held open meanwhile."""
    opened: list[socket.socket] = []
    try:
        for _ in range(clients):
            client = lab.open(source)
            with contextlib.suppress(OSError):
                client.sendall(b"GET /api/v1/runs HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
            opened.append(client)
        yield opened
    finally:
        for client in opened:
            client.close()


def at_once(count: int, act: Callable[[int], int]) -> Counter[int]:
    """Results of an act done by many threads at the same moment."""
    gate = threading.Barrier(count)

    def run(number: int) -> int:
        gate.wait()
        return act(number)

    with ThreadPoolExecutor(count) as pool:
        return Counter(pool.map(run, range(count)))


def outcome_requests(lab: Lab, requests: int, sources: int) -> Counter[int]:
    """Statuses of requests for the outcomes of sessions, all sent at once."""
    addresses = [lab.session(f"127.0.1.{number + 1}") for number in range(sources)]

    def ask(number: int) -> int:
        who = number % sources
        return lab.ask("GET", f"{addresses[who]}/outcome", source=f"127.0.1.{who + 1}")[0]

    return at_once(requests, ask)


def saves_at_once(lab: Lab, sources: int, each: int) -> Counter[int]:
    """Statuses of saves by sessions of several addresses, all sent at once."""
    owners = [f"127.0.1.{number + 1}" for number in range(sources) for _ in range(each)]
    addresses = [lab.session(owner) for owner in owners]
    return at_once(
        len(addresses),
        lambda number: lab.ask("POST", f"{addresses[number]}/save", source=owners[number])[0],
    )


def sessions_at_once(lab: Lab, requests: int) -> Counter[int]:
    """Statuses of requests for new sessions of one address, all sent at once."""
    return at_once(requests, lambda number: lab.ask("POST", PLAY, {"seed": number})[0])


def saved_runs(lab: Lab) -> int:
    """Saved episodes in the folder of runs."""
    return sum(1 for one in lab.root.iterdir() if one.name.startswith("human-"))


def main() -> None:
    """Run every flood at full size and print what it came to."""
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(limit, 8192), limit))
    with tempfile.TemporaryDirectory() as folder:
        path = write_large_replay(Path(folder) / "runs", 4_200, 16_000)
        with lab(Path(folder)) as server:
            held = slow_readers(server, path, 12, 8)
            print(f"12 clients that read nothing hold {held >> 20} MiB", flush=True)
        with lab(Path(folder)) as server:
            held = slow_sockets(server, path, 32, 8)
            print(f"32 WebSockets that read nothing hold {held >> 20} MiB", flush=True)
        with lab(Path(folder)) as server, half_sent(server, 1_030):
            with Visitor(server) as same, Visitor(server, OTHER) as other:
                time.sleep(5)
            print(f"1,030 half-sent requests; same address: {same.seen}")
            print(f"1,030 half-sent requests; another address: {other.seen}", flush=True)
        with lab(Path(folder)) as server, Visitor(server, OTHER) as other:
            statuses = outcome_requests(server, 60, 8)
            print(f"60 outcome requests: {dict(statuses)}; /runs meanwhile: {other.seen}")
        with lab(Path(folder), human_runs_max=20, sessions_max=500) as server:
            statuses = saves_at_once(server, 40, 4)
            print(f"160 saves at once, 20 allowed: {saved_runs(server)} kept, {dict(statuses)}")
        with lab(Path(folder)) as server:
            statuses = sessions_at_once(server, 60)
            print(f"60 new sessions of one client at once, 8 allowed: {dict(statuses)}")
        with lab(Path(folder), requests_per_second=5) as server:
            statuses = Counter(
                server.ask("GET", "/healthz", x_forwarded_for=f"10.0.0.{number}")[0]
                for number in range(60)
            )
            print(f"60 requests with X-Forwarded-For, 10 allowed: {dict(statuses)}")


if __name__ == "__main__":
    main()
