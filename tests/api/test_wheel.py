"""The wheel as a stranger has it: no source tree, no Node, and the pages are there."""

import json
import os
import platform
import re
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from astrarium.native_build import FAST_BUILD

ROOT = Path(__file__).parents[2]
# Two builds with link-time optimisation take minutes.
pytestmark = pytest.mark.timeout(1800)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`astrarium` of a fresh environment outside the tree, installed from the wheel.

    Its dependencies are those this test runs with, so that no network is needed.
    """
    if shutil.which("npm") is None:
        pytest.skip("building the web app needs Node with npm")
    subprocess.run(["make", "wheel"], cwd=ROOT, check=True, capture_output=True)
    (wheel,) = (ROOT / "dist").glob("*.whl")
    home = tmp_path_factory.mktemp("installed")
    venv.create(home, with_pip=True)
    python = home / "bin" / "python"
    install = [python, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", wheel]
    subprocess.run(install, check=True, capture_output=True)
    (place,) = home.glob("lib/python*/site-packages")
    # Searched after the environment's own packages, and read without the editable install in it.
    (place / "others.pth").write_text(f"{Path(pytest.__file__).parents[1]}\n")
    return home / "bin" / "astrarium"


def run_python(program: Path, code: str, *emulator: str, **settings: str) -> str:
    """Run code with the installed package, under an emulator if one is given."""
    command = [*emulator, str(program.with_name("python")), "-I", "-c", code]
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        command, cwd="/", env=clean | settings, capture_output=True, text=True, timeout=280
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


LOADED = "from astrarium import _native; print(_native.__file__)"
DIGEST = """
from astrarium import make_vec
digests = []
for world in ("prospector-v2", "townlet-v1", "tidebreak-v1"):
    batch = make_vec(world, 2)
    batch.reset(seed=7)
    for _ in range(40):
        batch.step()
    digests.append(batch.digests().tobytes().hex())
print(*digests)
"""
on_linux_x86_64 = pytest.mark.skipif(
    platform.machine() != "x86_64" or platform.system() != "Linux",
    reason="only the wheel for Linux on x86-64 holds two builds",
)


@pytest.mark.long
@on_linux_x86_64
def test_the_wheel_names_the_oldest_system_it_runs_on(program: Path) -> None:
    (wheel,) = (ROOT / "dist").glob("*.whl")
    assert wheel.name.endswith("-cp311-abi3-manylinux_2_28_x86_64.whl")
    assert list((ROOT / "dist").glob("astrarium-*.tar.gz")), "no source package"


@pytest.mark.long
@on_linux_x86_64
def test_both_builds_of_a_wheel_make_the_same_bits(program: Path) -> None:
    assert FAST_BUILD not in run_python(program, LOADED, ASTRARIUM_NATIVE_BUILD="baseline")
    if "avx2" in Path("/proc/cpuinfo").read_text():
        assert FAST_BUILD in run_python(program, LOADED)
    baseline = run_python(program, DIGEST, ASTRARIUM_NATIVE_BUILD="baseline")
    assert run_python(program, DIGEST) == baseline


@pytest.mark.long
@on_linux_x86_64
def test_the_wheel_runs_on_a_processor_without_avx2(program: Path) -> None:
    """Emulated; the fast build must die there, or the emulator would show nothing.

    NumPy's own wheel needs AVX, so the emulated processor has it.
    """
    emulator = shutil.which("qemu-x86_64-static") or shutil.which("qemu-x86_64")
    if emulator is None:
        pytest.skip("needs qemu-user (Debian: apt install qemu-user-static)")
    old = (emulator, "-cpu", "IvyBridge")
    baseline = run_python(program, DIGEST, ASTRARIUM_NATIVE_BUILD="baseline")
    # Under emulation /proc/cpuinfo still shows the real processor.
    assert run_python(program, DIGEST, *old, ASTRARIUM_NATIVE_BUILD="baseline") == baseline
    with pytest.raises(AssertionError):
        run_python(program, DIGEST, *old)


@contextmanager
def serving(program: Path, folder: Path) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    process = subprocess.Popen([program, "serve", "--port", str(port)], cwd=folder, env=clean)
    address = f"http://127.0.0.1:{port}"
    try:
        deadline = time.monotonic() + 60
        while True:
            try:
                get(f"{address}/readyz")
                break
            except urllib.error.URLError:
                assert process.poll() is None, "the server ended"
                assert time.monotonic() < deadline, "the server does not answer"
                time.sleep(0.1)
        yield address
    finally:
        process.terminate()
        process.wait(30)


def get(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=30) as answer:
        return answer.read()


@pytest.mark.long
def test_an_installed_wheel_serves_its_pages(program: Path, tmp_path: Path) -> None:
    where = [program.with_name("python"), "-I", "-c", "import astrarium; print(astrarium.__file__)"]
    found = subprocess.run(where, cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert Path(found.strip()).is_relative_to(program.parents[1])
    with serving(program, tmp_path) as address:
        front = get(f"{address}/").decode()
        assert "<title>Astrarium" in front
        assets = re.findall(r'(?:src|href)="\./([^"]+)"', front)
        assert any(name.endswith(".js") for name in assets)
        for name in assets:
            assert get(f"{address}/{name}"), name
        worlds = json.loads(get(f"{address}/api/v1/worlds"))["worlds"]
        assert "prospector-v2" in [world["id"] for world in worlds]
