"""Which stats of a world are to be read to know some of its figures.

A stat that counts grows from the beginning of its episode. A ratio is one count by another, of the
whole episode so far: what it is of a part follows from how much both grew in it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Final

import numpy as np
import numpy.typing as npt

from astrarium.worlds.vector import Layout, VectorWorld

Figures = npt.NDArray[np.float64]
Ratios = Mapping[str, tuple[str, str]]
"""By stat, the count it is of, and the count it is by."""
NO_RATIOS: Final[Ratios] = MappingProxyType({})


class StatColumns:
    """The columns behind some figures of a batch."""

    def __init__(
        self,
        layout: Layout,
        wanted: Collection[str],
        counts: Collection[str],
        ratios: Ratios = NO_RATIOS,
    ) -> None:
        """`wanted` are taken where the world has them."""
        self.wanted = [name for name in layout.stats if name in wanted]
        """Of those, what the world has."""
        self._ratios = {name: ratios[name] for name in self.wanted if name in ratios}
        parts = [self._ratios.get(name, (name,)) for name in self.wanted]
        self.names = tuple(dict.fromkeys(name for some in parts for name in some))
        """Of what `read` gives."""
        growing = {*counts, *(name for pair in self._ratios.values() for name in pair)}
        self._at = [layout.stats.index(name) for name in self.names]
        self.counted = np.array([name in growing for name in self.names], np.bool_)
        """Which of them only grow."""

    def read(self, world: VectorWorld) -> Figures:
        """As of the last step, by world; as in windows, one that is not finite is 0."""
        now = np.nan_to_num(world.stats[:, self._at], nan=0.0, posinf=0.0, neginf=0.0)
        return now.astype(np.float64)

    def told(self, came: Figures) -> dict[str, float]:
        """The wanted figures, from what each column came to; a ratio by nothing is left out."""
        known = dict(zip(self.names, came.tolist(), strict=True))
        for name, (part, whole) in self._ratios.items():
            if known[whole] != 0.0:
                known[name] = known[part] / known[whole]
        return {name: known[name] for name in self.wanted if name in known}
