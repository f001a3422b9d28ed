"""What captures of teachers are to show of a world, and what they are called by."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple


class Label(NamedTuple):
    """What a world is under some settings, in two words."""

    config_id: str
    """Its settings, as whoever runs such a world calls them."""
    variant: str
    """What its observations mean."""


@dataclass(frozen=True, slots=True)
class Capturing:
    """What a world asks of captures of its teachers; by default nothing."""

    required: Mapping[str, str] = field(default_factory=dict[str, str])
    """Events that must happen in some capture of a set, and how each comes about."""
    hard_times: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Settings, on top of those of a lesson, under which a part of it is played: what is required
    may be too rare otherwise."""
    label: Callable[[Any], Label] | None = None
    """From a config; without one, a digest of it and the id of the world."""
