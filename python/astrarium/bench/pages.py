"""Figures in the docs: written by the command that measures them, between two marks of a page."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from astrarium.bench.report import ReportError

END: Final = "<!-- end of tables -->"


def begin(command: str) -> str:
    """The mark before the tables of `astrarium bench COMMAND`."""
    return f"<!-- tables of `astrarium bench {command}` -->"


def fill(page: Path, command: str, text: str) -> None:
    """Put `text` between the marks of `page` and leave the rest as it is."""
    try:
        content = page.read_text("utf-8")
    except OSError as error:
        raise ReportError(f"cannot read {page}: {error.strerror or error}") from error
    before, mark, rest = content.partition(begin(command))
    _, end, after = rest.partition(END)
    if not mark or not end:
        raise ReportError(
            f"{page} has no place for the tables; add the lines {begin(command)} and {END}"
        )
    page.write_text(f"{before}{mark}\n\n{text.strip()}\n\n{end}{after}", "utf-8")
