"""A scripted boat, for comparison with a learned one."""

from __future__ import annotations

from typing import Final

import numpy as np

from astrarium.worlds.vector import Flags, Floats

_SHAPE: Final = (3, 3, 8, 4)
_ANGLES: Final = np.arange(8) * (np.pi / 4)
_FELT: Final = 1e-3
"""Warmth of a shell above which it can be followed."""
_TURN: Final = np.pi / 4
"""Radians turned in a decision at full rudder."""


def up_the_warmth(obs: Floats, mask: Flags) -> Floats:
    """Steer for the warmth of the nearest shell that has any; circle while none is felt."""
    warmth = obs.reshape(*obs.shape[:-1], *_SHAPE)[..., 0, :, :, 0].astype(np.float64)
    felt = warmth.max(axis=-1) > _FELT
    nearest = felt.argmax(axis=-1)[..., np.newaxis, np.newaxis]
    shell = np.take_along_axis(warmth, nearest, axis=-2)[..., 0, :]
    bearing = np.arctan2(shell @ np.sin(_ANGLES), shell @ np.cos(_ANGLES))
    rudder = np.where(felt.any(axis=-1), np.clip(bearing / _TURN, -1, 1), 0.5)
    # A boat that turns hard slows down, or it would circle around what it looks for.
    throttle = 1.0 - np.abs(rudder)
    # Rounded, so that the last bits of a library's sines do not decide.
    return np.round(np.stack((throttle, rudder), axis=-1), 3).astype(np.float32)
