"""Fields over a plane (temperature, noise, smoke, ...) that spread, fade, are stamped on and read.

    space = MorphoSpace(4_000, 4_000, cell=125)
    space.fire((0, 0), radius=300, intensity=1.0)
    space.step()

Metres, seconds and radians. What cannot be is an error of `astrarium.errors`: `ConfigError` for a
setting, a field or a place, `ShapeError` for an array of another size.
"""

from __future__ import annotations

from typing import Final

from astrarium._native import FieldVolume, MorphoSpace, Shape

__all__ = ["FIELDS", "FOVEA_SHAPE", "FieldVolume", "MorphoSpace", "Shape"]

FIELDS: Final = (
    "occupancy",
    "material",
    "integrity",
    "temperature",
    "smoke",
    "noise",
    "signal",
    "current_x",
    "current_y",
    "depth",
    "salinity",
    "sonar_return",
    "light",
    "jam",
)
"""The fields, by id."""
FOVEA_SHAPE: Final = (3, 3, 8, 4)
"""Layers, shells, wedges and fields (temperature, noise, occupancy, sonar_return) of a view."""
