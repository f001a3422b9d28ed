"""Players that need no learning: one that follows the scripted citizens' advice."""

from __future__ import annotations

import numpy as np

from astrarium.worlds.registry import Bot
from astrarium.worlds.vector import Actions, Flags, Floats, VectorWorld


def idle(obs: Floats, mask: Flags) -> Actions:
    """Nobody does anything."""
    return np.zeros((*obs.shape[:-1], 1), np.int32)


def citizens(world: VectorWorld) -> Bot:
    """Everyone does what the scripted citizen of the core would do."""
    seats = world.layout.agents

    def follow(obs: Floats, mask: Flags) -> Actions:
        return world.reveal()[:, :seats, np.newaxis].astype(np.int32)

    return follow
