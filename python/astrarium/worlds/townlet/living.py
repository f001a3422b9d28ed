"""How people lived in a batch of towns: what a town is judged by, day after day, for every episode.

The same figures as those of a watched town (see `stability.kpis`), but read off the arrays of a
batch, so that hundreds of lives cost little more than playing them.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from astrarium.worlds.ladder import Places
from astrarium.worlds.townlet.config import TownletConfig
from astrarium.worlds.townlet.names import obs_names
from astrarium.worlds.townlet.stability.kpis import WELL
from astrarium.worlds.vector import Layout, VectorWorld

FIGURES: Final = ("self_sufficient", "attendance", "tied")
"""What is judged besides the return; more is better."""
_NEEDS: Final = ("need_hunger", "need_hygiene", "need_energy")


class Living:
    """Shown every step of a batch; knows how each of its episodes went."""

    def __init__(self, config: TownletConfig, layout: Layout, episodes: int) -> None:
        names = obs_names(config)
        self._day: Final = config.time.ticks_per_day
        self._needs: Final = [names.index(name) for name in _NEEDS]
        self._on_shift: Final = names.index("on_shift")
        self._in_time: Final = names.index("shift_on_time")
        self._wage: Final = layout.terms.index("wage")
        self._tied: Final = layout.stats.index("tied_share")
        self._arrived: Final = 1 << layout.events.index("arrived")
        size = (episodes, layout.agents)
        self._tick = 0
        self._since: Final = np.ones(size, np.int64)
        """When whoever is there was first seen: of the first day nobody has seen all."""
        self._unwell: Final = np.full(size, -1, np.int64)
        """When a need of theirs was low for the last time."""
        self._scheduled: Final = np.zeros(size, np.bool_)
        """Whether they are to work in the tick that comes."""
        self._sums: Final = np.zeros((episodes, 6))
        """Settled people and those of them who were well, ticks due and worked, days and ties."""

    def __call__(self, world: VectorWorld, running: Places, places: Places) -> None:
        """Note a step: the episodes that took part in it, and where they are in the batch."""
        self._tick += 1
        # A world that has ended shows the beginning of another episode.
        over = world.episode[places] != 0
        self._note_work(world, running, places)
        running, places = running[~over], places[~over]
        here, seen = world.alive[places] != 0, world.obs[places]
        new = (world.events[places] & self._arrived) != 0
        self._since[running] = np.where(new, self._tick, self._since[running])
        low = here & (seen[..., self._needs].min(-1) <= np.float32(WELL))
        self._unwell[running] = np.where(low, self._tick, self._unwell[running])
        self._scheduled[running] = here & (seen[..., self._on_shift] > 0)
        if self._tick % self._day == self._day - 1:
            self._note_day(world, running, places)

    def _note_work(self, world: VectorWorld, running: Places, places: Places) -> None:
        due = self._scheduled[running] & (world.alive[places] != 0)
        paid = world.terms[places][..., self._wage] > 0
        in_time = world.obs[places][..., self._in_time] > 0
        self._sums[running, 2] += due.sum(1)
        self._sums[running, 3] += (due & paid & in_time).sum(1)

    def _note_day(self, world: VectorWorld, running: Places, places: Places) -> None:
        start = self._tick - self._day
        settled = (world.alive[places] != 0) & (self._since[running] <= start + 1)
        well = settled & (self._unwell[running] <= start)
        self._sums[running, 0] += settled.sum(1)
        self._sums[running, 1] += well.sum(1)
        self._sums[running, 4] += 1
        self._sums[running, 5] += world.stats[places, self._tied]

    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """By figure, one entry for each episode; 0 where there was nobody to judge."""
        settled, well, due, worked, days, tied = self._sums.T
        shares = zip((well, worked, tied), (settled, due, days), strict=True)
        values = (part / np.maximum(whole, 1) for part, whole in shares)
        return dict(zip(FIGURES, values, strict=True))
