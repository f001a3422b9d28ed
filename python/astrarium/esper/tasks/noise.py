"""Images and labels without meaning, to time the machinery when no data is at hand."""

from __future__ import annotations

import numpy as np

from astrarium.esper.tasks.dataset import Dataset, Part
from astrarium.train.streams import stream


def load(train: int, validation: int, test: int) -> Dataset:
    """Noise of the shape of CIFAR-10. Nothing can be learnt from it."""
    return Dataset(*(_part(place, n) for place, n in enumerate((train, validation, test))))


def _part(place: int, count: int) -> Part:
    generator = stream(0, "esper.noise", place)
    images = generator.standard_normal((count, 3, 32, 32), dtype=np.float32)
    return Part(images, generator.integers(10, size=count))
