"""What a place that follows a run has to do, and how a missing library is told."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final, Protocol

from msgspec.structs import asdict

from astrarium.telemetry.events import SHARED, Event, UpdateFinished

FOLDER: Final = "sinks"
"""Where in a run folder the sinks keep what is theirs."""

STEP: Final = "env_steps_total"
"""The field of rows and updates that everything is drawn over."""


class Sink(Protocol):
    """Somewhere the figures of a run go besides its folder.

    All calls come from one thread, which is not the trainer's. They may take long or fail: a sink
    that raises is dropped. Making one is cheap; connections and libraries wait for the first call.
    """

    @property
    def name(self) -> str:
        """A word of its own: names the file that remembers how far it got."""
        ...

    def window(self, row: Mapping[str, Any]) -> None:
        """Take a row of `metrics/windows.jsonl`; the updates before it came first."""
        ...

    def event(self, event: Event) -> None:
        """Take an event."""
        ...

    def close(self) -> None:
        """Hand on what is left. Nothing comes after it."""
        ...


def update_figures(event: UpdateFinished) -> dict[str, float]:
    """The numbers of an update; where there are several policies, each under its name."""
    group = "" if event.policy == SHARED else f"{event.policy}/"
    return {f"{group}{name}": value for name, value in figures(asdict(event)).items()}


def figures(fields: Mapping[str, Any]) -> dict[str, float]:
    """The numbers among some fields. What is null, not finite, or no number is left out."""
    return {
        name: float(value)
        for name, value in fields.items()
        if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    }
