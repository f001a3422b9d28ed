"""What the last epoch of an episode settles, and what a rollback leaves of it."""

from __future__ import annotations

from typing import Final

from astrarium.esper.contracts.rewards import (
    ContributionRewardInputs,
    RewardComponents,
    RewardResult,
)
from astrarium.esper.contracts.stages import Stage
from astrarium.esper.rewards.acting import germination_bonus
from astrarium.esper.rewards.configs import (
    BasicConfig,
    GainConfig,
    ShapedConfig,
    SimplifiedConfig,
    SparseConfig,
)
from astrarium.esper.rewards.potential import all_seeds

ROLLBACK_REWARD: Final = -10.0


def at_end(inputs: ContributionRewardInputs) -> bool:
    """Whether this is the last epoch."""
    return inputs.epoch >= inputs.max_epochs


def shaped_terminal(inputs: ContributionRewardInputs, config: ShapedConfig) -> float:
    """The accuracy reached."""
    if config.disable_terminal_reward or not at_end(inputs):
        return 0.0
    return config.terminal_per_point * inputs.val_acc


def simplified_terminal(inputs: ContributionRewardInputs, config: SimplifiedConfig) -> float:
    """The accuracy reached, and what was added for good and helps."""
    if config.disable_terminal_reward or not at_end(inputs):
        return 0.0
    fossils = config.terminal_per_fossil * inputs.num_contributing_fossilized
    return config.terminal_accuracy * inputs.val_acc / 100.0 + fossils


def basic_terminal(inputs: ContributionRewardInputs, config: BasicConfig) -> float:
    """The accuracy gained since the first epoch."""
    if config.disable_terminal_reward or not at_end(inputs):
        return 0.0
    return config.terminal_gain * (inputs.val_acc - inputs.host_baseline_acc) / 100.0


def sparse_terminal(inputs: ContributionRewardInputs, config: SparseConfig) -> float:
    """The accuracy committed, less what is kept for it."""
    if config.disable_terminal_reward or not at_end(inputs) or inputs.committed_val_acc is None:
        return 0.0
    rent = config.rent_weight * inputs.fossilized_seed_params / config.rent_params
    value = inputs.committed_val_acc / 100.0 - rent
    return max(-config.limit, min(config.limit, value))


def uncommitted_accuracy(inputs: ContributionRewardInputs, config: GainConfig) -> float:
    """What was paid on the way for seeds that were never made permanent."""
    if config.disable_terminal_reward or not at_end(inputs) or inputs.committed_val_acc is None:
        return 0.0
    return config.per_point * (inputs.committed_val_acc - inputs.val_acc)


def germination_clawback(inputs: ContributionRewardInputs, config: ShapedConfig) -> float:
    """What was paid for seeds that never came to blend. A pruned one has given it up already."""
    if not at_end(inputs):
        return 0.0
    unblended = (Stage.GERMINATED, Stage.TRAINING)
    paid = (
        germination_bonus(seed.germinated_epoch, config)
        for seed in all_seeds(inputs)
        if seed.stage in unblended and not seed.leaving
    )
    return -sum(paid, 0.0)


def auto_prune_penalty(inputs: ContributionRewardInputs, config: ShapedConfig) -> float:
    """The price of a seed the governor had to remove."""
    return -config.auto_prune_cost if inputs.auto_pruned else 0.0


def rollback_result() -> RewardResult:
    """The last reward of an episode the governor ended."""
    parts = RewardComponents(rollback_penalty=ROLLBACK_REWARD)
    return RewardResult(parts.total(), parts, 0.0, ())
