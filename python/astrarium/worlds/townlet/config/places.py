"""Where things stand: on the grid, on free tiles, and within reach of the bus stop."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from astrarium.worlds.config import KeyPath
from astrarium.worlds.townlet.config.ground import BLOCKED_TILES, WALKABLE_TILES

if TYPE_CHECKING:
    from astrarium.worlds.townlet.config.tree import TownletConfig

BED: Final = "bed"
"""The type of object that gives somebody a home."""

Tile = tuple[int, int]
Found = tuple[KeyPath, str]


def place_problems(config: TownletConfig) -> list[Found]:
    """What stands where it cannot. Reach is asked only once everything has a place."""
    free, found = _ground(config)
    if found:
        return found
    found = list(_misplaced(config, free))
    if found:
        return found
    free -= {entry.position for entry in config.affordances.objects}
    return list(_out_of_reach(config, free, _reached(config.world.bus_stop, free)))


def _ground(config: TownletConfig) -> tuple[set[Tile], list[Found]]:
    """The tiles an agent may stand on before anything is put there."""
    width, height = config.world.grid_size
    rows = config.world.layout
    if rows is None:
        return {(x, y) for x in range(width) for y in range(height)}, []
    if len(rows) != height or any(len(row) != width for row in rows):
        sizes = sorted({len(row) for row in rows})
        words = f"has {len(rows)} rows of {sizes} tiles; must be {height} rows of {width}"
        return set(), [(("world", "layout"), words)]
    strange = sorted({tile for row in rows for tile in row} - {*WALKABLE_TILES, *BLOCKED_TILES})
    if strange:
        words = f"has {strange}; tiles are {' '.join(WALKABLE_TILES + BLOCKED_TILES)}"
        return set(), [(("world", "layout"), words)]
    tiles = ((x, y) for y, row in enumerate(rows) for x in range(width) if row[x] in WALKABLE_TILES)
    return set(tiles), []


def _misplaced(config: TownletConfig, free: set[Tile]) -> Iterator[Found]:
    width, height = config.world.grid_size
    taken: dict[Tile, str] = {}
    for index, entry in enumerate(config.affordances.objects):
        path = ("affordances", "objects", index, "position")
        if not _inside(entry.position, width, height):
            yield path, f"{entry.id} at {entry.position} is outside the grid of {width} by {height}"
        elif entry.position not in free:
            yield (
                path,
                f"{entry.id} at {entry.position} is blocked by world.layout; put it on a free tile",
            )
        elif entry.position in taken:
            yield path, f"{entry.id} at {entry.position} is taken by {taken[entry.position]!r}"
        taken.setdefault(entry.position, entry.id)
    for name, job in config.jobs.items():
        if not _inside(job.location, width, height):
            yield (
                ("jobs", name, "location"),
                f"{job.location} is outside the grid of {width} by {height}",
            )
    stop = config.world.bus_stop
    if stop not in free or stop in taken:
        yield ("world", "bus_stop"), f"{stop} is no free tile of the grid of {width} by {height}"


def _inside(place: Tile, width: int, height: int) -> bool:
    return place[0] < width and place[1] < height


def _reached(start: Tile, free: set[Tile]) -> set[Tile]:
    reached, waiting = {start}, [start]
    while waiting:
        for tile in _beside(waiting.pop()):
            if tile in free and tile not in reached:
                reached.add(tile)
                waiting.append(tile)
    return reached


def _beside(tile: Tile) -> tuple[Tile, ...]:
    x, y = tile
    return (x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)


def _out_of_reach(config: TownletConfig, free: set[Tile], reached: set[Tile]) -> Iterator[Found]:
    for index, entry in enumerate(config.affordances.objects):
        path = ("affordances", "objects", index, "position")
        if not reached.intersection(_beside(entry.position)):
            yield (
                path,
                f"{entry.id} at {entry.position} has no side that can be reached from "
                "world.bus_stop",
            )
        elif entry.object_type == BED and (home := _home(entry.position, free)) not in reached:
            yield (
                path,
                f"the home of {entry.id} is the tile {home}, which cannot be reached from "
                "world.bus_stop; open a way to it or put the bed where there is one",
            )
    for name, job in config.jobs.items():
        x, y = job.location
        path = ("jobs", name, "location")
        ways = {job.location} if job.location in free else {*_beside(job.location)}
        near = range(-job.radius, job.radius + 1)
        if reached.isdisjoint(ways):
            yield (
                path,
                f"{job.location} cannot be reached from world.bus_stop; put it on a tile that can, "
                "or beside one",
            )
        elif not any((x + dx, y + dy) in reached for dx in near for dy in near):
            yield (
                path,
                f"nothing within {job.radius} of {job.location} can be reached from world.bus_stop",
            )


def _home(bed: Tile, free: set[Tile]) -> Tile:
    """Where the owner of a bed is at home: south of it, or else on the nearest free tile."""
    x, y = bed
    south = (x, y + 1)
    if south in free:
        return south
    return min(free, key=lambda tile: (abs(tile[0] - x) + abs(tile[1] - y), tile[1], tile[0]))
