"""W&B with nothing mocked: the library, its service process, and a server on the loopback.

Each scene plays in a process of its own, since the library keeps one state for a whole process.
"""

from __future__ import annotations

import base64
import gzip
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from astrarium.errors import ConfigError
from astrarium.telemetry.events import CheckpointWritten, ReplayRecorded, RunFailed, RunResumed
from astrarium.telemetry.wandb import WandbSink, _alias, _artifact_name

KEY = "0123456789abcdef" * 2 + "01234567"
REPLAY = "replay-000001-0badcafe"

SCENE = """
import sys
from pathlib import Path
from astrarium.telemetry import Follower, wandb
wandb.FINISH_SECONDS = 3.0
folder = Path(sys.argv[1])
sink = wandb.WandbSink(folder, to=folder / "sinks", mode=sys.argv[2], project="belt")
(report,) = Follower(folder, [sink]).close()
print(report)
print(sink.url)
"""


class Server(ThreadingHTTPServer):
    """As much of W&B's API as a run needs, and a memory of everything that was asked."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answering)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.history: list[dict[str, Any]] = []
        self.uploads: dict[str, bytes] = {}
        self.keys: set[str] = set()
        self.exit_codes: list[int] = []
        self.silent_after: str | None = None
        self.released = threading.Event()

    def asked(self, operation: str) -> list[dict[str, Any]]:
        """The variables of every call of an operation."""
        return [variables for name, variables in self.calls if name == operation]

    def artifacts(self) -> dict[str, list[str]]:
        """Aliases of each artifact, by `type/name`."""
        found: dict[str, list[str]] = {}
        for call in self.asked("CreateArtifact"):
            given = call["input"]
            name = f"{given['artifactTypeName']}/{given['artifactCollectionName']}"
            found.setdefault(name, []).extend(sorted(one["alias"] for one in given["aliases"]))
        return found

    def answer(self, operation: str, variables: dict[str, Any]) -> dict[str, Any]:
        project = {"id": "P", "name": "belt", "entity": {"id": "E", "name": "ada"}}
        match operation:
            case "Viewer":
                who = {"id": "V", "entity": "ada", "username": "ada", "email": "", "flags": "{}"}
                return {"viewer": {**who, "teams": {"edges": []}}}
            case "RunResumeStatus":
                return {"model": {**project, "bucket": self.bucket(variables["name"])}}
            case "UpsertBucket":
                bucket = {"id": "R", "name": variables["name"], "config": "{}", "project": project}
                bucket["historyLineCount"] = len(self.history)
                return {"upsertBucket": {"bucket": bucket, "inserted": not self.history}}
            case "ArtifactType":
                return {"project": {"artifact": None}}
            case "CreateRunFiles":
                files = [self.place(name) for name in variables["files"]]
                return {"createRunFiles": {"runID": "R", "uploadHeaders": [], "files": files}}
            case "CreateArtifact":
                sequence = {"id": "S", "latestArtifact": None}
                artifact = {"id": "A", "state": "PENDING", "artifactSequence": sequence}
                return {"createArtifact": {"artifact": artifact}}
            case "CreateArtifactManifest":
                manifest = {"id": "M", "file": {"id": "F", **self.place("artifact-manifest")}}
                return {"createArtifactManifest": {"artifactManifest": manifest}}
            case "CreateArtifactFiles":
                edges = [
                    {"node": {"id": "F", "artifact": {"id": "A"}, **self.place(one["name"])}}
                    for one in variables["input"]["artifactFiles"]
                ]
                return {"createArtifactFiles": {"files": {"edges": edges}}}
            case "CommitArtifact":
                return {"commitArtifact": {"artifact": {"id": "A", "digest": "d"}}}
            case _:
                return {}

    def place(self, name: str) -> dict[str, Any]:
        """Where a file may be put."""
        url = f"{self.url}/upload/{name}"
        return {"name": name, "displayName": name, "uploadUrl": url, "uploadHeaders": []}

    def bucket(self, name: str) -> dict[str, Any] | None:
        """What is known of a run that is resumed."""
        if not self.history:
            return None
        tail = json.dumps([json.dumps(self.history[-1])])
        counts = {"logLineCount": 0, "eventsLineCount": 0, "historyLineCount": len(self.history)}
        texts = {"historyTail": tail, "eventsTail": "[]", "summaryMetrics": "{}", "config": "{}"}
        told = {"id": "R", "name": name, "displayName": name, "tags": [], "wandbConfig": '{"t": 1}'}
        return {**told, **counts, **texts}

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is nothing to report."""


