"""Stripes in colour and noise: the class is their direction and spacing, which no pixel shows."""

from __future__ import annotations

from typing import Final

import numpy as np

from astrarium.esper.tasks.dataset import Dataset, Part
from astrarium.train.streams import stream

SIDE: Final = 16
DIRECTIONS: Final = 4
CYCLES: Final = (2.0, 4.0)
"""Stripes across the image."""
NOISE: Final = 0.6
_STEPS: Final = 256
"""Values are whole steps of 1/256: the last bit of a sine differs between machines."""


def load(train: int, validation: int, test: int) -> Dataset:
    """The same images every time, all classes equally often."""
    parts = enumerate((train, validation, test))
    return Dataset(*(generate(stream(0, "esper.stripes", part), n) for part, n in parts))


def generate(generator: np.random.Generator, count: int) -> Part:
    """`count` images, the classes in turn."""
    labels = np.arange(count) % (DIRECTIONS * len(CYCLES))
    angle = np.pi * (labels % DIRECTIONS) / DIRECTIONS
    cycles = np.asarray(CYCLES)[labels // DIRECTIONS]
    phase = generator.uniform(0, 2 * np.pi, count)
    colour = generator.uniform(0, 1, (count, 3))
    place = np.arange(SIDE) / SIDE
    across = np.multiply.outer(np.cos(angle), place)[:, None, :]
    down = np.multiply.outer(np.sin(angle), place)[:, :, None]
    wave = np.sin(2 * np.pi * cycles[:, None, None] * (across + down) + phase[:, None, None])
    noise = NOISE * generator.standard_normal((count, 3, SIDE, SIDE))
    images = colour[:, :, None, None] * wave[:, None] + noise
    return Part((np.rint(images * _STEPS) / _STEPS).astype(np.float32), labels.astype(np.int64))
