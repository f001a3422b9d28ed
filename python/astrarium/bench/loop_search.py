"""A search for exploits: short loops of actions, repeated blindly, that earn without playing.

A good game pays for decisions. If some fixed loop earns a living, or if return can be had without
profit, the reward is broken. The search keeps the best loops of each generation and varies them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from astrarium import worlds
from astrarium.worlds.vector import VectorWorld, Words

LENGTH_MAX: Final = 12
_KEPT: Final = 0.1
"""Share of a generation that has offspring."""

Loops = npt.NDArray[np.int32]
Doubles = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Search:
    """How hard to look."""

    loops: int = 1024
    generations: int = 16
    seeds: int = 4
    """Episodes each loop is tried on while searching."""
    fresh_seeds: int = 256
    """Other episodes the winner is scored on, so that luck in the search does not count."""
    ticks: int = 600
    """Length of an episode: long enough for many rounds, so that unfinished business is small."""
    seed: int = 7


@dataclass(frozen=True, slots=True)
class Found:
    """What the search came up with."""

    best_loop: tuple[str, ...]
    best_return: float
    """Mean return of the best loop on fresh seeds."""
    best_return_searching: float
    """Its mean return on the seeds it was chosen by."""
    best_profit: float
    """Mean profit, in credits, of that loop."""
    ticks: float
    """Mean ticks the best loop's episodes took."""
    unearned_return: float
    """The most by which any episode's return exceeded its profit over 1,000."""
    episodes: int


def search(world_id: str, plan: Search) -> Found:
    """Vary loops for some generations and report the best."""
    rng = np.random.default_rng(plan.seed)
    world = _batch(world_id, plan.loops * plan.seeds, plan)
    choices = world.layout.heads[0]
    loops = rng.integers(0, choices, (plan.loops, LENGTH_MAX), dtype=np.int32)
    lengths = rng.integers(1, LENGTH_MAX + 1, plan.loops)
    seeds = np.arange(plan.seeds, dtype=np.uint64)
    best_score, best_loop = -np.inf, loops[0]
    unearned = -np.inf
    for _ in range(plan.generations):
        returns, profits, _ = _trial(world, loops, lengths, seeds)
        unearned = max(unearned, float((returns - profits / 1000).max()))
        scores = returns.mean(axis=1)
        top = int(scores.argmax())
        if scores[top] > best_score:
            best_score, best_loop = float(scores[top]), loops[top, : lengths[top]].copy()
        loops, lengths = _vary(loops, lengths, scores, choices, rng)
    world.close()
    returns, profits, ticks = _score(world_id, best_loop, plan)
    names = worlds.get(world_id).action_names[0]
    return Found(
        best_loop=tuple(names[int(action)] for action in best_loop.tolist()),
        best_return=float(returns.mean()),
        best_return_searching=best_score,
        best_profit=float(profits.mean()),
        ticks=float(ticks.mean()),
        unearned_return=max(unearned, float((returns - profits / 1000).max())),
        episodes=plan.generations * plan.loops * plan.seeds,
    )


def _batch(world_id: str, count: int, plan: Search) -> VectorWorld:
    return worlds.make_vec(world_id, count, time_max=float(plan.ticks))


def _score(world_id: str, loop: Loops, plan: Search) -> tuple[Doubles, Doubles, Doubles]:
    """The winner on seeds the search never saw."""
    world = _batch(world_id, plan.fresh_seeds, plan)
    seeds = np.arange(plan.seeds, plan.seeds + plan.fresh_seeds, dtype=np.uint64)
    found = _trial(world, loop[np.newaxis], np.array([len(loop)]), seeds)
    world.close()
    return found


def _trial(
    world: VectorWorld, loops: Loops, lengths: npt.NDArray[np.int64], seeds: Words
) -> tuple[Doubles, Doubles, Doubles]:
    """Return, profit and ticks of every loop on every seed, to the end of its episode."""
    shape = (len(loops), len(seeds))
    world.reset_with_seeds(np.tile(seeds, len(loops)))
    profit_at = world.layout.stats.index("net_profit")
    ticks_at = world.layout.stats.index("dt")
    loop_of = np.repeat(np.arange(len(loops)), len(seeds))
    running = np.ones(world.num_worlds, dtype=np.bool_)
    returns, profits, ticks = (np.zeros(world.num_worlds) for _ in range(3))
    step = 0
    while running.any():
        world.step(loops[loop_of, step % lengths[loop_of]])
        step += 1
        returns[running] += world.reward[running, 0]
        profits[running] = world.stats[running, profit_at]
        ticks[running] += world.stats[running, ticks_at]
        running &= (world.terminated[:, 0] | world.truncated[:, 0]) == 0
    return returns.reshape(shape), profits.reshape(shape), ticks.reshape(shape)


def _vary(
    loops: Loops,
    lengths: npt.NDArray[np.int64],
    scores: Doubles,
    choices: int,
    rng: np.random.Generator,
) -> tuple[Loops, npt.NDArray[np.int64]]:
    """The best tenth, then their offspring with some actions and lengths changed."""
    count = len(loops)
    kept = np.argsort(-scores)[: max(1, int(_KEPT * count))]
    parents = np.concatenate([kept, rng.choice(kept, count - len(kept))])
    offspring, their_lengths = loops[parents].copy(), lengths[parents].copy()
    changed = rng.random(offspring.shape) < 0.2
    changed[: len(kept)] = False
    fresh = rng.integers(0, choices, offspring.shape, dtype=np.int32)
    offspring = np.where(changed, fresh, offspring)
    longer = rng.integers(-2, 3, count)
    longer[: len(kept)] = 0
    return offspring, np.clip(their_lengths + longer, 1, LENGTH_MAX)
