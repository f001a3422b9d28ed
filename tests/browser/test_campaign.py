"""A war on its map: days are played, curves and battles lead to them, and anybody can use it."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from pages import Page, Size, Theme
from served_runs import served

from astrarium import _native
from astrarium.campaign import recording
from astrarium.campaign.captains import arena
from astrarium.campaign.folder import DAYS_END
from astrarium.campaign.identity import fingerprint
from astrarium.runs import documents, journal
from astrarium.serve.settings import Settings
from astrarium.worlds.tidebreak import BattlePackage

ROOT = Path(__file__).parents[2]
APP = ROOT / "web" / "dist"
SAMPLE = ROOT / "docs" / "samples" / "war"
DAY = ".frame-field"
FOUGHT = json.loads((SAMPLE / "war.json").read_text("utf-8"))["battles"]
BATTLE: str = FOUGHT[0]["id"]
BATTLE_DAY: int = FOUGHT[0]["day"]
CAPTAINS = {"accord": "pursuer", "dominion": "line"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Wars and runs: one war, of which one battle was kept and recorded."""
    made = tmp_path_factory.mktemp("campaign")
    war = made / "wars" / "seed-4"
    shutil.copytree(SAMPLE, war)
    fight(war, BATTLE)
    recording.record(war, BATTLE, made / "runs")
    return made


@pytest.fixture(scope="module")
def sea(browser: object, folder: Path) -> Iterator[str]:
    """A server over them: its origin."""
    settings = Settings(runs_root=folder / "runs", wars=folder / "wars", app_folder=APP)
    with served(settings) as address:
        yield f"http://{address}"


def fight(war: Path, battle: str) -> None:
    """Put a battle into a war's folder as its waging would have: the samples leave theirs out."""
    text = _native.tidebreak_package("skirmish", 5).decode()
    for side, faction in zip(("blue", "red"), CAPTAINS, strict=True):
        text = text.replace(f'"{side}', f'"{faction}')
    package = BattlePackage.read(text)
    (result,) = arena([package], [CAPTAINS])
    kept = {
        "id": battle,
        "controllers": CAPTAINS,
        "package": package.model_dump(mode="json"),
        "result": result.model_dump(mode="json"),
    }
    (war / "battles").mkdir()
    documents.write(war / "battles" / f"{battle}.json", kept, compact=True)
    summary = documents.read(war / "war.json", dict[str, Any])
    (told,) = (one for one in summary["battles"] if one["id"] == battle)
    told["fingerprint"] = fingerprint(result)
    documents.write(war / "war.json", summary, compact=True)


def tell(war: Path, days: int) -> None:
    """The sample as it was on the evening of a day."""
    lines = (SAMPLE / "days.jsonl").read_bytes().splitlines(keepends=True)
    summary = documents.read(SAMPLE / "war.json", dict[str, Any])
    if days < summary["days"]:
        summary |= {"days": days, "finished": False, "winner": None, "ended_by": "going_on"}
        summary["battles"] = [one for one in summary["battles"] if one["day"] <= days]
        summary["curves"] = cut(summary["curves"], days)
    war.mkdir(exist_ok=True)
    (war / "days.jsonl").write_bytes(b"".join(lines[:days]))
    summary[DAYS_END] = msgspec.to_builtins(journal.end_of(war / "days.jsonl"))
    documents.write(war / "war.json", summary, compact=True)


def cut(curves: Any, days: int) -> Any:
    if isinstance(curves, list):
        return curves[:days]
    return {name: cut(one, days) for name, one in curves.items()}


def at_war(visit: Callable[..., Page], sea: str, day: int | None = None, **look: object) -> Page:
    """The war at a day, drawn."""
    page = visit(sea, f"/campaign?war=seed-4{'' if day is None else f'&day={day}'}", **look)
    page.tab.locator(".war-map").wait_for()
    return page


def test_the_list_leads_to_a_war(visit: Callable[..., Page], sea: str) -> None:
    page = visit(sea, "/campaign")
    page.tab.get_by_role("link", name=re.compile("seed-4")).click()
    page.tab.locator(".war-map").wait_for()
    assert page.tab.locator(".war-node").count() == 12
    assert page.tab.locator(DAY).input_value() == "75", "a war opens at its last day"


def test_without_wars_the_page_tells_how_to_wage_one(visit: Callable[..., Page], lab: str) -> None:
    page = visit(lab, "/campaign")
    page.shows("No war yet.")
    page.shows("astrarium campaign run --seed 1")


def test_days_are_played_and_keys_go_from_battle_to_battle(
    visit: Callable[..., Page], sea: str
) -> None:
    page = at_war(visit, sea, BATTLE_DAY - 1)
    assert page.tab.locator(DAY).input_value() == str(BATTLE_DAY - 1)
    page.press("Shift+ArrowRight")
    page.until(f"document.querySelector('{DAY}').value === '{BATTLE_DAY}'")
    today = [one for one in FOUGHT if one["day"] == BATTLE_DAY]
    assert page.tab.locator(".war-battle").count() == len(today)
    page.press("ArrowRight")
    page.until(f"document.querySelector('{DAY}').value === '{BATTLE_DAY + 1}'")
    page.until(f"location.hash.includes('day={BATTLE_DAY + 1}')")
    page.press("Home", "]", "]", " ")
    page.until(f"Number(document.querySelector('{DAY}').value) > 5")
    page.press(" ")


