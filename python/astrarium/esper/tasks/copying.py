"""Sequences that say everything twice: a Markov chain, then the same tokens again."""

from __future__ import annotations

from typing import Final

import numpy as np

from astrarium.esper.tasks.dataset import Dataset, Part
from astrarium.train.streams import stream

VOCABULARY: Final = 16
LENGTH: Final = 32
CONCENTRATION: Final = 0.3
"""Of the chain's rows: low enough that some tokens follow others far more often."""


def load(train: int, validation: int, test: int) -> Dataset:
    """The same sequences every time, all three parts from one chain."""
    rows = stream(0, "esper.copying.chain").dirichlet([CONCENTRATION] * VOCABULARY, VOCABULARY)
    parts = enumerate((train, validation, test))
    drawn = (generate(stream(0, "esper.copying", part), rows, count) for part, count in parts)
    # Each token but the last is asked what follows it.
    return Dataset(*(Part(tokens[:, :-1], tokens[:, 1:]) for tokens in drawn))


def generate(
    generator: np.random.Generator, rows: np.ndarray, count: int
) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """`count` sequences; `rows` says how likely each token follows each."""
    half = LENGTH // 2
    tokens = np.empty((count, LENGTH), np.int64)
    tokens[:, 0] = generator.integers(VOCABULARY, size=count)
    # The last bound is left out, so that no draw lies beyond it by rounding.
    bounds = np.cumsum(rows, axis=1)[:, :-1]
    for place in range(1, half):
        draw = generator.random(count)
        tokens[:, place] = (draw[:, None] >= bounds[tokens[:, place - 1]]).sum(axis=1)
    tokens[:, half:] = tokens[:, :half]
    return tokens
