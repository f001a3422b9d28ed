"""The pinned requirements install the same bytes everywhere, from any mirror."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LOCKS = ("requirements.lock", "requirements-dev.lock")

PIN = re.compile(r"^(?P<name>[a-z0-9][a-z0-9._-]*)==(?P<version>[^ ;]+)(?P<marker> ;.*)?$")
HASH = re.compile(r"^--hash=sha256:[0-9a-f]{64}$")


def faults_of(lock: str) -> list[str]:
    """What keeps a lock from being exact: unpinned names, missing hashes, addresses."""
    faults: list[str] = []
    # A requirement runs over several lines joined by a backslash.
    for entry in lock.replace("\\\n", "\n    ").split("\n"):
        if entry.startswith("-") or "://" in entry or " @ " in entry:
            faults.append(f"address or option: {entry.strip()}")
    for requirement in requirements_of(lock):
        pin, *hashes = requirement
        if not PIN.match(pin):
            faults.append(f"not pinned: {pin}")
        if not hashes or not all(HASH.match(one) for one in hashes):
            faults.append(f"no hash: {pin}")
    return faults


def requirements_of(lock: str) -> list[list[str]]:
    """Each requirement as its pin followed by its hashes."""
    lines = [line for line in lock.splitlines() if line.strip() and not line.startswith("#")]
    joined = "\n".join(lines).replace("\\\n", "\0").splitlines()
    return [[part.strip() for part in line.split("\0")] for line in joined]


def pins_in(lock: str) -> set[str]:
    return {pin.split(" ")[0] for pin, *_ in requirements_of(lock)}


def names_in(lock: str) -> set[str]:
    return {pin.split("==")[0] for pin in pins_in(lock)}


def name_of(requirement: str) -> str:
    return re.split(r"[^A-Za-z0-9._-]", requirement)[0].lower().replace("_", "-")


@pytest.mark.parametrize("lock", LOCKS)
def test_lock_is_pinned_and_hashed_without_addresses(lock: str) -> None:
    assert faults_of((ROOT / lock).read_text("utf-8")) == []


def test_locks_hold_everything_the_project_asks_for() -> None:
    """A dependency added without `make lock` would be missing on the next fresh machine."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    extras = project["project"]["optional-dependencies"].values()
    run = [*project["project"]["dependencies"], *(name for extra in extras for name in extra)]
    dev = [*run, *project["dependency-groups"]["dev"]]
    for lock, asked in zip(LOCKS, (run, dev), strict=True):
        held = names_in((ROOT / lock).read_text("utf-8"))
        assert {name_of(requirement) for requirement in asked} - held == set(), lock


def test_the_two_locks_agree() -> None:
    """What is tested must be what is run."""
    run, dev = (pins_in((ROOT / lock).read_text("utf-8")) for lock in LOCKS)
    assert run - dev == set()


def test_a_loose_lock_is_refused() -> None:
    digest = "0" * 64
    good = f"# header\nnumpy==2.0 ; python_version < '4' \\\n    --hash=sha256:{digest}\n"
    assert faults_of(good) == []
    assert faults_of("numpy==2.0\n") == ["no hash: numpy==2.0"]
    assert faults_of("numpy==2.0 \\\n    --hash=md5:00\n") == ["no hash: numpy==2.0"]
    assert "not pinned: numpy>=2.0" in faults_of(f"numpy>=2.0 \\\n    --hash=sha256:{digest}\n")
    for line in ("--index-url https://mirror.example/simple", "numpy @ https://mirror.example/n"):
        assert f"address or option: {line}" in faults_of(line + "\n")
