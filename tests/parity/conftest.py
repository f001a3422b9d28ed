"""What the C face's tests share: its library and program, built once per session."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = "astrarium-prospector-c"


@pytest.fixture(scope="session")
def c_artifacts() -> dict[str, Path]:
    """The shared library and the trace runner; cargo knows whether they are fresh."""
    cargo = shutil.which("cargo")
    if cargo is None:
        pytest.skip("the C face is built with cargo, which is not installed")
    command = [cargo, "build", "--locked", "--message-format=json", "-p", PACKAGE]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    artifacts: dict[str, Path] = {}
    for line in built.stdout.splitlines():
        message = json.loads(line)
        if message["reason"] == "compiler-artifact" and PACKAGE in message["package_id"]:
            if message["executable"]:
                artifacts["runner"] = Path(message["executable"])
            for name in message["filenames"]:
                if name.endswith((".so", ".dylib", ".dll")):
                    artifacts["library"] = Path(name)
    return artifacts
