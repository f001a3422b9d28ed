"""Wars over HTTP: their list, summary, days and battles, and what may be wrong with a folder."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from served_runs import write_run

from astrarium.runs import documents, journal

SAMPLE = Path(__file__).parents[2] / "docs" / "samples" / "war"
WARS = "/api/v1/wars"


@pytest.fixture
def wars(tmp_path: Path) -> Path:
    """A folder with one war."""
    place = tmp_path / "wars"
    shutil.copytree(SAMPLE, place / "seed-4")
    return place


def summary(wars: Path) -> dict[str, Any]:
    return documents.read(wars / "seed-4" / "war.json", dict[str, Any])


def fought(wars: Path, battle: str) -> None:
    """Write the file of a battle, as a war does."""
    place = wars / "seed-4" / "battles"
    place.mkdir(exist_ok=True)
    content = {
        "id": battle,
        "controllers": {"accord": "line", "dominion": "pursuer"},
        "package": {"battle_id": battle, "secret": "the package stays"},
        "result": {"battle_id": battle, "ended_by": "time_limit"},
    }
    documents.write(place / f"{battle}.json", content)


def test_the_list_tells_how_each_war_stands(client: TestClient, wars: Path) -> None:
    (row,) = client.get(WARS).json()["wars"]
    told = summary(wars)
    assert row["war_id"] == "seed-4"
    assert (row["seed"], row["days"], row["finished"]) == (4, 75, True)
    assert row["battles"] == len(told["battles"])
    assert [one["id"] for one in row["factions"]] == ["accord", "dominion"]


def test_without_wars_the_list_is_empty(client: TestClient) -> None:
    assert client.get(WARS).json() == {"wars": []}


def test_folders_that_are_no_wars_are_left_out(client: TestClient, wars: Path) -> None:
    (wars / "empty").mkdir()
    (wars / "broken").mkdir()
    (wars / "broken" / "war.json").write_text("{", "utf-8")
    (wars / "other").mkdir()
    other = {**summary(wars), "format": "astrarium-war.v9"}
    documents.write(wars / "other" / "war.json", other)
    (wars / "link").symlink_to(wars / "seed-4", target_is_directory=True)
    (wars / "file").write_text("", "utf-8")
    assert [row["war_id"] for row in client.get(WARS).json()["wars"]] == ["seed-4"]
    assert client.get(f"{WARS}/empty").status_code == 404
    assert client.get(f"{WARS}/link").status_code == 404
    assert client.get(f"{WARS}/broken").status_code == 500
    assert client.get(f"{WARS}/other").status_code == 500


def test_a_war_that_goes_on_is_told_anew(client: TestClient, wars: Path) -> None:
    assert client.get(WARS).json()["wars"][0]["days"] == 75
    documents.write(wars / "seed-4" / "war.json", {**summary(wars), "days": 80, "finished": False})
    assert client.get(WARS).json()["wars"][0]["days"] == 80


def test_a_war_is_its_summary(client: TestClient, wars: Path) -> None:
    told = client.get(f"{WARS}/seed-4").json()
    assert told["war"] == summary(wars)
    assert told["replays"] == {}


def test_a_recorded_battle_can_be_watched(client: TestClient, wars: Path, root: Path) -> None:
    battle = {"id": "d010-r1", "day": 10, "node": "r1", "fingerprint": "0123456789ab"}
    documents.write(wars / "seed-4" / "war.json", {**summary(wars), "battles": [battle]})
    # What an earlier war of this name fought under the same id.
    write_run(root, "seed-4-d010-r1-ba9876543210", windows=1, frames=2)
    assert client.get(f"{WARS}/seed-4").json()["replays"] == {}
    (replay_id,) = write_run(root, "seed-4-d010-r1-0123456789ab", windows=1, frames=2)
    told = client.get(f"{WARS}/seed-4").json()["replays"]
    assert told == {"d010-r1": {"run_id": "seed-4-d010-r1-0123456789ab", "replay_id": replay_id}}


def test_days_come_in_pages_as_they_are_stored(client: TestClient, wars: Path) -> None:
    stored = journal.read(wars / "seed-4" / "days.jsonl")
    first = client.get(f"{WARS}/seed-4/days?limit=50").json()
    assert (first["count"], first["next_offset"], first["has_more"]) == (50, 50, True)
    assert first["days"] == stored[:50]
    rest = client.get(f"{WARS}/seed-4/days?offset=50&limit=50").json()
    assert (rest["count"], rest["next_offset"], rest["has_more"]) == (25, 75, False)
    assert rest["days"][-1]["day"] == 75
    beyond = client.get(f"{WARS}/seed-4/days?offset=500").json()
    assert (beyond["days"], beyond["next_offset"], beyond["has_more"]) == ([], 500, False)


def test_a_page_of_days_ends_before_it_is_too_large(asking: Any, wars: Path) -> None:
    page = asking(page_bytes_max=10_000).get(f"{WARS}/seed-4/days").json()
    assert 0 < page["count"] < 75
    assert page["has_more"] is True


def test_a_day_that_is_being_written_is_not_sent(client: TestClient, wars: Path) -> None:
    with (wars / "seed-4" / "days.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"day":76,"nod')
    assert client.get(f"{WARS}/seed-4/days?offset=75").json()["days"] == []


def test_days_that_are_damaged_or_missing_are_not_sent(client: TestClient, wars: Path) -> None:
    place = wars / "seed-4" / "days.jsonl"
    whole = place.read_bytes()
    lines = whole.splitlines(keepends=True)
    for content, words in (
        (whole.replace(b'"day":7,', b'"day":9,'), "line 7: its seal does not match"),
        (b"".join(lines[:-1]), "it has 74 of the 75 days"),
    ):
        place.write_bytes(content)
        answer = client.get(f"{WARS}/seed-4/days?limit=1000")
        assert answer.status_code == 500
        assert words in answer.json()["detail"]


def test_a_battle_is_told_without_its_package(client: TestClient, wars: Path) -> None:
    fought(wars, "d010-r1")
    told = client.get(f"{WARS}/seed-4/battles/d010-r1")
    assert told.json()["result"] == {"battle_id": "d010-r1", "ended_by": "time_limit"}
    assert told.json()["controllers"] == {"accord": "line", "dominion": "pursuer"}
    assert "stays" not in told.text
    assert client.get(f"{WARS}/seed-4/battles/d011-r1").status_code == 404


def test_no_name_leads_out_of_the_folder(client: TestClient, wars: Path) -> None:
    fought(wars, "d010-r1")
    (wars / "secret.json").write_text('{"id": "a", "controllers": {}, "result": {}}', "utf-8")
    (wars / "seed-4" / "battles" / "link.json").symlink_to(wars / "secret.json")
    for path in (
        "..",
        "%2e%2e",
        "..%2Fwars",
        "seed-4/battles/..%2F..%2Fsecret",
        "seed-4/battles/link",
        "seed-4%00",
        ".hidden",
        "a" * 200,
    ):
        answer = client.get(f"{WARS}/{path}")
        assert answer.status_code in (404, 422), path
        assert str(wars) not in answer.text


@pytest.mark.parametrize("query", ["offset=-1", "limit=0", "limit=1001", "offset=x"])
def test_bad_numbers_are_refused(client: TestClient, wars: Path, query: str) -> None:
    assert client.get(f"{WARS}/seed-4/days?{query}").status_code == 422
