"""One step of one host, from which every case of the reward tests differs a little."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from astrarium.esper.contracts.heads import Op
from astrarium.esper.contracts.rewards import (
    ContributionRewardInputs,
    LossRewardInputs,
    SeedInfo,
)
from astrarium.esper.contracts.stages import Stage

SEED = SeedInfo(
    slot_id="r0c0",
    seed_id="s1",
    stage=Stage.HOLDING,
    previous_stage=Stage.HOLDING,
    epochs_in_stage=5,
    previous_epochs_in_stage=4,
    leaving=False,
    seed_age_epochs=30,
    germinated_epoch=10,
    seed_params=100,
    improvement_since_stage_start=1.0,
    total_improvement=8.0,
    acc_at_germination=50.0,
    contribution=4.0,
    counterfactual_total=6.0,
    interaction_sum=0.0,
    boost_received=0.0,
)
STEP = ContributionRewardInputs(
    op=Op.WAIT,
    action_success=True,
    seed=SEED,
    others=(),
    val_acc=58.0,
    acc_delta=0.5,
    host_baseline_acc=30.0,
    epoch=40,
    max_epochs=150,
    host_params=1000,
    total_params=1100,
    effective_seed_params=0.0,
    alpha_delta_sq_sum=0.0,
    committed_val_acc=55.0,
    fossilized_seed_params=0,
    num_fossilized_seeds=0,
    num_contributing_fossilized=0,
    n_active_seeds=1,
    stable_val_acc=58.0,
    escrow_credit_prev=0.0,
    escrow_credit_others=0.0,
    drips=(),
    fossil_contributions=(),
    auto_pruned=False,
    hindsight_credit=0.0,
)
LOSS_STEP = LossRewardInputs(Op.WAIT, True, None, (), 2.0, -0.1, 10, 150, 1000, 1000)


def step(seed: dict[str, Any] | None = None, **changes: Any) -> ContributionRewardInputs:
    """The step above, with some things otherwise."""
    if seed is not None:
        changes["seed"] = replace(SEED, **seed)
    return replace(STEP, **changes)


def bare(**changes: Any) -> ContributionRewardInputs:
    """The same without a seed."""
    return replace(STEP, seed=None, **changes)
