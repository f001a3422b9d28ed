"""Whatever is asked of a network, in whatever order, it stays whole."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from small_networks import (
    FINE,
    SEEDLING,
    batch_of,
    epoch_of,
    germinate,
    grow_to,
    loss_of,
    network_of,
    prune,
    train_once,
)

from astrarium.esper.blueprints import allowed_blueprints
from astrarium.esper.contracts.actions import ActionSpec
from astrarium.esper.contracts.errors import MutationError
from astrarium.esper.contracts.heads import (
    BLUEPRINTS,
    AlphaCurve,
    AlphaSpeed,
    AlphaTarget,
    Op,
    Style,
    Tempo,
)
from astrarium.esper.contracts.lifecycle import StageChanged
from astrarium.esper.contracts.seeds import (
    AlphaMode,
    EpochMeasurement,
    GradientHealth,
    SeedMeasurement,
    Topology,
)
from astrarium.esper.contracts.stages import (
    BLENDED,
    BLOCKING,
    LIVE,
    TRANSITIONS,
    Stage,
)
from astrarium.esper.isolation import disjoint
from astrarium.esper.network import GrownNetwork, GrowthConfig
from astrarium.esper.seed_state import LifecycleRules
from astrarium.esper.snapshots import host_fingerprint

SLOTS: dict[Topology, tuple[str, ...]] = {
    "cnn": ("r0c0", "r0c1", "r1c0"),
    "transformer": ("r0c0", "r0c1"),
}
topologies = st.sampled_from(["cnn", "transformer"])
WILD = GradientHealth(norm=99.0, health=0.2, vanishing=False, exploding=True)


@st.composite
def asked(draw: st.DrawFn, topology: Topology) -> ActionSpec:
    """Any action at all, mostly of the kinds that lead somewhere."""
    ops = [Op.ADVANCE] * 4 + [Op.GERMINATE] * 3 + list(Op)
    return ActionSpec(
        op=draw(st.sampled_from(ops)),
        slot_id=draw(st.sampled_from(SLOTS[topology])),
        blueprint=draw(st.sampled_from([*allowed_blueprints(topology), *BLUEPRINTS])),
        style=draw(st.sampled_from(Style)),
        tempo=draw(st.sampled_from(Tempo)),
        alpha_target=draw(st.sampled_from(AlphaTarget)),
        alpha_speed=draw(st.sampled_from(AlphaSpeed)),
        alpha_curve=draw(st.sampled_from(AlphaCurve)),
    )


def check_whole(network: GrownNetwork, host_parameters: list[torch.nn.Parameter]) -> None:
    """Everything that must hold between any two happenings."""
    assert all(a is b for a, b in zip(host_parameters, network.host.parameters(), strict=True))
    slots = [network.slot(slot_id) for slot_id in network.slot_ids]
    living = [parameter for slot in slots for parameter in slot.living()]
    assert network.total_params == network.host_params + sum(p.numel() for p in living)
    assert {id(p) for p in network.parameters()} == {id(p) for p in [*host_parameters, *living]}
    assert network.host_descent.holds(host_parameters)
    assert disjoint(network)
    for slot in slots:
        state = slot.state
        holds_seed = state.stage in LIVE | {Stage.FOSSILIZED}
        assert (slot.seed is not None) is holds_seed
        assert (slot.descent is not None) is holds_seed
        if slot.descent is not None:
            assert slot.descent.holds(slot.living())
            assert state.figures.seed_param_count == sum(p.numel() for p in slot.living())
            frozen = state.alpha.mode is AlphaMode.DOWN
            assert all(p.requires_grad is not frozen for p in slot.living())
        assert 0.0 <= state.alpha.alpha <= 1.0
        if state.stage not in BLENDED:
            assert state.alpha.alpha == 0.0
        if state.stage in (Stage.HOLDING, Stage.FOSSILIZED):
            assert state.alpha.alpha == 1.0
    growing = [s for s in slots if s.state.stage in BLOCKING]
    germinated_last = [s for s in growing if s.state.stage in (Stage.GERMINATED, Stage.TRAINING)]
    assert len(germinated_last) <= 1


def legal(before: Stage, op: Op, topology: Topology, blueprint: str) -> bool:
    """What may possibly happen, as the table of masks has it."""
    return {
        Op.WAIT: True,
        Op.GERMINATE: before is Stage.DORMANT and blueprint in allowed_blueprints(topology),
        Op.ADVANCE: before in (Stage.GERMINATED, Stage.TRAINING, Stage.BLENDING),
        Op.SET_ALPHA_TARGET: before in (Stage.BLENDING, Stage.HOLDING),
        Op.PRUNE: before in LIVE,
        Op.FOSSILIZE: before is Stage.HOLDING,
    }[op]


@settings(max_examples=30, deadline=None)
@given(st.data(), topologies, st.booleans())
def test_no_sequence_of_actions_breaks_a_network(
    data: st.DataObject, topology: Topology, automatic: bool
) -> None:
    gates = frozenset({"G1", "G2", "G3"}) if automatic else frozenset[str]()
    rules = LifecycleRules(auto_forward=gates, seeds_max=2)  # pyright: ignore[reportArgumentType]
    network = network_of(topology, GrowthConfig(rules))
    parameters = list(network.host.parameters())
    print_before = host_fingerprint(network)
    events: list[StageChanged] = []
    for epoch in range(1, data.draw(st.sampled_from([10, 60]))):
        health = data.draw(st.sampled_from([FINE, FINE, FINE, FINE, FINE, WILD, None]))
        contribution = data.draw(st.sampled_from([3.0, -1.0, None]))
        seeds = tuple(SeedMeasurement(s, contribution, gradients=health) for s in SLOTS[topology])
        network.measure(EpochMeasurement(epoch, data.draw(st.floats(0, 100)), seeds))
        action = data.draw(asked(topology))
        live = [state for state in network.states() if state.stage in LIVE]
        if live and data.draw(st.integers(0, 3)):
            # Something sensible, so that every stage is reached.
            seed = data.draw(st.sampled_from(live))
            onward = Op.FOSSILIZE if seed.stage is Stage.HOLDING else Op.ADVANCE
            ops = [onward, onward, onward, onward, Op.PRUNE, Op.SET_ALPHA_TARGET]
            action = replace(action, op=data.draw(st.sampled_from(ops)), slot_id=seed.slot_id)
        before = network.states()
        stage = network.slot(action.slot_id).state.stage
        outcome = network.apply(action)
        if outcome.action_success:
            assert legal(stage, action.op, topology, action.blueprint)
            assert outcome.effective_op is action.op
        else:
            assert network.states() == before
            assert outcome.effective_op is Op.WAIT
            assert outcome.reason
        check_whole(network, parameters)
        if epoch % 8 == 0:
            train_once(network, epoch)
        network.tick()
        check_whole(network, parameters)
        news = network.take_events()
        events += [event for event in news if isinstance(event, StageChanged)]
    assert all(event.after in TRANSITIONS[event.before] for event in events)
    assert host_fingerprint(network) == print_before
    for slot_id in network.slot_ids:
        path = [event for event in events if event.slot_id == slot_id]
        assert all(a.after is b.before for a, b in itertools.pairwise(path))


@pytest.mark.parametrize("topology", ["cnn", "transformer"])
def test_in_training_only_the_seed_feels_itself(topology: Topology) -> None:
    network, twin = network_of(topology), network_of(topology)
    grow_to(network, "r0c0", Stage.TRAINING)
    for epoch in range(1, network.clock.epoch + 1):
        train_once(twin, epoch)
    # Two epochs with a seed that learns, and two without any seed, leave the same host behind.
    start = network.clock.epoch
    seed_before = [p.clone() for p in network.slot("r0c0").living()]
    for epoch in range(start + 1, start + 3):
        epoch_of(network, epoch)
        train_once(twin, epoch)
    assert torch.equal(network.host_descent.flat, twin.host_descent.flat)
    after = network.slot("r0c0").living()
    assert any(not torch.equal(a, b) for a, b in zip(seed_before, after, strict=True))


@pytest.mark.parametrize("topology", ["cnn", "transformer"])
def test_while_blending_hosts_learn_with_transformers_only(topology: Topology) -> None:
    network = network_of(topology)
    grow_to(network, "r0c1", Stage.HOLDING)
    x, y = batch_of(topology)
    features: list[torch.Tensor] = []
    hook = network.slot("r0c1").register_forward_pre_hook(lambda _m, i: features.append(i[0]))
    loss = loss_of(network(x), y)
    hook.remove()
    (slope,) = torch.autograd.grad(loss, features)
    # At full amplitude the direct path is closed: what is left came through the seed.
    assert (float(slope.abs().sum()) > 0.0) is (topology == "transformer")


@pytest.mark.parametrize("style", list(Style))
@pytest.mark.parametrize("topology", ["cnn", "transformer"])
def test_one_fused_pass_equals_separate_ones(topology: Topology, style: Style) -> None:
    network = network_of(topology)
    grow_to(network, "r0c0", Stage.HOLDING, style)
    grow_to(network, "r0c1", Stage.HOLDING, style)
    network.eval()
    x, _ = batch_of(topology, rows=5)
    others = (0.0,) * (len(network.slot_ids) - 2)
    pairs = [(1.0, 1.0), (0.0, 1.0), (1.0, 0.0), (0.0, 0.0), (0.3, 0.8), (1.0, 1.0)]
    configurations = [(*pair, *others) for pair in pairs]
    with torch.no_grad():
        fused = network(x, configurations)
        assert fused.shape[:2] == (6, 5)
        for row, found in zip(configurations, fused, strict=True):
            for slot_id, alpha in zip(network.slot_ids, row, strict=True):
                slot = network.slot(slot_id)
                at = replace(slot.state.alpha, alpha=alpha)
                slot.state = replace(slot.state, alpha=at)
            assert torch.allclose(network(x), found, atol=1e-6)
        assert torch.allclose(fused[3], network.host(x), atol=1e-6)
        assert not torch.allclose(fused[0], fused[1], atol=1e-4)


def test_a_fused_pass_runs_what_configurations_share_once() -> None:
    network = network_of()
    grow_to(network, "r0c0", Stage.HOLDING)
    grow_to(network, "r0c1", Stage.HOLDING)
    network.eval()
    rows: list[tuple[str, int]] = []
    for name in ("r0c0", "r0c1"):
        seed = network.slot(name).seed
        assert seed is not None
        seed.register_forward_hook(lambda _m, i, _o, name=name: rows.append((name, len(i[0]))))
    x, _ = batch_of("cnn", rows=5)
    with torch.no_grad():
        network(x, [(a, b, 0.0) for a in (0.0, 1.0) for b in (0.0, 1.0)])
    assert rows == [("r0c0", 5), ("r0c1", 10)]


def test_configurations_that_do_not_fit_are_refused() -> None:
    network = network_of()
    grow_to(network, "r0c0", Stage.TRAINING)
    x, _ = batch_of("cnn")
    with pytest.raises(MutationError, match="eval mode"):
        network(x, [(0.0, 0.0, 0.0)])
    network.eval()
    with torch.no_grad():
        assert torch.equal(network(x, [(0.0, 0.0, 0.0)])[0], network.host(x))
    for wrong in ([(0.0, 0.0)], [(0.5, 0.0, 0.0)], []):
        with pytest.raises(MutationError, match=r"amplitudes|alphas"):
            network(x, wrong)


def test_a_seed_costs_what_it_multiplies() -> None:
    network = network_of()
    # Two 1×1 convolutions over 6×6 and 3×3 features, then the classifier.
    host = 36 * 4 * 1 + 9 * 8 * 4 + 8 * 3
    assert network.macs == network.host_macs == host
    epoch_of(network, 1, germinate(network, "r0c0"))
    assert network.macs == host + 36 * 4 * 4 * 9
    network.measure(EpochMeasurement(2, 50.0))
    network.apply(prune("r0c0"), initiator="governor", prune_reason="governor_nan")
    assert network.macs == host


def test_attention_costs_its_pairs() -> None:
    network = network_of("transformer")
    time, width = 6, 8
    mlp = 2 * (2 * width * width) * time
    assert network.macs == 2 * mlp + time * width * 5
    epoch_of(network, 1, germinate(network, "r0c0"))
    pairs = time * (time + 1) // 2
    assert network.macs == network.host_macs + 4 * width * width * time + 2 * pairs * width
    assert SEEDLING["transformer"] == "attention"


def test_equal_seeds_grow_equal_networks() -> None:
    one, two, other = network_of(), network_of(), network_of(seed=8)
    for network in (one, two, other):
        grow_to(network, "r0c0", Stage.HOLDING)
    pairs = zip(one.parameters(), two.parameters(), strict=True)
    assert all(torch.equal(a, b) for a, b in pairs)
    seeds = zip(one.slot("r0c0").living(), other.slot("r0c0").living(), strict=True)
    assert any(not torch.equal(a, b) for a, b in seeds)
    assert one.take_events() == two.take_events()
