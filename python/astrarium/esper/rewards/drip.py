"""Bonuses paid out while a fossil goes on proving itself."""

from __future__ import annotations

from astrarium.esper.contracts.rewards import ContributionRewardInputs, DripState
from astrarium.esper.rewards.acting import basic_bonus
from astrarium.esper.rewards.configs import BasicPlusConfig


def payment(drip: DripState, contribution: float, config: BasicPlusConfig) -> float:
    """What one fossil is paid in one epoch: never more than is left, and less than 0 for harm."""
    due = max(-config.drip_loss_max, min(config.drip_gain_max, drip.scale * contribution))
    return min(due, drip.pool)


def drip(inputs: ContributionRewardInputs, config: BasicPlusConfig) -> float:
    """What all fossils are paid."""
    pairs = zip(inputs.drips, inputs.fossil_contributions, strict=True)
    return sum((payment(one, contribution, config) for one, contribution in pairs), 0.0)


def drips_after(inputs: ContributionRewardInputs, config: BasicPlusConfig) -> tuple[DripState, ...]:
    """What is left to be paid, with what this step has added."""
    pairs = zip(inputs.drips, inputs.fossil_contributions, strict=True)
    left = [
        DripState(one.seed_id, one.pool - max(0.0, payment(one, contribution, config)), one.scale)
        for one, contribution in pairs
    ]
    pool = max(0.0, basic_bonus(inputs, config)) * config.drip_share
    if pool > 0.0 and inputs.seed is not None:
        epochs = max(inputs.max_epochs - inputs.epoch, config.drip_epochs_min)
        left.append(DripState(inputs.seed.seed_id, pool, pool / epochs))
    return tuple(left)
