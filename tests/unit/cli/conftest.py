"""Lets the tests of commands use the runs that the tests of training are about."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "train"))

Terminal = Callable[[int], None]


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Make commands print as to a terminal of so many characters, without colours."""

    def narrow(width: int) -> None:
        for name in ("FORCE_COLOR", "NO_COLOR"):
            monkeypatch.delenv(name, raising=False)
        for name, value in (("TTY_COMPATIBLE", "1"), ("TERM", "dumb"), ("LINES", "25")):
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("COLUMNS", str(width))

    return narrow
