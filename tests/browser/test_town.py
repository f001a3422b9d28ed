"""Watching a town: it lives, somebody can be followed, and every line leads to its moment."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pages import Page, Size, Theme, difference
from served_runs import served
from towns import CROWDED, EVENTFUL, PLANNED, TICKS, lived, write_town

from astrarium.serve.settings import Settings

if TYPE_CHECKING:
    from playwright.sync_api import Locator

APP = Path(__file__).parents[2] / "web" / "dist"
FRAME = ".frame-field"
QUEUES, BLACKOUT, LEFT, ARRIVED = 35, 220, 145, 163
"""Numbers of frames, as the player counts them."""


@pytest.fixture(scope="module")
def town(browser: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server over two towns: its origin."""
    root = tmp_path_factory.mktemp("towns")
    write_town(root, "eventful", lived(EVENTFUL, TICKS))
    write_town(root, "crowded", lived(CROWDED, 120))
    write_town(root, "planned", lived(PLANNED, 20))
    with served(Settings(runs_root=root, app_folder=APP)) as address:
        yield f"http://{address}"


def watching(visit: Callable[..., Page], town: str, run: str = "eventful", **look: object) -> Page:
    """A town that is drawn and wholly there."""
    page = visit(town, f"/watch?run={run}", **look)
    page.scene_is_drawn()
    page.until("document.querySelector('.scrubber-loaded').style.width === '100%'")
    page.tab.locator(".view-bar").wait_for()
    return page


def go_to(page: Page, frame: int) -> None:
    page.tab.locator(FRAME).fill(str(frame))
    page.press("Enter")
    page.until(f"document.querySelector('{FRAME}').value === '{frame}'")


def choice(page: Page, name: str) -> Locator:
    return page.tab.get_by_role("combobox", name=name, exact=True)


def follow(page: Page, name: str) -> None:
    choice(page, "Follow").select_option(label=name)
    page.tab.get_by_role("heading", name=name, exact=True).wait_for()


def tab(page: Page, name: str) -> None:
    page.tab.get_by_role("tab", name=name, exact=True).click()


def overlay(page: Page, name: str) -> None:
    page.tab.get_by_role("group", name="On the map").get_by_role("button", name=name).click()


def test_it_plays_and_the_clock_of_the_town_goes_on(visit: Callable[..., Page], town: str) -> None:
    page = watching(visit, town)
    before = page.picture()
    assert difference(before, page.picture()) == 0, "nothing is played"
    page.press("]", "]", "]", " ")
    page.until(f"Number(document.querySelector('{FRAME}').value) > 30")
    assert difference(before, page.picture()) > 0.002
    page.press(" ")
    page.button("Play").wait_for()


def test_marks_tell_what_happened_and_keys_lead_there(
    visit: Callable[..., Page], town: str
) -> None:
    page = watching(visit, town)
    marks = page.tab.locator(".scrubber-mark")
    told = " ".join(marks.nth(at).get_attribute("title") or "" for at in range(marks.count()))
    assert "The power goes out" in told
    assert "Alice leaves: fainted from hunger" in told
    assert "Alice II arrives in town" in told
    go_to(page, BLACKOUT - 5)
    page.press("Shift+ArrowLeft")
    page.until(f"document.querySelector('{FRAME}').value === '189'")


def test_somebody_is_followed_through_the_day(visit: Callable[..., Page], town: str) -> None:
    page = watching(visit, town)
    go_to(page, 100)
    whole = page.picture()
    follow(page, "Carol")
    assert difference(whole, page.picture()) > 0.1, "the camera went to her"
    card = page.tab.get_by_role("article", name="Carol")
    for heading in ("The day in words", "Money and work", "Ties", "Reward"):
        card.get_by_role("heading", name=heading).wait_for()
    assert card.locator(".needs li").count() == 3
    assert "Unmet needs" in card.locator(".breakdown").inner_text()
    page.press(".")
    page.tab.get_by_role("article", name="Dave").wait_for()
    page.press(",", ",")
    page.tab.get_by_role("article", name="Bob").wait_for()
    page.tab.locator(".day-lines button").last.click()
    page.until(f"Number(document.querySelector('{FRAME}').value) < 60")
    page.press("c")
    assert page.button("Close up c").get_attribute("aria-pressed") == "false"


def test_a_click_on_the_map_chooses_whom_to_follow(visit: Callable[..., Page], town: str) -> None:
    page = watching(visit, town)
    page.tab.locator(".residents button").nth(3).click()
    page.tab.get_by_role("article", name="Dave").wait_for()
    page.press("c")
    canvas = page.tab.locator(".scene-host canvas")
    box = canvas.bounding_box()
    assert box
    # The first night is spent at the beds; the first stands at (4, 4) of 48 by 48 tiles.
    scale = min(box["width"], box["height"]) / 49
    left = box["x"] + box["width"] / 2 - 24 * scale
    top = box["y"] + box["height"] / 2 - 24 * scale
    go_to(page, 1)
    page.tab.mouse.click(left + 4.5 * scale, top + 5.3 * scale)
    page.tab.get_by_role("article", name="Alice").wait_for()


