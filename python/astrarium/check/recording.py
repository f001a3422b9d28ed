"""Everything a batch shows, step after step, and where two such recordings first differ."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from astrarium.worlds import VectorWorld
from astrarium.worlds.vector import Actions, Flags, Floats

VIEW: Final = ("obs", "mask", "alive")
PRODUCED: Final = ("reward", "terms", "terminated", "truncated", "events", "stats")
LINEAGE: Final = ("episode", "episode_seed")
# The digest comes last: of two things that differ in one step, a reader can look at the other.
EVERYTHING: Final = (*VIEW, *PRODUCED, "final_obs", *LINEAGE, "digest")

Frames = dict[str, npt.NDArray[Any]]
"""By field name: (steps + 1, n, ...), the first row being what the batch showed before stepping."""

Orders = Callable[[int, VectorWorld], tuple[Actions, Floats]]
"""Actions and controls for the step that leads from frame `step` to the next."""


@dataclass(frozen=True, slots=True)
class Recording:
    """What was ordered and what was shown."""

    frames: Frames
    actions: Actions
    """(steps, n, m, H)."""
    controls: Floats
    """(steps, n, m, C)."""

    @property
    def steps(self) -> int:
        """Steps taken."""
        return len(self.actions)

    @property
    def began(self) -> npt.NDArray[np.bool_]:
        """(steps + 1, n): where an episode begins in the frame."""
        episode = self.frames["episode"]
        began = np.zeros(episode.shape, np.bool_)
        began[0] = True
        began[1:] = episode[1:] != episode[:-1]
        return began

    def again(self, worlds: npt.ArrayLike | None = None, start: int = 0) -> Orders:
        """The same orders, for the chosen worlds, from frame `start` on."""
        chosen = slice(None) if worlds is None else np.asarray(worlds)

        def orders(step: int, _: VectorWorld) -> tuple[Actions, Floats]:
            return self.actions[start + step][chosen], self.controls[start + step][chosen]

        return orders

    def part(self, start: int, steps: int, worlds: npt.ArrayLike | None = None) -> Frames:
        """Frames `start` to `start + steps` of the chosen worlds."""
        chosen = slice(None) if worlds is None else np.asarray(worlds)
        return {
            name: rows[start : start + steps + 1][:, chosen] for name, rows in self.frames.items()
        }


@dataclass(frozen=True, slots=True)
class Difference:
    """The first place where two recordings disagree."""

    step: int
    world: int
    field: str
    index: tuple[int, ...]
    got: object
    expected: object

    def __str__(self) -> str:
        place = f"[{', '.join(str(at) for at in self.index)}]" if self.index else ""
        return (
            f"step {self.step}, world {self.world}: {self.field}{place} "
            f"is {self.got}, not {self.expected}"
        )


def step_with(world: VectorWorld, actions: Actions, controls: Floats) -> None:
    """One step with only the kinds of order that the world takes."""
    world.step(actions if world.layout.heads else None, controls if world.layout.controls else None)


def record(world: VectorWorld, orders: Orders, steps: int) -> Recording:
    """Step a batch and keep all it shows."""
    first = frame(world)
    frames: Frames = {
        name: np.zeros((steps + 1, *rows.shape), rows.dtype) for name, rows in first.items()
    }
    actions = np.zeros((steps, *world.actions.shape), np.int32)
    controls = np.zeros((steps, *world.controls.shape), np.float32)
    _keep(frames, 0, first)
    for step in range(steps):
        actions[step], controls[step] = orders(step, world)
        step_with(world, actions[step], controls[step])
        _keep(frames, step + 1, frame(world))
    return Recording(frames, actions, controls)


def frame(world: VectorWorld) -> Frames:
    """All that a batch shows now, by field; `final_obs` only where an agent ended."""
    shown: Frames = {name: getattr(world, name) for name in (*VIEW, *PRODUCED, *LINEAGE)}
    ended: Flags = world.terminated | world.truncated
    shown["final_obs"] = np.where(ended[..., np.newaxis] != 0, world.final_obs, np.float32(0))
    shown["digest"] = world.digests()
    return shown


def copied(frame: Frames) -> Frames:
    """A frame that the next step does not overwrite, as frames of no steps."""
    return {name: rows[np.newaxis].copy() for name, rows in frame.items()}


def _keep(frames: Frames, at: int, shown: Frames) -> None:
    for name, rows in shown.items():
        frames[name][at] = rows


def first_difference(
    got: Frames,
    expected: Frames,
    fields: Iterable[str] = EVERYTHING,
    counts: npt.NDArray[np.bool_] | None = None,
) -> Difference | None:
    """The earliest step, then field, then world, where bits differ; None if they are the same.

    `counts` (steps + 1, n) says which frames of which worlds are to be compared.
    """
    first: Difference | None = None
    for field in fields:
        ours, theirs = got[field], expected[field]
        unlike = bits(ours) != bits(theirs)
        if counts is not None:
            unlike &= counts.reshape(counts.shape + (1,) * (unlike.ndim - 2))
        steps = np.flatnonzero(unlike.reshape(len(unlike), -1).any(axis=1))
        if steps.size and (first is None or steps[0] < first.step):
            at = tuple(int(index) for index in np.argwhere(unlike[steps[0]])[0])
            place = (int(steps[0]), *at)
            first = Difference(
                place[0], at[0], field, at[1:], ours[place].item(), theirs[place].item()
            )
    return first


def bits(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Floats as integers of the same bits: NaN equals itself, and -0.0 is not 0.0."""
    if array.dtype.kind != "f":
        return array
    return np.ascontiguousarray(array).view(f"u{array.dtype.itemsize}")
