"""Small pictures made of characters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astrarium.cli.plotting import curve, strip


def test_a_line_rises_from_corner_to_corner() -> None:
    lines = curve([0, 1, 2, 3], width=12, height=3)
    assert [line[:1] for line in lines] == ["3", " ", "0"]
    top, _, bottom = (line[2:] for line in lines)
    assert top[0] == " "
    assert top[-1] != " "
    assert bottom[0] != " "
    assert bottom[-1] == " "


def test_a_jump_has_no_gap() -> None:
    lines = curve([0] * 10 + [1] * 10, width=22, height=4)
    for line in lines:
        assert line[2:].strip(), "every row holds a part of the jump"


def test_a_flat_line_is_told_in_words() -> None:
    assert curve([2.5, 2.5], width=20, height=4) == ["2.5 throughout"]
    assert curve([12345.0], width=20, height=4) == ["12,345 throughout"]


@given(
    st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=300),
    st.integers(20, 120),
    st.integers(2, 10),
)
def test_a_curve_keeps_to_its_room(values: list[float], width: int, height: int) -> None:
    lines = curve(values, width, height)
    assert len(lines) in (1, height)
    assert max(map(len, lines)) <= max(width, 30)


@pytest.mark.parametrize(
    ("places", "count", "width", "expected"),
    [
        ([0, 3], 4, 10, "█··█"),
        ([0, 9], 10, 5, "▄···▄"),
        ([0, 1], 10, 5, "█····"),
        (range(100), 100, 10, "█" * 10),
        ([50], 100, 4, "··▂·"),
    ],
)
def test_a_strip_shows_where_and_how_often(
    places: list[int], count: int, width: int, expected: str
) -> None:
    assert strip(places, count, width) == expected
