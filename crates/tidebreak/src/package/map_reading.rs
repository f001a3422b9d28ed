//! How the map of a package is read.

use super::map::{
    BattleMap, Bounds, COORDINATE_MAX_M, Currents, Depth, Obstacle, ObstacleKind, Precipitation,
    SIDE_M, Shape, StormProfile, StormTrack, Weather, WeatherState, WeatherZone, Zone, ZoneKind,
    cross, edges,
};
use super::reading::{Fields, Node, Reading};
use super::ships::angle;

/// The most corners of a polygon.
const CORNERS_MAX: usize = 32;
/// The most obstacles, and the most zones.
const SHAPES_MAX: usize = 1_024;
/// The most cells along a side of a grid of currents or depths.
const GRID_SIDE_MAX: u32 = 512;
/// The fastest current, in m/s.
const FLOW_MAX: f64 = 10.0;

fn coordinate(node: Node<'_, '_>) -> Reading<f64> {
    node.number(-COORDINATE_MAX_M..=COORDINATE_MAX_M)
}

fn share(node: Node<'_, '_>) -> Reading<f64> {
    node.number(0.0..=1.0)
}

impl BattleMap {
    pub(super) fn read(node: Node<'_, '_>) -> Reading<Self> {
        let map = node.object()?;
        Ok(Self {
            bounds: map.need("bounds", read_bounds)?,
            obstacles: map.need("obstacles", |node| node.list(0, SHAPES_MAX, read_obstacle))?,
            zones: map.need("zones", |node| node.list(0, SHAPES_MAX, read_zone))?,
            currents: map.need("currents", read_currents)?,
            depth: map.need("depth", read_depth)?,
            weather: map.need("weather", read_weather)?,
            daylight: map.need("daylight", share)?,
        })
    }
}

fn read_bounds(node: Node<'_, '_>) -> Reading<Bounds> {
    let fields = node.object()?;
    let bounds = Bounds {
        min_x: fields.need("min_x", coordinate)?,
        min_y: fields.need("min_y", coordinate)?,
        max_x: fields.need("max_x", coordinate)?,
        max_y: fields.need("max_y", coordinate)?,
    };
    let sides = [bounds.max_x - bounds.min_x, bounds.max_y - bounds.min_y];
    if sides.iter().any(|side| !(SIDE_M[0]..=SIDE_M[1]).contains(side)) {
        return Err(node.path.refuse(
            format!("the map is {} by {} m", sides[0], sides[1]),
            "make each side 2,000 to 200,000 m long",
        ));
    }
    Ok(bounds)
}

fn read_shape(node: Node<'_, '_>) -> Reading<Shape> {
    let fields = node.object()?;
    match fields.need("kind", |node| node.one_of("shape", &["circle", "polygon"]))? {
        0 => Ok(Shape::Circle {
            x: fields.need("x", coordinate)?,
            y: fields.need("y", coordinate)?,
            radius_m: fields.need("radius_m", |node| node.number(1.0..=COORDINATE_MAX_M))?,
        }),
        _ => fields.need("points", read_corners).map(|points| Shape::Polygon { points }),
    }
}

fn read_corners(node: Node<'_, '_>) -> Reading<Vec<[f64; 2]>> {
    let span = -COORDINATE_MAX_M..=COORDINATE_MAX_M;
    let mut points = node.list(3, CORNERS_MAX, |node| node.numbers::<2>(span.clone()))?;
    let turns: Vec<f64> = (0..points.len())
        .map(|corner| {
            let next = (corner + 1) % points.len();
            let after = (corner + 2) % points.len();
            cross(points[corner], points[next], points[after])
        })
        .collect();
    if turns.iter().all(|turn| *turn < 0.0) {
        points.reverse();
    } else if !turns.iter().all(|turn| *turn > 0.0) || winds_twice(&points) {
        return Err(node.path.refuse(
            "is no convex polygon",
            "list the corners round the rim, without dents and without three in a line",
        ));
    }
    Ok(points)
}

/// A star turns the same way at every corner and yet crosses itself: then some corner lies outside.
fn winds_twice(points: &[[f64; 2]]) -> bool {
    edges(points).any(|(from, to)| points.iter().any(|&point| cross(from, to, point) < 0.0))
}

fn read_obstacle(node: Node<'_, '_>) -> Reading<Obstacle> {
    let fields = node.object()?;
    let shape = fields.need("shape", read_shape)?;
    let kind = match fields.need("kind", |node| node.one_of("obstacle", &["solid", "soft"]))? {
        0 => ObstacleKind::Solid,
        _ => ObstacleKind::Soft,
    };
    let intensity = fields.or("intensity", 1.0, share)?;
    Ok(Obstacle { shape, kind, intensity })
}

