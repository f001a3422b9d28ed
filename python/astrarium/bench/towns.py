"""`astrarium bench towns`: how fast towns live, what they weigh, and whether they grow.

Every rate is of a day that was played before: the orders of that day are given again to the same
seeds, so that only stepping is timed, observations and masks included, and the digests must be
equal at the end. Agent-steps count agents in play, not empty seats.
"""

from __future__ import annotations

import gc
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from astrarium import machine
from astrarium.bench.limits import resident_bytes
from astrarium.bench.loops import Clock, Slice, timed
from astrarium.bench.report import Report, Spread
from astrarium.bench.verdict import Check
from astrarium.runs.moments import utc_now
from astrarium.worlds.native import NativeVectorWorld
from astrarium.worlds.registry import Bot
from astrarium.worlds.townlet import LoadedTown, TownletConfig
from astrarium.worlds.townlet.config.watching import Snapshots, Stability
from astrarium.worlds.townlet.players import citizens
from astrarium.worlds.townlet.snapshot_files import encoded, write
from astrarium.worlds.townlet.snapshots import Company, TownSnapshot, take
from astrarium.worlds.townlet.stability import Monitor, Rules, look
from astrarium.worlds.vector import Actions, Flags, Floats

WORLD: Final = "townlet-v1"
BEFORE: Final = 210.0
"""Agent-steps per processor second of the town that this one replaces, as recorded with its rules:
hybrid observations, 8 agents, 1,000 ticks."""
RATE_MIN: Final = 300_000.0
CROWD_MIN: Final = 0.60
"""Rate per agent in a town of 64, over that in one of 8."""
TOWN_BYTES_MAX: Final = 2e6
SNAPSHOT_S_MAX: Final = 0.005
"""For the core's bytes, and in processor time for a town's whole document until it is written."""
GROWTH_BYTES_MAX: Final = 1e6
"""Pages the allocator may take late; a town that grew by a byte a tick would take as much."""
TICKS_PER_SECOND: Final = 4
"""Of a town watched live."""

Tell = Callable[[str], None]
Row = dict[str, Any]
_CLOCKS: Final[tuple[Clock, ...]] = ("cpu", "wall")


@dataclass(frozen=True, slots=True)
class Plan:
    """What to measure."""

    agents: tuple[int, ...] = (8, 16, 32, 64)
    agents_together: int = 512
    """Agents of a batch, whatever the size of its towns."""
    towns: tuple[int, ...] = (1, 8, 64, 512)
    """Batch sizes of towns of the first size."""
    threads: int = 2
    """Tried beside one, with the largest batch."""
    ticks: int = 1000
    repeats: int = 9
    growth_ticks: int = 1_000_000
    growth_warm_ticks: int = 20_000
    weighed_towns: int = 256
    seed: int = 1


QUICK: Final = Plan(
    agents=(2, 4),
    agents_together=8,
    towns=(1, 4),
    ticks=40,
    repeats=2,
    growth_ticks=400,
    growth_warm_ticks=100,
    weighed_towns=4,
)


def random_legal(seed: int) -> Bot:
    """Anything allowed, evenly."""
    dice = np.random.default_rng(seed)

    def play(obs: Floats, mask: Flags) -> Actions:
        chances = dice.random(mask.shape, np.float32) * (mask != 0)
        return chances.argmax(-1, keepdims=True).astype(np.int32)

    return play


def _towns(agents: int, count: int, threads: int = 1, **node: Any) -> NativeVectorWorld:
    config = TownletConfig.model_validate({"population": {"agents": agents}, **node})
    return NativeVectorWorld.make(WORLD, config, count, threads)


