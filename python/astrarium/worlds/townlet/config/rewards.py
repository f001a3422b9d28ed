"""`rewards` and `shaping`: what pays and costs, per agent and tick."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from astrarium.worlds.townlet.config.node import Count, Figure, Flag, Node, Share

Rate = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=0, le=0.1)]


class NeedsWeights(Node):
    """`rewards.needs_weights`: weights of the squared deficits."""

    hunger: Figure = Field(default=1.0, ge=0.5, le=2)
    hygiene: Figure = Field(default=0.6, ge=0.2, le=1)
    energy: Figure = Field(default=0.8, ge=0.4, le=1.5)


class DecayRates(Node):
    """`rewards.decay_rates`: need lost per tick."""

    hunger: Rate = 0.0012
    hygiene: Rate = 0.0009
    energy: Rate = 0.0007


class SocialRewards(Node):
    """`rewards.social`: chats and avoided conflicts."""

    chat_base: Figure = Field(default=0.01, ge=0, le=0.1)
    """Base of a chat's bonus and penalty."""
    chat_scale: Share = 0.1
    """Scale of the bonus."""
    avoidance: Figure = Field(default=0.005, ge=0, le=0.02)
    """Per avoided conflict."""


class Clip(Node):
    """`rewards.clip`: guardrails."""

    clip_per_tick: Figure = Field(default=0.2, ge=0.01, le=1)
    """Most reward of a tick, either way."""
    clip_per_episode: Figure = Field(default=50.0, ge=1, le=200)
    """Most reward of a life, either way."""
    no_positive_within_death_ticks: Count = Field(default=10, ge=0, le=200)
    """Ticks around a collapse without positive reward."""


class Rewards(Node):
    """`rewards`."""

    survival_tick: Figure = Field(default=0.002, ge=0, le=0.01)
    """For being there."""
    needs_weights: NeedsWeights = NeedsWeights()
    needs_scale: Share = 0.02
    """Scale of all needs together: without it every tick would end at the clip."""
    decay_rates: DecayRates = DecayRates()
    wage_rate: Figure = Field(default=0.01, ge=0, le=0.05)
    """For a paid tick, and against a withheld one."""
    punctuality_bonus: Figure = Field(default=0.05, ge=0, le=0.1)
    """Once per shift, at arrival."""
    social: SocialRewards = SocialRewards()
    faint_penalty: Figure = Field(default=-1.0, ge=-5, le=0)
    """On the exits `faint`, `exposure` and `neglect`."""
    eviction_penalty: Figure = Field(default=-2.0, ge=-5, le=0)
    """On the exits `eviction` and `unemployment`."""
    clip: Clip = Clip()


class Shaping(Node):
    """`shaping`: differences of a potential."""

    use_potential: Flag = True
    gamma: Share = 0.99
    """Discount of the new potential."""
