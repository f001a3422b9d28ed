"""How much of a check fits a time: expensive worlds are checked on fewer worlds and steps."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from astrarium.check.orders import OUT_OF_RANGE, Players
from astrarium.check.recording import step_with
from astrarium.check.subject import Subject

WORLDS_MIN: Final = 4
"""With fewer, positions, sizes and kinds of player cannot be told apart."""
_WORLDS: Final = (16, 8, 4)
_STEPS: Final = (400, 200, 100, 64, 48, 32, 24, 16, 12, 8)
_PROBE_STEPS: Final = 2


PROBES: Final = 96
"""States from which every choice is tried alone, unless fewer fit."""
_PROBE_SHARE: Final = 0.2
"""Of the time, for trying choices."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a world takes."""

    step_seconds: float
    """Of one step of one world."""
    choices: int
    """Steps it takes to try every choice of every agent from one state."""

    def seconds(self, worlds: int, steps: int, probes: int) -> float:
        """Return about what a check of this size takes."""
        return self.step_seconds * (world_steps(worlds, steps) + probes * self.choices)


@dataclass(frozen=True, slots=True)
class Sizes:
    """The size of a check."""

    worlds: int
    steps: int
    probes: int = PROBES


def world_steps(worlds: int, steps: int) -> float:
    """Return about how many steps of a world a check of this size takes, choices aside.

    Snapshots are continued for up to 64 steps from several points, whatever the length of a run.
    """
    return worlds * steps * (10.0 + 47.0 * min(1.0, 64.0 / steps))


def cost_of(subject: Subject, seed: int, clock: Callable[[], float] = time.perf_counter) -> Cost:
    """Measure what a world takes."""
    world = subject.make(WORLDS_MIN, 1, "same_step")
    try:
        world.reset(seed)
        players = Players(subject, seed)
        step_with(world, *players(world))
        began = clock()
        for _ in range(_PROBE_STEPS):
            step_with(world, *players(world))
        took = (clock() - began) / (_PROBE_STEPS * WORLDS_MIN)
        layout = world.layout
        wrong = (1 + len(OUT_OF_RANGE)) * len(layout.heads)
        return Cost(took, layout.agents * (layout.num_choices + wrong))
    finally:
        world.close()


def largest_within(seconds: float, cost: Cost, whole: Sizes) -> Sizes:
    """Return the largest check that fits the time; the smallest where none does."""
    if cost.seconds(whole.worlds, whole.steps, whole.probes) <= seconds:
        return whole
    of_a_probe = cost.step_seconds * cost.choices
    fitting_probes = int(_PROBE_SHARE * seconds / of_a_probe) if of_a_probe else PROBES
    probes = max(1, min(whole.probes, fitting_probes))
    sizes = [
        Sizes(w, s, probes)
        for w in {whole.worlds, *(one for one in _WORLDS if one < whole.worlds)}
        for s in {whole.steps, *(one for one in _STEPS if one < whole.steps)}
    ]
    fitting = [one for one in sizes if cost.seconds(one.worlds, one.steps, probes) <= seconds]
    if not fitting:
        return min(sizes, key=lambda one: one.worlds * one.steps)
    return max(fitting, key=lambda one: (one.worlds * one.steps, one.worlds))
