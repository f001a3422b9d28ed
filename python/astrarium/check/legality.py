"""Promise 4, what may be done: the mask says exactly what is legal, and tells nothing else.

From states along the recording, one copy of the world takes each choice alone, with every other
order legal. Where the world has an event for orders it ignores, that event must fire exactly for
the choices the mask forbids. Where it has none, all forbidden choices must have one effect.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from astrarium.check.orders import OUT_OF_RANGE, first_legal
from astrarium.check.recording import step_with
from astrarium.check.report import Finding
from astrarium.check.trial import Trial
from astrarium.worlds import Layout, VectorWorld

ILLEGAL_EVENTS: Final = ("invalid_action", "ignored_order")
"""Names of the event that says an order could not be carried out."""

_PROBED_STEPS: Final = 24
_PROBED_WORLDS: Final = 4


@dataclass(frozen=True, slots=True)
class Choice:
    """One order of one agent."""

    agent: int
    head: int
    index: int
    legal: bool
    in_range: bool


@dataclass(frozen=True, slots=True)
class Place:
    """Where a state was found."""

    step: int
    world: int

    def __str__(self) -> str:
        return f"step {self.step}, world {self.world}"


def faults(trial: Trial) -> Iterator[Finding]:
    """Masks that lie or tell too much, and illegal orders that do harm."""
    seen = Seen()
    told: set[str] = set()
    for finding in (*_along_the_recording(trial, seen), *seen.faults):
        # Thousands of choices are probed; the first of each kind says it.
        if finding.fix not in told:
            told.add(finding.fix)
            yield finding


def notes(trial: Trial) -> Iterator[str]:
    """What this world does not let a check see."""
    layout = trial.layout
    if layout.heads and illegal_bit(layout) is None:
        yield (
            f"no event is called {' or '.join(ILLEGAL_EVENTS)}, so whether legal choices are "
            "carried out was not tested"
        )


def illegal_bit(layout: Layout) -> int | None:
    """The event bit that says an order was not carried out."""
    bits = [at for at, name in enumerate(layout.events) if name in ILLEGAL_EVENTS]
    return bits[0] if bits else None


def _along_the_recording(trial: Trial, seen: Seen) -> Iterator[Finding]:
    run = trial.baseline
    world = trial.batch()
    every = max(1, run.steps // min(_PROBED_STEPS, trial.probes))
    at_a_time = min(_PROBED_WORLDS, trial.worlds, max(1, trial.probes // _PROBED_STEPS))
    for step in range(run.steps):
        seen.add(world, step)
        if world.layout.heads and step % every == 0:
            for turn in range(at_a_time):
                index = (step // every + turn * 5) % trial.worlds
                yield from _probe(trial, world, Place(step, index), seen)
        step_with(world, run.actions[step], run.controls[step])


def _probe(trial: Trial, world: VectorWorld, place: Place, seen: Seen) -> Iterator[Finding]:
    layout = world.layout
    choices = list(_choices(world, place.world))
    if not choices:
        return
    copies = world.fork([place.world] * len(choices))
    actions = first_legal(copies.mask, layout)
    for row, choice in enumerate(choices):
        actions[row, choice.agent, choice.head] = choice.index
    try:
        step_with(copies, actions, np.zeros(copies.controls.shape, np.float32))
    except Exception as error:
        yield Finding(
            4,
            f"{place}: an illegal or out-of-range action raised {type(error).__name__}: {error}",
            "give it one documented effect, such as waiting, instead of an error",
        )
        return
    seen.add(copies, place.step + 1)
    bit = illegal_bit(layout)
    if bit is not None:
        yield from _event_faults(trial, place, choices, copies.events, bit)
    yield from _effect_faults(trial, place, choices, copies.digests(), bit is None)
    copies.close()


def _choices(world: VectorWorld, index: int) -> Iterator[Choice]:
    """Every choice of every agent in play, and a few that no head has."""
    for agent in np.flatnonzero(world.alive[index]):
        first = 0
        for head, size in enumerate(world.layout.heads):
            mask = world.mask[index, agent, first : first + size]
            first += size
            for choice in range(size):
                yield Choice(int(agent), head, choice, bool(mask[choice]), in_range=True)
            for choice in (*OUT_OF_RANGE, size):
                yield Choice(int(agent), head, choice, legal=False, in_range=False)


def _event_faults(
    trial: Trial, place: Place, choices: list[Choice], events: npt.NDArray[Any], bit: int
) -> Iterator[Finding]:
    name = trial.layout.events[bit]
    for row, choice in enumerate(choices):
        refused = bool(events[row, choice.agent] >> bit & 1)
        what = f"{place}: {_words(trial, choice)}"
        if choice.legal and refused:
            yield Finding(
                4,
                f"{what} is legal by the mask, but taking it alone fires {name}",
                "clear the mask entry under exactly the condition the rule refuses",
            )
        elif not choice.legal and not refused:
            where = "by the mask" if choice.in_range else "because no such choice exists"
            yield Finding(
                4,
                f"{what} is illegal {where}, but taking it does not fire {name}",
                "set the mask entry under exactly the condition the rule accepts, and fire "
                f"{name} for every other order",
            )


def _effect_faults(
    trial: Trial, place: Place, choices: list[Choice], digests: npt.NDArray[Any], strict: bool
) -> Iterator[Finding]:
    """Orders out of range have one effect; with `strict`, so have all illegal ones."""
    groups: dict[tuple[int, int], list[int]] = {}
    for row, choice in enumerate(choices):
        if not choice.in_range or (strict and not choice.legal):
            groups.setdefault((choice.agent, choice.head), []).append(row)
    for rows in groups.values():
        odd = [row for row in rows if digests[row] != digests[rows[0]]]
        if odd:
            first, other = choices[rows[0]], choices[odd[0]]
            yield Finding(
                4,
                f"{place}: {_words(trial, first)} and {_words(trial, other)} are both illegal but "
                "lead to different states",
                "treat every order that is not legal as one and the same",
            )


def _words(trial: Trial, choice: Choice) -> str:
    entry = trial.subject.entry
    name = (
        f" ({entry.action_names[choice.head][choice.index]})" if entry and choice.in_range else ""
    )
    return f"agent {choice.agent}, head {choice.head}, choice {choice.index}{name}"


class Seen:
    """Every view so far: the same observation must always come with the same mask."""

    def __init__(self) -> None:
        self._masks: dict[tuple[int, bytes], tuple[bytes, Place]] = {}
        self.faults: list[Finding] = []

    def add(self, world: VectorWorld, step: int) -> None:
        """Compare what a batch shows with all that was shown before."""
        for index, agent in np.argwhere(world.alive != 0):
            key = (int(agent), world.obs[index, agent].tobytes())
            mask = world.mask[index, agent].tobytes()
            place = Place(step, int(index))
            before, where = self._masks.setdefault(key, (mask, place))
            if mask != before and not self.faults:
                entry = next(
                    at for at, (a, b) in enumerate(zip(mask, before, strict=True)) if a != b
                )
                self.faults.append(
                    Finding(
                        4,
                        f"{place} and {where} show agent {agent} the same observation but other "
                        f"masks: entry {entry} is {mask[entry]} and {before[entry]}",
                        "observe what the legality depends on, or make it not depend on hidden "
                        "state",
                    )
                )
