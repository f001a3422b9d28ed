"""What the figures of a world came to in one rollout.

A stat that counts grows from the beginning of its episode, so as it stands it says how late it is.
Told is by how much it grew within the rollout, in whatever episodes; of the others, which are
levels, the mean over the steps.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from astrarium.runs.errors import CheckpointError
from astrarium.worlds.vector import Layout, VectorWorld

Figures = npt.NDArray[np.float64]
Arrays = dict[str, npt.NDArray[Any]]


class StatMeter:
    """Some stats of one batch, added up step by step."""

    def __init__(
        self, layout: Layout, num_worlds: int, wanted: Collection[str], counts: Collection[str]
    ) -> None:
        """`wanted` are taken where the world has them; `counts` are those that only grow."""
        self._names = [name for name in layout.stats if name in wanted]
        self._columns = [layout.stats.index(name) for name in self._names]
        self._counted = np.array([name in counts for name in self._names], np.bool_)
        self._before: Figures = np.zeros((num_worlds, len(self._names)))
        """As of the last step; 0 where another episode has begun since."""
        self._episode = np.zeros(num_worlds, np.uint64)
        self._sums: Figures = np.zeros(len(self._names))
        self._steps = 0

    def note(self, world: VectorWorld) -> None:
        """Take in the step the batch has just made."""
        self._steps += 1
        if not self._names:
            return
        # As in windows, a figure that is not finite counts as 0.
        now = np.nan_to_num(world.stats[:, self._columns], nan=0.0, posinf=0.0, neginf=0.0)
        now = now.astype(np.float64)
        grown = now.sum(0) - self._before.sum(0)
        self._sums += np.where(self._counted, grown, now.sum(0))
        # The figures of a world that ended are final; those of its next episode begin at 0.
        over = world.episode != self._episode
        self._before = now
        self._before[over] = 0.0
        self._episode[:] = world.episode

    def take(self) -> dict[str, float]:
        """What it came to since the last call, in the mean over the worlds."""
        worlds, steps = len(self._episode), max(1, self._steps)
        means = self._sums / np.where(self._counted, worlds, worlds * steps)
        self._sums, self._steps = np.zeros_like(self._sums), 0
        return dict(zip(self._names, means.tolist(), strict=True))

    def state(self) -> Arrays:
        """What a meter made with the same arguments needs to go on after `take`."""
        return {"before": self._before.copy(), "episode": self._episode.copy()}

    def load(self, state: Mapping[str, npt.NDArray[Any]]) -> None:
        """Go on from what `state` gave."""
        for name, own in self.state().items():
            given = state.get(name)
            if given is None or given.shape != own.shape or given.dtype != own.dtype:
                raise CheckpointError(
                    f"the checkpoint does not say how the world's figures stood ({name}); resume "
                    "with the version that wrote it, or begin a run with --init-from"
                )
        self._before[...] = state["before"]
        self._episode[...] = state["episode"]
