"""Rules of `features` that are off by default: weather and warmth, spoilage, drama."""

from __future__ import annotations

from typing import Annotated

import pydantic
from pydantic import Field

from astrarium.worlds.townlet.config.node import Count, Figure, Flag, Node, Share

StepTicks = Annotated[int, Field(strict=True, ge=1, le=10)]


class Chances(Node):
    """`features.weather.chances`: how likely each weather is, as weights."""

    sunny: Share = 0.7
    rainy: Share = 0.2
    """Ways in the open take longer."""
    cold: Share = 0.1
    """Nobody should stay out."""


def _some_chance(chances: Chances) -> Chances:
    if chances.sunny + chances.rainy + chances.cold <= 0:
        raise ValueError("must give some weather a chance above 0")
    return chances


class Weather(Node):
    """`features.weather`: a weather a day, and what it does to people."""

    enabled: Flag = False
    chances: Annotated[Chances, pydantic.AfterValidator(_some_chance)] = Chances()
    rain_step_ticks: StepTicks = 2
    """Ticks a step in the open costs in the rain."""
    warmth: Flag = False
    """People have a fourth need, and can die of the cold; needs `enabled`."""
    warmth_loss: Figure = Field(default=0.004, ge=0, le=0.1)
    """Per tick in the open, in the cold."""
    warmth_gain: Figure = Field(default=0.02, ge=0, le=0.1)
    """Per tick anywhere else."""
    exposure_threshold: Share = 0.05
    """Warmth below this, in the open, in the cold ..."""
    exposure_ticks: Count = Field(default=30, ge=1, le=1000)
    """... for so many ticks in a row ends in an exit."""


class Spoilage(Node):
    """`features.spoilage`: meals people carry go bad."""

    enabled: Flag = False
    after_ticks: Count = Field(default=500, ge=1, le=100_000)


class Drama(Node):
    """`features.drama`: scenes that cost time and nothing else."""

    enabled: Flag = False
    argument_rivalry: Share = 0.7
    """Rivalry from which two in one queue argue."""
    argument_ticks: Count = Field(default=5, ge=1, le=100)
    """How long that takes."""
    argument_rest_ticks: Count = Field(default=120, ge=0, le=10_000)
    """Ticks after which they may argue again."""
    rage_rivalry: Share = 0.9
    """Rivalry from which the angrier one storms off afterwards."""
    spiral_failures: Count = Field(default=3, ge=1, le=100)
    """Failures in a day that make it a bad one."""
    spiral_step_ticks: StepTicks = 2
    """Ticks a step costs on a bad day, until sleep."""
