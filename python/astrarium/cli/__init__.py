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
    help="One deterministic movement driving several worlds.",
    version=__version__,
)
# Told here, so that `astrarium --help` explains every command without importing any.
_COMMANDS: Final = {
    "worlds": ("worlds", "List every registered world."),
    "play": ("play", "Play a world's scripted bots and compare them."),
    "tour": ("app", "Train, evaluate and look at the result, in one go."),
    "train": ("app", "Train a policy, or go on with a run."),
    "captures": ("app", "Record what teachers do, and clone it."),
    "apprentice": ("app", "Learn from a scripted teacher, and do better than it."),
    "curriculum": ("app", "Train on easy battles first, on harder ones once these are won."),
    "runs": ("app", "List, show, compare or export training runs."),
    "evaluate": ("evaluate", "Evaluate trained policies beside a world's bots."),
    "sweep": ("app", "Search for better settings with many trainings."),
    "esper": ("app", "Grow networks while they learn, and see whether it pays."),
    "replay": ("app", "Record, list, show, verify or export episodes."),
    "serve": ("serve", "Watch, play and analyse in a browser."),
    "check": ("check", "Hold a world to the promises every world keeps."),
    "tidebreak": ("app", "Fight single naval battles; verify and compare them."),
    "townlet": ("app", "See how a town is doing; save it and look into what was saved."),
    "campaign": ("app", "Wage a war, look at it, see whether it is fair."),
    "parity": ("app", "Compare a native world with its reference, bit by bit."),
    "playthrough": ("app", "Write, show or replay a world's readable transcripts."),
    "bench": ("app", "Measure this machine and hold it to its floors."),
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
