"""One check in progress: the world, the sizes, and a recording that several promises look at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from astrarium.check.orders import Players
from astrarium.check.recording import Recording, record
from astrarium.check.sizing import PROBES
from astrarium.check.subject import Subject
from astrarium.worlds import Autoreset, Layout, VectorWorld


@dataclass(frozen=True, slots=True)
class Trial:
    """What every promise is tested on."""

    subject: Subject
    layout: Layout
    worlds: int
    steps: int
    seed: int
    baseline: Recording
    """One thread, same-step autoreset, run `seed`."""
    on_run: Callable[[], None] = lambda: None
    """Called before each run."""
    probes: int = PROBES
    """States from which every choice is tried alone."""

    def batch(
        self, worlds: int | None = None, threads: int = 1, autoreset: Autoreset = "same_step"
    ) -> VectorWorld:
        """A new batch at the beginning of run `seed`."""
        self.on_run()
        world = self.subject.make(worlds or self.worlds, threads, autoreset)
        world.reset(self.seed)
        return world

    def play(self, autoreset: Autoreset, seed: int) -> Recording:
        """A recording of run `seed`, with players of their own."""
        self.on_run()
        return play(self.subject, self.worlds, self.steps, seed, autoreset)


def play(
    subject: Subject, worlds: int, steps: int, seed: int, autoreset: Autoreset = "same_step"
) -> Recording:
    """Record a run of the usual players."""
    world = subject.make(worlds, 1, autoreset)
    world.reset(seed)
    players = Players(subject, seed)
    recording = record(world, lambda _, batch: players(batch), steps)
    world.close()
    return recording
