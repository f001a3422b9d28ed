"""Doors open inward only.

Every import inside the package is read from the source and compared with the plan: a room may
use rooms of its own ring or of a ring further in, never one further out; rooms of one ring may
not go in circles; and a library with its own room is imported there only.
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

PACKAGE = Path(__file__).parents[2] / "python" / "astrarium"

RINGS = (
    ("__main__", "cli", "serve", "scale"),
    ("operate", "train", "esper", "bench", "campaign"),
    ("runs", "telemetry", "bus", "parity", "check", "playthroughs"),
    ("worlds", "adapters"),
    ("errors", "extras", "logs", "native_build", "atomic", "machine", "morphospace"),
    ("_native",),
)
RING_OF = {room: depth for depth, ring in enumerate(RINGS) for room in ring}

# Who may import a library at all.
LIBRARY_ROOMS = {
    "gymnasium": {"adapters"},
    "pettingzoo": {"adapters"},
    "pufferlib": {"adapters"},
    "sb3_contrib": {"adapters"},
    "stable_baselines3": {"adapters"},
}
# Who may import a library while being imported: elsewhere it would slow `import astrarium`.
LIBRARY_ROOMS_AT_MODULE_LEVEL = {"torch": {"adapters", "train", "esper"}}


class Import(NamedTuple):
    """One import: where it stands, what it names, whether it runs when the module is imported."""

    file: str
    line: int
    room: str
    target: str
    at_module_level: bool


def room_of(module: str) -> str:
    """The room of a dotted module name; the front door itself is the empty room."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else ""


def imports_of(source: str, file: str, module: str, is_package: bool) -> Iterator[Import]:
    """Every import of one module, relative ones resolved."""
    tree = ast.parse(source, file)
    lazy = {id(inner) for node in ast.walk(tree) if is_lazy(node) for inner in ast.walk(node)}
    package = module.split(".") if is_package else module.split(".")[:-1]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            targets = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            base = [*base, *(node.module or "").split(".")] if node.module else base
            # `from astrarium import runs` names the room in the imported name.
            whole = ".".join(base)
            targets = [f"{whole}.{a.name}" for a in node.names] if len(base) == 1 else [whole]
        else:
            continue
        for target in targets:
            yield Import(file, node.lineno, room_of(module), target, id(node) not in lazy)


def is_lazy(node: ast.AST) -> bool:
    """Whether the body of `node` does not run when the module is imported."""
    if isinstance(node, ast.If):
        return ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)


def faults_of(found: Import) -> Iterator[str]:
    """What one import does against the plan, as `file:line: rule`."""
    where = f"{found.file}:{found.line}: "
    library, room = found.target.split(".")[0], found.room
    if library == "astrarium":
        yield from (where + fault for fault in door_faults(room, room_of(found.target)))
    elif room not in LIBRARY_ROOMS.get(library, {room}):
        allowed = ", ".join(sorted(LIBRARY_ROOMS[library]))
        yield f"{where}only {allowed} may import {library}"
    elif found.at_module_level and room not in LIBRARY_ROOMS_AT_MODULE_LEVEL.get(library, {room}):
        yield f"{where}{library} must not be imported at module level here; import it where used"


def door_faults(room: str, target: str) -> Iterator[str]:
    """What is wrong with `room` using `target`."""
    if target not in RING_OF:
        # The front door re-exports; only dunder names such as the version are its own.
        if not target.startswith("__"):
            yield f"{target!r} is no room of the plan; name its ring in {Path(__file__).name}"
    elif not room:
        if RING_OF[target] < RING_OF["worlds"]:
            yield f"the front door may open on worlds and what they need, not on {target}"
    elif room not in RING_OF:
        yield f"{room!r} is no room of the plan; name its ring in {Path(__file__).name}"
    elif RING_OF[target] < RING_OF[room]:
        yield f"doors open inward only: {room} may not import {target}"


def circles_of(imports: list[Import]) -> list[str]:
    """Rooms of one ring that reach themselves again."""
    doors: dict[str, dict[str, Import]] = {}
    for found in imports:
        target = room_of(found.target) if found.target.startswith("astrarium.") else ""
        if found.room and target in RING_OF and target != found.room:
            doors.setdefault(found.room, {}).setdefault(target, found)
    return [
        f"{door.file}:{door.line}: {room} and {target} import each other in a circle"
        for room, targets in doors.items()
        for target, door in targets.items()
        if room in reached_from(target, doors)
    ]


