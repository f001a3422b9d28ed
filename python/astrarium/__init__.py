"""Astrarium: one deterministic movement driving several worlds."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

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
    SeedError,
    ShapeError,
    SnapshotError,
    UncopyableError,
    UnknownWorldError,
    WorldIndexError,
    WorldPanicError,
)

if TYPE_CHECKING:
    from astrarium import logs, worlds
    from astrarium.worlds import make_vec

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
    "SeedError",
    "ShapeError",
    "SnapshotError",
    "UncopyableError",
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