def bench_towns(plan: Plan, tell: Tell) -> Report:
    """Measure everything, and hold it to what is asked."""
    facts = machine.facts()
    weights = _weights(plan, tell)
    ends = (plan.agents[0], plan.agents[-1])
    sizes = _rates(
        plan,
        [
            _Day(plan, size, plan.agents_together // size, 1, player, tell)
            for player in ("citizens", "random")
            for size in (plan.agents if player == "citizens" else ends)
        ],
        tell,
    )
    # One after the other: the largest batch is too large to be held beside the rest.
    batches = [
        _rates(plan, [_Day(plan, plan.agents[0], count, threads, "citizens", tell)], tell)[0]
        for count in plan.towns
        for threads in ((1, plan.threads) if count == plan.towns[-1] else (1,))
    ]
    results = {
        "before": BEFORE,
        "sizes": sizes,
        "batches": batches,
        "weights": weights,
        "growth": _growth(plan, tell),
    }
    found = checks(results)
    results["checks"] = [check.as_dict() for check in found]
    reasons = [f"{check.name}: {check.value:.4g}" for check in found if check.passed is False]
    reasons += [
        f"{row['agents']} agents, {row['towns']} towns: the same orders came to other states"
        for row in (*sizes, *batches)
        if not row["same_work"]
    ]
    return Report("towns", asdict(plan), facts, reasons, results)


class _Day:
    """A day of towns: played once, to be played again against the clock."""

    def __init__(
        self, plan: Plan, agents: int, towns: int, threads: int, player: str, tell: Tell
    ) -> None:
        tell(f"{towns} towns of {agents}, {player}, {threads} threads")
        self.facts: Final[Row] = {
            "agents": agents,
            "towns": towns,
            "threads": threads,
            "player": player,
        }
        self._seed: Final = plan.seed
        self._world: Final = _towns(agents, towns, threads)
        self._world.reset(plan.seed)
        choose = citizens(self._world) if player == "citizens" else random_legal(plan.seed)
        self._orders: Final = np.empty((plan.ticks, *self._world.actions.shape), np.int32)
        self.lived = 0
        for tick in range(plan.ticks):
            self._orders[tick] = choose(self._world.obs, self._world.mask)
            self.lived += int(np.count_nonzero(self._world.alive))
            self._world.step(self._orders[tick])
        self._digests: Final = self._world.digests()
        self.seats: Final = plan.ticks * towns * agents
        self.slices: Final[list[Slice]] = []
        self.same = True

    def again(self) -> None:
        """Time the day once more."""
        self._world.reset(self._seed)
        self.slices.append(timed(self.lived, self._steps))
        self.same = self.same and bool((self._world.digests() == self._digests).all())

    def _steps(self) -> None:
        for row in self._orders:
            self._world.step(row)

    def row(self) -> Row:
        """What was found."""
        rates = {
            clock: [self.lived / one.seconds(clock) for one in self.slices] for clock in _CLOCKS
        }
        return {
            **self.facts,
            "lived": self.lived / self.seats,
            "rates": rates["cpu"],
            **{clock: asdict(Spread.of(found)) for clock, found in rates.items()},
            "same_work": self.same,
        }


def _rates(plan: Plan, days: Sequence[_Day], tell: Tell) -> list[Row]:
    """In turns, there and back: one minute of a shared machine differs from the next."""
    for turn in range(plan.repeats):
        tell(f"turn {turn + 1} of {plan.repeats}")
        for day in days if turn % 2 == 0 else reversed(days):
            day.again()
    return [day.row() for day in days]


def _weights(plan: Plan, tell: Tell) -> list[Row]:
    """Memory of towns with their arrays, their snapshots, and the time those take."""
    found: list[Row] = []
    # Nothing is let go before all are weighed: a later batch would take what an earlier one left.
    held: list[NativeVectorWorld] = []
    for agents in (plan.agents[0], plan.agents[-1]):
        tell(f"weighing towns of {agents}")
        held.append(_towns(agents, 1))  # what a first batch sets up for all is part of no town
        gc.collect()
        before = resident_bytes()
        world = _towns(agents, plan.weighed_towns)
        world.reset(plan.seed)
        world.step(np.zeros(world.actions.shape, np.int32))
        resident = (resident_bytes() - before) / plan.weighed_towns
        held.append(world)
        found.append({"agents": agents, "resident_bytes": resident, **_keeping(plan, agents)})
    return found


def _keeping(plan: Plan, agents: int) -> Row:
    """How long it takes to keep one town, and to go back to it."""
    world, town, monitor = _watched(plan, agents)
    kept = world.snapshot()
    turns = 20 * plan.repeats
    saves = [timed(1, world.snapshot).seconds("wall") for _ in range(turns)]
    loads = [timed(1, lambda: world.restore(kept)).seconds("wall") for _ in range(turns)]
    return {
        "snapshot_bytes": len(kept),
        "snapshot_s": asdict(Spread.of(saves)),
        "restore_s": asdict(Spread.of(loads)),
        **_documents(world, town, monitor, turns),
    }


def _watched(plan: Plan, agents: int) -> tuple[NativeVectorWorld, LoadedTown, Monitor]:
    """A town in the middle of its day, and a monitor that saw all of it."""
    world = _towns(agents, 1)
    config = world.config
    assert isinstance(config, TownletConfig)
    town = LoadedTown("bench", plan.seed, config, Stability(), Snapshots(), ())
    monitor = Monitor(Rules.of(config, town.stability))
    world.reset_with_seeds([plan.seed])
    world.watch(0)
    follow = citizens(world)
    for _ in range(plan.ticks // 2):
        world.step(follow(world.obs, world.mask))
        monitor.observe(look(world))
    return world, town, monitor


def _documents(world: NativeVectorWorld, town: LoadedTown, monitor: Monitor, turns: int) -> Row:
    """How long it takes to keep the town as a file, with its monitor.

    On the wall's clock all of it waits for the disk, which is told apart: it is no work of ours.
    """
    company = Company(monitor=monitor)

    def taken() -> TownSnapshot:
        return take(world, town, at=utc_now(), company=company)

    first = timed(1, taken).seconds("cpu")  # checks what later ones know
    snapshot = taken()
    takes = [timed(1, taken).seconds("cpu") for _ in range(turns)]
    encodes = [timed(1, lambda: encoded(snapshot)).seconds("cpu") for _ in range(turns)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "town.json"
        saves = [timed(1, lambda: write(path, taken())) for _ in range(turns)]
    return {
        "document_bytes": len(encoded(snapshot)),
        "document_first_s": first,
        "document_taken_s": asdict(Spread.of(takes)),
        "document_encoded_s": asdict(Spread.of(encodes)),
        "document_s": asdict(Spread.of([one.seconds("cpu") for one in saves])),
        "document_on_disk_s": asdict(Spread.of([one.seconds("wall") for one in saves])),
    }


def _growth(plan: Plan, tell: Tell) -> Row:
    """One town of citizens that lives long: its size before and after."""
    tell(f"one town for {plan.growth_ticks:,} ticks")
    limit = plan.growth_ticks + plan.growth_warm_ticks + 1
    world = _towns(plan.agents[0], 1, env={"max_ticks": limit})
    world.reset(plan.seed)
    follow = citizens(world)

    def live(ticks: int) -> dict[str, float]:
        for _ in range(ticks):
            world.step(follow(world.obs, world.mask))
        gc.collect()
        return {"resident_bytes": resident_bytes(), "snapshot_bytes": len(world.snapshot())}

    before, after = live(plan.growth_warm_ticks), live(plan.growth_ticks)
    stats = dict(zip(world.layout.stats, world.stats[0].tolist(), strict=True))
    world.close()
    kept = ("ticks", "population", "exits", "on_time_share", "well_share", "wallet_mean")
    return {"before": before, "after": after, "stats": {name: stats[name] for name in kept}}


def checks(results: Row) -> list[Check]:
    """What is asked of towns, and what was measured."""
    return [*_speed(results["sizes"]), *_size(results["weights"]), *_gain(results["growth"])]


def _speed(rows: Sequence[Row]) -> Iterator[Check]:
    for player in ("citizens", "random"):
        own = [row for row in rows if row["player"] == player]
        small, large = own[0], own[-1]
        yield Check(
            f"agent-steps/s per core, {small['agents']} agents, {player}",
            small["cpu"]["max"],
            RATE_MIN,
            at_least=True,
            median=small["cpu"]["p50"],
        )
        pairs = zip(large["rates"], small["rates"], strict=True)
        yield Check(
            f"rate per agent, {large['agents']} agents over {small['agents']}, {player}",
            large["cpu"]["max"] / small["cpu"]["max"],
            CROWD_MIN,
            at_least=True,
            median=Spread.of([one / other for one, other in pairs]).p50,
        )


def _size(weights: Sequence[Row]) -> Iterator[Check]:
    for row in weights:
        name, megabytes = f"MB a town, {row['agents']} agents", row["resident_bytes"] / 1e6
        yield Check(name, megabytes, TOWN_BYTES_MAX / 1e6, at_least=False)
        for kind in ("snapshot", "document"):
            yield Check(
                f"ms a {kind}, {row['agents']} agents",
                1e3 * row[f"{kind}_s"]["min"],
                1e3 * SNAPSHOT_S_MAX,
                at_least=False,
                median=1e3 * row[f"{kind}_s"]["p50"],
            )


def _gain(grown: Row) -> Iterator[Check]:
    words = {
        "resident_bytes": "MB gained in a long life",
        "snapshot_bytes": "MB its snapshot gained",
    }
    for key, name in words.items():
        gained = (grown["after"][key] - grown["before"][key]) / 1e6
        yield Check(name, gained, GROWTH_BYTES_MAX / 1e6, at_least=False)
