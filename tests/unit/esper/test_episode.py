"""An episode: exact when resumed, brought back when it breaks down, ended by its budget."""

from __future__ import annotations

import copy

import pytest
import torch
from little_hosts import begun, grow_next, grown_until, little_data

from astrarium.errors import SnapshotError
from astrarium.esper.budget import host_epoch_macs
from astrarium.esper.contracts.actions import WAIT, ActionSpec
from astrarium.esper.contracts.heads import Op
from astrarium.esper.contracts.stages import LIVE, Stage
from astrarium.esper.entry import EsperConfig
from astrarium.esper.episode import HostEpisode
from astrarium.esper.episode_snapshots import pack, unpack
from astrarium.esper.masks import SETTLING_COST, SETTLING_EPOCHS
from astrarium.esper.rewards.configs import CONFIGS, LossConfig
from astrarium.esper.tasks import task


def go_on(episode: HostEpisode, steps: int) -> bytes:
    for _ in range(steps):
        episode.decide(grow_next(episode))
        assert episode.proceed() is None
    return pack(episode)


@pytest.mark.parametrize("stage", [Stage.TRAINING, Stage.BLENDING, Stage.FOSSILIZED])
def test_an_episode_goes_on_from_its_bytes_as_if_never_stopped(stage: Stage) -> None:
    episode = grown_until(stage, epochs=60, reward_mode="escrow")
    kept = pack(episode)
    again = unpack(kept, episode.data, episode.rules)
    assert pack(again) == kept
    assert again.view() == episode.view()
    assert go_on(again, 6) == go_on(episode, 6)


def test_two_episodes_of_one_seed_are_the_same_and_of_two_are_not() -> None:
    assert go_on(begun(seed=5), 3) == go_on(begun(seed=5), 3)
    assert go_on(begun(seed=5), 3) != go_on(begun(seed=6), 3)


def test_bytes_of_something_else_are_refused() -> None:
    episode = begun()
    with pytest.raises(SnapshotError, match="no snapshot of an episode"):
        unpack(b"\x80", episode.data, episode.rules)


@pytest.mark.parametrize("mode", [mode for mode in CONFIGS if mode not in ("sparse", "minimal")])
def test_shaping_discounts_as_the_learner_does(mode: str) -> None:
    rules = EsperConfig(reward_mode=mode, gamma=0.9).rules(little_data())
    assert rules.reward_config().potential.gamma == 0.9


@pytest.mark.parametrize(("name", "baseline"), [("copy_lm", 2.3), ("tinystories", 10.8)])
def test_a_loss_is_rewarded_by_what_its_task_begins_with(name: str, baseline: float) -> None:
    data = copy.copy(little_data())
    data.spec = task(name)
    rules = EsperConfig(reward_mode="loss").rules(data)
    config = rules.reward_config()
    assert isinstance(config, LossConfig)
    assert config.baseline == baseline


def test_a_host_that_breaks_down_is_brought_back_and_its_episode_is_over() -> None:
    episode = grown_until(Stage.BLENDING, epochs=60)
    assert episode.anchor is not None
    good = {name: kept.clone() for name, kept in episode.anchor.tensors.items()}
    episode.decide(WAIT)
    with torch.no_grad():
        episode.network.host_descent.flat.fill_(float("nan"))
    panic = episode.proceed()
    assert panic is not None
    assert panic.reason == "governor_nan"
    assert torch.equal(episode.network.host_descent.flat, good["host.flat"])
    for name, buffer in episode.network.host.named_buffers():
        assert torch.equal(buffer, good[f"host.buffer.{name}"])
    assert not any(state.stage in LIVE for state in episode.network.states())
    assert not episode.network.host_descent.momentum.any()


def test_a_budget_is_told_as_time_that_runs_out_and_ends_the_episode() -> None:
    episode = begun(epochs=100, budget_epochs=6.0)
    epochs = 1
    while not episode.is_over:
        budget = episode.budget()
        assert budget is not None
        assert budget.left_macs == episode.rules.budget_macs - episode.spent_macs
        episode.decide(WAIT)
        assert episode.proceed() is None
        epochs += 1
    # A bare host spends exactly an epoch of it each time.
    assert epochs == 6
    assert episode.spent_macs == pytest.approx(6 * host_epoch_macs(little_data()))


def test_a_seed_that_could_not_settle_any_more_is_not_sown() -> None:
    enough = SETTLING_EPOCHS * SETTLING_COST + 1
    sow = ActionSpec(Op.GERMINATE, "r0c0", blueprint="conv_light")
    episode = begun(epochs=200, budget_epochs=enough + 1)
    assert episode.masks().allows(Op.GERMINATE, 0)
    episode.decide(WAIT)
    episode.proceed()
    episode.decide(WAIT)
    episode.proceed()
    assert not episode.masks().allows(Op.GERMINATE, 0)
    outcome, _ = episode.decide(sow)
    assert not outcome.action_success
    assert "budget" in outcome.reason


def test_growth_costs_compute() -> None:
    bare, growing = begun(epochs=60), grown_until(Stage.BLENDING, epochs=60)
    per_epoch = host_epoch_macs(little_data())
    assert bare.spent_macs == per_epoch
    assert growing.spent_macs > per_epoch * growing.epoch
    # The probe of a blended seed is a configuration more to validate.
    assert growing.budget() is None
