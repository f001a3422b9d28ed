"""The hidden row of a ship: where its parts stand, and views of them.

`VectorWorld.reveal()` gives one row per world. The order is that of the native core's `reveal.rs`:
the generator, then all nodes, all lanes, all rocks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from astrarium.worlds.prospector import layout
from astrarium.worlds.vector import Floats, Words

GENERATOR_WIDTH: Final = 4
"""Quarters of the generator's 64-bit state, 16 bits each, highest first: exact as floats."""

NODE_WIDTH: Final = 4
NODE_KIND: Final = 0
"""0 station, 1 cluster, 2 hazard, -1 where the belt has no such node."""
NODE_HAZARD: Final = 1
NODE_PIRATES: Final = 2
NODE_HOPS: Final = 3
"""Lanes between here and the station."""

LANE_WIDTH: Final = 4
LANE_TO: Final = 0
"""The node at the far end, -1 where there is no lane."""
LANE_TICKS: Final = 1
LANE_FUEL: Final = 2
LANE_THREAT: Final = 3
"""The true threat, not what was heard."""

ROCK_WIDTH: Final = 10
ROCK_PRESENT: Final = 0
"""1 where there is a rock; the other entries of a missing one are 0."""
ROCK_COMPOSITION: Final = slice(1, 1 + layout.N_COMMODITIES)
ROCK_RICHNESS: Final = 7
ROCK_STABILITY: Final = 8
ROCK_DEPLETION: Final = 9

NODES_AT: Final = GENERATOR_WIDTH
LANES_AT: Final = NODES_AT + layout.MAX_NODES * NODE_WIDTH
ROCKS_AT: Final = LANES_AT + layout.MAX_NODES * layout.MAX_NEIGHBORS * LANE_WIDTH
HIDDEN_DIM: Final = ROCKS_AT + layout.MAX_NODES * layout.MAX_ASTEROIDS * ROCK_WIDTH


@dataclass(frozen=True, slots=True)
class Hidden:
    """What no ship sees; n worlds. All but `generator` are views of the rows given."""

    generator: Words
    """(n,): where each generator stands; it decides every chance still to come."""
    nodes: Floats
    """(n, 32, 4): `NODE_*`."""
    lanes: Floats
    """(n, 32, 6, 4): `LANE_*`, by node and slot."""
    rocks: Floats
    """(n, 32, 16, 10): `ROCK_*`, by node and slot."""


def parse(rows: Floats) -> Hidden:
    """The parts of hidden rows, (n, `HIDDEN_DIM`)."""
    if rows.ndim != 2 or rows.shape[1] != HIDDEN_DIM or rows.dtype != np.float32:
        raise ValueError(
            f"hidden rows are float32 of shape (n, {HIDDEN_DIM}), not {rows.dtype} {rows.shape}; "
            "pass what reveal() returned"
        )
    n, nodes, lanes = len(rows), layout.MAX_NODES, layout.MAX_NEIGHBORS
    return Hidden(
        generator=_generator(rows[:, :GENERATOR_WIDTH]),
        nodes=rows[:, NODES_AT:LANES_AT].reshape(n, nodes, NODE_WIDTH),
        lanes=rows[:, LANES_AT:ROCKS_AT].reshape(n, nodes, lanes, LANE_WIDTH),
        rocks=rows[:, ROCKS_AT:].reshape(n, nodes, layout.MAX_ASTEROIDS, ROCK_WIDTH),
    )


def _generator(quarters: Floats) -> Words:
    state = np.zeros(len(quarters), dtype=np.uint64)
    for quarter in range(GENERATOR_WIDTH):
        state = state << np.uint64(16) | quarters[:, quarter].astype(np.uint64)
    return state
