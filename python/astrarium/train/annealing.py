"""From a teacher to a policy of its own, within the one training loop.

A cycle is an update. Before one that the schedule gives to cloning, the policies learn from
captures and nothing else; in all others a teacher gives some of the orders, fewer every cycle, and
PPO learns from those the policy gave itself.
"""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnnecessaryComparison=false

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from astrarium.errors import ConfigError
from astrarium.telemetry.events import PolicyCloned
from astrarium.telemetry.ppo_log_checking import means, read
from astrarium.train import anneal, captures
from astrarium.train.anneal import Baseline, Measured
from astrarium.train.config import AnnealSection, AnnealStage, TrainConfig
from astrarium.train.demonstrations import Items, Mimic
from astrarium.train.imitation import Imitation, Study
from astrarium.train.learner import Learner
from astrarium.train.policy import Network
from astrarium.train.ppo import PPO
from astrarium.train.streams import stream
from astrarium.train.teaching import teacher_called
from astrarium.worlds.registry import WorldEntry
from astrarium.worlds.vector import VectorWorld


def annealing_of(config: TrainConfig, ppo: PPO, entry: WorldEntry) -> Annealing | None:
    """What the config asks for; None where nothing is annealed."""
    section = config.anneal
    if not section.schedule and section.teacher is None:
        return None
    return Annealing(config, ppo, entry)


class Annealing:
    """The guide of a run; see `ppo.Guide`."""

    def __init__(self, config: TrainConfig, ppo: PPO, entry: WorldEntry) -> None:
        self._config, self._ppo, self._entry = config, ppo, entry
        self._section: AnnealSection = config.anneal
        self._teacher = None
        if self._section.teacher is not None:
            self._teacher = teacher_called(entry, self._section.teacher)
        self._stage: AnnealStage | None = None
        """The latest one of PPO."""
        self._share = 0.0
        self._paid = 0.0
        """Reward of the rollout at hand, but for its last step."""
        self._state: dict[str, Any] = {"accuracy": {}, "frozen": 0, "kpi": None}
        self._baseline = _baseline_at(self._section.baseline)
        self._earned: dict[str, dict[str, float]] = {}
        """By the teachers that each policy learns from."""
        self._imitations = self._imitated()
        if ppo.device.type != "cpu" and any(one.bc_weight for one in self._section.schedule):
            raise ConfigError(
                "anneal.schedule has a bc_weight, which is learned on the CPU only; set run.device "
                "to 'cpu' or leave it out"
            )
        ppo.guide = self

    def state(self) -> dict[str, Any]:
        """What a checkpoint keeps."""
        return dict(self._state)

    def load(self, state: Mapping[str, Any]) -> None:
        """Go on from a checkpoint."""
        self._state = {**self._state, **state}

    # Cloning

    def clone_if_due(self) -> list[PolicyCloned]:
        """Spend this cycle on cloning, if the schedule says so; what came of it, by policy.

        Policies that fail are as they were before.
        """
        cycle = self._ppo.updates
        due = [one for one in self._section.schedule if (one.cycle, one.mode) == (cycle, "bc")]
        if not due:
            return []
        told = [self._clone(learner, due[0], cycle) for learner in self._ppo.learners]
        self._ppo.updates += 1
        return told

    def _clone(self, learner: Learner, stage: AnnealStage, cycle: int) -> PolicyCloned:
        imitation, threshold = self._imitations[learner.name], self._section.accuracy_min
        # Wherever the policy lives, it is cloned on the CPU: the same bits on every machine.
        network = Network(learner.network.shape, self._config.policy, None)
        network.flat.copy_(learner.network.flat)
        scale = learner.scale
        if scale is not None and scale.moments.count[0] == 0:
            imitation.fit_scale(scale)
        imitation.learn(network, scale, epochs=stage.epochs, cycle=cycle)
        found = imitation.judge(network, scale)
        verdict = anneal.judge(Measured(0.0, found.accuracy), Baseline(), threshold)
        if not verdict.rolled_back:
            with torch.no_grad():
                learner.network.flat.copy_(network.flat)
        self._state["accuracy"] = {**self._state["accuracy"], learner.name: found.accuracy}
        return PolicyCloned(
            cycle=cycle,
            policy=learner.name,
            dataset=str(self._section.captures),
            accuracy=found.accuracy,
            accuracy_min=threshold,
            value_miss=found.value_miss,
            outcome="FAIL" if verdict.rolled_back else "PASS",
            rolled_back=verdict.rolled_back,
        )

    def _imitated(self) -> dict[str, Imitation]:
        """What each policy learns from: the captures of the agents it plays."""
        folder, config = self._section.captures, self._config
        if folder is None:
            return {}
        known = captures.read(folder)
        study = Study(accuracy_min=self._section.accuracy_min)
        found: dict[str, Imitation] = {}
        for learner in self._ppo.learners:
            agents = {self._entry.agent_names[slot] for slot in learner.rollout.slots}
            own = [one for one in known if one.facts.agent_id in agents]
            self._earned[learner.name] = captures.baseline(own)
            found[learner.name] = Imitation(
                own,
                learner.network.shape,
                seed=config.run.seed,
                gamma=config.ppo.gamma,
                study=study,
            )
        return found

    # Learning under guidance

    def begin(self, cycle: int) -> None:
        """Before the rollout of an update."""
        stages = [one for one in self._section.schedule if one.mode == "ppo"]
        passed = [one for one in stages if one.cycle <= cycle]
        self._stage = passed[-1] if passed else None
        for learner in self._ppo.learners:
            stage, own = self._stage, self._config.ppo.epochs
            learner.epochs = own if stage is None else stage.epochs
            learner.lesson = None
            if stage is not None and stage.bc_weight > 0:
                learner.lesson = _Lesson(
                    self._imitations[learner.name],
                    learner,
                    stage.bc_weight,
                    stream(self._config.run.seed, f"imitation/lessons/{learner.name}", cycle),
                )
        section, world, self._paid = self._section, self._ppo.world, 0.0
        self._share = 0.0
        if self._teacher is not None:
            self._share = anneal.teacher_share(
                cycle, section.teacher_share, section.teacher_cycles, self._state["frozen"]
            )
            size = (self._config.ppo.rollout_steps, *world.alive.shape)
            draws = stream(self._config.run.seed, "policy", cycle)
            self._drawn = draws.random(size) < self._share
            self._first_step = cycle * self._config.ppo.rollout_steps

    def steer(self, t: int, world: VectorWorld) -> None:
        """Let the teacher give the orders that were drawn for it."""
        if t > 0:
            self._paid += float(world.reward.sum(dtype=np.float64))
        if self._teacher is None or self._share == 0.0:
            return
        own, taught = world.actions.copy(), self._drawn[t]
        self._teacher(world, self._first_step + t)
        world.actions[~taught] = own[~taught]
        for learner in self._ppo.learners:
            learner.rollout.own[t] = torch.from_numpy(~learner.rollout.mine(taught))

    def end(self) -> None:
        """Let the teacher keep its share where much less was earned than at first."""
        if self._teacher is None:
            return
        if self._state["kpi"] is None:
            self._state["kpi"] = self._paid
        elif self._share > 0.0 and anneal.freezes(self._paid, self._state["kpi"]):
            self._state["frozen"] += 1

    def told(
        self, policy: str, figures: Mapping[str, Any], stats: Mapping[str, float]
    ) -> dict[str, Any]:
        """What the update's event says of the anneal."""
        section, baseline = self._section, self._baseline
        accuracy = self._state["accuracy"].get(policy)
        measured = Measured(
            loss=figures.get("loss") or 0.0,
            bc_accuracy=accuracy,
            queue_events=stats.get("queue_conflict_events"),
            queue_intensity=stats.get("queue_conflict_intensity_sum"),
        )
        verdict = anneal.judge(measured, baseline, section.accuracy_min)
        mixed = self._stage is not None and self._stage.bc_weight > 0
        about: dict[str, Any] = {
            "data_mode": "mixed" if mixed else "rollout",
            "outcome": verdict.outcome,
            "teacher_share": self._share,
            **self._earned.get(policy, {}),
        }
        if accuracy is None:
            return about
        return {
            **about,
            "anneal_cycle": self._ppo.updates - 1,
            "anneal_stage": "ppo",
            "anneal_dataset": str(section.captures or ""),
            "anneal_bc_accuracy": accuracy,
            "anneal_bc_threshold": section.accuracy_min,
            "anneal_bc_passed": accuracy >= section.accuracy_min,
            "anneal_loss_baseline": baseline.loss,
            "anneal_queue_baseline": baseline.queue_events,
            "anneal_intensity_baseline": baseline.queue_intensity,
            "anneal_loss_flag": verdict.loss_flag,
            "anneal_queue_flag": verdict.queue_flag,
            "anneal_intensity_flag": verdict.intensity_flag,
        }


