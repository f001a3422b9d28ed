"""Watching a battle and fighting one: the plot, what a side knew, causes, a captain's orders."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from battles import CONVOY, DUEL, WORLD, fought, write_battle
from pages import Page, Size, Theme, difference
from served_runs import served

from astrarium.serve.settings import Settings

APP = Path(__file__).parents[2] / "web" / "dist"
FRAME = ".frame-field"
SECONDS = 420


@pytest.fixture(scope="module")
def sea(browser: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server over a convoy and a duel: its origin."""
    root = tmp_path_factory.mktemp("battles")
    write_battle(root, "convoy", fought(CONVOY, SECONDS))
    write_battle(root, "duel", fought(DUEL, SECONDS))
    settings = Settings(
        runs_root=root, app_folder=APP, sessions_per_client=64, outcome_seconds_max=60
    )
    with served(settings) as address:
        yield f"http://{address}"


def watching(visit: Callable[..., Page], sea: str, run: str = "convoy", **look: object) -> Page:
    """A battle that is drawn and wholly there."""
    page = visit(sea, f"/watch?run={run}", **look)
    page.scene_is_drawn()
    page.until("document.querySelector('.scrubber-loaded').style.width === '100%'")
    page.tab.locator(".view-bar").wait_for()
    return page


def go_to(page: Page, frame: int) -> None:
    page.tab.locator(FRAME).fill(str(frame))
    page.press("Enter")
    page.until(f"document.querySelector('{FRAME}').value === '{frame}'")


def tab(page: Page, name: str) -> None:
    page.tab.get_by_role("tab", name=name, exact=True).click()


def marks(page: Page) -> list[str]:
    """What the scrubber says happened."""
    titles = "[...document.querySelectorAll('.scrubber-mark')].map((mark) => mark.title)"
    return page.tab.evaluate(titles)


def test_it_plays_and_ships_move(visit: Callable[..., Page], sea: str) -> None:
    page = watching(visit, sea)
    before = page.picture()
    assert difference(before, page.picture()) == 0, "nothing is played"
    page.press("]", "]", "]", " ")
    page.until(f"Number(document.querySelector('{FRAME}').value) > 30")
    assert difference(before, page.picture()) > 0.002
    page.press(" ")
    page.button("Play").wait_for()


def test_a_ship_is_followed_and_her_card_tells_all(visit: Callable[..., Page], sea: str) -> None:
    page = watching(visit, sea)
    go_to(page, 100)
    whole = page.picture()
    page.tab.get_by_role("combobox", name="Follow", exact=True).select_option(label="blue_4")
    card = page.tab.get_by_role("article", name="blue_4")
    card.wait_for()
    assert difference(whole, page.picture()) > 0.02, "the camera went to her"
    for heading in ("Weapons", "What befell her"):
        card.get_by_role("heading", name=heading).wait_for()
    assert card.locator(".ship-meters li").count() == 3
    page.press("c")
    assert page.button("Close up c").get_attribute("aria-pressed") == "false"
    page.press(".")
    page.tab.get_by_role("article", name="blue_5").wait_for()


def test_truth_and_what_each_side_knew_are_different_pictures(
    visit: Callable[..., Page], sea: str
) -> None:
    page = watching(visit, sea)
    go_to(page, 30)
    # The camera goes to whatever is known; here the sea stays where it is.
    page.press("z")
    truth = page.picture()
    page.press("s")
    blue = page.picture()
    assert page.button("What blue knew").get_attribute("aria-pressed") == "true"
    assert difference(truth, blue) > 0.0005
    page.shows("Known only by what blue detects.")
    page.press("s")
    assert difference(blue, page.picture()) > 0.0005
    page.press("s")
    assert difference(truth, page.picture()) == 0


def test_nothing_beside_the_plot_tells_more_than_the_side_knew(
    visit: Callable[..., Page], sea: str
) -> None:
    page = watching(visit, sea)
    page.press("End")
    of_red = page.tab.get_by_role("region", name="red", exact=True)
    of_red.get_by_text("% of value").wait_for()
    truth = marks(page)
    assert any("red_" in mark for mark in truth)
    tab(page, "Feed")
    page.button("Orders").click()
    red_orders = page.tab.get_by_role("button", name=re.compile("Red_.* gives new orders"))
    red_orders.first.click()
    chain = page.tab.get_by_role("region", name="What led to it")
    chain.wait_for()
    page.press("s")
    # Of an order that blue never heard of there is no chain left to tell.
    chain.wait_for(state="detached")
    assert red_orders.count() == 0
    lines = page.tab.locator(".event-lines button").all_inner_texts()
    assert lines
    assert not any("red_" in line.lower() for line in lines)
    known = marks(page)
    assert known
    assert not any("red_" in mark.lower() for mark in known)
    for name in ("Ship", "Battle"):
        tab(page, name)
        of_red.wait_for()
        assert of_red.get_by_text("% of value").count() == 0
        page.tab.get_by_role("region", name="blue", exact=True).get_by_text("% of value").wait_for()
    page.press("s", "s")
    of_red.get_by_text("% of value").wait_for()
    assert marks(page) == truth


def test_layers_and_overlays_change_the_picture(visit: Callable[..., Page], sea: str) -> None:
    page = watching(visit, sea)
    go_to(page, 120)
    page.press("z")
    for key in ("1", "2", "v", "w", "n", "o"):
        before = page.picture()
        page.press(key)
        assert difference(before, page.picture()) > 0, key
        page.press(key)


