"""Data that users bring: where it is looked for, and how its absence is told."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from astrarium.errors import ConfigError
from astrarium.esper.contracts.errors import DatasetError
from astrarium.esper.tasks.spec import USER_DATA, DataKind, TaskSpec

VARIABLES: Final[Mapping[DataKind, str]] = MappingProxyType(
    {"cifar": "ASTRARIUM_CIFAR10", "tinystories": "ASTRARIUM_TINYSTORIES"}
)
"""Which environment variable names the place of each kind."""

_WANTED: Final[Mapping[DataKind, str]] = MappingProxyType(
    {
        "cifar": "the folder of CIFAR-10's python batches (data_batch_1 to 5 and test_batch) "
        "or an .npz of its images as JPEG",
        "tinystories": "an .npy of token numbers, one long row",
    }
)


def place_of(spec: TaskSpec, data: str | Path | None) -> Path | None:
    """Where the data of `spec` is: `data`, else the variable; None where none is needed."""
    if spec.data not in USER_DATA:
        if data is not None:
            raise ConfigError(f"data is {str(data)!r}; task {spec.name!r} brings its own, leave it")
        return None
    variable = VARIABLES[spec.data]
    given = str(data) if data is not None else os.environ.get(variable, "")
    ask = f"task {spec.name!r} needs {_WANTED[spec.data]}: name it with data or {variable}"
    if not given:
        raise DatasetError(ask)
    place = Path(given).expanduser()
    if not place.exists():
        raise DatasetError(f"{place} does not exist; {ask}")
    return place
