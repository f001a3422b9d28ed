"""Games as tables, and what is asked of who fought them."""

from __future__ import annotations

import numpy as np
import pytest

from astrarium.bench import duels_page
from astrarium.bench.report import Report
from astrarium.machine import facts
from astrarium.train.duels import Meeting
from astrarium.train.intervals import share_interval

BARS = {"pursuer": 0.80, "line": 0.55}


def met(player: str, opponent: str, won: int, lost: int, **figures: float | None) -> Meeting:
    share = share_interval(np.array([1.0] * won + [0.0] * lost))
    whole = {"value_exchange": 1.5, "shots_per_kill": 30.25, **figures}
    return Meeting(player, opponent, won, 0, lost, share, seconds_mean=100.0, **whole)


def test_bars_are_for_the_policies_and_at_least() -> None:
    found = [
        met("mine", "pursuer", 80, 20),
        met("mine", "line", 54, 46),
        met("line", "pursuer", 9, 1),
    ]
    asked = duels_page.checks(BARS, ["mine"], found)
    assert [(one.name, one.value, one.passed) for one in asked] == [
        ("share of games won against pursuer", 0.8, True),
        ("share of games won against line", 0.54, False),
    ]


def test_of_several_policies_the_mean_counts() -> None:
    found = [met("one", "pursuer", 70, 30), met("two", "pursuer", 92, 8)]
    (asked,) = duels_page.checks(BARS, ["one", "two"], found)
    assert asked.value == pytest.approx(0.81)
    assert asked.passed


def test_the_page_tells_every_meeting_rating_and_bar() -> None:
    found = [met("mine", "pursuer", 80, 20, value_exchange=None), met("mine", "line", 50, 50)]
    results = duels_page.results(found, "line", duels_page.checks(BARS, ["mine"], found))
    report = Report("duels", {"player": "mine", "games": 100, "seed": 31}, facts(), [], results)
    told = duels_page.page(report)
    for words in (
        "100 games each, every seed from both sides, seeds from 31.",
        "| mine | pursuer | 80 | 0 | 20 | 80.0% [71.1%, 86.7%] |  | 30.25 |",
        "| mine | line | 50 | 0 | 50 | 50.0% [40.4%, 59.6%] | 1.50 | 30.25 |",
        "| line | 1000 |",
        "| share of games won against pursuer | at least 80% | 80.0% | yes |",
        "| share of games won against line | at least 55% | 50.0% | no |",
    ):
        assert words in told
    ratings = told.split("| player | rating |")[1].split("| asked |")[0]
    assert ratings.index("mine") < ratings.index("pursuer")