class Answering(BaseHTTPRequestHandler):
    """One connection."""

    server: Server
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.reply({})

    def do_PUT(self) -> None:
        self.server.uploads[self.path.removeprefix("/upload/")] = self.body()
        self.reply({})

    def do_POST(self) -> None:
        body = self.body()
        if self.path == "/graphql":
            call = json.loads(body)
            operation = call["query"].split("(")[0].split("{")[0].split()[-1]
            self.note(operation, call.get("variables") or {})
            self.reply({"data": self.server.answer(operation, call.get("variables") or {})})
        elif self.path.endswith("/file_stream"):
            told = json.loads(body)
            self.note("file_stream", told)
            history = told.get("files", {}).get("wandb-history.jsonl", {"content": []})
            self.server.history += map(json.loads, history["content"])
            if "exitcode" in told:
                self.server.exit_codes.append(told["exitcode"])
            self.reply({})
        else:
            self.reply({})  # reports of the library on its own use

    def note(self, operation: str, variables: dict[str, Any]) -> None:
        authorization = self.headers.get("Authorization", "")
        secret = base64.b64decode(authorization.removeprefix("Basic ")).decode()
        self.server.keys.add(secret.removeprefix("api:"))
        self.server.calls.append((operation, variables))
        if self.server.silent_after in [name for name, _ in self.server.calls[:-1]]:
            self.server.released.wait()

    def body(self) -> bytes:
        content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        packed = self.headers.get("Content-Encoding") == "gzip"
        return gzip.decompress(content) if packed else content

    def reply(self, answer: dict[str, Any]) -> None:
        content = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        yield server
        server.released.set()
        server.shutdown()
        thread.join()


def play(run: Any, server: Server, mode: str) -> subprocess.CompletedProcess[str]:
    home = run.folder.parent / "home"
    env = {name: value for name, value in os.environ.items() if not name.startswith("WANDB")}
    env |= {"HOME": str(home), "WANDB_BASE_URL": server.url, "WANDB_API_KEY": KEY}
    env |= {f"WANDB_{one}_DIR": str(home / one.lower()) for one in ("CACHE", "CONFIG", "DATA")}
    # The machine's own load: nothing a test should look at.
    env |= {"WANDB_X_DISABLE_STATS": "true"}
    command = [sys.executable, "-W", "error", "-c", SCENE, str(run.folder), mode]
    return subprocess.run(command, env=env, capture_output=True, text=True, timeout=100)


def write_story(run: Any) -> None:
    checkpoint = run.folder / "checkpoints" / "000000"
    checkpoint.mkdir(parents=True)
    (checkpoint / "policy.safetensors").write_bytes(b"weights")
    (checkpoint / "manifest.json").write_text("{}")
    (checkpoint / "worlds.zst").write_bytes(b"large")
    (run.folder / "replays").mkdir()
    (run.folder / "replays" / f"{REPLAY}.jsonl.gz").write_bytes(gzip.compress(b"{}\n"))
    run.update(1, 700, policy_loss=-0.25, entropy=None)
    run.window(0, return_mean=None)
    run.event(CheckpointWritten(0, "checkpoints/000000"))
    run.event(CheckpointWritten(9, "checkpoints/000009"))  # taken back since
    run.update(2, 1500, policy_loss=-0.5)
    run.window(1, return_mean=8.0)
    tags = ("every_window", "milestone:profit:100", "milestone:profit:100")
    run.event(ReplayRecorded(1, REPLAY, 8.0, tags))


