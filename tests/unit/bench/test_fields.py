"""`astrarium bench fields`: what it asks of MorphoSpace, and how it tells."""

from __future__ import annotations

import re
from pathlib import Path

from astrarium import machine
from astrarium.bench.fields import BESIDES, LIMITS, judged, tables

EXAMPLE = Path(__file__).parents[3] / "crates/morphospace/examples/speed.rs"
FINE = {name: 0.5 * most for name, (_, most, _) in LIMITS.items()} | dict.fromkeys(BESIDES, 1.0)


def test_a_figure_beyond_its_limit_is_a_reason() -> None:
    assert judged(FINE, machine.facts()).passed
    slow = judged(FINE | {"foveated_us": 26.0}, machine.facts())
    assert slow.reasons == ["foveated view, four fields: 26 µs"]


def test_every_figure_is_told_with_what_is_asked_of_it() -> None:
    text = tables(judged(FINE | {"point_us": 0.3}, machine.facts()))
    assert "| point | ≤ 0.1 µs | 0.3 µs | no |" in text
    assert all(words in text for words, *_ in (*LIMITS.values(), *BESIDES.values()))


def test_the_example_measures_just_these_figures() -> None:
    named = re.findall(r'"(\w+_(?:us|mb))"', EXAMPLE.read_text("utf-8"))
    assert sorted(named) == sorted((*LIMITS, *BESIDES))
