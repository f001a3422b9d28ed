"""`astrarium bench train`: our trainer beside others, on the same machine and the same work.

Contenders take turns, round after round, because on a shared machine one minute differs from the
next by more than trainers differ. A figure is the median of all timed iterations; the best is told
beside it, as what the machine can do when others leave it alone. One core is judged by processor
time, two by the wall's clock.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Literal

from astrarium import machine
from astrarium.bench.loops import Clock
from astrarium.bench.report import Report, Spread
from astrarium.bench.trainers import contenders, dummy
from astrarium.bench.trainers.contenders import Contender, TurnError, take_turn
from astrarium.bench.trainers.contract import Answer, Task, Timed
from astrarium.bench.trainers.homes import UnavailableError

WORLDS: Final = (dummy.WORLD, "prospector-v2")
OVER_BEST_PEER_MIN: Final = 1.0
"""Ours must not be slower than the fastest trainer that does the same work."""

Take = Callable[[Contender, Task, Path], Answer]
Tell = Callable[[str], None]
Status = Literal["ok", "unavailable", "failed"]
Figure = Literal["median", "best"]


@dataclass(frozen=True, slots=True)
class Plan:
    """Who, where, and how long."""

    task: Task = field(default_factory=lambda: Task(world=""))
    """What everybody does; its world and threads are filled in turn by turn."""
    worlds: tuple[str, ...] = WORLDS
    cores: tuple[int, ...] = (1, 2)
    rounds: int = 3
    contenders: tuple[Contender, ...] = contenders.CONTENDERS


QUICK: Final = Task(world="", num_worlds=64, rollout_steps=32, iterations=1, seconds_max=1.0)
"""To see that everything runs; such a figure says nothing."""


@dataclass
class Row:
    """One contender on one world and number of cores."""

    contender: Contender
    world: str
    cores: int
    turns: list[Timed] = field(default_factory=list[Timed])
    status: Status = "ok"
    reason: str = ""
    settings: dict[str, Any] = field(default_factory=dict[str, Any])
    versions: dict[str, str] = field(default_factory=dict[str, str])

    def spread(self, clock: Clock) -> Spread | None:
        """Steps per second of all iterations of all turns, or None where nothing was timed so."""
        samples = [rate for turn in self.turns for rate in getattr(turn, clock)]
        return Spread.of(samples) if samples else None

    def figure(self, which: Figure) -> float | None:
        """Steps per second by the clock that counts, or None where there was no answer."""
        spread = self.spread(clock_of(self.cores)) or self.spread("wall")
        if spread is None:
            return None
        return spread.p50 if which == "median" else spread.max

    def as_dict(self) -> dict[str, Any]:
        """The row as a report holds it."""
        wall, cpu = self.spread("wall"), self.spread("cpu")
        return {
            "contender": self.contender.name,
            "title": self.contender.title,
            "role": self.contender.role,
            "world": self.world,
            "cores": self.cores,
            "status": self.status,
            "reason": self.reason,
            "steps_per_wall_second": wall and asdict(wall),
            "steps_per_cpu_second": cpu and asdict(cpu),
            "turns": [asdict(turn) for turn in self.turns],
            "settings": self.settings,
            "versions": self.versions,
        }


def cores_in_words(cores: int) -> str:
    """`1 core`, `2 cores`."""
    return f"{cores} core{'s' * (cores != 1)}"


def clock_of(cores: int) -> Clock:
    """On one core time that others took is left out; what a second core gains only a wall shows."""
    return "cpu" if cores == 1 else "wall"


@dataclass(frozen=True, slots=True)
class Comparison:
    """Ours against the fastest peer and the limits, on one world and number of cores."""

    world: str
    cores: int
    which: Figure
    ours: float | None
    best_peer: str
    over_best_peer: float | None
    of_limits: dict[str, float]
    """The part of each limit that ours reaches."""


def bench_train(plan: Plan, tell: Tell, take: Take = take_turn) -> Report:
    """Measure everybody and judge ours."""
    where = machine.facts()
    rows = [row for group in _groups(plan) for row in group]
    loads: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        for turn in range(plan.rounds):
            for group in _groups(plan, rows):
                loads.append(round(os.getloadavg()[0], 2))
                # There and back: whoever always followed the same one would inherit its heat.
                for row in group if turn % 2 == 0 else reversed(group):
                    tell(
                        f"round {turn + 1} of {plan.rounds}: {row.contender.title} on {row.world}, "
                        + cores_in_words(row.cores)
                    )
                    _turn(row, plan.task, Path(folder), take)
    found = comparisons(rows)
    config = asdict(plan)
    config["contenders"] = [one.name for one in plan.contenders]
    return Report(
        kind="train",
        config=config,
        machine=where,
        reasons=shortfalls(rows, found),
        results={
            "rows": [row.as_dict() for row in rows],
            "comparisons": [asdict(one) for one in found],
            "loads": loads,
        },
    )


def _groups(plan: Plan, rows: Sequence[Row] | None = None) -> Iterator[list[Row]]:
    """Rows whose figures are compared: given ones, or new ones."""
    for cores in plan.cores:
        for world in plan.worlds:
            if rows is not None:
                yield [row for row in rows if (row.world, row.cores) == (world, cores)]
            else:
                yield [Row(one, world, cores) for one in plan.contenders]


def _turn(row: Row, task: Task, folder: Path, take: Take) -> None:
    """One turn of one contender; who has failed once is not asked again."""
    if row.status != "ok":
        return
    try:
        answer = take(row.contender, replace(task, world=row.world, threads=row.cores), folder)
    except UnavailableError as error:
        row.status, row.reason = "unavailable", str(error)
    except TurnError as error:
        row.status, row.reason = "failed", str(error)
    else:
        row.turns.append(answer.rates)
        row.settings, row.versions = answer.settings, answer.versions


def comparisons(rows: Sequence[Row]) -> list[Comparison]:
    """Ours beside the others, wherever somebody was measured."""
    found: list[Comparison] = []
    for world, cores in dict.fromkeys((row.world, row.cores) for row in rows):
        here = [row for row in rows if (row.world, row.cores) == (world, cores)]
        found += [_compare(world, cores, here, which) for which in ("median", "best")]
    return found


def _compare(world: str, cores: int, rows: Sequence[Row], which: Figure) -> Comparison:
    def speeds(role: contenders.Role) -> dict[str, float]:
        of_role = (row for row in rows if row.contender.role == role)
        return {row.contender.title: rate for row in of_role if (rate := row.figure(which))}

    ours = next(iter(speeds("ours").values()), None)
    peers, limits = speeds("peer"), speeds("limit")
    best = max(peers, key=lambda title: peers[title], default="")
    return Comparison(
        world,
        cores,
        which,
        ours,
        best,
        ours / peers[best] if ours and best else None,
        {title: ours / limit for title, limit in limits.items()} if ours else {},
    )


def shortfalls(rows: Sequence[Row], found: Sequence[Comparison]) -> list[str]:
    """What went wrong, in words. A peer that cannot be had here is no fault."""
    failed = [
        f"{row.contender.title} on {row.world}, {cores_in_words(row.cores)}: {row.reason}"
        for row in rows
        if row.status == "failed"
    ]
    slower = [
        f"{one.world}, {cores_in_words(one.cores)}: ours is {one.over_best_peer:.2f} times "
        f"{one.best_peer}, at least {OVER_BEST_PEER_MIN:g} is asked"
        for one in found
        if one.which == "median"
        and one.over_best_peer is not None
        and one.over_best_peer < OVER_BEST_PEER_MIN
    ]
    return failed + slower
