"""What one side did in a case, as arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from astrarium.parity.side import StepRecord
from astrarium.worlds.vector import Floats

Trace = dict[str, npt.NDArray[Any]]
"""`reward`, `terminated`, `truncated`, `dt`, `obs`, `info_<key>`, one row per step; beside them
`invalid_action`, `action` and `generator` as far as the side reports them, and `reset_obs`, one
row per episode."""


class Recorder:
    """Keeps one side's records; arrays are only made when somebody wants to see them."""

    def __init__(self, metric_names: tuple[str, ...]) -> None:
        self._metric_names = metric_names
        self._resets: list[Floats] = []
        self._records: list[StepRecord] = []

    def reset(self, obs: Floats) -> None:
        """An episode began."""
        self._resets.append(obs)

    def step(self, record: StepRecord) -> None:
        """A step was taken."""
        self._records.append(record)

    def trace(self, obs_dim: int) -> Trace:
        """Everything so far."""
        records = self._records
        trace: Trace = {
            "reward": self._column(lambda record: record.reward, np.float32),
            "terminated": self._column(lambda record: record.terminated, np.bool_),
            "truncated": self._column(lambda record: record.truncated, np.bool_),
            "dt": self._column(lambda record: record.dt, np.int32),
            "invalid_action": self._column(lambda record: record.invalid_action, np.bool_),
            # Shaped even when the first reset already differed and nothing was stepped.
            "obs": _rows([record.obs for record in records], obs_dim),
            "reset_obs": _rows(self._resets, obs_dim),
        }
        metrics = _rows([record.metrics for record in records], len(self._metric_names))
        for index, name in enumerate(self._metric_names):
            trace[f"info_{name}"] = metrics[:, index]
        if all(record.action is not None for record in records):
            trace["action"] = self._column(lambda record: record.action, np.int16)
        if all(record.generator is not None for record in records):
            trace["generator"] = self._column(lambda record: record.generator, np.uint64)
        return trace

    def _column(
        self, read: Callable[[StepRecord], Any], dtype: type[np.generic]
    ) -> npt.NDArray[Any]:
        return np.array([read(record) for record in self._records], dtype=dtype)


def _rows(rows: list[Floats], width: int) -> Floats:
    return np.array(rows, dtype=np.float32).reshape(len(rows), width)
