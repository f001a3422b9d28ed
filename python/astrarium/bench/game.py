"""Is Prospector v2 a good game? Its ladder, what each precaution is worth, and what loops earn.

The bars: return and profit rank the players alike, a careful bot lives, sight of the hidden state
is worth at least twice the best play without it, and no blind loop earns a living.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any, Final

import numpy as np

from astrarium import worlds
from astrarium.bench import loop_search
from astrarium.bench.report import Report
from astrarium.machine import facts
from astrarium.worlds import ladder
from astrarium.worlds.prospector import traders
from astrarium.worlds.vector import Actions, VectorWorld

WORLD: Final = "prospector-v2"
CEILING: Final = "planner"
CAREFUL: Final = "hauler"

SPEARMAN_MIN: Final = 0.9
SURVIVAL_MIN: Final = 0.9
CEILING_RATIO_MIN: Final = 2.0
LOOP_SHARE_MAX: Final = 0.5
"""A blind loop may earn this share of what the careful bot earns in the same ticks."""

Tell = Callable[[str], None]

PRECAUTIONS: Final[Mapping[str, traders.Habits]] = {
    "as it is": traders.HAULER,
    "never cools": replace(traders.HAULER, hot=2.0),
    "never hides, buys no decoys": replace(traders.HAULER, loud=2.0, decoys=-1.0),
    "never pays for repairs": replace(traders.HAULER, worn=-1.0),
    "scans the field first": replace(traders.HAULER, known=0.25),
    "turns home at 15 % load": replace(traders.HAULER, full=0.15),
    "turns home only when full": replace(traders.HAULER, full=0.99),
}
"""The hauler with one habit changed: what heat, pirates, wear and the hold are worth managing."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How much to play."""

    episodes: int = 1000
    seed: int = 7
    threads: int = 1
    search: loop_search.Search = field(default_factory=loop_search.Search)


def spearman(a: Sequence[float], b: Sequence[float]) -> float:
    """Rank correlation; ties get the mean of their ranks."""
    ranks = [_ranks(np.asarray(values)) for values in (a, b)]
    return float(np.corrcoef(*ranks)[0, 1])


def _ranks(values: Any) -> Any:
    less = (values[:, None] > values[None, :]).sum(axis=1)
    equal = (values[:, None] == values[None, :]).sum(axis=1)
    return less + (equal + 1) / 2


def measure(plan: Plan, tell: Tell) -> Report:
    """Play everything and judge it."""
    where = facts()
    rules = ladder.Rules(episodes=plan.episodes, seed=plan.seed, threads=plan.threads)
    entry = worlds.get(WORLD)
    players: dict[str, dict[str, Any]] = {}
    for name, policy in ladder.policies(entry).items():
        tell(f"ladder: {name}")
        players[name] = ladder.play(entry, name, policy, rules).summary()
    habits: dict[str, dict[str, Any]] = {}
    for name, habit in PRECAUTIONS.items():
        tell(f"hauler: {name}")
        habits[name] = ladder.play(entry, name, _trader(habit), rules).summary()
    tell("loops")
    found = loop_search.search(WORLD, plan.search)
    results = {"players": players, "hauler": habits, "loops": asdict(found)}
    results["figures"] = figures(players, habits, found)
    return Report(
        kind="game",
        config=asdict(plan),
        machine=where,
        reasons=shortfalls(results["figures"]),
        results=results,
    )


def _trader(habits: traders.Habits) -> ladder.Policy:
    trade = partial(traders.trade, habits=habits)

    def policy(world: VectorWorld, step: int) -> Actions:
        del step
        return trade(world.obs[:, 0])[:, None, None]

    return policy


def figures(
    players: Mapping[str, Mapping[str, Any]],
    habits: Mapping[str, Mapping[str, Any]],
    found: loop_search.Found,
) -> dict[str, float]:
    """The numbers the game is held to, from the ladder, the varied hauler and the loops."""
    returns = {name: float(row["return_mean"]) for name, row in players.items()}
    careful = players[CAREFUL]
    # Without sight of the hidden state: a habit that pays better than the hauler's counts too.
    best_without = max(
        *(value for name, value in returns.items() if name != CEILING),
        *(float(row["return_mean"]) for row in habits.values()),
    )
    rate = float(careful["return_mean"]) / float(careful["dt_mean"])
    return {
        "spearman_return_profit": spearman(
            list(returns.values()), [float(row["net_profit_mean"]) for row in players.values()]
        ),
        "survival_careful": float(careful["survival_rate"]),
        "ceiling_over_best": returns[CEILING] / best_without,
        "loop_share_of_careful": found.best_return / (rate * found.ticks),
        "unearned_return": found.unearned_return,
    }


def shortfalls(measured: Mapping[str, float]) -> list[str]:
    """What the game falls short of, in words; nothing when it is good."""
    bars = (
        ("spearman_return_profit", SPEARMAN_MIN, "return and profit do not rank players alike"),
        ("survival_careful", SURVIVAL_MIN, "a careful bot does not live"),
        ("ceiling_over_best", CEILING_RATIO_MIN, "sight of hidden state is worth too little"),
    )
    short = [
        f"{name} is {measured[name]:.3f}, at least {bar} asked: {meaning}"
        for name, bar, meaning in bars
        if measured[name] < bar
    ]
    share = measured["loop_share_of_careful"]
    if share > LOOP_SHARE_MAX:
        short.append(f"a blind loop earns {share:.0%} of the careful bot's living")
    if measured["unearned_return"] > 1e-3:
        short.append(f"an episode returned {measured['unearned_return']:.3f} more than its profit")
    return short
