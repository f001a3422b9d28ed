"""The whole configuration of a town: one frozen tree, handed to the core as one document."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import pydantic
from pydantic import Field

from astrarium.worlds.config import UnfitError, WorldConfig
from astrarium.worlds.townlet.config import shipped
from astrarium.worlds.townlet.config.checks import problems
from astrarium.worlds.townlet.config.ground import (
    Env,
    Features,
    Observations,
    PolicyRuntime,
    Time,
    World,
)
from astrarium.worlds.townlet.config.happenings import Perturbations
from astrarium.worlds.townlet.config.life import (
    Behavior,
    EmbeddingAllocator,
    Lifecycle,
    Personalities,
    Population,
)
from astrarium.worlds.townlet.config.manifest import Affordances
from astrarium.worlds.townlet.config.node import Name, Table
from astrarium.worlds.townlet.config.rewards import Rewards, Shaping
from astrarium.worlds.townlet.config.work import (
    Conflict,
    Economy,
    Employment,
    Job,
    QueueFairness,
    Relationships,
)


class TownletConfig(WorldConfig):
    """Settings of a town. Every node may be left out; then it is as in the default town."""

    time: Time = Time()
    """Day length."""
    env: Env = Env()
    """Episode length."""
    world: World = World()
    """Size and walls."""
    population: Population = Population()
    """Who lives there at first."""
    features: Features = Features()
    """Stages and switches."""
    observations: Observations = Observations()
    """What agents see."""
    policy_runtime: PolicyRuntime = PolicyRuntime()
    """How choices are read."""
    rewards: Rewards = Rewards()
    """What pays and costs."""
    shaping: Shaping = Shaping()
    """Potential shaping."""
    economy: Economy = Economy()
    """Prices, rent, restocking."""
    jobs: Table[Name, Job] = Field(
        default_factory=partial(shipped.node, "jobs"), validate_default=True, max_length=16
    )
    """Jobs. Their order counts: of equally empty ones the first is filled."""
    employment: Employment = Employment()
    """Shifts, penalties, exits."""
    queue_fairness: QueueFairness = QueueFairness()
    """Queues and reservations."""
    conflict: Conflict = Conflict()
    """Rivalry."""
    relationships: Relationships = Relationships()
    """Ties and chat."""
    personalities: Personalities = Personalities()
    """Traits and profiles."""
    behavior: Behavior = Behavior()
    """The scripted citizen."""
    lifecycle: Lifecycle = Lifecycle()
    """Exits and arrivals."""
    embedding_allocator: EmbeddingAllocator = EmbeddingAllocator()
    """Embedding slots."""
    perturbations: Perturbations = Field(
        default_factory=partial(shipped.node, "perturbations"), validate_default=True
    )
    """City events."""
    affordances: Affordances = Field(
        default_factory=partial(shipped.node, "affordances"), validate_default=True
    )
    """Objects and what can be done with them."""

    file_settings: ClassVar[tuple[str, ...]] = ("scenario",)

    @classmethod
    def files_read(cls, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return settings with those of a town, by its name or file, in place of `scenario`."""
        settings = dict(given)
        town = settings.pop("scenario", None)
        if town is None:
            return super().files_read(settings)
        # Reads YAML, which no town by settings needs.
        from astrarium.worlds.townlet.loading import load

        return {
            **load(town if isinstance(town, Path) else str(town)).config.model_dump(
                mode="json", exclude_unset=True
            ),
            **settings,
        }

    @pydantic.model_validator(mode="after")
    def _fits_together(self) -> TownletConfig:
        if found := problems(self):
            raise UnfitError(found)
        return self
