"""Slots before a cnn seed at full amplitude: no gradient, and rules and events that say so."""

from __future__ import annotations

from dataclasses import replace

import pytest
from little_hosts import begun, little_world
from seed_reports import RULES, report
from small_networks import batch_of, loss_of, network_of, retarget

from astrarium.esper.contracts.actions import WAIT, ActionSpec, Blend
from astrarium.esper.contracts.anomalies import GradientVanished
from astrarium.esper.contracts.happening import Happening
from astrarium.esper.contracts.heads import AlphaTarget, Op, Style, Tempo
from astrarium.esper.contracts.seeds import AlphaState, Topology
from astrarium.esper.contracts.stages import Stage
from astrarium.esper.controllers import make_controller
from astrarium.esper.episode import HostEpisode
from astrarium.esper.gradients import gradient_norms
from astrarium.esper.masks import GrowthRules, Reports, action_problem, gradient_blocker, masks
from astrarium.esper.network import GrownNetwork, GrowthConfig, Planted
from astrarium.train.streams import stream

ADD = Blend.ADD


def rules_of(network: GrownNetwork) -> GrowthRules:
    return GrowthRules(
        network.slot_ids,
        (True,) * len(network.slot_ids),
        network.host.topology,
        len(network.slot_ids),
        forward_order=network.host.execution_order(),
        lift_fossil_isolation=network.config.lift_fossil_isolation,
    )


def reports_of(network: GrownNetwork) -> Reports:
    found = {one.slot_id: one for one in network.reports()}
    return tuple(found.get(slot) for slot in network.slot_ids)


def seed_gradient(network: GrownNetwork, slot_id: str) -> float:
    """Return the largest gradient norm of the seed in a slot over one backward pass."""
    x, y = batch_of(network.host.topology)
    network.train()
    loss_of(network(x), y).backward()
    learning = {name: one for name, one in network.learning().items() if name == slot_id}
    return float(gradient_norms(learning).max())


@pytest.mark.parametrize("topology", ["cnn", "transformer"])
@pytest.mark.parametrize("lift", [False, True])
@pytest.mark.parametrize("operator", [Blend.ADD, Blend.MULTIPLY, Blend.GATE])
def test_the_rule_names_exactly_the_slots_that_autograd_starves(
    topology: Topology, lift: bool, operator: Blend
) -> None:
    probe = network_of(topology)
    blueprint = "depthwise" if topology == "cnn" else "mlp_small"
    for fossil in probe.slot_ids:
        for slot in probe.slot_ids:
            if slot == fossil:
                continue
            planted = (Planted(fossil, blueprint, operator), Planted(slot, blueprint, Blend.GATE))
            config = GrowthConfig(planted=planted, lift_fossil_isolation=lift)
            network = network_of(topology, config)
            at = network.slot_ids.index(slot)
            blocker = gradient_blocker(rules_of(network), reports_of(network), at)
            assert blocker in ("", fossil)
            assert (seed_gradient(network, slot) == 0.0) is (blocker == fossil)


@pytest.mark.parametrize(
    ("stage", "target", "blend", "blocks"),
    [
        (Stage.FOSSILIZED, 1.0, ADD, True),
        (Stage.HOLDING, 1.0, ADD, True),
        (Stage.BLENDING, 1.0, ADD, True),
        (Stage.BLENDING, 0.5, ADD, False),
        (Stage.BLENDING, 0.0, ADD, False),
        (Stage.TRAINING, 0.0, ADD, False),
        (Stage.PRUNED, 0.0, ADD, False),
        (Stage.FOSSILIZED, 1.0, Blend.MULTIPLY, False),
        (Stage.FOSSILIZED, 1.0, Blend.GATE, False),
    ],
)
def test_no_seed_germinates_where_it_could_not_learn(
    stage: Stage, target: float, blend: Blend, blocks: bool
) -> None:
    full = report(stage, "r0c1", blend=blend)
    full = replace(full, alpha=AlphaState(alpha=target, target=target))
    reports: Reports = (None, full, None)
    found = masks(RULES, reports, None)
    may_grow = stage not in (Stage.TRAINING, Stage.PRUNED)
    assert found.allows(Op.GERMINATE, 0) is (may_grow and not blocks)
    assert found.allows(Op.GERMINATE, 2) is may_grow
    problem = action_problem(ActionSpec(Op.GERMINATE, "r0c0", "norm"), RULES, reports, None)
    assert ("no gradient flows back through the seed in r0c1" in problem) is blocks
    transformer = replace(RULES, topology="transformer")
    assert gradient_blocker(transformer, reports, 0) == ""
    lifted = replace(RULES, lift_fossil_isolation=True)
    assert (gradient_blocker(lifted, reports, 0) != "") is (
        blocks and stage is not Stage.FOSSILIZED
    )


