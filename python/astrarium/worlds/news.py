"""Worlds with more to tell than arrays hold: lines for the run's `world_events.jsonl`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from astrarium.worlds.vector import Floats

Figures = Mapping[str, float | Sequence[float | None] | None]
"""What an update of a policy tells, by name; some have a number for each head."""


@dataclass(frozen=True, slots=True)
class RunBeginning:
    """What a world cannot know of the run it is part of."""

    controller: str
    """Who decides: the trainer, or a scripted player."""
    seed: int
    rounds: int | None = None
    """Updates of the policy that are to come; None where nothing learns."""
    learning_rate: float | None = None
    clip: float | None = None
    entropy_coef: float | None = None


class Newsroom(Protocol):
    """Where a batch collects its news. What nobody takes is forgotten with the next step."""

    def begin(self, run: RunBeginning) -> None:
        """A run begins."""
        ...

    def note_choices(self, probability: Floats, value: Floats) -> None:
        """How likely the orders of the last step were, and what was expected, for each world."""
        ...

    def close_round(self, policy: str, figures: Figures) -> None:
        """The policy learned from the steps since the round before."""
        ...

    def take(self) -> list[dict[str, Any]]:
        """What is new, in order, each as the JSON object to write; without a time."""
        ...


@runtime_checkable
class TellsNews(Protocol):
    """A batch of worlds that has a newsroom."""

    @property
    def newsroom(self) -> Newsroom:
        """Its own."""
        ...
