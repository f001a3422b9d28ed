"""`astrarium townlet`: a town and how it is doing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

import cyclopts
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from astrarium.bench.tables import new_table, print_table
from astrarium.errors import ConfigError
from astrarium.runs import ReplayError, replays
from astrarium.worlds import arguments, parse_config
from astrarium.worlds.frames import whole_frames
from astrarium.worlds.native import NativeVectorWorld
from astrarium.worlds.townlet import LoadedTown, TownletConfig
from astrarium.worlds.townlet.entry import ENTRY
from astrarium.worlds.townlet.loading import TOWN_FILES, named
from astrarium.worlds.townlet.players import citizens
from astrarium.worlds.townlet.stability import (
    Alert,
    Kpi,
    Level,
    Moment,
    Monitor,
    Rules,
    look,
    moment_of,
)

app: Final = cyclopts.App(name="townlet", help="Towns: see how one is doing, save one.")
app.command(
    "astrarium.cli.townlet_snapshot:app",
    name="snapshot",
    help="Snapshots of towns: save, inspect, validate.",
)

TROUBLE: Final = 1
"""Exit status when an alert was raised or a KPI is red."""
_SHOWN_MAX: Final = 20

Moments = Iterator[Moment]


@app.command
def stability(
    watched: str = "default",
    /,
    *,
    town: str | None = None,
    ticks: int = 3000,
    seed: int | None = None,
) -> int:
    """Watch a town of scripted citizens, or a replay of one; exit with 1 on an alert or a red KPI.

    Parameters
    ----------
    watched
        A shipped town, a YAML file of one, or the file of a replay.
    town
        Whose limits a replay is judged by: a shipped town or a YAML file. A replay holds none of
        its own, so that without a town it is judged by the default ones.
    ticks
        How many to watch, at most.
    seed
        Of the town, in place of its own.
    """
    wanted = arguments.count("ticks", ticks)
    rules, moments = _opened(watched, town, seed)
    monitor, raised = Monitor(rules), list[Alert]()
    levels: tuple[Level, ...] = ()
    kpis: tuple[Kpi, ...] = ()
    seen = 0
    for moment in islice(moments, wanted):
        reading = monitor.observe(moment)
        raised += reading.raised
        levels, kpis, seen = reading.levels, monitor.kpis(moment), seen + 1
    console = Console(highlight=False)
    if not seen:
        console.print("[yellow]nothing was recorded[/]")
        return 0
    console.print(
        f"[bold]{escape(watched)}[/]: {seen:,} ticks, {len(raised)} alerts", soft_wrap=True
    )
    for at, table in enumerate((_alerts(levels, raised), _kpis(kpis), _afi(monitor.afi()))):
        console.print("\n" if at else "", end="")
        print_table(console, table)
    _print_raised(console, raised)
    red = [kpi for kpi in kpis if kpi.colour == "red"]
    for kpi in red:
        line = f"[red]{kpi.name}[/] is red: {kpi.value:.3g}, target {kpi.target}"
        console.print(line, soft_wrap=True)
    return TROUBLE if raised or red else 0


def _opened(watched: str, town: str | None, seed: int | None) -> tuple[Rules, Moments]:
    path = Path(watched)
    if path.suffix in TOWN_FILES or not path.is_file():
        if town is not None:
            raise ConfigError(f"{watched} is a town, which has its limits; leave --town out")
        return _played(named(watched), seed)
    if seed is not None:
        raise ConfigError(f"{watched} is a replay, which has its seed; leave --seed out")
    replay = replays.read(path)
    world = replay.header["world"]
    if world != ENTRY.id:
        raise ReplayError(f"{watched} is a replay of {world}; give one of {ENTRY.id}")
    config = parse_config(TownletConfig, replay.header["world_config"], where=ENTRY.id)
    limits = None if town is None else named(town).stability
    return Rules.of(config, limits), map(moment_of, whole_frames(replay.frames))


def _played(town: LoadedTown, seed: int | None) -> tuple[Rules, Moments]:
    own = town.seed if seed is None else arguments.seed(seed)
    return Rules.of(town.config, town.stability), _moments(town.config, own)


def _moments(config: TownletConfig, seed: int) -> Moments:
    world = NativeVectorWorld.make(ENTRY.id, config, autoreset="disabled")
    world.reset_with_seeds([seed])
    world.watch(0)
    follow = citizens(world)
    while not world.truncated.any():
        world.step(follow(world.obs, world.mask))
        yield look(world)


def _alerts(levels: tuple[Level, ...], raised: list[Alert]) -> Table:
    counts = Counter(one.alert for one in raised)
    table = new_table("alert", "raised", "now", "limit")
    for level in levels:
        count = counts[level.alert]
        shown = f"[bold red]{count}[/]" if count else "[dim]-[/]"
        table.add_row(level.alert, shown, f"{level.value:.4g}", f"{level.limit:.4g}")
    return table


def _kpis(kpis: tuple[Kpi, ...]) -> Table:
    table = new_table("figure", "now", "target")
    styles = {"green": "green", "amber": "yellow", "red": "bold red"}
    for one in kpis:
        value = "-" if one.value is None else f"{one.value:.3g}"
        style = styles[one.colour] if one.colour else "dim" if one.value is None else "default"
        table.add_row(one.name, f"[{style}]{value}[/]", one.target)
    return table


def _afi(lives: dict[str, float]) -> Table:
    table = new_table("citizen", "AFI")
    for name, value in lives.items():
        table.add_row(escape(name), f"{value:.3f}")
    return table


def _print_raised(console: Console, raised: list[Alert]) -> None:
    for one in raised[:_SHOWN_MAX]:
        told = f"[red]{one.alert}[/] at tick {one.tick:,}: {one.value:.4g}, limit {one.limit:.4g}"
        console.print(told, soft_wrap=True)
    if len(raised) > _SHOWN_MAX:
        console.print(f"[dim]and {len(raised) - _SHOWN_MAX} more[/]")
