"""A network that grows: a real run, one told by the table of events, and one that still runs."""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from grown_runs import (
    EPOCHS,
    episode_lines,
    epoch_lines,
    lines_of,
    new_grown_run,
    sealed,
    started,
    tell,
)
from pages import Page, Size, Theme
from served_runs import served, write_run

from astrarium.runs import names
from astrarium.serve.settings import Settings

APP = Path(__file__).parents[2] / "web" / "dist"
PICTURE = "(document.querySelector('.network-picture')?.getAttribute('aria-label') ?? '')"
COUNT = "(document.querySelector('.player-count')?.textContent ?? '')"
LANE = """(({ x, y, width }) => ({ x, y, width }))(
  document.querySelectorAll(".lane-ground")[1].getBoundingClientRect())"""
LOOKS = [
    ("desktop", "dark"),
    ("phone", "light"),
    pytest.param("desktop", "light", marks=pytest.mark.long),
    pytest.param("phone", "dark", marks=pytest.mark.long),
]


def grow(root: Path, run_id: str) -> None:
    """A real run, by the command a person would use."""
    settings = {"--hosts": 1, "--epochs": 20, "--root": root, "--run": run_id}
    told = [str(text) for pair in settings.items() for text in pair]
    controller = ["--controller", "random_policy", "--gates", "permissive"]
    subprocess.run(
        [sys.executable, "-m", "astrarium", "esper", "grow", *controller, *told],
        check=True,
        capture_output=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )


