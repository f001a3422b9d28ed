"""Lanterns: two keepers walk a ring and keep its lamps burning while the wind blows them out."""

from __future__ import annotations

from functools import partial
from typing import Final

import pydantic

from astrarium.worlds.config import WorldConfig
from astrarium.worlds.lanterns.bots import nearest_dark_lamp
from astrarium.worlds.lanterns.presentation import PRESENTATION
from astrarium.worlds.native import NativeVectorWorld
from astrarium.worlds.registry import WorldEntry

LAMPS: Final = 4


class LanternsConfig(WorldConfig):
    """Settings of Lanterns."""

    ticks_max: int = pydantic.Field(default=200, ge=1, le=1_000_000)
    """Ticks until the episode is cut off."""


WORLDS: Final = (
    WorldEntry(
        id="lanterns-v1",
        title="Lanterns",
        summary="Two keepers share a ring of lamps, a depot and a wind; the smallest world.",
        config=LanternsConfig,
        make=partial(NativeVectorWorld.make, "lanterns-v1"),
        action_names=(("left", "stay", "right"), ("rest", "light")),
        obs_names=(
            "oil",
            "way_to_depot",
            "other_in_play",
            "way_to_other",
            "time_left",
            *(f"lamp_{lamp}_{what}" for lamp in range(LAMPS) for what in ("way", "lit")),
        ),
        agent_names=("keeper_0", "keeper_1"),
        bots={"nearest_dark_lamp": nearest_dark_lamp},
        presentation=PRESENTATION,
    ),
)
