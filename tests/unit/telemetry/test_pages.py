"""A page needs nothing but itself, and shows what it is told as it is told."""

from __future__ import annotations

from html.parser import HTMLParser

from astrarium.telemetry import pages
from astrarium.telemetry.plots import Curve, Panel

CURVE = Curve("one", [0.0, 1e6, 2e6], [0.0, 3.0, 1.0])


class Outward(HTMLParser):
    """Everything a page would fetch from elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        inward = ("#", "data:")
        for name, value in attrs:
            if name in ("src", "href", "xlink:href") and not (value or "").startswith(inward):
                self.found.append(f"{tag} {name}={value}")
        if tag == "script":
            self.found.append(tag)


def test_a_page_needs_nothing_else_and_hides_nothing() -> None:
    evil = "<script>alert(1)</script>"
    table = pages.table(["", evil], [["gamma", "0.99 & more"]])
    page = pages.page(evil, [Panel(evil, [CURVE])], [(evil, table)])
    seen = Outward()
    seen.feed(page)
    assert seen.found == []
    assert "0.99 &amp; more" in page
    assert page.count("<svg") == 1
    assert "<svg" not in pages.page("none", [], [])
