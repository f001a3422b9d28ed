"""Every page at every size and in both themes: it shows its matter, fits, and excludes nobody."""

from collections.abc import Callable

import pytest
from pages import Page, Size, Theme

ROUTES = {
    "home": ("/", "Best replays"),
    "watch": ("/watch?run=trained", "Choice"),
    "play": ("/play?world=prospector-v2&seed=7", "Actions"),
    "analyse": ("/analyse?runs=trained,trained-again", "Return (mean)"),
}
TABS = ("windows", "config", "coverage", "wandb", "reports")
LOOKS = [
    ("desktop", "dark"),
    ("phone", "light"),
    pytest.param("desktop", "light", marks=pytest.mark.long),
    pytest.param("phone", "dark", marks=pytest.mark.long),
]


@pytest.mark.parametrize(("size", "theme"), LOOKS)
@pytest.mark.parametrize("name", ROUTES)
def test_a_page_shows_its_matter_and_fits(
    visit: Callable[..., Page], lab: str, name: str, size: Size, theme: Theme
) -> None:
    route, matter = ROUTES[name]
    page = visit(lab, route, size=size, theme=theme)
    page.shows(matter)
    if name in ("watch", "play"):
        page.scene_is_drawn()
    assert page.tab.evaluate("document.documentElement.dataset.theme") == theme
    assert page.overflow() == 0
    assert page.barriers() == []
    page.photograph(name)


@pytest.mark.long
@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("size", ["desktop", "phone"])
@pytest.mark.parametrize("tab", TABS)
def test_a_tab_of_analyse_fits(
    visit: Callable[..., Page], lab: str, tab: str, size: Size, theme: Theme
) -> None:
    page = visit(lab, f"/analyse?runs=trained,trained-again&tab={tab}", size=size, theme=theme)
    page.tab.locator(".tab-panel").wait_for()
    page.tab.locator(".tab-panel .orbit").wait_for(state="detached")
    assert page.overflow() == 0
    assert page.barriers() == []
    page.photograph(tab)


@pytest.mark.long
@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("tab", ["Choice", "State", "Reward", "Events", "Sight", "About", "Raw"])
def test_a_tab_of_the_inspector_excludes_nobody(
    visit: Callable[..., Page], lab: str, tab: str, theme: Theme
) -> None:
    page = visit(lab, "/watch?run=trained", theme=theme)
    page.scene_is_drawn()
    page.tab.get_by_role("tab", name=tab).click()
    assert page.barriers() == []
    page.photograph(f"inspector-{tab.lower()}")


@pytest.mark.parametrize("theme", ["dark", pytest.param("light", marks=pytest.mark.long)])
def test_windows_above_the_page_exclude_nobody(
    visit: Callable[..., Page], lab: str, theme: Theme
) -> None:
    page = visit(lab, "/play?seed=3", theme=theme)
    page.shows("Actions")
    page.press("n")
    page.shows("New game")
    assert page.barriers() == []
    page.press("Escape", "?")
    page.shows("One frame back or on")
    assert page.barriers() == []
    page.photograph("keys")


def test_a_barrier_is_found(visit: Callable[..., Page], lab: str) -> None:
    """The checker sees what it is there for."""
    page = visit(lab)
    page.shows("Best replays")
    page.tab.evaluate("document.querySelector('main').append(document.createElement('button'))")
    assert any(fault.startswith("button-name") for fault in page.barriers())


def test_pages_are_reached_by_keys_alone(visit: Callable[..., Page], lab: str) -> None:
    page = visit(lab)
    page.shows("Best replays")
    page.press("Tab")
    assert page.tab.evaluate("document.activeElement.textContent.trim()") == "To the content"
    page.press("Enter")
    assert page.tab.evaluate("document.activeElement.id") == "content"
    for key, hash in (("a", "#/analyse"), ("w", "#/watch"), ("p", "#/play"), ("h", "#/")):
        page.press("g", key)
        page.until(f"location.hash.startsWith('{hash}')")
    page.press("t")
    assert page.tab.evaluate("localStorage['astrarium.theme']") == "dark"
    page.press("t")
    assert page.tab.evaluate("document.documentElement.dataset.theme") == "light"
