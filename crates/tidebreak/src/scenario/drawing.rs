//! What a seed decides about a battle: places, water, land and weather.

use std::cell::Cell;
use std::f64::consts::{PI, TAU};

use super::file::{
    Falling, FogDraw, Group, Islands, Range, ScenarioFile, Shelf, Side, StormDraw, StormWord,
    ZoneDraw, ZoneWord,
};
use crate::draws::{Draw, Draws};
use crate::package::{
    BattleMap, Bounds, Currents, Depth, Obstacle, ObstacleKind, Precipitation, Shape, ShipSnapshot,
    StormProfile, StormTrack, Weather, WeatherState, WeatherZone, Zone, ZoneKind,
};

/// Subjects of the draws that are not about one ship.
const AXIS: u32 = 1 << 16;
const WEATHER: u32 = AXIS + 1;
const CURRENTS: u32 = AXIS + 2;
const ISLANDS: u32 = AXIS + 3;
const ZONES: u32 = AXIS + 4;
const FOG: u32 = AXIS + 5;
const STORMS: u32 = AXIS + 6;

/// Side of the cells in which a shelf is drawn.
const SHELF_CELL_M: f64 = 500.0;
/// A map too full for another island goes without.
const ISLAND_TRIES: u32 = 64;

/// Where draws come from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Luck {
    /// Stream 0 of a seed.
    Seeded(u64),
    /// The least of every range.
    Least,
    /// The most of every range.
    Most,
}

/// Draws of one subject, one after the other.
struct Hand {
    luck: Luck,
    subject: u32,
    next: Cell<u32>,
}

impl Hand {
    fn unit(&self) -> f64 {
        let index = self.next.get();
        self.next.set(index + 1);
        match self.luck {
            Luck::Seeded(seed) => {
                f64::from(Draws::of(seed).unit(Draw::Scenario, self.subject, 0, index))
            }
            Luck::Least => 0.0,
            Luck::Most => 1.0,
        }
    }

    fn within(&self, [from, to]: Range) -> f64 {
        from + (to - from) * self.unit()
    }

    fn count(&self, [from, to]: [u32; 2]) -> u32 {
        let more = ((f64::from(to.saturating_sub(from)) + 1.0) * self.unit()) as u32;
        (from + more).min(to.max(from))
    }

    /// A vector of a length from the range, in any direction.
    fn vector(&self, length: Range) -> [f64; 2] {
        let (length, angle) = (self.within(length), TAU * self.unit());
        [length * libm::cos(angle), length * libm::sin(angle)]
    }
}

/// The battle of one seed.
pub(super) struct Drawing<'f> {
    file: &'f ScenarioFile,
    luck: Luck,
    bearing: f64,
    distance_m: f64,
}

impl<'f> Drawing<'f> {
    pub(super) fn of(file: &'f ScenarioFile, luck: Luck) -> Self {
        let axis = Hand { luck, subject: AXIS, next: Cell::new(0) };
        Self {
            file,
            luck,
            bearing: axis.within(file.bearing_deg).to_radians(),
            distance_m: axis.within(file.distance_m),
        }
    }

    fn hand(&self, subject: u32) -> Hand {
        Hand { luck: self.luck, subject, next: Cell::new(0) }
    }

    /// Puts the ship where its group lies, as its team sees the enemy.
    pub(super) fn place(&self, ship: &mut ShipSnapshot, row: u32, group: &Group, within: u32) {
        let hand = self.hand(row);
        let first_team = ship.team_id == self.file.team[0].id;
        let facing = if first_team { self.bearing } else { self.bearing + PI };
        let (ahead_x, ahead_y) = (libm::cos(facing), libm::sin(facing));
        let abreast = f64::from(within) - f64::from(group.count - 1) / 2.0;
        let jitter = [-group.jitter_m, group.jitter_m];
        let ahead = group.ahead_m - self.distance_m / 2.0 + hand.within(jitter);
        let aside = group.aside_m + abreast * group.spacing_m + hand.within(jitter);
        let state = &mut ship.initial_state;
        state.x = tenths(self.file.centre_m[0] + ahead * ahead_x - aside * ahead_y);
        state.y = tenths(self.file.centre_m[1] + ahead * ahead_y + aside * ahead_x);
        state.heading = wrapped(facing + hand.within(group.heading_deg).to_radians());
    }

    /// The water around the ships.
    pub(super) fn map(&self, ships: &[ShipSnapshot]) -> BattleMap {
        let [half_x, half_y] = self.file.size_m.map(|side| side / 2.0);
        let bounds = Bounds { min_x: -half_x, min_y: -half_y, max_x: half_x, max_y: half_y };
        let currents = self
            .file
            .currents
            .as_ref()
            .map_or([0.0; 2], |currents| self.hand(CURRENTS).vector(currents.speed));
        BattleMap {
            bounds,
            obstacles: self
                .file
                .islands
                .as_ref()
                .map_or_else(Vec::new, |islands| self.islands(islands, ships, &bounds)),
            zones: self.zones(&bounds),
            currents: Currents::Uniform { x: currents[0], y: currents[1] },
            depth: self
                .file
                .shelf
                .as_ref()
                .map_or(Depth::Const { depth_m: self.file.depth_m }, |shelf| {
                    self.shelf(shelf, &bounds)
                }),
            weather: self.weather(&bounds),
            daylight: self.file.weather.daylight,
        }
    }

