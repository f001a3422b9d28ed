"""What must hold of rewards whatever happens: sums, bounds, and that tricks do not pay."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reward_cases import LOSS_STEP, SEED, STEP, bare, step

from astrarium.esper.contracts.heads import Op
from astrarium.esper.contracts.rewards import (
    TERMS,
    ContributionRewardInputs,
    RewardMode,
    SeedInfo,
)
from astrarium.esper.contracts.stages import ACTIVE, LIVE, TRANSITIONS, Stage
from astrarium.esper.rewards import credit, drip, loss
from astrarium.esper.rewards.configs import (
    CONFIGS,
    BasicPlusConfig,
    EscrowConfig,
    LossConfig,
    PotentialConfig,
    ShapedConfig,
)
from astrarium.esper.rewards.dispatcher import reward
from astrarium.esper.rewards.hindsight import CREDIT_MAX, Boost, scaffold_credits
from astrarium.esper.rewards.potential import arrival, departure, potential, step_shaping

POINTS = st.floats(-100, 100)
MEASURED = st.none() | POINTS
CONTRIBUTION_MODES = [mode for mode in get_args(RewardMode) if mode != "loss"]


@st.composite
def lives(draw: st.DrawFn) -> list[SeedInfo]:
    """The steps of one seed along legal stages, as rewards see them."""
    stage, epochs, steps = Stage.GERMINATED, 0, list[SeedInfo]()
    before = (Stage.GERMINATED, 0)
    for _ in range(draw(st.integers(1, 40))):
        if draw(st.booleans()) and (after := [s for s in TRANSITIONS[stage] if s in ACTIVE]):
            stage, epochs = draw(st.sampled_from(after)), draw(st.integers(0, 1))
        else:
            epochs += 1
        info = replace(
            SEED,
            stage=stage,
            epochs_in_stage=epochs,
            previous_stage=before[0],
            previous_epochs_in_stage=before[1],
        )
        before = (stage, epochs)
        steps.append(info)
    return steps


@given(lives(), st.sampled_from([1.0, 0.995, 0.9]))
def test_shaping_telescopes_over_any_life(life: list[SeedInfo], gamma: float) -> None:
    config = PotentialConfig(gamma=gamma)
    total = sum(gamma**t * step_shaping(seed, config) for t, seed in enumerate(life))
    last = potential(life[-1].stage, life[-1].epochs_in_stage, config)
    first = potential(Stage.GERMINATED, 0, config)
    assert total == pytest.approx(0.3 * (gamma ** len(life) * last - first))


@given(lives())
def test_a_seed_that_comes_and_goes_leaves_no_potential(life: list[SeedInfo]) -> None:
    config = ShapedConfig(potential=PotentialConfig(gamma=1.0))
    if life[-1].stage is Stage.FOSSILIZED:
        return
    steps = sum(step_shaping(seed, config.potential) for seed in life)
    assert arrival(config) + steps + departure(life[-1], config) == pytest.approx(0.0)


@st.composite
def seeds(draw: st.DrawFn) -> SeedInfo:
    """Any seed at all."""
    return replace(
        SEED,
        stage=draw(st.sampled_from(sorted(ACTIVE | LIVE))),
        epochs_in_stage=draw(st.integers(0, 150)),
        previous_stage=draw(st.sampled_from(sorted(ACTIVE | LIVE))),
        previous_epochs_in_stage=draw(st.integers(0, 150)),
        leaving=draw(st.booleans()),
        seed_age_epochs=draw(st.integers(0, 150)),
        germinated_epoch=draw(st.integers(0, 150)),
        improvement_since_stage_start=draw(POINTS),
        contribution=draw(MEASURED),
        counterfactual_total=draw(MEASURED),
        interaction_sum=draw(POINTS),
    )


@st.composite
def steps(draw: st.DrawFn) -> ContributionRewardInputs:
    """Any step at all."""
    op = draw(st.sampled_from(Op))
    seed = draw(st.none() | seeds()) if op in (Op.WAIT, Op.GERMINATE) else draw(seeds())
    return replace(
        STEP,
        op=op,
        seed=seed,
        others=tuple(draw(st.lists(seeds(), max_size=3))),
        val_acc=draw(st.floats(0, 100)),
        stable_val_acc=draw(st.floats(0, 100)),
        epoch=draw(st.integers(1, 150)),
        host_params=draw(st.integers(1, 10**6)),
        effective_seed_params=draw(st.floats(0, 1e7)),
        alpha_delta_sq_sum=draw(st.floats(0, 1e7)),
        n_active_seeds=draw(st.integers(0, 10)),
        num_fossilized_seeds=draw(st.integers(0, 10)),
        escrow_credit_prev=draw(st.floats(0, 100)),
        escrow_credit_others=draw(st.floats(0, 100)),
        auto_pruned=draw(st.booleans()),
        hindsight_credit=draw(st.floats(0, 0.2)),
    )


@given(steps())
def test_terms_add_up_to_the_reward_exactly(inputs: ContributionRewardInputs) -> None:
    for mode in CONTRIBUTION_MODES:
        result = reward(mode, inputs, CONFIGS[mode]())
        total = 0.0
        for name in TERMS:
            total += getattr(result.components, name)
        assert result.reward == total


@given(steps())
def test_bounded_terms_stay_within_their_bounds(inputs: ContributionRewardInputs) -> None:
    parts = reward("shaped", inputs, ShapedConfig()).components
    assert -0.3 <= parts.ratio_penalty <= 0.0
    assert -0.1 <= parts.synergy_bonus <= 0.1
    assert -1.5 <= parts.compute_rent <= 0.0
    assert -1.0 <= parts.alpha_shock <= 0.0
    assert parts.occupancy_rent <= 0.0
    assert parts.fossilized_rent <= 0.0
    assert -0.4 - 1e-12 <= parts.blending_warning <= 0.0
    assert -0.3 <= parts.holding_warning <= 0.0
    assert 0.0 <= parts.terminal_bonus <= 5.0
    escrow = reward("escrow", inputs, EscrowConfig())
    if inputs.op not in (Op.PRUNE, Op.FOSSILIZE):
        assert -2.0 <= escrow.components.escrow_delta <= 2.0
    assert escrow.escrow_credit >= 0.0
    assert -1.0 <= reward("sparse", inputs, CONFIGS["sparse"]()).reward <= 1.0


@given(seeds(), st.floats(0, 100))
def test_nobody_is_credited_with_more_than_they_contribute(seed: SeedInfo, val_acc: float) -> None:
    for formula in ("harmonic", "min", "geometric"):
        earned = credit.attributed(seed, val_acc, ShapedConfig(formula=formula))
        if seed.contribution is not None:
            assert earned <= max(seed.contribution, 0.0) + 1e-9
            if val_acc <= seed.acc_at_germination:
                assert earned <= 0.0


@given(st.floats(-1e3, 1e3), st.floats(0, 20), st.integers(1, 150), st.integers(1, 10**6))
def test_the_loss_family_is_bounded(change: float, value: float, epoch: int, params: int) -> None:
    inputs = replace(
        LOSS_STEP, loss_delta=change, val_loss=value, epoch=epoch, total_params=1000 + params
    )
    assert -12.5 <= loss.loss_progress(inputs, LossConfig()) <= 25.0
    assert -5.0 <= loss.growth_rent(inputs, LossConfig()) <= 0.0
    assert 0.0 <= loss.loss_terminal(inputs, LossConfig()) <= 1.0


@given(st.floats(0, 10), st.lists(POINTS, min_size=40, max_size=60), st.integers(140, 150))
def test_a_drip_never_pays_more_than_its_pool(
    contribution: float, later: list[float], epoch: int
) -> None:
    config = BasicPlusConfig()
    seed = {"contribution": contribution, "counterfactual_total": 5.0}
    inputs = step(seed, op=Op.FOSSILIZE, epoch=epoch)
    drips = reward("basic_plus", inputs, config).drips
    pool, paid = sum(one.pool for one in drips), 0.0
    for value in later:
        inputs = bare(drips=drips, fossil_contributions=(value,) * len(drips))
        paid += max(0.0, drip.drip(inputs, config))
        drips = reward("basic_plus", inputs, config).drips
    assert paid <= pool + 1e-9


@given(st.lists(st.tuples(POINTS, st.integers(0, 40)), max_size=6), POINTS)
def test_scaffolds_together_get_no_more_than_allowed(
    boosts: list[tuple[float, int]], improvement: float
) -> None:
    given_boosts = [Boost(str(i), boost, epoch) for i, (boost, epoch) in enumerate(boosts)]
    credits = [one.credit for one in scaffold_credits(given_boosts, improvement, 40, 0.995)]
    assert all(one >= 0.0 for one in credits)
    assert sum(credits) <= CREDIT_MAX + 1e-12


def cycle(mode: RewardMode, epochs: dict[Stage, int], contribution: float | None) -> list[float]:
    """The rewards of a seed germinated late, held in each stage for so long, and pruned."""
    config = CONFIGS[mode]()
    rewards = [reward(mode, bare(op=Op.GERMINATE, n_active_seeds=0, acc_delta=0.0), config).reward]
    before = (Stage.GERMINATED, 0)
    states = [(stage, n) for stage, count in epochs.items() for n in range(1, count + 1)]
    for age, (stage, count) in enumerate(states, 1):
        measured = contribution if stage in (Stage.BLENDING, Stage.HOLDING) else None
        inputs = step(
            {
                "stage": stage,
                "epochs_in_stage": count,
                "previous_stage": before[0],
                "previous_epochs_in_stage": before[1],
                "seed_age_epochs": age,
                "germinated_epoch": 40,
                "contribution": measured,
                "counterfactual_total": measured,
            },
            op=Op.PRUNE if age == len(states) else Op.WAIT,
            val_acc=50.0,
            acc_delta=0.0,
        )
        rewards.append(reward(mode, inputs, config).reward)
        before = (stage, count)
    return rewards


@given(st.integers(1, 30), st.integers(0, 30), st.sampled_from([1.0, 0.995]))
@pytest.mark.parametrize("mode", [m for m in CONTRIBUTION_MODES if m not in ("sparse", "minimal")])
def test_sowing_and_pruning_never_pays(
    mode: RewardMode, germinated: int, training: int, gamma: float
) -> None:
    rewards = cycle(mode, {Stage.GERMINATED: germinated, Stage.TRAINING: training}, None)
    assert sum(gamma**t * value for t, value in enumerate(rewards)) < 0.0


@given(st.floats(-100, -0.01), st.integers(3, 8))
def test_blending_harm_in_order_to_be_paid_for_removing_it_never_pays(
    harm: float, blending: int
) -> None:
    """The ramp alone takes three epochs, and each costs what the prune gives back."""
    stages = {Stage.GERMINATED: 1, Stage.TRAINING: 10, Stage.BLENDING: blending}
    assert sum(cycle("shaped", stages, harm)) < 0.0


@given(st.floats(0.11, 100), st.floats(-100, -0.21), st.integers(0, 40))
@pytest.mark.parametrize("mode", ["shaped", "escrow", "basic", "basic_plus"])
def test_ransom_is_never_paid(
    mode: RewardMode, contribution: float, total: float, epochs: int
) -> None:
    """A seed the host cannot do without, and would be better off without: no bonus, no credit."""
    seed = {
        "contribution": contribution,
        "counterfactual_total": total,
        "epochs_in_stage": epochs,
        "previous_epochs_in_stage": epochs,
    }
    inputs = step(seed, op=Op.FOSSILIZE, val_acc=90.0, escrow_credit_prev=3.0)
    result = reward(mode, inputs, CONFIGS[mode]())
    assert result.reward < 0.0
    assert result.components.fossilize_bonus <= 0.0
    assert result.components.bounded_attribution == 0.0
    assert result.escrow_credit == 0.0
    assert result.drips == ()


@given(st.floats(-100, -0.01), st.floats(-100, 100))
@pytest.mark.parametrize("mode", ["shaped", "escrow", "basic", "basic_plus"])
def test_keeping_harm_for_good_costs(mode: RewardMode, total: float, contribution: float) -> None:
    seed = {"contribution": contribution, "counterfactual_total": total}
    kept = reward(mode, step(seed, op=Op.FOSSILIZE), CONFIGS[mode]())
    waited = reward(mode, step({**seed, "contribution": 0.0}), CONFIGS[mode]())
    assert kept.reward < waited.reward


@given(st.integers(8, 140), st.floats(1, 29))
def test_holding_for_ever_is_not_free(epochs: int, contribution: float) -> None:
    """Once escrow has caught up, every further epoch of holding costs, and the end takes all."""
    seed = {
        "contribution": contribution,
        "epochs_in_stage": epochs,
        "previous_epochs_in_stage": epochs - 1,
    }
    config = EscrowConfig()
    inputs = step(seed, effective_seed_params=100.0)
    target = credit.attributed(replace(SEED, **seed), inputs.stable_val_acc, config)
    inputs = replace(inputs, escrow_credit_prev=target)
    assert reward("escrow", inputs, config).reward < 0.0
    ended = reward("escrow", replace(inputs, epoch=150), config)
    assert ended.components.escrow_forfeit == pytest.approx(-target)
    shaped = reward("shaped", inputs, ShapedConfig()).components
    assert shaped.holding_warning == pytest.approx(-0.3)
    assert shaped.pbrs_bonus < 0.0


@given(st.integers(1, 150), st.sampled_from([Stage.GERMINATED, Stage.TRAINING]))
def test_a_seed_that_never_blends_keeps_no_bonus(epoch: int, stage: Stage) -> None:
    config = ShapedConfig()
    paid = reward("shaped", bare(op=Op.GERMINATE, epoch=epoch), config).components.action_shaping
    last = step({"stage": stage, "germinated_epoch": epoch, "contribution": None}, epoch=150)
    taken = reward("shaped", last, config).components.germination_clawback
    assert paid + taken == pytest.approx(-0.15)
