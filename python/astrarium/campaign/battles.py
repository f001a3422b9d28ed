"""Battles of a war on their own: kept as package and result, and fought again from them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from astrarium.campaign.day import Battle, Fight
from astrarium.campaign.folder import WarFolderError, read_summary
from astrarium.errors import did_you_mean
from astrarium.runs.names import METADATA
from astrarium.worlds.tidebreak import BattlePackage, BattleResult


def run_name(war: Path, battle: str, fingerprint: str) -> str:
    """The run that holds the replay of a battle: the observatory looks for it by this name.

    A war that is waged anew under another rule or captain has battles of the same ids; by the
    fingerprint none of them is taken for one that was recorded before.
    """
    return f"{war.absolute().name}-{battle}-{fingerprint}"


def recorded(war: Path, runs: Path) -> dict[str, str]:
    """The battles of a war that can be watched already, and the run of each."""
    found: dict[str, str] = {}
    for battle in read_summary(war)["battles"]:
        run = run_name(war, battle["id"], battle.get("fingerprint", ""))
        if (runs / run / METADATA).is_file():
            found[battle["id"]] = run
    return found


def names(folder: Path) -> list[str]:
    """The battles a war's folder keeps, in the order they were fought."""
    return [battle["id"] for battle in read_summary(folder)["battles"]]


def largest(folder: Path, most: int) -> list[str]:
    """The battles of a war's folder with the most ships; of as large ones the earlier first."""

    def ships(battle: dict[str, Any]) -> int:
        return sum(side["ships"] for side in battle["sides"].values())

    fought = sorted(read_summary(folder)["battles"], key=ships, reverse=True)
    return [battle["id"] for battle in fought[:most]]


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
