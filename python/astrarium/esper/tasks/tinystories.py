"""Short stories as token numbers, from the user's own file."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from astrarium.esper.contracts.errors import DatasetError
from astrarium.esper.tasks.dataset import Dataset, Part

SHARES: Final = (0.6, 0.2, 0.2)


def load(place: Path, context: int, vocabulary: int) -> Dataset:
    """Windows of `context` tokens that do not overlap, each with the tokens that follow.

    The three parts are three stretches of the file, so no story but those at the borders is in two.
    """
    tokens = _tokens(place)
    windows = (len(tokens) - 1) // context
    ends = [int(windows * share) for share in np.cumsum(SHARES[:-1])]
    if windows < len(SHARES) / min(SHARES):
        raise DatasetError(f"{place} has {len(tokens)} tokens, too few windows of {context}")
    if tokens.min() < 0 or tokens.max() >= vocabulary:
        raise DatasetError(f"{place}: tokens must be from 0 to {vocabulary - 1}")
    inputs = tokens[: windows * context].reshape(windows, context)
    labels = tokens[1 : windows * context + 1].reshape(windows, context)
    parts = zip(np.split(inputs, ends), np.split(labels, ends), strict=True)
    return Dataset(*(Part(*part) for part in parts))


def _tokens(place: Path) -> npt.NDArray[np.int64]:
    try:
        stored: npt.NDArray[np.integer] | None = np.load(place, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise DatasetError(f"{place} is no .npy of token numbers: {error}") from error
    if not isinstance(stored, np.ndarray) or stored.ndim != 1 or stored.dtype.kind not in "iu":
        raise DatasetError(f"{place} must hold one row of whole numbers, as an .npy")
    return stored.astype(np.int64)
