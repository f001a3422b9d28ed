"""The loss family: for hosts whose loss says more than their accuracy."""

from __future__ import annotations

import math

from astrarium.esper.contracts.rewards import LossRewardInputs
from astrarium.esper.rewards.configs import LossConfig
from astrarium.esper.rewards.potential import pbrs_whole


def loss_progress(inputs: LossRewardInputs, config: LossConfig) -> float:
    """The fall of the loss in standard deviations; a rise counts by half."""
    change = inputs.loss_delta / config.sigma
    change = max(-config.progress_max, min(config.progress_max, change))
    share = config.worsening_share if change > 0.0 else 1.0
    return -config.progress_weight * change * share


def growth_rent(inputs: LossRewardInputs, config: LossConfig) -> float:
    """Rent for growth; a young seed lives free."""
    seed = inputs.seed
    if seed is not None and seed.seed_age_epochs < config.rent_grace_epochs:
        return 0.0
    growth = max(0.0, inputs.total_params / inputs.host_params - 1.0)
    return -min(config.rent_weight * math.log1p(growth), config.rent_max)


def loss_pbrs(inputs: LossRewardInputs, config: LossConfig) -> float:
    """A little of the shaping the other family has."""
    return config.pbrs_share * pbrs_whole(inputs, config)


def loss_terminal(inputs: LossRewardInputs, config: LossConfig) -> float:
    """How far the loss came from the baseline to the target."""
    if config.disable_terminal_reward or inputs.epoch < inputs.max_epochs:
        return 0.0
    part = (config.baseline - inputs.val_loss) / (config.baseline - config.target)
    return max(0.0, min(1.0, part))
