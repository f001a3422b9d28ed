"""Battles of a war on their own: kept as package and result, and fought again from them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pydantic

from astrarium.campaign import shapes
from astrarium.campaign.day import Battle, Fight
from astrarium.campaign.folder import read_summary
from astrarium.campaign.plan import Plan
from astrarium.campaign.shapes import KeptBattle, WarFolderError
from astrarium.errors import ConfigError, did_you_mean
from astrarium.runs.names import METADATA, is_run_id
from astrarium.worlds.tidebreak import BattlePackage, BattleResult
from astrarium.worlds.tidebreak.package import path as field_path

_FINGERPRINT: Final = "0" * 12


def run_name(war: Path, battle: str, fingerprint: str) -> str:
    """The run that holds the replay of a battle: the observatory looks for it by this name.

    A war that is waged anew under another rule or captain has battles of the same ids; by the
    fingerprint none of them is taken for one that was recorded before.
    """
    return f"{war.absolute().name}-{battle}-{fingerprint}"


def check_name(war: Path, plan: Plan, days: int) -> None:
    """Refuse a folder whose battles could not be runs, by the longest name that one can have."""
    places = [node.id for node in plan.nodes] + [f"{a}-{b}" for a, b, _ in plan.sea.links]
    longest = run_name(war, f"d{days:03d}-{max(places, key=len)}", _FINGERPRINT)
    if not is_run_id(longest):
        raise ConfigError(
            f"{war}: a recorded battle becomes a run such as {longest!r}, and a run has 1 to 128 "
            "letters, digits, dots, dashes and underscores, beginning with a letter or digit; give "
            "the war another folder, or record nothing with --replays 0"
        )


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
    if not place.is_file():
        known = [path.stem for path in sorted((folder / "battles").glob("*.json"))]
        near = did_you_mean(name, known)
        raise WarFolderError(f"{folder} has no battle {name!r}{near}")
    kept = shapes.read(place, KeptBattle)
    if kept.id != name:
        raise WarFolderError(f"{place} is not as it was written: `$.id` is {kept.id!r}")
    try:
        package = BattlePackage.model_validate(kept.package)
        result = BattleResult.model_validate(kept.result)
    except pydantic.ValidationError as error:
        first = error.errors(include_url=False)[0]
        part = "package" if error.title == BattlePackage.__name__ else "result"
        field = f"{part}.{field_path(first['loc'])}".rstrip(".")
        raise WarFolderError(
            f"{place} is not as it was written: {first['msg']} - at `$.{field}`"
        ) from None
    return Battle(kept.id, kept.controllers, package, result)


def refight(battle: Battle, fight: Fight) -> bool:
    """Whether a battle comes out as it did."""
    (result,) = fight([battle.package], [battle.controllers])
    return result == battle.result
