"""Rounds: the steps between two updates of a policy, counted and summed up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec

from astrarium.esper.contracts.happening import Happening
from astrarium.esper.contracts.host_happenings import EpisodeOutcome, LastAction
from astrarium.esper.contracts.round_happenings import (
    ActionDistribution,
    BatchEpochCompleted,
    BatchStats,
    DegradationDetected,
    HeadEntropyCollapsed,
    ImprovementDetected,
    PlateauDetected,
    PpoUpdateCompleted,
    ValueCollapseDetected,
)
from astrarium.esper.orders import HEAD_NAMES
from astrarium.esper.reporting import finite
from astrarium.worlds.news import Figures

ROLLING_ROUNDS: Final = 10
TREND_POINTS: Final = 2.0
PLATEAU_POINTS: Final = 0.5
PLATEAU_ROUNDS: Final = 3
VALUE_LOSS_MAX: Final = 5.0
"""A policy that misjudges what is to come by more has no idea of it."""
ENTROPY_MIN: Final[Mapping[str, float]] = {
    "order": 0.08,
    "blueprint": 0.05,
    "style": 0.08,
    "tempo": 0.05,
    "alpha_target": 0.08,
    "alpha_speed": 0.08,
    "alpha_curve": 0.08,
}
"""Below these a head hardly chooses any more."""
COLLAPSE_ROUNDS: Final = 3
REOPENED: Final = 1.5
"""Times its least, and a head counts as open again."""


class RoundsSoFar(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What must be remembered of the rounds before."""

    closed: int = 0
    episodes: int = 0
    accuracies: tuple[float, ...] = ()
    """Means of the last rounds in which episodes ended."""
    plateau: int = 0
    """Rounds in a row that brought nothing new."""
    closing: dict[str, int] = {}
    """Rounds in a row, of heads that hardly choose."""


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
        self, before: RoundsSoFar, policy: str, figures: Figures, hosts: int
    ) -> tuple[list[Happening], RoundsSoFar]:
        """The end of a round, in its order, and what must be remembered of it."""
        number = before.closed
        accuracies = tuple(one.final_accuracy for one in self._endings)
        average = _mean(accuracies)
        trend, plateau = _trend(before, average)
        recent = before.accuracies if average is None else (*before.accuracies, average)
        entropies = _by_head(figures)
        closing = _closing(before.closing, entropies)
        after = RoundsSoFar(
            number + 1,
            before.episodes + len(self._endings),
            recent[-ROLLING_ROUNDS:],
            plateau,
            closing,
        )
        collapsed = _collapsed(number, entropies, closing)
        update = [*collapsed, *update_news(number, policy, figures)]
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


def _by_head(figures: Figures) -> dict[str, float | None]:
    """The entropy of every head, where there are any."""
    found = figures.get("head_entropies")
    if not isinstance(found, Sequence):
        return {}
    return dict(zip(HEAD_NAMES, found, strict=True))


def _closing(before: Mapping[str, int], now: Mapping[str, float | None]) -> dict[str, int]:
    """For how many rounds each head has hardly chosen; in between, it stays as it was."""
    after: dict[str, int] = {}
    for head, entropy in now.items():
        rounds, least = before.get(head, 0), ENTROPY_MIN[head]
        if entropy is not None and entropy < least:
            rounds += 1
        elif entropy is not None and (rounds < COLLAPSE_ROUNDS or entropy >= REOPENED * least):
            rounds = 0
        if rounds:
            after[head] = rounds
    return after


def _collapsed(
    number: int, entropies: Mapping[str, float | None], closing: Mapping[str, int]
) -> list[Happening]:
    return [
        HeadEntropyCollapsed(round=number, head=head, entropy=entropy, threshold=ENTROPY_MIN[head])
        for head, entropy in entropies.items()
        if entropy is not None
        and entropy < ENTROPY_MIN[head]
        and closing.get(head) == COLLAPSE_ROUNDS
    ]


def update_news(number: int, policy: str, figures: Figures) -> list[Happening]:
    """An update, after what is odd about it."""
    apart = {"at", "round", "policy", "head_entropies", "more"}
    known = set(PpoUpdateCompleted.__struct_fields__) - apart
    clean = {
        name: finite(float(value)) if isinstance(value, int | float) else None
        for name, value in figures.items()
        if name not in apart
    }
    news: list[Happening] = []
    miss = clean.get("value_loss")
    if miss is not None and miss > VALUE_LOSS_MAX:
        news.append(ValueCollapseDetected(round=number, value_loss=miss, threshold=VALUE_LOSS_MAX))
    told: dict[str, Any] = {name: clean.get(name) for name in known}
    more = {name: value for name, value in clean.items() if name not in known}
    entropies = _by_head(figures)
    news.append(
        PpoUpdateCompleted(round=number, policy=policy, head_entropies=entropies, more=more, **told)
    )
    return news


def _mean(values: tuple[float, ...] | list[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _counted(names: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items()))
