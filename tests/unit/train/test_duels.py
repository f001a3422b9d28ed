"""Ratings and figures of games against doctrines."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from astrarium import worlds
from astrarium.errors import CountError
from astrarium.train import duels
from astrarium.train.duels import Meeting, meet, ratings, tournament
from astrarium.train.intervals import share_interval
from astrarium.worlds import ladder


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


def columns(**figures: list[float]) -> dict[str, Any]:
    """Four games of which two are won and one is lost, but for what is given."""
    usual = {
        "won": [1, 1, 0, 0],
        "lost": [0, 0, 1, 0],
        "value_left_own": [1.0, 0.5, 0.0, 1.0],
        "value_left_enemy": [0.0, 0.0, 1.0, 1.0],
        "shots": [30, 50, 20, 0],
        "kills": [1, 1, 0, 0],
        "ticks": [100, 200, 300, 600],
    }
    return {name: np.array(values, np.float64) for name, values in (usual | figures).items()}


def test_figures_are_of_all_games_together() -> None:
    found = duels._meeting("policy", "line", columns())
    assert (found.won, found.drawn, found.lost, found.games) == (2, 1, 1, 4)
    assert found.points == 2.5
    assert found.share == share_interval(np.array([1.0, 1.0, 0.0, 0.0]))
    # 2 of the enemy's value are gone, and 1.5 of the own.
    assert found.value_exchange == pytest.approx(2.0 / 1.5)
    assert found.shots_per_kill == pytest.approx(50.0)
    assert found.seconds_mean == pytest.approx(300.0)


def test_figures_that_would_divide_by_nothing_are_not_told() -> None:
    unhurt = columns(value_left_own=[1.0] * 4, kills=[0] * 4)
    found = duels._meeting("policy", "line", unhurt)
    assert found.value_exchange is None
    assert found.shots_per_kill is None


def test_a_meeting_is_what_was_told_of_it() -> None:
    found = duels._meeting("policy", "line", columns())
    assert Meeting.from_dict(found.as_dict()) == found


TIDEBREAK = worlds.get("tidebreak-v1")
QUICK = {"decision_ticks": 10, "fidelity": "F0"}


def test_every_seed_is_fought_from_both_sides(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[tuple[str, str, int, int]] = []
    play = ladder.play

    def watched(entry, name, policy, rules, config):
        played.append((config.side, config.opponent, rules.seed, rules.episodes))
        return play(entry, name, policy, rules, config)

    monkeypatch.setattr(ladder, "play", watched)
    policy = ladder.policies(TIDEBREAK, ["pursuer"])["pursuer"]
    found = meet(TIDEBREAK, QUICK, "pursuer", policy, "drifter", games=6, seed=20)
    assert played == [("blue", "drifter", 20, 3), ("red", "drifter", 20, 3)]
    assert found.games == 6
    assert found.won > found.lost


@pytest.mark.parametrize("games", [0, 1, 7])
def test_an_odd_game_would_favour_a_side(games: int) -> None:
    policy = ladder.policies(TIDEBREAK, ["line"])["line"]
    with pytest.raises(CountError, match="even number"):
        meet(TIDEBREAK, QUICK, "line", policy, "pursuer", games=games)


def test_in_a_tournament_nobody_meets_itself() -> None:
    players = ladder.policies(TIDEBREAK, ["drifter", "pursuer"])
    begun: list[str] = []
    found = tournament(TIDEBREAK, QUICK, players, ["drifter", "line"], games=2, begin=begun.append)
    pairs = [("drifter", "line"), ("pursuer", "drifter"), ("pursuer", "line")]
    assert [(one.player, one.opponent) for one in found] == pairs
    assert begun == [f"{one} against {other}" for one, other in pairs]
