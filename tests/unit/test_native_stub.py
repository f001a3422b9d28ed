"""The typed face of the extension is compared with what was really built."""

import subprocess
import sys

import pytest


@pytest.mark.filterwarnings("default")
def test_the_stub_matches_the_extension() -> None:
    checked = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "astrarium._native"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
