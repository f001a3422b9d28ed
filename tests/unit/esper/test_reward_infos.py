"""From reports to rewards: a life seen through reports shapes exactly as the life itself."""

from __future__ import annotations

from dataclasses import replace

import pytest
from seed_reports import report

from astrarium.esper.contracts.rewards import SeedInfo
from astrarium.esper.contracts.seeds import AlphaMode, AlphaState, SeedStateReport
from astrarium.esper.contracts.stages import Stage
from astrarium.esper.rewards.configs import PotentialConfig
from astrarium.esper.rewards.infos import alpha_delta_sq_sum, effective_seed_params, seed_info
from astrarium.esper.rewards.potential import step_shaping


def follow(reports: list[SeedStateReport], auto_pruned: bool = False) -> list[SeedInfo]:
    infos, before = list[SeedInfo](), None
    for one in reports:
        before = seed_info(one, before, 1.5, auto_pruned)
        infos.append(before)
    return infos


def at(stage: Stage, epochs: int) -> SeedStateReport:
    return report(stage, metrics={"epochs_in_current_stage": epochs})


def test_figures_are_taken_from_the_report() -> None:
    metrics = {"counterfactual_contribution": 2.5, "interaction_sum": 0.5, "boost_received": 0.25}
    info = seed_info(report(Stage.BLENDING, metrics=metrics), None, 1.5, False)
    assert (info.slot_id, info.stage, info.seed_age_epochs) == ("r0c0", Stage.BLENDING, 12)
    assert (info.improvement_since_stage_start, info.total_improvement) == (2.0, 4.0)
    assert (info.acc_at_germination, info.seed_params) == (50.0, 100)
    assert (info.contribution, info.counterfactual_total) == (2.5, 1.5)
    assert (info.interaction_sum, info.boost_received) == (0.5, 0.25)


def test_a_first_step_starts_from_the_germination() -> None:
    (info,) = follow([at(Stage.TRAINING, 1)])
    assert (info.previous_stage, info.previous_epochs_in_stage) == (Stage.GERMINATED, 0)


def test_a_life_telescopes_whether_or_not_stages_begin_at_zero() -> None:
    life = [at(Stage.GERMINATED, 1), at(Stage.TRAINING, 1), at(Stage.TRAINING, 2)]
    life += [at(Stage.BLENDING, 0), at(Stage.HOLDING, 1), at(Stage.FOSSILIZED, 1)]
    config = PotentialConfig(gamma=1.0)
    total = sum(step_shaping(info, config) for info in follow(life))
    assert total == pytest.approx(0.3 * (6.3 - 1.0))


def test_another_seed_in_the_same_slot_starts_afresh() -> None:
    old = follow([at(Stage.HOLDING, 9)])[0]
    new = seed_info(replace(at(Stage.GERMINATED, 1), seed_id="other"), old, 0.0, False)
    assert (new.previous_stage, new.previous_epochs_in_stage) == (Stage.GERMINATED, 0)


def test_a_pruned_seed_has_paid_already() -> None:
    falling = replace(
        at(Stage.BLENDING, 1), alpha=AlphaState(0.8, 1.0, 0.0, AlphaMode.DOWN, steps_total=5)
    )
    infos = follow([at(Stage.HOLDING, 3), falling, at(Stage.PRUNED, 0)])
    assert [info.leaving for info in infos] == [False, True, True]
    partly = replace(falling, alpha=replace(falling.alpha, target=0.5))
    assert [info.leaving for info in follow([partly])] == [False]


def test_what_the_governor_prunes_has_not() -> None:
    infos = follow([at(Stage.TRAINING, 3), at(Stage.PRUNED, 0), at(Stage.EMBARGOED, 0)], True)
    assert not any(info.leaving for info in infos)
    shaping = [step_shaping(info, PotentialConfig(gamma=1.0)) for info in infos]
    assert shaping[1:] == pytest.approx([-0.3 * 2.9, 0.0])


def test_effective_parameters_and_moved_amplitude() -> None:
    half = replace(at(Stage.BLENDING, 1), alpha=AlphaState(0.5), alpha_velocity=0.2)
    idle = replace(at(Stage.TRAINING, 1), alpha_velocity=0.0)
    kept = replace(at(Stage.FOSSILIZED, 1), alpha=AlphaState(1.0))
    assert effective_seed_params([half, None, idle, kept], 1000) == pytest.approx(7.8 + 150)
    assert alpha_delta_sq_sum([half, None, idle, kept]) == pytest.approx(4.0)
    assert effective_seed_params([None, idle], 1000) == 0.0
