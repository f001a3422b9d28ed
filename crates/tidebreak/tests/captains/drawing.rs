//! Battles that nobody wrote: hulls of every class in a sea of everything, by number.

use astrarium_tidebreak::arena::Arena;
use astrarium_tidebreak::draws::{Draw, Draws};
use astrarium_tidebreak::package::{
    BattleMap, BattlePackage, Bounds, Depth, Fidelity, LAYERS, Obstacle, ObstacleKind,
    Precipitation, Shape, StormProfile, StormTrack, TIME_STEPS_S, Team, WeatherState, WeatherZone,
    Zone, ZoneKind,
};
use astrarium_tidebreak::scenario::Scenario;
use astrarium_tidebreak::tables::Tables;

/// Ships start within this many metres of the middle.
const START_M: f64 = 4_500.0;
/// The map ends here, where land may lie.
const EDGE_M: f64 = 7_000.0;
/// What the finest fields leave of a map, so that tests stay quick.
const FINEST_SHARE: f64 = 0.5;
const FIDELITIES: [Fidelity; 4] = [Fidelity::F0, Fidelity::F1, Fidelity::F2, Fidelity::F3];
const TEAMS: [&str; 4] = ["blue", "red", "green", "white"];

/// Draws of one battle, one after the other.
pub struct Luck {
    draws: Draws,
    next: u32,
    /// Of the distances a map of full size has.
    scale: f64,
}

impl Luck {
    pub fn of(seed: u64) -> Self {
        Self { draws: Draws::of(seed), next: 0, scale: 1.0 }
    }

    pub fn share(&mut self) -> f64 {
        self.next += 1;
        f64::from(self.draws.unit(Draw::Scenario, 0, 0, self.next))
    }

    pub fn below(&mut self, count: usize) -> usize {
        (self.share() * count as f64) as usize
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.share()
    }

    fn place(&mut self) -> (f64, f64) {
        let far = START_M * self.scale;
        (self.between(-far, far), self.between(-far, far))
    }

    fn circle(&mut self) -> Shape {
        let (x, y) = self.place();
        Shape::Circle { x, y, radius_m: self.between(300.0, 2_500.0) }
    }
}

/// A battle of any scenario or, half the time, of all classes, in any resolution of space and time.
pub fn anything(number: u32) -> Arena {
    let fidelity = FIDELITIES[number as usize / 3 % FIDELITIES.len()];
    let mut package = if number & 2 == 0 {
        let names: Vec<&str> = Scenario::names().collect();
        let name = names[number as usize % names.len()];
        // The finest fields of a large map would take most of the time.
        let fidelity = if name.starts_with("duel") { fidelity } else { fidelity.min(Fidelity::F2) };
        super::package(name, u64::from(number) * 7919 + 1, fidelity)
    } else {
        battle_of_every_class(number / 4, fidelity)
    };
    package.time_step_s = TIME_STEPS_S[(number + number / 4) as usize % TIME_STEPS_S.len()];
    super::begin(package)
}

/// One to four ships of each of two to four sides; the first goes through all classes, and begins in
/// any layer.
pub fn battle_of_every_class(number: u32, fidelity: Fidelity) -> BattlePackage {
    let tables = Tables::shipped();
    let luck = &mut Luck::of(u64::from(number) + 1);
    luck.scale = if fidelity == Fidelity::F3 { FINEST_SHARE } else { 1.0 };
    let teams = &TEAMS[..2 + number as usize % 3];
    let mut ships = Vec::new();
    for &team in teams {
        for _ in 0..1 + luck.below(4) {
            let class = if ships.is_empty() { number as usize } else { luck.below(1000) };
            let class = tables.hulls[class % tables.hulls.len()].name.as_str();
            let (x, y) = luck.place();
            ships.push((team, class, x, y, luck.between(-3.0, 3.0)));
        }
    }
    let mut package = super::staged(&ships);
    for team in &teams[2..] {
        let (team_id, name) = ((*team).to_owned(), (*team).to_owned());
        package.teams.push(Team { team_id, name, doctrine: None, faction_context: None });
    }
    package.seed = u64::from(number) + 1;
    package.battle_id = format!("drawn-{number}");
    package.fidelity = fidelity;
    package.map = sea(package.map, luck);
    for ship in &mut package.ships {
        let may = ship.capabilities.by_layer();
        let open: Vec<&str> = (0..3).filter(|&at| may[at]).map(|at| LAYERS[at]).collect();
        ship.initial_state.layer = open[luck.below(open.len())].to_owned();
        ship.initial_state.hp *= luck.between(0.3, 1.0);
    }
    package
}

/// Two islands by the edge, what hinders and harms in the middle, and weather over it.
fn sea(calm: BattleMap, luck: &mut Luck) -> BattleMap {
    let side = EDGE_M * luck.scale;
    let mut map = BattleMap {
        bounds: Bounds { min_x: -side, min_y: -side, max_x: side, max_y: side },
        depth: Depth::Const { depth_m: 1000.0 },
        daylight: luck.share(),
        ..calm
    };
    for y in [-side, side] {
        let shape = Shape::Circle { x: luck.place().0, y, radius_m: 900.0 };
        map.obstacles.push(Obstacle { shape, kind: ObstacleKind::Solid, intensity: 1.0 });
    }
    for _ in 0..2 {
        let shape = luck.circle();
        map.obstacles.push(Obstacle { shape, kind: ObstacleKind::Soft, intensity: luck.share() });
    }
    for kind in [ZoneKind::Interference, ZoneKind::Hazard, ZoneKind::Current, ZoneKind::Speed] {
        let (shape, heading) = (luck.circle(), luck.between(-3.0, 3.0));
        map.zones.push(Zone { shape, kind, intensity: luck.between(0.1, 1.0), heading });
    }
    map.weather.initial = sky(luck);
    for _ in 0..2 {
        let zone = WeatherZone { shape: luck.circle(), weather: sky(luck) };
        map.weather.zones.push(zone);
        map.weather.storms.push(storm(luck));
    }
    map
}

fn sky(luck: &mut Luck) -> WeatherState {
    let kinds =
        [Precipitation::None, Precipitation::Light, Precipitation::Heavy, Precipitation::Storm];
    WeatherState {
        sea_state: luck.between(0.0, 9.0),
        visibility_km: luck.between(1.0, 20.0),
        precipitation: kinds[luck.below(kinds.len())],
        wind_x: luck.between(-20.0, 20.0),
        wind_y: luck.between(-20.0, 20.0),
        lightning: luck.share(),
    }
}

fn storm(luck: &mut Luck) -> StormTrack {
    let profiles = [StormProfile::Uniform, StormProfile::Gradient, StormProfile::Cyclonic];
    let (x, y) = luck.place();
    StormTrack {
        x,
        y,
        velocity_x: luck.between(-10.0, 10.0),
        velocity_y: luck.between(-10.0, 10.0),
        radius_m: luck.between(500.0, 5_000.0),
        intensity: luck.share(),
        profile: profiles[luck.below(profiles.len())],
    }
}
