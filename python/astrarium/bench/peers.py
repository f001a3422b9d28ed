"""The same worlds without Python: programs built from the checkout, here and now.

A peer that cannot be built is not an error of the measurement: it is reported as unavailable,
with the reason.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from astrarium.machine import source_tree

Profile = Literal["release", "dev"]

RUST_PACKAGE: Final = "astrarium-bench"
C_CRATE: Final = Path("crates/prospector-c")
C_SOURCE: Final = Path("crates/bench/c/throughput.c")


@dataclass(frozen=True, slots=True)
class Peer:
    """A program to talk to, or why there is none."""

    program: Path | None
    reason: str = ""


class _Missing(Exception):
    """Something a build needs is not here."""


def rust_peer(profile: Profile = "release") -> Peer:
    """The Rust loop."""
    try:
        made = _cargo_build(_root(), RUST_PACKAGE, profile)
        programs = [name for artifact in made if (name := artifact.get("executable"))]
        return Peer(Path(programs[-1]))
    except _Missing as missing:
        return Peer(None, str(missing))


def c_peer(folder: Path, profile: Profile = "release") -> Peer:
    """The C loop, compiled into `folder` against the library of the C face."""
    try:
        root = _root()
        if not (root / C_CRATE / "Cargo.toml").is_file():
            raise _Missing(f"{C_CRATE} is not in this checkout")
        compiler = shutil.which("cc")
        if compiler is None:
            raise _Missing("there is no C compiler called cc")
        made = _cargo_build(root, _package_of(root / C_CRATE), profile)
        names = [Path(name) for artifact in made for name in artifact["filenames"]]
        # The static one carries its own code; the other would have to be found at run time.
        libraries = [name for name in names if name.suffix == ".a"]
        if not libraries:
            raise _Missing(f"{C_CRATE} builds no static library")
        program = folder / "throughput"
        includes = [root / C_CRATE, root / C_CRATE / "include"]
        _run(
            [
                *(compiler, "-std=c11", "-O2", "-Wall", "-Werror"),
                *(f"-I{folder}" for folder in includes),
                *(str(root / C_SOURCE), str(libraries[-1]), "-o", str(program)),
                *("-lpthread", "-ldl", "-lm"),
            ],
            root,
        )
        return Peer(program)
    except _Missing as missing:
        return Peer(None, str(missing))


def _root() -> Path:
    root = source_tree()
    if root is None:
        raise _Missing("there is no source tree here to build it from")
    return root


def _package_of(crate: Path) -> str:
    for line in (crate / "Cargo.toml").read_text("utf-8").splitlines():
        if line.startswith("name"):
            return line.split('"')[1]
    raise _Missing(f"{crate} has no package name")


def _cargo_build(root: Path, package: str, profile: Profile) -> list[dict[str, Any]]:
    """Build one package; what the compiler made of its last target, newest last."""
    if shutil.which("cargo") is None:
        raise _Missing("Rust is not installed: there is no cargo")
    command = ["cargo", "build", "--quiet", "--locked", "--profile", profile, "-p", package]
    output = _run([*command, "--message-format=json-render-diagnostics"], root)
    messages = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    return [
        message
        for message in messages
        if message["reason"] == "compiler-artifact"
        and Path(message["manifest_path"]).is_relative_to(root / "crates")
    ]


def _run(command: Sequence[str], root: Path) -> str:
    # An interpreter named for the extension would rebuild everything the extension shares.
    environment = {key: value for key, value in os.environ.items() if key != "PYO3_PYTHON"}
    done = subprocess.run(
        command, cwd=root, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or ["no message"]
        # What comes first is the cause; the rest follows from it.
        cause = next((line for line in lines if "error" in line), lines[-1])
        raise _Missing(f"{Path(command[0]).name} failed: {cause.strip()}")
    return done.stdout
