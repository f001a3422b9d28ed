"""Deterministic worlds and the agents that live in them: train, watch, replay, play and operate.

Worlds are written in Rust and step as batches of NumPy arrays. `make_vec` makes a batch.
"""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING

if sys.platform == "win32":
    raise ImportError(
        "Astrarium needs the file locks of Linux or macOS; on Windows run it inside WSL 2"
    )

from astrarium.adapters import registration
from astrarium.errors import (
    ActionError,
    AstrariumError,
    ClosedError,
    ConcurrentUseError,
    ConfigError,
    CountError,
    DuplicateWorldError,
    EpisodeOverError,
    ForkedProcessError,
    MissingPackageError,
    OutOfMemoryError,
    ResetNeededError,
    SeedError,
    ShapeError,
    SnapshotError,
    UncopyableError,
    UnknownSettingError,
    UnknownWorldError,
    WorldIndexError,
    WorldPanicError,
)
from astrarium.native_build import folders_of_native_builds

if TYPE_CHECKING:
    from astrarium import logs, worlds
    from astrarium.worlds import make_vec

# A wheel brings a second build of the extension for newer processors; it is found first there.
__path__ = [*folders_of_native_builds(__path__[0]), *__path__]
__version__ = "0.1.0"

__all__ = [
    "ActionError",
    "AstrariumError",
    "ClosedError",
    "ConcurrentUseError",
    "ConfigError",
    "CountError",
    "DuplicateWorldError",
    "EpisodeOverError",
    "ForkedProcessError",
    "MissingPackageError",
    "OutOfMemoryError",
    "ResetNeededError",
    "SeedError",
    "ShapeError",
    "SnapshotError",
    "UncopyableError",
    "UnknownSettingError",
    "UnknownWorldError",
    "WorldIndexError",
    "WorldPanicError",
    "__version__",
    "logs",
    "make_vec",
    "worlds",
]


def __getattr__(name: str) -> object:
    """Load NumPy and pydantic on first use: they take half a second on a slow machine."""
    if name in ("logs", "worlds"):
        return importlib.import_module(f"astrarium.{name}")
    if name == "make_vec":
        return importlib.import_module("astrarium.worlds").make_vec
    raise AttributeError(f"module 'astrarium' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__


registration.install()
