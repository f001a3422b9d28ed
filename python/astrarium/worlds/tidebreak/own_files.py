"""Scenarios and tables of a user's own: files read into settings and checked at once."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, cast

from astrarium import _native
from astrarium.errors import ConfigError, did_you_mean
from astrarium.worlds.own_files import read_text

SUFFIX: Final = ".toml"


def with_texts(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings in which files are replaced by what they hold.

    Raises a `ConfigError` that names the file, the line or field, and what is allowed.
    """
    settings = dict(given)
    tables, scenario = settings.get("tables"), settings.get("scenario")
    if isinstance(tables, Path):
        settings["tables"] = read_tables(tables)
    if isinstance(scenario, Path):
        settings["scenario"] = scenario.stem
        own: Any = settings.get("tables")
        # Anything else is refused later, by its name.
        texts = cast("dict[str, str]", own) if isinstance(own, dict) else None
        settings["scenario_text"] = read_scenario(scenario, texts)
    return settings


def read_scenario(path: Path, tables: Mapping[str, str] | None = None) -> str:
    """Return the text of a scenario file, once it was checked under these tables."""
    text = read_text(path, "a scenario in TOML")
    try:
        _native.tidebreak_fleets(path.stem, text, tables or {})
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from error
    return text


def read_tables(folder: Path) -> dict[str, str]:
    """Return the texts of the tables in a folder by name, once all were checked together."""
    known = tuple(sorted(_native.tidebreak_table_hashes()))
    if not folder.is_dir():
        raise ConfigError(
            f"{folder} is not a folder; give one with tables such as hulls{SUFFIX} "
            f"(known: {', '.join(known)})"
        )
    files = sorted(path for path in folder.iterdir() if path.suffix == SUFFIX)
    for path in files:
        if path.stem not in known:
            raise ConfigError(
                f"{path} is no table{did_you_mean(path.stem, known)} (known: {', '.join(known)})"
            )
    if not files:
        raise ConfigError(f"{folder} has no table (known: {', '.join(known)}, each in {SUFFIX})")
    tables = {path.stem: read_text(path, "a table in TOML") for path in files}
    try:
        _native.tidebreak_fleets("duel", None, tables)
    except ConfigError as error:
        raise ConfigError(f"{folder}: {error}") from error
    return tables
