"""Where a figure was measured: without this it means nothing to anybody else."""

from __future__ import annotations

import os
import platform
import shlex
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

COMMIT_VARIABLE: Final = "ASTRARIUM_COMMIT"
"""Names the commit of a copied tree that came without its history."""

_HERE: Final = Path(__file__).resolve()


@dataclass(frozen=True, slots=True)
class Machine:
    """The machine, the programs and the command behind a report."""

    cpu: str
    cores: int
    """Processors this process may use."""
    load: float
    """Runnable tasks over the last minute, before the measurement."""
    system: str
    libc: str
    python: str
    numpy: str
    rustc: str
    rust_profile: str
    commit: str
    command: str

    def words(self) -> str:
        """One line for the head of a table."""
        cores = f"{self.cores} core{'s' if self.cores != 1 else ''}"
        return f"{self.cpu}, {cores}, load {self.load:.1f}, commit {self.commit}"


def facts() -> Machine:
    """What can be said about this machine now."""
    return Machine(
        cpu=_cpu(),
        cores=len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1,
        load=round(os.getloadavg()[0], 2),
        system=f"{platform.system()} {platform.release()} {platform.machine()}",
        libc=" ".join(platform.libc_ver()).strip() or "unknown",
        python=f"{platform.python_implementation()} {platform.python_version()}",
        numpy=np.__version__,
        rustc=_answer(["rustc", "--version"]) or "not installed",
        rust_profile=_rust_profile(),
        commit=_commit(),
        command=shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]]),
    )


def source_tree() -> Path | None:
    """The checkout this package runs from, or None when it was installed from a wheel."""
    root = _HERE.parents[2]
    return root if (root / "Cargo.toml").is_file() and (root / "crates").is_dir() else None


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        lines = []
    models = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or "unknown"


def _rust_profile() -> str:
    root = source_tree()
    if root is None:
        return "that of the wheel"
    manifest = tomllib.loads((root / "Cargo.toml").read_text("utf-8"))
    settings = manifest.get("profile", {}).get("release", {})
    return "release: " + ", ".join(f"{key} {value}" for key, value in settings.items())


def _commit() -> str:
    root = source_tree()
    told = os.environ.get(COMMIT_VARIABLE)
    if told:
        return told
    if root is None:
        return "none"
    # A checkout owned by another user is still worth naming; git refuses without this.
    git = ["git", "-C", str(root), "-c", "safe.directory=*"]
    commit = _answer([*git, "rev-parse", "--short=12", "HEAD"])
    if commit is None:
        return "none"
    return f"{commit}+dirty" if _answer([*git, "status", "--porcelain"]) else commit


def _answer(command: list[str]) -> str | None:
    """What a short command prints, or None where it cannot be run."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()
