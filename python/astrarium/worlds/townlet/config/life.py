"""`population`, `personalities`, `behavior`, `lifecycle`, `embedding_allocator`: the people."""

from __future__ import annotations

from typing import Annotated, Literal

import pydantic
from pydantic import Field

from astrarium.worlds.townlet.config.node import (
    Count,
    Figure,
    Flag,
    Name,
    Node,
    Share,
    Switch,
    Table,
    rising,
)

Profile = Literal["balanced", "socialite", "industrious", "stoic", "newcomer"]
"""Leanings of an agent; `newcomer` takes its traits from a sequence that covers them evenly."""
Weight = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=0, le=1_000_000)]
Delay = Annotated[int, Field(strict=True, ge=1, le=10_000)]
Days = Annotated[int, Field(strict=True, ge=1, le=10_000)]
AgentId = Annotated[str, Field(min_length=1, max_length=64)]


class StartingNeeds(Node):
    """`population.needs`: where only some are given, the others begin half met."""

    hunger: Share = 0.5
    hygiene: Share = 0.5
    energy: Share = 0.5


class Population(Node):
    """`population`: who lives there at first."""

    agents: Count = Field(default=8, ge=1, le=64)
    """Residents at the first tick."""
    seats: Annotated[int, Field(strict=True, ge=1, le=64)] | None = None
    """Places in the arrays; as many as residents if absent."""
    names: tuple[Name, ...] = ()
    """Their ids; those without one are `resident_01` and so on."""
    needs: StartingNeeds = StartingNeeds(hunger=0.8, hygiene=0.8, energy=0.8)
    """Of the first residents; newcomers begin with 0.8 of each, whatever is given here."""
    wallet_in_rents: Figure = Field(default=1.5, ge=0, le=100)
    """Money of residents and newcomers at first, in days of rent."""


def _some_weight(weights: dict[Profile, float]) -> dict[Profile, float]:
    if not sum(weights.values()) > 0:
        raise ValueError("must give some profile a weight above 0")
    return weights


class Personalities(Node):
    """`personalities`: traits and profiles."""

    distribution: Annotated[Table[Profile, Weight], pydantic.AfterValidator(_some_weight)] = Field(
        default={"balanced": 0.4, "socialite": 0.2, "industrious": 0.2, "stoic": 0.2},
        validate_default=True,
    )
    """Weights of the profiles. Their order counts: a draw walks along it."""
    overrides: Table[AgentId, Profile] = Field(default={}, validate_default=True)
    """Agents whose profile is fixed."""


class Behavior(Node):
    """`behavior`: the scripted citizen."""

    hunger_threshold: Share = 0.6
    """Eats below this."""
    hygiene_threshold: Share = 0.6
    """Washes below this."""
    energy_threshold: Share = 0.6
    """Sleeps below this."""
    job_arrival_buffer: Count = Field(default=20, ge=0, le=200)
    """Ticks to be early for work."""
    urgent_threshold: Share = 0.25
    """A need below this is served even if the shift is missed."""


class Lifecycle(Node):
    """`lifecycle`: exits and arrivals."""

    training_mode: Switch = "on"
    """Whether conditions lead to exits, or are only counted."""
    max_exits_per_day: Count = Field(default=2, ge=0, le=64)
    """Of all causes but `killed`."""
    exit_cooldown_ticks: Count = Field(default=120, ge=0, le=10_000)
    """Ticks between exits."""
    spawn_delay_ticks: Annotated[tuple[Delay, Delay], pydantic.AfterValidator(rising)] = (5, 20)
    """Least and most ticks until a replacement comes."""
    faint_threshold: Share = 0.03
    """Hunger at or below this ..."""
    faint_ticks: Count = Field(default=30, ge=1, le=1000)
    """... for so many ticks in a row is a faint."""
    neglect_threshold: Share = 0.10
    """A need at or below this ..."""
    neglect_share: Share = 0.25
    """... for this share of a rolling day is neglect."""
    eviction_days: Count = Field(default=2, ge=1, le=30)
    """Days of unpaid rent in a row before the last grace day."""
    unemployment_days: Count = Field(default=2, ge=1, le=30)
    """Days without wage, while jobs are open, that end in leaving."""
    newcomer_job_chance: Share = 0.5
    """Chance that a newcomer arrives with a job."""
    age_out_days: Annotated[tuple[Days, Days], pydantic.AfterValidator(rising)] | None = None
    """Least and most days of a life; without end if absent."""
    nightly_reset: Literal["off", "home", "full"] = "off"
    """What the night does: nothing, take idle agents home, or lift their needs too."""


class EmbeddingAllocator(Node):
    """`embedding_allocator`: slots by which a policy tells agents apart."""

    max_slots: Count = Field(default=64, ge=1, le=256)
    cooldown_ticks: Count = Field(default=2000, ge=0, le=10_000)
    """Ticks a released slot rests."""
    reuse_warning_threshold: Figure = Field(default=0.05, ge=0, le=0.5)
    """Share of forced reuse that raises a warning."""
    log_forced_reuse: Flag = True
