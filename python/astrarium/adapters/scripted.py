"""Actions of the agents that the library does not control: a scripted player of the world."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from astrarium import worlds
from astrarium.errors import ActionError
from astrarium.worlds import VectorWorld, WorldEntry
from astrarium.worlds.ladder import RANDOM, Policy, policies
from astrarium.worlds.vector import Actions

Controls = npt.NDArray[np.float64]


def default_player(entry: WorldEntry) -> str:
    """Return the player that trained policies learn from, else a bot, else chance."""
    if entry.schooling is not None:
        return entry.schooling.teacher
    return next(iter(entry.bots), RANDOM)


class ScriptedAgents:
    """Choose actions for every agent of one world, by a scripted player.

    A copy chooses as the original does, unless the player itself keeps notes on the episode.
    """

    def __init__(self, world_id: str, player: str | None) -> None:
        entry = worlds.get(world_id)
        self._world_id: Final = world_id
        self.player: Final = player or default_player(entry)
        self._policy: Policy = self._find_policy()
        self._step = 0

    def begin(self) -> None:
        """Start again with the episode that the world is in."""
        self._step = 0

    def orders(self, world: VectorWorld) -> tuple[Actions, Controls]:
        """Return (1, m, H) actions and (1, m, C) controls in new arrays."""
        layout = world.layout
        chosen = np.array(self._policy(world, self._step), np.int32)
        self._step += 1
        shape = (1, layout.agents, len(layout.heads))
        return chosen.reshape(shape), world.controls.astype(np.float64)

    def __getstate__(self) -> dict[str, Any]:
        # Players are functions without a name, which cannot be pickled.
        return {name: value for name, value in self.__dict__.items() if name != "_policy"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._policy = self._find_policy()

    def _find_policy(self) -> Policy:
        return policies(worlds.get(self._world_id), [self.player])[self.player]


def place(row: npt.NDArray[Any], given: Any, name: str, kinds: str) -> None:
    """Copy one agent's actions or controls into its row of the batch, if they fit."""
    if given is None:
        return
    orders = np.asarray(given)
    if orders.size != row.size or orders.ndim > 1 or orders.dtype.kind not in kinds:
        raise ActionError(
            f"the action of {name} has shape {orders.shape} and dtype {orders.dtype}; "
            f"give {row.size} values of its action space"
        )
    # Clipped, so that an index too large for int32 stays out of range.
    limits = np.iinfo(row.dtype) if kinds == "iu" else np.finfo(row.dtype)
    row[:] = np.clip(orders, limits.min, limits.max) if kinds == "iu" else orders
