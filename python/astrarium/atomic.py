"""Files written whole or not at all: the only writer of what a reader must never find in part.

Everything is built beside its place, flushed to the disk and moved there. What goes wrong is a
`WriteError` that names the path asked for, and nothing half-built stays behind.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import shutil
import stat
import tempfile
from collections.abc import Generator
from pathlib import Path
from typing import Final

from astrarium.errors import AstrariumError

_PREFIX: Final = ".building-"


class WriteError(AstrariumError, OSError):
    """A file or folder that cannot be written."""

    def __str__(self) -> str:
        return f"cannot write {self.filename}: {self.strerror}"


def write_text(path: Path, text: str) -> None:
    """Write a file as UTF-8, as `write_bytes` does."""
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file; folders above it are made. One that exists keeps its permissions."""
    with _naming(path):
        place = _file_place(path)
        _make(place.parent)
        building = place.with_name(_PREFIX + secrets.token_hex(8))
        try:
            _write(building, content)
            if place.exists():
                building.chmod(stat.S_IMODE(place.stat().st_mode))
            building.replace(place)
        except BaseException:
            building.unlink(missing_ok=True)
            raise
        _sync(place.parent)


@contextlib.contextmanager
def new_folder(path: Path) -> Generator[Path]:
    """An empty folder to fill, which becomes `path` at the end of the block.

    If the block fails, so does the folder.
    """
    with _naming(path):
        _make(path.parent)
        building = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=path.parent))
        try:
            yield building
            for one in (*building.rglob("*"), building):
                _sync(one)
            building.chmod(0o755)
            building.rename(path)
        except BaseException:
            shutil.rmtree(building, ignore_errors=True)
            raise
        _sync(path.parent)


def remove_file(path: Path) -> None:
    """Take a file away; one that is already gone will do."""
    with _naming(path):
        path.unlink(missing_ok=True)


def remove_folder(path: Path) -> None:
    """Take a folder away: a reader finds all of it or nothing."""
    with _naming(path):
        going = path.with_name(_PREFIX + secrets.token_hex(8))
        path.rename(going)
        _sync(path.parent)
        shutil.rmtree(going)


def sweep(folder: Path) -> None:
    """Take away what writers that were killed had begun in a folder.

    For a folder with one writer, called by that writer: what another is building would go too.
    """
    with _naming(folder):
        for left in folder.glob(f"{_PREFIX}*"):
            if left.is_dir():
                shutil.rmtree(left)
            else:
                left.unlink()


def check_file(path: Path) -> None:
    """Refuse now a file that `write_bytes` would refuse after an hour of work. Makes nothing."""
    with _naming(path):
        _probe(_file_place(path).parent)


def check_folder(path: Path) -> None:
    """Refuse now a folder in which nothing could be made. Makes nothing."""
    with _naming(path):
        _probe(Path(os.path.realpath(path)))


def _file_place(path: Path) -> Path:
    """Where the file itself lies: a link is followed, not replaced."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if path.exists() and not path.is_file():
        # A move would put a file in the place of a device.
        raise OSError(errno.EINVAL, "not a regular file")
    return Path(os.path.realpath(path))


def _make(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        # `mkdir` would say that it exists, which is not what is wrong with it.
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
    folder.mkdir(parents=True, exist_ok=True)


def _probe(folder: Path) -> None:
    """Make and remove a file in the nearest folder that exists.

    Asking for permissions would not do: root has them all, even where nothing can be written.
    """
    while not os.path.lexists(folder):
        folder = folder.parent
    handle, name = tempfile.mkstemp(prefix=_PREFIX, dir=folder)
    os.close(handle)
    os.unlink(name)


def _write(path: Path, content: bytes) -> None:
    # Never an existing file, and readable for whom the process lets read what it makes.
    with path.open("xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextlib.contextmanager
def _naming(path: Path) -> Generator[None]:
    """Errors speak of the path asked for, not of what is being built beside it."""
    try:
        yield
    except OSError as error:
        raise WriteError(error.errno, error.strerror or str(error), str(path)) from error
