"""Figures from the examples of crates, built and run here: times that Python would drown."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from typing import Any

from astrarium import machine
from astrarium.bench.report import ReportError


def told(package: str, example: str, *words: str) -> Any:
    """What the example of a package prints, as JSON."""
    root = machine.source_tree()
    if root is None or shutil.which("cargo") is None:
        raise ReportError(f"{package} is measured from its source; run in a clone, with Rust")
    command = ("cargo", "run", "--quiet", "--locked", "--release")
    command += ("-p", package, "--example", example, "--", *words)
    # An interpreter named for the extension would rebuild everything the extension shares.
    environment = {key: value for key, value in os.environ.items() if key != "PYO3_PYTHON"}
    done = subprocess.run(
        command, cwd=root, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or ["no message"]
        raise ReportError(f"{' '.join(command)} failed: {lines[-1]}")
    return json.loads(done.stdout)
