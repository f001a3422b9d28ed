"""Who plays during a check: the world's bots, random legal play, and play that breaks rules."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from astrarium.check.subject import Subject
from astrarium.worlds import Layout, VectorWorld
from astrarium.worlds.vector import Actions, Flags, Floats

OUT_OF_RANGE: Final = (-1, -(2**31), 2**31 - 1)
"""Indices no head has; the size of each head is the fourth that is tried."""

_WILD_SHARE: Final = 0.2
"""How often a wild player gives an order without looking at the mask."""


class Players:
    """Orders for a batch. World i always has the same player, so that every kind sees episodes end.

    A lone bot would never try an illegal order, and random play alone rarely gets far into a
    world; between them they visit both.
    """

    def __init__(self, subject: Subject, seed: int) -> None:
        self._random = np.random.Generator(np.random.PCG64(seed))
        self._bots = list(subject.entry.bots.values()) if subject.entry else []

    def __call__(self, world: VectorWorld) -> tuple[Actions, Floats]:
        """Actions and controls for the next step."""
        layout = world.layout
        actions = legal_actions(world.mask, layout, self._random)
        players = 2 + len(self._bots)
        player = np.arange(world.num_worlds) % players
        self._go_wild(actions, layout, player == 1)
        controls = self._random.uniform(-1, 1, world.controls.shape).astype(np.float32)
        for number, bot in enumerate(self._bots):
            rows = player == 2 + number
            if rows.any():
                orders = actions if layout.heads else controls
                orders[rows] = bot(world.obs, world.mask)[rows]
        return actions, controls

    def _go_wild(self, actions: Actions, layout: Layout, rows: npt.NDArray[np.bool_]) -> None:
        for head, size in enumerate(layout.heads):
            chosen = (self._random.random(actions.shape[:2]) < _WILD_SHARE) & rows[:, np.newaxis]
            orders = self._random.integers(-1, size + 1, actions.shape[:2])
            actions[..., head] = np.where(chosen, orders, actions[..., head])


def legal_actions(mask: Flags, layout: Layout, random: np.random.Generator) -> Actions:
    """A uniformly random legal choice for every head of every agent."""
    lots = random.random(mask.shape) * (mask != 0)
    return _greatest(lots, layout)


def first_legal(mask: Flags, layout: Layout) -> Actions:
    """The first legal choice of every head of every agent."""
    return _greatest((mask != 0).astype(np.float64), layout)


def _greatest(weights: npt.NDArray[np.float64], layout: Layout) -> Actions:
    actions = np.zeros((*weights.shape[:2], len(layout.heads)), np.int32)
    first = 0
    for head, size in enumerate(layout.heads):
        actions[..., head] = weights[..., first : first + size].argmax(axis=-1)
        first += size
    return actions
