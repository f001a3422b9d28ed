"""Frames over a WebSocket, as the agreement has them, and whatever else may be asked."""

import contextlib
import gzip
import json
import shutil
import socket
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from served_runs import served, write_run
from starlette.websockets import WebSocketDisconnect
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from astrarium.runs import names
from astrarium.serve.clients import UNKNOWN
from astrarium.serve.settings import Settings

HERE = {"host": "localhost:8000"}
"""The test client opens sockets under a name of its own."""


def address(replay_id: str, run_id: str = "run", **query: Any) -> str:
    told = "&".join(f"{name}={value}" for name, value in query.items())
    return f"/api/v1/ws/runs/{run_id}/replays/{replay_id}/frames?{told}"


def messages(client: TestClient, path: str) -> tuple[list[dict], int]:
    """Everything a stream says, and the code it closes with."""
    said: list[dict] = []
    with client.websocket_connect(path, headers=HERE) as socket:
        while True:
            try:
                said.append(json.loads(socket.receive_text()))
            except WebSocketDisconnect as end:
                return said, end.code


def lines_of(root: Path, replay_id: str) -> list[bytes]:
    content = gzip.decompress((root / "run" / names.replay_path(replay_id)).read_bytes())
    return content.split(b"\n")[1:-1]


def test_prelude_chunks_complete(root: Path, client: TestClient) -> None:
    (replay_id,) = write_run(root, windows=1, frames=600)
    said, code = messages(client, address(replay_id, max_chunk_bytes=4_194_304))
    prelude, *chunks, complete = said
    assert code == 1000
    assert prelude == {
        "type": "frames",
        "run_id": "run",
        "replay_id": replay_id,
        "offset": 0,
        "next_offset": 0,
        "count": 0,
        "has_more": True,
        "chunk_index": -1,
        "chunk_bytes": 0,
        "max_chunk_bytes": 4_194_304,
        "prelude": True,
        "frames": [],
    }
    assert [chunk["count"] for chunk in chunks] == [256, 256, 88]
    assert [chunk["has_more"] for chunk in chunks] == [True, True, False]
    assert [chunk["chunk_index"] for chunk in chunks] == [0, 1, 2]
    lines = lines_of(root, replay_id)
    assert chunks[0]["chunk_bytes"] == sum(len(line) + 1 for line in lines[:256])
    frames = [frame for chunk in chunks for frame in chunk["frames"]]
    assert frames == [json.loads(line) for line in lines]
    assert complete == {
        "type": "complete",
        "run_id": "run",
        "replay_id": replay_id,
        "offset": 0,
        "next_offset": 600,
        "count": 600,
        "has_more": False,
        "replay_path": f"replays/{replay_id}.jsonl.gz",
        "chunks_sent": 3,
        "batch_size": 256,
        "max_chunk_bytes": 4_194_304,
        "yield_every_batches": 8,
    }


def test_a_chunk_holds_the_frame_that_crosses_its_limit(root: Path, client: TestClient) -> None:
    (replay_id,) = write_run(root, windows=1, frames=20)
    said, _ = messages(client, address(replay_id, max_chunk_bytes=1024))
    sizes = [len(line) + 1 for line in lines_of(root, replay_id)]
    assert min(sizes) > 1024
    assert [chunk["count"] for chunk in said[1:-1]] == [1] * 20
    assert [chunk["chunk_bytes"] for chunk in said[1:-1]] == sizes


def test_a_reader_resumes_by_offset(root: Path, client: TestClient) -> None:
    (replay_id,) = write_run(root, windows=1, frames=300)
    said, _ = messages(client, address(replay_id, offset=0, limit=120, batch_size=50))
    assert said[-1]["has_more"] is True
    assert [chunk["count"] for chunk in said[1:-1]] == [50, 50, 20]
    rest, _ = messages(client, address(replay_id, offset=said[-1]["next_offset"]))
    frames = [one["frame_index"] for chunk in said[1:-1] + rest[1:-1] for one in chunk["frames"]]
    assert frames == list(range(300))
    beyond, code = messages(client, address(replay_id, offset=1_000))
    assert (len(beyond), beyond[-1]["count"], code) == (2, 0, 1000)


@pytest.mark.parametrize(
    "query",
    [
        "offset=-1",
        "offset=x",
        "limit=0",
        "limit=50001",
        "batch_size=0",
        "batch_size=5001",
        "max_chunk_bytes=1023",
        "max_chunk_bytes=4194305",
        "yield_every_batches=1001",
        "limit=1_0",
        "limit=%D9%A1",
        "offset=99999999999999999999999999",
        "limit=",
    ],
)
def test_bad_parameters_are_400_before_any_prelude(client: TestClient, query: str) -> None:
    path = f"/api/v1/ws/runs/run/replays/replay-000000-00000000/frames?{query}"
    said, code = messages(client, path)
    assert code == 1008
    (error,) = said
    assert (error["type"], error["status_code"]) == ("error", 400)
    assert query.split("=")[0] in error["detail"]


