//! What never changes in a battle: package, tables and everything that follows from them.

use std::collections::BTreeMap;

use astrarium_morphospace::Space;

use crate::package::{self, Shape as GivenShape};
use crate::package::{BattlePackage, Counted, Currents, Depth, ObstacleKind, PackageError};
use crate::package::{Objective, ShipSnapshot};
use crate::resolvers::termination::ended_by;
use crate::sensing::figures::Figures;
use crate::state::Ships;
use crate::substrate;
use crate::tables::{Hull, Tables};
use crate::terrain::{Plane, Shape, Terrain};

/// What a ship is sent to achieve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Aim {
    Destroy = 0,
    Raid = 2,
    Protect = 4,
    Evade = 7,
    Deliver = 11,
}

/// One ship's objective with everything it names found.
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    /// What to do; the number is its place among the fourteen types.
    pub aim: Aim,
    /// Rows of the ships it is against.
    pub targets: Vec<u32>,
    /// Rows of the ships it is for.
    pub assets: Vec<u32>,
    /// How many of these must be lost, or kept.
    pub at_least: u32,
    /// Bits: the ways to win, by the numbers of `ended_by`, that also meet it while it is open.
    pub met_by: u8,
    /// x, y and radius of the waters it is about.
    pub zone: Option<(f32, f32, f32)>,
    /// Where to go.
    pub destination: Option<(f32, f32)>,
    /// 0..1.
    pub priority: f32,
    /// Tick by which it has to be done.
    pub deadline: u32,
}

/// A rule that settles the battle besides the usual end.
#[derive(Clone, Debug, PartialEq)]
pub struct Settlement {
    /// Row of the team that wins by it.
    pub winner: u8,
    /// What is counted.
    pub when: Counted,
    /// Among these rows.
    pub ships: Vec<u32>,
    /// At least and at most so many.
    pub count: (u32, u32),
    /// Whether it is looked at only when time is up.
    pub at_end: bool,
}

/// A zone of the map with its figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Waters {
    /// Where.
    pub shape: Shape,
    /// What is different there.
    pub kind: package::ZoneKind,
    /// How much.
    pub intensity: f32,
    /// What a current adds, metres a second.
    pub flow: (f32, f32),
}

/// Everything about a battle that stays.
#[derive(Clone, Debug)]
pub struct Setup {
    /// As it was given, in canonical order: ships by row.
    pub package: BattlePackage,
    /// The figures of the world.
    pub tables: &'static Tables,
    /// The class of each ship with what the package replaces, by row.
    pub hulls: Vec<Hull>,
    /// What each ship can sense, and how it is linked.
    pub senses: Figures,
    /// What each ship is worth, by row.
    pub values: Vec<f32>,
    /// The team of each ship, by row.
    pub teams: Vec<u8>,
    /// Morale of the faction behind each team.
    pub faction_morale: Vec<f32>,
    /// Each ship's objective, by row.
    pub goals: Vec<Option<Goal>>,
    /// Rules that settle the battle early.
    pub settlements: Vec<Settlement>,
    /// Land, depth, currents.
    pub terrain: Terrain,
    /// Zones of the map.
    pub zones: Vec<Waters>,
    /// Weather of its own, where a place has one.
    pub weather_zones: Vec<(Shape, package::WeatherState)>,
    /// Whether any water is too shallow for a hull at the surface or for a layer.
    pub shoals: bool,
    /// The fields as the battle begins; clones share what never changes.
    pub fields: Space,
    /// The sea before any hull has left its wake in it.
    pub wakes: Space,
    /// Seconds of a substep.
    pub dt: f32,
    /// Substeps of a tick.
    pub substeps: u32,
    /// Ticks until time is up.
    pub time_limit: u32,
    /// Share of the sway kept over a substep, by size.
    pub sway_keep: [f32; 4],
    /// Share of the way to the wanted yaw rate in a substep, by size.
    pub yaw_gain: [f32; 4],
    /// The greatest radius of a hull in this battle.
    pub radius_max: f32,
    /// The greatest speed of a hull in this battle.
    pub speed_max: f32,
}

impl Setup {
    /// From a package as it was sent.
    ///
    /// # Errors
    /// The first thing that is wrong with it, by its path.
    pub fn read(json: &[u8]) -> Result<Self, PackageError> {
        let tables = Tables::shipped();
        Self::new(package::read(json, tables)?)
    }

    /// From a package in canonical order.
    ///
    /// # Errors
    /// A map too large for the fields it asks for.
    pub fn new(package: BattlePackage) -> Result<Self, PackageError> {
        Self::with_tables(package, Tables::shipped())
    }

