"""Where other trainers live: a virtual environment each, made on request.

Their pins cannot be met beside Astrarium's own, so each has a folder under `.cache/peers`, filled
from a pinned list in `tools/peers`. One that does not install is no error: the reason is kept, and
told in the report in place of its figures.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from astrarium import atomic
from astrarium.errors import AstrariumError
from astrarium.machine import source_tree

NAMES: Final = ("pufferlib", "rllib", "sample_factory")
PYTHON: Final = "3.11"

_LISTS: Final = Path("tools/peers")
_FOLDER: Final = Path(".cache/peers")
_UV_OF_THE_CHECKOUT: Final = Path(".cache/uv/bin/uv")
_STAMP: Final = "installed-from.txt"


class UnavailableError(AstrariumError, RuntimeError):
    """A contender that cannot run here, and why."""


def checkout() -> Path:
    """The source tree; other trainers are measured from one only."""
    root = source_tree()
    if root is None:
        raise UnavailableError("there is no source tree here, and its scripts are not in a wheel")
    return root


def interpreter(name: str) -> Path:
    """The Python that has the trainer called `name`."""
    root = checkout()
    if _read(_stamp(root, name)) == _fingerprint(root, name):
        return root / _FOLDER / name / "bin" / "python"
    failure = _read(_failure(root, name))
    if failure:
        raise UnavailableError(f"does not install: {failure}")
    raise UnavailableError("not installed; run astrarium bench peers")


def install(name: str, tell: Callable[[str], None]) -> str | None:
    """Make the home of `name` if it is not there as listed. Why that failed, or None."""
    root = checkout()
    home = root / _FOLDER / name
    if _read(_stamp(root, name)) == _fingerprint(root, name):
        return None
    uv = shutil.which("uv") or str(root / _UV_OF_THE_CHECKOUT)
    listed = root / _LISTS / f"{name}.txt"
    shutil.rmtree(home, ignore_errors=True)
    _failure(root, name).unlink(missing_ok=True)
    python = str(home / "bin" / "python")
    try:
        tell(f"{name}: a virtual environment")
        _run([uv, "venv", "--quiet", "--python", PYTHON, str(home)], root)
        tell(f"{name}: installing {listed.name} (several minutes the first time)")
        # What is built here must be built against what it will run with.
        pins = ["--requirements", str(listed), "--build-constraints", str(listed)]
        _run([uv, "pip", "install", "--quiet", "--python", python, *pins], root)
    except UnavailableError as error:
        shutil.rmtree(home, ignore_errors=True)
        atomic.write_text(_failure(root, name), str(error))
        return str(error)
    atomic.write_text(_stamp(root, name), _fingerprint(root, name))
    return None


def _run(command: Sequence[str], root: Path) -> None:
    environment = {
        **{key: value for key, value in os.environ.items() if key != "VIRTUAL_ENV"},
        # PufferLib without its games, which would download their graphics library.
        "NO_OCEAN": "1",
        "PYTHONPATH": str(root / _LISTS / "pufferlib_build"),
    }
    try:
        done = subprocess.run(
            command, cwd=root, env=environment, capture_output=True, text=True, check=False
        )
    except OSError as error:
        raise UnavailableError(f"{command[0]} cannot be run: {error.strerror}") from error
    if done.returncode != 0:
        raise UnavailableError(_cause(done.stderr))


def _cause(told: str) -> str:
    """The line that says most: the last exception of a failed build, else the first error."""
    lines = [line.strip() for line in told.splitlines() if line.strip()]
    errors = [line for line in lines if "Error: " in line]
    first = next((line for line in lines if "error" in line.lower()), "no message")
    return (errors[-1] if errors else first)[:300]


def _fingerprint(root: Path, name: str) -> str:
    return hashlib.sha256((root / _LISTS / f"{name}.txt").read_bytes()).hexdigest()


def _stamp(root: Path, name: str) -> Path:
    return root / _FOLDER / name / _STAMP


def _failure(root: Path, name: str) -> Path:
    return root / _FOLDER / f"{name}.failed"


def _read(path: Path) -> str | None:
    try:
        return path.read_text("utf-8").strip()
    except FileNotFoundError:
        return None
