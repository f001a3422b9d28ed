"""Growing networks over HTTP: episodes and their events, from files that grow, shrink and break."""

import json
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from grown_runs import (
    EPOCHS,
    episode_lines,
    epoch_lines,
    lines_of,
    new_grown_run,
    sealed,
    started,
    tell,
)
from served_runs import write_run

from astrarium.runs import documents, names
from astrarium.runs.journal import end_of
from astrarium.serve import growth as module
from astrarium.serve.growth import Growth

API = "/api/v1"


def overview(client: TestClient, **asked: int) -> dict:
    answer = client.get(f"{API}/runs/grown/growth", params=asked)
    assert answer.status_code == 200, answer.text
    return answer.json()


def page(client: TestClient, env: int, episode: int, **asked: int) -> dict:
    answer = client.get(f"{API}/runs/grown/growth/{env}/{episode}", params=asked)
    assert answer.status_code == 200, answer.text
    return answer.json()


def written(root: Path, env: int, episode: int) -> list[dict]:
    """What the file itself has of an episode."""
    lines = (root / "grown" / names.WORLD_EVENTS).read_text("utf-8").splitlines()
    read = [{k: v for k, v in json.loads(line).items() if k != "seal"} for line in lines]
    return [one for one in read if (one.get("env"), one.get("episode")) == (env, episode)]


def test_a_run_tells_how_it_began_and_its_episodes(root: Path, client: TestClient) -> None:
    new_grown_run(root, content=episode_lines(0) + episode_lines(1, epochs=4)).finish()
    told = overview(client)
    assert told["started"]["task"] == "digits_impaired"
    assert [slot["slot_id"] for slot in told["started"]["slots"]][:2] == ["r0c0", "r0c1"]
    assert told["kinds"]["GOVERNOR_ROLLBACK"] == {"label": "Rolled back", "severity": "critical"}
    assert (told["total"], told["damaged"], told["complete"]) == (4, 0, True)
    assert [(one["env"], one["episode"]) for one in told["episodes"]] == [
        *[(1, 1), (0, 1), (1, 0), (0, 0)]
    ]
    going, over = told["episodes"][1], told["episodes"][3]
    assert (going["first_epoch"], going["last_epoch"], going["outcome"]) == (1, 4, None)
    assert over["last_epoch"] == EPOCHS
    assert over["outcome"]["final_accuracy"] == pytest.approx(over["accuracy"])
    only = overview(client, env=1, limit=1, offset=1)
    assert (only["count"], only["total"]) == (1, 2)
    assert (only["episodes"][0]["env"], only["episodes"][0]["episode"]) == (1, 0)


def test_events_come_as_stored_and_by_pages(root: Path, client: TestClient) -> None:
    new_grown_run(root, content=episode_lines(0)).finish()
    whole = page(client, 1, 0)
    assert whole["events"] == written(root, 1, 0)
    assert not whole["has_more"]
    gathered: list[dict] = []
    offset, more = 0, True
    while more:
        part = page(client, 1, 0, offset=offset, limit=7)
        assert part["count"] <= 7
        gathered += part["events"]
        offset, more = part["next_offset"], part["has_more"]
    assert gathered == whole["events"]
    beyond = page(client, 1, 0, offset=10_000)
    assert (beyond["count"], beyond["next_offset"], beyond["has_more"]) == (0, 10_000, False)


def test_a_page_is_bounded_in_bytes_yet_never_empty(root: Path, asking) -> None:
    new_grown_run(root, content=episode_lines(0)).finish()
    small = asking(page_bytes_max=1)
    assert page(small, 0, 0)["count"] == 1
    assert page(small, 0, 0)["has_more"]


def test_a_growing_file_is_followed_line_by_line(root: Path, client: TestClient) -> None:
    writer = new_grown_run(root, content=epoch_lines(1))
    first = page(client, 0, 0)
    place = root / "grown" / names.WORLD_EVENTS
    before = place.read_bytes()
    tell(root / "grown", epoch_lines(2))
    whole = place.read_bytes()
    place.write_bytes(whole[: len(before) + 100])
    assert page(client, 0, 0)["next_offset"] == first["next_offset"], "half a line is no line"
    assert overview(client)["complete"], "what is still being written is not waited for"
    place.write_bytes(whole)
    second = page(client, 0, 0, offset=first["next_offset"])
    assert second["edition"] == first["edition"]
    assert first["events"] + second["events"] == written(root, 0, 0)
    assert overview(client)["episodes"][0]["last_epoch"] == 2
    writer.finish()


def test_a_file_that_was_cut_back_is_read_anew(root: Path, client: TestClient) -> None:
    writer = new_grown_run(root, content=episode_lines(0, hosts=1, epochs=6))
    before = page(client, 0, 0)
    place = root / "grown" / names.WORLD_EVENTS
    kept = lines_of([started()], 0, 0) + episode_lines(0, hosts=1, epochs=3)
    place.write_bytes(sealed(kept))
    after = page(client, 0, 0)
    assert after["edition"] != before["edition"]
    assert after["events"] == written(root, 0, 0)
    assert overview(client)["episodes"][0]["last_epoch"] == 3
    tell(root / "grown", epoch_lines(4))
    assert page(client, 0, 0)["events"][-1]["epoch"] == 4
    writer.finish()


