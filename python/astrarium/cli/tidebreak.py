"""`astrarium tidebreak`: single battles, from a package to a replay that can be held to account."""

from __future__ import annotations

import json as jsons
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import cyclopts
from rich.console import Console
from rich.markup import escape

from astrarium import _native
from astrarium.atomic import write_bytes
from astrarium.bench.tables import new_table, print_table
from astrarium.cli.json_output import Json, print_json
from astrarium.errors import ConfigError
from astrarium.worlds.tidebreak import arena_arguments
from astrarium.worlds.tidebreak.package import BattlePackage
from astrarium.worlds.tidebreak.result import BattleResult
from astrarium.worlds.tidebreak.scenarios import draw as drawn
from astrarium.worlds.tidebreak.scenarios import shipped_scenarios

app: Final = cyclopts.App(name="tidebreak", help="Naval battles: draw, fight, verify, compare.")

DIFFERENT: Final = 1
"""Exit status when two battles part."""


@app.command
def scenarios(*, json: Json = False) -> int:
    """List the scenarios that battles can be drawn from."""
    shipped = shipped_scenarios()
    if json:
        return print_json([{"scenario": name, "summary": about} for name, about in shipped.items()])
    table = new_table("scenario", "summary", text=["summary"])
    for name, about in shipped.items():
        table.add_row(name, escape(about))
    print_table(Console(highlight=False), table)
    return 0


@app.command
def draw(scenario: str, package: Path, /, *, seed: int = 1) -> None:
    """Draw a battle from a scenario and write its package.

    Parameters
    ----------
    scenario
        Name of a shipped scenario, or a TOML file of your own.
    package
        The JSON file to write.
    seed
        Which battle.
    """
    path = Path(scenario)
    chosen = path if path.suffix or path.is_file() else scenario
    write_bytes(package, drawn(chosen, seed).json_bytes())


@app.command
def simulate(
    package: Path,
    /,
    *,
    doctrine: dict[str, str] | None = None,
    result: Path | None = None,
    replay: Path | None = None,
) -> None:
    """Fight a battle to its end and tell what became of it.

    Parameters
    ----------
    package
        A battle package as JSON.
    doctrine
        Who commands a team, as `--doctrine.TEAM NAME`; else as its package says, else the line.
    result
        Where to write the whole result as JSON.
    replay
        Where to write the replay.
    """
    battle = BattlePackage.read(package.read_bytes())
    told, orders = _native.tidebreak_fought(battle.json_bytes(), doctrine or {})
    if result is not None:
        write_bytes(result, told)
    if replay is not None:
        write_bytes(replay, orders)
    _tell(BattleResult.model_validate_json(told))


def _tell(result: BattleResult) -> None:
    console = Console()
    won = result.winner_team_id or "nobody"
    console.print(
        f"{escape(won)} won by {result.ended_by.replace('_', ' ')} after {result.duration_s} s",
        highlight=False,
    )
    table = new_table("ship", "team", "fate", "hp", "dealt", "fired", "killed")
    for ship in result.ships:
        table.add_row(
            escape(ship.ship_id),
            escape(ship.team_id_initial),
            ship.fate.lower(),
            f"{ship.final_state.hp:.0f}",
            f"{ship.damage.dealt:.0f}",
            str(sum(mount.fired for mount in ship.ammo)),
            str(ship.crew.killed + ship.marines.killed + ship.passengers.killed),
        )
    print_table(console, table)


@app.command
def verify(replay: Path, /) -> None:
    """Play a replay again and hold it to its hashes."""
    ticks, final = _native.tidebreak_verify(replay.read_bytes())
    Console().print(f"{replay} holds: {ticks} ticks, last hash {final:016x}", highlight=False)


@app.command
def diff(left: Path, right: Path, /) -> int:
    """Play two replays side by side and name where they part; exit with 1 if they do."""
    found = _native.tidebreak_diff(left.read_bytes(), right.read_bytes())
    if found is None:
        Console().print("the same battle, tick for tick", highlight=False)
        return 0
    tick, table, entity, column, one, other = found
    where = f"tick {tick}, table {table}, {entity}, column {column}"
    Console().print(f"{escape(where)}: {escape(one)} and {escape(other)}", highlight=False)
    return DIFFERENT


@app.command
def explain(replay: Path, event: int | None = None, /) -> None:
    """Tell what happened in a battle, or what led to one event, the root first.

    Parameters
    ----------
    replay
        The replay of the battle.
    event
        The id of an event; without one the notable events are listed.
    """
    recording = replay.read_bytes()
    asked = None if event is None else arena_arguments.event(event)
    events = jsons.loads(_native.tidebreak_explain(recording, asked))
    if not events:
        raise ConfigError(f"no event {event} is kept of this battle; leave it out to list some")
    package = BattlePackage.model_validate_json(_native.tidebreak_replay_package(recording))
    ships = [ship.ship_id for ship in package.ships]
    if event is None:
        events = [one for one in events if one["kind"] in _NOTABLE]
    table = new_table("event", "second", "what", "who", "whom", "value", "cause")
    for one in events:
        table.add_row(*_row(one, ships))
    print_table(Console(highlight=False), table)


_NOTABLE: Final = (
    "disabled",
    "destroyed",
    "scuttled",
    "surrendered",
    "captured",
    "exited",
    "part_lost",
    "objective_met",
    "objective_failed",
    "battle_ended",
)


def _row(event: Mapping[str, Any], ships: list[str]) -> list[str]:
    def who(role: str) -> str:
        row: int | None = event.get(role)
        return "" if row is None else escape(ships[row] if row < len(ships) else f"round {row}")

    cause = str(event["cause"]) if event["cause"] else ""
    what = event["kind"].replace("_", " ")
    value = f"{event['value']:.4g}"
    return [str(event["id"]), str(event["tick"]), what, who("source"), who("target"), value, cause]
