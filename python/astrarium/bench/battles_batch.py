"""Duels as Python steps them: in batches, on several threads, through Gymnasium, and for long."""

from __future__ import annotations

import gc
import tempfile
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from astrarium import worlds
from astrarium.bench.limits import resident_bytes
from astrarium.bench.loops import Clock, PeerLoop, PythonLoop, Slice, timed
from astrarium.bench.report import Spread
from astrarium.worlds.tidebreak.names import ORDER_HEADS
from astrarium.worlds.vector import Actions

WORLD: Final = "tidebreak-v1"
Tell = Callable[[str], None]
Row = dict[str, Any]
_UTILITY: Final = -2
_SCUTTLE: Final = len(ORDER_HEADS[_UTILITY]) - 1
"""Left out of what is drawn: it ends a duel at once."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to measure."""

    duels: int = 256
    """Of the batch that several threads share."""
    shared_with_python: int = 64
    """Duels of the batch that a loop without Python steps too."""
    threads: int = 2
    calls: int = 100
    """Of `step` in one slice."""
    repeats: int = 9
    rows: int = 512
    """Of actions, used in turns."""
    gym_steps: int = 2000
    weighed: int = 256
    growth_steps: int = 1_000_000
    growth_warm_steps: int = 100_000


QUICK: Final = Plan(
    duels=4,
    shared_with_python=2,
    calls=2,
    repeats=2,
    rows=4,
    gym_steps=5,
    weighed=2,
    growth_steps=20,
    growth_warm_steps=4,
)


def settings(fidelity: str = "F1") -> Row:
    """Duels whose both ships are observed."""
    return {"scenario": "duel", "side": "both", "fidelity": fidelity}


def measured(plan: Plan, peer: Path | None, tell: Tell) -> Row:
    """Everything that is timed from Python; `peer` is the loop without it, where there is one."""
    return {
        "share": _share(plan, peer, tell),
        "threads": _threads(plan, tell),
        "gymnasium": _gymnasium(plan, tell),
        "weights": _weights(plan, tell),
        "growth": _growth(plan, tell),
    }


def drawn(rows: int, duels: int, heads: Sequence[int]) -> Actions:
    """Anything, legal or not, but scuttling: (rows, n, 2, H)."""
    most = np.array(heads)
    most[_UTILITY] = _SCUTTLE
    dice = np.random.default_rng(0)
    return dice.integers(0, most, (rows, duels, 2, len(heads)), np.int32)


@contextmanager
def _loop(plan: Plan, duels: int, threads: int) -> Generator[PythonLoop]:
    world = worlds.make_vec(WORLD, duels, threads=threads, **settings())
    loop = PythonLoop(world, drawn(plan.rows, duels, world.layout.heads))
    try:
        yield loop
    finally:
        loop.close()


def _rates(slices: Sequence[Slice], clock: Clock) -> list[float]:
    return [one.steps / one.seconds(clock) for one in slices]


def _share(plan: Plan, peer: Path | None, tell: Tell) -> Row:
    """The same batch with and without Python, in turns."""
    duels = plan.shared_with_python
    tell(f"{duels} duels with Python and without")
    with tempfile.TemporaryDirectory() as folder, _loop(plan, duels, 1) as ours:
        if peer is None:
            ours.steps(1)
            own = [ours.steps(plan.calls) for _ in range(plan.repeats)]
            return {"duels": duels, "python": _rates(own, "cpu"), "rust": [], "same_work": None}
        actions = Path(folder) / "actions.i32"
        drawn(plan.rows, duels, ours.world.layout.heads).astype("<i4").tofile(actions)
        config = worlds.get(WORLD).config(**settings()).model_dump_json()
        theirs = PeerLoop([peer, "batch", WORLD, config, str(duels), "1", actions])
        try:
            slices: dict[str, list[Slice]] = {"python": [], "rust": []}
            for turn in range(plan.repeats + 1):
                loops = [("python", ours), ("rust", theirs)]
                for name, loop in loops if turn % 2 == 0 else reversed(loops):
                    slices[name].append(loop.steps(plan.calls))
            same = ours.digest() == theirs.digest()
        finally:
            theirs.close()
    # The first turn found out how much room every world needs.
    rates = {name: _rates(found[1:], "cpu") for name, found in slices.items()}
    return {"duels": duels, **rates, "same_work": same}