@pytest.mark.parametrize("run_id", ["other", "..", "%2e%2e%2f", "a b"])
def test_what_is_unknown_is_404_after_the_prelude(
    root: Path, client: TestClient, run_id: str
) -> None:
    (replay_id,) = write_run(root, windows=1, frames=3)
    try:
        said, code = messages(client, address(replay_id, run_id))
    except WebSocketDisconnect:
        return  # a path that reaches no route
    assert code == 1008
    assert [one["type"] for one in said] == ["frames", "error"]
    assert said[1]["status_code"] == 404


def test_a_truncated_replay_is_an_error_before_any_frame(root: Path, client: TestClient) -> None:
    (replay_id,) = write_run(root, windows=1, frames=3_000)
    place = root / "run" / names.replay_path(replay_id)
    place.write_bytes(place.read_bytes()[: place.stat().st_size // 2])
    said, code = messages(client, address(replay_id))
    assert code == 1011
    assert (said[-1]["type"], said[-1]["status_code"]) == ("error", 500)
    assert replay_id in said[-1]["detail"]
    assert not any(chunk["frames"] for chunk in said[:-1])


def test_seats_are_limited_and_given_back(root: Path, asking) -> None:
    (replay_id,) = write_run(root, windows=1, frames=3)
    client = asking(sockets_per_client=1)
    for _ in range(3):
        said, code = messages(client, address(replay_id))
        assert (said[-1]["type"], code) == ("complete", 1000)
    places = client.app.state.observatory.places
    assert places.taken == 0
    places.take(UNKNOWN)
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect(address(replay_id), headers=HERE) as one,
    ):
        one.receive_text()


def test_a_slow_reader_holds_up_nobody_and_is_dropped_in_the_end(root: Path) -> None:
    (replay_id,) = write_run(root, windows=1, frames=12_000)
    quick = Settings(runs_root=root, send_seconds_max=0.5)
    with served(quick) as place:
        path = address(replay_id, limit=50_000, max_chunk_bytes=4_194_304, batch_size=5_000)
        # The system's own buffers could hold the whole replay.
        small = socket.socket()
        small.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        small.connect((place.split(":")[0], int(place.split(":")[1])))
        with connect(
            f"ws://{place}{path}", sock=small, max_size=None, max_queue=1, close_timeout=1
        ) as slow:
            slow.recv()
            with connect(f"ws://{place}{path}", max_size=None, close_timeout=1) as fast:
                count = 0
                while count < 12_000:
                    count += json.loads(fast.recv(30))["count"]
            time.sleep(2)
            left: list[dict] = []
            with contextlib.suppress(ConnectionClosed):
                while True:
                    left.append(json.loads(slow.recv(30)))
        assert sum(told.get("count", 0) for told in left) < 12_000
        assert "complete" not in [told["type"] for told in left]


def test_deletion_during_a_stream_does_not_break_it(root: Path) -> None:
    (replay_id,) = write_run(root, windows=1, frames=5_000)
    with served(Settings(runs_root=root)) as place:
        path = address(replay_id, batch_size=64)
        with connect(f"ws://{place}{path}", max_size=None) as socket:
            socket.recv()
            first = json.loads(socket.recv(30))
            shutil.rmtree(root / "run")
            count = first["count"]
            while (told := json.loads(socket.recv(30)))["type"] == "frames":
                count += told["count"]
        assert (told["type"], count) == ("complete", 5_000)


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    names_and_values=st.dictionaries(
        st.sampled_from(
            ["offset", "limit", "batch_size", "max_chunk_bytes", "yield_every_batches", "x"]
        ),
        st.one_of(st.integers(-5, 6_000).map(str), st.text("0123456789abc-+._%", max_size=6)),
        max_size=4,
    )
)
def test_whatever_is_asked_ends_in_complete_or_an_error(
    root: Path, client: TestClient, names_and_values: dict[str, str]
) -> None:
    if not root.exists():
        write_run(root, windows=1, frames=40)
    (entry,) = client.app.state.observatory.catalogue.find("run").entries
    path = f"/api/v1/ws/runs/run/replays/{entry.replay_id}/frames?{urlencode(names_and_values)}"
    said, code = messages(client, path)
    assert said[-1]["type"] in ("complete", "error")
    assert (said[-1]["type"] == "complete") == (code == 1000)
    if said[-1]["type"] == "error":
        assert said[-1]["status_code"] == 400
