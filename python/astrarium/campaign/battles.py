"""Battles of a war on their own: kept as package and result, and fought again from them."""

from __future__ import annotations

import json
from pathlib import Path

from astrarium.campaign.day import Battle, Fight
from astrarium.campaign.folder import WarFolderError
from astrarium.errors import ConfigError, did_you_mean
from astrarium.worlds.tidebreak import BattlePackage, BattleResult
from astrarium.worlds.tidebreak.names import DOCTRINES


def doctrine(name: str) -> str:
    """A doctrine's name, if there is one like it."""
    if name not in DOCTRINES:
        near = did_you_mean(name, DOCTRINES)
        raise ConfigError(f"doctrine {name!r} is not known{near} ({', '.join(DOCTRINES)})")
    return name


def read(folder: Path, name: str) -> Battle:
    """A battle as the war's folder keeps it."""
    place = folder / "battles" / f"{name}.json"
    try:
        kept = json.loads(place.read_text("utf-8"))
    except FileNotFoundError:
        known = [path.stem for path in sorted((folder / "battles").glob("*.json"))]
        near = did_you_mean(name, known)
        raise WarFolderError(f"{folder} has no battle {name!r}{near}") from None
    return Battle(
        kept["id"],
        kept["controllers"],
        BattlePackage.model_validate(kept["package"]),
        BattleResult.model_validate(kept["result"]),
    )


def refight(battle: Battle, fight: Fight) -> bool:
    """Whether a battle comes out as it did."""
    (result,) = fight([battle.package], [battle.controllers])
    return result == battle.result
