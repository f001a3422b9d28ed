"""Doctrines as players: what the core's own captains would choose for the agents' ships."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np

from astrarium.worlds.registry import Bot
from astrarium.worlds.tidebreak.names import DOCTRINES, HELM_HEADS, ORDER_HEADS, STATE_FLOATS
from astrarium.worlds.vector import Actions, Flags, Floats, VectorWorld

_HEADS: Final = len(HELM_HEADS) + len(ORDER_HEADS)
LEVERS: Final = np.array(
    [[-1.0, 0.0, 0.33, 0.67, 1.0], [-1.0, -0.5, 0.0, 0.5, 1.0]], dtype=np.float32
)
"""Where the choices of throttle and rudder put the helm."""


def captain(doctrine: str, world: VectorWorld) -> Bot:
    """A player that follows `doctrine`, which knows no more than the ship's own observation.

    Where the helm is continuous, its throttle and rudder are put into the world's controls.
    """
    agents = world.layout.agents
    at = DOCTRINES.index(doctrine)

    def follow(obs: Floats, mask: Flags) -> Actions:
        shape = (-1, agents, len(DOCTRINES), _HEADS)
        advice = world.reveal()[:, STATE_FLOATS:].reshape(shape)[:, :, at].astype(np.int32)
        if not world.layout.controls:
            return advice
        helm = advice[..., : len(HELM_HEADS)]
        for lever in range(len(HELM_HEADS)):
            world.controls[..., lever] = LEVERS[lever][helm[..., lever]]
        return advice[..., len(HELM_HEADS) :]

    return follow


CAPTAINS: Final[dict[str, Callable[[VectorWorld], Bot]]] = {
    doctrine: partial(captain, doctrine) for doctrine in DOCTRINES
}
