"""What came of the latest day of every world, however long rollouts are.

A rollout is seldom a day long. What it earned then says which hours fell into it, and two of them
cannot be compared. Days can: each has every hour once. In a world without days an episode is one,
and so is an episode that ends before its first day is over; what is left of an episode after its
last whole day is left out.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from astrarium.runs.errors import CheckpointError
from astrarium.train.stat_columns import Figures, StatColumns
from astrarium.worlds.registry import WorldEntry
from astrarium.worlds.vector import VectorWorld

REWARD: Final = "reward"
_ENDLESS: Final = np.iinfo(np.int64).max


class DayMeter:
    """Reward and some stats of one batch, day by day."""

    def __init__(
        self, world: VectorWorld, entry: WorldEntry, wanted: Collection[str], day_steps: int | None
    ) -> None:
        """`wanted` are taken where the world has them; `day_steps` is None in one without days."""
        self._columns = StatColumns(world.layout, wanted, entry.counts, entry.ratios)
        self._day_steps = _ENDLESS if day_steps is None else day_steps
        n, width = world.num_worlds, len(self._columns.names)
        self._steps = np.zeros(n, np.int64)
        """Of the day at hand, as are the next two."""
        self._paid = np.zeros(n)
        self._at_dawn: Figures = np.zeros((n, width))
        self._is_later = np.zeros(n, np.bool_)
        """Whether the episode has had a whole day already."""
        self._episode = world.episode.copy()
        self._known = np.zeros(n, np.bool_)
        """Whether a day is over, of which the next two tell."""
        self._latest_paid = np.zeros(n)
        self._latest: Figures = np.zeros((n, width))

    def note(self, world: VectorWorld) -> None:
        """Take in the step the batch has just made."""
        self._steps += 1
        self._paid += np.nan_to_num(world.reward, posinf=0.0, neginf=0.0).sum(1, dtype=np.float64)
        now = self._columns.read(world)
        over = world.episode != self._episode
        ends = (self._steps == self._day_steps) | (over & ~self._is_later)
        came = np.where(self._columns.counted, now - self._at_dawn, now)
        self._latest[ends], self._latest_paid[ends] = came[ends], self._paid[ends]
        self._known |= ends
        fresh = ends | over
        self._steps[fresh], self._paid[fresh] = 0, 0.0
        self._at_dawn[fresh] = now[fresh]
        # The figures of a world that ended are final; those of its next episode begin at 0.
        self._at_dawn[over] = 0.0
        self._is_later = (self._is_later | ends) & ~over
        self._episode[:] = world.episode

    def figures(self) -> dict[str, float]:
        """Of the latest days in the mean over the worlds; nothing before each has had one.

        Counts by how much they grew in the day, ratios by that of their counts (left out where it
        is by nothing), levels as they were at its end.
        """
        if not self._known.all():
            return {}
        told = self._columns.told(self._latest.mean(0))
        return {**told, REWARD: float(self._latest_paid.mean())}

    def state(self) -> dict[str, Any]:
        """What a meter made with the same arguments needs to go on, as plain lists."""
        return {name: array.tolist() for name, array in self._arrays().items()}

    def load(self, state: Mapping[str, Any]) -> None:
        """Go on from what `state` gave."""
        for name, own in self._arrays().items():
            if name not in state or np.shape(state[name]) != own.shape:
                raise CheckpointError(
                    f"the checkpoint does not say how the days of its worlds went ({name}); "
                    "resume with the version that wrote it, or begin a run with --init-from"
                )
            own[...] = state[name]

    def _arrays(self) -> dict[str, npt.NDArray[Any]]:
        return {
            "steps": self._steps,
            "paid": self._paid,
            "at_dawn": self._at_dawn,
            "is_later": self._is_later,
            "episode": self._episode,
            "known": self._known,
            "latest_paid": self._latest_paid,
            "latest": self._latest,
        }
