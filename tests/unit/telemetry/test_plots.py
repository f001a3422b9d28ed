"""Curves have a point for every number, and none for what is not one."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ElementTree
from typing import Any

import pytest

from astrarium.errors import MissingPackageError
from astrarium.telemetry import plots
from astrarium.telemetry.plots import Curve, Panel

ROWS: list[dict[str, Any]] = [
    {"env_steps_total": 100, "return_mean": None, "label": "x", "ok": True},
    {"env_steps_total": 200, "return_mean": 4.0, "label": "x", "ok": True},
    {"env_steps_total": 300, "label": "x"},
    {"env_steps_total": 400, "return_mean": math.nan, "late": 1},
    {"env_steps_total": 500, "return_mean": 6},
]
CURVE = Curve("one", [0.0, 1e6, 2e6], [0.0, 3.0, 1.0])
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def test_a_curve_has_the_numbers_and_skips_the_rest() -> None:
    curve = plots.curve(ROWS, "return_mean", "r")
    assert (curve.label, curve.steps, curve.values) == ("r", [200.0, 500.0], [4.0, 6.0])
    assert plots.curve(ROWS, "label").values == []
    assert plots.curve(ROWS, "missing").values == []
    assert plots.drawable(ROWS) == ["return_mean", "late"]


@pytest.mark.parametrize("colour", [False, True])
def test_a_panel_fills_its_place_exactly(colour: bool) -> None:
    text = plots.in_terminal(Panel("return_mean", [CURVE]), 60, 9, colour=colour)
    assert ("\x1b" in text) == colour
    lines = ESCAPE.sub("", text).rstrip("\n").splitlines()
    assert len(lines) == 9
    assert {len(line) for line in lines} == {60}
    assert "return_mean" in lines[0]
    assert "2 M" in lines[-1]


def test_without_colours_curves_have_marks_of_their_own() -> None:
    two = Curve("two", [0.0, 1e6, 2e6], [3.0, 0.0, 3.0])
    text = plots.in_terminal(Panel("x", [CURVE, two]), 60, 9, colour=False)
    assert plots.MARKS[0] in text
    assert plots.MARKS[1] in text


def test_a_curve_keeps_its_colour_where_another_is_empty() -> None:
    alone = plots.in_terminal(Panel("x", [Curve("none", [], []), CURVE]), 60, 9, colour=True)
    assert f"\x1b[38;5;{plots.COLOURS[1]}m" in alone
    assert f"\x1b[38;5;{plots.COLOURS[0]}m" not in alone


@pytest.mark.parametrize(
    ("steps", "values"),
    [([5.0], [2.0]), ([5.0, 6.0], [0.0, 0.0]), ([0.0, 1e15], [-1e300, 1e300])],
)
def test_curves_without_extent_can_be_drawn(steps: list[float], values: list[float]) -> None:
    panel = Panel("x", [Curve("c", steps, values)])
    assert plots.in_terminal(panel, 40, 8, colour=False).count("\n") >= 7
    assert plots.png([panel]).startswith(b"\x89PNG")


def test_drawing_one_panel_leaves_nothing_in_the_next() -> None:
    first = plots.in_terminal(Panel("a", [CURVE]), 50, 8, colour=False)
    other = Curve("other", [0.0, 9.0], [100.0, 900.0])
    plots.in_terminal(Panel("b", [other, CURVE]), 70, 12, colour=True)
    assert plots.in_terminal(Panel("a", [CURVE]), 50, 8, colour=False) == first


@pytest.mark.parametrize(
    ("value", "words"), [(0, "0"), (0.0312, "0.0312"), (1500, "1.5 k"), (-2e6, "-2 M")]
)
def test_axes_have_short_numbers(value: float, words: str) -> None:
    assert plots.quantity(value) == words


@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_drawing_is_the_same_every_time(count: int) -> None:
    panels = [Panel(f"p{at}", [CURVE]) for at in range(count)]
    drawing = plots.svg(panels)
    assert plots.svg(panels) == drawing
    ElementTree.fromstring(drawing)
    assert drawing.count('id="axes_') == count


def test_missing_libraries_are_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    panel = Panel("x", [CURVE])
    with pytest.raises(MissingPackageError, match=r'plotext.*"astrarium\[train\]"'):
        plots.in_terminal(panel, 40, 8, colour=False)
    with pytest.raises(MissingPackageError, match=r'matplotlib.*"astrarium\[train\]"'):
        plots.png([panel])
