"""Promise 2: an episode's seed is its own, and reruns it alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from astrarium.check.recording import (
    PRODUCED,
    VIEW,
    Difference,
    Frames,
    Recording,
    first_difference,
    record,
)
from astrarium.check.report import Finding
from astrarium.check.trial import Trial
from astrarium.worlds import VectorWorld
from astrarium.worlds.vector import Actions, Floats

_RERUNS_MAX: Final = 24
_SEEDS_APART: Final = 8
_STEPS_APART: Final = 32
_DERIVE: Final = (
    "derive it by a hash of (run seed, world index, episode number), such as Philox keyed by the "
    "run seed; adding them makes neighbours meet"
)


@dataclass(frozen=True, slots=True)
class Stretch:
    """The part of a recording in which one episode was played."""

    world: int
    number: int
    seed: int
    first: int
    """The frame it begins in."""
    last: int
    """The frame of its last step; in that one the view is already the next episode's."""
    whole: bool
    """Whether it ended before the recording did."""


def faults(trial: Trial) -> Iterator[Finding]:
    """Seeds that repeat, lie, or change nothing."""
    yield from _numbering(trial.baseline)
    yield from _repeats(trial)
    yield from _neighbours(trial)
    yield from _reruns(trial)
    yield from _differ(trial)
    yield from _asked_for(trial)


def notes(trial: Trial) -> Iterator[str]:
    """What this recording could not show."""
    if not trial.baseline.began[1:].any():
        yield f"no episode ended within {trial.steps} steps; later episodes were not rerun"


def _numbering(run: Recording) -> Iterator[Finding]:
    """Episode numbers go up by one, and a seed lasts exactly as long as its episode."""
    episode, seed = run.frames["episode"], run.frames["episode_seed"]
    began = run.began[1:]
    jumps = np.argwhere(began & (episode[1:] != episode[:-1] + 1))
    if len(jumps):
        step, world = (int(at) for at in jumps[0])
        yield Finding(
            2,
            f"step {step + 1}, world {world}: episode goes from {episode[step, world]} to "
            f"{episode[step + 1, world]}",
            "number the episodes of a world 0, 1, 2, ...",
        )
    drifts = np.argwhere(~began & (seed[1:] != seed[:-1]))
    if len(drifts):
        step, world = (int(at) for at in drifts[0])
        yield Finding(
            2,
            f"step {step + 1}, world {world}: episode_seed changes within an episode",
            "write episode_seed where an episode begins and nowhere else",
        )


def _repeats(trial: Trial) -> Iterator[Finding]:
    """Two runs from one seed agree; no two episodes of a run share a seed."""
    again = trial.batch().episode_seed
    if not np.array_equal(again, trial.baseline.frames["episode_seed"][0]):
        yield Finding(
            2,
            f"reset({trial.seed}) twice gives different episode seeds",
            "derive episode seeds from the run seed alone",
        )
    owners: dict[int, Stretch] = {}
    for one in _stretches(trial.baseline):
        other = owners.setdefault(one.seed, one)
        if other is not one:
            yield Finding(
                2,
                f"episode {one.number} of world {one.world} and episode {other.number} of world "
                f"{other.world} have the same seed {one.seed}",
                _DERIVE,
            )
            return


def _neighbours(trial: Trial) -> Iterator[Finding]:
    """Run `seed` and the runs beside it have no episode in common."""
    ours = {one.seed: one for one in _stretches(trial.baseline)}
    neighbour = trial.seed + 1
    theirs = _stretches(trial.play("same_step", neighbour))
    for one in theirs:
        if one.seed in ours:
            own = ours[one.seed]
            yield Finding(
                2,
                f"runs {trial.seed} and {neighbour} share seed {one.seed}: episode {own.number} of "
                f"world {own.world} is episode {one.number} of world {one.world} in the other",
                _DERIVE,
            )
            return


