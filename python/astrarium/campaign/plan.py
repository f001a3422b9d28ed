"""The plan of a war: its sea, its factions and every number of its rules, as frozen settings.

The plan that ships lies in `data/`; a key it does not know is refused by name.
"""

from __future__ import annotations

import tomllib
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Literal

import pydantic
from pydantic import Field

from astrarium.campaign.plan_checks import PlanChecks
from astrarium.errors import ConfigError
from astrarium.worlds.config import UnfitError, parse_config
from astrarium.worlds.own_files import read_text

Share = Annotated[float, Field(ge=0, le=1)]
Amount = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Amounts = dict[str, Amount]
Resource = Literal["water", "food", "fuel", "materials", "salvage", "luxuries"]
Sea = Literal["open", "shelf", "islands"]
Action = Literal["invade", "invest", "reinforce", "covert", "diplomacy", "mission"]
Government = Literal["autocracy", "corporate", "representative"]
Size = Literal["S", "M", "L", "XL"]


class Settings(pydantic.BaseModel):
    """A part of the plan."""

    model_config = pydantic.ConfigDict(frozen=True, extra="forbid")


class Opening(Settings):
    """What both factions begin with."""

    stock_days: Amount
    disposition: Annotated[float, Field(ge=-1, le=1)]
    legitimacy: Share
    political_capital: Amount
    action_points: Amount


class Scale(Settings):
    """Stretches the days before which some things are not done."""

    grace: Amount


class NodePlan(Settings):
    """A place on the map; coordinates in kilometres, y to the north."""

    id: str
    name: str
    x: float
    y: float
    sea: Sea
    wreck: bool = False


class SeaPlan(Settings):
    """How nodes are linked, in days under way."""

    wreck_salvage: Amount
    links: tuple[tuple[str, str, Annotated[int, Field(ge=1, le=3)]], ...]


class Traits(Settings):
    """What a faction is like."""

    militarism: Share
    commerce: Share
    isolation: Share
    expansion: Share
    tradition: Share


class FleetPlan(Settings):
    """A fleet at the opening."""

    id: str
    name: str
    at: str
    ships: dict[str, Annotated[int, Field(ge=1)]]


class ConvoyPlan(Settings):
    """A convoy and the route it serves."""

    id: str
    name: str
    route: tuple[str, str]
    ships: dict[str, Annotated[int, Field(ge=1)]]


class FactionPlan(Settings):
    """A faction at the opening."""

    id: str
    name: str
    colour: str
    government: Government
    doctrine: str
    traits: Traits
    seat: str
    land_yards: tuple[str, ...] = ()
    facilities: dict[str, dict[str, Annotated[int, Field(ge=1)]]]
    stations: dict[str, str]
    fleets: tuple[FleetPlan, ...]
    convoys: tuple[ConvoyPlan, ...]


class Economy(Settings):
    """Food, water, routes and what supply is worth."""

    food_per_person: Amount
    water_per_person: Amount
    luxuries_per_person: Amount
    food_spoilage: Share
    route_capacity: Amount
    raid_chance: Share
    prosperity_days: Amount
    port_reserve_days: Amount
    ship_provision_days: Amount
    ship_bunker_days: Amount
    supply_bands: tuple[tuple[Amount, Share], ...]


class Facility(Settings):
    """What one facility turns into what, a day."""

    inputs: Amounts
    outputs: Amounts
    build_points: Amount = 0.0


class Investment(Settings):
    """What a decision to invest buys."""

    materials: Amount
    facilities: Annotated[int, Field(ge=1)]


class Shipping(Settings):
    """Keeping, mending and handling ships."""

    under_way_factor: Amount
    laid_up_factor: Share
    fuel_per_day: dict[Size, Amount]
    repair_per_day: Share
    rebuild_share: Share
    recovery_per_day: Share
    withdraw_ratio: Share
    withdraw_chance: Share
    crew_skill: Share
    fit_hp: Share
    reload_materials: Amounts
    land_yard_only: tuple[str, ...]
    squadron_craft: Annotated[int, Field(ge=1)]
    craft_materials: Annotated[float, Field(gt=0, allow_inf_nan=False)]


class RelationRules(Settings):
    """What moves the disposition of two factions, and what follows from it."""

    hostile: float
    war: float
    friendly: float
    treaty_kept: float
    treaty_broken: float
    attack: tuple[Amount, Amount]
    prize: tuple[Amount, Amount]
    prize_per_day: Amount
    gift: Amount
    gift_luxuries: Amount
    trade_per_day: Amount
    ceasefire_days: int
    contest_days: int
    invasion_day: int
    alliance_day: int
    discovery_chance: Share
    sabotage: Share


class Points(Settings):
    """How action points grow."""

    per_day: Amount
    prosperity: Amount
    base: Amount
    per_node: Amount
    cap: Amount
    least_score: Amount


