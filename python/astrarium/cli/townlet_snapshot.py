"""`astrarium townlet snapshot`: towns as files, to look into, to try and to go on from."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Final

import cyclopts
from rich.console import Console
from rich.markup import escape

from astrarium import atomic
from astrarium.errors import ConfigError
from astrarium.runs.moments import utc_now
from astrarium.worlds import arguments
from astrarium.worlds.native import NativeVectorWorld
from astrarium.worlds.townlet.entry import ENTRY
from astrarium.worlds.townlet.loading import named
from astrarium.worlds.townlet.players import citizens
from astrarium.worlds.townlet.resuming import Resumed, outdated, resume
from astrarium.worlds.townlet.snapshot_files import read, write
from astrarium.worlds.townlet.snapshots import Company, TownSnapshot, take, tick_of
from astrarium.worlds.townlet.stability import Monitor, Rules, look

app: Final = cyclopts.App(name="snapshot", help="Snapshots of towns: save, inspect, validate.")


@app.command
def save(town: str, path: Path, /, *, ticks: int = 1000, seed: int | None = None) -> None:
    """Play scripted citizens, then save the town, its monitor included.

    A snapshot may be given in place of a town; it is played on from where it was taken.

    Parameters
    ----------
    town
        A shipped town, a YAML file of one, or a snapshot of one (.json).
    path
        File of the snapshot.
    ticks
        How many to play first; fewer if the town ends before.
    seed
        Of the town, in place of its own.
    """
    atomic.check_file(path)
    begun = _begun(town, seed)
    world, monitor = begun.world, begun.company.monitor
    world.watch(0)
    follow = citizens(world)
    for _ in range(arguments.count("ticks", ticks)):
        if world.truncated.any():
            break
        world.step(follow(world.obs, world.mask))
        moment = look(world)
        if monitor is not None:
            monitor.observe(moment)
    snapshot = take(world, begun.town, at=utc_now(), company=begun.company)
    write(path, snapshot)
    _print(f"[bold]{escape(str(path))}[/]: {snapshot.config_id} at tick {snapshot.tick:,}")


def _begun(source: str, seed: int | None) -> Resumed:
    """A town of a file that begins, or one of a snapshot that goes on."""
    path = Path(source)
    if path.suffix == ".json":
        if seed is not None:
            raise ConfigError(f"{source} is a snapshot, which has its seed; leave --seed out")
        return resume(path)
    town = named(source)
    if seed is not None:
        town = replace(town, seed=arguments.seed(seed))
    world = NativeVectorWorld.make(ENTRY.id, town.config, autoreset="disabled")
    world.reset_with_seeds([town.seed])
    monitor = Monitor(Rules.of(town.config, town.stability))
    return Resumed(world, town, Company(monitor=monitor), tick_of(world))


@app.command
def inspect(path: Path, /, *, json: bool = False) -> None:
    """Tell what a snapshot is of, without making a town of it.

    Parameters
    ----------
    path
        File of a snapshot.
    json
        Print JSON instead of a table, with the settings, but without the core's bytes.
    """
    snapshot = read(path, allow_downgrade=True)
    if json:
        told = snapshot.model_dump_json(indent=2, exclude={"core": {"base64"}})
        sys.stdout.write(told + "\n")
        return
    for field, value in _facts(snapshot):
        shown = "[dim]-[/]" if value in (None, "") else escape(str(value))
        _print(f"{field:<20} {shown}")  # hashes are to be copied: nothing is cut off


def _facts(snapshot: TownSnapshot) -> list[tuple[str, object]]:
    beside, own = snapshot.python, snapshot.settings
    return [
        ("schema_version", snapshot.schema_version),
        ("tick", snapshot.tick),
        ("created_at", snapshot.created_at),
        ("seed", own.seed),
        *snapshot.identity.model_dump().items(),
        ("core.sha256", snapshot.core.sha256),
        ("monitor", "kept" if beside.monitor else None),
        ("sections", ", ".join(beside.sections)),
        ("migrations", ", ".join(beside.migrations)),
        ("failure", snapshot.failure),
    ]


@app.command
def validate(path: Path, /, *, town: str | None = None, strict: bool = False) -> None:
    """Make a town of a snapshot, and say whether it can go on; exit with 2 if not.

    Parameters
    ----------
    path
        File of a snapshot.
    town
        The town it has to be of: a shipped one or a YAML file. Hot settings of it that are not in
        force in the snapshot are listed.
    strict
        Accept only the very config and schema, whatever the town's settings allow.
    """
    expected = None if town is None else named(town)
    resumed = resume(path, expected, strict=strict)
    digest = int(resumed.world.digests()[0])
    name = resumed.town.config_id
    _print(f"[green]whole[/]: {name} at tick {resumed.tick:,}, state {digest:016x}")
    if expected is None or expected.config_id != name:
        return
    for node in outdated(resumed.world, expected.config):
        _print(f"[yellow]{node}[/] is another in the town; config_reload puts it in force")


def _print(words: str) -> None:
    Console(highlight=False).print(words, soft_wrap=True)
