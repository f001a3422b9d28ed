"""The whole check: every promise in turn, and a report even of a world that falls over."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from astrarium import playthroughs
from astrarium.check import (
    bad_input,
    determinism,
    playthrough,
    rewards,
    seeds,
    snapshots,
    views,
)
from astrarium.check.report import PROMISES, Finding, Report, Verdict
from astrarium.check.sizing import PROBES, WORLDS_MIN, Sizes
from astrarium.check.subject import Maker, Subject, as_subject
from astrarium.check.trial import Trial, play
from astrarium.errors import CountError
from astrarium.worlds import VectorWorld, WorldEntry, arguments

Faults = Callable[[Trial], Iterable[Finding]]
Notes = Callable[[Trial], Iterable[str]]


def _no_notes(_: Trial) -> tuple[str, ...]:
    return ()


_ON_A_TRIAL: Final[dict[int, tuple[Faults, Notes]]] = {
    1: (determinism.faults, _no_notes),
    2: (seeds.faults, seeds.notes),
    3: (snapshots.faults, _no_notes),
    4: (views.faults, views.notes),
    5: (rewards.faults, _no_notes),
    7: (bad_input.faults, _no_notes),
}


def check_world(
    target: str | WorldEntry | Maker,
    *,
    worlds: int = 16,
    steps: int = 400,
    seed: int = 0,
    config: Mapping[str, Any] | None = None,
    folder: Path | None = None,
    progress: Callable[[int], None] = lambda _: None,
    on_run: Callable[[], None] = lambda: None,
    probes: int = PROBES,
) -> Report:
    """Test the seven promises on a registered id, a `WorldEntry`, or a factory of batches.

    `worlds` batches of `steps` steps are played from run `seed`, many times over. `folder` holds
    the committed transcripts; without it, those of this repository, where there is one.
    `progress` is called with each promise before it is tested, `on_run` before each run. Every
    choice is tried alone from `probes` states.
    """
    if arguments.count("worlds", worlds) < WORLDS_MIN:
        raise CountError(f"worlds is {worlds}; a check needs at least {WORLDS_MIN}")
    arguments.count("steps", steps)
    arguments.count("probes", probes)
    arguments.seed(seed)
    subject = as_subject(target, config)
    trial = _prepare(subject, Sizes(worlds, steps, probes), seed, on_run)
    verdicts: list[Verdict] = []
    for promise in PROMISES:
        progress(promise)
        if promise == 6:
            verdicts.append(_readable(subject.entry, folder))
        elif isinstance(trial, Trial):
            verdicts.append(_verdict(promise, trial))
        else:
            own = tuple(finding for finding in trial if finding.promise == promise)
            note = () if own else ("not tested: see the findings of the other promises",)
            verdicts.append(Verdict(promise, own, note, tested=bool(own)))
    return Report(subject.name, tuple(verdicts))


def _prepare(
    subject: Subject, size: Sizes, seed: int, on_run: Callable[[], None]
) -> Trial | list[Finding]:
    """A recording to test on, or why there is none."""
    try:
        world = subject.make(size.worlds, 1, "same_step")
        if lacks := [name for name in _members() if not hasattr(world, name)]:
            what = f"the factory gave a {type(world).__name__}, which lacks {', '.join(lacks)}"
            return [Finding(4, what, "give it every member of astrarium.worlds.VectorWorld")]
        if wrong := list(views.array_faults(world)):
            return wrong
        baseline = play(subject, size.worlds, size.steps, seed)
    except Exception as error:
        return [_fell_over(1, error)]
    return Trial(
        subject, world.layout, size.worlds, size.steps, seed, baseline, on_run, size.probes
    )


def _members() -> list[str]:
    return [name for name in vars(VectorWorld) if not name.startswith("_")]


def _verdict(promise: int, trial: Trial) -> Verdict:
    faults, notes = _ON_A_TRIAL[promise]
    findings: list[Finding] = []
    try:
        findings.extend(faults(trial))
    except Exception as error:
        findings.append(_fell_over(promise, error))
    return Verdict(promise, tuple(findings), tuple(notes(trial)))


def _fell_over(promise: int, error: Exception) -> Finding:
    last = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{Path(last.filename).name}:{last.lineno}"
    return Finding(
        promise,
        f"an ordinary call raised {type(error).__name__}: {error} (at {where})",
        "make it work as astrarium.worlds.VectorWorld says",
    )


def _readable(entry: WorldEntry | None, folder: Path | None) -> Verdict:
    folder = folder or playthroughs.committed_folder()
    if note := playthrough.note(entry, folder):
        return Verdict(6, (), (note,), tested=False)
    assert entry is not None
    assert folder is not None
    try:
        return Verdict(6, tuple(playthrough.faults(entry, folder)))
    except Exception as error:
        return Verdict(6, (_fell_over(6, error),))
