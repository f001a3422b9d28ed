"""Players that need no learning: one that follows the scripted citizens' advice."""

from __future__ import annotations

from typing import Final

import numpy as np

from astrarium.worlds.registry import Bot
from astrarium.worlds.townlet.names import OPTIONS
from astrarium.worlds.vector import Actions, Flags, Floats, VectorWorld


def idle(obs: Floats, mask: Flags) -> Actions:
    """Nobody does anything."""
    return np.zeros((*obs.shape[:-1], 1), np.int32)


_WITHOUT_CARE: Final = [OPTIONS.index(name) for name in ("GoToWork", "Socialise", "GoHome", "Wait")]
"""What a life can be spent on that serves no need, dearest first."""


def suicidal(obs: Floats, mask: Flags) -> Actions:
    """Everyone works and talks, and nobody eats, washes or sleeps: dying must not pay."""
    legal = mask[..., _WITHOUT_CARE] != 0
    choice = np.array(_WITHOUT_CARE, np.int32)[legal.argmax(-1)]
    return choice[..., np.newaxis]


def citizens(world: VectorWorld) -> Bot:
    """Everyone does what the scripted citizen of the core would do."""
    seats = world.layout.agents

    def follow(obs: Floats, mask: Flags) -> Actions:
        return world.reveal()[:, :seats, np.newaxis].astype(np.int32)

    return follow
