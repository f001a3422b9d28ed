"""What growth costs from epoch to epoch: rent, shock, room, and warnings not to linger."""

from __future__ import annotations

import math

from astrarium.esper.contracts.heads import Op
from astrarium.esper.contracts.rewards import ContributionRewardInputs
from astrarium.esper.contracts.stages import Stage
from astrarium.esper.rewards.configs import BasicConfig, ShapedConfig
from astrarium.esper.rewards.credit import attributed, does_harm


def compute_rent(inputs: ContributionRewardInputs, config: ShapedConfig) -> float:
    """Rent for parameters the host feels, growing slower than they do."""
    host = max(inputs.host_params, config.host_params_min)
    owed = config.rent_weight * math.log1p(inputs.effective_seed_params / host)
    return -min(owed, config.rent_max)


def flat_rent(inputs: ContributionRewardInputs, config: BasicConfig) -> float:
    """Rent in proportion to parameters."""
    return -config.rent_weight * inputs.effective_seed_params / config.rent_params


def alpha_shock(inputs: ContributionRewardInputs, config: ShapedConfig) -> float:
    """The price of moving much amplitude at once."""
    host = max(inputs.host_params, config.host_params_min)
    return -min(config.shock_weight * inputs.alpha_delta_sq_sum / host, config.shock_max)


def occupancy_rent(inputs: ContributionRewardInputs, config: ShapedConfig) -> float:
    """The price of many seeds at work at once."""
    return -config.occupancy_rent * max(0, inputs.n_active_seeds - config.occupancy_free)


def fossilized_rent(inputs: ContributionRewardInputs, config: ShapedConfig) -> float:
    """The price of what is kept for good."""
    return -config.fossil_rent * inputs.num_fossilized_seeds


def blending_warning(inputs: ContributionRewardInputs, config: ShapedConfig) -> float:
    """Louder with every epoch in which seeds are blended in and do harm."""
    seed = inputs.seed
    if seed is None or seed.leaving or seed.stage is not Stage.BLENDING or not does_harm(seed):
        return 0.0
    growing = min(config.warning_step * seed.epochs_in_stage, config.warning_max)
    return -config.blending_warning - growing


def holding_warning(inputs: ContributionRewardInputs, config: ShapedConfig) -> float:
    """Louder with every epoch in which a useful seed is neither kept nor let go."""
    seed = inputs.seed
    if seed is None or seed.leaving or seed.stage is not Stage.HOLDING:
        return 0.0
    waited = seed.epochs_in_stage - config.holding_grace_epochs
    decided = inputs.op in (Op.FOSSILIZE, Op.PRUNE)
    if waited < 0 or decided or attributed(seed, inputs.val_acc, config) <= 0.0:
        return 0.0
    return -min(config.holding_warning + config.warning_step * waited, config.warning_max)
