"""Fieldseeker: a boat finds a fire by what it feels of the fields around it."""

from __future__ import annotations

from functools import partial
from typing import Final

import pydantic

from astrarium.worlds.config import WorldConfig
from astrarium.worlds.fieldseeker.bots import up_the_warmth
from astrarium.worlds.fieldseeker.presentation import PRESENTATION
from astrarium.worlds.native import NativeVectorWorld
from astrarium.worlds.registry import WorldEntry, Yardstick

LAYERS: Final = ("surface", "submerged", "abyss")
SHELLS: Final = ("near", "middle", "far")
WEDGES: Final = (
    "ahead",
    "ahead_left",
    "left",
    "astern_left",
    "astern",
    "astern_right",
    "right",
    "ahead_right",
)
FIELDS: Final = ("temperature", "noise", "occupancy", "sonar_return")


class FieldseekerConfig(WorldConfig):
    """Settings of Fieldseeker."""

    ticks_max: int = pydantic.Field(default=120, ge=1, le=1_000_000)
    """Decisions, of five seconds each, until the episode is cut off."""


WORLDS: Final = (
    WorldEntry(
        id="fieldseeker-v1",
        title="Fieldseeker",
        summary="A boat with two levers feels its way to a fire through the fields around it.",
        config=FieldseekerConfig,
        make=partial(NativeVectorWorld.make, "fieldseeker-v1"),
        action_names=(),
        control_names=("throttle", "rudder"),
        obs_names=tuple(
            f"{layer}.{shell}.{wedge}[{field}]"
            for layer in LAYERS
            for shell in SHELLS
            for wedge in WEDGES
            for field in FIELDS
        ),
        agent_names=("boat",),
        bots={"up_the_warmth": up_the_warmth},
        outcomes={"final_distance_m": "distance_m", "reached_share": "reached"},
        yardsticks=(
            Yardstick("distance_m", higher_is_better=False),
            Yardstick("reached", is_share=True),
        ),
        presentation=PRESENTATION,
    ),
)
