"""A page about some runs that is one file and needs no network."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from typing import Final

from astrarium.telemetry import plots

_PAGE: Final = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
<style>
body {{ font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem }}
table {{ border-collapse: collapse }}
th, td {{ border-bottom: 1px solid #ddd; padding: .2rem .8rem .2rem 0; text-align: left }}
svg {{ height: auto; max-width: 100% }}
</style>
</head>
<body>
<h1>{title}</h1>
{drawing}
{sections}
</body>
</html>
"""


def page(title: str, panels: Sequence[plots.Panel], tables: Sequence[tuple[str, str]]) -> str:
    """One HTML file that needs nothing else; `tables` are headings and tables in HTML."""
    drawing = plots.svg(panels) if panels else ""
    sections = "\n".join(f"<h2>{html.escape(heading)}</h2>\n{table}" for heading, table in tables)
    return _PAGE.format(title=html.escape(title), drawing=drawing, sections=sections)


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in HTML."""

    def line(tag: str, cells: Sequence[str]) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(one)}</{tag}>" for one in cells) + "</tr>"

    return "\n".join(
        ["<table>", line("th", header), *(line("td", row) for row in rows), "</table>"]
    )