fn read_zone(node: Node<'_, '_>) -> Reading<Zone> {
    let kinds = ["interference", "hazard", "current", "speed"];
    let fields = node.object()?;
    let shape = fields.need("shape", read_shape)?;
    let kind = match fields.need("kind", |node| node.one_of("zone", &kinds))? {
        0 => ZoneKind::Interference,
        1 => ZoneKind::Hazard,
        2 => ZoneKind::Current,
        _ => ZoneKind::Speed,
    };
    let most = if kind == ZoneKind::Current { FLOW_MAX } else { 1.0 };
    Ok(Zone {
        shape,
        kind,
        intensity: fields.need("intensity", |node| node.number(0.0..=most))?,
        heading: fields.or("heading", 0.0, angle)?,
    })
}

/// The cell, the columns and the rows of a grid.
fn read_grid(fields: Fields<'_, '_>) -> Reading<(f64, u32, u32)> {
    let side = |node: Node<'_, '_>| Ok(node.integer(1..=u64::from(GRID_SIDE_MAX))? as u32);
    Ok((
        fields.need("cell_m", |node| node.number(10.0..=SIDE_M[1]))?,
        fields.need("columns", side)?,
        fields.need("rows", side)?,
    ))
}

fn read_currents(node: Node<'_, '_>) -> Reading<Currents> {
    let flow = |node: Node<'_, '_>| node.number(-FLOW_MAX..=FLOW_MAX);
    let fields = node.object()?;
    if fields.need("kind", |node| node.one_of("kind of currents", &["uniform", "grid"]))? == 0 {
        return Ok(Currents::Uniform { x: fields.need("x", flow)?, y: fields.need("y", flow)? });
    }
    let (cell_m, columns, rows) = read_grid(fields)?;
    let cells = (columns * rows) as usize;
    Ok(Currents::Grid {
        cell_m,
        columns,
        rows,
        x: fields.need("x", |node| node.list(cells, cells, flow))?,
        y: fields.need("y", |node| node.list(cells, cells, flow))?,
    })
}

fn read_depth(node: Node<'_, '_>) -> Reading<Depth> {
    let metres = |node: Node<'_, '_>| node.number(0.0..=10_000.0);
    let fields = node.object()?;
    if fields.need("kind", |node| node.one_of("kind of depth", &["const", "grid"]))? == 0 {
        return Ok(Depth::Const { depth_m: fields.need("depth_m", metres)? });
    }
    let (cell_m, columns, rows) = read_grid(fields)?;
    let cells = (columns * rows) as usize;
    let depth_m = fields.need("depth_m", |node| node.list(cells, cells, metres))?;
    Ok(Depth::Grid { cell_m, columns, rows, depth_m })
}

fn read_weather(node: Node<'_, '_>) -> Reading<Weather> {
    let fields = node.object()?;
    Ok(Weather {
        initial: fields.need("initial", read_weather_state)?,
        zones: fields.need("zones", |node| node.list(0, SHAPES_MAX, read_weather_zone))?,
        storms: fields.need("storms", |node| node.list(0, 8, read_storm))?,
    })
}

fn read_weather_state(node: Node<'_, '_>) -> Reading<WeatherState> {
    let rains = ["none", "light", "heavy", "storm"];
    let wind = |node: Node<'_, '_>| node.number(-60.0..=60.0);
    let fields = node.object()?;
    Ok(WeatherState {
        sea_state: fields.need("sea_state", |node| node.number(0.0..=9.0))?,
        visibility_km: fields.need("visibility_km", |node| node.number(0.0..=20.0))?,
        precipitation: match fields
            .need("precipitation", |node| node.one_of("precipitation", &rains))?
        {
            0 => Precipitation::None,
            1 => Precipitation::Light,
            2 => Precipitation::Heavy,
            _ => Precipitation::Storm,
        },
        wind_x: fields.need("wind_x", wind)?,
        wind_y: fields.need("wind_y", wind)?,
        lightning: fields.need("lightning", share)?,
    })
}

fn read_weather_zone(node: Node<'_, '_>) -> Reading<WeatherZone> {
    let fields = node.object()?;
    Ok(WeatherZone {
        shape: fields.need("shape", read_shape)?,
        weather: fields.need("weather", read_weather_state)?,
    })
}

fn read_storm(node: Node<'_, '_>) -> Reading<StormTrack> {
    let profiles = ["uniform", "gradient", "cyclonic"];
    let speed = |node: Node<'_, '_>| node.number(-60.0..=60.0);
    let fields = node.object()?;
    Ok(StormTrack {
        x: fields.need("x", coordinate)?,
        y: fields.need("y", coordinate)?,
        velocity_x: fields.need("velocity_x", speed)?,
        velocity_y: fields.need("velocity_y", speed)?,
        radius_m: fields.need("radius_m", |node| node.number(1.0..=SIDE_M[1]))?,
        intensity: fields.need("intensity", share)?,
        profile: match fields.need("profile", |node| node.one_of("storm profile", &profiles))? {
            0 => StormProfile::Uniform,
            1 => StormProfile::Gradient,
            _ => StormProfile::Cyclonic,
        },
    })
}
