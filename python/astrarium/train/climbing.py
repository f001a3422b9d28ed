"""Going up a curriculum: round after round is trained from the one before, and judged by games."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Final

from astrarium import worlds
from astrarium.train.apprentice.course import player_at, train_at
from astrarium.train.apprentice.keeping import read_json, write_json
from astrarium.train.curriculum import SEED, STRIDE, Climb, check, known_rounds, next_rung
from astrarium.train.duels import meet

FIGHTS: Final = 1.0
"""How much of a round's training is over while its games are fought."""

Tell = Callable[[int, int, float], None]
"""Told of a round: its number, its rung, and how much of its training is over."""


@dataclass(frozen=True, slots=True)
class Round:
    """What came of a round."""

    number: int
    rung: int
    won: int
    games: int
    low: float
    high: float
    """Of Wilson's interval around the share of games won."""
    next_rung: int

    @property
    def share(self) -> float:
        """Of its games won."""
        return self.won / self.games


def rounds_of(climb: Climb) -> list[Round]:
    """The rounds that are done."""
    if not climb.state.exists():
        return []
    return [Round(**one) for one in known_rounds(read_json(climb.state), climb)]


def go_up(climb: Climb, tell: Tell) -> list[Round]:
    """Round after round, until the last rung is passed or no round is left.

    Whatever is finished is not done again: a climb that was broken off goes on.
    """
    check(climb)
    done = rounds_of(climb)
    rungs, rules = climb.curriculum.rungs, climb.curriculum
    at = done[-1].next_rung if done else 0
    while at < len(rungs) and len(done) < rules.rounds_max:
        done.append(_round(climb, len(done), at, tell))
        at = done[-1].next_rung
        rounds = [asdict(one) for one in done]
        write_json({"climb": climb.told(), "rounds": rounds}, climb.state)
    return done


def _round(climb: Climb, number: int, at: int, tell: Tell) -> Round:
    config, place = climb.config_of(number, at), climb.run_of(number)
    train_at(place, config, lambda share: tell(number, at, share))
    tell(number, at, FIGHTS)
    met = meet(
        worlds.get(config.world.id),
        climb.games_of(at),
        place.name,
        player_at(place, config),
        climb.curriculum.rungs[at].opponent,
        games=climb.curriculum.games,
        seed=SEED + STRIDE * number,
        threads=config.run.threads or 1,
    )
    low, high = met.share.low, met.share.high
    # Wilson's interval always has both.
    assert low is not None
    assert high is not None
    up = next_rung(at, met.share.value, climb.curriculum)
    return Round(number, at, met.won, met.games, low, high, up)
