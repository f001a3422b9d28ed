"""`astrarium campaign` as a reader sees it, with battles fought by the arena."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from astrarium.cli import main
from astrarium.runs import documents


def told(capsys: pytest.CaptureFixture[str], *tokens: str, status: int = 0) -> str:
    with pytest.raises(SystemExit) as ended:
        main(["campaign", *tokens])
    captured = capsys.readouterr()
    assert ended.value.code == status, captured.out + captured.err
    return captured.out + captured.err


def run_of(battle: dict[str, Any]) -> str:
    """The run of a recorded battle of the war below."""
    return f"war-{battle['id']}-{battle['fingerprint']}"


@pytest.fixture(scope="module")
def war(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A short war with a battle, none of them recorded."""
    path = tmp_path_factory.mktemp("wars") / "war"
    options = ["--seed", "3", "--days", "90", "--replays", "0", "--out", str(path)]
    with pytest.raises(SystemExit) as ended:
        main(["campaign", "run", *options])
    assert ended.value.code == 0
    return path


def test_a_war_is_fought_and_shown(war: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = told(capsys, "show", str(war))
    summary = json.loads((war / "war.json").read_text("utf-8"))
    assert "day 90 of 90" in text
    assert summary["log_hash"][:16] in text
    assert (war / "report.html").is_file()
    assert summary["battles"]
    for battle in summary["battles"]:
        assert battle["id"] in text


def test_a_battle_fought_again_comes_out_as_it_did(
    war: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    battle = json.loads((war / "war.json").read_text("utf-8"))["battles"][0]["id"]
    assert "comes out as it did" in told(capsys, "refight", str(war), battle)


def test_the_same_seed_gives_the_same_log(
    war: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    again = tmp_path / "again"
    roots = ("--out", str(again), "--root", str(tmp_path / "runs"))
    told(capsys, "run", "--seed", "3", "--days", "90", *roots)
    assert (again / "log.jsonl").read_bytes() == (war / "log.jsonl").read_bytes()


def test_a_finished_war_is_told_again_and_another_seed_refused(
    war: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (war / "state.json").read_bytes()
    told(capsys, "run", "--seed", "3", "--replays", "0", "--out", str(war))
    assert (war / "state.json").read_bytes() == before
    text = told(capsys, "run", "--seed", "4", "--out", str(war), status=2)
    assert "holds a war with --seed 3, not --seed 4" in text


@pytest.mark.parametrize(
    ("option", "given", "has"),
    [
        ("--days", "60", "--days 90"),
        ("--grace", "0.5", "--grace 1.0"),
        ("--doctrine", "accord=wolfpack", "--doctrine accord=line"),
    ],
)
def test_a_war_is_not_taken_up_as_another(
    war: Path, capsys: pytest.CaptureFixture[str], option: str, given: str, has: str
) -> None:
    before = (war / "state.json").read_bytes()
    text = told(capsys, "run", "--seed", "3", "--out", str(war), option, given, status=2)
    assert f"holds a war with {has}, not {option} {given}" in text
    assert (war / "state.json").read_bytes() == before
    same = has.removeprefix(f"{option} ")
    options = ("--seed", "3", "--replays", "0", "--out", str(war), option, same)
    assert "day 90 of 90" in told(capsys, "run", *options)


def test_every_battle_of_a_war_is_recorded_once(
    war: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fought = json.loads((war / "war.json").read_text("utf-8"))["battles"]
    first = fought[0]["id"]
    text = told(capsys, "record", str(war), first, "--root", str(tmp_path))
    assert f"recorded: {run_of(fought[0])} " in text
    text = told(capsys, "record", str(war), "--all", "--root", str(tmp_path))
    assert text.count("recorded: ") == len(fought) - 1
    page = (war / "report.html").read_text("utf-8")
    assert all(f'#/watch?run={run_of(battle)}"' in page for battle in fought)
    assert told(capsys, "record", str(war), "--all", "--root", str(tmp_path)) == ""
    text = told(capsys, "record", str(war), "--root", str(tmp_path), status=2)
    assert "--all for every one" in text
    told(capsys, "record", str(war), first, "--all", "--root", str(tmp_path), status=2)


def test_the_largest_battles_of_a_war_are_recorded_when_it_is_over(
    war: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, root = tmp_path / "war", tmp_path / "runs"
    shutil.copytree(war, folder)
    told(capsys, "resume", str(folder), "--replays", "1", "--root", str(root))
    fought = json.loads((folder / "war.json").read_text("utf-8"))["battles"]
    ships = {run_of(one): sum(side["ships"] for side in one["sides"].values()) for one in fought}
    (recorded,) = (run.name for run in root.iterdir())
    assert ships[recorded] == max(ships.values())
    assert (folder / "report.html").read_text("utf-8").count("#/watch?run=") == 1


def test_a_war_waged_anew_under_its_name_has_its_own_replays(
    war: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its battles have the ids of those before, and other captains."""
    folder, root = tmp_path / "war", tmp_path / "runs"
    shutil.copytree(war, folder)
    told(capsys, "resume", str(folder), "--replays", "1", "--root", str(root))
    (before,) = root.iterdir()
    shutil.rmtree(folder)
    options = ("--seed", "3", "--days", "90", "--out", str(folder), "--doctrine", "accord=wolfpack")
    told(capsys, "run", *options, "--replays", "1", "--root", str(root))
    (now,) = (run for run in root.iterdir() if run != before)
    page = (folder / "report.html").read_text("utf-8")
    assert page.count("#/watch?run=") == 1
    assert f'#/watch?run={now.name}"' in page


def test_going_on_with_a_war_that_is_over_keeps_the_links_of_its_report(
    war: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, root = tmp_path / "war", ("--root", str(tmp_path / "runs"))
    shutil.copytree(war, folder)
    told(capsys, "record", str(folder), "--all", *root)
    before = (folder / "report.html").read_bytes()
    assert b"#/watch?run=" in before
    told(capsys, "resume", str(folder), "--replays", "0", *root)
    assert (folder / "report.html").read_bytes() == before
    told(capsys, "run", "--seed", "3", "--replays", "0", "--out", str(folder), *root)
    assert (folder / "report.html").read_bytes() == before


def test_a_battle_that_does_not_come_out_again_ends_no_war(
    war: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "war"
    shutil.copytree(war, folder)
    for place in (folder / "battles").glob("*.json"):
        battle = documents.read(place, dict[str, Any])
        battle["result"]["duration_s"] += 1
        documents.write(place, battle)
    roots = ("--root", str(tmp_path / "runs"))
    text = told(capsys, "resume", str(folder), "--replays", "1", *roots)
    assert "not recorded: battle" in text
    text = told(capsys, "resume", str(folder), "--replays", "-1", *roots, status=2)
    assert "replays is -1" in text


def test_a_policy_that_is_not_there_is_missed_before_the_war(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ("--doctrine", "accord=run:nobody@3", "--root", str(tmp_path))
    text = told(capsys, "run", "--out", str(tmp_path / "war"), *options, status=2)
    assert "nobody" in text
    assert not (tmp_path / "war").exists()


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("my war", (), "a recorded battle becomes a run such as 'my war-d"),
        ("w" * 105, (), "and a run has 1 to 128"),
        ("war", ("--replays", "-1"), "replays is -1"),
    ],
)
def test_what_would_fail_after_the_war_is_refused_before_it(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    name: str,
    options: tuple[str, ...],
    words: str,
) -> None:
    text = told(capsys, "run", "--days", "2", "--out", str(tmp_path / name), *options, status=2)
    assert words in " ".join(text.split())
    assert list(tmp_path.iterdir()) == []


def test_a_war_of_any_name_is_waged_without_recordings(
    war: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, root = tmp_path / "my war", ("--root", str(tmp_path / "runs"))
    shutil.copytree(war, folder)
    before = (folder / "state.json").read_bytes()
    assert "give the war another folder" in told(capsys, "resume", str(folder), *root, status=2)
    told(capsys, "resume", str(folder), "--replays", "0", *root)
    assert (folder / "state.json").read_bytes() == before


def test_files_that_were_spoiled_are_named(
    war: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "war"
    shutil.copytree(war, folder)
    battle = json.loads((war / "war.json").read_text("utf-8"))["battles"][0]["id"]
    (folder / "battles" / f"{battle}.json").write_text('{"id": 1}', "utf-8")
    for command in ("refight", "record"):
        text = told(capsys, command, str(folder), battle, status=2)
        assert f"{battle}.json is damaged, was edited" in " ".join(text.split())
    (folder / "plan.json").write_text("{", "utf-8")
    assert "plan.json is damaged" in " ".join(told(capsys, "resume", str(folder), status=2).split())
    (folder / "war.json").write_text("[]", "utf-8")
    assert "war.json is damaged" in " ".join(told(capsys, "show", str(folder), status=2).split())


def test_what_is_wrong_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = str(tmp_path / "war")
    text = told(capsys, "run", "--out", place, "--doctrine", "acord=line", status=2)
    assert "did you mean 'accord'" in text
    text = told(capsys, "run", "--out", place, "--doctrine", "accord=lin", status=2)
    assert "did you mean 'line'" in text
    assert "holds no war" in told(capsys, "show", str(tmp_path), status=2)
    assert not (tmp_path / "war").exists()


def test_balance_counts_who_wins(capsys: pytest.CaptureFixture[str]) -> None:
    text = told(capsys, "balance", "--seeds", "2", "--days", "20")
    assert "Won: Thalassic Accord 0, Iron Dominion" in text
    assert text.count("| 20 |") == 2
