"""Launching: work that comes again is recorded, and nothing else becomes of it than without."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from little_hosts import begun, grow_next, grown_until
from small_networks import batch_of, epoch_of, grow_to, loss_of, network_of, retarget
from torch import Tensor

from astrarium.errors import ConfigError
from astrarium.esper import launching
from astrarium.esper.blending import Ingredients, blend
from astrarium.esper.building import build_host
from astrarium.esper.contracts.actions import Blend
from astrarium.esper.contracts.heads import AlphaTarget, Style
from astrarium.esper.contracts.stages import Stage
from astrarium.esper.launching import GraphFallback, Graphs, Launcher, pick_device
from astrarium.esper.shapes import TransformerShape
from astrarium.esper.snapshots import snapshot
from astrarium.train.streams import stream

CPU = torch.device("cpu")


class Pretended:
    """A recording without a GPU: its replays repeat what it was given, with what it was given."""

    made = 0

    def __init__(
        self, work: Callable[..., tuple[Tensor, ...]], inputs: tuple[Tensor, ...], *_: object
    ) -> None:
        type(self).made += 1
        self.inputs = tuple(one.clone() for one in inputs)
        self.outputs: tuple[Tensor, ...] = ()
        self.graph = SimpleNamespace(replay=self._replay)
        self._work = work

    def _replay(self) -> None:
        self.outputs = self._work(*self.inputs)


def recording_launcher() -> Launcher:
    graphs = Graphs(CPU)
    graphs.allowed = True
    return Launcher(CPU, graphs)


def doubled(x: Tensor) -> tuple[Tensor, ...]:
    return (2 * x,)


def test_on_a_cpu_work_just_runs() -> None:
    launcher = Launcher(CPU, Graphs(CPU))
    for value in (1.0, 2.0, 3.0):
        with launcher.alone():
            assert launcher.run("twice", doubled, torch.tensor(value))[0] == 2 * value
    assert not launcher.figures.capture_ms
    assert launcher.figures.replays == 0


def test_work_is_recorded_when_it_comes_again_and_let_go_with_its_structure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(launching, "_Recording", Pretended)
    monkeypatch.setattr(Pretended, "made", 0)
    launcher = recording_launcher()
    for structure, made in (("bare", 1), ("grown", 2)):
        launcher.adopt(structure)
        for value in (1.0, 2.0, 3.0, 4.0):
            launcher.adopt(structure)
            assert launcher.run("twice", doubled, torch.tensor([value]))[0] == 2 * value
        assert Pretended.made == made
    # Inputs of another shape are other work.
    assert launcher.run("twice", doubled, torch.ones(2))[0].tolist() == [2.0, 2.0]
    assert Pretended.made == 2
    assert launcher.figures.replays == 6
    assert len(launcher.figures.capture_ms) == 2


def test_the_first_failure_ends_recording_for_all_hosts_of_a_run(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(*_: object) -> None:
        raise RuntimeError("operation not permitted\nwhen capturing")

    monkeypatch.setattr(launching, "_Recording", refuse)
    first = recording_launcher()
    second = Launcher(CPU, first._graphs)
    for launcher in (first, first, second, second):
        assert launcher.run("twice", doubled, torch.tensor(3.0))[0] == 6.0
    assert first._graphs.fallback == GraphFallback("operation not permitted")
    assert not first._graphs.allowed
    assert caplog.text.count("tolaria.graph_fallback") == 1


def test_recorded_steps_train_as_steps_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """A recording repeats the work it was made of: nothing in it may be out of date."""
    monkeypatch.setattr(launching, "_Recording", Pretended)
    one, other = begun(epochs=40), begun(epochs=40)
    other.launcher = StepsOnly(CPU, other.data.graphs)
    for _ in range(16):
        for episode in (one, other):
            episode.decide(grow_next(episode))
            assert episode.proceed() is None
    assert other.launcher.figures.replays > 8
    assert snapshot(one.network) == snapshot(other.network)


class StepsOnly(Launcher):
    """Records steps of training; how strong seeds are is no tensor on a CPU."""

    def run(self, name: object, work: launching.Work, *inputs: Tensor) -> tuple[Tensor, ...]:
        self._graphs = Graphs(CPU)
        self._graphs.allowed = isinstance(name, str)
        return super().run(name, work, *inputs)


def test_a_structure_outlasts_a_ramp_but_no_other_change() -> None:
    network = network_of()
    seen = [network.structure()]
    grow_to(network, "r0c0", Stage.TRAINING)
    seen.append(network.structure())
    epoch = grow_to(network, "r0c0", Stage.BLENDING)
    epoch_of(network, epoch + 1)
    half = network.amplitudes()[0]
    assert 0.0 < half < 1.0
    seen.append(network.structure())
    grow_to(network, "r0c0", Stage.HOLDING)
    assert network.amplitudes()[0] == 1.0
    assert network.structure() == seen[-1]
    # A fossil begins to learn anew, with an optimiser of its own.
    grow_to(network, "r0c0", Stage.FOSSILIZED)
    seen.append(network.structure())
    seen.append(network_of().structure())
    assert len(set(seen)) == 5


def test_a_seed_on_its_way_down_has_a_structure_of_its_own() -> None:
    network = network_of()
    grow_to(network, "r0c0", Stage.HOLDING)
    up = network.structure()
    assert network.apply(retarget("r0c0", AlphaTarget.HALF)).action_success
    assert network.structure() != up


@pytest.mark.parametrize("operator", Blend)
@pytest.mark.parametrize("alpha", [0.3, 1.0])
def test_an_amplitude_in_a_tensor_blends_as_a_number_does(operator: Blend, alpha: float) -> None:
    generator = torch.Generator().manual_seed(1)
    host, seed, seen = (torch.randn(2, 4, 3, 3, generator=generator) for _ in range(3))
    share = torch.rand(2, 1, 1, 1, generator=generator)
    parts = Ingredients(host, seed, seen, share, share[:1], share, (0.1, 0.8))
    there = torch.tensor(alpha)
    assert torch.allclose(blend(operator, there, parts), blend(operator, alpha, parts), atol=1e-6)


@pytest.mark.parametrize("style", [Style.LINEAR_ADD, Style.LINEAR_MULTIPLY, Style.GATED_GATE])
def test_a_slot_that_feels_its_amplitude_follows_the_ramp(style: Style) -> None:
    """As on a GPU: the number lies in a tensor, and every change of the state reaches it."""
    told, felt = network_of(), network_of()
    for slot_id in felt.slot_ids:
        felt.slot(slot_id).feel(torch.zeros(()))
    x, _ = batch_of("cnn")
    for stage in (Stage.BLENDING, Stage.HOLDING):
        for network in (told, felt):
            grow_to(network, "r0c0", stage, style)
            network.eval()
        rows = [told.amplitudes(), (0.0,) * len(told.slot_ids)]
        assert torch.allclose(told(x), felt(x), atol=1e-5)
        assert torch.allclose(told(x, rows), felt(x, rows), atol=1e-5)


def test_dropout_draws_from_its_own_stream() -> None:
    shape = TransformerShape(
        width=8, heads=2, layers=2, context=6, vocabulary=5, segments=2, dropout=0.4
    )
    tokens, labels = batch_of("transformer", rows=50)

    def loss(epoch: int) -> float:
        host = build_host(shape, np.random.default_rng(1))
        assert host.reseed(stream(7, "esper.dropout", epoch)) is not None
        return loss_of(host(tokens), labels).item()

    before = torch.get_rng_state()
    first = loss(1)
    torch.manual_seed(12345)
    assert loss(1) == first
    assert loss(2) != first
    torch.set_rng_state(before)
    whole = build_host(shape, np.random.default_rng(1)).eval()
    assert loss_of(whole(tokens), labels).item() != first


def test_dropout_silences_its_share_and_keeps_the_mean() -> None:
    shape = TransformerShape(
        width=8, heads=0, layers=2, context=6, vocabulary=5, segments=2, dropout=0.25
    )
    host = build_host(shape, np.random.default_rng(1))
    host.reseed(stream(7, "esper.dropout", 0))
    dropout = host.get_submodule("steps.0.dropout")
    dropped = dropout(torch.ones(20_000))
    assert (dropped == 0).float().mean() == pytest.approx(0.25, abs=0.02)
    assert dropped.mean() == pytest.approx(1.0, abs=0.03)
    assert dropout.eval()(torch.ones(3)).tolist() == [1.0, 1.0, 1.0]


def test_a_gpu_that_is_not_there_is_refused_or_done_without(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert pick_device("auto") == pick_device("cpu") == CPU
    with pytest.raises(ConfigError, match="device is 'cuda', but torch sees no GPU"):
        pick_device("cuda")


def test_seeds_in_training_are_due_for_a_probe_every_fifty_steps() -> None:
    episode = grown_until(Stage.TRAINING)
    steps = episode.network.states()[0].figures.epochs_in_current_stage
    assert episode.monitor.due(episode.network, 60) == {
        step for step in range(60) if (60 * steps + step) % 50 == 0
    }
    assert begun().monitor.due(begun().network, 60) == frozenset()
