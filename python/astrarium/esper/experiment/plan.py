"""What an experiment runs, and in which order."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import msgspec

from astrarium.errors import ConfigError
from astrarium.esper import tasks
from astrarium.esper.entry import world_id
from astrarium.esper.experiment.arms import ARMS, Arm
from astrarium.esper.experiment.learned import Policy
from astrarium.esper.experiment.trial import Trial
from astrarium.esper.tasks.sources import place_of


@dataclass(frozen=True, slots=True)
class Plan:
    """Every arm on every seed of every task."""

    tasks: tuple[str, ...]
    arms: tuple[Arm, ...]
    seeds: tuple[int, ...]
    budget_epochs: int | None = None
    """In epochs of the host alone; as each task says unless told."""
    twice: bool = False
    policies: tuple[Policy, ...] = ()
    """One for each task that an arm needs a learnt policy for."""
    device: str = "cpu"
    """Where hosts are trained; equal seeds give equal bits on the processor only."""

    def __post_init__(self) -> None:
        if not self.tasks or not self.arms or not self.seeds:
            raise ConfigError("an experiment needs at least 1 task, 1 arm and 1 seed")
        for name in self.tasks:
            place_of(tasks.experiment_task(name), None)
        for policy in self.policies:
            if policy.task not in self.tasks:
                raise ConfigError(
                    f"policies has {policy.folder}, learnt on {policy.task}, which is none of the "
                    f"tasks ({', '.join(self.tasks)}); leave it out or add its task"
                )
            if policy is not self.policy_of(policy.task):
                raise ConfigError(f"policies has two for {policy.task}; give one of them")
        learned = [arm.name for arm in self.arms if arm.controller == "learned"]
        if learned and not any(map(self.policy_of, self.tasks)):
            raise ConfigError(
                f"the arm {learned[0]} needs a policy: train one (astrarium train "
                f"{world_id(self.tasks[0])}) and name its run folder with --policies, or leave "
                "the arm out with --arms"
            )

    def budget_of(self, task: str) -> int:
        """The budget of a task."""
        return self.budget_epochs or tasks.task(task).budget_epochs

    def policy_of(self, task: str) -> Policy | None:
        """The policy that was learnt on a task, if there is one."""
        return next((policy for policy in self.policies if policy.task == task), None)

    def trials(self) -> tuple[Trial, ...]:
        """All of them, seed by seed, so that what is finished early can be compared early."""
        return tuple(
            Trial(task, arm.name, seed, self.budget_of(task), repeat, policy, self.device)
            for repeat in range(1 + self.twice)
            for task in self.tasks
            for seed in self.seeds
            for arm in self.arms
            for policy in self._deciders(task, arm)
        )

    def _deciders(self, task: str, arm: Arm) -> tuple[str, ...]:
        """None where an arm needs a policy and the task has none."""
        if arm.controller != "learned":
            return ("",)
        policy = self.policy_of(task)
        return () if policy is None else (policy.id,)


def needed(trial: Trial) -> Trial | None:
    """The trial whose last topology this one is given."""
    arm = ARMS[trial.arm].topology_of
    if not arm:
        return None
    return msgspec.structs.replace(trial, arm=arm)


def next_trial(waiting: Sequence[Trial], finished: Collection[Trial]) -> Trial | None:
    """The first that can be run now."""
    ready = (one for one in waiting if (before := needed(one)) is None or before in finished)
    return next(ready, None)