class _Lesson:
    """The imitation's part of a minibatch's gradient."""

    def __init__(
        self, imitation: Imitation, learner: Learner, weight: float, order: np.random.Generator
    ) -> None:
        self._mimic = Mimic(learner.network, learner.scale, imitation.learned)
        self._weight = weight
        self._batches = _endless(self._mimic, order, imitation.study.batch_rows)
        self._gradient = torch.zeros_like(learner.network.flat)

    def __call__(self, gradient: Tensor) -> None:
        self._mimic.gradient(next(self._batches), self._gradient)
        with torch.no_grad():
            gradient.add_(self._gradient, alpha=self._weight)


def _endless(mimic: Mimic, order: np.random.Generator, rows: int) -> Iterator[Items]:
    while True:
        yield from mimic.batches(order, rows)


def _baseline_at(path: Path | None) -> Baseline:
    """The means of another run's log."""
    if path is None:
        return Baseline()
    lines, faults = read(path)
    if faults:
        raise ConfigError(f"anneal.baseline is no whole PPO log: {faults[0]}")
    known = means(lines)
    return Baseline(
        loss=known.get("loss_total"),
        queue_events=known.get("queue_conflict_events"),
        queue_intensity=known.get("queue_conflict_intensity_sum"),
    )


def failures(told: Sequence[PolicyCloned]) -> str | None:
    """What failed, in words; None where nothing did."""
    failed = [one for one in told if one.outcome == "FAIL"]
    if not failed:
        return None
    one = failed[0]
    return (
        f"policy {one.policy!r} does as its teacher in {one.accuracy:.1%} of held-out decisions, "
        f"{one.accuracy_min:.0%} are needed; it is as it was before cycle {one.cycle}. Capture "
        "more episodes, give it more epochs or a larger network"
    )
