"""What an action is worth in the step it is taken."""

from __future__ import annotations

from typing import Protocol

from astrarium.esper.contracts.heads import Op
from astrarium.esper.contracts.rewards import ContributionRewardInputs, SeedInfo
from astrarium.esper.contracts.stages import Stage
from astrarium.esper.rewards.configs import (
    BasicConfig,
    BasicPlusConfig,
    MinimalConfig,
    ShapedConfig,
    SimplifiedConfig,
)
from astrarium.esper.rewards.credit import bounded, timing_discount
from astrarium.esper.rewards.potential import arrival, departure
from astrarium.esper.rewards.suspicion import RANSOM_CONTRIBUTION, RANSOM_TOTAL


class HoldsInFull(Protocol):
    """A config that pays whole bonuses only after some epochs of holding."""

    @property
    def holding_epochs_full(self) -> int:
        """How many."""
        ...


def held_share(seed: SeedInfo, config: HoldsInFull) -> float:
    """How much of a bonus the epochs of holding have earned."""
    return min(1.0, seed.epochs_in_stage / config.holding_epochs_full)


def action_shaping(inputs: ContributionRewardInputs, config: ShapedConfig) -> float:
    """The price of the action, and what it says about the seed; bonuses are a term of their own."""
    seed = inputs.seed
    if inputs.op is Op.GERMINATE:
        return _germinate(inputs, config)
    if seed is None or inputs.op is Op.WAIT:
        return 0.0
    if inputs.op is Op.FOSSILIZE:
        return -config.fossilize_cost - _fossilize_cost(seed, config)
    if inputs.op is Op.PRUNE:
        return _prune(seed, config)
    if inputs.op is Op.SET_ALPHA_TARGET:
        return -config.retarget_cost
    return -config.advance_training_cost if seed.stage is Stage.TRAINING else 0.0


def _germinate(inputs: ContributionRewardInputs, config: ShapedConfig) -> float:
    if inputs.seed is not None:
        return -config.germinate_occupied_cost
    return germination_bonus(inputs.epoch, config) - config.germinate_cost


def germination_bonus(epoch: int, config: ShapedConfig) -> float:
    """The potential of a seed germinated at `epoch`; taken back if it never blends."""
    return arrival(config) * timing_discount(epoch, config)


def _fossilize_cost(seed: SeedInfo, config: ShapedConfig) -> float:
    total = seed.counterfactual_total
    if seed.stage is not Stage.HOLDING or total is None:
        return config.fossilize_invalid_cost
    if total >= 0.0:
        return 0.0 if _contributes(seed, config) else config.fossilize_idle_cost
    harm = min(config.fossilize_harm_per_point * -total, config.fossilize_harm_max)
    contribution = seed.contribution or 0.0
    ransom = contribution > RANSOM_CONTRIBUTION and total < RANSOM_TOTAL
    surcharge = config.fossilize_ransom_cost if ransom and not config.disable_anti_gaming else 0.0
    return config.fossilize_harm_cost + harm + surcharge


def _contributes(seed: SeedInfo, config: ShapedConfig) -> bool:
    return (seed.contribution or 0.0) >= config.fossilize_contribution_min


def fossilize_bonus(inputs: ContributionRewardInputs, config: ShapedConfig) -> float:
    """For keeping a seed that helps, among seeds that do no harm."""
    seed = inputs.seed
    if inputs.op is not Op.FOSSILIZE or seed is None or seed.stage is not Stage.HOLDING:
        return 0.0
    total, contribution = seed.counterfactual_total, seed.contribution
    if total is None or total < 0.0 or contribution is None or not _contributes(seed, config):
        return 0.0
    whole = config.fossilize_base + config.fossilize_per_point * contribution
    return (whole + config.fossilize_terminal) * held_share(seed, config)


def _prune(seed: SeedInfo, config: ShapedConfig) -> float:
    worth = -config.prune_cost + departure(seed, config)
    if seed.stage is Stage.FOSSILIZED:
        return worth - config.prune_fossil_cost
    if seed.seed_age_epochs < config.prune_young_epochs:
        missing = config.prune_young_epochs - seed.seed_age_epochs
        worth -= config.prune_young_per_epoch * missing
    return worth + _judged(seed, config)


def _judged(seed: SeedInfo, config: ShapedConfig) -> float:
    """Whether letting this seed go was right."""
    contribution = seed.contribution
    if contribution is None:
        return 0.0
    if contribution >= 0.0:
        cost = config.prune_useful_cost + config.prune_useful_per_point * contribution
        return -min(cost, config.prune_useful_max)
    if contribution >= -config.prune_harmful_below:
        return config.prune_doubtful_bonus
    hasty = seed.seed_age_epochs < config.prune_hasty_epochs
    return -config.prune_hasty_cost if hasty else config.prune_harmful_bonus


def action_cost(inputs: ContributionRewardInputs, config: SimplifiedConfig) -> float:
    """The same for every action but waiting."""
    return 0.0 if inputs.op is Op.WAIT else -config.action_cost


def basic_bonus(inputs: ContributionRewardInputs, config: BasicConfig) -> float:
    """For keeping what helps; below 0 for keeping what does not."""
    seed = inputs.seed
    if inputs.op is not Op.FOSSILIZE or seed is None:
        return 0.0
    total = seed.counterfactual_total
    contribution = seed.contribution or 0.0
    if seed.stage is not Stage.HOLDING:
        return -config.fossilize_harm_cost
    if total is not None and total > 0.0 and contribution >= config.fossilize_contribution_min:
        share = bounded(total, contribution, "harmonic", 0.0)
        whole = config.fossilize_base + config.fossilize_per_point * share
        return whole * held_share(seed, config)
    harmful = total is not None and total <= 0.0
    if harmful and contribution > config.fossilize_harm_contribution:
        return -config.fossilize_harm_cost
    return -config.fossilize_idle_cost


def immediate_bonus(inputs: ContributionRewardInputs, config: BasicPlusConfig) -> float:
    """The part of the basic bonus that is paid at once; penalties are never put off."""
    whole = basic_bonus(inputs, config)
    return whole * (1.0 - config.drip_share) if whole > 0.0 else whole


def young_prune_cost(inputs: ContributionRewardInputs, config: MinimalConfig) -> float:
    """The price of giving up on a seed too early."""
    seed = inputs.seed
    if inputs.op is not Op.PRUNE or seed is None:
        return 0.0
    young = seed.seed_age_epochs < config.prune_young_epochs
    return -config.prune_young_cost if young else 0.0