def test_a_node_is_looked_at_by_click_and_by_key(visit: Callable[..., Page], sea: str) -> None:
    page = at_war(visit, sea, 59)
    node = page.tab.get_by_role("button", name=re.compile("^Ironhold, held by Iron Dominion"))
    node.click()
    page.tab.get_by_role("combobox", name="Node", exact=True).wait_for()
    page.shows("Facilities")
    assert node.get_attribute("aria-pressed") == "true"
    other = page.tab.get_by_role("button", name=re.compile("^Kelpward"))
    other.focus()
    page.press("Enter")
    assert other.get_attribute("aria-pressed") == "true"


def test_battles_lead_to_their_day(visit: Callable[..., Page], sea: str) -> None:
    page = at_war(visit, sea)
    page.tab.get_by_role("tab", name="Battles", exact=True).click()
    battles = page.tab.locator(".war-battles li")
    assert battles.count() == len(FOUGHT)
    battles.first.get_by_role("button", name=re.compile(f"^Day {BATTLE_DAY}")).click()
    page.until(f"document.querySelector('{DAY}').value === '{BATTLE_DAY}'")
    page.shows(re.compile(f"astrarium campaign record wars/seed-4 (?!{BATTLE})d0"))


def test_a_recorded_battle_is_watched_from_its_war(visit: Callable[..., Page], sea: str) -> None:
    page = at_war(visit, sea, BATTLE_DAY)
    page.tab.get_by_role("tab", name="Battles", exact=True).click()
    links = page.tab.locator(".war-battles").get_by_role("link", name="Watch")
    assert links.count() == 1, "only one was recorded"
    links.click()
    page.until(f"location.hash.includes('run=seed-4-{BATTLE}')")
    page.scene_is_drawn()


def test_the_ships_of_a_battle_are_told_one_by_one(visit: Callable[..., Page], sea: str) -> None:
    page = at_war(visit, sea, BATTLE_DAY)
    page.tab.get_by_role("tab", name="Battles", exact=True).click()
    page.tab.get_by_role("button", name=f"Ships of battle {BATTLE}").click()
    ships = page.tab.locator(".war-battle-details")
    ships.get_by_role("row").first.wait_for()
    rows = ships.locator("tbody tr")
    assert rows.count() == len(json.loads(_native.tidebreak_package("skirmish", 5))["ships"])
    page.shows(re.compile(r"\d+ ships under pursuer: \d+ \w+"))
    assert page.barriers() == []
    assert page.overflow() <= 0


def test_blocs_are_shown_beside_their_faction(visit: Callable[..., Page], sea: str) -> None:
    page = at_war(visit, sea, 59)
    page.tab.get_by_role("tab", name="Factions", exact=True).click()
    blocs = page.tab.get_by_role("table", name="Blocs of Iron Dominion")
    assert blocs.locator("tbody tr").count() == 5
    assert re.search(r"militarist\s+\d+ ?%\s+\d+ ?%", blocs.inner_text())


def test_a_war_that_is_waged_is_followed_to_its_end(
    visit: Callable[..., Page], sea: str, folder: Path
) -> None:
    war = folder / "wars" / "going"
    tell(war, 40)
    page = visit(sea, "/campaign?war=going")
    page.tab.locator(".war-map").wait_for()
    assert page.tab.locator(DAY).input_value() == "40"
    tell(war, 50)
    page.until(f"document.querySelector('{DAY}').value === '50'")
    page.press("ArrowLeft")
    page.until(f"document.querySelector('{DAY}').value === '49'")
    tell(war, 75)
    page.until("document.querySelector('.replay-figures').innerText.includes('75 of 75')")
    page.until("document.querySelector('input[type=range]').max === '74'")
    assert page.tab.locator(DAY).input_value() == "49", "whoever looks back is left alone"
    page.press("End")
    page.until(f"document.querySelector('{DAY}').value === '75'")


def test_a_link_to_a_day_of_a_war_that_is_waged_pulls_nobody_back(
    visit: Callable[..., Page], sea: str, folder: Path
) -> None:
    war = folder / "wars" / "later"
    tell(war, 40)
    page = visit(sea, "/campaign?war=later&day=20")
    page.tab.locator(".war-map").wait_for()
    page.until(f"document.querySelector('{DAY}').value === '20'")
    page.press("ArrowRight")
    page.until("location.hash.includes('day=21')")
    tell(war, 50)
    page.until("document.querySelector('input[type=range]').max === '49'")
    assert page.tab.locator(DAY).input_value() == "21"


@pytest.mark.parametrize(
    ("size", "theme"), [("desktop", "dark"), ("desktop", "light"), ("phone", "dark")]
)
def test_everybody_can_use_it(
    visit: Callable[..., Page], sea: str, size: Size, theme: Theme
) -> None:
    page = at_war(visit, sea, 59, size=size, theme=theme)
    for name in ("Day", "Factions", "Node", "Battles"):
        page.tab.get_by_role("tab", name=name, exact=True).click()
        assert page.barriers() == [], name
        assert page.overflow() <= 0, name
    page.tab.evaluate("scrollTo(0, 0)")
    assert page.photograph("war").stat().st_size > 10_000
