"""A war on its map: days are played, curves and battles lead to them, and anybody can use it."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pages import Page, Size, Theme
from served_runs import served

from astrarium.serve.settings import Settings

ROOT = Path(__file__).parents[2]
APP = ROOT / "web" / "dist"
SAMPLE = ROOT / "docs" / "samples" / "war"
DAY = ".frame-field"


@pytest.fixture(scope="module")
def sea(browser: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server over one war: its origin."""
    folder = tmp_path_factory.mktemp("campaign")
    shutil.copytree(SAMPLE, folder / "wars" / "seed-2")
    settings = Settings(runs_root=folder / "runs", wars=folder / "wars", app_folder=APP)
    with served(settings) as address:
        yield f"http://{address}"


def at_war(visit: Callable[..., Page], sea: str, day: int | None = None, **look: object) -> Page:
    """The war at a day, drawn."""
    page = visit(sea, f"/campaign?war=seed-2{'' if day is None else f'&day={day}'}", **look)
    page.tab.locator(".war-map").wait_for()
    return page


def test_the_list_leads_to_a_war(visit: Callable[..., Page], sea: str) -> None:
    page = visit(sea, "/campaign")
    page.tab.get_by_role("link", name=re.compile("seed-2")).click()
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
    page = at_war(visit, sea, 50)
    assert page.tab.locator(DAY).input_value() == "50"
    page.press("Shift+ArrowRight")
    page.until(f"document.querySelector('{DAY}').value === '54'")
    assert page.tab.locator(".war-battle").count() == 1
    page.press("ArrowRight")
    page.until(f"document.querySelector('{DAY}').value === '55'")
    page.until("location.hash.includes('day=55')")
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
    assert battles.count() == 8
    battles.first.get_by_role("button").click()
    page.until(f"document.querySelector('{DAY}').value === '54'")
    page.shows(re.compile("astrarium campaign record wars/seed-2 d054-r0-r7"))


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
