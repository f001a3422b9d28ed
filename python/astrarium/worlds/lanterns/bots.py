"""A scripted keeper, for comparison with a learned one."""

from __future__ import annotations

from typing import Final

import numpy as np

from astrarium.worlds.vector import Actions, Flags, Floats

_OIL_MAX: Final = 24
_HALF_RING: Final = 8
# Lighting a lamp and walking on can cost four of the oil above what the way home takes, and a
# keeper must come home with some.
_SPARE_TO_WORK: Final = 5
_SPARE_TO_LIGHT: Final = 3
_STAY: Final = 1
_FIRST_LAMP: Final = 5
_LIGHT_IN_MASK: Final = 4


def nearest_dark_lamp(obs: Floats, mask: Flags) -> Actions:
    """Light what can be lit; walk home when the oil is short, else to the nearest dark lamp."""
    ways = obs[..., _FIRST_LAMP::2]
    lit = obs[..., _FIRST_LAMP + 1 :: 2] > 0.5
    # Two half rings are farther than any lamp, so a lit one is chosen only if all are.
    nearest = np.argmin(np.abs(ways) + 2.0 * lit, axis=-1)
    to_lamp = np.take_along_axis(ways, nearest[..., np.newaxis], axis=-1)[..., 0]
    to_depot = obs[..., 1]
    spare = np.rint(obs[..., 0] * _OIL_MAX - np.abs(to_depot) * _HALF_RING)
    homeward = (spare < _SPARE_TO_WORK) | lit.all(axis=-1)
    way = np.where(homeward, to_depot, to_lamp)
    actions = np.empty((*obs.shape[:-1], 2), np.int32)
    actions[..., 0] = _STAY + np.sign(way).astype(np.int32)
    actions[..., 1] = mask[..., _LIGHT_IN_MASK] & (spare >= _SPARE_TO_LIGHT)
    return actions
