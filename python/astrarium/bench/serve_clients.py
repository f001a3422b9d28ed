"""Readers of a server: one stream, or many clients asking in turn, all timed."""

from __future__ import annotations

import contextlib
import http.client
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from astrarium.errors import AstrariumError

_START_SECONDS: Final = 60.0


class ServerError(AstrariumError, RuntimeError):
    """The server to be measured does not answer as it should."""


@dataclass(frozen=True, slots=True)
class Server:
    """A server in a process of its own."""

    port: int
    pid: int

    def memory_bytes(self) -> int:
        """What it holds in memory now."""
        text = Path(f"/proc/{self.pid}/status").read_text("utf-8")
        line = next(one for one in text.splitlines() if one.startswith("VmRSS:"))
        return int(line.split()[1]) * 1024


@dataclass(frozen=True, slots=True)
class Stream:
    """One replay read over a WebSocket."""

    seconds: float
    first_seconds: float
    """Until the first frames were there."""
    messages: int
    bytes: int


@contextlib.contextmanager
def running(module: str, *arguments: str, check: str) -> Generator[Server]:
    """A server as a process, from its first answer to `check` until the end of the block."""
    port = _free_port()
    command = [sys.executable, "-m", module, *(one.replace("PORT", str(port)) for one in arguments)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        _wait(process, port, check)
        yield Server(port, process.pid)
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.communicate(timeout=15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()


def observatory(root: Path) -> contextlib.AbstractContextManager[Server]:
    """The observatory over a folder of runs, without the limits that keep one client in check."""
    limits = ("--requests-per-second", "0", "--sockets-per-client", "256")
    return running(
        "astrarium", "serve", "--root", str(root), "--port", "PORT", *limits, check="/readyz"
    )


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def _wait(process: subprocess.Popen[bytes], port: int, check: str) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            words = (process.stderr.read() if process.stderr else b"").decode(errors="replace")
            raise ServerError(f"the server ended before it answered: {words[-500:]}")
        try:
            ask(port, check)
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise ServerError(f"the server did not answer within {_START_SECONDS:g} s")


def ask(port: int, path: str) -> bytes:
    """One request on a connection of its own."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        return _get(connection, path)
    finally:
        connection.close()


def _get(connection: http.client.HTTPConnection, path: str) -> bytes:
    connection.request("GET", path)
    answer = connection.getresponse()
    content = answer.read()
    if answer.status != 200:
        raise ServerError(f"{path} was answered with {answer.status}: {content[:200]!r}")
    return content


def answers(port: int, paths: Sequence[str], requests: int) -> Generator[bytes]:
    """What one client is answered, asking for one path after the other."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        for at in range(requests):
            yield _get(connection, paths[at % len(paths)])
    finally:
        connection.close()


def latencies(port: int, paths: Sequence[str], clients: int, requests: int) -> list[float]:
    """Seconds of each of `requests` requests of all clients together, each asking in turn."""
    samples: list[float] = []
    failures: list[BaseException] = []
    share = max(1, requests // clients)

    def read(number: int) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        own: list[float] = []
        try:
            for at in range(share):
                began = time.perf_counter()
                _get(connection, paths[(number + at) % len(paths)])
                own.append(time.perf_counter() - began)
        except BaseException as error:
            failures.append(error)
        finally:
            connection.close()
        samples.extend(own)

    threads = [threading.Thread(target=read, args=(number,)) for number in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise ServerError(f"a client failed: {failures[0]}") from failures[0]
    return samples


def stream(port: int, path: str) -> Stream:
    """Read a WebSocket to its end."""
    from websockets.sync.client import connect

    began = time.perf_counter()
    first, messages, size = 0.0, 0, 0
    address = f"ws://127.0.0.1:{port}{path}"
    with connect(address, max_size=None, compression=None, ping_interval=None) as socket:
        for message in _raw(socket):
            messages += 1
            size += len(message)
            # The prelude comes before anything is read.
            if first == 0.0 and len(message) > 1024:
                first = time.perf_counter() - began
    return Stream(time.perf_counter() - began, first, messages, size)


def _raw(socket: object) -> Generator[bytes]:
    """Messages as bytes: turning them into text is no work of the server."""
    from websockets.exceptions import ConnectionClosed

    receive = getattr(socket, "recv")  # noqa: B009
    with contextlib.suppress(ConnectionClosed):
        while True:
            yield receive(decode=False)
