"""How much of a check fits a time: expensive worlds are checked on fewer worlds and steps."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from astrarium.check.orders import Players
from astrarium.check.recording import step_with
from astrarium.check.subject import Subject

WORLDS_MIN: Final = 4
"""With fewer, positions, sizes and kinds of player cannot be told apart."""
_WORLDS: Final = (16, 8, 4)
_STEPS: Final = (400, 200, 100, 64, 48, 32, 24, 16, 12, 8)
_PROBE_STEPS: Final = 2


@dataclass(frozen=True, slots=True)
class Sizes:
    """The size of a check and how long it takes, as far as that can be told beforehand."""

    worlds: int
    steps: int
    seconds: float


def world_steps(worlds: int, steps: int) -> float:
    """Return about how many steps of a world a check of this size takes in all.

    Snapshots are continued for up to 64 steps from several points, whatever the length of a run.
    """
    return worlds * steps * (10.0 + 47.0 * min(1.0, 64.0 / steps))


def seconds_of_a_step(
    subject: Subject, seed: int, clock: Callable[[], float] = time.perf_counter
) -> float:
    """Return what one step of one world takes."""
    world = subject.make(WORLDS_MIN, 1, "same_step")
    try:
        world.reset(seed)
        players = Players(subject, seed)
        step_with(world, *players(world))
        began = clock()
        for _ in range(_PROBE_STEPS):
            step_with(world, *players(world))
        return (clock() - began) / (_PROBE_STEPS * WORLDS_MIN)
    finally:
        world.close()


def largest_within(seconds: float, step_seconds: float, worlds: int, steps: int) -> Sizes:
    """Return the largest check up to this size that fits the time; the smallest where none does."""
    sizes = [
        Sizes(w, s, world_steps(w, s) * step_seconds)
        for w in {worlds, *(one for one in _WORLDS if one < worlds)}
        for s in {steps, *(one for one in _STEPS if one < steps)}
    ]
    fitting = [one for one in sizes if one.seconds <= seconds]
    if not fitting:
        return min(sizes, key=lambda one: one.worlds * one.steps)
    return max(fitting, key=lambda one: (one.worlds * one.steps, one.worlds))
