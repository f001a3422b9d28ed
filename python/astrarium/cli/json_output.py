"""The option `--json` of commands, and what it prints.

A command that lists things prints one array, with one object for each thing in the order of the
table; a command that reports one thing prints one object. Without the option, commands print text,
to a terminal and to a pipe alike.
"""

from __future__ import annotations

import sys
from typing import Annotated, Any

import cyclopts
import msgspec

Json = Annotated[bool, cyclopts.Parameter(negative=(), help="Print JSON instead of text.")]


def print_json(value: Any) -> int:
    """Write a value as indented JSON; return the exit status of success."""
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n")
    return 0
