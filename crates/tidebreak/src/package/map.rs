//! The water a battle is fought on: bounds, land, zones, currents, depth and weather.

use serde::Serialize;

/// Coordinates lie within this many metres of the origin.
pub const COORDINATE_MAX_M: f64 = 1_000_000.0;
/// Least and greatest length of a side of the map, in metres.
pub const SIDE_M: [f64; 2] = [2_000.0, 200_000.0];

/// The rectangle of the battle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it; all are metres")]
pub struct Bounds {
    pub min_x: f64,
    pub min_y: f64,
    pub max_x: f64,
    pub max_y: f64,
}

impl Bounds {
    /// Whether a point lies inside or on the rim.
    #[must_use]
    pub fn holds(&self, x: f64, y: f64) -> bool {
        (self.min_x..=self.max_x).contains(&x) && (self.min_y..=self.max_y).contains(&y)
    }
}

/// A circle or a convex polygon whose corners run counter-clockwise.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum Shape {
    Circle { x: f64, y: f64, radius_m: f64 },
    Polygon { points: Vec<[f64; 2]> },
}

impl Shape {
    /// Whether a point lies inside or on the rim.
    #[must_use]
    pub fn holds(&self, x: f64, y: f64) -> bool {
        match self {
            Self::Circle { x: cx, y: cy, radius_m } => {
                (x - cx) * (x - cx) + (y - cy) * (y - cy) <= radius_m * radius_m
            }
            Self::Polygon { points } => {
                edges(points).all(|(from, to)| cross(from, to, [x, y]) >= 0.0)
            }
        }
    }
}

pub(super) fn edges(points: &[[f64; 2]]) -> impl Iterator<Item = ([f64; 2], [f64; 2])> + '_ {
    points.iter().copied().zip(points.iter().copied().cycle().skip(1))
}

/// Above zero when `point` lies to the left of the way from `from` to `to`.
pub(super) fn cross(from: [f64; 2], to: [f64; 2], point: [f64; 2]) -> f64 {
    (to[0] - from[0]) * (point[1] - from[1]) - (to[1] - from[1]) * (point[0] - from[0])
}

/// Land or a thing that hinders.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Obstacle {
    /// Where.
    pub shape: Shape,
    /// Solid things stop hulls; soft ones slow them by up to half.
    pub kind: ObstacleKind,
    /// How much a soft one hinders, 0 to 1; 1 for a solid one.
    pub intensity: f64,
}

/// What an obstacle does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum ObstacleKind {
    Solid,
    Soft,
}

/// A part of the map where something is different.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Zone {
    /// Where.
    pub shape: Shape,
    /// What is different.
    pub kind: ZoneKind,
    /// How much: interference and hazard 0 to 1, current in m/s, speed as a factor.
    pub intensity: f64,
    /// Where a current flows to, in rad.
    pub heading: f64,
}

/// What is different in a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum ZoneKind {
    Interference,
    Hazard,
    Current,
    Speed,
}

/// How the water moves, in m/s. Grids begin at the lower left of the bounds, row by row upwards.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum Currents {
    Uniform { x: f64, y: f64 },
    Grid { cell_m: f64, columns: u32, rows: u32, x: Vec<f64>, y: Vec<f64> },
}

/// How deep the water is, in metres. Grids begin at the lower left of the bounds.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum Depth {
    Const { depth_m: f64 },
    Grid { cell_m: f64, columns: u32, rows: u32, depth_m: Vec<f64> },
}

impl Depth {
    /// The depth at a point; beyond a grid's rim that of the nearest cell.
    #[must_use]
    pub fn at(&self, bounds: &Bounds, x: f64, y: f64) -> f64 {
        match self {
            Self::Const { depth_m } => *depth_m,
            Self::Grid { cell_m, columns, rows, depth_m } => {
                // A cast saturates: points left of the grid fall into its first column.
                let column = (((x - bounds.min_x) / cell_m) as u32).min(columns - 1);
                let row = (((y - bounds.min_y) / cell_m) as u32).min(rows - 1);
                depth_m[(row * columns + column) as usize]
            }
        }
    }
}

/// The weather at one place.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct WeatherState {
    /// 0 to 9.
    pub sea_state: f64,
    /// 0 to 20.
    pub visibility_km: f64,
    /// What falls.
    pub precipitation: Precipitation,
    /// m/s.
    pub wind_x: f64,
    /// m/s.
    pub wind_y: f64,
    /// 0 to 1.
    pub lightning: f64,
}

/// What falls from the sky.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Precipitation {
    None = 0,
    Light = 1,
    Heavy = 2,
    Storm = 3,
}

/// A part of the map with weather of its own.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WeatherZone {
    /// Where.
    pub shape: Shape,
    /// What it is like there.
    pub weather: WeatherState,
}

/// A storm that moves.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it; metres and m/s")]
pub struct StormTrack {
    pub x: f64,
    pub y: f64,
    pub velocity_x: f64,
    pub velocity_y: f64,
    pub radius_m: f64,
    pub intensity: f64,
    pub profile: StormProfile,
}

/// How a storm's strength falls from its centre.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
#[allow(missing_docs, reason = "the names say it")]
pub enum StormProfile {
    Uniform = 0,
    Gradient = 1,
    Cyclonic = 2,
}

/// All weather of a map.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Weather {
    /// Where nothing else is said.
    pub initial: WeatherState,
    /// Places with weather of their own.
    pub zones: Vec<WeatherZone>,
    /// Storms.
    pub storms: Vec<StormTrack>,
}

/// The map of a battle.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BattleMap {
    /// The rectangle.
    pub bounds: Bounds,
    /// Land and the like.
    pub obstacles: Vec<Obstacle>,
    /// Places where something is different.
    pub zones: Vec<Zone>,
    /// How the water moves.
    pub currents: Currents,
    /// How deep it is.
    pub depth: Depth,
    /// The sky.
    pub weather: Weather,
    /// 0 night to 1 day.
    pub daylight: f64,
}
