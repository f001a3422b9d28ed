"""Runs over HTTP: lists, windows, config, completeness, reports, worlds, health."""

import shutil
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from served_runs import add_window, new_run, write_run

from astrarium import worlds
from astrarium.runs import documents, names

API = "/api/v1"


def test_no_runs_is_an_empty_list(client: TestClient) -> None:
    assert client.get(f"{API}/runs").json() == {"runs": [], "count": 0, "total": 0}


def test_runs_are_listed_paged_and_filtered(root: Path, client: TestClient) -> None:
    for number in range(5):
        write_run(root, f"run-{number}", windows=1, frames=3)
    writer = new_run(root, "going")
    client.app.state.observatory.catalogue.sweep()
    whole = client.get(f"{API}/runs").json()
    assert (whole["count"], whole["total"]) == (6, 6)
    moments = [run["updated_at"] for run in whole["runs"]]
    assert moments == sorted(moments, reverse=True)
    assert {run["run_id"] for run in whole["runs"]} == {"going", *(f"run-{n}" for n in range(5))}
    page = client.get(f"{API}/runs", params={"limit": 2, "offset": 4}).json()
    assert (page["count"], page["total"]) == (2, 6)
    assert page["runs"] == whole["runs"][4:6]
    running = client.get(f"{API}/runs", params={"status": "running"}).json()
    assert [run["run_id"] for run in running["runs"]] == ["going"]
    assert client.get(f"{API}/runs", params={"world": "lanterns-v1"}).json()["total"] == 0
    writer.finish()


def test_one_broken_run_does_not_spoil_the_list(root: Path, client: TestClient) -> None:
    write_run(root, "good", windows=1, frames=3)
    write_run(root, "bad", windows=1, frames=3)
    (root / "bad" / names.METADATA).write_text('{"run_id": 7}')
    client.app.state.observatory.catalogue.sweep()
    rows = {run["run_id"]: run for run in client.get(f"{API}/runs").json()["runs"]}
    assert rows["good"]["status"] == "completed"
    assert rows["bad"]["status"] == "broken"
    assert "run_metadata.json" in rows["bad"]["problem"]


def test_a_run_its_config_and_its_windows(root: Path, client: TestClient) -> None:
    write_run(root, "run", windows=3, frames=3)
    told = client.get(f"{API}/runs/run").json()
    assert told["metadata"] == documents.read(root / "run" / names.METADATA, dict)
    assert told["replay_count"] == 3
    assert client.get(f"{API}/runs/run/config").json()["config"]["run"] == {"seed": 3}
    windows = client.get(f"{API}/runs/run/metrics/windows", params={"limit": 2}).json()
    assert [row["window_id"] for row in windows["windows"]] == [2, 1]
    assert (windows["count"], windows["total"]) == (2, 3)
    assert windows["metrics_path"] == "metrics/windows.jsonl"
    oldest = client.get(
        f"{API}/runs/run/metrics/windows", params={"limit": 1, "order": "asc"}
    ).json()
    assert [row["window_id"] for row in oldest["windows"]] == [0]


def test_damaged_files_are_500_and_named_without_their_place(
    root: Path, client: TestClient
) -> None:
    write_run(root, "run", windows=1, frames=3)
    (root / "run" / names.WINDOWS).write_text("nonsense\n")
    answer = client.get(f"{API}/runs/run/metrics/windows")
    assert answer.status_code == 500
    assert "runs/run/metrics/windows.jsonl:1" in answer.json()["detail"]
    assert str(root) not in answer.text


@pytest.mark.parametrize(
    ("file", "path"),
    [
        (names.CONFIG, "config"),
        (names.WINDOWS, "metrics/windows"),
        (names.WINDOWS, "analytics/completeness"),
        (names.METADATA, ""),
        (names.METADATA, "analytics/completeness"),
        (names.REPLAY_INDEX, "replays"),
    ],
)
def test_a_link_in_a_run_leads_nowhere(
    root: Path, client: TestClient, tmp_path: Path, file: str, path: str
) -> None:
    write_run(root, "run", windows=1, frames=3)
    place = root / "run" / file
    place.rename(tmp_path / "elsewhere")
    text = (tmp_path / "elsewhere").read_text().replace("prospector", "secret-of-the-house")
    (tmp_path / "elsewhere").write_text(text.replace("mining_ticks_mean", "secret-of-the-house"))
    place.symlink_to(tmp_path / "elsewhere")
    answer = client.get(f"{API}/runs/run/{path}".rstrip("/"))
    assert "secret" not in answer.text
    told_apart = (file, path) == (names.WINDOWS, "analytics/completeness")
    assert answer.status_code in ((200,) if told_apart else (404, 500))
    if told_apart:
        (windows,) = [one for one in answer.json()["coverage"] if one["key"] == "window_metrics"]
        assert windows["status"] == "error"


