"""The `astrarium` command. Every subcommand lives in its own module and is imported on use."""

from __future__ import annotations

import sys
from typing import Final, NoReturn

import cyclopts
from rich.console import Console
from rich.markup import escape

from astrarium import __version__
from astrarium.errors import AstrariumError, MissingPackageError
from astrarium.extras import extras_of, missing_package

BAD_INPUT: Final = 2
"""Exit status of a command that was asked for something impossible."""

app: Final = cyclopts.App(
    name="astrarium",
    help="Train, watch, replay and evaluate agents in deterministic worlds.",
    version=__version__,
)
# Help lines stand here, so that `astrarium --help` explains every command without importing any.
_COMMANDS: Final = {
    "worlds": ("worlds", "List every registered world."),
    "play": ("play", "Play a world's scripted bots and compare them."),
    "tour": ("app", "Train a policy, evaluate it and show its best episode, in one go."),
    "train": ("app", "Train a policy, or resume a run."),
    "captures": ("app", "Record demonstrations of scripted players and clone them."),
    "apprentice": ("app", "Train from a scripted teacher: demonstrations, cloning, then PPO."),
    "curriculum": ("app", "Train on a curriculum of battles, from easy to hard."),
    "runs": ("app", "List, show, compare or export runs."),
    "evaluate": ("evaluate", "Evaluate trained policies beside a world's bots."),
    "sweep": ("app", "Search for better settings with Optuna."),
    "esper": ("app", "Grow neural networks while they train, and measure the gain."),
    "replay": ("app", "Record, list, show, verify or export episodes."),
    "serve": ("serve", "Start the web app: watch, play and analyse in a browser."),
    "check": ("check", "Test a world against the promises every world keeps."),
    "tidebreak": ("app", "Run, verify, compare and explain single naval battles."),
    "townlet": ("app", "Run a town, judge its stability, save it and inspect snapshots."),
    "campaign": ("app", "Run a campaign, show it, and measure its balance."),
    "parity": ("app", "Compare a native world with its Python reference, bit for bit."),
    "playthrough": ("app", "Write, show or replay the readable transcripts of a world."),
    "bench": ("app", "Measure speed on this machine and compare it with its floors."),
}
for _name, (_function, _help) in _COMMANDS.items():
    app.command(f"astrarium.cli.{_name}:{_function}", name=_name, help=_help)


def main(tokens: list[str] | None = None) -> None:
    """Run one command; its return value is the exit status."""
    try:
        result = app(tokens, result_action="return_value")
    except (AstrariumError, OSError) as error:
        _refuse(_words(error))
    except ModuleNotFoundError as error:
        words = sys.argv[1:] if tokens is None else tokens
        _refuse(str(_missing_extra(error, words[0] if words else "")))
    sys.exit(result if isinstance(result, int) else 0)


def _refuse(message: str) -> NoReturn:
    """Print an error and end with the exit status of bad input."""
    text = f"[bold red]error:[/] {escape(message)}"
    Console(stderr=True).print(text, highlight=False, soft_wrap=True)
    sys.exit(BAD_INPUT)


def _missing_extra(error: ModuleNotFoundError, command: str) -> MissingPackageError:
    """Return the error that names the extra to install; raise `error` if no extra brings it.

    Several extras may bring one package: the one named like the command is preferred, then `train`.
    """
    package = (error.name or "").split(".")[0]
    extras = extras_of(package)
    if not extras:
        raise error
    preferred = [extra for extra in (command, "train") if extra in extras]
    return missing_package(package, [*preferred, *extras][0])


def _words(error: AstrariumError | OSError) -> str:
    """What went wrong; a bare refusal of the system is told as its path and reason."""
    if isinstance(error, AstrariumError) or error.strerror is None:
        return str(error)
    return error.strerror if error.filename is None else f"{error.filename}: {error.strerror}"