def reached_from(start: str, doors: dict[str, dict[str, Import]]) -> set[str]:
    """Every room that can be reached from `start`."""
    reached, waiting = set[str](), [start]
    while waiting:
        for target in doors.get(waiting.pop(), {}):
            if target not in reached:
                reached.add(target)
                waiting.append(target)
    return reached


def imports_under(package: Path) -> list[Import]:
    """Every import of every module of the package."""
    found: list[Import] = []
    for path in sorted([*package.rglob("*.py"), *package.rglob("*.pyi")]):
        names = path.relative_to(package.parent).with_suffix("").parts
        is_package = names[-1] == "__init__"
        module = ".".join(names[:-1] if is_package else names)
        file = str(path.relative_to(package.parent))
        found += imports_of(path.read_text("utf-8"), file, module, is_package)
    return found


def all_faults(imports: list[Import]) -> list[str]:
    """Every fault of a set of imports."""
    return [fault for one in imports for fault in faults_of(one)] + circles_of(imports)


def test_imports_follow_the_plan() -> None:
    assert all_faults(imports_under(PACKAGE)) == []


def faults_in(source: str, module: str) -> list[str]:
    return all_faults(list(imports_of(source, "wrong.py", module, is_package=False)))


def test_an_outward_import_is_named_with_file_line_and_rule() -> None:
    source = "import json\nfrom astrarium.train.ppo import train\n"
    assert faults_in(source, "astrarium.worlds.prospector.bots") == [
        "wrong.py:2: doors open inward only: worlds may not import train"
    ]


def test_outward_imports_are_seen_however_they_are_written() -> None:
    for source in (
        "import astrarium.cli",
        "import astrarium.cli.play as play",
        "from astrarium import cli",
        "from .. import cli",
        "from ..cli import main",
        "def later():\n    from astrarium.cli import main",
        "if TYPE_CHECKING:\n    from astrarium.cli import main",
    ):
        assert len(faults_in(source, "astrarium.worlds.registry")) == 1, source


def test_inward_and_neighbouring_imports_are_welcome() -> None:
    source = "from astrarium import worlds, _native\nfrom astrarium.telemetry import events\n"
    assert faults_in(source, "astrarium.runs.index") == []
    assert faults_in("from .registry import find", "astrarium.worlds.making") == []


def test_a_room_outside_the_plan_is_named() -> None:
    expected = ["wrong.py:1: 'cellar' is no room of the plan; name its ring in test_imports.py"]
    assert faults_in("from astrarium import worlds", "astrarium.cellar.wine") == expected
    assert faults_in("import astrarium.cellar", "astrarium.worlds.registry") == expected


def test_the_front_door_stays_light() -> None:
    opened = imports_of("from astrarium.train import ppo", "wrong.py", "astrarium", True)
    assert all_faults(list(opened)) == [
        "wrong.py:1: the front door may open on worlds and what they need, not on train"
    ]


def test_libraries_stay_in_their_rooms() -> None:
    source = "def make():\n    import gymnasium\n"
    assert faults_in(source, "astrarium.worlds.registry") == [
        "wrong.py:2: only adapters may import gymnasium"
    ]
    assert faults_in("import gymnasium.vector", "astrarium.adapters.gymnasium") == []


def test_torch_is_not_imported_with_the_core() -> None:
    assert faults_in("import torch.nn", "astrarium.runs.index") == [
        "wrong.py:1: torch must not be imported at module level here; import it where used"
    ]
    for lazy in ("def f():\n    import torch", "if TYPE_CHECKING:\n    import torch"):
        assert faults_in(lazy, "astrarium.runs.index") == []


def test_circles_within_a_ring_are_named() -> None:
    there = imports_of("import astrarium.bus", "a.py", "astrarium.runs.a", False)
    back = imports_of("import astrarium.runs", "b.py", "astrarium.bus.b", False)
    assert all_faults([*there, *back]) == [
        "a.py:1: runs and bus import each other in a circle",
        "b.py:1: bus and runs import each other in a circle",
    ]
