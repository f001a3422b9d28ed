//! Captains for tests of the rules: one who charges and fires, one who does anything.
#![allow(dead_code, reason = "not every test needs every captain")]

pub mod drawing;

use std::sync::Arc;

use astrarium_tidebreak::arena::Arena;
use astrarium_tidebreak::draws::{Draw, Draws};
use astrarium_tidebreak::orders::{Order, Origin};
use astrarium_tidebreak::package::{
    BattlePackage, Bounds, Currents, Depth, Fidelity, Objective, ShipSnapshot,
};
use astrarium_tidebreak::scenario::Scenario;
use astrarium_tidebreak::setup::Setup;
use astrarium_tidebreak::state::TRACKS;
use astrarium_tidebreak::tables::Tables;
use astrarium_tidebreak::tick;

/// The package a shipped scenario draws.
pub fn package(scenario: &str, seed: u64, fidelity: Fidelity) -> BattlePackage {
    let scenario = Scenario::named(scenario).expect("a shipped scenario");
    BattlePackage { fidelity, ..scenario.package(seed) }
}

/// A battle of a shipped scenario.
pub fn battle(scenario: &str, seed: u64, fidelity: Fidelity) -> Arena {
    let setup = Setup::new(package(scenario, seed, fidelity)).expect("a setup");
    Arena::new(Arc::new(setup))
}

/// Ships on a calm, deep, open sea of 40 by 40 km without fields: team, class, x, y, heading.
pub fn staged(ships: &[(&str, &str, f64, f64, f64)]) -> BattlePackage {
    let tables = Tables::shipped();
    let mut package = package("duel", 1, Fidelity::F0);
    package.decided_by.clear();
    package.map.obstacles.clear();
    package.map.zones.clear();
    package.map.bounds =
        Bounds { min_x: -20_000.0, min_y: -20_000.0, max_x: 20_000.0, max_y: 20_000.0 };
    package.map.depth = Depth::Const { depth_m: 1000.0 };
    package.map.currents = Currents::Uniform { x: 0.0, y: 0.0 };
    package.ships.clear();
    for (number, &(team, class, x, y, heading)) in ships.iter().enumerate() {
        let hull = tables.hull_named(class).expect("a class");
        let mut ship = ShipSnapshot::of_class(hull, &format!("ship-{number:02}"), team, tables);
        (ship.initial_state.x, ship.initial_state.y) = (x, y);
        ship.initial_state.heading = heading;
        package.ships.push(ship);
    }
    package
}

/// What sends a ship off the map, to a place on its edge.
pub fn sent(kind: &str, destination: [f64; 2]) -> Objective {
    Objective {
        kind: kind.to_owned(),
        target: None,
        asset: None,
        targets: Vec::new(),
        assets: Vec::new(),
        at_least: None,
        met_by: vec!["annihilation".to_owned()],
        zone: None,
        destination: Some(destination),
        priority: 1.0,
        deadline_s: None,
    }
}

/// A battle of a package made by hand.
pub fn begin(package: BattlePackage) -> Arena {
    let json = package.to_json();
    let setup = Setup::read(&json).expect("a legal package");
    Arena::new(Arc::new(setup))
}

/// Everybody steers for the nearest hostile hull it knows of and fires all it has.
pub fn charge(arena: &mut Arena) {
    for ship in 0..arena.state.ships.len() {
        let order = eager(arena, ship);
        arena.give(ship, order, Origin::External);
    }
}

fn eager(arena: &Arena, ship: usize) -> Order {
    let (ships, beliefs) = (&arena.state.ships, &arena.state.beliefs);
    let tracks = &beliefs.tracks;
    let mut nearest: Option<(f32, u8, usize)> = None;
    for slot in 0..beliefs.shown_count[ship] {
        let row = ship * TRACKS + usize::from(beliefs.shown[ship][usize::from(slot)]);
        if tracks.iff[row] < 2 || tracks.size[row] < 2 {
            continue;
        }
        let (dx, dy) = (tracks.x[row] - ships.x[ship], tracks.y[row] - ships.y[ship]);
        let away = dx * dx + dy * dy;
        if nearest.is_none_or(|(known, _, _)| away < known) {
            nearest = Some((away, slot + 1, row));
        }
    }
    let mut order = Order { throttle: 127, layer_emission: 3 << 4, ..Order::default() };
    if let Some((_, slot, row)) = nearest {
        let (dx, dy) = (tracks.x[row] - ships.x[ship], tracks.y[row] - ships.y[ship]);
        let (cosine, sine) = ships.bow[ship];
        let across = cosine * dy - sine * dx;
        order.rudder = if across > 0.0 { 80 } else { -80 };
        order.target = slot;
        order.fire = 0b1111;
    } else {
        order.rudder = 20;
    }
    order
}

/// Any order at all, drawn from a stream of its own.
pub fn scramble(arena: &mut Arena, salt: u32) {
    let draws = Draws::of(u64::from(salt));
    let tick = arena.state.tick;
    for ship in 0..arena.state.ships.len() {
        let draw = |index: u32, below: u32| {
            let unit = draws.unit(Draw::Doctrine, ship as u32, tick, index);
            (unit * below as f32) as u8
        };
        let order = Order {
            throttle: draw(0, 255) as i8,
            rudder: draw(1, 255) as i8,
            target: draw(2, 17),
            fire: draw(3, 16),
            layer_emission: draw(4, 4) | draw(5, 4) << 4,
            // Scuttling ends a battle too soon to test anything else.
            utility: draw(6, 5),
            damage_control: draw(7, 4),
            reserved: 0,
        };
        arena.give(ship, order, Origin::External);
    }
}

/// Let a battle run on under `captain`.
pub fn run(arena: &mut Arena, ticks: u32, mut captain: impl FnMut(&mut Arena)) {
    for _ in 0..ticks {
        captain(arena);
        tick::advance(arena);
    }
}
