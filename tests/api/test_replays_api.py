"""Replays over HTTP: the index, pages of frames, timelines, and files that went bad."""

import gzip
import json
import shutil
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from served_runs import write_run

from astrarium.runs import names
from astrarium.serve.app import create_app
from astrarium.serve.settings import Settings

RUN = "/api/v1/runs/run"


def lines_of(root: Path, replay_id: str) -> list[bytes]:
    content = gzip.decompress((root / "run" / names.replay_path(replay_id)).read_bytes())
    return content.split(b"\n")[:-1]


def test_the_index_is_filtered_newest_first(root: Path, client: TestClient) -> None:
    old, new = write_run(root, windows=2, frames=3)
    told = client.get(f"{RUN}/replays").json()
    assert [one["replay_id"] for one in told["replays"]] == [new, old]
    assert (told["count"], told["index_path"]) == (2, "replay_index.json")
    for query, found in (
        ("tag=every_window", [new, old]),
        ("tag=nothing", []),
        ("tags_any=nothing,best_so_far", [new, old]),
        ("tags_all=every_window,nothing", []),
        ("window_id=0", [old]),
        ("limit=1", [new]),
    ):
        rows = client.get(f"{RUN}/replays?{query}").json()["replays"]
        assert [one["replay_id"] for one in rows] == found, query
    assert client.get(f"{RUN}/replays/{old}").json()["replay"]["window_id"] == 0


def test_pages_carry_the_lines_of_the_file(root: Path, client: TestClient) -> None:
    (replay_id,) = write_run(root, windows=1, frames=700)
    _, *lines = lines_of(root, replay_id)
    address = f"{RUN}/replays/{replay_id}/frames"
    first = client.get(address)
    assert b'"frames":[' + b",".join(lines[:256]) + b"]}" in first.content
    told = first.json()
    assert (told["offset"], told["next_offset"], told["count"]) == (0, 256, 256)
    assert told["has_more"] is True
    frames, offset = [], 0
    while True:
        page = client.get(address, params={"offset": offset, "limit": 300}).json()
        frames += page["frames"]
        offset = page["next_offset"]
        if not page["has_more"]:
            break
    assert frames == [json.loads(line) for line in lines]
    beyond = client.get(address, params={"offset": 9_999}).json()
    assert (beyond["count"], beyond["has_more"], beyond["next_offset"]) == (0, False, 9_999)
    exact = client.get(address, params={"offset": 600, "limit": 100}).json()
    assert (exact["count"], exact["has_more"]) == (100, False)


@pytest.mark.parametrize(
    ("plain", "other"),
    [
        ("", "x=1"),
        ("offset=0", "offset=00"),
        ("limit=5", "limit=+5"),
        ("offset=3&limit=5", "limit=5&offset=3"),
        ("offset=95&limit=999", "limit=0999&offset=95"),
        ("offset=100", "offset=100&offset=100"),
        ("offset=999999999&limit=1", "limit=1&offset=999999999"),
    ],
)
def test_a_plain_question_is_answered_like_any_other(
    root: Path, client: TestClient, plain: str, other: str
) -> None:
    (replay_id,) = write_run(root, windows=1, frames=100)
    address = f"{RUN}/replays/{replay_id}/frames"
    quick, slow = client.get(f"{address}?{plain}"), client.get(f"{address}?{other}")
    assert quick.status_code == slow.status_code == 200
    assert quick.content == slow.content
    assert quick.headers == slow.headers


@pytest.mark.parametrize(
    "query", ["limit=0", "limit=5001", "limit=-1", "offset=-1", "offset=x", "limit=", "offset=1e3"]
)
def test_numbers_out_of_range_are_422(root: Path, client: TestClient, query: str) -> None:
    (replay_id,) = write_run(root, windows=1, frames=3)
    answer = client.get(f"{RUN}/replays/{replay_id}/frames?{query}")
    assert answer.status_code == 422
    assert query.split("=")[0] in answer.json()["detail"]


def test_a_page_ends_at_its_limit_of_bytes(root: Path, asking) -> None:
    (replay_id,) = write_run(root, windows=1, frames=50)
    client = asking(page_bytes_max=20_000)
    page = client.get(f"{RUN}/replays/{replay_id}/frames").json()
    assert 0 < page["count"] < 50
    assert page["has_more"] is True
    assert page["next_offset"] == page["count"]


def test_the_timeline_has_the_header_and_every_event(root: Path, client: TestClient) -> None:
    (replay_id,) = write_run(root, windows=1, frames=60)
    header, *lines = (json.loads(line) for line in lines_of(root, replay_id))
    told = client.get(f"{RUN}/replays/{replay_id}/timeline").json()
    assert told["header"] == header
    assert (told["frames"], told["stride"]) == (60, 1)
    assert told["reward"] == [frame["reward"] for frame in lines]
    assert told["ticks"] == lines[-1]["t"]
    assert told["events"] == [
        {"frame": at, "name": name} for at, frame in enumerate(lines) for name in frame["events"]
    ]
    assert set(header["terms"]) <= set(told["terms"])


