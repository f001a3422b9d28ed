"""A war's folder: complete, readable, and taken up again to the byte."""

import json
import shutil
from pathlib import Path

import pytest
import stand_in

from astrarium.campaign import battles, report, warring
from astrarium.campaign.folder import WarFolder, read_summary
from astrarium.campaign.plan import Plan
from astrarium.campaign.report import write_report
from astrarium.campaign.shapes import WarFolderError

DAYS = 75
KEPT = ("war.json", "days.jsonl", "log.jsonl", "state.json", "report.html")


@pytest.fixture(scope="module")
def fought(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from astrarium.campaign.plan import load

    path = tmp_path_factory.mktemp("war") / "war"
    warring.wage(warring.new_war(path, load(), 2, DAYS), stand_in.fight, runs=path.parent)
    return path


def test_a_folder_holds_what_its_readers_need(fought: Path) -> None:
    summary = read_summary(fought)
    assert (summary["days"], summary["finished"], len(summary["nodes"])) == (DAYS, True, 12)
    lines = [json.loads(line) for line in (fought / "days.jsonl").read_text().splitlines()]
    assert [line["day"] for line in lines] == list(range(1, DAYS + 1)) == summary["curves"]["day"]
    for battle in summary["battles"]:
        assert json.loads((fought / battle["file"]).read_text())["id"] == battle["id"]
        assert battle["id"] in lines[battle["day"] - 1]["battles"]
    for fleet in lines[-1]["fleets"].values():
        assert ("at" in fleet) != ("from" in fleet)


def test_the_report_shows_the_map_the_curves_and_every_battle(fought: Path) -> None:
    page = (fought / "report.html").read_text("utf-8")
    summary = read_summary(fought)
    for node in summary["nodes"]:
        assert node["name"] in page
    for title in ("Legitimacy", "Ships", "Stocks: food"):
        assert f'aria-label="{title}"' in page
    for battle in summary["battles"]:
        assert f'href="{battle["file"]}"' in page
    assert "/watch" not in page
    assert 'name="viewport"' in page


def test_what_a_plan_calls_things_cannot_become_markup(fought: Path) -> None:
    summary = read_summary(fought)
    bad = '"><script>'
    summary["factions"][0] |= {"colour": bad, "name": bad}
    summary["nodes"][0]["name"] = bad
    summary["battles"][0] |= {"kind": bad, "file": bad}
    assert "<script" not in report.page(summary, {"r0": summary["factions"][0]["id"]}, {})


def test_the_report_leads_to_replays_of_battles_that_were_recorded(
    fought: Path, tmp_path: Path
) -> None:
    war = tmp_path / "war 1"
    shutil.copytree(fought, war)
    first, second = read_summary(war)["battles"][:2]
    same = battles.run_name(war, second["id"], second["fingerprint"])
    another = battles.run_name(war, first["id"], "0" * 12)
    for name in (same, another):
        run = tmp_path / "runs" / name
        run.mkdir(parents=True)
        (run / "run_metadata.json").write_text("{}")
    page = write_report(war, tmp_path / "runs").read_text("utf-8")
    assert f'#/watch?run=war%201-{second["id"]}-{second["fingerprint"]}"' in page
    assert page.count("#/watch") == 1, "not to a battle of the same id that was another one"
    assert first["id"] in page


@pytest.mark.parametrize("stop_after", [1, 10, 33])
def test_a_war_that_was_stopped_ends_as_if_it_had_not_been(
    fought: Path, tmp_path: Path, plan: Plan, stop_after: int
) -> None:
    path = tmp_path / "war"
    folder = warring.new_war(path, plan, 2, DAYS)
    warring.wage(folder, stand_in.fight, stop=lambda: folder.war.day >= stop_after)
    assert not read_summary(path)["finished"]
    warring.wage(WarFolder.open(path), stand_in.fight)
    for name in KEPT:
        assert (path / name).read_bytes() == (fought / name).read_bytes(), name


def test_what_a_killed_war_had_begun_to_write_is_dropped(
    fought: Path, tmp_path: Path, plan: Plan
) -> None:
    path = tmp_path / "war"
    folder = warring.new_war(path, plan, 2, DAYS)
    warring.wage(folder, stand_in.fight, stop=lambda: folder.war.day >= 20)
    for name in ("log.jsonl", "days.jsonl"):
        with (path / name).open("ab") as file:
            file.write(b'{"day": 21, "ki')
    warring.wage(WarFolder.open(path), stand_in.fight)
    assert (path / "log.jsonl").read_bytes() == (fought / "log.jsonl").read_bytes()


def test_a_folder_that_was_cut_off_is_refused(tmp_path: Path, plan: Plan) -> None:
    folder = warring.new_war(tmp_path / "war", plan, 2, DAYS)
    warring.wage(folder, stand_in.fight, stop=lambda: folder.war.day >= 20)
    log = tmp_path / "war" / "log.jsonl"
    log.write_bytes(log.read_bytes()[:-10])
    with pytest.raises(WarFolderError, match=r"log\.jsonl is damaged: it has \d+ rows"):
        WarFolder.open(tmp_path / "war")


def test_a_war_is_not_begun_over_another(fought: Path, plan: Plan) -> None:
    with pytest.raises(WarFolderError, match="holds a war already"):
        warring.new_war(fought, plan, 3, DAYS)


def test_a_folder_without_a_war_is_named(tmp_path: Path) -> None:
    with pytest.raises(WarFolderError, match=r"war\.json is missing"):
        read_summary(tmp_path)
    with pytest.raises(WarFolderError, match=r"state\.json is missing"):
        WarFolder.open(tmp_path)


def test_a_battle_fought_again_comes_out_the_same(fought: Path) -> None:
    name = read_summary(fought)["battles"][0]["id"]
    assert battles.refight(battles.read(fought, name), stand_in.fight)
    with pytest.raises(WarFolderError, match=f"did you mean '{name}'"):
        battles.read(fought, name + "x")