    fn islands(&self, islands: &Islands, ships: &[ShipSnapshot], bounds: &Bounds) -> Vec<Obstacle> {
        let hand = self.hand(ISLANDS);
        let wanted = hand.count(islands.count) as usize;
        let mut land: Vec<(f64, f64, f64)> = Vec::with_capacity(wanted);
        let mut tries = 0;
        while land.len() < wanted && tries < ISLAND_TRIES {
            tries += 1;
            let (x, y) = somewhere(&hand, bounds);
            let radius = tenths(hand.within(islands.radius_m));
            let far = |x2: f64, y2: f64, least: f64| libm::hypot(x - x2, y - y2) >= least;
            let clear = radius + islands.keep_clear_m;
            let clear_of_ships =
                ships.iter().all(|ship| far(ship.initial_state.x, ship.initial_state.y, clear));
            // A strait that no hull fits through would be a trap.
            let clear_of_land = land.iter().all(|&(x2, y2, r2)| far(x2, y2, radius + r2 + 600.0));
            if clear_of_ships && clear_of_land {
                land.push((x, y, radius));
            }
        }
        let island = |(x, y, radius_m)| Obstacle {
            shape: Shape::Circle { x, y, radius_m },
            kind: ObstacleKind::Solid,
            intensity: 1.0,
        };
        land.into_iter().map(island).collect()
    }

    fn zones(&self, bounds: &Bounds) -> Vec<Zone> {
        let hand = self.hand(ZONES);
        let zone = |line: &ZoneDraw| Zone {
            shape: round_patch(&hand, bounds, line.radius_m),
            kind: match line.kind {
                ZoneWord::Interference => ZoneKind::Interference,
                ZoneWord::Hazard => ZoneKind::Hazard,
                ZoneWord::Current => ZoneKind::Current,
                ZoneWord::Speed => ZoneKind::Speed,
            },
            intensity: hand.within(line.intensity),
            heading: wrapped(TAU * hand.unit()),
        };
        let lines = self.file.zone.iter();
        lines.flat_map(|line| (0..hand.count(line.count)).map(move |_| line)).map(zone).collect()
    }

    fn shelf(&self, shelf: &Shelf, bounds: &Bounds) -> Depth {
        let cells = |side: f64| libm::ceil(side / SHELF_CELL_M) as u32;
        let (columns, rows) = (cells(self.file.size_m[0]), cells(self.file.size_m[1]));
        let depth_of = |row: u32| {
            let y = bounds.min_y + (f64::from(row) + 0.5) * SHELF_CELL_M;
            let from_shore = match shelf.side {
                Side::North => bounds.max_y - y,
                Side::South => y - bounds.min_y,
            };
            if from_shore < shelf.shallows_width_m {
                shelf.shallows_depth_m
            } else if from_shore < shelf.width_m {
                shelf.depth_m
            } else {
                self.file.depth_m
            }
        };
        let depth_m =
            (0..rows).flat_map(|row| std::iter::repeat_n(depth_of(row), columns as usize));
        Depth::Grid { cell_m: SHELF_CELL_M, columns, rows, depth_m: depth_m.collect() }
    }

    fn weather(&self, bounds: &Bounds) -> Weather {
        let (hand, line) = (self.hand(WEATHER), &self.file.weather);
        let [wind_x, wind_y] = hand.vector(line.wind);
        let initial = WeatherState {
            sea_state: tenths(hand.within(line.sea_state)),
            visibility_km: tenths(hand.within(line.visibility_km)),
            precipitation: match line.precipitation {
                Falling::None => Precipitation::None,
                Falling::Light => Precipitation::Light,
                Falling::Heavy => Precipitation::Heavy,
                Falling::Storm => Precipitation::Storm,
            },
            wind_x,
            wind_y,
            lightning: line.lightning,
        };
        let hand = self.hand(FOG);
        let bank = |line: &FogDraw| WeatherZone {
            shape: round_patch(&hand, bounds, line.radius_m),
            weather: WeatherState { visibility_km: hand.within(line.visibility_km), ..initial },
        };
        let lines = self.file.fog.iter();
        let banks = lines.flat_map(|line| (0..hand.count(line.count)).map(move |_| line)).map(bank);
        Weather { initial, zones: banks.collect(), storms: self.storms() }
    }

    fn storms(&self) -> Vec<StormTrack> {
        let hand = self.hand(STORMS);
        let storm = |line: &StormDraw| {
            let [velocity_x, velocity_y] = hand.vector(line.speed);
            StormTrack {
                x: tenths(hand.within(line.x)),
                y: tenths(hand.within(line.y)),
                velocity_x,
                velocity_y,
                radius_m: tenths(hand.within(line.radius_m)),
                intensity: hand.within(line.intensity),
                profile: match line.profile {
                    StormWord::Uniform => StormProfile::Uniform,
                    StormWord::Gradient => StormProfile::Gradient,
                    StormWord::Cyclonic => StormProfile::Cyclonic,
                },
            }
        };
        self.file.storm.iter().map(storm).collect()
    }
}

fn somewhere(hand: &Hand, bounds: &Bounds) -> (f64, f64) {
    (
        tenths(hand.within([bounds.min_x, bounds.max_x])),
        tenths(hand.within([bounds.min_y, bounds.max_y])),
    )
}

fn round_patch(hand: &Hand, bounds: &Bounds, radius_m: Range) -> Shape {
    let (x, y) = somewhere(hand, bounds);
    Shape::Circle { x, y, radius_m: tenths(hand.within(radius_m)) }
}

/// Rounded to a tenth, so that packages read well.
fn tenths(value: f64) -> f64 {
    libm::round(value * 10.0) / 10.0 + 0.0
}

/// The angle in [-π, π).
fn wrapped(angle: f64) -> f64 {
    let turns = libm::floor((angle + PI) / TAU);
    (angle - turns * TAU).clamp(-PI, PI)
}
