"""Ratings and figures of games against doctrines."""

from __future__ import annotations

import numpy as np
import pytest

from astrarium.train.duels import Meeting, ratings
from astrarium.train.intervals import share_interval


def met(player: str, opponent: str, won: int, drawn: int, lost: int) -> Meeting:
    happened = np.array([1.0] * won + [0.0] * (drawn + lost))
    return Meeting(player, opponent, won, drawn, lost, share_interval(happened), 1.0, 1.0, 1.0)


def test_ten_wins_to_one_are_worth_four_hundred_points() -> None:
    found = ratings([met("policy", "line", 10_000, 0, 1_000)], anchor="line")
    assert found["line"] == pytest.approx(1000.0)
    assert found["policy"] == pytest.approx(1400.0, abs=1.0)


def test_draws_count_half() -> None:
    found = ratings([met("policy", "line", 0, 200, 0)], anchor="line")
    assert found["policy"] == pytest.approx(1000.0)


def test_ratings_add_up_along_a_chain() -> None:
    chain = [met("b", "a", 7_500, 0, 2_500), met("c", "b", 7_500, 0, 2_500)]
    found = ratings(chain, anchor="a")
    assert found["c"] - found["b"] == pytest.approx(found["b"] - found["a"], abs=1.0)


def test_who_never_lost_still_has_a_rating() -> None:
    found = ratings([met("policy", "drifter", 200, 0, 0)], anchor="drifter")
    assert 1500.0 < found["policy"] < 2500.0
