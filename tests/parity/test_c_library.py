"""`make c-lib` leaves a folder that a C program can be built from, wherever the folder lies."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.long
def test_a_program_builds_from_the_moved_folder(tmp_path: Path) -> None:
    if shutil.which("cc") is None or shutil.which("pkg-config") is None:
        pytest.skip("needs cc and pkg-config")
    subprocess.run(["make", "c-lib"], cwd=ROOT, check=True, capture_output=True)
    library = tmp_path / "elsewhere"
    shutil.copytree(ROOT / "dist" / "c-lib", library)
    flags = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "prospector"],
        env={"PATH": "/usr/bin:/bin", "PKG_CONFIG_PATH": str(library / "lib" / "pkgconfig")},
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
    source = library / "share" / "prospector" / "episode.c"
    program = tmp_path / "episode"
    subprocess.run(["cc", "-std=c11", str(source), *flags, "-o", str(program)], check=True)
    played = subprocess.run(
        [program, "7"],
        env={"LD_LIBRARY_PATH": str(library / "lib")},
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert played.startswith("seed 7: ")
    usage = subprocess.run([library / "bin" / "prospector-trace"], capture_output=True, text=True)
    assert usage.returncode == 2
    assert "usage" in usage.stderr