def test_the_reach_of_weapons_is_drawn_on_request(visit: Callable[..., Page], sea: str) -> None:
    page = watching(visit, sea, "duel")
    go_to(page, 60)
    page.press(".")
    page.tab.locator(".ship-meters").wait_for()
    with_reach = page.picture()
    page.press("r")
    assert difference(with_reach, page.picture()) > 0.0005
    # Nobody in this battle is in the deep: to hide that layer hides nothing.
    without = page.picture()
    page.press("3")
    assert difference(without, page.picture()) == 0


def test_an_event_tells_what_led_to_it(visit: Callable[..., Page], sea: str) -> None:
    page = watching(visit, sea, "duel")
    page.press("End")
    tab(page, "Feed")
    page.tab.locator(".event-lines button", has_text=re.compile("is hit")).first.click()
    chain = page.tab.get_by_role("region", name="What led to it")
    steps = chain.locator(".event-lines").first.locator("button").all_inner_texts()
    assert len(steps) >= 2
    assert "is hit" in steps[-1]
    assert any("fires" in step for step in steps[:-1])
    chain.locator("button").first.click()
    page.until(f"Number(document.querySelector('{FRAME}').value) < {SECONDS}")


@pytest.mark.parametrize(
    ("size", "theme"), [("desktop", "dark"), ("desktop", "light"), ("phone", "dark")]
)
def test_everybody_can_watch(
    visit: Callable[..., Page], sea: str, size: Size, theme: Theme
) -> None:
    page = watching(visit, sea, size=size, theme=theme)
    go_to(page, 200)
    page.press(".")
    page.tab.locator("article").wait_for()
    for name in ("Ship", "Battle", "Feed"):
        tab(page, name)
        assert page.barriers() == [], name
        assert page.overflow() <= 0, name
    page.photograph("battle")


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_what_a_side_knew_can_be_watched_by_everybody(
    visit: Callable[..., Page], sea: str, size: Size
) -> None:
    page = watching(visit, sea, size=size)
    go_to(page, 200)
    tab(page, "Battle")
    for side in ("blue", "red"):
        page.button(f"What {side} knew").click()
        page.shows(f"Known only by what {side} detects.")
        assert page.barriers() == []
        assert page.overflow() <= 0
        page.tab.evaluate("window.scrollTo(0, 0)")
        page.photograph(f"battle-{side}")


def steps_of(page: Page) -> str:
    return page.tab.locator(".replay-figures span").nth(1).inner_text()


def at_the_helm(visit: Callable[..., Page], sea: str, **look: object) -> Page:
    page = visit(sea, f"/play?world={WORLD}&seed=11", **look)
    page.shows(re.compile("seed 11"))
    page.scene_is_drawn()
    page.tab.locator(".helm").wait_for()
    return page


def pressed(page: Page, group: str) -> list[str]:
    chosen = page.tab.get_by_role("group", name=group, exact=True).locator("[aria-pressed=true]")
    return chosen.all_inner_texts()


def test_a_captain_gives_orders_by_keys_and_steps_on(visit: Callable[..., Page], sea: str) -> None:
    page = at_the_helm(visit, sea)
    assert pressed(page, "Throttle") == ["Cruise"]
    page.press("w", "a")
    assert pressed(page, "Throttle") == ["Full"]
    assert pressed(page, "Rudder") == ["Port"]
    before = page.picture()
    page.press("Enter")
    page.shows(re.compile("Throttle full, Rudder port"))
    assert steps_of(page).startswith("1 ")
    page.press("x", " ")
    page.until("Number(document.querySelectorAll('.replay-figures span b')[1].innerText) > 12")
    page.press(" ")
    page.tab.wait_for_timeout(600)
    assert difference(before, page.picture()) > 0.001, "the ship has sailed"
    page.press("Backspace")
    page.photograph("helm")


def test_a_player_is_sent_only_what_the_own_side_knows(
    visit: Callable[..., Page], sea: str
) -> None:
    page = at_the_helm(visit, sea)
    session = page.tab.evaluate("sessionStorage['astrarium.session']")
    told: dict[str, Any] = page.tab.evaluate(
        f"fetch('/api/v1/play/session/{session}').then((reply) => reply.json())"
    )
    state = told["beginning"]
    assert state["seen_by"] == "blue"
    assert {ship["team"] for ship in state["ships"].values()} == {"blue"}
    assert set(state["knowledge"]) == {"blue"}
    page.press("Enter")
    page.shows(re.compile("took 1 tick"))
    told = page.tab.evaluate(
        f"fetch('/api/v1/play/session/{session}').then((reply) => reply.json())"
    )
    state = told["frame"]["render_state"]
    assert {ship["team"] for ship in state["ships"].values()} == {"blue"}
    assert "fields" not in state


@pytest.mark.parametrize(("size", "theme"), [("desktop", "light"), ("phone", "dark")])
def test_everybody_can_take_the_helm(
    visit: Callable[..., Page], sea: str, size: Size, theme: Theme
) -> None:
    page = at_the_helm(visit, sea, size=size, theme=theme)
    assert page.barriers() == []
    assert page.overflow() <= 0
    page.photograph("helm")
