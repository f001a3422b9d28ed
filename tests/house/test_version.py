"""One version, wherever it is written."""

import tomllib
from pathlib import Path

import astrarium

ROOT = Path(__file__).parents[2]


def test_every_manifest_tells_the_same_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    workspace = tomllib.loads((ROOT / "Cargo.toml").read_text("utf-8"))["workspace"]
    assert project["version"] == workspace["package"]["version"] == astrarium.__version__


def test_every_crate_takes_the_version_of_the_workspace() -> None:
    manifests = sorted((ROOT / "crates").glob("*/Cargo.toml"))
    assert manifests
    for manifest in manifests:
        package = tomllib.loads(manifest.read_text("utf-8"))["package"]
        assert package["version"] == {"workspace": True}, manifest
