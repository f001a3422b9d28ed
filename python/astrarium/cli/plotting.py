"""Small pictures made of characters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

_DOTS: Final = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""Bits of a Braille character, by row and column of its dots."""
_BLANK: Final = 0x2800
_MARKS: Final = "·▂▄▆█"


def curve(values: Sequence[float], width: int, height: int) -> list[str]:
    """A line through `values` in `height` rows of at most `width` characters, scale at the left.

    One that never moves is a single line of words.
    """
    given = np.asarray(values, np.float64)
    low, high = float(given.min()), float(given.max())
    if low == high:
        return [f"{_label(low)} throughout"]
    labels = [_label(high), *[""] * (height - 2), _label(low)]
    margin = max(map(len, labels)) + 1
    across, down = 2 * max(1, width - margin), 4 * height
    places = np.linspace(0, len(given) - 1, across)
    heights = np.interp(places, np.arange(len(given)), given)
    rows = np.rint((high - heights) / (high - low) * (down - 1)).astype(int).tolist()
    cells = [[0] * (across // 2) for _ in range(height)]
    before = rows[0]
    for column, row in enumerate(rows):
        # From the last height to this one, so that steep parts have no gaps.
        for dot in range(min(before, row), max(before, row) + 1):
            cells[dot // 4][column // 2] |= _DOTS[dot % 4][column % 2]
        before = row
    return [
        f"{label:>{margin - 1}} " + "".join(chr(_BLANK + bits) if bits else " " for bits in line)
        for label, line in zip(labels, cells, strict=True)
    ]


def _label(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def strip(places: Sequence[int], count: int, width: int) -> str:
    """Where on a line from 0 to `count` something happened; thicker where it did more often."""
    width = max(1, min(width, count))
    hits = np.bincount(np.asarray(places, np.int64) * width // count, minlength=width).tolist()
    per_cell = -(-count // width)
    top = len(_MARKS) - 1
    return "".join(_MARKS[min(top, -(-hit * top // per_cell))] for hit in hits)
