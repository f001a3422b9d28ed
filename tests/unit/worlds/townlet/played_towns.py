"""Towns that were played for a while, for tests of what is kept of them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from astrarium.worlds.native import NativeVectorWorld
from astrarium.worlds.townlet import LoadedTown, load
from astrarium.worlds.townlet.players import citizens
from astrarium.worlds.townlet.snapshots import Company, TownSnapshot, take
from astrarium.worlds.townlet.stability import Monitor, Rules, look

AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
Moment = tuple[int, bytes, bytes, bytes, bytes, list[dict[str, Any]], Any]


def begun(town: LoadedTown) -> tuple[NativeVectorWorld, Monitor]:
    """A watched town at its first tick, and a monitor of its own."""
    world = NativeVectorWorld.make("townlet-v1", town.config, autoreset="disabled")
    world.reset_with_seeds([town.seed])
    world.watch(0)
    return world, Monitor(Rules.of(town.config, town.stability))


def tick(world: NativeVectorWorld) -> None:
    """One tick of scripted citizens."""
    world.step(citizens(world)(world.obs, world.mask))


def lived(world: NativeVectorWorld, monitor: Monitor, ticks: int) -> list[Moment]:
    """Everything a town shows in each of its next ticks."""
    shown: list[Moment] = []
    for _ in range(ticks):
        tick(world)
        arrays = (world.obs, world.mask, world.reward, world.events)
        shown.append(
            (
                int(world.digests()[0]),
                *(array.tobytes() for array in arrays),
                world.happenings(0),
                monitor.observe(look(world)),
            )
        )
    return shown


def kept(ticks: int = 40) -> TownSnapshot:
    """A small town after some ticks."""
    town = load("kitchen_breakfast")
    world, monitor = begun(town)
    lived(world, monitor, ticks)
    return take(world, town, at=AT, company=Company(monitor=monitor))
