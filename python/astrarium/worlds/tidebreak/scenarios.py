"""What battles are made of: scenarios from which a seed draws one, and whole ships of a class."""

from __future__ import annotations

from pathlib import Path

from astrarium import _native
from astrarium.errors import ConfigError, did_you_mean
from astrarium.worlds import arguments
from astrarium.worlds.tidebreak.own_files import read_scenario
from astrarium.worlds.tidebreak.package import BattlePackage
from astrarium.worlds.tidebreak.package_ships import ShipSnapshot


def shipped_scenarios() -> dict[str, str]:
    """What each shipped scenario is about, by its name; the steps of the curriculum come first."""
    return dict(_native.tidebreak_abouts())


def ship(hull_class: str, *, ship_id: str, team_id: str) -> ShipSnapshot:
    """A whole, full ship of a class with its usual people, at rest in the middle of the map.

    `model_copy(update=...)` makes of it what a battle needs.
    """
    classes = _native.tidebreak_classes()
    if hull_class not in classes:
        near = did_you_mean(hull_class, classes)
        raise ConfigError(f"no hull class is called {hull_class!r}{near}")
    whole = ShipSnapshot.model_validate_json(classes[hull_class])
    return whole.model_copy(update={"ship_id": ship_id, "team_id": team_id})


def draw(scenario: str | Path, seed: int) -> BattlePackage:
    """The battle that a seed draws from a shipped scenario, or from a file. Seed 0 draws as 1."""
    text = read_scenario(scenario) if isinstance(scenario, Path) else None
    name = scenario.stem if isinstance(scenario, Path) else scenario
    json = _native.tidebreak_package(name, arguments.seed(seed), text)
    return BattlePackage.model_validate_json(json)
