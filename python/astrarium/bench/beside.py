"""Step our worlds and PufferLib's C worlds in turns, and compare their steps per second."""

from __future__ import annotations

import contextlib
import math
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from rich.console import Console
from rich.markup import escape

from astrarium import worlds
from astrarium.bench.faces import Opener, workloads
from astrarium.bench.loops import Loop, PeerLoop, PythonLoop, Slice
from astrarium.bench.report import ReportError, Spread
from astrarium.bench.stepping import COMPARED_SIZE, Plan, rates
from astrarium.bench.tables import new_table, print_table, quantity
from astrarium.bench.trainers import homes, ocean

_WARM_CALLS: Final = 64


@dataclass(frozen=True, slots=True)
class Beside:
    """One world of this comparison: ours or PufferLib's."""

    world: str
    ours: bool
    row_bytes: int
    slices: list[Slice]

    def ratio(self, other: Beside) -> float:
        """Return how many times as fast as `other` this one steps: the median of the pairs."""
        pairs = zip(other.slices, self.slices, strict=True)
        return Spread.of([their.cpu_s / max(my.cpu_s, 1e-9) for their, my in pairs]).p50


@dataclass(frozen=True, slots=True)
class Comparison:
    """Every world in one run, or the reason why there is none."""

    num_worlds: int
    rows: list[Beside] = field(default_factory=list[Beside])
    reason: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return the comparison as a report holds it."""
        own = [row for row in self.rows if row.ours]
        return {
            "num_worlds": self.num_worlds,
            "threads": 1,
            "unavailable": self.reason or None,
            "rows": [
                {
                    "world": row.world,
                    "project": "astrarium" if row.ours else "pufferlib",
                    "row_bytes": row.row_bytes,
                    "steps_per_cpu_second": asdict(Spread.of(rates(row.slices, "cpu"))),
                    "steps_per_wall_second": asdict(Spread.of(rates(row.slices, "wall"))),
                    "speed_over": {one.world: row.ratio(one) for one in own},
                }
                for row in self.rows
            ],
        }


def compare(plan: Plan, opener: Opener) -> Comparison:
    """Step every world with random actions: one batch size, one thread, in turns."""
    num_worlds = max(1, COMPARED_SIZE if COMPARED_SIZE in plan.sizes else max(plan.sizes))
    with contextlib.ExitStack() as stack:
        loops: dict[tuple[str, bool], Loop] = {}
        row_bytes: dict[tuple[str, bool], int] = {}
        try:
            for name in ocean.WORLDS:
                theirs = ocean.open_loop(name, num_worlds)
                stack.callback(theirs.close)
                loops[name, False] = theirs
                row_bytes[name, False] = _row_bytes(theirs)
        except homes.UnavailableError as error:
            return Comparison(num_worlds, reason=str(error))
        except ReportError as error:
            last = str(error).splitlines()[-1]
            return Comparison(num_worlds, reason=f"{last}; run astrarium bench peers")
        for name in plan.worlds:
            actions = opener.draw(workloads(name)[0], num_worlds)
            ours = PythonLoop(worlds.make_vec(name, num_worlds), actions)
            stack.callback(ours.close)
            loops[name, True] = ours
            row_bytes[name, True] = ours.world.obs[0].nbytes
        slices = _take_turns(plan, loops)
    rows = [Beside(*key, row_bytes[key], slices[key]) for key in loops]
    return Comparison(num_worlds, sorted(rows, key=lambda row: not row.ours))


def _row_bytes(loop: PeerLoop) -> int:
    return int(loop.ask("row")["bytes"])


def _take_turns(
    plan: Plan, loops: dict[tuple[str, bool], Loop]
) -> dict[tuple[str, bool], list[Slice]]:
    # The slowest decides how many calls a slice has: all must do the same.
    slowest_s = max(loop.steps(_WARM_CALLS).cpu_s / _WARM_CALLS for loop in loops.values())
    calls = max(1, math.ceil(plan.seconds / max(slowest_s, 1e-9)))
    slices = {key: list[Slice]() for key in loops}
    for turn in range(plan.repeats):
        for key in list(loops) if turn % 2 == 0 else reversed(loops):
            slices[key].append(loops[key].steps(calls))
    return slices


def print_comparison(console: Console, comparison: Comparison) -> None:
    """Print one row for each world, with its speed over each of ours."""
    if comparison.reason:
        console.print(
            f"[dim]no figures for PufferLib's worlds: {escape(comparison.reason)}[/]\n",
            soft_wrap=True,
        )
        return
    title = f"beside PufferLib's C worlds: {comparison.num_worlds:,} worlds, 1 thread, from Python"
    console.print(f"[bold]{title}; steps/s of wall · processor time[/]", soft_wrap=True)
    own = [row for row in comparison.rows if row.ours]
    table = new_table("world", "observation", "steps/s", *(f"over {row.world}" for row in own))
    for row in comparison.rows:
        wall, cpu = (Spread.of(rates(row.slices, clock)).p50 for clock in ("wall", "cpu"))
        name = row.world if row.ours else f"PufferLib {row.world}"
        ratios = [f"{row.ratio(one):.2f} times" for one in own]
        speed = f"{quantity(wall)} · {quantity(cpu)}"
        table.add_row(name, f"{row.row_bytes:,} bytes", speed, *ratios)
    print_table(console, table)
    console.print("[dim]PufferLib's worlds have far simpler rules than ours[/]\n", soft_wrap=True)