def test_a_truncated_replay_is_named_at_once(root: Path, client: TestClient) -> None:
    (replay_id,) = write_run(root, windows=1, frames=2_000)
    place = root / "run" / names.replay_path(replay_id)
    place.write_bytes(place.read_bytes()[: place.stat().st_size // 2])
    address = f"{RUN}/replays/{replay_id}/frames"
    answer = client.get(address, params={"limit": 10})
    assert answer.status_code == 500
    assert f"runs/run/replays/{replay_id}.jsonl.gz is not the file" in answer.json()["detail"]
    assert str(root) not in answer.text
    assert client.get(f"{RUN}/replays/{replay_id}/timeline").status_code == 500


@pytest.mark.parametrize("part", ["frames", "timeline"])
def test_what_is_missing_is_404(root: Path, client: TestClient, part: str) -> None:
    (replay_id,) = write_run(root, windows=1, frames=3)
    assert client.get(f"{RUN}/replays/replay-000000-00000000/{part}").status_code == 404
    assert client.get(f"/api/v1/runs/other/replays/{replay_id}/{part}").status_code == 404
    (root / "run" / names.replay_path(replay_id)).unlink()
    answer = client.get(f"{RUN}/replays/{replay_id}/{part}")
    assert answer.status_code == 404
    assert "deleted" in answer.json()["detail"]


@pytest.mark.parametrize(
    "path", ["../../secret.gz", "/etc/passwd", "replays/../../secret.gz", "replays/link.gz", ""]
)
def test_an_index_cannot_lead_out_of_its_run(root: Path, client: TestClient, path: str) -> None:
    (replay_id,) = write_run(root, windows=1, frames=3)
    real = root / "run" / names.replay_path(replay_id)
    shutil.copy(real, root / "secret.gz")
    (root / "run" / "replays" / "link.gz").symlink_to(root / "secret.gz")
    index = root / "run" / names.REPLAY_INDEX
    index.write_text(index.read_text().replace(names.replay_path(replay_id), path))
    answer = client.get(f"{RUN}/replays/{replay_id}/frames")
    assert answer.status_code in (404, 500)
    assert "frame_index" not in answer.text


@pytest.mark.parametrize("linked", ["file", "folder"])
def test_a_link_put_in_a_replays_place_leads_nowhere(
    root: Path, client: TestClient, tmp_path: Path, linked: str
) -> None:
    """Also after the replay was read: what is kept open is the file, not its name."""
    (replay_id,) = write_run(root, windows=1, frames=3)
    write_run(tmp_path / "elsewhere", windows=1, frames=4)
    (secret,) = (tmp_path / "elsewhere" / "run" / "replays").iterdir()
    address = f"{RUN}/replays/{replay_id}/frames"
    assert client.get(address).json()["count"] == 3
    place = root / "run" / names.replay_path(replay_id)
    if linked == "file":
        place.unlink()
        place.symlink_to(secret)
    else:
        secret.rename(secret.with_name(place.name))
        shutil.rmtree(place.parent)
        place.parent.symlink_to(secret.parent)
    answer = client.get(address)
    assert answer.status_code == 404
    assert "frame_index" not in answer.text


@pytest.mark.parametrize(
    "hostile",
    ["..", "%2e%2e", "..%2F..%2Fetc", "%00", "a%0a", "-a", "a%20b", "%F0%9F%9A%80", "a" * 200],
)
def test_hostile_ids_are_turned_away(client: TestClient, hostile: str) -> None:
    for path in (
        f"/api/v1/runs/{hostile}",
        f"/api/v1/runs/{hostile}/config",
        f"/api/v1/runs/{hostile}/replays",
        f"/api/v1/runs/run/replays/{hostile}/frames",
        f"/api/v1/play/session/{hostile}",
        f"/api/v1/reports/{hostile}",
    ):
        assert client.get(path).status_code in (200, 404, 422), path


def test_a_run_deleted_while_its_replay_is_read_ends_in_404(root: Path, client: TestClient) -> None:
    (replay_id,) = write_run(root, windows=1, frames=600)
    address = f"{RUN}/replays/{replay_id}/frames"
    assert client.get(address).status_code == 200
    shutil.rmtree(root / "run")
    assert client.get(address, params={"offset": 256}).status_code == 404


def test_an_app_that_was_stopped_can_be_started_again(root: Path, settings: Settings) -> None:
    (replay_id,) = write_run(root, windows=1, frames=3)
    app = create_app(settings)
    for _ in range(2):
        with TestClient(app, "http://localhost") as client:
            assert client.get(f"{RUN}/replays/{replay_id}/frames").json()["count"] == 3
            assert client.get("/readyz").status_code == 200
