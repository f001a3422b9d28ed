"""How sure a mean is, without assuming how its figures are spread.

Accuracies of grown hosts are far from normal: most seeds end high and some fail outright.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from astrarium.errors import CountError
from astrarium.train.intervals import CONFIDENCE, Interval
from astrarium.train.streams import stream

SAMPLES: Final = 10_000
_STREAM: Final = "esper.experiment.bootstrap"


def mean_interval(values: Sequence[float]) -> Interval:
    """The mean and its 95 % interval: the middle of the means of samples drawn with replacement.

    The draws depend on the number of figures alone, so equal figures have equal intervals.
    """
    given = np.asarray(values, np.float64)
    if given.size == 0:
        raise CountError("there is no mean of no figures; run at least 1 seed")
    mean = float(given.mean())
    if given.size == 1:
        return Interval(mean, None, None)
    picks = stream(0, _STREAM, given.size).integers(0, given.size, (SAMPLES, given.size))
    tail = 50.0 * (1.0 - CONFIDENCE)
    low, high = np.percentile(given[picks].mean(axis=1), [tail, 100.0 - tail])
    return Interval(mean, float(low), float(high))
