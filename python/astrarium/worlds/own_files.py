"""Files of a user's own, read into settings: their content goes on, their path does not.

Only a program or a command line names files, as a `pathlib.Path`. Text that comes from a file, a
message or a client is never taken for a path.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from astrarium.errors import ConfigError

BYTES_MAX: Final = 1 << 20
"""Of one file."""


def read_text(path: Path, what: str) -> str:
    """Return the text of a file. Raises a `ConfigError` that names it and what is allowed."""
    try:
        # A pipe or a device could hang or never end.
        if path.exists() and not path.is_file():
            raise ConfigError(f"{path} is not a file; give the path of {what}")
        with path.open("rb") as file:
            data = file.read(BYTES_MAX + 1)
    except OSError as error:
        raise ConfigError(
            f"cannot read {path}: {error.strerror or error}; give the path of {what}"
        ) from error
    if len(data) > BYTES_MAX:
        raise ConfigError(f"{path} is larger than {BYTES_MAX:,} bytes, the most for {what}")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is not UTF-8 text (byte {error.start})") from None
