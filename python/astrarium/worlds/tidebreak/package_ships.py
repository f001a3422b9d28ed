"""Ships of a battle package, as they enter the battle."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StrictBool, StrictFloat, StrictInt, StringConstraints

from astrarium.worlds.tidebreak.package_map import Angle, Coordinate, Part, Point, Radius, Share

Name = Annotated[str, StringConstraints(strict=True, min_length=1, max_length=64)]
People = Annotated[StrictInt, Field(ge=0, le=1_000_000)]
LayerSpeed = Annotated[StrictFloat, Field(ge=0.0, le=60.0)]


def _figure(least: float, most: float) -> Any:
    return Field(default=None, ge=least, le=most)


class HullOverrides(Part):
    """Figures of the class that this one hull replaces."""

    size: Literal["S", "M", "L", "XL"] | None = None
    radius_m: StrictFloat | None = _figure(1.0, 1_000.0)
    mass_t: StrictFloat | None = _figure(0.1, 1e7)
    speed_max: tuple[LayerSpeed, LayerSpeed, LayerSpeed] | None = None
    accel: StrictFloat | None = _figure(0.0, 20.0)
    turn_rate: StrictFloat | None = _figure(0.0, 3.141592653589793)
    hp: StrictFloat | None = _figure(1.0, 1e6)
    armour: StrictFloat | None = _figure(0.0, 1_000.0)
    fuel_t: StrictFloat | None = _figure(0.001, 1e6)
    burn_kg_s: StrictFloat | None = _figure(0.0, 1_000.0)
    radar_factor: StrictFloat | None = _figure(0.01, 10.0)
    noise_db: StrictFloat | None = _figure(0.0, 200.0)


class Capabilities(Part):
    """Layers the hull may enter in this battle."""

    can_surface: StrictBool
    can_submerge: StrictBool
    can_abyssal: StrictBool


class WeaponSnapshot(Part):
    """One mount and what is in it."""

    slot: Annotated[StrictInt, Field(ge=0, le=255)]
    weapon: Name
    rounds_loaded: Annotated[StrictInt, Field(ge=0, le=10_000)]
    condition: Share


class CrewSnapshot(Part):
    """The people who fight the ship; skills run from 0 to 1."""

    fit: People
    wounded: People
    marines: People
    gunnery: Share
    engineering: Share
    morale: Share
    fatigue: Share


class SquadronSnapshot(Part):
    """Craft aboard."""

    squadron_id: Name
    craft: Annotated[StrictInt, Field(ge=0, le=12)]
    mission: Literal["cap", "strike", "scout", "asw"]


class InitialState(Part):
    """Where the ship is when the battle begins: metres, radians, m/s."""

    x: Coordinate
    y: Coordinate
    heading: Angle
    speed: Annotated[StrictFloat, Field(ge=-60.0, le=60.0)]
    layer: Literal["surface", "submerged", "abyssal"]
    hp: Annotated[StrictFloat, Field(ge=0.001, le=1e6)]


class ObjectiveZone(Part):
    """Waters that an objective is about."""

    x: Coordinate
    y: Coordinate
    radius_m: Radius


class Objective(Part):
    """What a ship is sent to achieve.

    `targets` and `assets` name a group in the place of one ship. `at_least` of the targets must be
    lost, or of the assets kept; all of them by default. A win of the ship's side in a way that
    `met_by` lists also meets an objective that is still open.
    """

    type: Literal["DESTROY", "PROTECT", "RAID", "EVADE", "DELIVER"]
    target: Name | None = None
    asset: Name | None = None
    targets: Annotated[tuple[Name, ...], Field(max_length=64)] = ()
    assets: Annotated[tuple[Name, ...], Field(max_length=64)] = ()
    at_least: Annotated[StrictInt, Field(ge=0, le=64)] | None = None
    met_by: Annotated[
        tuple[Literal["annihilation", "objective", "time_limit"], ...], Field(max_length=3)
    ] = ("annihilation",)
    zone: ObjectiveZone | None = None
    destination: Point | None = None
    priority: Share = 1.0
    deadline_s: Annotated[StrictInt, Field(ge=0, le=7_200)] | None = None


class ShipSnapshot(Part):
    """One ship or platform. The last four fields belong to later majors and change nothing yet."""

    ship_id: Name
    team_id: Name
    hull_class: Name
    hull_overrides: HullOverrides | None = None
    capabilities: Capabilities
    sensors: Annotated[tuple[Literal["radar", "sonar", "visual", "esm"], ...], Field(max_length=4)]
    weapons: Annotated[tuple[WeaponSnapshot, ...], Field(max_length=32)]
    decoys: Annotated[StrictInt, Field(ge=0, le=255)]
    link_tier: Annotated[StrictInt, Field(ge=0, le=3)]
    crew: CrewSnapshot
    passengers: People
    cargo: dict[str, Annotated[StrictFloat, Field(ge=0.0, le=1e9)]]
    fuel_t: Annotated[StrictFloat, Field(ge=0.0, le=1e6)]
    squadrons: Annotated[tuple[SquadronSnapshot, ...], Field(max_length=16)]
    initial_state: InitialState
    objective: Objective | None = None
    fleet_id: Name | None = None
    is_flagship: StrictBool
    supply: dict[str, Any] | None = None
    damage_state: dict[str, Any] | None = None
    leadership: dict[str, Any] | None = None
    siege_state: dict[str, Any] | None = None