class GovernmentRules(Settings):
    """A form of government."""

    latency: tuple[int, int]
    capital_cap: Amount
    capital_regen: Amount
    legitimacy: Share
    fortune_factor: Amount


class Governance(Settings):
    """Legitimacy, its thresholds, and what blocs make of decisions."""

    rush_cost: Amount
    drift: Share
    prosperity: Amount
    fortune: Amount
    shortage: float
    weak: Share
    weak_efficiency: Share
    failing: Share
    failing_chance: Share
    falling: Share
    falling_days: Annotated[int, Field(ge=1)]
    new_legitimacy: Share
    supported: tuple[float, float]
    ignored: tuple[float, float]
    bloc_pull: Amount
    bloc_legitimacy: Amount


class Bloc(Settings):
    """What a part of the people wants."""

    supports: tuple[Action, ...]
    opposes: tuple[Action, ...]


class MoraleRules(Settings):
    """Morale of factions and their ships."""

    base: Share
    prosperity: Amount
    legitimacy: Amount
    memory: Share
    leadership: tuple[Amount, Amount]


class SiegeRules(Settings):
    """How a besieged place changes hands."""

    shift: Share
    population_share: Share
    troops_full: Amount
    quality: tuple[Share, Share, Share]
    opening_share: Share
    fallen_legitimacy: Share


class Ending(Settings):
    """How a war that ran its time is judged."""

    gap: Share
    port: Amount
    wreck: Amount


class BattleRules(Settings):
    """How encounters become battles of the arena."""

    fidelity: Literal["F0", "F1", "F2", "F3"]
    time_step_s: float
    time_limit_s: Annotated[int, Field(ge=60, le=7200)]
    size_m: Amount
    apart_m: Amount
    spacing_m: Amount


class Hull(Settings):
    """A class of ships."""

    size: Size
    cost: Amount
    crew: int
    marines: int
    civilians: int = 0
    hp: Amount
    fuel_t: Amount
    speed: Amount
    layers: tuple[Literal["surface", "submerged", "abyssal"], ...]
    sensors: tuple[Literal["radar", "sonar", "visual", "esm"], ...]
    squadrons: int = 0
    mounts: tuple[tuple[str, int, int], ...]

    @property
    def rounds(self) -> list[int]:
        """Full rounds by slot."""
        return [rounds for _, rounds, count in self.mounts for _ in range(count)]

    @property
    def weapons(self) -> list[str]:
        """Weapons by slot."""
        return [weapon for weapon, _, count in self.mounts for _ in range(count)]

    @property
    def people(self) -> int:
        """Crew and marines of a full ship."""
        return self.crew + self.marines


class Plan(Settings):
    """Everything a war is fought by."""

    version: Literal[1]
    resources: tuple[Resource, ...]
    opening: Opening
    scale: Scale
    nodes: tuple[NodePlan, ...]
    sea: SeaPlan
    factions: Annotated[tuple[FactionPlan, ...], Field(min_length=2, max_length=2)]
    economy: Economy
    facilities: dict[str, Facility]
    investment: Investment
    shipping: Shipping
    wanted: Amounts
    relations: RelationRules
    points: Points
    actions: dict[Action, Amount]
    governments: dict[Government, GovernmentRules]
    governance: Governance
    blocs: dict[str, Bloc]
    morale: MoraleRules
    siege: SiegeRules
    ending: Ending
    battle: BattleRules
    hulls: dict[str, Hull]

    @pydantic.model_validator(mode="after")
    def _names_are_known(self) -> Plan:
        """Refuse a place, hull or facility that the plan does not describe."""
        problems = PlanChecks(self).problems
        if problems:
            raise UnfitError(problems)
        return self

    def faction(self, name: str) -> FactionPlan:
        """A faction by its id."""
        return next(faction for faction in self.factions if faction.id == name)

    def enemy(self, name: str) -> str:
        """The other faction."""
        return next(faction.id for faction in self.factions if faction.id != name)


def shipped() -> dict[str, Any]:
    """The plan that ships, as plain values."""
    folder = resources.files("astrarium.campaign") / "data"
    war = tomllib.loads((folder / "war.toml").read_text("utf-8"))
    hulls = tomllib.loads((folder / "hulls.toml").read_text("utf-8"))
    return {**war, "hulls": hulls["hulls"]}


def read(path: Path) -> dict[str, Any]:
    """Return the plan in a TOML file as plain values, with the hulls that ship unless it has some.

    Raises a `ConfigError` that names the file, and the line or key that is wrong.
    """
    text = read_text(path, "a plan of a war in TOML")
    try:
        given = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(f"{path} is not TOML: {error}") from error
    whole = {"hulls": shipped()["hulls"], **given}
    parse_config(Plan, whole, where=str(path))
    return whole


def load(given: dict[str, Any] | None = None) -> Plan:
    """A plan from plain values, or the one that ships."""
    return parse_config(Plan, shipped() if given is None else given, where="campaign")
