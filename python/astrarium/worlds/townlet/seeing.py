"""What an agent of a town sees, by name and place: consumers ask here, not for constants."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

from astrarium.worlds.townlet.config import TownletConfig
from astrarium.worlds.townlet.names import TARGETS, feature_names, map_channels, map_window


@dataclass(frozen=True)
class Seeing:
    """The map, then the features: their shapes, names and places."""

    variant: str
    layout: str
    map_channels: tuple[str, ...]
    map_shape: tuple[int, int, int]
    """Channels, rows from north to south, columns from west to east."""
    feature_names: tuple[str, ...]
    compact: dict[str, Any]
    """The settings of the compact variant; empty in the others."""

    @classmethod
    def of(cls, config: TownletConfig) -> Seeing:
        """As the agents of `config` see."""
        channels, side = map_channels(config), map_window(config)
        variant = config.features.systems.observations
        compact = config.observations.compact
        return cls(
            variant,
            config.observations.layout,
            channels,
            (len(channels), side, side),
            feature_names(config),
            compact.model_dump(mode="json") if variant == "compact" else {},
        )

    @property
    def map_size(self) -> int:
        """Floats before the first feature."""
        return prod(self.map_shape)

    @cached_property
    def feature_index(self) -> dict[str, int]:
        """The place of each feature, counted from the first one."""
        return {name: place for place, name in enumerate(self.feature_names)}

    @property
    def landmark_slices(self) -> dict[str, tuple[int, int]]:
        """Where the way to each landmark is told, as first feature and the one after the last."""
        found = {target: self.feature_index.get(f"{target}_dx") for target in TARGETS}
        return {name: (first, first + 3) for name, first in found.items() if first is not None}

    def metadata(self) -> dict[str, Any]:
        """All of it as plain values, for whoever stores or sends it."""
        return {
            "variant": self.variant,
            "layout": self.layout,
            "map_shape": list(self.map_shape),
            "map_channels": list(self.map_channels),
            "feature_names": list(self.feature_names),
            "feature_index": dict(self.feature_index),
            "landmark_slices": {name: list(ends) for name, ends in self.landmark_slices.items()},
            "compact": dict(self.compact),
        }
