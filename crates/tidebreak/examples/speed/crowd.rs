//! Seas full of ships and of what they fire, as dense whatever their number.

use std::sync::Arc;

use astrarium_tidebreak::arena::Arena;
use astrarium_tidebreak::draws::{Draw, Draws};
use astrarium_tidebreak::package::{
    BattlePackage, Bounds, Currents, Depth, Fidelity, ShipSnapshot,
};
use astrarium_tidebreak::scenario::Scenario;
use astrarium_tidebreak::setup::Setup;
use astrarium_tidebreak::state::{NOBODY, Round};
use astrarium_tidebreak::tables::Tables;
use astrarium_tidebreak::{battle, tick};

use crate::clock;
use crate::fought::CAPTAINS;

/// Metres of sea to a ship's every side: twice as dense as the two fleets of `fleet_action`.
const APART_M: f64 = 5000.0;
/// Rounds in flight for each ship.
const ROUNDS_A_SHIP: usize = 2;
/// Rounds a ship that fires is taken to fire.
const SALVO: usize = 4;
/// Seconds until everybody has found whom to fire at.
const WARM_TICKS: u32 = 20;
/// Ticks of every sample that the copy it begins with takes to come into the caches.
const UNTIMED_TICKS: u32 = 3;
/// As the fleets of `fleet_action` are made up.
const FLEET: [(&str, usize); 6] = [
    ("frigate", 5),
    ("corvette", 5),
    ("attack_sub", 2),
    ("cutter", 2),
    ("dreadnought", 1),
    ("carrier", 1),
];
/// Whatever flies longest: a salvo in three.
const FLYING: [&str; 3] = ["heavy_torpedo", "missile", "heavy_gun"];

/// A crowd after its first minutes, to begin from again and again.
pub struct Crowd {
    /// Ships.
    pub ships: usize,
    begun: Arena,
    ticks: u32,
    end: Option<u64>,
}

impl Crowd {
    /// Let it come to blows.
    pub fn new(ships: usize, ticks: u32) -> Self {
        let mut begun = Arena::new(Arc::new(Setup::new(package(ships)).expect("sound")));
        for _ in 0..WARM_TICKS {
            order(&mut begun);
            tick::advance(&mut begun);
        }
        Self { ships, begun, ticks, end: None }
    }

    /// Ticks of a processor second. Orders are given beside the clock.
    pub fn rate(&mut self) -> f64 {
        let mut arena = self.begun.clone();
        let mut spent = 0.0;
        for tick in 0..UNTIMED_TICKS + self.ticks {
            order(&mut arena);
            let took = clock::seconds(|| tick::advance(&mut arena));
            spent += if tick < UNTIMED_TICKS { 0.0 } else { took };
        }
        let end = arena.state.state_hash();
        assert_eq!(*self.end.get_or_insert(end), end, "the same orders, another battle");
        f64::from(self.ticks) / spent
    }
}

/// Ships of both teams in turns on a square lattice, each a little off its place.
fn package(ships: usize) -> BattlePackage {
    let tables = Tables::shipped();
    let columns = (ships as f64).sqrt().ceil() as usize;
    let half = 0.5 * APART_M * columns as f64;
    let drawn = Scenario::named("fleet_action").expect("shipped").package(1);
    let mut package = BattlePackage { fidelity: Fidelity::F1, ..drawn };
    package.map.bounds = Bounds { min_x: -half, min_y: -half, max_x: half, max_y: half };
    package.map.depth = Depth::Const { depth_m: 1000.0 };
    package.map.currents = Currents::Uniform { x: 0.3, y: 0.1 };
    let classes: Vec<&str> =
        FLEET.iter().flat_map(|&(class, count)| std::iter::repeat_n(class, count)).collect();
    let luck = Draws::of(1);
    package.ships = (0..ships)
        .map(|number| {
            let (column, row) = (number % columns, number / columns);
            let team = if (column + row) % 2 == 0 { "blue" } else { "red" };
            // Neighbours differ, and both teams have every class.
            let hull = tables.hull_named(classes[number / 2 * 5 % classes.len()]).expect("a class");
            let mut ship =
                ShipSnapshot::of_class(hull, &format!("{team}-{number:04}"), team, tables);
            let draw = |index| f64::from(luck.unit(Draw::Scenario, number as u32, 0, index));
            let along = |at: usize, off: f64| (at as f64 + 0.2 + 0.6 * off) * APART_M - half;
            ship.initial_state.x = along(column, draw(0));
            ship.initial_state.y = along(row, draw(1));
            ship.initial_state.heading = std::f64::consts::PI * (2.0 * draw(2) - 1.0);
            ship
        })
        .collect();
    package
        .ships
        .sort_by(|one, other| (&one.team_id, &one.ship_id).cmp(&(&other.team_id, &other.ship_id)));
    package
}

/// Doctrines give orders, and just so many fire that there are as many rounds as there should be:
/// what is missing of them is put into the air.
fn order(arena: &mut Arena) {
    battle::command(arena, &CAPTAINS, |_| false);
    let ships = arena.state.ships.len();
    let rounds = ROUNDS_A_SHIP * ships;
    // Ships fire what is missing, though no more than an eighth of all, and not always the same ones.
    let mut room = rounds.saturating_sub(arena.state.rounds.len()).min(rounds / 8);
    let mut flying = arena.state.rounds.len();
    for turn in 0..ships {
        let order = &mut arena.given[(turn * 7 + arena.state.tick as usize) % ships].0;
        if order.fire != 0 && room >= SALVO {
            room -= SALVO;
            flying += SALVO;
        } else {
            order.fire = 0;
        }
    }
    for _ in flying..rounds {
        let round = drawn(arena);
        arena.state.rounds.push(round);
    }
}

/// A round on its way from some ship into some direction.
fn drawn(arena: &mut Arena) -> Round {
    let luck = Draws::of(2);
    let (tables, state) = (arena.setup.tables, &mut arena.state);
    let id = state.next_id;
    state.next_id += 1;
    let name = FLYING[id as usize % FLYING.len()];
    let weapon = tables.weapon_named(name).expect("a weapon");
    let ships = state.ships.len();
    let shooter = (luck.unit(Draw::Weapon, id, 0, 0) * ships as f32) as usize % ships;
    let bearing = std::f32::consts::TAU * luck.unit(Draw::Weapon, id, 0, 1);
    let (sine, cosine) = libm::sincosf(bearing);
    let (x, y) = (state.ships.x[shooter], state.ships.y[shooter]);
    let range = weapon.range_m;
    Round {
        id,
        shooter: shooter as u32,
        serial: id,
        team: state.ships.team[shooter],
        weapon: weapon.id,
        x,
        y,
        vx: cosine * weapon.speed,
        vy: sine * weapon.speed,
        layer: if name == "heavy_torpedo" { 0 } else { 3 },
        run_left: range * 1.05,
        aim_range: range,
        locked: NOBODY,
        ..Round::default()
    }
}
