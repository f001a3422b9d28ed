"""PufferLib's C worlds: compile chosen ones into its virtual environment, and step them.

PufferLib's own build compiles every world and downloads libraries that few of them need. The worlds
here need only raylib, whose headers and static library come with the source package.
"""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from astrarium.bench.loops import PeerLoop
from astrarium.bench.trainers import homes

HOME: Final = "pufferlib"
WORLDS: Final = ("squared", "breakout", "cartpole")
SOURCE: Final = "pufferlib==3.0.0"
SOURCE_SHA256: Final = "7df3a3e3f5f894d78d2a1f5374097890aec01473183e748abefe4f3faa10eaa9"

_BUILD_FOLDER: Final = Path("tools/peers/pufferlib_build")
_RAYLIB: Final = "raylib-5.5_linux_amd64"
_SCRIPT: Final = Path("tools/peers/pufferlib_worlds.py")
_FLAGS: Final = (
    # Those of PufferLib's setup script.
    *("-shared", "-fPIC", "-O2", "-flto", "-fwrapv", "-DNDEBUG", "-DPLATFORM_DESKTOP"),
    *("-DNPY_NO_DEPRECATED_API=NPY_1_7_API_VERSION", "-w"),
)
_PATHS: Final = """
import sysconfig, numpy
print(sysconfig.get_path("purelib"))
print(sysconfig.get_config_var("EXT_SUFFIX"))
print(sysconfig.get_path("include"))
print(numpy.get_include())
"""


def build(report: Callable[[str], None]) -> str | None:
    """Compile the worlds that are not there yet. Return why that failed, or None."""
    try:
        python = homes.interpreter(HOME)
        packages, suffix, *includes = _run([str(python), "-c", _PATHS]).splitlines()
        folder = Path(packages, "pufferlib", "ocean")
        missing = [world for world in WORLDS if not (folder / world / f"binding{suffix}").is_file()]
        if missing:
            report(f"{HOME}: compiling {', '.join(missing)}")
            with tempfile.TemporaryDirectory() as unpacked:
                source = _unpack(_checked(fetch(python)), Path(unpacked))
                for world in missing:
                    _compile(source, world, folder / world / f"binding{suffix}", includes)
    except homes.UnavailableError as error:
        return str(error)
    return None


def open_loop(world: str, num_worlds: int) -> PeerLoop:
    """Start the program that steps `num_worlds` of `world` with random actions."""
    python = homes.interpreter(HOME)
    return PeerLoop([python, homes.checkout() / _SCRIPT, world, str(num_worlds)])


def fetch(python: Path) -> bytes:
    """Return the source package, from the registry that pip is set up with."""
    _run([str(python), "-m", "ensurepip"])
    with tempfile.TemporaryDirectory() as folder:
        # pip asks the setup script for its metadata, with the packages that are installed here.
        environment = {
            **os.environ,
            "NO_OCEAN": "1",
            "NO_TRAIN": "1",
            "PYTHONPATH": str(homes.checkout() / _BUILD_FOLDER),
        }
        pip = [str(python), "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
        options = ["--no-deps", "--no-build-isolation", "--no-binary", ":all:", "--dest", folder]
        _run([*pip, *options, SOURCE], environment)
        (package,) = Path(folder).iterdir()
        return package.read_bytes()


def _checked(content: bytes) -> bytes:
    """Return `content` if it is the source package that was tried."""
    found = hashlib.sha256(content).hexdigest()
    if found != SOURCE_SHA256:
        raise homes.UnavailableError(
            f"the source package {SOURCE} has the SHA-256 {found}; it must be {SOURCE_SHA256}"
        )
    return content


def _unpack(content: bytes, folder: Path) -> Path:
    """Unpack the source package into `folder`. Return the folder of the sources."""
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        archive.extractall(folder, filter="data")
    (source,) = folder.iterdir()
    return source


def _compile(source: Path, world: str, target: Path, includes: list[str]) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        raise homes.UnavailableError("there is no C compiler called cc; install one")
    raylib = source / _RAYLIB
    # The file appears under its name only when it is whole.
    unfinished = target.with_suffix(".unfinished")
    _run(
        [
            *(compiler, *_FLAGS),
            *(f"-I{folder}" for folder in (*includes, raylib / "include")),
            str(source / "pufferlib" / "ocean" / world / "binding.c"),
            *(str(raylib / "lib" / "libraylib.a"), "-o", str(unfinished)),
            *("-lm", "-lpthread", "-ldl"),
        ]
    )
    unfinished.replace(target)


def _run(command: list[str], environment: dict[str, str] | None = None) -> str:
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or ["no message"]
        cause = next((line for line in lines if "error" in line.lower()), lines[-1])
        raise homes.UnavailableError(f"{Path(command[0]).name} failed: {cause}")
    return done.stdout
