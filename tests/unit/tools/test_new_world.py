"""A scaffolded world builds, keeps every promise unchanged, and comes whole or not at all."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[3]


def load_tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("new_world", ROOT / "tools" / "new_world.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


tool = load_tool()


def copy_repository(to: Path) -> Path:
    """Everything git would commit."""
    listing = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "-z", "-co", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
    ).stdout
    for name in filter(None, listing.split("\0")):
        if (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, to / name)
    return to


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    return copy_repository(tmp_path / "astrarium")


def tree(root: Path) -> dict[str, bytes]:
    return {str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*") if p.is_file()}


def run(*words: str, cwd: Path, **env: str) -> str:
    done = subprocess.run(
        words,
        cwd=cwd,
        env={**os.environ, **env},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{' '.join(words)}\n{done.stdout}"
    return done.stdout


def build(repository: Path) -> None:
    """The native module, quickly: dependencies come from this checkout's own builds."""
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    run(
        *("cargo", "build", "--locked", "--offline", "--quiet", "-p", "astrarium-native"),
        cwd=repository,
        CARGO_TARGET_DIR=str(target),
        PYO3_PYTHON=sys.executable,
        PYO3_BUILD_EXTENSION_MODULE="1",
    )
    module = repository / "python" / "astrarium" / "_native.abi3.so"
    shutil.copy(target / "debug" / "lib_native.so", module)


@pytest.fixture
def lasting_repository() -> Path:
    """Always at the same place: cargo knows crates by their path, and would keep one more build
    of every crate for each new folder."""
    place = ROOT / "target" / "new_world"
    shutil.rmtree(place, ignore_errors=True)
    return copy_repository(place)


def test_a_scaffolded_world_builds_and_keeps_every_promise(lasting_repository: Path) -> None:
    """Named late in the alphabet, so that every sorted list has to be sorted again."""
    repository = lasting_repository
    before = set(tree(repository))
    out = run(sys.executable, "tools/new_world.py", "zephyr", cwd=repository)
    assert "astrarium check zephyr-v1" in out
    new = tree(repository)
    assert_whole({name: new[name] for name in set(new) - before})
    build(repository)
    package = str(repository / "python")
    checked = run(
        *(sys.executable, "-m", "astrarium", "check", "zephyr-v1", "--steps", "200"),
        cwd=repository,
        PYTHONPATH=package,
    )
    assert checked.count("✓") == 7
    # The house rules hold too: formatting, the running page, the plan of rooms.
    sources = ("crates/zephyr/src/lib.rs", "crates/native/src/worlds.rs")
    run("rustfmt", "--check", "--edition", "2024", *sources, cwd=repository)
    ruff = str(Path(sys.executable).with_name("ruff"))
    for words in (("format", "--check"), ("check",)):
        # This place is one that git ignores, and ruff with it.
        face = ("--no-cache", "--no-respect-gitignore", "python/astrarium/worlds/zephyr")
        run(ruff, *words, *face, cwd=repository)
    run(
        *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/playthroughs"),
        *("tests/house/test_docs.py", "-k", "zephyr"),
        cwd=repository,
        PYTHONPATH=package,
    )
    assert "\n| `crates/zephyr` |" in (repository / "docs/architecture.md").read_text("utf-8")


def assert_whole(new: dict[str, bytes]) -> None:
    """Something in each of the four places, nothing elsewhere, and no trace of the template."""
    places = tool.places("zephyr")
    assert all(name.startswith(places) for name in new), sorted(new)
    assert all(any(name.startswith(place) for name in new) for place in places)
    for name, text in new.items():
        without_credit = text.replace(b"copy of Lanterns", b"").replace(b"from lanterns-v1", b"")
        assert b"antern" not in without_credit, name
        assert b"smallest" not in text, name


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Orchard", "one lower-case word"),
        ("my_world", "one lower-case word"),
        ("ab", "one lower-case word"),
        ("1st", "one lower-case word"),
        ("", "one lower-case word"),
        ("../x", "one lower-case word"),
        ("yield", "keyword"),
        ("match", "keyword"),
        ("lanterns", "exists already"),
        ("kernel", "exists already"),
        ("registry", "exists already"),
        ("new", "exists already"),
        ("keeper", "has a meaning in the template already"),
        ("world", "has a meaning in the template already"),
    ],
)
def test_bad_names_are_refused_with_a_reason(name: str, message: str) -> None:
    with pytest.raises(tool.NewWorldError, match=message):
        tool.check_name(name, ROOT)


@pytest.mark.parametrize("failing", range(9))
def test_whatever_move_fails_nothing_is_left(
    failing: int, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four places and five shared files: each move fails once."""
    before = tree(repository)
    moves = iter(range(100))
    undoing = []

    def fragile(move):  # type: ignore[no-untyped-def]
        def moved(source, target):  # type: ignore[no-untyped-def]
            if not undoing and next(moves) == failing:
                undoing.append(True)
                raise OSError("disk full")
            return move(source, target)

        return moved

    monkeypatch.setattr(tool.os, "rename", fragile(os.rename))
    monkeypatch.setattr(tool.os, "replace", fragile(os.replace))
    with pytest.raises(OSError, match="disk full"):
        tool.create("orchard", repository)
    assert tree(repository) == before


def test_a_shared_file_that_changed_its_shape_is_named(repository: Path) -> None:
    path = repository / "crates/native/src/worlds.rs"
    path.write_text(path.read_text("utf-8").replace("astrarium_lanterns", "moved"), "utf-8")
    before = tree(repository)
    with pytest.raises(tool.NewWorldError, match=r"^crates/native/src/worlds.rs: expected one"):
        tool.create("orchard", repository)
    assert tree(repository) == before
