"""Curves, tables and downloads, and what arrives while a page is open."""

import csv
import io
import json
import re
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pages import Page
from PIL import Image
from served_runs import add_replay, add_window, new_run, recorded, served
from training import train

from astrarium.serve.settings import Settings

BOTH = "runs=trained,trained-again"
APP = Path(__file__).parents[2] / "web" / "dist"


@pytest.fixture
def own(runs: Path, tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """A server over runs of its own, for tests that add to them."""
    root = tmp_path / "runs"
    shutil.copytree(runs / "trained", root / "trained")
    reports = tmp_path / "reports"
    reports.mkdir()
    (reports / "worlds.json").write_text(json.dumps(REPORT), "utf-8")
    settings = Settings(runs_root=root, reports=reports, app_folder=APP, sweep_seconds=0.1)
    with served(settings) as address:
        yield f"http://{address}", root


REPORT = {
    "kind": "worlds",
    "generated_at": "2026-01-01T00:00:00Z",
    "summary": {"pass": True, "reasons": []},
    "config": {"worlds": 64},
    "results": [
        {"world": "prospector-v2", "steps_per_second": 812_345.0},
        {"world": "lanterns-v1", "steps_per_second": 5_123_456.0},
    ],
}


def test_seeds_are_joined_and_taken_apart(visit: Callable[..., Page], lab: str) -> None:
    page = visit(lab, f"/analyse?{BOTH}")
    page.tab.locator(".legend li", has_text="2 seeds").wait_for()
    page.tab.get_by_label("Join equal configs").uncheck()
    page.tab.locator(".legend li").nth(1).wait_for()
    page.tab.get_by_label("Log values").check()
    page.tab.get_by_label(re.compile("Smoothing")).fill("0.5")
    page.shows("Smoothing 50 %")
    page.tab.get_by_label("Metric").fill("surv")
    titles = "[...document.querySelectorAll('.chart-title')].map((one) => one.textContent)"
    page.until(f"{titles}.every((title) => /surv/i.test(title))")
    page.shows("Survival rate")


def test_curves_are_downloaded_as_csv_and_png(visit: Callable[..., Page], lab: str) -> None:
    page = visit(lab, f"/analyse?{BOTH}")
    figure = page.tab.locator("figure.chart", has_text="Return (mean)")
    figure.locator("canvas").wait_for()
    with page.tab.expect_download() as download:
        figure.get_by_role("button", name="CSV").click()
    rows = list(csv.reader(io.StringIO(Path(download.value.path()).read_text("utf-8"))))
    assert rows[0][0] == "ticks"
    assert len(rows) > 3
    assert all(float(row[0]) > 0 for row in rows[1:])
    assert any(row[1] != "" for row in rows[1:])
    with page.tab.expect_download() as download:
        figure.get_by_role("button", name="PNG").click()
    with Image.open(download.value.path()) as picture:
        assert picture.format == "PNG"
        assert picture.width > 300
        assert len(picture.convert("RGB").getcolors(1 << 24) or ()) > 10


def test_configs_are_compared(visit: Callable[..., Page], lab: str) -> None:
    page = visit(lab, f"/analyse?{BOTH}&tab=config")
    page.shows("Where the configs differ")
    differing = page.tab.locator("tr.differs th").all_inner_texts()
    assert "run.seed" in differing
    assert not [name for name in differing if name.startswith("ppo.")]
    page.tab.get_by_label("Also what is equal").check()
    page.shows("ppo.gamma")


def test_windows_and_their_replays_are_listed(visit: Callable[..., Page], lab: str) -> None:
    page = visit(lab, "/analyse?runs=trained&tab=windows")
    page.shows(re.compile(r"Last \d+ windows"))
    page.tab.locator(".tab-panel a", has_text="Watch").last.click()
    page.tab.wait_for_url("**/#/watch?run=trained&replay=*")
    page.scene_is_drawn()


def test_coverage_is_told_and_wandb_is_optional(visit: Callable[..., Page], lab: str) -> None:
    page = visit(lab, "/analyse?runs=trained&tab=coverage")
    page.shows("Run metadata")
    page.tab.get_by_role("tab", name="W&B").click()
    page.shows(re.compile("this server is not connected"))


def test_a_benchmark_report_is_a_table(visit: Callable[..., Page], own: tuple[str, Path]) -> None:
    page = visit(own[0], "/analyse?runs=trained&tab=reports")
    page.shows("passed")
    page.tab.locator("td", has_text="812,345").wait_for()
    page.photograph("reports")


def test_a_new_window_arrives_in_an_open_page(
    visit: Callable[..., Page], own: tuple[str, Path]
) -> None:
    origin, root = own
    writer = new_run(root, "fresh")
    add_window(writer, 0)
    page = visit(origin, "/analyse?runs=fresh&tab=windows")
    page.shows("Last 1 windows")
    home = visit(origin)
    home.tab.locator(".running-card", has_text="1 window").wait_for()
    add_window(writer, 1)
    add_replay(writer, recorded().replay, return_total=3.5)
    page.shows("Last 2 windows")
    page.tab.locator(".tab-panel a", has_text="Watch").wait_for()
    home.tab.locator(".running-card", has_text="2 windows").wait_for()
    home.photograph("home-running")
    writer.finish()
    home.shows(re.compile("Nothing trains at the moment"))


@pytest.mark.long
def test_a_real_training_is_followed_live(
    visit: Callable[..., Page], own: tuple[str, Path]
) -> None:
    origin, root = own
    page = visit(origin)
    page.shows(re.compile("Nothing trains at the moment"))
    training = threading.Thread(target=train, args=(root, "live"), kwargs={"seed": 9, "windows": 8})
    training.start()
    page.tab.locator(".running-card").wait_for()
    page.tab.locator(".running-card .spark").wait_for()
    training.join()
    page.shows(re.compile("Nothing trains at the moment"))
