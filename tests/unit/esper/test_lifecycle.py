"""The life of a seed, step by step, in networks that really train."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import pytest
import torch
from small_networks import (
    CNN,
    batch_of,
    epoch_of,
    germinate,
    grow_to,
    loss_of,
    measured,
    network_of,
    prune,
    retarget,
    train_once,
)

from astrarium.esper.contracts.actions import ActionSpec, Blend
from astrarium.esper.contracts.errors import BlueprintError, MeasurementError, MutationError
from astrarium.esper.contracts.heads import AlphaSpeed, AlphaTarget, Op, Style
from astrarium.esper.contracts.lifecycle import GateEvaluated, StageChanged
from astrarium.esper.contracts.seeds import AlphaMode, EpochMeasurement, SeedMeasurement, Topology
from astrarium.esper.contracts.stages import Stage
from astrarium.esper.network import GrownNetwork, GrowthConfig, Planted
from astrarium.esper.seed_state import HISTORY_MAX, LifecycleRules

SLOT = "r0c0"


def stages(network: GrownNetwork) -> list[Stage]:
    return [state.stage for state in network.states()]


def epochs(network: GrownNetwork, count: int) -> None:
    for _ in range(count):
        epoch_of(network, network.clock.epoch + 1)


@pytest.mark.parametrize("topology", ["cnn", "transformer"])
def test_a_life_from_germination_to_fossil(topology: Topology) -> None:
    network = network_of(topology)
    grow_to(network, SLOT, Stage.FOSSILIZED)
    changes = [event for event in network.take_events() if isinstance(event, StageChanged)]
    assert [change.after.name for change in changes] == [
        "GERMINATED",
        "TRAINING",
        "BLENDING",
        "HOLDING",
        "FOSSILIZED",
    ]
    assert changes[2].epochs_in_stage == 10
    state = network.slot(SLOT).state
    assert state.history == tuple(changes)
    assert state.alpha.alpha == 1.0
    assert not network.apply(prune(SLOT)).action_success
    governor = network.apply(prune(SLOT), initiator="governor", prune_reason="governor_nan")
    assert not governor.action_success


def test_a_refused_gate_changes_nothing_and_is_critical() -> None:
    network = network_of()
    grow_to(network, SLOT, Stage.TRAINING)
    network.take_events()
    before = network.states()
    outcome = network.apply(ActionSpec(Op.ADVANCE, SLOT), action_id="a-1")
    assert outcome.effective_op is Op.WAIT
    assert not outcome.action_success
    assert "epochs_in_training" in outcome.reason
    assert outcome.action_id == "a-1"
    assert network.states() == before
    (event,) = network.take_events()
    assert isinstance(event, GateEvaluated)
    assert event.critical


def test_growth_is_sequential_and_limited() -> None:
    network = network_of(config=GrowthConfig(LifecycleRules(seeds_max=2)))
    assert "nothing has been measured" in network.apply(germinate(network, SLOT)).reason
    grow_to(network, SLOT, Stage.TRAINING)
    network.measure(measured(network, 50))
    assert "not empty" in network.apply(germinate(network, SLOT)).reason
    assert "still growing" in network.apply(germinate(network, "r0c1")).reason
    grow_to(network, SLOT, Stage.BLENDING)
    grow_to(network, "r0c1", Stage.BLENDING)
    assert "2 of 2 seeds" in network.apply(germinate(network, "r1c0")).reason


def test_disabled_slots_and_switched_off_grafting_refuse() -> None:
    network = network_of(config=GrowthConfig(disabled=frozenset({SLOT})))
    network.measure(measured(network, 1))
    assert "disabled" in network.apply(germinate(network, SLOT)).reason
    assert network.apply(germinate(network, "r0c1")).action_success
    still = network_of(config=GrowthConfig(LifecycleRules(grafting=False)))
    still.measure(measured(still, 1))
    assert "switched off" in still.apply(germinate(still, SLOT)).reason
    with pytest.raises(MutationError, match="disabled names"):
        network_of(config=GrowthConfig(disabled=frozenset({"r9c9"})))


def test_blueprints_that_do_not_fit_are_refused_and_unknown_names_raise() -> None:
    network = network_of()
    network.measure(measured(network, 1))
    for name in ("noop", "lora"):
        outcome = network.apply(ActionSpec(Op.GERMINATE, SLOT, name))
        assert outcome.effective_op is Op.WAIT
        assert name in outcome.reason
    with pytest.raises(BlueprintError, match="no blueprint is called"):
        network.apply(ActionSpec(Op.GERMINATE, SLOT, "conv_lite"))
    with pytest.raises(MutationError, match="no slot 'mid'"):
        network.apply(ActionSpec(Op.ADVANCE, "mid"))
    assert set(stages(network)) == {Stage.DORMANT}


def test_a_young_seed_cannot_be_pruned_and_its_slot_cools_for_seven_ticks() -> None:
    network = network_of()
    epoch_of(network, 1, germinate(network, SLOT))
    epochs(network, 4)
    assert "4 epochs old" in network.apply(prune(SLOT)).reason
    network.measure(measured(network, 6))
    assert network.apply(prune(SLOT)).action_success
    assert network.slot(SLOT).seed is None
    assert network.slot(SLOT).state.stage is Stage.PRUNED
    seen: list[str] = []
    network.tick()
    while network.slot(SLOT).state.stage is not Stage.DORMANT:
        seen.append(network.slot(SLOT).state.stage.name)
        assert not network.apply(germinate(network, "r0c1")).action_success
        epochs(network, 1)
    assert seen == ["EMBARGOED"] * 5 + ["RESETTING"]
    assert network.reports() == ()


def test_the_governor_prunes_at_once_whatever_the_age() -> None:
    network = network_of()
    epoch_of(network, 1, germinate(network, SLOT))
    network.apply(
        prune(SLOT, AlphaSpeed.SLOW), initiator="governor", prune_reason="governor_divergence"
    )
    state = network.slot(SLOT).state
    assert (state.stage, state.prune_reason) == (Stage.PRUNED, "governor_divergence")
    with pytest.raises(MutationError, match="policy cannot prune because of 'governor_nan'"):
        network.apply(prune(SLOT), prune_reason="governor_nan")


def test_a_scheduled_prune_fades_the_seed_out_frozen_and_then_removes_it() -> None:
    network = network_of()
    grow_to(network, SLOT, Stage.HOLDING)
    slot = network.slot(SLOT)
    network.measure(measured(network, 40))
    assert network.apply(prune(SLOT, AlphaSpeed.FAST)).action_success
    assert slot.state.stage is Stage.BLENDING
    assert slot.state.alpha.mode is AlphaMode.DOWN
    frozen = [p.clone() for p in slot.living()]
    assert not any(p.requires_grad for p in slot.living())
    network.tick()
    assert slot.state.alpha.alpha == pytest.approx(2 / 3)
    assert slot.state.alpha_velocity == pytest.approx(-1 / 3)
    assert not network.apply(prune(SLOT)).action_success
    train_once(network)
    assert all(torch.equal(a, b) for a, b in zip(frozen, slot.living(), strict=True))
    network.take_events()
    for epoch in (41, 42):
        network.measure(measured(network, epoch))
        network.tick()
    assert slot.state.stage is Stage.PRUNED
    assert slot.seed is None
    (event,) = network.take_events()
    assert isinstance(event, StageChanged)
    assert event.reason == "policy"


def test_the_module_is_gone_before_anybody_hears_of_it() -> None:
    network = network_of()
    grow_to(network, SLOT, Stage.HOLDING)
    heard: list[bool] = []

    class Listening(list[object]):
        def __iadd__(self, events: object) -> Listening:
            heard.append(network.slot(SLOT).seed is None)
            return self

    network._events = Listening()  # pyright: ignore[reportAttributeAccessIssue]
    assert network.apply(prune(SLOT)).action_success
    assert heard == [True]


def test_a_partial_target_leads_back_to_blending_and_thaws_there() -> None:
    network = network_of()
    grow_to(network, SLOT, Stage.HOLDING)
    slot = network.slot(SLOT)
    network.measure(measured(network, 40))
    assert network.apply(retarget(SLOT, AlphaTarget.HALF)).action_success
    assert slot.state.stage is Stage.BLENDING
    network.tick()
    epochs(network, 2)
    assert slot.state.alpha.alpha == 0.5
    assert slot.state.alpha.mode is AlphaMode.HOLD
    assert all(p.requires_grad for p in slot.living())
    assert not network.apply(ActionSpec(Op.ADVANCE, SLOT)).action_success
    assert network.apply(retarget(SLOT, AlphaTarget.FULL, AlphaSpeed.INSTANT)).action_success
    assert network.apply(ActionSpec(Op.ADVANCE, SLOT)).action_success
    assert slot.state.stage is Stage.HOLDING


def test_a_change_of_style_brings_or_takes_a_gate() -> None:
    network = network_of()
    grow_to(network, SLOT, Stage.HOLDING)
    slot, bare = network.slot(SLOT), network.seed_params
    network.measure(measured(network, 40))
    gated = retarget(SLOT, AlphaTarget.FULL, style=Style.GATED_GATE)
    assert network.apply(gated).action_success
    assert slot.state.stage is Stage.HOLDING
    assert slot.state.blend is Blend.GATE
    assert network.seed_params == bare + (4 * 8 + 8 + 8 + 1)
    assert slot.state.figures.seed_param_count == network.seed_params
    assert slot.descent is not None
    assert slot.descent.holds(slot.living())
    assert network.apply(retarget(SLOT, AlphaTarget.FULL)).action_success
    assert (slot.gate, network.seed_params) == (None, bare)


def test_only_commands_name_operators_of_their_own() -> None:
    network = network_of()
    network.measure(measured(network, 1))
    asked = replace(germinate(network, SLOT), blend=Blend.RESIDUAL)
    assert "only commands" in network.apply(asked).reason
    assert network.apply(asked, initiator="command").action_success
    other = network_of()
    other.measure(measured(other, 1))
    wrong = replace(germinate(other, SLOT), blend=Blend.CHANNEL, alpha_vec=(0.5,))
    with pytest.raises(MutationError, match="1 values for 4 channels"):
        other.apply(wrong, initiator="command")
    assert set(stages(other)) == {Stage.DORMANT}


def test_confidence_needs_logits() -> None:
    network = network_of()
    network.measure(measured(network, 1))
    asked = replace(germinate(network, SLOT), blend=Blend.CONFIDENCE)
    network.apply(asked, initiator="command")
    network.tick()
    grow_to(network, SLOT, Stage.TRAINING)
    epochs(network, 10)
    network.apply(ActionSpec(Op.ADVANCE, SLOT))
    network.measure(measured(network, 60))
    network.tick()
    network.take_events()
    x, _ = batch_of("cnn")
    with pytest.raises(MutationError, match="give `logits`"):
        network(x)
    (event,) = network.take_events()
    assert getattr(event, "reason", "") == "confidence_gate_missing_logits"
    assert network(x, logits=torch.randn(6, 3)).shape == (6, 3)


def test_gates_open_by_themselves_where_told_to() -> None:
    rules = LifecycleRules(auto_forward=frozenset({"G1", "G2", "G3"}))
    network = network_of(config=GrowthConfig(rules))
    epoch_of(network, 1, germinate(network, SLOT))
    epochs(network, 16)
    assert network.slot(SLOT).state.stage is Stage.HOLDING
    epochs(network, 8)
    assert network.slot(SLOT).state.stage is Stage.HOLDING


def test_strict_gates_ask_for_gain() -> None:
    network = network_of(config=GrowthConfig(LifecycleRules(gates="strict")))
    grow_to(network, SLOT, Stage.TRAINING)
    for epoch in range(20, 30):
        network.measure(measured(network, epoch, accuracy=50.4))
        network.tick()
    outcome = network.apply(ActionSpec(Op.ADVANCE, SLOT))
    assert "accuracy_gain" in outcome.reason
    network.measure(measured(network, 31, accuracy=50.5))
    assert network.apply(ActionSpec(Op.ADVANCE, SLOT)).action_success


def test_figures_are_kept_as_told() -> None:
    network = network_of()
    grow_to(network, SLOT, Stage.BLENDING)
    for epoch, accuracy, contribution in ((30, 55.0, 1.0), (31, 53.0, 3.0)):
        seed = SeedMeasurement(SLOT, contribution=contribution, interaction_sum=0.5)
        network.measure(EpochMeasurement(epoch, accuracy, (seed,)))
        network.tick()
    (report,) = network.reports()
    figures = report.metrics
    assert (figures.initial_val_accuracy, figures.accuracy_at_blending_start) == (50.0, 50.0)
    assert (figures.current_val_accuracy, figures.best_val_accuracy) == (53.0, 55.0)
    assert (figures.counterfactual_contribution, figures.contribution_epoch) == (3.0, 31)
    assert figures.contribution_velocity == pytest.approx(0.7 * 0.3 * (1.0 - 2.0) + 0.3 * 2.0)
    assert figures.gradient_norm_avg == pytest.approx(0.5)
    assert figures.previous_gradient_health == 1.0
    assert report.age_epochs == figures.epochs_total
    assert report.is_healthy


def test_reports_tell_the_amplitudes_before_and_behind() -> None:
    network = network_of()
    grow_to(network, SLOT, Stage.HOLDING)
    grow_to(network, "r0c1", Stage.TRAINING)
    first, second = network.reports()
    assert (first.slot_id, second.slot_id) == (SLOT, "r0c1")
    assert (first.metrics.upstream_alpha_sum, first.metrics.downstream_alpha_sum) == (0.0, 0.0)
    assert (second.metrics.upstream_alpha_sum, second.metrics.downstream_alpha_sum) == (1.0, 0.0)


def test_figures_that_are_not_finite_are_refused() -> None:
    network = network_of()
    for wrong in (
        EpochMeasurement(1, math.nan),
        EpochMeasurement(1, 50.0, (SeedMeasurement(SLOT, contribution=math.inf),)),
        EpochMeasurement(1, 50.0, (SeedMeasurement("r7c7"),)),
    ):
        with pytest.raises(MeasurementError):
            network.measure(wrong)
    with pytest.raises(MeasurementError, match="ends once"):
        network.tick()


def test_history_is_bounded() -> None:
    network = network_of()
    for _ in range(20):
        epoch_of(network, network.clock.epoch + 1, germinate(network, SLOT))
        network.apply(prune(SLOT), initiator="governor", prune_reason="governor_rollback")
        while network.slot(SLOT).state.stage is not Stage.DORMANT:
            network.measure(measured(network, network.clock.epoch + 1))
            network.tick()
    history = network.slot(SLOT).state.history
    assert len(history) == HISTORY_MAX
    assert all(a.after is b.before for a, b in itertools.pairwise(history))


def test_planted_seeds_are_fossils_from_the_beginning() -> None:
    planted = (Planted(SLOT, "depthwise"), Planted("r0c1", "conv_light", Blend.GATE))
    network = network_of(config=GrowthConfig(planted=planted, lift_fossil_isolation=True))
    assert network.slot(SLOT).state.stage is Stage.FOSSILIZED
    assert network.total_params == network.host_params + network.seed_params
    assert network.amplitudes() == (1.0, 1.0, 0.0)
    x, y = batch_of("cnn")
    loss_of(network(x), y).backward()
    first = network.host_descent.parameters[0].grad
    assert first is not None
    assert float(first.abs().sum()) > 0.0
    with pytest.raises(MutationError, match="cannot be planted"):
        network_of(config=GrowthConfig(planted=(Planted(SLOT, "lora"),)))
    assert CNN.base == network.slot(SLOT).spec.channels
