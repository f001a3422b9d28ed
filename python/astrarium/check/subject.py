"""What is being checked: a way to make batches of one world, and what is known about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from astrarium.worlds import (
    Autoreset,
    VectorWorld,
    WorldConfig,
    WorldEntry,
    get,
    parse_config,
)

Maker = Callable[[int, int, Autoreset], VectorWorld]
"""From the number of worlds, threads and the autoreset mode to a new batch."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A world under test."""

    name: str
    make: Maker
    entry: WorldEntry | None = None
    """Its registration, with bots and names; a bare factory has none."""
    config: WorldConfig | None = None
    """The settings its batches are made with, where a registration tells."""


def as_subject(
    target: str | WorldEntry | Maker, config: Mapping[str, Any] | None = None
) -> Subject:
    """A registered id, an entry or a factory as something to check.

    `config` is for the first two; a factory has its settings inside.
    """
    if isinstance(target, str):
        target = get(target)
    if not isinstance(target, WorldEntry):
        name = getattr(target, "__qualname__", type(target).__name__)
        return Subject(name, target)
    entry = target
    settings = parse_config(entry.config, config, where=entry.id)

    def make(num_worlds: int, threads: int, autoreset: Autoreset) -> VectorWorld:
        return entry.make(settings, num_worlds, threads, autoreset)

    return Subject(entry.id, make, entry, settings)