def test_online_the_rows_and_artifacts_arrive(run: Any, server: Server) -> None:
    write_story(run)
    done = play(run, server, "online")
    assert done.stderr == ""
    assert done.stdout.splitlines() == ["wandb: complete", f"{server.url}/ada/belt/runs/run-1"]
    assert (done.returncode, done.stderr) == (0, "")
    assert [
        (row["_step"], row["window_id"], row.get("return_mean"), row["update/policy_loss"])
        for row in server.history
    ] == [(1000, 0, None, -0.25), (2000, 1, 8.0, -0.5)]
    assert "return_mean" not in server.history[0]
    assert "update/entropy" not in server.history[0]
    assert server.artifacts() == {
        "model/model-run-1": ["latest", "window-0"],
        f"replay/replay-run-1-000001-{REPLAY}": [
            *("every_window", "latest", "milestone-profit-100", "window-1")
        ],
    }
    assert server.uploads["policy.safetensors"] == b"weights"
    assert gzip.decompress(server.uploads[f"{REPLAY}.jsonl.gz"]) == b"{}\n"
    assert "worlds.zst" not in server.uploads
    config = json.loads(server.asked("UpsertBucket")[0]["config"])
    assert config["ppo"]["value"] == {"gamma": 0.99}
    assert server.exit_codes == [0]
    # The key travels in its header, and is nowhere else.
    assert server.keys == {KEY}
    files = [path for path in run.folder.parent.rglob("*") if path.is_file()]
    assert [path for path in files if KEY.encode() in path.read_bytes()] == []
    assert not list(run.folder.parent.rglob(".netrc"))


@pytest.mark.long
def test_online_a_resumed_run_is_gone_on_with(run: Any, server: Server) -> None:
    run.window(0)
    checkpoint = run.sizes()
    run.window(1, return_mean=-1.0)
    play(run, server, "online")
    run.cut(checkpoint)
    run.event(RunResumed(window_id=0, update=0))
    run.window(1, return_mean=-1.0)
    run.window(2, return_mean=4.0)
    run.event(RunFailed("ValueError: no"))
    done = play(run, server, "online")
    assert (done.stdout.splitlines()[0], done.stderr) == ("wandb: complete", "")
    assert [row["window_id"] for row in server.history] == [0, 1, 2]
    assert server.exit_codes == [0, 1]


def test_offline_a_folder_is_written_and_nobody_is_asked(run: Any, server: Server) -> None:
    write_story(run)
    accepted: list[Any] = []
    server.verify_request = lambda request, address: not accepted.append(address)  # type: ignore[method-assign]
    done = play(run, server, "offline")
    assert done.stdout.splitlines() == ["wandb: complete", "None"]
    assert (done.returncode, done.stderr) == (0, "")
    assert accepted == []
    (folder,) = (run.folder / "sinks" / "wandb").glob("offline-run-*-run-1")
    log = (folder / "run-run-1.wandb").read_bytes()
    for word in (b"return_mean", b"update/policy_loss", b"model-run-1", b"milestone-profit-100"):
        assert word in log
    assert KEY.encode() not in log


@pytest.mark.long
def test_a_server_that_falls_silent_holds_up_neither_run_nor_exit(run: Any, server: Server) -> None:
    run.window(0)
    server.silent_after = "UpsertBucket"
    began = time.monotonic()
    done = play(run, server, "online")
    assert time.monotonic() - began < 40.0
    assert done.returncode == 0
    assert done.stdout.startswith("wandb: TimeoutError: ")
    # What the server never took is on the disk, for `wandb sync`.
    (folder,) = (run.folder / "sinks" / "wandb").glob("run-*-run-1")
    assert b"return_mean" in (folder / "run-run-1.wandb").read_bytes()


def test_online_without_a_key_is_refused_at_once(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WANDB_API_KEY", raising=False)
    with pytest.raises(ConfigError, match="set WANDB_API_KEY, or use 'offline'"):
        WandbSink(run.folder, to=run.folder, mode="online", project="belt")


def test_an_unknown_mode_is_refused(run: Any) -> None:
    with pytest.raises(ConfigError, match=r"did you mean 'offline'\?"):
        WandbSink(run.folder, to=run.folder, mode="ofline", project="belt")  # type: ignore[arg-type]


def test_names_and_aliases_are_such_as_wandb_takes() -> None:
    assert _alias("milestone:profit:0.5 ü/x") == "milestone-profit-0.5-x"
    assert _artifact_name("model", "run-1", "") == "model-run-1"
    one, two = (_artifact_name("replay", "r" * 127 + last, f"-000001-{REPLAY}") for last in "ab")
    assert len(one) == len(two) == 128
    assert one != two
    assert one.endswith(f"-000001-{REPLAY}")