def _reruns(trial: Trial) -> Iterator[Finding]:
    """Episodes of the recording, each from its reported seed alone."""
    # Later episodes first: theirs are the seeds that autoreset had to derive.
    chosen = sorted(_stretches(trial.baseline), key=lambda one: -one.number)[:_RERUNS_MAX]
    world = trial.subject.make(len(chosen), 1, "same_step")
    world.reset_with_seeds([one.seed for one in chosen])
    length = max(one.last - one.first for one in chosen)
    frames = _frames_of(chosen, trial.steps, length)
    rows = np.array([one.world for one in chosen])
    actions, controls = trial.baseline.actions, trial.baseline.controls

    def orders(step: int, _: VectorWorld) -> tuple[Actions, Floats]:
        at = np.minimum(frames[step], trial.steps - 1)
        return actions[at, rows], controls[at, rows]

    run = record(world, orders, length)
    expected: Frames = {name: kept[frames, rows] for name, kept in trial.baseline.frames.items()}
    if found := _rerun_difference(chosen, run.frames, expected):
        one = chosen[found.world]
        yield Finding(
            2,
            f"episode {one.number} of world {one.world}, rerun alone from its episode_seed "
            f"{one.seed}, differs at {found}",
            "report the seed the episode was really begun with, and let reset forget everything "
            "before it",
        )


def _frames_of(chosen: list[Stretch], steps: int, length: int) -> npt.NDArray[np.intp]:
    """(length + 1, k): the frame of the recording that frame j of each rerun stands for."""
    first = np.array([one.first for one in chosen])
    return np.minimum(first + np.arange(length + 1)[:, np.newaxis], steps)


def _rerun_difference(chosen: list[Stretch], got: Frames, expected: Frames) -> Difference | None:
    frame = np.arange(len(got["digest"]))[:, np.newaxis]
    length = np.array([one.last - one.first for one in chosen])
    whole = np.array([one.whole for one in chosen])
    seen = np.where(whole, frame < length, frame <= length)
    produced = (frame >= 1) & (frame <= length)
    differences = (
        first_difference(got, expected, (*VIEW, "episode_seed", "digest"), seen),
        first_difference(got, expected, (*PRODUCED, "final_obs"), produced),
    )
    return min((one for one in differences if one), key=lambda one: one.step, default=None)


def _differ(trial: Trial) -> Iterator[Finding]:
    """Different seeds lead to different episodes."""
    world = trial.subject.make(_SEEDS_APART, 1, "same_step")
    world.reset_with_seeds(np.arange(_SEEDS_APART, dtype=np.uint64) + np.uint64(trial.seed))
    one = np.zeros(_SEEDS_APART, np.intp)
    steps = min(_STEPS_APART, trial.steps)
    run = record(world, trial.baseline.again(one), steps)
    digests = run.frames["digest"]
    if (digests == digests[:, :1]).all():
        yield Finding(
            2,
            f"{_SEEDS_APART} different seeds gave the same digests for {steps} steps of the same "
            "actions",
            "let reset use the seed it is given",
        )


def _asked_for(trial: Trial) -> Iterator[Finding]:
    """Episodes begun by a call: the next one, and only in the worlds that were named."""
    world = trial.batch()
    before, seeds_before = world.digests(), world.episode_seed.copy()
    world.reset_worlds([1])
    others = np.arange(trial.worlds) != 1
    if not np.array_equal(world.digests()[others], before[others]):
        index = int(np.flatnonzero(others & (world.digests() != before))[0])
        yield Finding(
            2,
            f"reset_worlds([1]) changed world {index}",
            "begin an episode in the chosen worlds only",
        )
    world.reset()
    expected = np.where(others, 1, 2)
    if not np.array_equal(world.episode, expected):
        index = int(np.flatnonzero(world.episode != expected)[0])
        yield Finding(
            2,
            f"world {index} is in episode {world.episode[index]} after reset(), not in episode "
            f"{expected[index]}",
            "let reset() without a seed begin the next episode of every world",
        )
    elif (world.episode_seed == seeds_before).any():
        index = int(np.flatnonzero(world.episode_seed == seeds_before)[0])
        yield Finding(2, f"world {index} has the same seed after reset()", _DERIVE)


def _stretches(run: Recording) -> list[Stretch]:
    episode, seed = run.frames["episode"], run.frames["episode_seed"]
    found: list[Stretch] = []
    for world in range(episode.shape[1]):
        starts = [int(at) for at in np.flatnonzero(run.began[:, world])]
        for first, last in zip(starts, [*starts[1:], run.steps], strict=True):
            if last > first:
                number = int(episode[first, world])
                whole = bool(run.began[last, world])
                found.append(Stretch(world, number, int(seed[first, world]), first, last, whole))
    return found
