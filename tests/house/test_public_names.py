"""The public names are a promise: changing one must show in a diff.

Run this file (`make public-names`) to accept the present names as the promised ones.
"""

import importlib
from pathlib import Path

PROMISED = Path(__file__).with_name("public_names.txt")
MODULES = ("astrarium", "astrarium.worlds", "astrarium.runs", "astrarium.telemetry")


def present_names() -> str:
    """Every public name, one a line, in order."""
    names = [
        f"{module}.{name}"
        for module in MODULES
        for name in sorted(importlib.import_module(module).__all__)
    ]
    return "\n".join(names) + "\n"


def test_public_names_are_the_promised_ones() -> None:
    promised = PROMISED.read_text("utf-8")
    assert present_names() == promised, "if this is meant, run `make public-names`"


def test_every_promised_name_exists() -> None:
    for line in PROMISED.read_text("utf-8").splitlines():
        module, _, name = line.rpartition(".")
        assert hasattr(importlib.import_module(module), name), line


if __name__ == "__main__":
    PROMISED.write_text(present_names(), "utf-8")
