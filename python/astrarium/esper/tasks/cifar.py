"""CIFAR-10 from the user's own files.

Its own test images stay the test part. Of every class a tenth of the training images, chosen once
and for all, becomes the validation part: 45,000, 5,000 and 10,000 images of the whole set.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from astrarium.esper.contracts.errors import DatasetError
from astrarium.esper.tasks.cifar_files import Images, read_batches, read_packed
from astrarium.esper.tasks.dataset import Dataset, Labels, Part, stratified
from astrarium.train.streams import stream

MEAN: Final = (0.4914, 0.4822, 0.4465)
DEVIATION: Final = (0.2470, 0.2435, 0.2616)
CLASSES: Final = 10
DEALING: Final = (0,) * 9 + (1,)
"""Of ten training images, nine are learnt from and one validates."""


def load(place: Path) -> Dataset:
    """The images at `place`, a folder of python batches or a packed file, standardised."""
    read = read_batches if place.is_dir() else read_packed
    (images, labels), (test_images, test_labels) = read(place)
    for found in (labels, test_labels):
        if not len(found) or found.min() < 0 or found.max() >= CLASSES:
            raise DatasetError(f"{place}: labels must be there and from 0 to {CLASSES - 1}")
    train, validation = stratified(labels, DEALING, stream(0, "esper.cifar"))
    return Dataset(
        _part(images, labels, train),
        _part(images, labels, validation),
        _part(test_images, test_labels, np.arange(len(test_labels))),
    )


def _part(images: Images, labels: Labels, chosen: npt.NDArray[np.int64]) -> Part:
    """Some of the images, each value looked up: all 256 of a channel are worked out once."""
    inputs = np.empty((len(chosen), *images.shape[1:]), np.float32)
    for channel, (mean, deviation) in enumerate(zip(MEAN, DEVIATION, strict=True)):
        values = ((np.arange(256) / 255 - mean) / deviation).astype(np.float32)
        inputs[:, channel] = values[images[chosen, channel]]
    return Part(inputs, labels[chosen])
