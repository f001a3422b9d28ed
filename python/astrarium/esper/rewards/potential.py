"""The potential of a seed, and the shaping that follows from it.

A seed arrives with a germination and leaves with a prune; both are accounted for in the step of
that action. Between the two every step pays the change of potential since the step before, so over
any life the sums telescope.
"""

from __future__ import annotations

from typing import Protocol

from astrarium.esper.contracts.heads import Op
from astrarium.esper.contracts.rewards import SeedInfo
from astrarium.esper.contracts.stages import Stage
from astrarium.esper.rewards.configs import STAGE_POTENTIAL, PotentialConfig


class Shaping(Protocol):
    """A config with a potential in it."""

    @property
    def potential(self) -> PotentialConfig:
        """Its constants."""
        ...

    @property
    def disable_pbrs(self) -> bool:
        """Whether it is left out."""
        ...


class Seeded(Protocol):
    """Inputs with seeds in them."""

    @property
    def op(self) -> Op:
        """What happened."""
        ...

    @property
    def seed(self) -> SeedInfo | None:
        """The seed it happened to."""
        ...

    @property
    def others(self) -> tuple[SeedInfo, ...]:
        """All other seeds."""
        ...


def potential(stage: Stage, epochs_in_stage: int, config: PotentialConfig) -> float:
    """How far along a seed is; 0 where there is none, or none any more."""
    base = STAGE_POTENTIAL.get(stage)
    if base is None:
        return 0.0
    return base + min(config.epoch_step * epochs_in_stage, config.epoch_max)


def seed_potential(seed: SeedInfo, config: PotentialConfig) -> float:
    """The potential of a seed as it stands."""
    return 0.0 if seed.leaving else potential(seed.stage, seed.epochs_in_stage, config)


def step_shaping(seed: SeedInfo, config: PotentialConfig) -> float:
    """What one seed's last step is worth."""
    if seed.leaving:
        return 0.0
    before = potential(seed.previous_stage, seed.previous_epochs_in_stage, config)
    return config.weight * (config.gamma * seed_potential(seed, config) - before)


def all_seeds(inputs: Seeded) -> tuple[SeedInfo, ...]:
    """Every seed of the host."""
    return inputs.others if inputs.seed is None else (inputs.seed, *inputs.others)


def pbrs_steps(inputs: Seeded, config: Shaping) -> float:
    """The last step of every seed of the host, for the potential is one of the whole state."""
    if config.disable_pbrs:
        return 0.0
    return sum((step_shaping(seed, config.potential) for seed in all_seeds(inputs)), 0.0)


def arrival(config: Shaping) -> float:
    """What the potential of a new seed is worth in the step that germinates it."""
    if config.disable_pbrs:
        return 0.0
    first = potential(Stage.GERMINATED, 0, config.potential)
    return config.potential.weight * config.potential.gamma * first


def departure(seed: SeedInfo, config: Shaping) -> float:
    """What a prune gives up: all the potential there is."""
    if config.disable_pbrs or seed.stage is Stage.FOSSILIZED:
        return 0.0
    return -config.potential.weight * seed_potential(seed, config.potential)


def pbrs_whole(inputs: Seeded, config: Shaping) -> float:
    """Steps, arrivals and departures, for modes that give actions no price of their own."""
    total = pbrs_steps(inputs, config)
    if inputs.op is Op.GERMINATE and inputs.seed is None:
        total += arrival(config)
    elif inputs.op is Op.PRUNE and inputs.seed is not None:
        total += departure(inputs.seed, config)
    return total
