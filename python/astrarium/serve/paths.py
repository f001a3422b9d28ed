"""The one check of every path that the server opens below its folders.

A path below a folder must name a plain file, without links on the way: a link may lead anywhere,
and a pipe or a device would block the thread that opens it. Ids that come with requests are checked
by the patterns of `astrarium.runs.names` before they become a part of a path.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from astrarium.runs.errors import RunNameError


def plain_file(root: Path, relative: str) -> Path:
    """Return the path of a file below a folder; the file may be missing.

    Raises `RunNameError` for a path that leads out of the folder, passes a link, or ends in
    something else than a plain file.
    """
    *folders, name = _parts(relative)
    place = f"{root}"
    for part in folders:
        place = f"{place}/{part}"
        mode = _mode(place, relative)
        if mode is None:
            return root / relative
        if not stat.S_ISDIR(mode):
            raise _not_plain(relative)
    mode = _mode(f"{place}/{name}", relative)
    if mode is not None and not stat.S_ISREG(mode):
        raise _not_plain(relative)
    return root / relative


def is_plain_folder(folder: Path) -> bool:
    """Return whether a folder is there and is one itself, not a link to one."""
    try:
        return stat.S_ISDIR(os.lstat(folder).st_mode)
    except (OSError, ValueError):
        return False


def plain_tree(root: Path, relative: str) -> Path:
    """Return the path of a folder below another one; it may be missing.

    Raises `RunNameError` where it, or anything in it, is neither a plain file nor a folder.
    """
    place = root / Path(*_parts(relative))
    if not os.path.lexists(place):
        return place
    if not is_plain_folder(place):
        raise _not_plain(relative)
    for folder, folders, files in os.walk(place):
        for name in (*folders, *files):
            mode = _mode(f"{folder}/{name}", relative)
            if mode is not None and not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
                raise _not_plain(f"{relative}: {name}")
    return place


def _parts(relative: str) -> list[str]:
    parts = relative.split("/")
    if "\0" in relative or "\\" in relative or any(part in ("", ".", "..") for part in parts):
        raise RunNameError(
            f"{relative[:200]!r} leads out of its folder; paths in a run are relative to it"
        )
    return parts


def _mode(place: str, relative: str) -> int | None:
    try:
        return os.lstat(place).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:  # too long, or not to be written as a name of a file
        raise RunNameError(f"{relative[:200]!r} cannot be the path of a file") from error


def _not_plain(relative: str) -> RunNameError:
    return RunNameError(
        f"{relative[:200]} is a link or not a plain file; put the file itself there"
    )
