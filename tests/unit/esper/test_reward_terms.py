"""Every term of a shaped reward against figures worked out by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from reward_cases import SEED, bare, step

from astrarium.esper.contracts.heads import Op
from astrarium.esper.contracts.rewards import ContributionRewardInputs
from astrarium.esper.contracts.stages import Stage
from astrarium.esper.rewards import acting, costs, credit, ending, potential
from astrarium.esper.rewards.configs import PotentialConfig, ShapedConfig
from astrarium.esper.rewards.dispatcher import reward

SHAPED = ShapedConfig()


def test_the_potential_of_every_stage() -> None:
    config = PotentialConfig()
    table = {
        Stage.UNKNOWN: 0.0,
        Stage.DORMANT: 0.0,
        Stage.GERMINATED: 1.6,
        Stage.TRAINING: 2.6,
        Stage.BLENDING: 4.1,
        Stage.HOLDING: 6.1,
        Stage.FOSSILIZED: 6.6,
        Stage.PRUNED: 0.0,
        Stage.EMBARGOED: 0.0,
        Stage.RESETTING: 0.0,
    }
    for stage, value in table.items():
        assert potential.potential(stage, 2, config) == pytest.approx(value)
    assert potential.potential(Stage.TRAINING, 100, config) == 4.0


def test_shaping_of_a_step_within_a_stage_and_across_two() -> None:
    config = PotentialConfig()
    within = potential.step_shaping(SEED, config)
    assert within == pytest.approx(0.3 * (0.995 * 7.0 - 6.7))
    moved = replace(
        SEED,
        stage=Stage.HOLDING,
        epochs_in_stage=0,
        previous_stage=Stage.BLENDING,
        previous_epochs_in_stage=6,
    )
    assert potential.step_shaping(moved, config) == pytest.approx(0.3 * (0.995 * 5.5 - 5.3))
    assert potential.step_shaping(replace(SEED, leaving=True), config) == 0.0


def test_shaping_adds_up_every_seed_of_the_host() -> None:
    other = replace(SEED, stage=Stage.FOSSILIZED, previous_stage=Stage.FOSSILIZED)
    both = potential.pbrs_steps(step(others=(other,)), SHAPED)
    single = 0.3 * (0.995 * 7.0 - 6.7)
    assert both == pytest.approx(single + 0.3 * (0.995 * 7.5 - 7.2))
    assert potential.pbrs_steps(step(), ShapedConfig(disable_pbrs=True)) == 0.0


@pytest.mark.parametrize(
    ("progress", "contribution", "formula", "expected"),
    [
        (8.0, 4.0, "harmonic", 4.0),
        (4.0, 12.0, "harmonic", 6.0),
        (4.0, 12.0, "min", 4.0),
        (4.0, 16.0, "geometric", 8.0),
        (0.0, 12.0, "harmonic", 0.0),
        (-1.0, 12.0, "geometric", 0.0),
        (None, 12.0, "harmonic", 6.0),
    ],
)
def test_progress_bounds_a_contribution(
    progress: float | None, contribution: float, formula: str, expected: float
) -> None:
    assert credit.bounded(progress, contribution, formula, 0.5) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("inputs", "expected"),
    [
        (step(), 4.0),
        (step({"contribution": -2.5}), -2.5),
        (step({"contribution": -2.5}, op=Op.PRUNE), 2.5),
        (step(op=Op.PRUNE), -4.0),
        (step({"counterfactual_total": -1.0}), 4.0 / (1.0 + math.exp(3.0))),
        (step({"germinated_epoch": 0}), 4.0 * 0.4),
        (step({"germinated_epoch": 5}), 4.0 * 0.7),
        (step({"contribution": None}), 0.3),
        (step({"contribution": None, "stage": Stage.TRAINING}), 0.0),
        (step({"contribution": None, "improvement_since_stage_start": -3.0}), 0.0),
        (step({"stage": Stage.FOSSILIZED}), 0.0),
        (step({"leaving": True}), 0.0),
        (step({"counterfactual_total": -1.0}, op=Op.FOSSILIZE), 0.0),
        (step(val_acc=50.0), 0.0),
        (bare(), 0.0),
    ],
)
def test_attribution(inputs: ContributionRewardInputs, expected: float) -> None:
    assert credit.bounded_attribution(inputs, SHAPED) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("contribution", "total", "expected"),
    [
        (4.0, 6.0, 0.0),
        (6.0, 1.0, -0.1 * 1.0 / 5.0),
        (100.0, 1.0, -0.3),
        (5.0, 0.1, -0.15),
        (40.0, 0.0, -0.3),
        (40.0, -0.1, 0.0),
        (1.0, 0.05, 0.0),
        (None, 0.05, 0.0),
        (5.0, None, 0.0),
    ],
)
def test_ratio_penalty(contribution: float | None, total: float | None, expected: float) -> None:
    seed = {"contribution": contribution, "counterfactual_total": total}
    assert credit.ratio_penalty(step(seed), SHAPED) == pytest.approx(expected)
    # A prune turns attribution round, but not this.
    assert credit.ratio_penalty(step(seed, op=Op.PRUNE), SHAPED) == pytest.approx(expected)


def test_synergy_only_for_seeds_that_earn() -> None:
    assert credit.synergy_bonus(step({"interaction_sum": 2.0}), SHAPED) == pytest.approx(
        0.1 * math.tanh(1.0)
    )
    idle = step({"interaction_sum": 2.0, "contribution": 0.0})
    assert credit.synergy_bonus(idle, SHAPED) == 0.0


def test_rents_and_shock() -> None:
    grown = step(effective_seed_params=500.0, alpha_delta_sq_sum=250.0, n_active_seeds=3)
    assert costs.compute_rent(grown, SHAPED) == pytest.approx(-0.5 * math.log(1.5))
    assert costs.compute_rent(replace(grown, effective_seed_params=1e9), SHAPED) == -1.5
    tiny = replace(grown, host_params=77)
    assert costs.compute_rent(tiny, SHAPED) == pytest.approx(-0.5 * math.log(3.5))
    assert costs.alpha_shock(grown, SHAPED) == pytest.approx(-0.1958 * 0.25)
    assert costs.alpha_shock(replace(grown, alpha_delta_sq_sum=1e9), SHAPED) == -1.0
    assert costs.occupancy_rent(grown, SHAPED) == pytest.approx(-0.02)
    assert costs.occupancy_rent(step(n_active_seeds=0), SHAPED) == 0.0
    assert costs.fossilized_rent(step(num_fossilized_seeds=4), SHAPED) == pytest.approx(-0.008)


def test_warnings_grow_and_stop_growing() -> None:
    harm = {"stage": Stage.BLENDING, "counterfactual_total": -0.5}
    for epochs, expected in ((0, -0.1), (2, -0.2), (6, -0.4), (90, -0.4)):
        given = costs.blending_warning(step({**harm, "epochs_in_stage": epochs}), SHAPED)
        assert given == pytest.approx(expected)
    for epochs, expected in ((1, 0.0), (2, -0.1), (4, -0.2), (6, -0.3), (90, -0.3)):
        held = step({"epochs_in_stage": epochs})
        assert costs.holding_warning(held, SHAPED) == pytest.approx(expected)
        assert costs.holding_warning(replace(held, op=Op.FOSSILIZE), SHAPED) == 0.0
        assert costs.holding_warning(replace(held, op=Op.SET_ALPHA_TARGET), SHAPED) <= expected


BONUS = 3 * math.tanh(1 / 3)


@pytest.mark.parametrize(
    ("inputs", "shaping", "bonus"),
    [
        (step(), 0.0, 0.0),
        (bare(op=Op.GERMINATE, epoch=10), 0.3 * 0.995 - 0.15, 0.0),
        (bare(op=Op.GERMINATE, epoch=0), 0.4 * 0.3 * 0.995 - 0.15, 0.0),
        (step(op=Op.GERMINATE), -0.3, 0.0),
        (step(op=Op.FOSSILIZE), -0.01, 0.9 + BONUS),
        (step({"epochs_in_stage": 2}, op=Op.FOSSILIZE), -0.01, 0.4 * (0.9 + BONUS)),
        (step({"contribution": 0.9}, op=Op.FOSSILIZE), -0.21, 0.0),
        (step({"contribution": None}, op=Op.FOSSILIZE), -0.21, 0.0),
        (step({"counterfactual_total": -0.1}, op=Op.FOSSILIZE), -0.51 - 0.02, 0.0),
        (step({"counterfactual_total": -1.0}, op=Op.FOSSILIZE), -0.51 - 0.2 - 0.3, 0.0),
        (step({"counterfactual_total": -50.0}, op=Op.FOSSILIZE), -0.51 - 1.0 - 0.3, 0.0),
        (step({"counterfactual_total": None}, op=Op.FOSSILIZE), -1.01, 0.0),
        (step({"stage": Stage.BLENDING}, op=Op.FOSSILIZE), -1.01, 0.0),
        (step(op=Op.PRUNE), -0.005 - 0.3 * 7.0 - 0.5, 0.0),
        (step({"contribution": 40.0}, op=Op.PRUNE), -0.005 - 0.3 * 7.0 - 0.9, 0.0),
        (step({"contribution": -0.3}, op=Op.PRUNE), -0.005 - 0.3 * 7.0 + 0.1, 0.0),
        (step({"contribution": -3.0}, op=Op.PRUNE), -0.005 - 0.3 * 7.0 + 0.15, 0.0),
        (step({"contribution": None}, op=Op.PRUNE), -0.005 - 0.3 * 7.0, 0.0),
        (step({"contribution": None, "seed_age_epochs": 3}, op=Op.PRUNE), -2.105 - 0.6, 0.0),
        (step({"contribution": -3.0, "seed_age_epochs": 2}, op=Op.PRUNE), -2.105 - 1.0, 0.0),
        (step({"stage": Stage.FOSSILIZED}, op=Op.PRUNE), -1.005, 0.0),
        (step({"stage": Stage.TRAINING}, op=Op.ADVANCE), -0.1, 0.0),
        (step({"stage": Stage.GERMINATED}, op=Op.ADVANCE), 0.0, 0.0),
        (step(op=Op.SET_ALPHA_TARGET), -0.005, 0.0),
    ],
)
def test_action_shaping(inputs: ContributionRewardInputs, shaping: float, bonus: float) -> None:
    assert acting.action_shaping(inputs, SHAPED) == pytest.approx(shaping)
    assert acting.fossilize_bonus(inputs, SHAPED) == pytest.approx(bonus)


def test_a_whole_step_shaped() -> None:
    inputs = step(
        {"interaction_sum": 2.0},
        effective_seed_params=500.0,
        alpha_delta_sq_sum=250.0,
        n_active_seeds=2,
        num_fossilized_seeds=1,
        auto_pruned=True,
        hindsight_credit=0.05,
        epoch=150,
    )
    expected = (
        4.0
        + 0.3 * (0.995 * 7.0 - 6.7)
        + 0.1 * math.tanh(1.0)
        - 0.5 * math.log(1.5)
        - 0.1958 * 0.25
        - 0.01
        - 0.002
        - 0.25  # five epochs of holding
        - 0.2
        + 0.05
        + 0.05 * 58.0
    )
    assert reward("shaped", inputs, SHAPED).reward == pytest.approx(expected)
    quiet = ShapedConfig(disable_terminal_reward=True, disable_pbrs=True)
    without = reward("shaped", inputs, quiet)
    assert without.components.terminal_bonus == without.components.pbrs_bonus == 0.0


def test_ablations_of_the_defences() -> None:
    trusting = ShapedConfig(disable_anti_gaming=True, disable_timing_discount=True)
    early = step({"counterfactual_total": -1.0, "germinated_epoch": 0})
    assert credit.bounded_attribution(early, trusting) == 4.0
    assert credit.ratio_penalty(step({"counterfactual_total": 0.05}), trusting) == 0.0
    ransom = step({"counterfactual_total": -1.0}, op=Op.FOSSILIZE)
    assert acting.action_shaping(ransom, trusting) == pytest.approx(-0.71)


def test_seeds_that_never_blend_give_their_bonus_back() -> None:
    young = {"stage": Stage.TRAINING, "germinated_epoch": 5, "contribution": None}
    other = replace(SEED, stage=Stage.GERMINATED, germinated_epoch=140)
    last = step(young, others=(other, SEED), epoch=150)
    paid = 0.3 * 0.995 * 0.7 + 0.3 * 0.995
    assert ending.germination_clawback(last, SHAPED) == pytest.approx(-paid)
    assert ending.germination_clawback(replace(last, epoch=149), SHAPED) == 0.0
    gone = step({**young, "leaving": True}, epoch=150)
    assert ending.germination_clawback(gone, SHAPED) == 0.0
