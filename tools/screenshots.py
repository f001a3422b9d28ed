"""Make the pictures of the README from real episodes: `tools/screenshots.py`.

Scripted players record one episode of each system, the server shows them, and a headless browser
takes the pictures into docs/images. It needs the built web app (`make web`) and chromium.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"
ASTRARIUM = Path(sys.executable).with_name("astrarium")
PORT = 8931
DESKTOP = {"width": 1440, "height": 900}
TABLE_WIDTH = 360
FRONT = "tidebreak"
"""The picture that the README shows in full."""


@dataclass(frozen=True)
class Picture:
    """One page of the web app: the command that makes its run, and where playback stands."""

    name: str
    command: tuple[str, ...]
    page: str
    frame: int


PICTURES = (
    Picture("prospector", ("replay", "record", "prospector-v2", "hauler"), "watch", 40),
    Picture(
        "tidebreak",
        ("replay", "record", "tidebreak-v1", "line", "--settings", "convoy.toml"),
        "watch",
        200,
    ),
    Picture("townlet", ("replay", "record", "townlet-v1", "citizens"), "watch", 500),
    Picture(
        "esper", ("esper", "grow", "digits_impaired", "--hosts", "1", "--epochs", "40"), "grow", 39
    ),
)
CONVOY = 'scenario = "convoy_escort"\nside = "both"\n'


def main() -> None:
    """Record the episodes and take every picture."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        raise SystemExit("chromium is missing (Debian: apt install chromium)")
    IMAGES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        place = Path(folder)
        (place / "convoy.toml").write_text(CONVOY)
        for picture in PICTURES:
            root = place / "runs" / picture.name
            subprocess.run([ASTRARIUM, *picture.command, "--root", root], cwd=place, check=True)
        browser = driver.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        for picture in PICTURES:
            (run,) = (place / "runs" / picture.name).iterdir()
            with serving(run.parent, place) as address:
                photograph(browser, address, picture, run.name)
        browser.close()


@contextmanager
def serving(runs: Path, place: Path) -> Iterator[str]:
    """Run the server over a folder of runs until its pictures are taken."""
    command = [ASTRARIUM, "serve", "--root", runs, "--port", str(PORT)]
    process = subprocess.Popen(command, cwd=place)
    address = f"http://127.0.0.1:{PORT}"
    try:
        deadline = time.monotonic() + 60
        while True:
            try:
                urllib.request.urlopen(f"{address}/readyz", timeout=5).close()
                break
            except (urllib.error.URLError, OSError):
                if process.poll() is not None or time.monotonic() > deadline:
                    raise SystemExit("the server did not start") from None
                time.sleep(0.2)
        yield address
    finally:
        process.terminate()
        process.wait(30)


def photograph(browser: Browser, address: str, picture: Picture, run: str) -> None:
    """Open the page at its frame and save its picture in the size of a table."""
    tab = browser.new_page(viewport=DESKTOP, color_scheme="dark")
    place = "epoch" if picture.page == "grow" else "frame"
    more = "&env=0&episode=0" if picture.page == "grow" else ""
    tab.goto(f"{address}/#/{picture.page}?run={run}{more}&{place}={picture.frame}")
    tab.wait_for_timeout(6000)
    image = Image.open(io.BytesIO(tab.screenshot())).convert("RGB")
    tab.close()
    if picture.name == FRONT:
        image.save(IMAGES / f"watch-{picture.name}.png", optimize=True)
    small = image.resize((TABLE_WIDTH, image.height * TABLE_WIDTH // image.width))
    small.save(IMAGES / f"{picture.name}.png", optimize=True)


if __name__ == "__main__":
    main()
