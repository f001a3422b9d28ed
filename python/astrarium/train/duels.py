"""Players against each doctrine of a world with two sides, sides swapped, on held-out seeds.

Every seed is fought from both sides, so that no scenario's tilt counts for anybody. Ratings are
fitted to all games at once; a draw is half a win for both.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from astrarium.errors import CountError
from astrarium.train.intervals import Interval, share_interval
from astrarium.worlds import WorldConfig, WorldEntry, ladder, parse_config

GAMES: Final = 200
"""Against each opponent, half of them from either side."""
SEED: Final = 7
"""Of the first battle; below 100,000 no run has chosen a checkpoint by one of these."""
SIDES: Final = ("blue", "red")
ANCHOR: Final = 1000.0
"""Rating of the player that ratings are told in comparison with."""
_POINTS: Final = 400.0 / math.log(10.0)
_ROUNDS: Final = 2_000

Begin = Callable[[str], None]
"""Told before each series."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """All games of one player against one doctrine."""

    player: str
    opponent: str
    won: int
    drawn: int
    lost: int
    share: Interval
    """Of games won, with Wilson's interval."""
    value_exchange: float | None
    """Value the enemy lost for each unit of the own that was lost; None where nothing was."""
    shots_per_kill: float | None
    """None where nobody was sunk, disabled or taken."""
    seconds_mean: float

    @property
    def games(self) -> int:
        """In all."""
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> float:
        """Wins, and draws by half."""
        return self.won + 0.5 * self.drawn

    def as_dict(self) -> dict[str, Any]:
        """For a report."""
        return {
            **asdict(self),
            "share": [self.share.value, self.share.low, self.share.high],
            "games": self.games,
        }

    @classmethod
    def from_dict(cls, told: Mapping[str, Any]) -> Meeting:
        """The meeting that was told so."""
        fields = {key: value for key, value in told.items() if key not in ("games", "share")}
        return cls(**fields, share=Interval(*told["share"]))


def meet(
    entry: WorldEntry,
    config: WorldConfig | Mapping[str, Any],
    player: str,
    policy: ladder.Policy,
    opponent: str,
    *,
    games: int = GAMES,
    seed: int = SEED,
    threads: int = 1,
) -> Meeting:
    """One player against one doctrine."""
    if games < 2 or games % 2:
        raise CountError(f"games is {games}; give an even number, for every seed is fought twice")
    rules = ladder.Rules(episodes=games // 2, seed=seed, threads=threads)
    settings = parse_config(entry.config, config, where=entry.id).model_dump()
    sides = [
        ladder.play(
            entry,
            player,
            policy,
            rules,
            parse_config(entry.config, {**settings, "side": side, "opponent": opponent}),
        ).columns
        for side in SIDES
    ]
    return _meeting(player, opponent, {name: _joined(sides, name) for name in sides[0]})


def _joined(sides: Sequence[Mapping[str, Any]], name: str) -> npt.NDArray[Any]:
    return np.concatenate([side[name] for side in sides])


def _meeting(player: str, opponent: str, columns: Mapping[str, npt.NDArray[Any]]) -> Meeting:
    won, lost = columns["won"] > 0, columns["lost"] > 0
    own_loss = float((1.0 - columns["value_left_own"]).sum())
    enemy_loss = float((1.0 - columns["value_left_enemy"]).sum())
    kills = float(columns["kills"].sum())
    return Meeting(
        player=player,
        opponent=opponent,
        won=int(won.sum()),
        drawn=int((~won & ~lost).sum()),
        lost=int(lost.sum()),
        share=share_interval(won.astype(np.float64)),
        value_exchange=enemy_loss / own_loss if own_loss > 0 else None,
        shots_per_kill=float(columns["shots"].sum()) / kills if kills > 0 else None,
        seconds_mean=float(columns["ticks"].mean()),
    )


def tournament(
    entry: WorldEntry,
    config: WorldConfig | Mapping[str, Any],
    players: Mapping[str, ladder.Policy],
    opponents: Sequence[str],
    *,
    games: int = GAMES,
    seed: int = SEED,
    threads: int = 1,
    begin: Begin | None = None,
) -> list[Meeting]:
    """Every player against every doctrine but itself."""
    found: list[Meeting] = []
    for player, policy in players.items():
        for opponent in opponents:
            if player == opponent:
                continue
            if begin is not None:
                begin(f"{player} against {opponent}")
            found.append(
                meet(
                    entry,
                    config,
                    player,
                    policy,
                    opponent,
                    games=games,
                    seed=seed,
                    threads=threads,
                )
            )
    return found


def ratings(meetings: Sequence[Meeting], anchor: str) -> dict[str, float]:
    """Elo ratings that fit all games best, `anchor` at 1000.

    Whoever won or lost every game would have no finite one: half a win and half a loss against the
    anchor are added for everybody.
    """
    names = sorted({one.player for one in meetings} | {one.opponent for one in meetings} | {anchor})
    at = {name: place for place, name in enumerate(names)}
    points = np.zeros((len(names), len(names)))
    for one in meetings:
        points[at[one.player], at[one.opponent]] += one.points
        points[at[one.opponent], at[one.player]] += one.games - one.points
    fixed = at[anchor]
    for place in range(len(names)):
        if place != fixed:
            points[place, fixed] += 0.5
            points[fixed, place] += 0.5
    strength = _bradley_terry(points)
    logs = np.log(strength / strength[fixed]) * _POINTS + ANCHOR
    return {name: float(logs[place]) for name, place in at.items()}


def _bradley_terry(points: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Strengths under which the points won are as expected, by Zermelo's iteration."""
    games, won = points + points.T, points.sum(axis=1)
    strength = np.ones(len(points))
    for _ in range(_ROUNDS):
        together = strength[:, np.newaxis] + strength[np.newaxis, :]
        strength = won / (games / together).sum(axis=1)
        strength /= np.exp(np.log(strength).mean())
    return strength
