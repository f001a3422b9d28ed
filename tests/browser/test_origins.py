"""The app elsewhere: without runs, without a server, and on another host than its API."""

import contextlib
import functools
import http.server
import re
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pages import Page, Size
from served_runs import served

from astrarium.serve.settings import Settings

APP = Path(__file__).parents[2] / "web" / "dist"


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Any static host."""

    def log_message(self, format: str, *args: object) -> None:
        del format, args


@contextlib.contextmanager
def static_host(folder: Path) -> Iterator[str]:
    handler = functools.partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@contextlib.contextmanager
def two_origins(tmp_path: Path, root: Path, *, allowed: bool) -> Iterator[str]:
    """The app below a path of a static host, its API on another port: the app's address."""
    app = tmp_path / "host" / "lab"
    shutil.copytree(APP, app)
    with static_host(app.parent) as pages:
        origins = (pages,) if allowed else ()
        with served(Settings(runs_root=root, cors_origins=origins)) as api:
            (app / "config.js").write_text(f'window.ASTRARIUM_API = "http://{api}";\n', "utf-8")
            yield f"{pages}/lab"


@pytest.mark.parametrize("transport", ["http", "ws"])
def test_pages_on_another_host_are_served_where_allowed(
    visit: Callable[..., Page], tmp_path: Path, runs: Path, transport: str
) -> None:
    with two_origins(tmp_path, runs, allowed=True) as app:
        page = visit(app, f"/watch?run=trained&transport={transport}")
        page.scene_is_drawn()
        page.tab.locator(".live-live").wait_for()
        page.until("document.querySelector('.scrubber-loaded').style.width === '100%'")
        page.go("/play?seed=5")
        page.shows("Actions")
        page.press("h")
        page.tab.locator(".replay-figures span", has_text=re.compile("^1 step$")).wait_for()
        page.go("/")


def test_pages_of_a_stranger_are_refused(
    visit: Callable[..., Page], tmp_path: Path, runs: Path
) -> None:
    with two_origins(tmp_path, runs, allowed=False) as app:
        page = visit(app)
        page.shows(re.compile("No answer from"))
        page.shows("Watch the sample")
        assert any("CORS policy" in text for text in page.complaints)
        page.complaints.clear()
        page.go("about:blank")
        page.complaints.clear()


@pytest.mark.parametrize("size", ["phone", pytest.param("desktop", marks=pytest.mark.long)])
def test_without_runs_the_way_to_one_is_shown(
    visit: Callable[..., Page], browser: object, tmp_path: Path, size: Size
) -> None:
    with served(Settings(runs_root=tmp_path / "none", app_folder=APP)) as address:
        page = visit(f"http://{address}", size=size, theme="light")
        page.shows("Make your first run")
        page.shows("astrarium tour")
        assert page.overflow() == 0
        assert page.barriers() == []
        page.photograph("empty-home")
        page.tab.get_by_role("link", name="Watch the sample").click()
        page.scene_is_drawn()
        page.shows("Bundled sample")
        page.photograph("empty-watch")
        page.go("/analyse")
        page.shows("Return (mean)")
        page.go("/")
        page.shows("Make your first run")


def test_the_sample_needs_no_server(
    visit: Callable[..., Page], browser: object, tmp_path: Path
) -> None:
    with static_host(APP) as host:
        page = visit(host)
        page.tab.get_by_role("link", name="Watch the sample").click()
        page.scene_is_drawn()
        page.complaints.clear()
        page.tab.goto("about:blank")
        page.complaints.clear()