def test_a_run_is_readable_while_it_is_written_and_gone_once_deleted(
    root: Path, client: TestClient
) -> None:
    writer = new_run(root)
    for window_id in range(3):
        add_window(writer, window_id)
        told = client.get(f"{API}/runs/run/metrics/windows").json()
        assert told["total"] == window_id + 1
    writer.finish()
    shutil.rmtree(root / "run")
    assert client.get(f"{API}/runs/run").status_code == 404
    assert client.get(f"{API}/runs/run/metrics/windows").status_code == 404


def test_parameters_out_of_range_are_422_with_words(client: TestClient) -> None:
    for query in ("limit=0", "limit=501", "limit=x", "offset=-1", "status=odd"):
        answer = client.get(f"{API}/runs?{query}")
        assert answer.status_code == 422, query
        assert answer.json()["detail"].startswith(query.split("=")[0])


def test_completeness_is_told(root: Path, client: TestClient) -> None:
    write_run(root, "run", windows=1, frames=3)
    told = client.get(f"{API}/runs/run/analytics/completeness").json()
    assert told["overall_status"] == "ok"
    assert told["coverage"][0]["key"] == "run_metadata"
    bad = client.get(f"{API}/runs/run/analytics/completeness", params={"stale_after_seconds": 59})
    assert bad.status_code == 422


def test_reports_are_listed_and_given_as_they_are(client: TestClient, tmp_path: Path) -> None:
    assert client.get(f"{API}/reports").json() == {"reports": []}
    folder = tmp_path / "reports"
    folder.mkdir()
    content = (
        '{"kind":"worlds","generated_at":"2031","summary":{"pass":true},"machine":{"commit":"c"}}'
    )
    (folder / "worlds-1.json").write_text(content)
    (folder / "ladder.json").write_text('{"kind":"ladder","summary":{"bot":{"x":1}}}')
    (folder / "broken.json").write_text("{")
    (folder / "linked.json").symlink_to("/etc/hostname")
    rows = client.get(f"{API}/reports").json()["reports"]
    assert rows == [
        {
            "name": "worlds-1",
            "kind": "worlds",
            "generated_at": "2031",
            "passed": True,
            "commit": "c",
        },
        {"name": "ladder", "kind": "ladder", "generated_at": None, "passed": None, "commit": None},
    ]
    assert client.get(f"{API}/reports/worlds-1").text == content
    assert client.get(f"{API}/reports/worlds-1.json").text == content
    for name in ("linked", "gone", "..%2F..%2Fetc%2Fpasswd"):
        assert client.get(f"{API}/reports/{name}").status_code in (404, 422), name


def test_every_world_introduces_itself(client: TestClient) -> None:
    told = {one["id"]: one for one in client.get(f"{API}/worlds").json()["worlds"]}
    assert set(told) == set(worlds.ids())
    ship, keepers = told["prospector-v2"], told["lanterns-v1"]
    assert (ship["playable"], keepers["playable"]) == (True, False)
    assert ship["scene"] == "prospector"
    assert ship["hotkeys"]["q"] == 8
    assert ship["defaults"]["time_max"] == 2000
    assert ship["settings_schema"]["properties"]["time_max"]["minimum"] == 1
    assert "hauler" in ship["bots"]
    assert len(ship["hints"]) == 69
    assert keepers["agents"] == ["keeper_0", "keeper_1"]


def test_health_readiness_and_counters(client: TestClient) -> None:
    assert client.get("/healthz").json() == {"status": "ok"}
    assert client.get("/readyz").json() == {"status": "ok"}
    client.get(f"{API}/runs")
    text = client.get("/metrics").text
    assert 'astrarium_requests_total{method="GET",route="/api/v1/runs",status="200"} 1.0' in text
    assert "astrarium_sessions 0.0" in text
    assert "astrarium_replay_cache_bytes" in text


def test_what_is_nowhere_is_404_in_words(client: TestClient) -> None:
    answer = client.get(f"{API}/nothing")
    assert answer.status_code == 404
    assert "openapi.json" in answer.json()["detail"]
