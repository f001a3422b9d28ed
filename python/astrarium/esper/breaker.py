"""A breaker: after some failures nothing is tried for a while, then one thing carefully.

Time is an argument, in seconds of any clock that never goes back.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

Phase = Literal["closed", "open", "half_open"]


@dataclass(frozen=True, slots=True)
class BreakerLimits:
    """When a breaker opens, and how it closes."""

    failures: int = 3
    """In a row, until it opens."""
    open_s: float = 30.0
    successes: int = 1
    """Needed while half open, until it closes."""


GRAFTING_LIMITS: Final = BreakerLimits(open_s=60.0, successes=2)


@dataclass(frozen=True, slots=True)
class Breaker:
    """Where a breaker stands."""

    phase: Phase = "closed"
    failures: int = 0
    successes: int = 0
    """While half open."""
    opened_s: float = 0.0


def at(before: Breaker, now_s: float, limits: BreakerLimits) -> Breaker:
    """The breaker at a time: an open one becomes half open when its time is up."""
    if before.phase == "open" and now_s - before.opened_s >= limits.open_s:
        return Breaker("half_open")
    return before


def allows(breaker: Breaker) -> bool:
    """Whether something may be tried."""
    return breaker.phase != "open"


def succeeded(before: Breaker, now_s: float, limits: BreakerLimits) -> Breaker:
    """Something worked."""
    now = at(before, now_s, limits)
    if now.phase == "closed":
        return Breaker()
    if now.phase == "open":  # an answer that came late proves nothing about the present
        return now
    successes = now.successes + 1
    return Breaker() if successes >= limits.successes else replace(now, successes=successes)


def failed(before: Breaker, now_s: float, limits: BreakerLimits) -> Breaker:
    """Something did not work."""
    now = at(before, now_s, limits)
    failures = now.failures + 1
    if now.phase == "half_open" or (now.phase == "closed" and failures >= limits.failures):
        return Breaker("open", failures, 0, now_s)
    return replace(now, failures=failures)
