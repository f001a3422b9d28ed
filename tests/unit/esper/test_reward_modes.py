"""Every reward mode against figures worked out by hand."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import get_args

import pydantic
import pytest
from reward_cases import LOSS_STEP, SEED, bare, step

from astrarium.esper.contracts.errors import MeasurementError, RewardError
from astrarium.esper.contracts.heads import Op
from astrarium.esper.contracts.rewards import (
    TERMS,
    ContributionRewardInputs,
    DripState,
    RewardMode,
)
from astrarium.esper.contracts.stages import Stage
from astrarium.esper.rewards.configs import (
    CONFIGS,
    LANGUAGE_LOSS,
    BasicConfig,
    BasicPlusConfig,
    EscrowConfig,
    GainConfig,
    LossConfig,
    MinimalConfig,
    ShapedConfig,
    SimplifiedConfig,
    SparseConfig,
)
from astrarium.esper.rewards.dispatcher import MODES, Mode, reward
from astrarium.esper.rewards.ending import rollback_result
from astrarium.esper.rewards.hindsight import Boost, scaffold_credits
from astrarium.esper.rewards.suspicion import suspicions

SHAPED = ShapedConfig()


def test_every_mode_has_a_config_and_terms_that_exist() -> None:
    assert set(MODES) == set(CONFIGS) == set(get_args(RewardMode))
    for mode in MODES.values():
        assert isinstance(mode, Mode)
        assert set(mode.terms) <= set(TERMS)


def test_simplified() -> None:
    config = SimplifiedConfig()
    shaping = 0.3 * (0.995 * 7.0 - 6.7)
    assert reward("simplified", step(), config).reward == pytest.approx(shaping)
    pruned = reward("simplified", step(op=Op.PRUNE), config)
    assert pruned.reward == pytest.approx(shaping - 0.3 * 7.0 - 0.01)
    last = bare(epoch=150, num_contributing_fossilized=2)
    assert reward("simplified", last, config).reward == pytest.approx(3 * 0.58 + 4.0)
    sown = bare(op=Op.GERMINATE)
    assert reward("simplified", sown, config).reward == pytest.approx(0.3 * 0.995 - 0.01)


@pytest.mark.parametrize(
    ("inputs", "expected"),
    [
        (step(), 0.0),
        (step(op=Op.FOSSILIZE), 0.3 + 0.5 * 4.0),
        (step({"contribution": 12.0, "counterfactual_total": 4.0}, op=Op.FOSSILIZE), 0.3 + 3.0),
        (step({"epochs_in_stage": 1}, op=Op.FOSSILIZE), 0.2 * 2.3),
        (step({"counterfactual_total": 0.0}, op=Op.FOSSILIZE), -0.5),
        (step({"stage": Stage.BLENDING}, op=Op.FOSSILIZE), -0.5),
        (step({"contribution": 0.5}, op=Op.FOSSILIZE), -0.2),
        (step({"contribution": 0.05, "counterfactual_total": 0.0}, op=Op.FOSSILIZE), -0.2),
        (step({"counterfactual_total": None}, op=Op.FOSSILIZE), -0.2),
    ],
)
def test_the_bonus_of_basic(inputs: ContributionRewardInputs, expected: float) -> None:
    result = reward("basic", inputs, BasicConfig())
    assert result.components.fossilize_bonus == pytest.approx(expected)


def test_basic_rent_and_end() -> None:
    last = bare(epoch=150, effective_seed_params=250_000.0)
    assert reward("basic", last, BasicConfig()).reward == pytest.approx(-0.05 + 5 * 0.28)


def test_basic_plus_pays_most_of_the_bonus_in_drops() -> None:
    config = BasicPlusConfig()
    first = reward("basic_plus", step(op=Op.FOSSILIZE), config)
    assert first.components.fossilize_bonus == pytest.approx(0.3 * 2.3)
    (drop,) = first.drips
    assert drop.seed_id == "s1"
    assert drop.pool == pytest.approx(0.7 * 2.3)
    assert drop.scale == pytest.approx(0.7 * 2.3 / 110)

    later = bare(drips=(drop,), fossil_contributions=(4.0,))
    paid = reward("basic_plus", later, config)
    assert paid.components.drip == pytest.approx(4.0 * drop.scale)
    assert paid.drips[0].pool == pytest.approx(drop.pool - 4.0 * drop.scale)
    most = reward("basic_plus", replace(later, fossil_contributions=(50.0,)), config)
    assert most.components.drip == 0.1
    harm = reward("basic_plus", replace(later, fossil_contributions=(-50.0,)), config)
    assert harm.components.drip == -0.05
    assert harm.drips[0].pool == drop.pool
    late = reward("basic_plus", step(op=Op.FOSSILIZE, epoch=148), config)
    assert late.drips[0].scale == pytest.approx(0.7 * 2.3 / 5)


def test_an_empty_pool_pays_nothing_but_still_answers_for_harm() -> None:
    config = BasicPlusConfig()
    low = bare(drips=(DripState("a", 0.03, 0.05),), fossil_contributions=(4.0,))
    paid = reward("basic_plus", low, config)
    assert paid.components.drip == 0.03
    assert paid.drips == (DripState("a", 0.0, 0.05),)
    empty = replace(low, drips=paid.drips)
    assert reward("basic_plus", empty, config).components.drip == 0.0
    harm = replace(empty, fossil_contributions=(-0.5,))
    assert reward("basic_plus", harm, config).components.drip == -0.025


def test_a_penalty_of_basic_plus_is_never_put_off() -> None:
    harmful = step({"counterfactual_total": 0.0}, op=Op.FOSSILIZE)
    result = reward("basic_plus", harmful, BasicPlusConfig())
    assert result.components.fossilize_bonus == -0.5
    assert result.drips == ()


def test_gain_pays_for_points_and_takes_back_what_is_not_committed() -> None:
    config = GainConfig(disable_pbrs=True)
    up = step(acc_delta=4.0, val_acc=60.0)
    assert reward("gain", up, config).reward == pytest.approx(1.2)
    down = step(acc_delta=-4.0, val_acc=56.0)
    assert reward("gain", down, config).reward == pytest.approx(-1.2)
    last = step(acc_delta=0.0, val_acc=60.0, committed_val_acc=20.0, epoch=150)
    assert reward("gain", last, config).reward == pytest.approx(-12.0)
    kept = replace(last, committed_val_acc=60.0)
    assert reward("gain", kept, config).reward == 0.0


def test_sparse_and_minimal() -> None:
    last = step(epoch=150, fossilized_seed_params=500_000)
    assert reward("sparse", last, SparseConfig()).reward == pytest.approx(0.45)
    assert reward("sparse", step(), SparseConfig()).reward == 0.0
    huge = replace(last, fossilized_seed_params=10**9)
    assert reward("sparse", huge, SparseConfig()).reward == -1.0
    young = step({"seed_age_epochs": 4}, op=Op.PRUNE)
    assert reward("minimal", young, MinimalConfig()).reward == pytest.approx(-0.1)
    grown = step({"seed_age_epochs": 5}, op=Op.PRUNE)
    assert reward("minimal", grown, MinimalConfig()).reward == 0.0
    assert reward("minimal", last, MinimalConfig()).reward == pytest.approx(0.45)


def test_escrow_follows_its_target_in_steps() -> None:
    config = EscrowConfig()
    rich = step({"contribution": 16.0, "counterfactual_total": 8.0}, stable_val_acc=54.0)
    # The geometric mean of 16 and 54 - 50 is 8; the account may move by 2.
    first = reward("escrow", rich, config)
    assert first.components.escrow_delta == 2.0
    assert first.components.bounded_attribution == 0.0
    assert first.escrow_credit == 2.0
    near = reward("escrow", replace(rich, escrow_credit_prev=7.5), config)
    assert near.components.escrow_delta == pytest.approx(0.5)
    assert near.escrow_credit == pytest.approx(8.0)
    falling = reward("escrow", replace(rich, escrow_credit_prev=20.0), config)
    assert falling.components.escrow_delta == -2.0
    unknown = step({"contribution": None}, escrow_credit_prev=3.0)
    assert reward("escrow", unknown, config).components.escrow_delta == 0.0


def test_escrow_is_emptied_kept_or_forfeited() -> None:
    config = EscrowConfig()
    pruned = reward("escrow", step(op=Op.PRUNE, escrow_credit_prev=5.0), config)
    assert (pruned.components.escrow_delta, pruned.escrow_credit) == (-5.0, 0.0)
    kept = reward("escrow", step(op=Op.FOSSILIZE, escrow_credit_prev=4.0), config)
    assert (kept.components.escrow_delta, kept.escrow_credit) == (0.0, 0.0)
    harm = step({"counterfactual_total": -1.0}, op=Op.FOSSILIZE, escrow_credit_prev=5.0)
    assert reward("escrow", harm, config).components.escrow_delta == -5.0
    last = step(epoch=150, escrow_credit_prev=4.0, escrow_credit_others=1.5)
    ended = reward("escrow", last, config)
    assert ended.components.escrow_forfeit == -5.5
    fossil = step({"stage": Stage.FOSSILIZED}, epoch=150)
    assert reward("escrow", fossil, config).components.escrow_forfeit == 0.0


@pytest.mark.parametrize(
    ("change", "expected"),
    [(-0.1, 10.0), (-9.0, 25.0), (0.1, -5.0), (9.0, -12.5), (0.0, 0.0)],
)
def test_progress_of_the_loss(change: float, expected: float) -> None:
    result = reward("loss", replace(LOSS_STEP, loss_delta=change), LossConfig())
    assert result.components.loss_progress == pytest.approx(expected)


def test_the_loss_family() -> None:
    young = replace(SEED, seed_age_epochs=2)
    grown = replace(LOSS_STEP, seed=young, total_params=2000, loss_delta=0.0)
    result = reward("loss", grown, LossConfig())
    assert result.components.compute_rent == 0.0
    assert result.reward == pytest.approx(0.1 * 0.3 * (0.995 * 7.0 - 6.7))
    older = reward("loss", replace(grown, seed=SEED), LossConfig())
    assert older.components.compute_rent == pytest.approx(-0.05 * math.log(2))
    for loss, part in ((2.3, 0.0), (5.0, 0.0), (1.3, 0.5), (0.3, 1.0), (0.0, 1.0)):
        last = replace(LOSS_STEP, epoch=150, val_loss=loss, loss_delta=0.0)
        assert reward("loss", last, LossConfig()).reward == pytest.approx(part)
    words = replace(LOSS_STEP, loss_delta=-0.15, total_params=2000)
    expected = 5.0 - 0.01 * math.log(2)
    assert reward("loss", words, LANGUAGE_LOSS).reward == pytest.approx(expected)


def test_scaffolds_are_credited_and_capped() -> None:
    (one,) = scaffold_credits([Boost("a", 2.0, 30)], 5.0, 40, 0.995)
    assert one.credit == pytest.approx(0.1 * math.tanh(1.0) * 0.995**10)
    assert one.delay_epochs == 10
    many = scaffold_credits([Boost(str(i), 50.0, 40) for i in range(4)], 50.0, 40, 0.995)
    assert sum(each.credit for each in many) == pytest.approx(0.2)
    worthless = scaffold_credits([Boost("a", -2.0, 30), Boost("b", 2.0, 30)], -5.0, 40, 0.995)
    assert [each.credit for each in worthless] == [0.0, 0.0]


def test_a_rollback_costs_ten() -> None:
    assert rollback_result().reward == -10.0
    assert rollback_result().components.rollback_penalty == -10.0


@pytest.mark.parametrize(
    ("contribution", "total", "expected"),
    [
        (5.0, 1.0, [("attribution_ratio", "warning")]),
        (4.9, 1.0, []),
        (0.5, -0.3, [("ransomware_signature", "warning")]),
        (1.0, -0.3, [("ransomware_signature", "critical")]),
        (1.0, -0.2, []),
        (0.1, -5.0, []),
        (5.0, None, []),
        (None, -5.0, []),
    ],
)
def test_suspicions(
    contribution: float | None, total: float | None, expected: list[tuple[str, str]]
) -> None:
    seed = replace(SEED, contribution=contribution, counterfactual_total=total)
    assert [(one.pattern, one.severity) for one in suspicions(seed)] == expected


def test_what_a_mode_cannot_do_without_is_named() -> None:
    with pytest.raises(RewardError, match=r"committed_val_acc: .*'sparse'"):
        reward("sparse", step(committed_val_acc=None), SparseConfig())
    with pytest.raises(RewardError, match=r"committed_val_acc: .*'minimal'"):
        reward("minimal", step(committed_val_acc=None), MinimalConfig())
    with pytest.raises(RewardError, match=r"seed: .*the seed of PRUNE"):
        reward("shaped", bare(op=Op.PRUNE), SHAPED)
    with pytest.raises(RewardError, match=r"config: .*a BasicConfig, not ShapedConfig"):
        reward("basic", step(), SHAPED)
    with pytest.raises(RewardError, match=r"inputs: .*LossRewardInputs"):
        reward("loss", step(), LossConfig())
    unpaired = step(drips=(DripState("a", 1.0, 0.1),))
    with pytest.raises(RewardError, match="fossil_contributions: 0 given for 1 drips"):
        reward("basic_plus", unpaired, BasicPlusConfig())


def test_a_reward_that_is_no_number_is_refused() -> None:
    with pytest.raises(MeasurementError, match="shaped reward is nan"):
        reward("shaped", step({"contribution": math.nan}), SHAPED)


def test_configs_refuse_what_they_do_not_know() -> None:
    with pytest.raises(pydantic.ValidationError, match="rent_wieght"):
        ShapedConfig.model_validate({"rent_wieght": 1.0})
    with pytest.raises(pydantic.ValidationError, match="must lie below baseline"):
        LossConfig(baseline=1.0, target=2.0)
    with pytest.raises(pydantic.ValidationError, match="frozen"):
        SHAPED.rent_weight = 1.0  # pyright: ignore[reportAttributeAccessIssue]
