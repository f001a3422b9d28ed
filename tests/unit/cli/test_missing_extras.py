"""Commands on an installation without extras name the extra instead of printing a traceback."""

import subprocess
import sys
from pathlib import Path

import pytest

from astrarium.extras import extras_of

BLOCKED = ("torch", "optuna", "fastapi", "duckdb", "safetensors")
PROGRAM = f"""
import sys
for name in {BLOCKED}:
    sys.modules[name] = None
from astrarium.cli import main
main(sys.argv[1:])
"""


def run_without_extras(folder: Path, *tokens: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", PROGRAM, *tokens]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize(
    ("tokens", "extra"),
    [
        (("train", "lanterns-v1"), "train"),
        (("tour",), "train"),
        (("curriculum", "tidebreak-v1"), "train"),
        (("apprentice", "townlet-v1"), "train"),
        (("sweep", "--space", "prospector-v2", "--trials", "2"), "train"),
        (("esper", "grow", "digits_impaired"), "esper"),
    ],
)
def test_commands_name_the_extra_that_brings_a_missing_package(
    tmp_path: Path, tokens: tuple[str, ...], extra: str
) -> None:
    done = run_without_extras(tmp_path, *tokens)
    assert done.returncode == 2
    assert f'pip install "astrarium[{extra}]"' in done.stderr
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.rglob("run_metadata.json")), "a run was left behind"


def test_commands_without_extras_still_work(tmp_path: Path) -> None:
    assert run_without_extras(tmp_path, "worlds").returncode == 0


def test_extras_are_read_from_the_metadata_of_the_package() -> None:
    assert extras_of("sklearn") == ["esper"]
    assert "esper" in extras_of("PIL")
    assert "sb3" in extras_of("stable_baselines3")
    assert extras_of("numpy") == []
    assert extras_of("no_such_module") == []