def test_forward_order_decides_not_the_order_of_actions() -> None:
    """In forward order r1c0 lies between r0c0 and r0c1, in the order of actions behind both."""
    slots = ("r0c0", "r0c1", "r1c0")
    rules = GrowthRules(slots, (True,) * 3, "cnn", 3, forward_order=("r0c0", "r1c0", "r0c1"))
    full = replace(report(Stage.FOSSILIZED, "r1c0"), alpha=AlphaState(alpha=1.0, target=1.0))
    reports: Reports = (None, None, full)
    assert [gradient_blocker(rules, reports, at) for at in range(3)] == ["r1c0", "", ""]


def first_and_last() -> HostEpisode:
    """An episode with a seed blended by half in the last slot and one in TRAINING in the first."""
    episode = begun(epochs=60, seed_limit=5)
    order = episode.network.host.execution_order()
    first, last = order[0], order[-1]
    wanted = [
        ActionSpec(
            Op.GERMINATE, last, "conv_light", tempo=Tempo.FAST, alpha_target=AlphaTarget.HALF
        ),
        ActionSpec(Op.ADVANCE, last),
        ActionSpec(Op.ADVANCE, last),
        ActionSpec(Op.GERMINATE, first, "conv_light"),
        ActionSpec(Op.ADVANCE, first),
    ]
    while wanted:
        outcome, _ = episode.decide(wanted[0])
        assert episode.proceed() is None
        if outcome.action_success:
            wanted.pop(0)
        assert not episode.is_over
    return episode


def vanished_in(news: list[Happening]) -> list[GradientVanished]:
    return [one for one in news if isinstance(one, GradientVanished)]


def test_a_seed_that_is_cut_off_later_is_told_of_once() -> None:
    episode = first_and_last()
    order = episode.network.host.execution_order()
    while episode.network.slot(order[-1]).state.alpha.mode.name != "HOLD":
        episode.decide(WAIT)
        assert episode.proceed() is None
    assert vanished_in(episode.take_news()) == []
    outcome, _ = episode.decide(retarget(order[-1], AlphaTarget.FULL, style=Style.LINEAR_ADD))
    assert outcome.action_success
    for _ in range(8):
        assert episode.proceed() is None
        episode.decide(WAIT)
    (told,) = vanished_in(episode.take_news())
    assert (told.slot_id, told.blocked_by, told.norm) == (order[0], order[-1], 0.0)


def test_isolation_is_a_setting_of_the_world() -> None:
    chosen = little_world(count=1, lift_fossil_isolation=True, strict_isolation=True).hosts[0]
    assert chosen.rules.lift_fossil_isolation
    assert chosen.growth_rules.lift_fossil_isolation
    assert chosen.network.slot("r0c0").lift
    assert chosen.monitor.strict
    plain = little_world(count=1).hosts[0]
    assert not plain.growth_rules.lift_fossil_isolation
    assert not plain.network.slot("r0c0").lift
    assert not plain.monitor.strict
    assert plain.growth_rules.forward_order == plain.network.host.execution_order()


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_random_growth_starves_no_seed(seed: int) -> None:
    episode = begun(seed, epochs=90, seed_limit=5)
    controller = make_controller(
        "random_growth", "cnn", lambda epoch: stream(seed, "blocked gradients", epoch)
    )
    while not episode.is_over:
        episode.decide(controller.decide(episode.view()))
        assert episode.proceed() is None
    assert vanished_in(episode.take_news()) == []
    assert sum(state.stage is Stage.FOSSILIZED for state in episode.network.states()) > 1
