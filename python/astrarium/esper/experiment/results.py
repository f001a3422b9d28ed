"""Finished trials side by side: arms, and differences on the same seeds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from astrarium.errors import ConfigError
from astrarium.esper.experiment.bootstrap import mean_interval
from astrarium.esper.experiment.trial import Outcome
from astrarium.train.intervals import Interval

Figure = Literal["accuracy", "loss"]
_READ: Mapping[Figure, Callable[[Outcome], float]] = {
    "accuracy": lambda one: one.test_accuracy,
    "loss": lambda one: one.test_loss,
}


@dataclass(frozen=True, slots=True)
class ArmResult:
    """One arm on one task."""

    arm: str
    outcomes: tuple[Outcome, ...]
    """In the order of their seeds."""

    @property
    def seeds(self) -> tuple[int, ...]:
        """Of the outcomes."""
        return tuple(one.trial.seed for one in self.outcomes)

    def figures(self, figure: Figure) -> list[float]:
        """One for every seed."""
        return [_READ[figure](one) for one in self.outcomes]

    def interval(self, figure: Figure) -> Interval:
        """The mean over seeds."""
        return mean_interval(self.figures(figure))

    def worst(self) -> Outcome:
        """The one with the lowest accuracy."""
        return min(self.outcomes, key=lambda one: one.test_accuracy)

    def mean(self, read: Callable[[Outcome], float]) -> float:
        """Of any figure."""
        return sum(map(read, self.outcomes)) / len(self.outcomes)


@dataclass(frozen=True, slots=True)
class TaskResult:
    """One task: its arms by name, in the order of the table of arms."""

    task: str
    budget_epochs: int
    arms: Mapping[str, ArmResult]

    def difference(self, ours: str, theirs: str, figure: Figure = "accuracy") -> Interval:
        """Our mean less theirs: figure i of both is of the same seed."""
        first, second = self.arms[ours], self.arms[theirs]
        if first.seeds != second.seeds:
            raise ConfigError(
                f"{ours} and {theirs} ran on other seeds of {self.task}; run both on the same"
            )
        pairs = zip(first.figures(figure), second.figures(figure), strict=True)
        return mean_interval([a - b for a, b in pairs])


@dataclass(frozen=True, slots=True)
class Results:
    """All an experiment found."""

    tasks: tuple[TaskResult, ...]
    repeated: bool
    """Whether every trial was run twice."""
    changed: tuple[str, ...]
    """Trials that came out otherwise the second time."""

    def task(self, name: str) -> TaskResult | None:
        """One task, if it was tried."""
        return next((one for one in self.tasks if one.task == name), None)


def gather(outcomes: Sequence[Outcome], arms: Sequence[str]) -> Results:
    """Sort finished trials by task, arm and seed; compare those that were run twice."""
    ordered = sorted(outcomes, key=lambda one: one.trial.seed)
    first = [one for one in ordered if not one.trial.repeat]
    again = {one.lasting().trial: one.lasting() for one in ordered if one.trial.repeat}
    tasks: list[TaskResult] = []
    for name in dict.fromkeys(one.trial.task for one in outcomes):
        here = [one for one in first if one.trial.task == name]
        by_arm = {arm: tuple(one for one in here if one.trial.arm == arm) for arm in arms}
        found = {arm: ArmResult(arm, those) for arm, those in by_arm.items() if those}
        tasks.append(TaskResult(name, here[0].trial.budget_epochs, found))
    changed = [
        one.trial.words()
        for one in first
        if one.trial in again and again[one.trial] != one.lasting()
    ]
    repeated = bool(first) and all(one.trial in again for one in first)
    return Results(tuple(tasks), repeated, tuple(changed))
