"""Figures in the docs: written by the command that measures them, between two marks of a page."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from astrarium import atomic
from astrarium.bench.report import ReportError
from astrarium.machine import source_tree

END: Final = "<!-- end of tables -->"


def begin(command: str) -> str:
    """The mark before the tables of `astrarium bench COMMAND`, or of another `GROUP COMMAND`."""
    words = command if " " in command else f"bench {command}"
    return f"<!-- tables of `astrarium {words}` -->"


def check(page: Path, command: str, commit: str) -> None:
    """Refuse, before anything is measured, a page that `fill` would refuse."""
    _refuse_dirty(page, commit)
    _parts(page, command)
    atomic.check_file(page)


def fill(page: Path, command: str, text: str, commit: str) -> None:
    """Put `text`, measured at `commit`, between the marks of `page` and leave the rest as it is."""
    _refuse_dirty(page, commit)
    before, after = _parts(page, command)
    atomic.write_text(page, f"{before}\n\n{text.strip()}\n\n{after}")


def _refuse_dirty(page: Path, commit: str) -> None:
    """Figures that no commit can reproduce are not published in the repository."""
    root = source_tree()
    if commit.endswith("+dirty") and root is not None and page.resolve().is_relative_to(root):
        raise ReportError(
            f"the tree differs from its commit ({commit}), so nobody could measure the figures of "
            f"{page} again; commit first"
        )


def _parts(page: Path, command: str) -> tuple[str, str]:
    """What stands before the tables and after them, marks included."""
    try:
        content = page.read_text("utf-8")
    except OSError as error:
        raise ReportError(f"cannot read {page}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise ReportError(f"{page} is not UTF-8 text: {error.reason}") from error
    before, mark, rest = content.partition(begin(command))
    _, end, after = rest.partition(END)
    if not mark or not end:
        raise ReportError(
            f"{page} has no place for the tables; add the lines {begin(command)} and {END}"
        )
    return before + mark, end + after
