"""Server-sent events over a real socket."""

import json
import queue
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2 as httpx
from served_runs import add_replay, add_window, long_replay, new_run, served

from astrarium.serve.settings import Settings


@contextmanager
def listening(address: str, **headers: str) -> Iterator["queue.Queue[dict[str, str]]"]:
    """The events of an open page, as they come."""
    heard: queue.Queue[dict[str, str]] = queue.Queue()
    ready = threading.Event()
    stop = threading.Event()

    def read() -> None:
        with (
            httpx.Client(timeout=httpx.Timeout(10, read=0.5)) as client,
            client.stream("GET", f"http://{address}/api/v1/live", headers=headers) as answer,
        ):
            assert answer.headers["content-type"].startswith("text/event-stream")
            event: dict[str, str] = {}
            try:
                for line in answer.iter_lines():
                    ready.set()
                    if stop.is_set():
                        return
                    if line:
                        name, _, value = line.partition(": ")
                        event[name] = value
                    elif event:
                        heard.put(event)
                        event = {}
            except httpx.ReadTimeout:
                return

    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    assert ready.wait(10)
    yield heard
    stop.set()
    thread.join(15)


def next_of(heard: "queue.Queue[dict[str, str]]", name: str) -> dict[str, str]:
    while True:
        event = heard.get(timeout=10)
        if event.get("event") == name:
            return event


def test_a_page_hears_of_runs_windows_replays_and_deletions(root: Path) -> None:
    with served(Settings(runs_root=root, sweep_seconds=0.05)) as address:
        with listening(address) as heard:
            assert "event" not in heard.get(timeout=10)
            writer = new_run(root)
            assert json.loads(next_of(heard, "run")["data"])["run_id"] == "run"
            add_window(writer, 0)
            window = json.loads(next_of(heard, "window")["data"])
            assert (window["run_id"], window["window"]["window_id"]) == ("run", 0)
            replay_id = add_replay(writer, long_replay(3))
            replay = next_of(heard, "replay")
            assert json.loads(replay["data"])["replay"]["replay_id"] == replay_id
            writer.finish()
            next_of(heard, "run")
            shutil.rmtree(root / "run")
            assert json.loads(next_of(heard, "gone")["data"]) == {"run_id": "run"}
        with listening(address, **{"Last-Event-ID": replay["id"]}) as again:
            assert next_of(again, "gone")
        with listening(address, **{"Last-Event-ID": "long-ago-1"}) as late:
            assert late.get(timeout=10)["event"] == "reset"


def test_streams_have_a_limit_and_seats_come_back(root: Path) -> None:
    with served(Settings(runs_root=root, sockets_per_client=1)) as address:
        with listening(address):
            assert httpx.get(f"http://{address}/api/v1/live").status_code == 429
        for _ in range(50):
            text = httpx.get(f"http://{address}/metrics").text
            if "astrarium_sockets 0.0" in text:
                break
            threading.Event().wait(0.1)
        assert "astrarium_sockets 0.0" in text