@pytest.fixture(scope="session")
def garden(browser: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server over a grown run, one told by the table, and one in which nothing grows."""
    root = tmp_path_factory.mktemp("garden")
    grow(root, "grown")
    new_grown_run(root, "told", episode_lines(0) + episode_lines(1)).finish()
    write_run(root, "plain", windows=2, frames=3)
    with served(Settings(runs_root=root, app_folder=APP, sweep_seconds=0.2)) as address:
        yield f"http://{address}"


@pytest.fixture
def bed(browser: object, tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """A server over runs of its own, for tests that write into them."""
    with served(Settings(runs_root=tmp_path, app_folder=APP, sweep_seconds=0.1)) as address:
        yield f"http://{address}", tmp_path


@pytest.mark.parametrize(("size", "theme"), LOOKS)
@pytest.mark.parametrize("run", ["grown", "told"])
def test_an_episode_is_shown_fits_and_excludes_nobody(
    visit: Callable[..., Page], garden: str, run: str, size: Size, theme: Theme
) -> None:
    page = visit(garden, f"/grow?run={run}", size=size, theme=theme)
    page.tab.locator(".tracks svg").nth(4).wait_for()
    assert page.tab.locator(".slot").count() == 5
    for tab in ("Seeds", "Events", "About", "Decision"):
        page.tab.get_by_role("tab", name=tab).click()
        assert page.overflow() == 0, tab
        assert page.barriers() == [], tab
    page.photograph(f"grow-{run}")


def test_keys_walk_through_epochs_decisions_and_episodes(
    visit: Callable[..., Page], garden: str
) -> None:
    page = visit(garden, "/grow?run=told&env=1&episode=0")
    page.until(f"{PICTURE}.includes('end of epoch {EPOCHS}: r0c1 conv light kept, alpha 1.00')")
    page.press("Home")
    page.until(f"{PICTURE}.includes('end of epoch 1: every slot is empty')")
    page.press("Shift+ArrowRight")
    page.until(f"{PICTURE}.includes('Decided: germinate conv light in r0c1')")
    page.press("ArrowRight")
    page.until(f"{PICTURE}.includes('end of epoch 4: r0c1 conv light germinated')")
    page.until("location.hash.endsWith('epoch=4')")
    page.press(".")
    page.until("location.hash.includes('env=1&episode=1')")
    page.until(f"{PICTURE}.includes('end of epoch {EPOCHS}')")
    page.press("Home", "Space")
    page.until(f"Number(/epoch (\\d+)/.exec({PICTURE})?.[1]) > 3")


def test_a_link_opens_at_its_epoch_and_tells_why_something_was_refused(
    visit: Callable[..., Page], garden: str
) -> None:
    page = visit(garden, "/grow?run=told&env=0&episode=0&epoch=13")
    page.tab.get_by_role("heading", name="Epoch 13").wait_for()
    page.shows("gate G2 did not open")
    page.shows(re.compile("G2 stayed shut; passed min epochs; failed gradient health, improvement"))
    page.tab.locator(".sign-refused").wait_for()
    page.photograph("grow-refused")
    page.tab.get_by_role("tab", name="Events").click()
    page.tab.get_by_role("button", name=re.compile("Pruned no use|Pruned.*no use")).last.click()
    page.tab.get_by_role("heading", name="Epoch 21").wait_for()
    page.tab.get_by_role("tab", name="Seeds").click()
    page.shows("With and without")
    page.tab.get_by_role("combobox", name="Host").select_option("1")
    page.until("location.hash.includes('env=1&episode=0')")


def test_a_pointer_on_the_tracks_goes_to_its_epoch(visit: Callable[..., Page], garden: str) -> None:
    page = visit(garden, "/grow?run=told&env=0&episode=0")
    page.tab.locator(".lane-name").first.scroll_into_view_if_needed()
    box = page.tab.evaluate(LANE)
    page.tab.mouse.click(box["x"] + box["width"] * (15.5 / EPOCHS), box["y"] - 8)
    page.tab.get_by_role("heading", name="Epoch 16", exact=True).wait_for()
    page.tab.mouse.move(box["x"] + box["width"] * (2.5 / EPOCHS), box["y"] - 8)
    page.shows(re.compile("^epoch 3"))


def test_a_running_run_is_followed_and_cut_back(
    visit: Callable[..., Page], bed: tuple[str, Path]
) -> None:
    origin, root = bed
    writer = new_grown_run(root, "live")
    page = visit(origin, "/grow?run=live")
    page.shows("No epoch has been told yet.")
    for epoch in range(1, 13):
        tell(root / "live", epoch_lines(epoch))
    page.until(f"{PICTURE}.includes('end of epoch 12')")
    page.shows("Following")
    page.photograph("grow-running")
    page.press("Home")
    tell(root / "live", epoch_lines(13))
    page.until(f"{COUNT}.includes('/ 13')")
    page.until(f"{PICTURE}.includes('end of epoch 1:')")
    kept = lines_of([started()], 0, 0) + episode_lines(0, hosts=1, epochs=5)
    (root / "live" / names.WORLD_EVENTS).write_bytes(sealed(kept))
    page.until(f"{COUNT}.includes('/ 5')")
    page.press("End")
    for epoch in range(6, EPOCHS + 1):
        tell(root / "live", epoch_lines(epoch))
    page.until(f"{PICTURE}.includes('end of epoch {EPOCHS}')")
    writer.finish()
    page.tab.locator(".badge-completed").wait_for()


def test_ways_lead_there_only_where_something_grows(
    visit: Callable[..., Page], garden: str
) -> None:
    page = visit(garden, "/analyse?runs=plain")
    links = page.tab.get_by_role("link", name=re.compile("See it grow"))
    links.first.wait_for()
    assert links.count() == 2
    links.first.click()
    page.tab.wait_for_url("**/#/grow?run=*")
    page.tab.locator(".network-picture").wait_for()
    page.go("/grow?run=plain")
    page.shows("Nothing grows in plain.")
    page.complaints.clear()  # the server's 404 is what the page tells of


def test_a_lab_where_nothing_grew_says_how_to_begin(
    visit: Callable[..., Page], bed: tuple[str, Path]
) -> None:
    page = visit(bed[0], "/grow")
    page.shows("astrarium esper grow digits_impaired")
