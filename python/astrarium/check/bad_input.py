"""Promise 7: bad input is a typed error that names the field and the fix, and changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, cast

import numpy as np

from astrarium.check.recording import VIEW, copied, first_difference, frame, step_with
from astrarium.check.report import Finding
from astrarium.check.trial import Trial
from astrarium.errors import AstrariumError
from astrarium.worlds import Autoreset, VectorWorld, parse_config

_TYPED: Final = (AstrariumError, ValueError, TypeError, IndexError)
_WORLDS: Final = 3
_STEPS_BEFORE: Final = 5
_FLIPS: Final = 24
_UNCHANGED: Final = (*VIEW, "episode", "episode_seed", "digest")


@dataclass(frozen=True, slots=True)
class Attempt:
    """One thing that must be refused."""

    what: str
    names: tuple[str, ...]
    """Words of which the message must hold at least one."""
    call: Callable[[VectorWorld], object]


def faults(trial: Trial) -> Iterator[Finding]:
    """Bad input that is taken, refused in the wrong way, or leaves a mark."""
    victim = Victim(trial)
    for attempt in (*_orders(trial), *_seeds(), *_indices(), *_snapshots(victim)):
        yield from victim.suffer(attempt)
    yield from _making(trial)
    yield from _after_the_end(trial)
    yield from _closed(trial)


class Victim:
    """A batch in the middle of its episodes, made anew whenever an attempt has changed it."""

    def __init__(self, trial: Trial) -> None:
        self._trial = trial
        self._world = self._fresh()
        self.saved = self._world.snapshot()

    def _fresh(self) -> VectorWorld:
        world = self._trial.batch(_WORLDS)
        run = self._trial.baseline
        for step in range(min(_STEPS_BEFORE, run.steps)):
            step_with(world, run.actions[step][:_WORLDS], run.controls[step][:_WORLDS])
        return world

    def suffer(self, attempt: Attempt) -> Iterator[Finding]:
        """Try it and look at the batch afterwards."""
        world = self._world
        before = copied(frame(world))
        finding = _refusal(attempt, world)
        after = copied(frame(world))
        world.controls[...] = 0
        changed = first_difference(after, before, _UNCHANGED)
        if finding:
            yield finding
        if changed:
            if finding is None:
                yield Finding(
                    7,
                    f"{attempt.what} was refused, but had already changed world {changed.world}: "
                    f"{changed.field}",
                    "check all of the input before touching any of the state",
                )
            self._world = self._fresh()


def _refusal(attempt: Attempt, world: VectorWorld) -> Finding | None:
    try:
        attempt.call(world)
    except _TYPED as error:
        words = str(error).lower()
        if any(name in words for name in attempt.names):
            return None
        return Finding(
            7,
            f"{attempt.what} raised {type(error).__name__}: {error}; that does not name "
            f"{' or '.join(attempt.names)}",
            "say which argument is wrong, what was given and what would do",
        )
    except Exception as error:
        return Finding(
            7,
            f"{attempt.what} raised {type(error).__name__}: {error}",
            "raise one of astrarium.errors (astrarium.worlds.arguments has the checks ready)",
        )
    return Finding(
        7,
        f"{attempt.what} was accepted",
        "refuse it with one of astrarium.errors (astrarium.worlds.arguments has the checks ready)",
    )


def _orders(trial: Trial) -> Iterator[Attempt]:
    run = trial.baseline
    actions, controls = run.actions[0][:_WORLDS], run.controls[0][:_WORLDS]
    layout = trial.layout
    if layout.heads:
        wrong: list[tuple[str, Any]] = [
            ("actions with a world too many", np.concatenate([actions, actions[:1]])),
            ("actions with a head too many", np.concatenate([actions, actions[..., :1]], axis=2)),
            ("actions of dtype float64", actions.astype(np.float64)),
            ("actions of dtype bool", actions.astype(np.bool_)),
            ("actions that are words", "left"),
            ("actions of uneven length", [[0], [0, 1], []]),
        ]
        for what, given in wrong:
            yield Attempt(what, ("actions",), lambda world, given=given: world.step(given))
    if layout.controls:
        nan, infinite = controls.copy(), controls.copy()
        nan[-1, -1, -1], infinite[0, 0, 0] = np.nan, np.inf
        yield from _controls(actions, controls, nan, infinite)


def _controls(actions: Any, controls: Any, nan: Any, infinite: Any) -> Iterator[Attempt]:
    wrong: list[tuple[str, Any]] = [
        ("controls with NaN", nan),
        ("controls with infinity", infinite),
        ("controls with a world too few", controls[:-1]),
        ("controls of dtype int32", controls.astype(np.int32)),
    ]
    for what, given in wrong:
        yield Attempt(what, ("controls",), lambda world, given=given: world.step(actions, given))

    def in_place(world: VectorWorld) -> None:
        world.controls[...] = nan
        world.step()

    yield Attempt("NaN written into the controls array", ("controls",), in_place)


def _seeds() -> Iterator[Attempt]:
    for bad in (-1, 2**64, 1.5, "seven"):
        given = cast("Any", bad)
        yield Attempt(f"reset({bad!r})", ("seed",), lambda world, given=given: world.reset(given))
    for what, seeds in (
        ("too few seeds", [1]),
        ("a negative seed", [1, -2, 3]),
        ("seeds of dtype float64", np.ones(_WORLDS)),
    ):
        yield Attempt(
            f"reset_with_seeds with {what}",
            ("seed",),
            lambda world, seeds=seeds: world.reset_with_seeds(seeds),
        )
    yield Attempt(
        "reset_worlds with two indices and one seed",
        ("seed",),
        lambda world: world.reset_worlds([0, 1], [7]),
    )


def _indices() -> Iterator[Attempt]:
    for indices in ([_WORLDS], [-1], [0.5], [[0, 1]]):
        yield Attempt(
            f"reset_worlds({indices})",
            ("index", "indices"),
            lambda world, indices=indices: world.reset_worlds(indices),
        )
        yield Attempt(
            f"fork({indices})",
            ("index", "indices"),
            lambda world, indices=indices: world.fork(indices),
        )


def _snapshots(victim: Victim) -> Iterator[Attempt]:
    whole = victim.saved
    names = ("snapshot",)
    for keep in sorted({0, 1, len(whole) // 2, len(whole) - 1}):
        yield Attempt(
            f"restore of the first {keep} of {len(whole)} bytes",
            names,
            lambda world, keep=keep: world.restore(whole[:keep]),
        )
    for flip in range(_FLIPS):
        at = flip * (len(whole) - 1) // (_FLIPS - 1)
        damaged = bytearray(whole)
        damaged[at] ^= 1 << flip % 8
        yield Attempt(
            f"restore with bit {flip % 8} of byte {at} flipped",
            names,
            lambda world, given=bytes(damaged): world.restore(given),
        )
    yield Attempt("restore with a byte too many", names, lambda world: world.restore(whole + b"\0"))
    yield Attempt("restore of a str", names, lambda world: world.restore(cast("Any", "a snapshot")))
    yield Attempt(
        "restore of a batch of another size",
        names,
        lambda world: world.restore(world.fork([0]).snapshot()),
    )


def _making(trial: Trial) -> Iterator[Finding]:
    """What is refused before there is a batch."""
    make, config = trial.subject.make, trial.batch(1).config
    known = next(iter(type(config).model_fields), "setting")
    unknown = f"{known}_x"
    attempts = (
        Attempt("a batch of 0 worlds", ("num_worlds",), lambda _: make(0, 1, "same_step")),
        Attempt("0 threads", ("threads",), lambda _: make(1, 0, "same_step")),
        Attempt(
            "autoreset 'sometimes'",
            ("autoreset",),
            lambda _: make(1, 1, cast("Autoreset", "sometimes")),
        ),
        Attempt(
            f"the unknown config key {unknown!r}",
            (unknown,),
            lambda _: parse_config(type(config), {unknown: 1}),
        ),
    )
    world = trial.batch(1)
    for attempt in attempts:
        if finding := _refusal(attempt, world):
            yield finding


def _after_the_end(trial: Trial) -> Iterator[Finding]:
    """Without autoreset, stepping an ended world is refused until it is reset."""
    run = trial.baseline
    ended = np.argwhere(run.began[1:])
    if not len(ended):
        return
    step, index = (int(at) for at in ended[0])
    world = trial.subject.make(1, 1, "disabled")
    world.reset_with_seeds(run.frames["episode_seed"][0][[index]])
    for before in range(step + 1):
        step_with(world, run.actions[before][[index]], run.controls[before][[index]])
    attempt = Attempt(
        "a step after the end with autoreset disabled", ("ended", "over"), lambda w: w.step()
    )
    digest = world.digests()
    if finding := _refusal(attempt, world):
        yield finding
    elif not np.array_equal(world.digests(), digest):
        yield Finding(7, f"{attempt.what} changed the state", "look before stepping any world")


def _closed(trial: Trial) -> Iterator[Finding]:
    world = trial.batch(1)
    world.close()
    attempt = Attempt("a step after close()", ("closed",), lambda closed: closed.step())
    if finding := _refusal(attempt, world):
        yield finding
