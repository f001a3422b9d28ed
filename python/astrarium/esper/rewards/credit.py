"""What a seed may claim for itself: its contribution, bounded by what really improved."""

from __future__ import annotations

import math
from dataclasses import dataclass

from astrarium.esper.contracts.heads import Op
from astrarium.esper.contracts.rewards import ContributionRewardInputs, SeedInfo
from astrarium.esper.contracts.stages import Stage
from astrarium.esper.rewards.configs import EscrowConfig, GainConfig, ShapedConfig


def bounded(progress: float | None, contribution: float, formula: str, unknown: float) -> float:
    """A contribution of at least 0, as far as the progress made allows it.

    A seed that the host has merely grown dependent on contributes much and improves nothing.
    """
    if progress is None:
        return unknown * contribution
    if progress <= 0.0:
        return 0.0
    if contribution < progress:
        return contribution
    if formula == "min":
        return progress
    if formula == "geometric":
        return math.sqrt(progress * contribution)
    return 2.0 * progress * contribution / (progress + contribution)


def regression_discount(total: float | None, config: ShapedConfig) -> float:
    """Less than a half where all seeds together do harm; 1 where they do not."""
    if config.disable_anti_gaming or total is None or total >= 0.0:
        return 1.0
    # Written so that the exponential cannot overflow.
    decay = math.exp(config.regression_steepness * total)
    return decay / (1.0 + decay)


def timing_discount(germinated_epoch: int, config: ShapedConfig) -> float:
    """Seeds of the first epochs live off what the host would have learnt anyway."""
    if config.disable_timing_discount:
        return 1.0
    part = min(max(germinated_epoch, 0) / config.timing_epochs, 1.0)
    return config.timing_floor + (1.0 - config.timing_floor) * part


def attributed(seed: SeedInfo, val_acc: float, config: ShapedConfig) -> float:
    """What a seed is credited with in one epoch, whatever is done to it."""
    if seed.stage is Stage.FOSSILIZED or seed.leaving:
        return 0.0
    contribution = seed.contribution
    if contribution is None:
        blended = seed.stage in (Stage.BLENDING, Stage.HOLDING)
        gain = max(0.0, seed.improvement_since_stage_start)
        return config.unmeasured_share * gain if blended else 0.0
    if contribution < 0.0:
        return contribution
    progress = val_acc - seed.acc_at_germination
    share = bounded(progress, contribution, config.formula, config.unknown_progress_share)
    total_discount = regression_discount(seed.counterfactual_total, config)
    return share * total_discount * timing_discount(seed.germinated_epoch, config)


def bounded_attribution(inputs: ContributionRewardInputs, config: ShapedConfig) -> float:
    """Attribution turned by the action: given up with a prune, void for harm made permanent."""
    if inputs.seed is None:
        return 0.0
    if inputs.op is Op.FOSSILIZE and does_harm(inputs.seed):
        return 0.0
    credit = attributed(inputs.seed, inputs.val_acc, config)
    return -credit if inputs.op is Op.PRUNE else credit


def does_harm(seed: SeedInfo) -> bool:
    """Whether everything off is known to be better than everything on."""
    return seed.counterfactual_total is not None and seed.counterfactual_total < 0.0


def seed_ratio_penalty(seed: SeedInfo, config: ShapedConfig) -> float:
    """The price of a contribution out of proportion to what all seeds achieve together."""
    contribution, total = seed.contribution, seed.counterfactual_total
    if config.disable_anti_gaming or seed.stage is Stage.FOSSILIZED or seed.leaving:
        return 0.0
    if contribution is None or total is None or contribution <= config.ratio_contribution_min:
        return 0.0
    if total < 0.0:  # the regression discount has taken more than half already
        return 0.0
    if total <= config.ratio_total_min:
        part = min(1.0, contribution / config.ratio_contribution_full)
        return -config.ratio_penalty_max * part
    excess = contribution / total - config.ratio_limit
    if excess <= 0.0:
        return 0.0
    return -min(config.ratio_penalty_max, config.ratio_slope * excess / config.ratio_limit)


def ratio_penalty(inputs: ContributionRewardInputs, config: ShapedConfig) -> float:
    """The same for the seed of this step; a prune does not turn it round."""
    return 0.0 if inputs.seed is None else seed_ratio_penalty(inputs.seed, config)


def synergy_bonus(inputs: ContributionRewardInputs, config: ShapedConfig) -> float:
    """A little for seeds that are worth more together."""
    seed = inputs.seed
    if seed is None or attributed(seed, inputs.val_acc, config) <= 0.0:
        return 0.0
    return config.synergy_max * math.tanh(config.synergy_scale * seed.interaction_sum)


@dataclass(frozen=True, slots=True)
class Account:
    """What one step does to the account of a seed."""

    delta: float
    forfeit: float
    """Of this and all other accounts, at the last epoch."""
    credit: float
    """What is left in it; 0 once fossilized, for what was paid then stays paid."""


def account(inputs: ContributionRewardInputs, config: EscrowConfig) -> Account:
    """Credit follows its target in bounded steps, and lasts only if the seed is committed."""
    held, seed = inputs.escrow_credit_prev, inputs.seed
    delta, credit = 0.0, held
    if seed is not None:
        committed = inputs.op is Op.FOSSILIZE and seed.counterfactual_total is not None
        if inputs.op is Op.PRUNE or (inputs.op is Op.FOSSILIZE and does_harm(seed)):
            delta, credit = -held, 0.0
        elif seed.contribution is not None and seed.stage is not Stage.FOSSILIZED:
            delta = _step_to_target(seed, inputs, config)
            credit = 0.0 if committed else held + delta
        elif committed:
            credit = 0.0
    at_end = inputs.epoch >= inputs.max_epochs
    forfeit = -(credit + inputs.escrow_credit_others) if at_end else 0.0
    return Account(delta, forfeit, 0.0 if at_end else credit)


def _step_to_target(
    seed: SeedInfo, inputs: ContributionRewardInputs, config: EscrowConfig
) -> float:
    earned = attributed(seed, inputs.stable_val_acc, config)
    target = max(0.0, earned + seed_ratio_penalty(seed, config))
    step = target - inputs.escrow_credit_prev
    return max(-config.escrow_step_max, min(config.escrow_step_max, step))


def escrow_credit(inputs: ContributionRewardInputs, config: EscrowConfig) -> float:
    """What the account holds after this step."""
    return account(inputs, config).credit


def escrow_delta(inputs: ContributionRewardInputs, config: EscrowConfig) -> float:
    """The change of the account, which takes the place of attribution."""
    return account(inputs, config).delta


def escrow_forfeit(inputs: ContributionRewardInputs, config: EscrowConfig) -> float:
    """What no fossil came of."""
    return account(inputs, config).forfeit


def accuracy_gain(inputs: ContributionRewardInputs, config: GainConfig) -> float:
    """The points of the last epoch, whoever brought them: there is nothing to claim."""
    return config.per_point * inputs.acc_delta
