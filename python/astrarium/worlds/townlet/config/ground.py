"""`time`, `env`, `world`, `features`, `observations`, `policy_runtime`: what fixes the shapes."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Final, Literal

import pydantic
from pydantic import Field

from astrarium.worlds.townlet.config.node import (
    Count,
    Flag,
    Name,
    Node,
    Position,
    QuietNode,
    Switch,
)
from astrarium.worlds.townlet.config.optional import Drama, Spoilage, Weather

Side = Annotated[int, Field(strict=True, ge=8, le=128)]
Stage = Literal["OFF", "A", "B", "C1", "C2", "C3"]
STAGES: Final[tuple[Stage, ...]] = ("OFF", "A", "B", "C1", "C2", "C3")
"""Stages of the social system, each including those before it."""
WALKABLE_TILES: Final = ".+=q"
"""Floor, door, road and queue node."""
BLOCKED_TILES: Final = "#CT"
"""Wall, counter and table."""


class Time(Node):
    """`time`: the only day length."""

    ticks_per_day: Count = Field(default=1000, ge=100, le=10_000)


class Env(Node):
    """`env`: the episode."""

    max_ticks: Count = Field(default=10_000, ge=1, le=100_000_000)
    """Ticks until everyone is cut off."""


class World(Node):
    """`world`: size and walls."""

    grid_size: tuple[Side, Side] = (48, 48)
    """Width and height."""
    layout: tuple[str, ...] | None = None
    """One text per row, a character per tile: `.` floor, `#` wall, `+` door, `=` road, `C` counter,
    `T` table, `q` queue node. Open floor without one."""
    bus_stop: Position = (1, 24)
    """Where newcomers arrive."""


class Stages(Node):
    """`features.stages`: how far the social system is switched on."""

    relationships: Stage = "C1"
    """OFF, A (ties form, unseen), B (seen), C1 to C3 (rewarded too)."""
    social_rewards: Literal["OFF", "C1", "C2", "C3"] = "C1"
    """At most the stage of the relationships."""


class Systems(Node):
    """`features.systems`: whole systems."""

    lifecycle: Switch = "on"
    """Exits and arrivals."""
    observations: Literal["hybrid", "full", "compact"] = "hybrid"
    """The variant of the observation."""


class BehaviorFeatures(Node):
    """`features.behavior`: what personality reaches."""

    personality_profiles: Flag = True
    """Draw profiles from `personalities`; otherwise everyone is balanced."""
    reward_multipliers: Flag = False
    """Profiles scale rewards."""


class ObservationFeatures(Node):
    """`features.observations`: optional channels."""

    personality_channels: Flag = False
    """Three more features: the agent's own traits."""


class Features(QuietNode):
    """`features`: stages and switches."""

    quiet: ClassVar[frozenset[str]] = frozenset({"weather", "spoilage", "drama", "patience"})

    stages: Stages = Stages()
    systems: Systems = Systems()
    behavior: BehaviorFeatures = BehaviorFeatures()
    relationship_modifiers: Flag = True
    """Traits change how ties grow."""
    observations: ObservationFeatures = ObservationFeatures()
    allow_unlivable: Flag = False
    """Accept a town in which a day is too short to stay alive."""
    weather: Weather = Weather()
    """A weather a day, and what it does to people."""
    spoilage: Spoilage = Spoilage()
    """Meals people carry go bad."""
    drama: Drama = Drama()
    """Scenes in queues, and bad days."""
    patience: Flag = False
    """The more patient of two comes first where both want the same in the same tick."""

    @pydantic.model_serializer(mode="wrap")
    def _what_was_said(self, plain: pydantic.SerializerFunctionWrapHandler) -> dict[str, Any]:
        unsaid = self._unsaid()
        if not self.allow_unlivable:  # a permission nobody gave is no part of it either
            unsaid.add("allow_unlivable")
        return {name: value for name, value in plain(self).items() if name not in unsaid}


def _odd(side: int) -> int:
    if side % 2 == 0 or not 3 <= side <= 31:
        raise ValueError("must be odd, 3 to 31")
    return side


def _odd_or_none(side: int) -> int:
    if side != 0 and (side % 2 == 0 or not 3 <= side <= 31):
        raise ValueError("must be odd, 3 to 31, or 0 for no map")
    return side


class HybridView(Node):
    """`observations.hybrid`, which the full variant shares."""

    local_window: Annotated[Count, pydantic.AfterValidator(_odd)] = 11
    """Side of the window."""


class CompactView(Node):
    """`observations.compact`."""

    map_window: Annotated[Count, pydantic.AfterValidator(_odd_or_none)] = 7
    """Side of the window; 0 for no map."""
    object_channels: tuple[Name, ...] = ()
    """Types of objects with a channel of their own."""
    normalize_counts: Flag = True
    """Neighbour counts are shares of the window."""


class Observations(QuietNode):
    """`observations`: what agents see."""

    quiet: ClassVar[frozenset[str]] = frozenset({"include_weather"})

    layout: Literal["extended", "core"] = "extended"
    """Which blocks of features there are."""
    include_targets: Flag = True
    """Show the way to what an agent may need."""
    include_hours: Flag = False
    """Tell an agent when its shift begins and ends; it cannot see that otherwise."""
    include_weather: Flag = False
    """Tell an agent the weather, its warmth, and whether something keeps it from stepping."""
    hybrid: HybridView = HybridView()
    compact: CompactView = CompactView()


class PolicyRuntime(Node):
    """`policy_runtime`: how choices are read."""

    action_mode: Literal["option", "primitive"] = "option"
    """One of 8 options or of 22 primitives."""
    option_commit_ticks: Count = Field(default=15, ge=0, le=600)
    """Ticks an option binds."""
