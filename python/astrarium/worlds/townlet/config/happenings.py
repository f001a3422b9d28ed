"""`perturbations`: city events."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pydantic
from pydantic import Field

from astrarium.worlds.townlet.config import shipped
from astrarium.worlds.townlet.config.node import Count, Flag, Name, Node, Share, Table, rising

Kind = Literal["price_spike", "blackout", "outage", "arranged_meet", "facility_closure"]
Ticks = Annotated[int, Field(strict=True, ge=1, le=100_000)]
Rest = Annotated[int, Field(strict=True, ge=0, le=100_000)]
Factor = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=0.5, le=3)]


class PerturbationSpec(Node):
    """One kind of event and how often it comes."""

    kind: Kind
    prob_per_day: Share
    cooldown_ticks: Rest
    """Ticks of rest after one."""
    duration: Annotated[tuple[Ticks, Ticks], pydantic.AfterValidator(rising)]
    """Least and most ticks it lasts."""
    magnitude: Annotated[tuple[Factor, Factor], pydantic.AfterValidator(rising)] = (1.0, 1.0)
    """Least and most factor of a price spike."""
    targets: tuple[str, ...] = ()
    """Of a price spike `global`, `market`, `cafe`, `grocer` or a price key, one drawn; of a closure
    the objects; of an arranged meet the venues."""
    max_participants: Count = Field(default=2, ge=2, le=8)
    """Agents of an arranged meet."""

    @pydantic.model_validator(mode="after")
    def _says_only_what_counts(self) -> PerturbationSpec:
        if self.kind != "price_spike" and self.magnitude != (1.0, 1.0):
            raise ValueError(f"has a magnitude, but only a price_spike has one, not a {self.kind}")
        if self.kind in ("blackout", "outage"):
            if self.targets:
                raise ValueError(f"has targets, but a {self.kind} reaches the whole town")
        elif not self.targets:
            raise ValueError(f"needs at least one target for a {self.kind}")
        return self


def _shipped_specs() -> Any:
    return shipped.node("perturbations")["specs"]


class Perturbations(Node):
    """`perturbations`. A file that names only some of these caps gets careful ones for the rest;
    the shipped file is freer."""

    enabled: Flag = False
    """Whether events happen by themselves; ordered ones always can."""
    max_concurrent_events: Count = Field(default=1, ge=0, le=16)
    global_cooldown_ticks: Rest = 0
    """Rest of a spec after an event, on top of its own."""
    per_agent_cooldown_ticks: Rest = 0
    """Ticks a targeted agent is left alone."""
    grace_window_ticks: Count = Field(default=60, ge=0, le=10_000)
    """Ticks after an event that still excuse."""
    window_ticks: Ticks = 1000
    """Window of the next cap."""
    max_events_per_window: Count = Field(default=1, ge=0, le=16)
    """Events of one spec per window."""
    specs: Table[Name, PerturbationSpec] = Field(
        default_factory=_shipped_specs, validate_default=True, max_length=16
    )
    """What can happen, drawn in this order; as shipped if absent."""
