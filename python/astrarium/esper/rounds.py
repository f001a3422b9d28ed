"""Rounds: the steps between two updates of a policy, counted and summed up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec

from astrarium.esper.contracts.happening import Happening
from astrarium.esper.contracts.host_happenings import EpisodeOutcome, LastAction
from astrarium.esper.contracts.round_happenings import (
    ActionDistribution,
    BatchEpochCompleted,
    BatchStats,
    DegradationDetected,
    ImprovementDetected,
    PlateauDetected,
    PpoUpdateCompleted,
    ValueCollapseDetected,
)
from astrarium.esper.reporting import finite

ROLLING_ROUNDS: Final = 10
TREND_POINTS: Final = 2.0
PLATEAU_POINTS: Final = 0.5
PLATEAU_ROUNDS: Final = 3
VALUE_LOSS_MAX: Final = 5.0
"""A policy that misjudges what is to come by more has no idea of it."""


class RoundsSoFar(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What must be remembered of the rounds before."""

    closed: int = 0
    episodes: int = 0
    accuracies: tuple[float, ...] = ()
    """Means of the last rounds in which episodes ended."""
    plateau: int = 0
    """Rounds in a row that brought nothing new."""


class Tally:
    """The round that is open."""

    def __init__(self) -> None:
        self._actions: list[LastAction] = []
        self._endings: list[EpisodeOutcome] = []

    def count(self, happening: Happening) -> None:
        """Take in one more happening."""
        if isinstance(happening, LastAction):
            self._actions.append(happening)
        elif isinstance(happening, EpisodeOutcome):
            self._endings.append(happening)

    def close(
        self, before: RoundsSoFar, policy: str, figures: Mapping[str, float | None], hosts: int
    ) -> tuple[list[Happening], RoundsSoFar]:
        """The end of a round, in its order, and what must be remembered of it."""
        number = before.closed
        accuracies = tuple(one.final_accuracy for one in self._endings)
        average = _mean(accuracies)
        trend, plateau = _trend(before, average)
        recent = before.accuracies if average is None else (*before.accuracies, average)
        after = RoundsSoFar(
            number + 1, before.episodes + len(self._endings), recent[-ROLLING_ROUNDS:], plateau
        )
        update = update_news(number, policy, figures)
        over = BatchEpochCompleted(
            round=number,
            n_envs=hosts,
            episodes=len(self._endings),
            episodes_completed=after.episodes,
            env_accuracies=accuracies,
            avg_accuracy=average,
            rolling_accuracy=_mean(after.accuracies),
            avg_reward=_mean([one.episode_reward for one in self._endings]),
        )
        return [*trend, *update, self._stats(number), over, self._choices(number)], after

    def _stats(self, number: int) -> BatchStats:
        done = Counter(one.effective_op for one in self._actions if one.success)
        components: dict[str, float] = {}
        for action in self._actions:
            for name, value in action.components.items():
                components[name] = components.get(name, 0.0) + value
        return BatchStats(
            round=number,
            steps=len(self._actions),
            episodes=len(self._endings),
            succeeded=sum(one.succeeded for one in self._endings),
            rolled_back=sum(one.outcome_type == "rolled_back" for one in self._endings),
            germinated=done["GERMINATE"],
            fossilized=done["FOSSILIZE"],
            pruned=done["PRUNE"],
            refused=sum(not one.success for one in self._actions),
            forced_steps=sum(len(one.legal_ops) == 1 for one in self._actions),
            reward_mean=_mean([one.reward for one in self._actions]),
            param_ratio_mean=_mean([one.param_ratio for one in self._endings]),
            components=components,
        )

    def _choices(self, number: int) -> ActionDistribution:
        done = [one for one in self._actions if one.success]
        grown = [one.blueprint for one in done if one.blueprint]
        return ActionDistribution(
            round=number,
            asked=_counted(one.op for one in self._actions),
            done=_counted(one.effective_op for one in done),
            blueprints=_counted(grown),
            slots=_counted(one.slot_id for one in self._actions if one.slot_id),
        )


def _trend(before: RoundsSoFar, average: float | None) -> tuple[list[Happening], int]:
    """What a round says beside those before it, and for how long nothing has happened."""
    known = _mean(before.accuracies)
    if average is None or known is None:
        return [], before.plateau
    change = average - known
    told: dict[str, Any] = {"round": before.closed, "accuracy": average, "change": change}
    if change >= TREND_POINTS:
        return [ImprovementDetected(**told)], 0
    if change <= -TREND_POINTS:
        return [DegradationDetected(**told)], 0
    plateau = before.plateau + 1 if abs(change) < PLATEAU_POINTS else 0
    news: list[Happening] = [PlateauDetected(**told)] if plateau == PLATEAU_ROUNDS else []
    return news, plateau


def update_news(number: int, policy: str, figures: Mapping[str, float | None]) -> list[Happening]:
    """An update, after what is odd about it."""
    known = set(PpoUpdateCompleted.__struct_fields__) - {"at", "round", "policy", "more"}
    clean = {
        name: None if value is None else finite(float(value)) for name, value in figures.items()
    }
    news: list[Happening] = []
    miss = clean.get("value_loss")
    if miss is not None and miss > VALUE_LOSS_MAX:
        news.append(ValueCollapseDetected(round=number, value_loss=miss, threshold=VALUE_LOSS_MAX))
    told: dict[str, Any] = {name: clean.get(name) for name in known}
    more = {name: value for name, value in clean.items() if name not in known}
    news.append(PpoUpdateCompleted(round=number, policy=policy, more=more, **told))
    return news


def _mean(values: tuple[float, ...] | list[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _counted(names: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items()))
