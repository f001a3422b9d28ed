"""Playing by hand: a game on arrival, keys, undo, the end of it, and what is kept."""

import re
from collections.abc import Callable

import pytest
from pages import Page, Size, difference

SESSION = "sessionStorage['astrarium.session']"


def wait_for_steps(page: Page, steps: int) -> None:
    text = re.compile(rf"^{steps} steps?$")
    page.tab.locator(".replay-figures span", has_text=text).wait_for()


def test_a_game_begins_on_arrival_and_outlives_a_reload(
    visit: Callable[..., Page], lab: str
) -> None:
    page = visit(lab, "/play?world=prospector-v2&seed=7")
    page.shows(re.compile("seed 7"))
    page.scene_is_drawn()
    before = page.picture()
    page.press("1")
    wait_for_steps(page, 1)
    page.tab.wait_for_timeout(600)
    assert difference(before, page.picture()) > 0.01, "the ship has flown elsewhere"
    session = page.tab.evaluate(SESSION)
    page.tab.reload()
    wait_for_steps(page, 1)
    assert page.tab.evaluate(SESSION) == session
    page.press("Backspace")
    wait_for_steps(page, 0)


def test_a_key_for_what_cannot_be_done_costs_nothing(visit: Callable[..., Page], lab: str) -> None:
    page = visit(lab, "/play?seed=7")
    page.shows("Actions")
    page.press("m")
    page.shows(re.compile("is not possible now"))
    wait_for_steps(page, 0)


def test_an_action_is_repeated_until_stopped(visit: Callable[..., Page], lab: str) -> None:
    page = visit(lab, "/play?seed=7")
    page.shows("Actions")
    page.press("h")
    wait_for_steps(page, 1)
    page.press("Enter")
    wait_for_steps(page, 2)
    page.tab.get_by_label("Steps a second").select_option("10")
    page.tab.locator(".auto-run button").click()
    page.until("parseInt(document.querySelectorAll('.replay-figures b')[1].textContent) > 4")


def test_a_new_game_takes_the_seed_it_is_given(visit: Callable[..., Page], lab: str) -> None:
    page = visit(lab, "/play")
    page.shows("Actions")
    page.press("n")
    page.tab.get_by_label("Seed").fill("4242")
    page.press("Enter")
    page.shows(re.compile("seed 4242"))


def test_after_the_end_no_game_starts_by_itself(visit: Callable[..., Page], lab: str) -> None:
    page = visit(lab, "/play")
    page.shows("Actions")
    page.button("End").click()
    page.shows("Take the controls")
    page.tab.wait_for_timeout(500)
    assert page.tab.locator(".actions").count() == 0
    page.button("Start").click()
    page.shows("Actions")


def test_an_untouched_game_goes_with_its_player(visit: Callable[..., Page], lab: str) -> None:
    page = visit(lab, "/play")
    page.shows("Actions")
    session = page.tab.evaluate(SESSION)
    page.press("g", "h")
    page.shows("Best replays")
    assert page.tab.evaluate(SESSION) is None
    page.until(f"fetch('/api/v1/play/session/{session}').then((reply) => reply.status === 404)")
    page.complaints.clear()


@pytest.mark.parametrize("size", ["phone", pytest.param("desktop", marks=pytest.mark.long)])
def test_a_game_played_to_its_end_by_keys_is_compared_and_kept(
    visit: Callable[..., Page], lab: str, size: Size
) -> None:
    page = visit(lab, "/play?world=prospector-v2&seed=11", size=size)
    page.shows("Actions")
    page.press("1")
    wait_for_steps(page, 1)
    page.press("q")
    wait_for_steps(page, 2)
    page.tab.locator("button.action", has_text="Cash out").focus()
    page.press("Enter")
    outcome = page.tab.get_by_role("dialog")
    outcome.get_by_role("table").wait_for(timeout=120_000)
    players = outcome.locator("tbody th").all_inner_texts()
    assert any(name.startswith("You") for name in players)
    assert any("bot" in name for name in players)
    assert any("learnt" in name for name in players), players
    assert page.barriers() == []
    page.photograph("outcome")
    outcome.get_by_role("button", name="Save").click()
    outcome.get_by_role("link", name="Watch it").click()
    page.scene_is_drawn()
    page.tab.get_by_role("tab", name="About").click()
    page.shows("human")
    assert page.overflow() == 0
