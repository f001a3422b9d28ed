"""The wheel as a stranger has it: no source tree, no Node, and the pages are there."""

import json
import os
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

ROOT = Path(__file__).parents[2]


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
