"""The web app is found where it was built, and where a wheel puts it."""

import tomllib
from pathlib import Path

import pytest

from astrarium.serve import static
from astrarium.serve.static import WebApp

ROOT = Path(__file__).parents[3]


def built(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html>")
    return folder


def test_a_source_tree_serves_what_it_builds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not what an interrupted build of a wheel left in the package."""
    monkeypatch.setattr(static, "source_tree", lambda: tmp_path)
    monkeypatch.setattr(static, "_PACKED", built(tmp_path / "package" / "app"))
    assert not WebApp(None).built
    built(tmp_path / "web" / "dist")
    assert WebApp(None).built


def test_a_wheel_serves_what_it_carries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(static, "source_tree", lambda: None)
    monkeypatch.setattr(static, "_PACKED", tmp_path / "app")
    assert not WebApp(None).built
    built(tmp_path / "app")
    assert WebApp(None).built


def test_what_the_wheel_includes_is_what_the_server_looks_for() -> None:
    told = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    package = "python/astrarium/serve"
    formats = {one["path"]: one["format"] for one in told["tool"]["maturin"]["include"]}
    assert "wheel" in formats[f"{package}/{static._PACKED.name}/**/*"]
    assert static._PACKED.parent == Path(static.__file__).parent
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert f"PACKED := {package}/{static._PACKED.name}\n" in makefile
    ignored = (ROOT / ".gitignore").read_text("utf-8").splitlines()
    assert f"/{package}/{static._PACKED.name}" in ignored
