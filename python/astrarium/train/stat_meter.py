"""What the figures of a world came to in one rollout.

A stat that counts grows from the beginning of its episode, so as it stands it says how late it is.
Told is by how much it grew within the rollout, in whatever episodes, and of a ratio the same of
both its counts; of the others, which are levels, the mean over the steps.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from astrarium.runs.errors import CheckpointError
from astrarium.train.stat_columns import NO_RATIOS, Figures, Ratios, StatColumns
from astrarium.worlds.vector import Layout, VectorWorld

Arrays = dict[str, npt.NDArray[Any]]


class StatMeter:
    """Some stats of one batch, added up step by step."""

    def __init__(
        self,
        layout: Layout,
        num_worlds: int,
        wanted: Collection[str],
        counts: Collection[str],
        ratios: Ratios = NO_RATIOS,
    ) -> None:
        """`wanted` are taken where the world has them; `counts` are those that only grow."""
        self._columns = StatColumns(layout, wanted, counts, ratios)
        width = len(self._columns.names)
        self._before: Figures = np.zeros((num_worlds, width))
        """As of the last step; 0 where another episode has begun since."""
        self._episode = np.zeros(num_worlds, np.uint64)
        self._sums: Figures = np.zeros(width)
        self._steps = 0

    def note(self, world: VectorWorld) -> None:
        """Take in the step the batch has just made."""
        self._steps += 1
        if not self._columns.wanted:
            return
        now = self._columns.read(world)
        grown = now.sum(0) - self._before.sum(0)
        self._sums += np.where(self._columns.counted, grown, now.sum(0))
        # The figures of a world that ended are final; those of its next episode begin at 0.
        over = world.episode != self._episode
        self._before = now
        self._before[over] = 0.0
        self._episode[:] = world.episode

    def take(self) -> dict[str, float]:
        """What it came to since the last call, in the mean over the worlds.

        A ratio by nothing is 0: whoever reads these wants each of them every time.
        """
        worlds, steps = len(self._episode), max(1, self._steps)
        means = self._sums / np.where(self._columns.counted, worlds, worlds * steps)
        self._sums, self._steps = np.zeros_like(self._sums), 0
        return dict.fromkeys(self._columns.wanted, 0.0) | self._columns.told(means)

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
