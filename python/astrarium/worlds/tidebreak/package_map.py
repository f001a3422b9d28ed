"""The water of a battle package: bounds, land, zones, currents, depth and weather."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import pydantic
from pydantic import Field, StrictFloat, StrictInt

COORDINATE_MAX_M: Final = 1_000_000.0
"""Coordinates lie within this many metres of the origin."""


class Part(pydantic.BaseModel):
    """A part of a package or result: cannot be changed, ignores fields it does not know."""

    model_config = pydantic.ConfigDict(
        frozen=True, extra="ignore", allow_inf_nan=False, populate_by_name=True
    )


Coordinate = Annotated[StrictFloat, Field(ge=-COORDINATE_MAX_M, le=COORDINATE_MAX_M)]
Share = Annotated[StrictFloat, Field(ge=0.0, le=1.0)]
Angle = Annotated[StrictFloat, Field(ge=-3.141592653589793, le=3.141592653589793)]
Flow = Annotated[StrictFloat, Field(ge=-10.0, le=10.0)]
Speed = Annotated[StrictFloat, Field(ge=-60.0, le=60.0)]
Radius = Annotated[StrictFloat, Field(ge=1.0, le=COORDINATE_MAX_M)]
Point = tuple[Coordinate, Coordinate]
GridCell = Annotated[StrictFloat, Field(ge=10.0, le=200_000.0)]
GridSide = Annotated[StrictInt, Field(ge=1, le=512)]
Metres = Annotated[StrictFloat, Field(ge=0.0, le=10_000.0)]


class Bounds(Part):
    """The rectangle of the battle, each side 2,000 to 200,000 m long."""

    min_x: Coordinate
    min_y: Coordinate
    max_x: Coordinate
    max_y: Coordinate


class Circle(Part):
    """A round shape."""

    kind: Literal["circle"]
    x: Coordinate
    y: Coordinate
    radius_m: Radius


class Polygon(Part):
    """A convex shape; its corners run round the rim."""

    kind: Literal["polygon"]
    points: Annotated[tuple[Point, ...], Field(min_length=3, max_length=32)]


Shape = Annotated[Circle | Polygon, Field(discriminator="kind")]


class Obstacle(Part):
    """Solid things stop hulls; soft ones slow them by up to half."""

    shape: Shape
    kind: Literal["solid", "soft"]
    intensity: Share = 1.0


class Zone(Part):
    """A part of the map where something is different.

    `intensity` is 0 to 1, a factor of speed, or a current in m/s that flows towards `heading`.
    """

    shape: Shape
    kind: Literal["interference", "hazard", "current", "speed"]
    intensity: Annotated[StrictFloat, Field(ge=0.0, le=10.0)]
    heading: Angle = 0.0


class UniformCurrents(Part):
    """The same current everywhere, in m/s."""

    kind: Literal["uniform"]
    x: Flow
    y: Flow


class GridCurrents(Part):
    """A current per cell, row by row from the lower left."""

    kind: Literal["grid"]
    cell_m: GridCell
    columns: GridSide
    rows: GridSide
    x: tuple[Flow, ...]
    y: tuple[Flow, ...]


class ConstDepth(Part):
    """The same depth everywhere."""

    kind: Literal["const"]
    depth_m: Metres


class GridDepth(Part):
    """A depth per cell, row by row from the lower left."""

    kind: Literal["grid"]
    cell_m: GridCell
    columns: GridSide
    rows: GridSide
    depth_m: tuple[Metres, ...]


class WeatherState(Part):
    """The weather at one place."""

    sea_state: Annotated[StrictFloat, Field(ge=0.0, le=9.0)]
    visibility_km: Annotated[StrictFloat, Field(ge=0.0, le=20.0)]
    precipitation: Literal["none", "light", "heavy", "storm"]
    wind_x: Speed
    wind_y: Speed
    lightning: Share


class WeatherZone(Part):
    """A part of the map with weather of its own."""

    shape: Shape
    weather: WeatherState


class StormTrack(Part):
    """A storm that moves."""

    x: Coordinate
    y: Coordinate
    velocity_x: Speed
    velocity_y: Speed
    radius_m: Annotated[StrictFloat, Field(ge=1.0, le=200_000.0)]
    intensity: Share
    profile: Literal["uniform", "gradient", "cyclonic"]


class Weather(Part):
    """All weather of a map."""

    initial: WeatherState
    zones: Annotated[tuple[WeatherZone, ...], Field(max_length=1024)]
    storms: Annotated[tuple[StormTrack, ...], Field(max_length=8)]


class BattleMap(Part):
    """The map of a battle; `daylight` runs from 0 at night to 1."""

    bounds: Bounds
    obstacles: Annotated[tuple[Obstacle, ...], Field(max_length=1024)]
    zones: Annotated[tuple[Zone, ...], Field(max_length=1024)]
    currents: Annotated[UniformCurrents | GridCurrents, Field(discriminator="kind")]
    depth: Annotated[ConstDepth | GridDepth, Field(discriminator="kind")]
    weather: Weather
    daylight: Share
