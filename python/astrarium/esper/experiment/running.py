"""One trial, from first weights to the one look at the test part."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

import torch

from astrarium.esper.budget import host_epoch_macs
from astrarium.esper.contracts.actions import ActionSpec
from astrarium.esper.contracts.errors import EsperError, MeasurementError
from astrarium.esper.contracts.heads import Op
from astrarium.esper.contracts.seeds import Topology
from astrarium.esper.contracts.stages import Stage
from astrarium.esper.controllers import make_controller
from astrarium.esper.episode import EpisodeRules, HostEpisode
from astrarium.esper.experiment.arms import Arm
from astrarium.esper.experiment.learned import LearnedController, Policy
from astrarium.esper.experiment.trial import Deed, Kept, Outcome, Trial
from astrarium.esper.launching import pick_device
from astrarium.esper.network import GrownNetwork, Planted
from astrarium.esper.phases import TaskData, score_of
from astrarium.esper.seed_state import LifecycleRules, SeedState
from astrarium.train.streams import stream

Decide = Callable[[HostEpisode], ActionSpec]
"""Whoever decides: a controller of this package, or a policy that was learnt."""
Notice = Callable[[float], None]
"""Told after every epoch how much of the budget is spent."""
SETTLED = (Stage.HOLDING, Stage.FOSSILIZED)
"""Stages of the seeds that are kept at the end. One that still blends has not shown its worth, and
one at full amplitude carries too much to be taken away."""


def decider(arm: Arm, topology: Topology, seed: int, policy: Policy | None) -> Decide:
    """Who decides in an arm; draws are of the trial's seed and the arm's name."""
    if arm.controller == "learned":
        if policy is None:
            raise EsperError(f"the arm {arm.name} needs a policy")
        return LearnedController(policy).decide
    name = f"esper.experiment.{arm.name}"
    one = make_controller(arm.controller, topology, lambda epoch: stream(seed, name, epoch))
    return lambda episode: one.decide(episode.view())


def run_trial(
    trial: Trial,
    data: TaskData,
    decide: Decide,
    planted: tuple[Kept, ...] = (),
    *,
    commit: str,
    notice: Notice = lambda _: None,
) -> Outcome:
    """Train, decide and train on until another epoch would cost more than is left."""
    began = time.monotonic()
    budget = trial.budget_epochs * host_epoch_macs(data)
    episode = new_episode(trial, data, budget, planted)
    shares: list[float] = []
    accuracies: list[float] = []
    deeds: list[Deed] = []
    rolled_back = ""
    over = False
    while not over:
        panic = episode.proceed()
        shares.append(episode.spent_macs / budget)
        accuracies.append(episode.attribution.accuracy)
        notice(shares[-1])
        if panic is not None:
            rolled_back = panic.reason
            break
        deeds += _carry_out(episode, decide(episode))
        # Asked after the action, which may have made the next epoch cheaper or dearer.
        over = episode.is_over
    accuracy, loss = score_of(episode.network, data.test, settled_amplitudes(episode.network))
    if not math.isfinite(loss):
        raise MeasurementError(f"{trial.words()}: the test loss is {loss} ({rolled_back})")
    kept = [state for state in episode.network.states() if state.stage in SETTLED]
    return Outcome(
        trial=trial,
        test_accuracy=accuracy,
        test_loss=loss,
        kept=tuple(Kept(one.slot_id, one.blueprint, one.blend) for one in kept),
        host_params=episode.network.host_params,
        params=episode.network.host_params + sum(map(_params_of, kept)),
        epochs=episode.epoch,
        budget_macs=budget,
        spent_macs=episode.spent_macs,
        curve_share=tuple(shares),
        curve_accuracy=tuple(accuracies),
        deeds=tuple(deeds),
        rolled_back=rolled_back,
        wall_s=time.monotonic() - began,
        commit=commit,
    )


def new_episode(
    trial: Trial, data: TaskData, budget_macs: float, planted: tuple[Kept, ...]
) -> HostEpisode:
    """The host of a trial, with its budget; every slot may be used."""
    rules = EpisodeRules(
        # Nothing is cheaper than the host alone, so the budget ends it before this does.
        max_epochs=trial.budget_epochs,
        seed_limit=len(data.spec.host.slot_ids),
        budget_macs=budget_macs,
        lifecycle=LifecycleRules(gates="permissive"),
        planted=tuple(Planted(one.slot_id, one.blueprint, one.blend) for one in planted),
    )
    episode = HostEpisode(data, rules, trial.seed)
    first = episode.budget()
    if first is None or first.left_macs < first.epoch_macs:
        raise EsperError(
            f"budget_epochs is {trial.budget_epochs}, too little for one epoch of {trial.words()}"
        )
    return episode


def settled_amplitudes(network: GrownNetwork) -> tuple[float, ...]:
    """For every slot: as it is where a seed has settled, nothing elsewhere."""
    return tuple(
        amplitude if state.stage in SETTLED else 0.0
        for state, amplitude in zip(network.states(), network.amplitudes(), strict=True)
    )


def load_task(name: str, device: str) -> TaskData:
    """The data of a task, where hosts are to be trained on it."""
    from astrarium.esper import tasks

    return TaskData(tasks.experiment_task(name), tasks.load(name), pick_device(device))


def device_name(device: str) -> str:
    """What people call it."""
    found = device == "cuda" and torch.cuda.is_available()
    return torch.cuda.get_device_name(0) if found else {"cpu": "the processor"}.get(device, device)


def _carry_out(episode: HostEpisode, spec: ActionSpec) -> list[Deed]:
    outcome, _ = episode.decide(spec)
    if spec.op is Op.WAIT:
        return []
    accuracy = episode.attribution.accuracy
    names = (spec.op.name, spec.slot_id, spec.blueprint)
    return [Deed(episode.epoch, *names, outcome.reason, accuracy)]


def _params_of(state: SeedState) -> int:
    return state.figures.seed_param_count
