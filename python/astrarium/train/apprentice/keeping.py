"""Small files of an apprenticeship: found whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from astrarium import atomic
from astrarium.errors import ConfigError


def write_json(content: Mapping[str, Any], place: Path) -> None:
    """Write a file and the folder it is in."""
    place.parent.mkdir(parents=True, exist_ok=True)
    atomic.write_text(place, json.dumps(content, indent=2, allow_nan=False) + "\n")


def read_json(place: Path) -> dict[str, Any]:
    """What a file of ours says."""
    try:
        return json.loads(place.read_text("utf-8"))
    except ValueError as error:
        raise ConfigError(f"{place} is damaged ({error}); take it away to do it again") from error
