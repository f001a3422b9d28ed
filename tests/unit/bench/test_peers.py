"""The environments of other trainers have what our side of their scripts imports."""

import ast
import importlib.metadata
import re
import subprocess
import sys
from pathlib import Path

import pytest

from astrarium.bench.trainers import homes

PEERS = Path(__file__).parents[3] / "tools" / "peers"
BLOCKER = """
import importlib.abc, sys
class Blocker(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name in {blocked!r}:
            raise ModuleNotFoundError("No module named " + repr(name), name=name)
sys.meta_path.insert(0, Blocker())
"""


def blocked_modules(name: str) -> set[str]:
    """Modules of this environment that the peer's environment does not have."""
    lines = (PEERS / f"{name}.txt").read_text("utf-8").splitlines()
    listed = {line.split("==")[0].lower() for line in lines if not line.startswith("#")}
    blocked: set[str] = set()
    for module, packages in importlib.metadata.packages_distributions().items():
        names = {re.sub(r"[-_.]+", "-", package).lower() for package in packages}
        if "astrarium" not in names and not names & listed:
            blocked.add(module)
    return blocked


def imports_of_ours(name: str) -> str:
    """The lines of the peer's script that import from Astrarium."""
    tree = ast.parse((PEERS / f"{name}_speed.py").read_text("utf-8"))
    nodes = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    ours = [node for node in nodes if (node.module or "").startswith("astrarium")]
    assert ours
    return "\n".join(map(ast.unparse, ours))


def run(name: str, blocked: set[str]) -> subprocess.CompletedProcess[str]:
    program = BLOCKER.format(blocked=blocked) + imports_of_ours(name)
    program += "\nfrom astrarium import worlds\nworlds.make_vec('prospector-v2', 1).step()"
    command = [sys.executable, "-c", program]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", homes.NAMES)
def test_our_side_of_a_peers_script_runs_on_what_is_listed(name: str) -> None:
    done = run(name, blocked_modules(name))
    assert done.returncode == 0, done.stderr


def test_a_package_that_is_missing_from_a_list_is_noticed() -> None:
    done = run("pufferlib", {*blocked_modules("pufferlib"), "msgspec"})
    assert "No module named 'msgspec'" in done.stderr
