"""A real browser before a real server with real runs.

Everything is skipped, with its reason, where there is no chromium, no playwright or no built app.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from astrarium.serve.settings import Settings

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "unit" / "serve"))

from pages import Page, Visitor
from served_runs import add_replay, add_window, new_run, recorded, served
from training import train

if TYPE_CHECKING:
    from playwright.sync_api import Browser

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
APP = ROOT / "web" / "dist"
ARTIFACTS = ROOT / "tests" / "browser" / "artifacts"
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
FLAGS = ("--no-sandbox", "--disable-background-networking", "--disable-component-update")

TRAINED = "trained"
TRAINED_AGAIN = "trained-again"
HAULED = "hauled"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One worker for all: they share a browser and trainings, and a browser fills a core."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("browser"))
            item.add_marker(pytest.mark.timeout(300))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("chromium is not installed (Debian: apt install chromium)")
    if not (APP / "index.html").is_file():
        pytest.skip("the web app is not built: make web")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def runs(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two short trainings of one config with different seeds, and a bot's. Tests only read."""
    root = tmp_path_factory.mktemp("runs")
    with ThreadPoolExecutor() as pool:
        begun = [
            pool.submit(train, root, TRAINED, seed=5),
            pool.submit(train, root, TRAINED_AGAIN, seed=6),
        ]
    for one in begun:
        one.result()
    hauled(root)
    return root


def hauled(root: Path) -> None:
    """A run whose replay is long enough to steer in: a bot's, ranked below what was learnt."""
    writer = new_run(root, HAULED)
    add_window(writer, 0)
    add_replay(writer, recorded().replay, return_total=-1000.0)
    writer.finish()


@pytest.fixture(scope="session")
def lab(runs: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server over the trained runs: its origin. Games played there are not kept in them."""
    copy = tmp_path_factory.mktemp("lab") / "runs"
    shutil.copytree(runs, copy)
    reports = tmp_path_factory.mktemp("reports")
    settings = Settings(
        runs_root=copy,
        reports=reports,
        app_folder=APP,
        sweep_seconds=0.2,
        # Every test is another visitor, all from one address.
        sessions_per_client=64,
        # A busy machine must not cost the best policy its turn.
        outcome_seconds_max=60,
    )
    with served(settings) as address:
        yield f"http://{address}"


@pytest.fixture
def visit(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Opens pages; at the end none of them may have logged an error or broken the policy."""
    visitor = Visitor(browser, ARTIFACTS)
    yield visitor.visit
    visitor.leave()
