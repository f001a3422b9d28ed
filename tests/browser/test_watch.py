"""Watching: pictures move, keys steer, links open at a frame, and what is shown can be kept."""

import io
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from pages import Page, difference
from PIL import Image

FRAME = ".frame-field"


def watching(visit: Callable[..., Page], lab: str, more: str = "", **look: object) -> Page:
    """A replay that is drawn and wholly there."""
    page = visit(lab, f"/watch?run=hauled{more}", **look)
    page.scene_is_drawn()
    page.until("document.querySelector('.scrubber-loaded').style.width === '100%'")
    return page


def frame_of(page: Page) -> int:
    return int(page.tab.locator(FRAME).input_value())


def wait_for_frame(page: Page, frame: int) -> None:
    page.until(f"document.querySelector('{FRAME}').value === '{frame}'")


def total_of(page: Page) -> int:
    found = re.search(r"/ ([\d,]+)", page.tab.locator(".player-count").inner_text())
    assert found
    return int(found[1].replace(",", ""))


def test_pixels_move_while_it_plays_and_rest_while_it_does_not(
    visit: Callable[..., Page], lab: str
) -> None:
    page = watching(visit, lab)
    assert difference(page.picture(), page.picture()) == 0, "nothing is played"
    before = page.picture()
    page.press("]", "]", " ")
    page.until(f"Number(document.querySelector('{FRAME}').value) > 15")
    assert difference(before, page.picture()) > 0.002
    page.press(" ")
    page.button("Play").wait_for()


def test_the_sky_drifts_for_those_who_like_motion(visit: Callable[..., Page], lab: str) -> None:
    page = watching(visit, lab, size="phone", moving=True)
    before = page.picture()
    page.tab.wait_for_timeout(800)
    assert difference(before, page.picture()) > 0


def test_keys_steer(visit: Callable[..., Page], lab: str) -> None:
    page = watching(visit, lab)
    total = total_of(page)
    page.press("ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft")
    wait_for_frame(page, 3)
    page.press("End")
    wait_for_frame(page, total)
    page.press("Home")
    wait_for_frame(page, 1)
    page.press("Shift+ArrowRight")
    page.until(f"Number(document.querySelector('{FRAME}').value) > 1")
    page.press("]")
    assert page.tab.get_by_label("Speed").input_value() == "2"
    page.press("[", "[")
    assert page.tab.get_by_label("Speed").input_value() == "0.5"
    page.press("l")
    assert page.button("Loop").get_attribute("aria-pressed") == "true"
    page.press(" ")
    page.button("Pause").wait_for()


def test_a_link_opens_at_its_frame_and_the_address_follows(
    visit: Callable[..., Page], lab: str
) -> None:
    replay = watching(visit, lab).tab.url
    address = re.sub(r"&frame=\d+", "", replay.split("#")[1])
    page = visit(lab, f"{address}&frame=16")
    page.scene_is_drawn()
    wait_for_frame(page, 17)
    page.press("ArrowRight")
    page.tab.wait_for_url("**frame=17*")


@pytest.mark.parametrize("transport", ["http", "ws"])
def test_frames_come_by_either_transport(
    visit: Callable[..., Page], lab: str, transport: str
) -> None:
    page = visit(lab)
    page.shows("Best replays")
    sockets: list[str] = []
    pages: list[str] = []
    page.tab.on("websocket", lambda socket: sockets.append(socket.url))
    page.tab.on("request", lambda ask: pages.append(ask.url) if "/frames?" in ask.url else None)
    page.go(f"/watch?run=trained&transport={transport}")
    page.scene_is_drawn()
    page.until("document.querySelector('.scrubber-loaded').style.width === '100%'")
    assert bool(sockets) == (transport == "ws")
    assert bool(pages) == (transport == "http")


def test_the_inspector_names_what_was_seen_and_paid(visit: Callable[..., Page], lab: str) -> None:
    page = watching(visit, lab)
    page.tab.get_by_role("tab", name="Reward").click()
    page.shows("This step")
    page.tab.locator(".term-bars").click(position={"x": 200, "y": 40})
    page.until(f"Number(document.querySelector('{FRAME}').value) > 4")
    page.tab.get_by_role("tab", name="Sight").click()
    page.shows("fuel_frac")
    page.tab.get_by_role("tab", name="Events").click()
    page.tab.locator(".events button").last.click()
    page.until("document.querySelector('.events [aria-current]')")


def test_a_policy_tells_how_sure_it_was(visit: Callable[..., Page], lab: str) -> None:
    page = visit(lab, "/watch?run=trained")
    page.scene_is_drawn()
    page.shows("Expected return")
    page.shows("Probability")
    assert page.tab.locator(".likely li.taken").count() == 1
    assert page.tab.locator(".likely li").count() > 1


def test_two_replays_keep_in_step(visit: Callable[..., Page], lab: str) -> None:
    page = watching(visit, lab)
    page.button("Beside").click()
    page.tab.locator(".picker button", has_text="trained-again").first.click()
    page.tab.locator(".picker section:nth-child(2) .choice").first.click()
    page.tab.locator(".stages.two .scene-host canvas").nth(1).wait_for()
    page.press("ArrowRight", "ArrowRight")
    wait_for_frame(page, 3)
    page.tab.get_by_label("Keep in step by").select_option("ticks")
    page.tab.wait_for_url("**lockstep=ticks*")
    page.photograph("two")
    page.button("One only").click()
    page.tab.locator(".stages.two").wait_for(state="detached")


def taken(page: Page, name: str) -> bytes:
    """What a press on a button of the export menu downloads."""
    if not page.tab.locator("details.menu").evaluate("menu => menu.open"):
        page.tab.locator("details.menu summary").click()
    with page.tab.expect_download() as download:
        page.button(name).click()
    return Path(download.value.path()).read_bytes()


def test_a_picture_is_taken_along(visit: Callable[..., Page], lab: str) -> None:
    page = watching(visit, lab, "&frame=5")
    with Image.open(io.BytesIO(taken(page, "Picture (PNG)"))) as picture:
        assert picture.format == "PNG"
        assert picture.width > 400
        assert len(picture.convert("RGB").getcolors(1 << 24) or ()) > 100, "a blank picture"


def test_a_gif_is_taken_along(visit: Callable[..., Page], lab: str) -> None:
    page = watching(visit, lab, size="phone")
    with Image.open(io.BytesIO(taken(page, "GIF of the next 60 frames"))) as film:
        assert film.format == "GIF"
        assert getattr(film, "n_frames", 1) == min(60, total_of(page))
        first = film.convert("RGB")
        film.seek(getattr(film, "n_frames", 1) - 1)
        assert difference(first, film.convert("RGB")) > 0.001


def test_a_film_is_taken_along(visit: Callable[..., Page], lab: str) -> None:
    page = watching(visit, lab, size="phone", moving=True)
    page.tab.locator("details.menu summary").click()
    page.button("Film from here (WebM)").click()
    page.tab.wait_for_timeout(1500)
    film = taken(page, "Stop and keep the film")
    assert film.startswith(b"\x1a\x45\xdf\xa3"), "no Matroska file"
    assert b"webm" in film[:64]
    assert len(film) > 10_000


def test_a_replay_that_is_not_there_is_told(visit: Callable[..., Page], lab: str) -> None:
    page = visit(lab, "/watch?run=trained&replay=replay-000099-deadbeef")
    page.shows(re.compile("404"))
    page.button("Choose a replay").click()
    page.tab.locator(".choice", has_text="Window 0").wait_for()
    assert page.complaints, "the browser logs refused requests"
    page.complaints.clear()
