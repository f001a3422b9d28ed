"""What a teacher would have done where its pupil went.

Captures show only where the teacher itself goes. A clone strays from there a little, then sees what
it was never shown, and strays further. So it plays, its teacher is asked now and then what it
would do, and the answers are learned from like the captures: after some rounds the clone knows its
way back from wherever it gets to.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from astrarium.train.streams import stream
from astrarium.worlds import WorldConfig, WorldEntry
from astrarium.worlds.ladder import Policy

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Correction:
    """How a clone is corrected."""

    rounds: int = 8
    worlds: int = 10
    """Played side by side in each round."""
    steps: int = 10_000
    """Of each of them."""
    share: float = 0.35
    """Of the steps with a choice that the teacher is asked about."""
    epochs: int = 1
    """Passes over everything known, after each round."""


@dataclass(frozen=True, slots=True)
class Answers:
    """Where a pupil had a choice, and what its teacher would have chosen."""

    obs: Array
    """(N, D)."""
    mask: Array
    """(N, K)."""
    actions: Array
    """(N, H)."""


def ask(
    entry: WorldEntry,
    settings: WorldConfig,
    teacher: Policy,
    pupil: Policy,
    correction: Correction,
    *,
    seed: int,
    round_: int,
) -> Answers:
    """Let the pupil play in worlds nobody has seen, and ask the teacher along the way."""
    draws = stream(seed, "correcting", round_)
    world = entry.make(settings, correction.worlds, 1, "same_step")
    world.reset(seed=int(draws.integers(1 << 62)))
    found: list[tuple[Array, Array, Array]] = []
    heads = len(world.layout.heads)
    for step in range(correction.steps):
        answer = teacher(world, step)
        choice = (world.mask.sum(-1, dtype=np.int64) > heads) & (world.alive != 0)
        asked = choice & (draws.random(world.alive.shape) < correction.share)
        found.append((world.obs[asked], world.mask[asked], answer[asked]))
        world.step(pupil(world, step))
    world.close()
    obs, mask, actions = (np.concatenate(part) for part in zip(*found, strict=True))
    return Answers(obs, mask, actions)
