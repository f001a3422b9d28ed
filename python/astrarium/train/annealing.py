"""From a teacher to a policy of its own, within the one training loop.

A cycle is an update. Before one that the schedule gives to cloning, the policies learn from
captures and nothing else; in all others a teacher gives some of the orders, fewer every cycle, and
PPO learns from those the policy gave itself.
"""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnnecessaryComparison=false

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

import torch

from astrarium.errors import ConfigError
from astrarium.telemetry.events import PolicyCloned, PromotionJudged
from astrarium.train import anneal, captures
from astrarium.train.anneal import Baseline, Measured, Verdict
from astrarium.train.anneal_figures import baseline_at, kpis_of, measured
from astrarium.train.config import AnnealSection, AnnealStage, TrainConfig
from astrarium.train.days import REWARD, DayMeter
from astrarium.train.imitation import Imitation, Study
from astrarium.train.learner import Learner
from astrarium.train.normalise import ObservationScale
from astrarium.train.policy import Network
from astrarium.train.ppo import PPO
from astrarium.train.rehearsals import Rehearsals
from astrarium.train.streams import stream
from astrarium.train.teaching import teacher_called
from astrarium.train.tutoring import Tutor
from astrarium.worlds.config import parse_config
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
        self._state: dict[str, Any] = {"accuracy": {}, "frozen": 0, "kpis": {}}
        self._baseline = baseline_at(self._section.baseline)
        self._rehearsals = Rehearsals(ppo.learners, self._baseline, self._section.accuracy_min)
        self._kpis = {REWARD: 1, **kpis_of(entry)}
        """What must not fall, or with -1 rise, far."""
        settings = parse_config(entry.config, config.world.settings, where=entry.id)
        day_steps = None if entry.day_steps is None else entry.day_steps(settings)
        self._days = DayMeter(ppo.world, entry, self._kpis, day_steps)
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
        rehearsals, days = self._rehearsals.state(), self._days.state()
        return {**self._state, "rehearsals": rehearsals, "days": days}

    def load(self, state: Mapping[str, Any]) -> None:
        """Go on from a checkpoint."""
        kept = {name: state[name] for name in self._state if name in state}
        self._state = {**self._state, **kept}
        self._rehearsals.load(state.get("rehearsals", {}))
        self._days.load(state.get("days", {}))

    # Cloning

    def clone_if_due(self, env_steps_total: int) -> list[PolicyCloned]:
        """Spend this cycle on cloning, if the schedule says so; what came of it, by policy.

        Policies that fail are as they were before.
        """
        cycle = self._ppo.updates
        due = [one for one in self._section.schedule if (one.cycle, one.mode) == (cycle, "bc")]
        if not due:
            return []
        told = [
            self._clone(learner, due[0], cycle, env_steps_total) for learner in self._ppo.learners
        ]
        self._ppo.updates += 1
        return told

    def _clone(
        self, learner: Learner, stage: AnnealStage, cycle: int, env_steps_total: int
    ) -> PolicyCloned:
        imitation, threshold = self._imitations[learner.name], self._section.accuracy_min
        if learner.scale is not None and learner.scale.moments.count[0] == 0:
            imitation.fit_scale(learner.scale)
        network, scale = self._here(learner)
        practice = imitation.learn(network, scale, epochs=stage.epochs, cycle=cycle)
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
            env_steps_total=env_steps_total,
            **asdict(practice),
        )

    def _here(self, learner: Learner) -> tuple[Network, ObservationScale | None]:
        """A copy of a policy on the CPU, wherever it lives: the same bits on every machine."""
        network = Network(learner.network.shape, self._config.policy, None)
        with torch.no_grad():
            network.flat.copy_(learner.network.flat)
        if learner.scale is None:
            return network, None
        scale = ObservationScale(learner.network.shape.obs_dim)
        scale.moments = learner.scale.moments
        scale.refresh()
        return network, scale

    def _imitated(self) -> dict[str, Imitation]:
        """What each policy learns from: the captures of the agents it plays."""
        folder, config = self._section.captures, self._config
        if folder is None:
            return {}
        manifest, required = captures.read_manifest(folder), self._entry.capturing.required
        captures.check_covered(manifest.missing(required), required)
        known = captures.read(folder, manifest)
        settings = parse_config(self._entry.config, config.world.settings, where=self._entry.id)
        names = self._entry.under(settings).agent_names
        study = Study(accuracy_min=self._section.accuracy_min)
        found: dict[str, Imitation] = {}
        for learner in self._ppo.learners:
            agents = {names[slot] for slot in learner.rollout.slots}
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
            if self._bc_weight > 0:
                learner.lesson = Tutor(
                    self._imitations[learner.name],
                    learner,
                    self._bc_weight,
                    stream(self._config.run.seed, f"imitation/lessons/{learner.name}", cycle),
                )
        section, world = self._section, self._ppo.world
        self._share = 0.0
        if self._teacher is not None:
            self._share = anneal.teacher_share(
                cycle, section.teacher_share, section.teacher_cycles, self._state["frozen"]
            )
            size = (self._config.ppo.rollout_steps, *world.alive.shape)
            draws = stream(self._config.run.seed, "policy", cycle)
            self._drawn = draws.random(size) < self._share
            self._first_step = cycle * self._config.ppo.rollout_steps
        if self._is_guided:
            self._rehearsals.begin()

    def steer(self, t: int, world: VectorWorld) -> None:
        """Let the teacher give the orders that were drawn for it."""
        if self._teacher is None or self._share == 0.0:
            return
        own, taught = world.actions.copy(), self._drawn[t]
        self._teacher(world, self._first_step + t)
        world.actions[~taught] = own[~taught]
        for learner in self._ppo.learners:
            learner.rollout.own[t] = torch.from_numpy(~learner.rollout.mine(taught))

    def note(self, world: VectorWorld) -> None:
        """Take in the step the worlds have just made."""
        if self._share > 0.0:
            self._days.note(world)

    def finish(
        self, policies: Mapping[str, Mapping[str, Any]], stats: Mapping[str, float]
    ) -> dict[str, dict[str, Any]]:
        """Judge an update by its figures; what its events say of the anneal, by policy.

        A policy that went astray is as it was before, and no readier to be left alone than one
        that is held.
        """
        told = {
            learner.name: self._judged(learner, policies[learner.name], stats)
            for learner in self._ppo.learners
        }
        is_held = any(one["outcome"] != "PASS" for one in told.values())
        if self._share > 0.0 and (self._fell() or is_held):
            self._state["frozen"] += 1
        return told

    def _judged(
        self, learner: Learner, figures: Mapping[str, Any], stats: Mapping[str, float]
    ) -> dict[str, Any]:
        # Where the teacher gave every order nothing was learned, and nothing could go astray.
        found = measured(figures, stats) if figures.get("minibatches") else None
        verdict = Verdict("PASS")
        if found is not None:
            verdict = anneal.judge(found, self._baseline, self._section.accuracy_min)
        accuracy = self._state["accuracy"]
        about: dict[str, Any] = {
            "data_mode": "mixed" if self._bc_weight > 0 else "rollout",
            "outcome": verdict.outcome,
            "teacher_share": self._share,
            **self._earned.get(learner.name, {}),
        }
        if self._is_guided and found is not None:
            found = replace(found, bc_accuracy=self._likeness(learner))
            rollback = self._rehearsals.note(learner, found)
            about |= {"rolled_back": bool(rollback.reasons), **asdict(rollback)}
        about |= self._beside(learner.name, verdict)
        if about.get("rolled_back"):
            about["outcome"] = "FAIL"
            self._state["accuracy"] = accuracy
        return about

    def _likeness(self, learner: Learner) -> float | None:
        """In how many of the held-out decisions a policy does as its teacher; None of one that
        never was its clone."""
        accuracy = self._state["accuracy"]
        if learner.name not in accuracy:
            return None
        found = self._imitations[learner.name].judge(*self._here(learner)).accuracy
        self._state["accuracy"] = {**accuracy, learner.name: found}
        return found

    def _beside(self, policy: str, verdict: Verdict) -> dict[str, Any]:
        """A policy beside its teacher and the baseline, as logs have it."""
        section, baseline = self._section, self._baseline
        accuracy = self._state["accuracy"].get(policy)
        if accuracy is None:
            return {}
        return {
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

    def _fell(self) -> bool:
        """Whether much less came of the latest days than of the first ones."""
        found = self._days.figures()
        first: dict[str, float] = {**found, **self._state["kpis"]}
        self._state["kpis"] = first
        return any(
            anneal.freezes(sign * found[name], sign * first[name], self._least(name))
            for name, sign in self._kpis.items()
            if name in found
        )

    def _least(self, name: str) -> float:
        """What a fall is a part of, at least: less than one event in a world and day is chance."""
        return 1.0 if name in self._entry.counts else 0.0

    def judged(self) -> list[PromotionJudged]:
        """At the end of a run: whether its policies may take over from their teachers."""
        return self._rehearsals.judged()

    @property
    def _bc_weight(self) -> float:
        return 0.0 if self._stage is None else self._stage.bc_weight

    @property
    def _is_guided(self) -> bool:
        """Whether the update at hand is a rehearsal."""
        return self._share > 0.0 or self._bc_weight > 0.0


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


def halted(told: Mapping[str, Mapping[str, Any]]) -> str | None:
    """Why an update ends the run, in words; None where it does not."""
    for policy, one in told.items():
        if one.get("halts"):
            reasons = ", ".join(one["reasons"])
            return (
                f"policy {policy!r} went astray while it was guided ({reasons}); it is as it was "
                "before that update. Lower ppo.learning_rate, or raise anneal.teacher_cycles"
            )
    return None
