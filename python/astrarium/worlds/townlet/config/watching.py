"""`stability`: when a town is said to be in trouble. A negative limit switches an alert off."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from astrarium.worlds.townlet.config.node import Figure, Node, Share

Window = Annotated[int, Field(strict=True, ge=1, le=100_000)]
Limit = Annotated[int, Field(strict=True, ge=-1, le=100_000)]
Intensity = Annotated[float, Field(strict=True, allow_inf_nan=False, gt=0, le=1_000_000)]
Samples = Annotated[int, Field(strict=True, ge=1, le=1_000_000)]


class Starvation(Node):
    """`stability.starvation`."""

    hunger_max: Share = 0.05
    """Hunger at or below this ..."""
    duration_ticks: Window = 30
    """... for so many ticks in a row is an incident, once."""
    incidents_max: Limit = 0
    """More than these ..."""
    window_ticks: Window = 1000
    """... in so many ticks raise the alert."""


class RewardVariance(Node):
    """`stability.reward_variance`."""

    variance_max: Figure = Field(default=0.25, ge=-1, le=100)
    samples_min: Samples = 20
    """Rewards of one agent in one tick each."""
    window_ticks: Window = 1000


class OptionThrash(Node):
    """`stability.option_thrash`."""

    rate_max: Figure = Field(default=0.25, ge=-1, le=1)
    """Options dropped unfinished, of all decisions."""
    samples_min: Samples = 10
    window_ticks: Window = 600


class Stability(Node):
    """`stability`."""

    lateness_threshold: Limit = 3
    """Agents that may be late or absent on one day."""
    starvation: Starvation = Starvation()
    reward_variance: RewardVariance = RewardVariance()
    option_thrash: OptionThrash = OptionThrash()
    affordance_fail_threshold: Limit = 5
    """Failures allowed in one tick."""
    conflict_intensity_mean: Intensity | None = None
    """What quarrels in queues come to in a day, or in an episode if that is shorter, where all is
    as it should be; the figure is then told in colour."""


class Watching(Node):
    """The part of a town's file that is about watching it; no rule of the town asks for it."""

    stability: Stability = Stability()