    /// From a package in canonical order that was checked against these tables.
    ///
    /// # Errors
    /// A map too large for the fields it asks for.
    pub fn with_tables(
        package: BattlePackage,
        tables: &'static Tables,
    ) -> Result<Self, PackageError> {
        let hulls: Vec<Hull> = package
            .ships
            .iter()
            .map(|ship| ship.hull(tables).expect("the package was checked against the tables"))
            .collect();
        let terrain = terrain_of(&package);
        let zones = zones_of(&package, tables);
        let sea = substrate::laid(&package, &terrain, &zones, tables)
            .and_then(|fields| Ok((substrate::unmarked(&package, &fields)?, fields)));
        let (wakes, fields) = sea.map_err(|error| PackageError {
            path: "map".to_owned(),
            problem: error.to_string(),
            fix: "take a coarser fidelity or a smaller map".to_owned(),
        })?;
        let dt = package.time_step_s as f32;
        let motion = &tables.motion;
        let decay = |seconds: f32| libm::expf(-dt / seconds);
        Ok(Self {
            senses: Figures::of(&package, &hulls, tables),
            tables,
            values: hulls.iter().map(Hull::value).collect(),
            teams: package.ships.iter().map(|ship| team_row(&package, &ship.team_id)).collect(),
            faction_morale: package
                .teams
                .iter()
                .map(|team| {
                    let usual = tables.crew.usual.faction_morale;
                    team.faction_context.as_ref().map_or(usual, |of| of.morale_state as f32)
                })
                .collect(),
            goals: goals_of(&package),
            settlements: settlements_of(&package),
            zones,
            weather_zones: package
                .map
                .weather
                .zones
                .iter()
                .map(|zone| (shape_of(&zone.shape), zone.weather))
                .collect(),
            shoals: has_shoals(&terrain, tables),
            fields,
            wakes,
            dt,
            substeps: (1.0 / package.time_step_s).round() as u32,
            time_limit: package.time_limit_s,
            sway_keep: motion.sway_decay_s.map(decay),
            yaw_gain: motion.yaw_time_s.map(|seconds| 1.0 - decay(seconds)),
            radius_max: hulls.iter().map(|hull| hull.radius_m).fold(0.0, f32::max),
            speed_max: hulls
                .iter()
                .map(|hull| hull.speed_max.iter().copied().fold(0.0, f32::max))
                .fold(0.0, f32::max),
            terrain,
            hulls,
            package,
        })
    }

    /// What moves a hull at a place besides its engines.
    #[must_use]
    pub fn current_at(&self, x: f32, y: f32) -> (f32, f32) {
        flow_at(&self.terrain, &self.zones, x, y)
    }

    /// Metres of water a hull needs where it is, or where it is going.
    #[must_use]
    pub fn depth_needed(&self, ships: &Ships, ship: usize) -> f32 {
        let layer = ships.layer[ship].max(ships.layer_next[ship]);
        self.tables.layers.depth_min_m[usize::from(layer)]
    }

    /// Whether a hull may be in a layer at a place.
    #[must_use]
    pub fn layer_open(&self, ship: usize, layer: u8, x: f32, y: f32) -> bool {
        let layer = usize::from(layer);
        layer < 3
            && self.hulls[ship].enters(layer)
            && self.package.ships[ship].capabilities.by_layer()[layer]
            && self.terrain.depth_at(x, y) >= self.tables.layers.depth_min_m[layer]
    }
}

/// The current of the map and of its zones at a place.
pub(crate) fn flow_at(terrain: &Terrain, zones: &[Waters], x: f32, y: f32) -> (f32, f32) {
    let (mut flow_x, mut flow_y) = terrain.current_at(x, y);
    for zone in zones {
        if zone.kind == package::ZoneKind::Current && zone.shape.outside(x, y).0 <= 0.0 {
            flow_x += zone.flow.0;
            flow_y += zone.flow.1;
        }
    }
    (flow_x, flow_y)
}

fn team_row(package: &BattlePackage, team: &str) -> u8 {
    package.team_row(team).expect("the package was checked: every team is there") as u8
}

fn goals_of(package: &BattlePackage) -> Vec<Option<Goal>> {
    let ids = package.ships.iter().map(|ship| ship.ship_id.as_str());
    let rows: BTreeMap<&str, u32> = ids.zip(0..).collect();
    let goal = |ship: &ShipSnapshot| {
        let given = ship.objective.as_ref()?;
        Some(goal_of(given, &rows, package.time_limit_s))
    };
    package.ships.iter().map(goal).collect()
}

