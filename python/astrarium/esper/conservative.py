"""Conservative mode: a controller that is late or in doubt only waits, until it has recovered.

Unlike an emergency, it ends by itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

Cause = Literal["breaker", "timeout", "risk"]


@dataclass(frozen=True, slots=True)
class ConservativeLimits:
    """What it takes to leave."""

    cooldown_s: float = 30.0
    successes: int = 3


@dataclass(frozen=True, slots=True)
class Conservative:
    """Whether the mode is on."""

    cause: Cause | None = None
    """None while it is off."""
    entered_s: float = 0.0
    successes: int = 0
    """In a row, since the last trouble."""


def troubled(before: Conservative, cause: Cause, now_s: float) -> Conservative:
    """Enter, or begin the cooldown anew."""
    return Conservative(before.cause or cause, now_s)


def went_well(before: Conservative, now_s: float, limits: ConservativeLimits) -> Conservative:
    """One decision in time and without doubt."""
    if before.cause is None:
        return before
    successes = before.successes + 1
    cooled = now_s - before.entered_s >= limits.cooldown_s
    if cooled and successes >= limits.successes:
        return Conservative()
    return replace(before, successes=successes)
