"""Promise 3: snapshot, restore and continue equals never having stopped; so does fork."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from astrarium.check.recording import (
    EVERYTHING,
    LINEAGE,
    PRODUCED,
    VIEW,
    Difference,
    Frames,
    Recording,
    copied,
    first_difference,
    frame,
    record,
    step_with,
)
from astrarium.check.report import Finding
from astrarium.check.trial import Trial
from astrarium.worlds import Autoreset, VectorWorld

_STEPS_ON: Final = 64
_BETWEEN_STEPS: Final = (*VIEW, *LINEAGE, "digest")
_WHOLE: Final = (
    "store everything the rules read or write: counters, generators, flags of what ended, the "
    "episode number and where its seeds come from"
)


def faults(trial: Trial) -> Iterator[Finding]:
    """Ways in which stopping shows."""
    # Waiting for the next step to begin an episode is a state of its own, and easily forgotten.
    modes: tuple[Autoreset, ...] = ("same_step", "next_step")
    for mode in modes:
        told: set[str] = set()
        run = trial.baseline if mode == "same_step" else trial.play(mode, trial.seed)
        for kind, finding in _in_mode(trial, run, mode):
            # What is wrong at one point is mostly wrong at all of them.
            if kind not in told:
                told.add(kind)
                yield finding


def _in_mode(trial: Trial, run: Recording, autoreset: Autoreset) -> Iterator[tuple[str, Finding]]:
    """Findings and what they are about."""
    world = trial.batch(autoreset=autoreset)
    points = _points(run)
    kept: dict[int, bytes] = {}
    for step in range(run.steps):
        if step in points:
            yield from (("taking", finding) for finding in _taking(world, step))
            kept[step] = world.snapshot()
            yield from (("forking", finding) for finding in _forking(run, world, step))
        step_with(world, run.actions[step], run.controls[step])
    fresh = trial.subject.make(trial.worlds, 2, autoreset)
    for place, batch in (("the batch it came from", world), ("a fresh batch", fresh)):
        for step, snapshot in kept.items():
            where = f"a snapshot of step {step} ({autoreset}), restored into {place},"
            yield from ((place, one) for one in _continuing(run, batch, step, snapshot, where))


def _points(run: Recording) -> set[int]:
    """The beginning, two points on the way, and the frames around the first endings."""
    points = {0, run.steps // 3, 2 * run.steps // 3}
    begins = np.flatnonzero(run.began[1:].any(axis=1))[:2]
    for step in begins:
        points |= {int(step), int(step) + 1}
    return {point for point in points if point < run.steps}


def _taking(world: VectorWorld, step: int) -> Iterator[Finding]:
    before = copied(frame(world))
    once, twice = world.snapshot(), world.snapshot()
    if once != twice:
        at = next((i for i, (a, b) in enumerate(zip(once, twice, strict=False)) if a != b), 0)
        yield Finding(
            3,
            f"two snapshots of step {step} differ from byte {at} on",
            "encode in a fixed order: no hash maps, no addresses, no time of day",
        )
    if found := first_difference(copied(frame(world)), before):
        yield Finding(
            3,
            f"taking a snapshot at step {step} changed world {found.world}: {found.field}",
            "let snapshot read and nothing else",
        )


def _continuing(
    run: Recording, world: VectorWorld, step: int, snapshot: bytes, where: str
) -> Iterator[Finding]:
    world.restore(snapshot)
    now = copied(frame(world))
    if found := first_difference(now, run.part(step, 0), _BETWEEN_STEPS):
        yield Finding(3, f"{where} shows another {found.field}: {found}", _WHOLE)
        return
    if found := first_difference(now, _nothing(now), PRODUCED):
        yield Finding(
            3,
            f"{where} still shows {found.field} of another step: {found}",
            "zero rewards, endings, events and stats in restore",
        )
    if world.snapshot() != snapshot:
        yield Finding(3, f"{where} gives other bytes when taken again", _WHOLE)
    steps = min(_STEPS_ON, run.steps - step)
    on = record(world, run.again(start=step), steps)
    expected = run.part(step, steps)
    if found := _later_difference(on.frames, expected):
        yield Finding(3, f"{where} goes on differently: after it, {found}", _WHOLE)


def _forking(run: Recording, world: VectorWorld, step: int) -> Iterator[Finding]:
    """Copies in another order, one of them twice, played on beside their parent."""
    order = np.append(np.arange(world.num_worlds)[::-1], 0)
    parent = copied(frame(world))
    copy = world.fork(order)
    steps = min(_STEPS_ON, run.steps - step)
    on = record(copy, run.again(order, start=step), steps)
    copy.close()
    expected = run.part(step, steps, order)
    found = first_difference(on.frames, expected, _BETWEEN_STEPS)
    found = found or _later_difference(on.frames, expected)
    if found:
        yield Finding(
            3,
            f"a fork of world {order[found.world]} at step {step} differs from it: {found}",
            _WHOLE,
        )
    if found := first_difference(copied(frame(world)), parent):
        yield Finding(
            3,
            f"stepping a fork of step {step} changed its parent: {found}",
            "let a fork own copies of every array and state",
        )


def _later_difference(got: Frames, expected: Frames) -> Difference | None:
    """In any frame but the first, which shows nothing of the step before it."""
    later = np.ones(expected["episode"].shape, np.bool_)
    later[0] = False
    return first_difference(got, expected, EVERYTHING, later)


def _nothing(like: Frames) -> Frames:
    return {name: np.zeros_like(rows) for name, rows in like.items()}
