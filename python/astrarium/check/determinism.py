"""Promise 1: the same build, config, seed and actions give the same bits.

Each variation replays the recorded orders and must show what the recording shows: again, on
other numbers of threads, in smaller batches, and with the worlds in another order.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from astrarium.check.recording import EVERYTHING, first_difference, record
from astrarium.check.report import Finding
from astrarium.check.trial import Trial

_THREADS: Final = (2, 4)


def faults(trial: Trial) -> Iterator[Finding]:
    """One finding for each variation that changes a bit."""
    yield from _again(trial)
    for threads in _THREADS:
        yield from _on_threads(trial, threads)
    for size in sorted({1, min(3, trial.worlds)}):
        if size < trial.worlds:
            yield from _in_a_batch_of(trial, size)
    yield from _in_reverse(trial)


def _finding(what: str, fix: str) -> Finding:
    return Finding(1, what, fix)


def _again(trial: Trial) -> Iterator[Finding]:
    run = record(trial.batch(), trial.baseline.again(), trial.steps)
    if found := first_difference(run.frames, trial.baseline.frames):
        yield _finding(
            f"the same run twice differs at {found}",
            "draw randomness only from the episode's seed: no clock, no global generator, no "
            "hash order, nothing left over from an earlier batch",
        )


def _on_threads(trial: Trial, threads: int) -> Iterator[Finding]:
    run = record(trial.batch(threads=threads), trial.baseline.again(), trial.steps)
    if found := first_difference(run.frames, trial.baseline.frames):
        yield _finding(
            f"{threads} threads differ from 1 at {found}",
            "let a world touch its own state and rows only; share no generator or sum between "
            "worlds",
        )


def _in_a_batch_of(trial: Trial, size: int) -> Iterator[Finding]:
    first = np.arange(size)
    run = record(trial.batch(size), trial.baseline.again(first), trial.steps)
    expected = trial.baseline.part(0, trial.steps, first)
    if found := first_difference(run.frames, expected):
        yield _finding(
            f"in a batch of {size} instead of {trial.worlds}, {found}",
            "a world must not read the size of the batch or another world's rows",
        )


def _in_reverse(trial: Trial) -> Iterator[Finding]:
    """The same episodes in the opposite order; what comes after the first of each is not asked."""
    order = np.arange(trial.worlds)[::-1]
    world = trial.subject.make(trial.worlds, 1, "same_step")
    world.reset_with_seeds(trial.baseline.frames["episode_seed"][0][order])
    run = record(world, trial.baseline.again(order), trial.steps)
    expected = trial.baseline.part(0, trial.steps, order)
    in_first_episode = expected["episode"] == 0
    in_first_episode &= run.frames["episode"] == 0
    if found := first_difference(run.frames, expected, EVERYTHING, in_first_episode):
        moved = trial.worlds - 1 - found.world
        yield _finding(
            f"the episode of world {moved} differs when it stands at another position: {found}",
            "use nothing but the seed in reset: not the index of the world, nothing left over from "
            "the episode before",
        )