def test_damaged_lines_are_counted_and_left_out(root: Path, client: TestClient) -> None:
    good = epoch_lines(1)
    foreign = b'{"kind":"EPOCH_COMPLETED","round":0,"env":0,"episode":0,"epoch":2}\n'
    damage = b'{"kind":"FLIPPED"}\n{"kind":7}\n'
    new_grown_run(root, content=good + damage + foreign + epoch_lines(3)).finish()
    place = root / "grown" / names.WORLD_EVENTS
    place.write_bytes(place.read_bytes().replace(b"FLIPPED", b"FLIPPER"))
    assert overview(client)["damaged"] == 2
    told = page(client, 0, 0)
    assert told["damaged"] == 1, "a line with a host and an epoch, but not what the table says"
    assert [one["epoch"] for one in told["events"] if one["kind"] == "EPOCH_COMPLETED"] == [1, 3]


def test_events_that_are_missing_at_the_end_are_counted(root: Path, client: TestClient) -> None:
    writer = new_grown_run(root)
    writer.append_world_events([])
    place = root / "grown" / names.WORLD_EVENTS
    writer.finish()
    tell(root / "grown", epoch_lines(1))
    end, metadata = end_of(place), root / "grown" / names.METADATA
    state = documents.read(metadata, dict) | {"journals": {names.WORLD_EVENTS: end}}
    documents.write(metadata, state)
    assert overview(client)["damaged"] == 0
    lines = place.read_bytes().splitlines(keepends=True)
    place.write_bytes(b"".join(lines[:-3]))
    assert overview(client)["damaged"] == 3


def test_a_long_file_is_read_over_several_requests(
    root: Path, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_grown_run(root, content=episode_lines(0) + episode_lines(1)).finish()
    monkeypatch.setattr(module.GrowthIndex.extend, "__defaults__", (60_000,))
    last = client.get(f"{API}/runs/grown/growth/1/1")
    assert last.status_code == 503
    looks = 1
    while not (told := overview(client))["complete"]:
        looks += 1
        assert told["bytes_read"] <= looks * 70_000
        assert looks < 100
    assert looks > 2
    assert (
        told["bytes_read"] == told["bytes"] == (root / "grown" / names.WORLD_EVENTS).stat().st_size
    )
    assert page(client, 1, 1)["events"] == written(root, 1, 1)


def test_indexes_asked_for_long_ago_are_let_go(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", "b"):
        new_grown_run(root, name, epoch_lines(1)).finish()
    monkeypatch.setattr(module, "LINES_MAX", 4)
    growth = Growth()
    first = growth.of(root / "a")
    assert growth.of(root / "a") is first
    growth.of(root / "b")
    assert growth.of(root / "a") is not first


def test_runs_and_episodes_that_are_not_there(root: Path, client: TestClient) -> None:
    write_run(root, "plain", windows=1, frames=3)
    new_grown_run(root, content=epoch_lines(1)).finish()
    for path in ("nowhere/growth", "nowhere/growth/0/0", "grown/growth/0/9", "grown/growth/7/0"):
        assert client.get(f"{API}/runs/{path}").status_code == 404, path
    answer = client.get(f"{API}/runs/plain/growth")
    assert answer.status_code == 404
    assert names.WORLD_EVENTS in answer.json()["detail"]
    assert str(root) not in answer.text
    bad = (
        "growth/x/0",
        "growth/-1/0",
        "growth?limit=0",
        "growth?limit=5001",
        "growth/0/0?offset=-1",
    )
    for path in bad:
        assert client.get(f"{API}/runs/grown/{path}").status_code == 422, path
    assert client.get(f"{API}/runs/..%2Fgrown/growth").status_code in (404, 422)


def test_a_link_in_the_place_of_events_leads_nowhere(
    root: Path, client: TestClient, tmp_path: Path
) -> None:
    new_grown_run(root, content=epoch_lines(1)).finish()
    place = root / "grown" / names.WORLD_EVENTS
    place.rename(tmp_path / "elsewhere")
    place.symlink_to(tmp_path / "elsewhere")
    assert client.get(f"{API}/runs/grown/growth").status_code == 404
    client.app.state.observatory.catalogue.sweep()
    (row,) = client.get(f"{API}/runs").json()["runs"]
    assert not row["has_world_events"]


def test_the_list_of_runs_says_where_something_grows(root: Path, client: TestClient) -> None:
    write_run(root, "plain", windows=1, frames=3)
    new_grown_run(root).finish()
    client.app.state.observatory.catalogue.sweep()
    rows = {one["run_id"]: one for one in client.get(f"{API}/runs").json()["runs"]}
    assert rows["grown"]["has_world_events"]
    assert not rows["plain"]["has_world_events"]


def test_the_file_may_come_later_than_the_run(root: Path, client: TestClient) -> None:
    writer = new_grown_run(root)
    place = root / "grown" / names.WORLD_EVENTS
    kept = place.read_bytes()
    place.unlink()
    catalogue = client.app.state.observatory.catalogue
    assert not catalogue.find("grown").row.has_world_events
    catalogue.sweep()
    place.write_bytes(sealed(kept))
    assert catalogue.find("grown").row.has_world_events
    writer.finish()
