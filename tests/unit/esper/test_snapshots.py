"""Networks as bytes: what goes on after a restore is what would have gone on anyway."""

from __future__ import annotations

import msgspec
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from small_networks import (
    epoch_of,
    germinate,
    grow_to,
    measured,
    network_of,
    prune,
    retarget,
)

from astrarium.errors import SnapshotError
from astrarium.esper.contracts.actions import ActionSpec
from astrarium.esper.contracts.heads import AlphaSpeed, AlphaTarget, Op, Style
from astrarium.esper.contracts.seeds import Topology
from astrarium.esper.contracts.stages import Stage
from astrarium.esper.network import GrownNetwork
from astrarium.esper.snapshots import anchor, restore, roll_back, snapshot, topology_manifest

STAGES = [Stage.GERMINATED, Stage.TRAINING, Stage.BLENDING, Stage.HOLDING, Stage.FOSSILIZED]


def go_on(network: GrownNetwork, epochs: int) -> None:
    """Some more life: a second seed, ramps both ways, a prune."""
    for _ in range(epochs):
        epoch = network.clock.epoch + 1
        wishes = [
            germinate(network, "r0c1"),
            ActionSpec(Op.ADVANCE, "r0c0"),
            retarget("r0c0", AlphaTarget.HALF),
            ActionSpec(Op.ADVANCE, "r0c1"),
        ]
        epoch_of(network, epoch, wishes[epoch % len(wishes)])


def assert_same(one: GrownNetwork, two: GrownNetwork) -> None:
    assert one.states() == two.states()
    assert one.clock == two.clock
    assert one.macs == two.macs
    for name, descent in one.optimisers.items():
        assert torch.equal(descent.flat, two.optimisers[name].flat)
        assert torch.equal(descent.momentum, two.optimisers[name].momentum)
    pairs = zip(one.host.buffers(), two.host.buffers(), strict=True)
    assert all(torch.equal(a, b) for a, b in pairs)


@settings(max_examples=16, deadline=None)
@given(
    st.sampled_from(["cnn", "transformer"]),
    st.sampled_from(STAGES),
    st.sampled_from(Style),
    st.integers(1, 8),
)
def test_what_follows_a_restore_is_what_would_have_followed(
    topology: Topology, stage: Stage, style: Style, epochs: int
) -> None:
    network = network_of(topology)
    grow_to(network, "r0c0", stage, style)
    content = snapshot(network)
    fresh = network_of(topology, seed=99)
    go_on(fresh, 5)
    restore(fresh, content)
    assert_same(network, fresh)
    assert snapshot(fresh) == content
    network.take_events()
    go_on(network, epochs)
    go_on(fresh, epochs)
    assert_same(network, fresh)
    assert network.take_events() == fresh.take_events()


def test_a_seed_on_its_way_out_stays_frozen_after_a_restore() -> None:
    network = network_of()
    grow_to(network, "r0c0", Stage.HOLDING)
    network.measure(measured(network, 40))
    network.apply(prune("r0c0", AlphaSpeed.SLOW))
    network.tick()
    fresh = network_of()
    restore(fresh, snapshot(network))
    assert not any(p.requires_grad for p in fresh.slot("r0c0").living())
    for epoch in range(41, 60):
        epoch_of(network, epoch)
        epoch_of(fresh, epoch)
        assert_same(network, fresh)
    assert fresh.slot("r0c0").state.stage is Stage.DORMANT


def test_bytes_that_are_no_snapshot_of_this_host_are_refused() -> None:
    network = network_of()
    content = snapshot(network)
    with pytest.raises(SnapshotError, match="no snapshot"):
        restore(network, b"nonsense")
    with pytest.raises(SnapshotError, match="no snapshot"):
        restore(network, content[:-9])
    with pytest.raises(SnapshotError, match="another host"):
        restore(network_of("transformer"), content)
    document = msgspec.msgpack.decode(content)
    with pytest.raises(SnapshotError, match="version 9"):
        restore(network, msgspec.msgpack.encode(document | {"version": 9}))
    with pytest.raises(SnapshotError, match="no snapshot"):
        restore(network, msgspec.msgpack.encode(document | {"extra": 1}))


def test_the_manifest_tells_what_a_network_has_become() -> None:
    one, two = network_of(), network_of(seed=9)
    assert topology_manifest(one) == topology_manifest(two)
    grow_to(one, "r0c0", Stage.HOLDING)
    assert topology_manifest(one) != topology_manifest(two)
    grow_to(two, "r0c0", Stage.HOLDING)
    assert topology_manifest(one) == topology_manifest(two)


def test_a_rollback_restores_host_and_fossils_and_prunes_the_rest() -> None:
    network = network_of()
    grow_to(network, "r0c0", Stage.FOSSILIZED)
    kept = anchor(network)
    host, fossil = (network.optimisers[name].flat.clone() for name in ("host", "r0c0"))
    grow_to(network, "r0c1", Stage.TRAINING)
    assert not torch.equal(network.host_descent.flat, host)
    assert roll_back(network, kept) == ("r0c1",)
    assert torch.equal(network.host_descent.flat, host)
    assert torch.equal(network.optimisers["r0c0"].flat, fossil)
    assert network.slot("r0c1").state.stage is Stage.PRUNED
    assert network.slot("r0c1").state.prune_reason == "governor_rollback"
    assert all(not bool(d.momentum.any()) for d in network.optimisers.values())


def test_a_fossil_newer_than_the_anchor_keeps_its_weights() -> None:
    network = network_of()
    kept = anchor(network)
    grow_to(network, "r0c0", Stage.FOSSILIZED)
    fossil = network.optimisers["r0c0"].flat.clone()
    roll_back(network, kept)
    assert torch.equal(network.optimisers["r0c0"].flat, fossil)
    with pytest.raises(SnapshotError, match="another network"):
        roll_back(network_of(), anchor(network))
