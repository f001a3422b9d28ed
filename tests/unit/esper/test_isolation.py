"""The isolation probe passes honest seeds, and catches every kind of broken one."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from small_networks import batch_of, epoch_of, grow_to, loss_of, network_of
from torch import Tensor

from astrarium.esper.contracts.errors import IsolationError
from astrarium.esper.contracts.lifecycle import ViolationRecorded
from astrarium.esper.contracts.seeds import Topology
from astrarium.esper.contracts.stages import Stage
from astrarium.esper.isolation import (
    IsolationMonitor,
    probe,
)
from astrarium.esper.network import GrownNetwork
from astrarium.esper.slot import Slot

SLOT = "r0c0"


def in_training(topology: Topology = "cnn") -> GrownNetwork:
    network = network_of(topology)
    grow_to(network, SLOT, Stage.TRAINING)
    return network


def breaking_of(network: GrownNetwork, output: Callable[[Tensor], Tensor]) -> None:
    """Let the seed put out something else."""
    seed = network.slot(SLOT).seed
    assert seed is not None
    honest = seed.forward
    seed.forward = lambda x: output(honest(x))


@pytest.mark.parametrize("topology", ["cnn", "transformer"])
def test_an_honest_seed_passes_and_nothing_moves(topology: Topology) -> None:
    network = in_training(topology)
    x, y = batch_of(topology)
    network.train()
    flats = {name: d.flat.clone() for name, d in network.optimisers.items()}
    buffers = [buffer.clone() for buffer in network.host.buffers()]
    report = probe(network, SLOT, x, y, loss_of)
    assert report.violations == ()
    assert report.forward_identical
    assert report.gradient_gap == 0.0
    assert report.host_norm > 0.0
    assert report.seed_norm > 0.0
    assert network.training
    for name, descent in network.optimisers.items():
        assert torch.equal(descent.flat, flats[name])
        assert not bool(descent.grad.any())
    pairs = zip(buffers, network.host.buffers(), strict=True)
    assert all(torch.equal(a, b) for a, b in pairs)


def test_a_seed_that_is_not_cut_off_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    network = in_training()
    monkeypatch.setattr(Slot, "seed_input", lambda self, host: host)
    x, y = batch_of("cnn")
    report = probe(network, SLOT, x, y, loss_of)
    assert report.violations == ("gradient_identity",)
    assert report.gradient_gap > 1e-3


def test_a_seed_that_is_felt_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    network = in_training()

    def leaking(self: Slot, host: Tensor, logits: Tensor | None = None) -> Tensor:
        assert self.seed is not None
        return host + 1e-3 * self.seed(host.detach())

    monkeypatch.setattr(Slot, "forward", leaking)
    x, y = batch_of("cnn")
    assert "forward_identity" in probe(network, SLOT, x, y, loss_of).violations


def test_a_seed_that_writes_into_its_input_is_caught() -> None:
    network = network_of()
    grow_to(network, "r1c0", Stage.TRAINING)
    seed = network.slot("r1c0").seed
    assert seed is not None
    honest = seed.forward
    seed.forward = lambda x: honest(x.add_(0.1).clone())
    x, y = batch_of("cnn")
    assert "forward_identity" in probe(network, "r1c0", x, y, loss_of).violations


def test_a_shared_parameter_is_caught() -> None:
    network = in_training()
    slot = network.slot(SLOT)
    assert slot.descent is not None
    slot.descent.parameters = (*slot.descent.parameters, network.host_descent.parameters[0])
    x, y = batch_of("cnn")
    assert probe(network, SLOT, x, y, loss_of).violations == ("disjoint_parameters",)


@pytest.mark.parametrize("wrong", [float("nan"), float("inf")])
def test_a_seed_that_is_not_finite_never_reaches_the_host_and_is_pruned(wrong: float) -> None:
    network = in_training()
    x, y = batch_of("cnn")
    network.eval()
    clean = network(x, without=SLOT)
    breaking_of(network, lambda output: output * wrong)
    assert torch.equal(network(x), clean)
    monitor = IsolationMonitor(strict=False)
    network.take_events()
    monitor.check(network, x, y, loss_of, step=0, steps_per_epoch=50)
    state = network.slot(SLOT).state
    assert (state.stage, state.prune_reason) == (Stage.PRUNED, "governor_nan")
    assert state.figures.isolation_violations == monitor.violations == 1
    event = network.take_events()[0]
    assert isinstance(event, ViolationRecorded)
    assert event.violations == ("finite_seed",)
    assert all(bool(torch.isfinite(p).all()) for p in network.host.parameters())


def test_a_strict_monitor_stops_the_run_and_the_gates_stay_shut(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    network = in_training()
    monkeypatch.setattr(Slot, "seed_input", lambda self, host: host)
    x, y = batch_of("cnn")
    monitor = IsolationMonitor(strict=True)
    with pytest.raises(IsolationError, match=r"touches its host: gradient_identity"):
        monitor.check(network, x, y, loss_of, step=0, steps_per_epoch=50)
    assert network.slot(SLOT).state.stage is Stage.TRAINING
    assert network.slot(SLOT).state.figures.isolation_violations == 1


def test_probes_come_at_the_first_step_and_every_fiftieth() -> None:
    network = in_training()
    x, y = batch_of("cnn")
    due: list[int] = []
    for epoch in range(6):
        for step in range(20):
            monitor = IsolationMonitor(strict=True)
            monitor.check(network, x, y, loss_of, step, steps_per_epoch=20)
            if monitor.latest:
                due.append(20 * epoch + step)
        epoch_of(network, network.clock.epoch + 1)
    assert due == [0, 50, 100]
