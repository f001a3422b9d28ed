"""What the default town's files say, for nodes that a config leaves out."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).parents[1] / "towns"


def node(name: str) -> Any:
    """A top-level node of the default town."""
    return _default_town()[name]


@cache
def _default_town() -> dict[str, Any]:
    # The YAML library is not loaded before somebody needs a town.
    from astrarium.worlds.townlet.sources import read

    return read(FOLDER / "default.yaml").document
