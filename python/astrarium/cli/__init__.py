"""The `astrarium` command. Every subcommand lives in its own module and is imported on use."""

from __future__ import annotations

import sys
from typing import Final

import cyclopts
from rich.console import Console

from astrarium import __version__
from astrarium.errors import AstrariumError

BAD_INPUT: Final = 2
"""Exit status of a command that was asked for something impossible."""

app: Final = cyclopts.App(
    name="astrarium",
    help="One deterministic movement driving several worlds.",
    version=__version__,
)
app.command("astrarium.cli.worlds:worlds", name="worlds")
app.command("astrarium.cli.play:play", name="play")
app.command("astrarium.cli.check:check", name="check")
app.command("astrarium.cli.parity:parity", name="parity")
app.command("astrarium.cli.playthrough:app", name="playthrough")
app.command("astrarium.cli.bench:app", name="bench")


def main(tokens: list[str] | None = None) -> None:
    """Run one command; its return value is the exit status."""
    try:
        result = app(tokens, result_action="return_value")
    except AstrariumError as error:
        Console(stderr=True).print(f"[bold red]error:[/] {error}", highlight=False, soft_wrap=True)
        sys.exit(BAD_INPUT)
    sys.exit(result if isinstance(result, int) else 0)