def _threads(plan: Plan, tell: Tell) -> Row:
    """One batch on one thread and another on all, in turns, by the clock on the wall."""
    tell(f"{plan.duels} duels on 1 and on {plan.threads} threads")
    with _loop(plan, plan.duels, 1) as one, _loop(plan, plan.duels, plan.threads) as all_:
        slices: tuple[list[Slice], list[Slice]] = ([], [])
        for turn in range(plan.repeats + 1):
            loops = [(slices[0], one), (slices[1], all_)]
            for found, loop in loops if turn % 2 == 0 else reversed(loops):
                found.append(loop.steps(plan.calls))
        same = one.digest() == all_.digest()
    alone, together = (_rates(found[1:], "wall") for found in slices)
    return {
        "duels": plan.duels,
        "threads": plan.threads,
        "one": alone,
        "all": together,
        "cpu": asdict(Spread.of(_rates(slices[0][1:], "cpu"))),
        "same_work": same,
    }


def _gymnasium(plan: Plan, tell: Tell) -> Row:
    """Microseconds of `TidebreakEnv.step`; beginning anew is not counted."""
    from astrarium.adapters.tidebreak import TidebreakEnv

    tell("a duel through Gymnasium")
    env = TidebreakEnv("duel", fidelity="F1")
    dice = np.random.default_rng(0)
    most = np.array([len(names) for names in ORDER_HEADS])
    most[_UTILITY] = _SCUTTLE
    orders = dice.integers(0, most, (plan.rows, len(most)), np.int64)
    helms = dice.uniform(-1, 1, (plan.rows, 2)).astype(np.float32)
    actions = [{"helm": helms[at], "orders": orders[at]} for at in range(plan.rows)]
    samples: list[float] = []
    env.reset(seed=1)
    for _ in range(plan.repeats + 1):
        left, spent = plan.gym_steps, 0.0
        while left > 0:
            stretch = _Stretch(env, actions, left)
            spent += timed(1, stretch.play).seconds("cpu")
            left -= stretch.taken
            env.reset()
        samples.append(1e6 * spent / plan.gym_steps)
    env.close()
    return {"step_us": samples[1:]}


class _Stretch:
    """Steps of an environment until its episode or its actions end."""

    def __init__(self, env: Any, actions: Sequence[Row], most: int) -> None:
        self._env, self._actions, self._most = env, actions, most
        self.taken = 0

    def play(self) -> None:
        over = False
        while not over and self.taken < self._most:
            action = self._actions[self.taken % len(self._actions)]
            _, _, ended, cut_off, _ = self._env.step(action)
            over = ended or cut_off
            self.taken += 1


def _weights(plan: Plan, tell: Tell) -> list[Row]:
    """Memory of a duel with its part of the batch's arrays."""
    found: list[Row] = []
    # Nothing is let go before all are weighed: a later batch would take what an earlier one left.
    held: list[worlds.VectorWorld] = []
    for fidelity in ("F0", "F1"):
        tell(f"weighing duels at {fidelity}")
        # What a first batch sets up for all is part of no duel.
        held.append(worlds.make_vec(WORLD, 1, **settings(fidelity)))
        gc.collect()
        before = resident_bytes()
        world = worlds.make_vec(WORLD, plan.weighed, **settings(fidelity))
        for row in drawn(plan.rows, plan.weighed, world.layout.heads)[: plan.calls]:
            world.step(row)
        resident = (resident_bytes() - before) / plan.weighed
        held.append(world)
        found.append({"fidelity": fidelity, "resident_bytes": resident})
    for world in held:
        world.close()
    return found


def _growth(plan: Plan, tell: Tell) -> Row:
    """Resident memory of the process before and after many steps of one batch."""
    duels = plan.shared_with_python
    tell(f"{plan.growth_steps:,} steps")
    with _loop(plan, duels, 1) as loop:
        loop.steps(plan.growth_warm_steps // duels)
        gc.collect()
        before = resident_bytes()
        steps = loop.steps(plan.growth_steps // duels).steps
        gc.collect()
        return {"steps": steps, "before_bytes": before, "after_bytes": resident_bytes()}
