"""A trial: its budget, what is kept at its end, and the one look at the test part."""

from __future__ import annotations

import pytest
import torch
from small_networks import batch_of, grow_to, network_of

from astrarium.esper import tasks
from astrarium.esper.contracts.actions import WAIT, ActionSpec, Blend
from astrarium.esper.contracts.errors import EsperError
from astrarium.esper.contracts.heads import Op, Style, Tempo
from astrarium.esper.contracts.stages import Stage
from astrarium.esper.episode import HostEpisode
from astrarium.esper.experiment import running
from astrarium.esper.experiment.arms import ARMS
from astrarium.esper.experiment.trial import Kept, Outcome, Trial
from astrarium.esper.host_view import bring_up
from astrarium.esper.phases import TaskData, score_of
from astrarium.esper.tasks.batches import Preloaded
from astrarium.esper.tasks.dataset import Dataset, Part


@pytest.fixture(scope="module")
def data() -> TaskData:
    """A few of the digits."""
    whole = tasks.load("digits_impaired")

    def some(part: Part) -> Part:
        return Part(part.inputs[:64].copy(), part.labels[:64].copy())

    few = Dataset(some(whole.train), some(whole.validation), some(whole.test))
    return TaskData(tasks.task("digits_impaired"), few, torch.device("cpu"))


def grow_one(episode: HostEpisode) -> ActionSpec:
    """A cheap seed as early as possible."""
    if episode.epoch == 1:
        return ActionSpec(Op.GERMINATE, "r0c0", "norm", style=Style.LINEAR_ADD, tempo=Tempo.FAST)
    return bring_up(episode.view())


def run(data: TaskData, arm: str, decide: running.Decide, epochs: int, *kept: Kept) -> Outcome:
    return running.run_trial(
        Trial("digits_impaired", arm, 3, epochs), data, decide, kept, commit="here"
    )


def test_a_host_alone_spends_the_whole_budget(data: TaskData) -> None:
    done = run(data, "host_only", lambda _: WAIT, 4)
    assert (done.epochs, done.spent_macs) == (4, done.budget_macs)
    assert (done.params, done.kept, done.deeds) == (done.host_params, (), ())
    assert done.curve_share == (0.25, 0.5, 0.75, 1.0)


def test_what_grows_has_fewer_epochs_and_never_more_compute(data: TaskData) -> None:
    seen: list[float] = []

    def decide(episode: HostEpisode) -> ActionSpec:
        budget = episode.budget()
        assert budget is not None
        seen.append(budget.left_macs)
        return grow_one(episode)

    done = run(data, "random_growth", decide, 45)
    assert done.epochs < 45
    assert done.spent_macs <= done.budget_macs
    # Another epoch would not have fitted: the last one cost this much.
    assert done.budget_macs - done.spent_macs < seen[-2] - seen[-1]
    assert [one.slot_id for one in done.kept] == ["r0c0"]
    assert [one.op for one in done.deeds] == ["GERMINATE", *["ADVANCE"] * 3, "FOSSILIZE"]


def test_a_seed_that_still_blends_at_the_end_is_left_out(data: TaskData) -> None:
    """Germinated in the first epoch, it blends from the twelfth on."""

    def never_settle(episode: HostEpisode) -> ActionSpec:
        spec = grow_one(episode)
        report = episode.reports()[0]
        blends = report is not None and report.stage is Stage.BLENDING
        return WAIT if blends else spec

    done = run(data, "random_growth", never_settle, 45)
    assert [one.op for one in done.deeds] == ["GERMINATE", "ADVANCE", "ADVANCE"]
    assert (done.kept, done.params) == ((), done.host_params)


def test_no_seed_germinates_when_it_could_not_settle_any_more(data: TaskData) -> None:
    """Ten epochs are left, fewer than 20 at one and a half times the cost."""
    done = run(data, "random_growth", running.decider(ARMS["random_growth"], "cnn", 3, None), 10)
    assert (done.epochs, done.deeds) == (10, ())


def test_the_grown_topology_is_there_from_the_first_epoch(data: TaskData) -> None:
    grown = run(data, "random_growth", grow_one, 45)
    static = run(data, "static_final", lambda _: WAIT, 45, *grown.kept)
    assert (static.kept, static.params) == (grown.kept, grown.params)
    assert static.spent_macs <= static.budget_macs
    assert static.epochs < 45
    assert static.deeds == ()


def test_equal_seeds_give_equal_outcomes(data: TaskData) -> None:
    first, second = (
        run(data, "random_growth", running.decider(ARMS["random_growth"], "cnn", 3, None), 40)
        for _ in range(2)
    )
    assert first.deeds
    assert first.lasting() == second.lasting()


def test_the_test_part_is_read_once(data: TaskData, monkeypatch: pytest.MonkeyPatch) -> None:
    reads: list[int] = []
    read = Preloaded.in_order

    def counted(self: Preloaded, rows: int) -> object:
        if self is data.test:
            reads.append(rows)
        return read(self, rows)

    monkeypatch.setattr(Preloaded, "in_order", counted)
    run(data, "host_only", lambda _: WAIT, 2)
    assert len(reads) == 1


def test_a_budget_below_one_epoch_is_refused(data: TaskData) -> None:
    heavy = Kept("r0c0", "conv_heavy", Blend.ADD)
    with pytest.raises(EsperError, match="budget_epochs is 1, too little"):
        run(data, "static_final", lambda _: WAIT, 1, heavy)


@pytest.mark.parametrize(
    ("stage", "kept"), [(Stage.TRAINING, 0.0), (Stage.BLENDING, 0.0), (Stage.HOLDING, 1.0)]
)
def test_holding_seeds_are_kept_and_blending_ones_are_off(stage: Stage, kept: float) -> None:
    network = network_of()
    grow_to(network, "r0c0", Stage.FOSSILIZED)
    grow_to(network, "r0c1", stage)
    amplitudes = running.settled_amplitudes(network)
    assert dict(zip(network.slot_ids, amplitudes, strict=True)) == {
        "r0c0": 1.0,
        "r0c1": kept,
        "r1c0": 0.0,
    }
    x, y = batch_of("cnn", 40)
    part = Preloaded(Part(x.numpy().copy(), y.numpy().copy()), torch.device("cpu"))
    accuracy, loss = score_of(network, part, amplitudes)
    network.eval()
    with torch.no_grad():
        outputs = network(x, (amplitudes,))[0]
        whole = torch.nn.functional.cross_entropy(outputs, y)
    assert accuracy == pytest.approx(100.0 * float((outputs.argmax(-1) == y).double().mean()))
    assert loss == pytest.approx(float(whole), rel=1e-6)
