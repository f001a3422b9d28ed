"""The cases of a parity run: who plays, from which seed, for how long.

A to C are fixed sequences, whatever the ship sees. D to G look at the observation, so that they
mine, haul and trade; A to C hardly do: they cash out early or mostly ask for the impossible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from astrarium.errors import AstrariumError
from astrarium.parity.prospecting import prospecting
from astrarium.worlds.prospector import bots, layout
from astrarium.worlds.vector import Floats

SEED_END: Final = 1 << 64
TIME_MAX_LIMIT: Final = 10_000_000.0

Player = Callable[[int, Floats], int]
"""From the number of the step and the observation before it to an action, of any value."""


class CaseError(AstrariumError, ValueError):
    """A parity case that cannot be played."""


@dataclass(frozen=True, slots=True)
class Case:
    """One line of the matrix."""

    suite: str
    seed: int
    time_max: float
    steps: int

    def player(self) -> Player:
        """A fresh player; the same case always plays the same way."""
        return SUITES[self.suite](self.seed, self.steps)

    def __str__(self) -> str:
        return f"suite {self.suite}, seed {self.seed}, time_max {self.time_max:g}"


def _repeat(actions: tuple[int, ...], seed: int, steps: int) -> Player:
    del seed, steps
    return lambda step, obs: actions[step % len(actions)]


def _uniform(seed: int, steps: int) -> Player:
    """Below, inside and above the range of actions."""
    actions = np.random.default_rng(seed + 1000).integers(-5, 75, size=steps)
    return lambda step, obs: int(actions[step])


def _scripted(bot: bots.Bot, seed: int, steps: int) -> Player:
    del seed, steps
    return lambda step, obs: int(bot(obs[np.newaxis])[0])


_STATION_FIRST: Final = (43, 61, 67, 28, 29, 30, 10, 9, 7, 33, 200, -3, 255, 6, 42, layout.CASH_OUT)
_FIELD_FIRST: Final = (8, 11, 12, 29, 33, 6, 0, 42, 45, 32, 35, 7, 6, layout.CASH_OUT)

SUITES: Final[dict[str, Callable[[int, int], Player]]] = {
    "A": _uniform,
    "B": partial(_repeat, _STATION_FIRST),
    "C": partial(_repeat, _FIELD_FIRST),
    "D": partial(_scripted, bots.greedy_miner),
    "E": partial(_scripted, bots.cautious_scanner),
    "F": partial(_scripted, bots.market_timer),
    "G": prospecting,
}
"""From the case's seed and number of steps to its player."""

DEFAULT_SUITES: Final = "ABCDEFG"
DEFAULT_TIME_MAX: Final = (2000.0, 8000.0)
DEFAULT_SEEDS: Final = 10
DEFAULT_STEPS: Final = 2000


def cases(
    suites: str = DEFAULT_SUITES,
    seeds: int = DEFAULT_SEEDS,
    first_seed: int = 0,
    time_max: Iterable[float] = DEFAULT_TIME_MAX,
    steps: int = DEFAULT_STEPS,
) -> list[Case]:
    """Every combination, suite by suite. Raises a `CaseError` that names what cannot be played."""
    budgets = tuple(time_max)
    _check_suites(suites)
    if seeds < 1 or steps < 1:
        raise CaseError(f"seeds is {seeds} and steps is {steps}; each must be at least 1")
    if not 0 <= first_seed <= SEED_END - seeds:
        raise CaseError(f"seeds {first_seed} to {first_seed + seeds - 1} must lie in 0..2**64-1")
    for budget in budgets:
        if not 1 <= budget <= TIME_MAX_LIMIT:
            raise CaseError(f"time_max is {budget:g}; it must lie in 1..{TIME_MAX_LIMIT:g}")
    if not budgets:
        raise CaseError("there is no time budget; give at least one time_max")
    return [
        Case(suite, first_seed + offset, float(budget), steps)
        for suite in suites
        for budget in budgets
        for offset in range(seeds)
    ]


def _check_suites(suites: str) -> None:
    unknown = sorted(set(suites) - set(SUITES))
    if unknown or not suites or len(set(suites)) != len(suites):
        raise CaseError(
            f"suites is {suites!r}; give each letter once, out of {''.join(SUITES)}, such as ABC"
        )