def test_who_leaves_is_told_farewell_and_the_next_one_can_be_followed(
    visit: Callable[..., Page], town: str
) -> None:
    page = watching(visit, town)
    go_to(page, LEFT - 20)
    follow(page, "Alice")
    go_to(page, ARRIVED + 5)
    page.shows("Alice left town")
    page.shows(re.compile(r"Fainted from hunger on day 1 at 07:\d\d"))
    page.button("Follow Alice II").click()
    page.tab.get_by_role("article", name="Alice II").wait_for()
    page.photograph("town-heir")


def test_the_feed_leads_to_the_moment_and_can_be_sifted(
    visit: Callable[..., Page], town: str
) -> None:
    page = watching(visit, town)
    page.press("End")
    page.until(f"document.querySelector('{FRAME}').value === '{TICKS}'")
    tab(page, "Feed")
    feed = page.tab.locator(".event-lines")
    page.tab.get_by_role("button", name="The power goes out").click()
    page.until(f"document.querySelector('{FRAME}').value === '189'")
    quarrel = feed.get_by_text(re.compile("quarrel over fridge"))
    assert quarrel.count() > 0
    page.button("Friction").click()
    assert quarrel.count() == 0


def test_overlays_change_the_picture(visit: Callable[..., Page], town: str) -> None:
    page = watching(visit, town)
    go_to(page, QUEUES)
    for name in ("Queues", "Names"):
        before = page.picture()
        overlay(page, name)
        assert difference(before, page.picture()) > 0, name
    go_to(page, 130)
    before = page.picture()
    page.press("r")
    assert difference(before, page.picture()) > 0, "shared meals made friends"


def test_an_outage_is_seen_and_told(visit: Callable[..., Page], town: str) -> None:
    page = watching(visit, town)
    go_to(page, BLACKOUT)
    tab(page, "Town")
    page.shows("power off")
    page.shows(re.compile(r"No power, for another \d+ min"))
    page.photograph("town-outage")
    go_to(page, 188)
    page.shows("power on")


def test_common_pages_name_citizens_and_none_breaks(visit: Callable[..., Page], town: str) -> None:
    page = watching(visit, town)
    for name in ("Choice", "Reward", "Sight", "About", "Raw", "Town", "Feed"):
        tab(page, name)
    tab(page, "Sight")
    page.shows("what its agents saw was not recorded")
    tab(page, "Choice")
    named = choice(page, "Agent").locator("option").all_inner_texts()
    assert named == ["Alice", "Bob", "Carol", "Dave", "Erin", "Frank"]
    assert page.tab.get_by_role("button", name="Sound").count() == 0, "towns are silent"


def test_sixty_four_people_are_drawn_found_and_sifted(
    visit: Callable[..., Page], town: str
) -> None:
    page = watching(visit, town, "crowded")
    page.press("End")
    cards = page.tab.locator(".residents li")
    assert cards.count() == 64
    choice(page, "Character").select_option("stoic")
    assert 0 < cards.count() < 64
    page.photograph("town-crowd")
    follow(page, "Resident 64")


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_tiles_are_drawn_and_explained(visit: Callable[..., Page], town: str, theme: Theme) -> None:
    page = watching(visit, town, "planned", theme=theme)
    picture = page.picture()
    scale = min(picture.size) / 49
    left, top = (side / 2 - 24 * scale for side in picture.size)

    def colour(x: float, y: float) -> object:
        return picture.getpixel((int(left + x * scale), int(top + y * scale)))

    counter, table, grass = colour(30.5, 40.4), colour(32.5, 40.5), colour(40.5, 44.5)
    assert counter == table != grass, "both are of wood"
    tab(page, "Town")
    page.tab.get_by_text("What the tiles mean").click()
    meanings = page.tab.locator(".legend dt").all_inner_texts()
    assert meanings == ["Wooden slab", "Round top", "Dashed ring"]
    assert page.barriers() == []


@pytest.mark.parametrize(
    ("size", "theme"), [("desktop", "dark"), ("desktop", "light"), ("phone", "dark")]
)
def test_everybody_can_use_it(
    visit: Callable[..., Page], town: str, size: Size, theme: Theme
) -> None:
    page = watching(visit, town, size=size, theme=theme)
    go_to(page, 130)
    follow(page, "Carol")
    assert page.barriers() == []
    assert page.overflow() <= 0
    page.photograph("town-citizen")
    for name in ("Town", "Feed"):
        tab(page, name)
        assert page.barriers() == [], name
        assert page.overflow() <= 0, name
    assert (page.artifacts / Path(f"town-citizen-{size}-{theme}.png")).stat().st_size > 10_000
