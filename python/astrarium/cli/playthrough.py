"""`astrarium playthrough`: look at transcripts, verify them, mint them again."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import cyclopts
from rich.console import Console
from rich.prompt import Prompt

from astrarium import atomic, playthroughs, worlds
from astrarium.errors import ConfigError
from astrarium.playthroughs import Answer, Scenario
from astrarium.worlds import WorldEntry

app: Final = cyclopts.App(
    name="playthrough", help="Readable transcripts of episodes: show, verify, mint."
)


@app.command
def show(world: str, *, scenario: str | None = None) -> int:
    """Play a world's scenarios now and print them.

    Parameters
    ----------
    world
        A registered id.
    scenario
        Only this one.
    """
    entry = worlds.get(world)
    for one in _chosen(entry, scenario):
        sys.stdout.write("\n".join(playthroughs.written(entry, one)) + "\n\n")
    return 0


@app.command
def verify(world: str | None = None, *, folder: Path | None = None) -> int:
    """Replay committed transcripts line by line; exit with 1 if one does not hold.

    Parameters
    ----------
    world
        Only this one; all registered worlds otherwise.
    folder
        Where transcripts are kept, if not in this repository.
    """
    console = Console(highlight=False, soft_wrap=True)
    place = _folder(folder)
    broken = 0
    for entry in map(worlds.get, [world] if world else worlds.ids()):
        for one in _chosen(entry, None):
            answer = playthroughs.verify(entry, one, place)
            broken += not answer.holds
            _tell(console, entry, one, answer)
    return 1 if broken else 0


@app.command
def mint(
    world: str,
    scenario: str | None = None,
    *,
    all: bool = False,
    reason: str | None = None,
    folder: Path | None = None,
) -> int:
    """Write transcripts that are missing or no longer hold, with the reason why.

    Parameters
    ----------
    world
        A registered id.
    scenario
        The scenario to mint.
    all
        Every scenario of the world instead.
    reason
        Why the behaviour changed; kept with the transcript. Asked for if left out.
    folder
        Where transcripts are kept, if not in this repository.
    """
    if (scenario is None) != all:
        raise ConfigError("name one scenario to mint, or give --all")
    entry = worlds.get(world)
    place = _folder(folder)
    stale: list[Scenario] = []
    console = Console(highlight=False, soft_wrap=True)
    for one in _chosen(entry, scenario):
        atomic.check_file(playthroughs.path_of(entry, one, place))
        answer = playthroughs.verify(entry, one, place)
        if answer.holds:
            console.print(f"{answer.path} is unchanged")
        else:
            _tell(console, entry, one, answer)
            stale.append(one)
    if stale:
        words = _reason(reason)
        for one in stale:
            console.print(f"minted {playthroughs.mint(entry, one, place, words).path}")
    return 0


def _chosen(entry: WorldEntry, scenario: str | None) -> tuple[Scenario, ...]:
    if scenario is not None:
        return (playthroughs.find(entry, scenario),)
    found = playthroughs.scenarios_of(entry)
    if not found:
        raise ConfigError(
            f"{entry.id} declares no scenario; write one into {playthroughs.scenarios_path(entry)}"
        )
    return found


def _folder(given: Path | None) -> Path:
    folder = given or playthroughs.committed_folder()
    if folder is None:
        raise ConfigError("this package stands in no repository; name the folder with --folder")
    return folder


def _reason(given: str | None) -> str:
    reason = given
    if reason is None and sys.stdin.isatty():
        reason = Prompt.ask("Why did the behaviour change?")
    if not reason or not reason.strip():
        raise ConfigError("minting needs a reason: give --reason 'why the behaviour changed'")
    return reason


def _tell(console: Console, entry: WorldEntry, scenario: Scenario, answer: Answer) -> None:
    name = f"{entry.id} {scenario.name}"
    if answer.holds:
        console.print(f"[green]✓[/] {name}")
    elif answer.missing:
        console.print(f"[red]✗[/] {name}: {answer.path} does not exist")
    else:
        console.print(f"[red]✗[/] {name}: {answer.path} does not replay")
        console.print(answer.difference, markup=False)
