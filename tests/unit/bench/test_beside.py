"""PufferLib's C worlds: how they are compiled, and how they are measured beside ours."""

from __future__ import annotations

import hashlib
import io
import shutil
import sys
import tarfile
from pathlib import Path

import pytest
from rich.console import Console

from astrarium.bench import beside
from astrarium.bench.faces import Opener
from astrarium.bench.stepping import Plan
from astrarium.bench.trainers import homes, ocean

needs_cc = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no cc")
PLAN = Plan(worlds=("prospector-v2",), sizes=(8,), seconds=0.001, repeats=2)
EMPTY_ARCHIVE = "!<arch>\n"
WORKS = '#include "raylib.h"\nint answer(void) { return RAYLIB; }\n'
STAND_IN = """
import os
from types import SimpleNamespace
import numpy as np

os.symlink(__file__, "resources")

class {name}:
    def __init__(self, num_envs, **settings):
        self.observations = np.zeros((num_envs, 5), np.uint8)
        self.single_action_space = SimpleNamespace(n=3)

    def reset(self, seed):
        pass

    def step(self, actions):
        assert actions.shape == (len(self.observations),)
        assert 0 <= actions.min() <= actions.max() <= 2

    def close(self):
        pass
"""


def use_python(monkeypatch: pytest.MonkeyPatch, python: Path) -> None:
    """Make `python` the interpreter of PufferLib's environment."""

    def interpreter(_: str) -> Path:
        return python

    monkeypatch.setattr(homes, "interpreter", interpreter)


def offer(package: Path, monkeypatch: pytest.MonkeyPatch, binding: str) -> None:
    """Write a source package whose worlds are all `binding`, and make it the one to compile."""
    contents = {
        "raylib-5.5_linux_amd64/include/raylib.h": "#define RAYLIB 5\n",
        "raylib-5.5_linux_amd64/lib/libraylib.a": EMPTY_ARCHIVE,
        **{f"pufferlib/ocean/{world}/binding.c": binding for world in ocean.WORLDS},
    }
    with tarfile.open(package, "w:gz") as archive:
        for name, text in contents.items():
            entry = tarfile.TarInfo(f"pufferlib-3.0.0/{name}")
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text.encode()))

    def fetch(_: Path) -> bytes:
        return package.read_bytes()

    monkeypatch.setattr(ocean, "fetch", fetch)
    monkeypatch.setattr(ocean, "SOURCE_SHA256", hashlib.sha256(package.read_bytes()).hexdigest())


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The packages of an environment with PufferLib, and a Python that gives their place."""
    folder = tmp_path / "packages"
    for world in ocean.WORLDS:
        (folder / "pufferlib" / "ocean" / world).mkdir(parents=True)
    python = tmp_path / "python"
    python.write_text(f"#!/bin/sh\nprintf '%s\\n' '{folder}' .so /nowhere /nowhere\n")
    python.chmod(0o755)
    use_python(monkeypatch, python)
    return folder


def built(packages: Path) -> list[str]:
    """The names of all files below the packages."""
    return sorted(str(path.relative_to(packages)) for path in packages.rglob("*.*"))


@needs_cc
def test_worlds_are_compiled_once(
    packages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "pufferlib.tar.gz"
    offer(package, monkeypatch, WORKS)
    assert ocean.build(lambda _: None) is None
    assert built(packages) == sorted(f"pufferlib/ocean/{name}/binding.so" for name in ocean.WORLDS)
    package.unlink()
    assert ocean.build(lambda _: None) is None


def test_a_changed_source_package_is_refused(
    packages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "pufferlib.tar.gz"
    offer(package, monkeypatch, WORKS)
    package.write_bytes(package.read_bytes() + b"\0")
    reason = ocean.build(lambda _: None)
    assert reason is not None
    assert "it must be" in reason
    assert built(packages) == []


@needs_cc
def test_a_world_that_does_not_compile_leaves_nothing(
    packages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer(tmp_path / "pufferlib.tar.gz", monkeypatch, "#error no such machine\n")
    reason = ocean.build(lambda _: None)
    assert reason is not None
    assert reason.startswith("cc failed: ")
    assert "no such machine" in reason
    assert built(packages) == []


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An environment whose PufferLib has worlds that do nothing."""
    for world in ocean.WORLDS:
        folder = tmp_path / "stand_in" / "pufferlib" / "ocean" / world
        folder.mkdir(parents=True)
        (folder / f"{world}.py").write_text(STAND_IN.format(name=world.capitalize()))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "stand_in"))
    use_python(monkeypatch, Path(sys.executable))
    (tmp_path / "cwd").mkdir()
    monkeypatch.chdir(tmp_path / "cwd")
    return tmp_path / "stand_in"


def compared(folder: Path) -> tuple[beside.Comparison, str]:
    """Compare, and return the printed table too."""
    comparison = beside.compare(PLAN, Opener(("python",), folder))
    text = io.StringIO()
    beside.print_comparison(Console(file=text, width=200), comparison)
    return comparison, text.getvalue()


def test_their_worlds_take_turns_with_ours(stand_in: Path, tmp_path: Path) -> None:
    comparison, text = compared(tmp_path)
    assert [row.world for row in comparison.rows] == ["prospector-v2", *ocean.WORLDS]
    # All do the same number of steps in a slice, and each has its slices.
    assert len({one.steps for row in comparison.rows for one in row.slices}) == 1
    assert all(len(row.slices) == PLAN.repeats for row in comparison.rows)
    ours, *theirs = comparison.as_dict()["rows"]
    assert ours["speed_over"] == {"prospector-v2": 1.0}
    assert ours["row_bytes"] == 1040
    assert [row["row_bytes"] for row in theirs] == [5, 5, 5]
    assert "PufferLib squared" in text
    assert "over prospector-v2" in text
    # The import's link is not left here.
    assert list(Path.cwd().iterdir()) == []


def test_a_comparison_that_cannot_be_made_gives_its_reason(
    stand_in: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (stand_in / "pufferlib" / "ocean" / "breakout" / "breakout.py").unlink()
    comparison, text = compared(tmp_path)
    assert comparison.rows == []
    assert "No module named" in text
    assert "run astrarium bench peers" in text

    def missing(_: str) -> Path:
        raise homes.UnavailableError("not installed; run astrarium bench peers")

    monkeypatch.setattr(homes, "interpreter", missing)
    comparison, text = compared(tmp_path)
    assert comparison.as_dict()["unavailable"] == "not installed; run astrarium bench peers"
    assert "no figures for PufferLib's worlds: not installed" in text
