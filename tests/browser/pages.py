"""Pages of the app as a person meets them: size, theme, keys, pictures, and what went wrong."""

from __future__ import annotations

import io
import re
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from PIL import Image, ImageChops

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator
    from playwright.sync_api import Page as Tab

Size = Literal["desktop", "phone"]
Theme = Literal["dark", "light"]

SIZES = {"desktop": (1440, 900), "phone": (390, 844)}
AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
TIMEOUT_MS = 45_000
WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]

WATCH_POLICY = """
window.brokenPolicies = [];
document.addEventListener("securitypolicyviolation", (event) =>
  window.brokenPolicies.push(`${event.violatedDirective} ${event.blockedURI}`));
"""


BROKEN = "window.brokenPolicies ?? []"
VISIBLE = 24
"""Of 255 levels of grey."""


@dataclass
class Page:
    """A tab before one server, and everything it complained about."""

    tab: Tab
    origin: str
    name: str
    artifacts: Path
    complaints: list[str] = field(default_factory=list[str])
    """Errors of the console and of scripts; a test that expects some clears them."""

    def go(self, route: str) -> Page:
        """Open a route as a link from elsewhere would: the page is loaded anew."""
        self.tab.goto("about:blank")
        self.tab.goto(f"{self.origin}/#{route}")
        return self

    def press(self, *keys: str) -> None:
        """Keys, one after the other."""
        for key in keys:
            self.tab.keyboard.press(key)

    def button(self, name: str) -> Locator:
        """The button of exactly that name."""
        return self.tab.get_by_role("button", name=name, exact=True)

    def shows(self, text: str | re.Pattern[str]) -> None:
        """Wait until the page shows a text."""
        self.tab.get_by_text(text).first.wait_for(state="visible")

    def until(self, expression: str) -> None:
        """Wait until a script is true. Asked from here: a wait inside the page needs `eval`."""
        deadline = time.monotonic() + TIMEOUT_MS / 1000
        while not self.tab.evaluate(expression):
            assert time.monotonic() < deadline, f"never came true: {expression}"
            self.tab.wait_for_timeout(50)

    def scene_is_drawn(self) -> None:
        """Wait until the picture holds more than its ground."""
        self.tab.locator(".scene-host canvas").first.wait_for()
        self.until(COLOURFUL)

    def picture(self) -> Image.Image:
        """What the scene shows now."""
        shot = self.tab.locator(".scene-host canvas").first.screenshot()
        return Image.open(io.BytesIO(shot)).convert("RGB")

    def photograph(self, label: str) -> Path:
        """A picture of the page for the artifacts folder."""
        path = self.artifacts / f"{label}-{self.name}.png"
        self.tab.screenshot(path=path)
        return path

    def overflow(self) -> int:
        """Pixels by which the page is wider than the screen."""
        return self.tab.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )

    def barriers(self) -> list[str]:
        """What axe finds: every violation of WCAG A and AA, and whatever it calls serious."""
        self.tab.evaluate(AXE.read_text("utf-8"))
        # Fading in and out is no contrast to judge.
        self.tab.evaluate(
            "Promise.all(document.getAnimations().filter((a) => a.effect?.getTiming()"
            ".iterations !== Infinity).map((a) => a.finished.catch(() => null)))"
        )
        found: list[dict[str, Any]] = self.tab.evaluate(
            "axe.run({ resultTypes: ['violations'] }).then((result) => result.violations)"
        )
        return [
            f"{one['id']} ({one['impact']}): {node['target']} {node['failureSummary']}"
            for one in found
            if set(one["tags"]) & set(WCAG) or one["impact"] in ("serious", "critical")
            for node in one["nodes"]
        ]


COLOURFUL = """() => {
  const canvas = document.querySelector(".scene-host canvas");
  if (!canvas || canvas.width < 50) return false;
  const small = document.createElement("canvas");
  small.width = small.height = 32;
  const pen = small.getContext("2d", { willReadFrequently: true });
  pen.drawImage(canvas, 0, 0, 32, 32);
  const data = pen.getImageData(0, 0, 32, 32).data;
  const seen = new Set();
  for (let i = 0; i < data.length; i += 4) seen.add(data.slice(i, i + 3).join());
  return seen.size > 20;
}"""


@dataclass
class Visitor:
    """Opens pages and holds them to account when it leaves."""

    browser: Browser
    artifacts: Path
    pages: list[Page] = field(default_factory=list[Page])
    contexts: list[BrowserContext] = field(default_factory=list["BrowserContext"])

    def visit(
        self,
        origin: str,
        route: str = "/",
        *,
        size: Size = "desktop",
        theme: Theme = "dark",
        moving: bool = False,
    ) -> Page:
        """A page in a fresh browser profile. `moving` lets scenes drift while nothing is played."""
        width, height = SIZES[size]
        context = self.browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=theme,
            reduced_motion="no-preference" if moving else "reduce",
            has_touch=size == "phone",
            accept_downloads=True,
        )
        context.set_default_timeout(TIMEOUT_MS)
        context.add_init_script(WATCH_POLICY)
        self.contexts.append(context)
        page = Page(context.new_page(), origin, f"{size}-{theme}", self.artifacts)
        page.tab.on("console", lambda message: note(page, message))
        page.tab.on("pageerror", lambda error: page.complaints.append(str(error)))
        self.pages.append(page)
        return page.go(route)

    def leave(self) -> None:
        """Close everything; no page may have complained."""
        complaints = [text for page in self.pages for text in page.complaints]
        broken = [text for page in self.pages for text in page.tab.evaluate(BROKEN)]
        for context in self.contexts:
            context.close()
        assert complaints == []
        assert broken == [], "the content policy was broken"


def note(page: Page, message: ConsoleMessage) -> None:
    """Errors are kept; the rest of the console is nobody's business."""
    if message.type == "error":
        page.complaints.append(f"{message.text} {message.location.get('url', '')}")


def difference(before: Image.Image, after: Image.Image) -> float:
    """The share of pixels that changed visibly."""
    levels = ImageChops.difference(before, after).convert("L").histogram()
    return sum(levels[VISIBLE:]) / sum(levels)
