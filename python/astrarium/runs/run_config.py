"""The config a run was begun with, held to the hash that the run's metadata records."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from astrarium.runs import documents, names
from astrarium.runs.errors import ConfigChangedError, DamagedRunError


def read(folder: Path, recorded: str) -> dict[str, Any]:
    """Return a run's config. One without the `recorded` hash is a `ConfigChangedError`."""
    place = folder / names.CONFIG
    fix = (
        "restore it from a copy, or, if it was changed on purpose, go on with the run under "
        "--allow-config-change"
    )
    try:
        config = documents.read(place, dict[str, Any])
    except DamagedRunError as error:
        raise ConfigChangedError(f"{error}; {fix}") from error
    found = documents.hash_of(config)
    if found != recorded:
        raise ConfigChangedError(
            f"{place} has the hash {found}, and the run was begun with a config of the hash "
            f"{recorded or '(none)'}; {fix}"
        )
    return config


def read_changed(folder: Path) -> dict[str, Any]:
    """Return a run's config as it is now, which may have been changed on purpose."""
    return documents.read_changed(folder / names.CONFIG, dict[str, Any])


def settle(folder: Path, recorded: str, *, allow_change: bool) -> str:
    """Return the hash of the config to go on with; a changed one is sealed as it is now."""
    if not allow_change:
        read(folder, recorded)
        return recorded
    config = read_changed(folder)
    documents.write(folder / names.CONFIG, config)
    return documents.hash_of(config)
