"""What the native kernel has to say, in Python's `logging`.

Off by default, and then free. Logger names are those of the kernel's targets, all below
`astrarium`; handlers and formats are the application's business:

    logging.basicConfig()
    astrarium.logs.enable("debug")

Each record carries the event's fields as `record.fields`, a dict of strings.
"""

from __future__ import annotations

import logging
from typing import Final, Literal, get_args

from astrarium import _native
from astrarium.errors import ConfigError, did_you_mean

Level = Literal["trace", "debug", "info", "warning", "error"]

TRACE: Final = 5
"""The number of the level below `logging.DEBUG`, which `logging` has no name for."""

_NUMBERS: Final[dict[str, int]] = {
    "trace": TRACE,
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
}


def enable(level: Level = "info") -> None:
    """Pass native events of `level` and above to the loggers below `astrarium`."""
    if level not in _NUMBERS:
        raise ConfigError(
            f"log level is {level!r}{did_you_mean(str(level), _NUMBERS)} "
            f"(allowed: {', '.join(get_args(Level))})"
        )
    logging.getLogger("astrarium").setLevel(_NUMBERS[level])
    _native.set_log_level(level)


def disable() -> None:
    """Pass nothing more on."""
    _native.set_log_level(None)
    logging.getLogger("astrarium").setLevel(logging.NOTSET)
