"""Handwritten digits, 8×8, as scikit-learn brings them along."""

from __future__ import annotations

import importlib
from typing import Final

import numpy as np
import numpy.typing as npt

from astrarium.errors import MissingPackageError
from astrarium.esper.tasks.dataset import Dataset, Labels, Part, stratified
from astrarium.train.streams import stream

DEALING: Final = (0, 0, 0, 1, 2)
"""Three of five to training, one each to validation and test."""


def load() -> Dataset:
    """The 1,797 digits in parts that never change.

    All pixels share one mean and one deviation, those of the training part: were each pixel
    standardised by itself, a host of 1×1 kernels could tell places apart.
    """
    images, labels = _packaged()
    chosen = stratified(labels, DEALING, stream(0, "esper.digits"))
    # Pixels are whole numbers, so these sums are exact on every machine.
    train = images[chosen[0]].astype(np.int64)
    mean = train.sum() / train.size
    deviation = np.sqrt((train**2).sum() / train.size - mean**2)
    pixels = ((images - mean) / deviation).astype(np.float32)[:, None]
    return Dataset(*(Part(pixels[one], labels[one]) for one in chosen))


def _packaged() -> tuple[npt.NDArray[np.float64], Labels]:
    try:
        datasets = importlib.import_module("sklearn.datasets")
    except ModuleNotFoundError as error:
        raise MissingPackageError(
            "scikit-learn is not installed: pip install 'astrarium[esper]'", name="sklearn"
        ) from error
    bunch = datasets.load_digits()
    return np.asarray(bunch.images, np.float64), np.asarray(bunch.target, np.int64)