fn goal_of(given: &Objective, ids: &BTreeMap<&str, u32>, time_limit: u32) -> Goal {
    let rows = |one: &Option<String>, group: &[String]| -> Vec<u32> {
        one.iter().chain(group).filter_map(|id| ids.get(id.as_str()).copied()).collect()
    };
    let aim = match given.kind.as_str() {
        "DESTROY" => Aim::Destroy,
        "PROTECT" => Aim::Protect,
        "RAID" => Aim::Raid,
        "EVADE" => Aim::Evade,
        _ => Aim::Deliver,
    };
    let targets = rows(&given.target, &given.targets);
    let assets = rows(&given.asset, &given.assets);
    let group = if aim == Aim::Protect { &assets } else { &targets };
    Goal {
        aim,
        at_least: given.at_least.unwrap_or(group.len() as u32),
        met_by: given.met_by.iter().fold(0, |bits, way| bits | ways_bit(way)),
        targets,
        assets,
        zone: given.zone.map(|zone| (zone.x as f32, zone.y as f32, zone.radius_m as f32)),
        destination: given.destination.map(|[x, y]| (x as f32, y as f32)),
        priority: given.priority as f32,
        deadline: given.deadline_s.unwrap_or(time_limit),
    }
}

/// The bit of a way to win, by its number in `ended_by`.
fn ways_bit(way: &str) -> u8 {
    ended_by::NAMES.iter().position(|name| *name == way).map_or(0, |number| 1 << number)
}

fn settlements_of(package: &BattlePackage) -> Vec<Settlement> {
    let rows = |ids: &[String]| {
        ids.iter().filter_map(|id| package.ship_row(id)).map(|row| row as u32).collect()
    };
    package
        .decided_by
        .iter()
        .map(|rule| Settlement {
            winner: team_row(package, &rule.winner),
            when: rule.when,
            ships: rows(&rule.ships),
            count: (rule.at_least, rule.at_most),
            at_end: rule.at_end,
        })
        .collect()
}

fn shape_of(given: &GivenShape) -> Shape {
    match given {
        GivenShape::Circle { x, y, radius_m } => {
            Shape::Circle { at: (*x as f32, *y as f32), radius: *radius_m as f32 }
        }
        GivenShape::Polygon { points } => {
            Shape::polygon(points.iter().map(|&[x, y]| (x as f32, y as f32)).collect())
        }
    }
}

fn waters_of(zone: &package::Zone) -> Waters {
    let (sine, cosine) = libm::sincosf(zone.heading as f32);
    let intensity = zone.intensity as f32;
    let flow = (intensity * cosine, intensity * sine);
    Waters { shape: shape_of(&zone.shape), kind: zone.kind, intensity, flow }
}

/// Zones, and soft obstacles, which slow hulls down.
fn zones_of(package: &BattlePackage, tables: &Tables) -> Vec<Waters> {
    let loss = tables.motion.soft_obstacle_loss;
    let soft = package.map.obstacles.iter().filter(|one| one.kind == ObstacleKind::Soft);
    let slow = soft.map(|obstacle| Waters {
        shape: shape_of(&obstacle.shape),
        kind: package::ZoneKind::Speed,
        intensity: 1.0 - loss * obstacle.intensity as f32,
        flow: (0.0, 0.0),
    });
    package.map.zones.iter().map(waters_of).chain(slow).collect()
}

fn terrain_of(package: &BattlePackage) -> Terrain {
    let map = &package.map;
    let cells = |side: f64, columns: u32, rows: u32, values: &[f64]| Plane::Cells {
        side: side as f32,
        columns,
        rows,
        values: values.iter().map(|&value| value as f32).collect(),
    };
    let current = match &map.currents {
        Currents::Uniform { x, y } => [Plane::Even(*x as f32), Plane::Even(*y as f32)],
        Currents::Grid { cell_m, columns, rows, x, y } => {
            [cells(*cell_m, *columns, *rows, x), cells(*cell_m, *columns, *rows, y)]
        }
    };
    let solid = map.obstacles.iter().filter(|obstacle| obstacle.kind == ObstacleKind::Solid);
    Terrain {
        min: (map.bounds.min_x as f32, map.bounds.min_y as f32),
        max: (map.bounds.max_x as f32, map.bounds.max_y as f32),
        solids: solid.map(|obstacle| shape_of(&obstacle.shape)).collect(),
        depth: match &map.depth {
            Depth::Const { depth_m } => Plane::Even(*depth_m as f32),
            Depth::Grid { cell_m, columns, rows, depth_m } => {
                cells(*cell_m, *columns, *rows, depth_m)
            }
        },
        current,
    }
}

/// Whether hulls have to look at the depth at all.
fn has_shoals(terrain: &Terrain, tables: &Tables) -> bool {
    let deepest = tables.layers.depth_min_m[2];
    match &terrain.depth {
        Plane::Even(depth) => *depth < deepest,
        Plane::Cells { values, .. } => values.iter().any(|&depth| depth < deepest),
    }
}
