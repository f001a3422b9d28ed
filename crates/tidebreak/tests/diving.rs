//! Between the layers: diving, turning back, and lying shallow to launch.

mod captains;

use astrarium_tidebreak::arena::Arena;
use astrarium_tidebreak::orders::{Order, Origin};
use astrarium_tidebreak::package::{BattlePackage, Depth, HullOverrides};
use astrarium_tidebreak::state::Layer;
use astrarium_tidebreak::tick;

const WEST: f64 = std::f64::consts::PI;

fn order(arena: &mut Arena, ship: usize, order: Order) {
    arena.give(ship, order, Origin::External);
}

fn idle(arena: &mut Arena, ticks: u32) {
    captains::run(arena, ticks, |_| {});
}

fn layer(down: bool) -> Order {
    Order { layer_emission: if down { 2 } else { 1 }, ..Order::default() }
}

/// Two hulls, the first of which is meant to suffer.
fn two(first: &str, second: &str, apart: f64) -> BattlePackage {
    captains::staged(&[("blue", first, 0.0, 0.0, 0.0), ("red", second, apart, 0.0, WEST)])
}

#[test]
fn diving_takes_its_time_forbids_fire_and_can_be_aborted() {
    let mut arena = captains::begin(two("deep_sub", "attack_sub", 12_000.0));
    order(&mut arena, 0, layer(true));
    order(&mut arena, 1, layer(true));
    tick::advance(&mut arena);
    assert!(arena.state.ships.in_transition(0) && arena.state.ships.in_transition(1));
    assert_eq!(arena.state.ships.places(0) & 0b11, 0b11, "struck as either layer");
    idle(&mut arena, 20);
    order(&mut arena, 1, Order { layer_emission: 3, ..Order::default() });
    idle(&mut arena, 19);
    assert_eq!(arena.state.ships.layer[0], Layer::Submerged as u8);
    idle(&mut arena, 10);
    assert!(!arena.state.ships.in_transition(1));
    assert_eq!(arena.state.ships.layer[1], Layer::Surface as u8, "back in the time spent");
    order(&mut arena, 0, layer(true));
    idle(&mut arena, 60);
    assert_eq!(arena.state.ships.layer[0], Layer::Abyssal as u8);
    assert_eq!(arena.state.tally.transitions, 3);
}

/// A submarine on its way down that is hurt badly enough to draw for what becomes of it.
fn hurt_dive(seed: u64, hurts: &[u32]) -> (Arena, Vec<u32>) {
    let mut package = two("attack_sub", "frigate", 15_000.0);
    package.seed = seed;
    let mut arena = captains::begin(package);
    order(&mut arena, 0, layer(true));
    let mut moving = Vec::new();
    for second in 0..200 {
        if hurts.contains(&second) {
            arena.state.ships.recent_damage[0][0] = 0.2;
        }
        tick::advance(&mut arena);
        if arena.state.ships.in_transition(0) {
            moving.push(second);
        }
    }
    (arena, moving)
}

#[test]
fn a_hull_on_its_way_back_takes_as_long_as_it_was_under_way_however_often_it_is_hurt() {
    let mut seen = 0;
    for seed in 1..=20 {
        let (once, way) = hurt_dive(seed, &[20]);
        if once.state.ships.layer[0] != 0 {
            continue;
        }
        seen += 1;
        let (again, other) = hurt_dive(seed, &[20, 25, 30]);
        assert_eq!((way, once.state.tally.botched), (other, again.state.tally.botched));
    }
    assert!(seen > 5, "three of five turn back: {seen}");
}

#[test]
fn a_hull_made_to_dive_takes_the_usual_time_for_it() {
    let mut package = two("corvette", "corvette", 12_000.0);
    let ship = &mut package.ships[0];
    ship.capabilities.can_submerge = true;
    ship.hull_overrides =
        Some(HullOverrides { speed_max: Some([17.0, 8.0, 0.0]), ..HullOverrides::default() });
    let mut arena = captains::begin(package);
    assert_eq!(arena.setup.hulls[0].transition_s, [45.0, 75.0]);
    order(&mut arena, 0, layer(true));
    idle(&mut arena, 44);
    assert_eq!(arena.state.ships.layer[0], Layer::Surface as u8);
    idle(&mut arena, 1);
    assert_eq!(arena.state.ships.layer[0], Layer::Submerged as u8);
    assert!(!arena.state.ships.in_transition(0));
    // A class that dives anyway keeps its own times.
    let own = captains::begin(two("deep_sub", "corvette", 12_000.0));
    assert_eq!(own.setup.hulls[0].transition_s, [40.0, 60.0]);
}

#[test]
fn shallow_water_closes_the_layers_below() {
    let mut package = two("deep_sub", "attack_sub", 12_000.0);
    package.map.depth = Depth::Const { depth_m: 50.0 };
    let mut arena = captains::begin(package);
    order(&mut arena, 0, layer(true));
    tick::advance(&mut arena);
    assert!(!arena.state.ships.in_transition(0));
    assert_eq!(arena.state.tally.rejected_orders, 1);
    assert_eq!(arena.state.terms[0][8], 1.0);
}

#[test]
fn a_submerged_hull_lies_shallow_before_its_missiles_fly() {
    let mut package = two("attack_sub", "corvette", 3_000.0);
    package.ships[0].initial_state.layer = "submerged".to_owned();
    let mut arena = captains::begin(package);
    let mut launched = None;
    for second in 0..120 {
        captains::charge(&mut arena);
        arena.given[0].0.fire = 0b0100;
        arena.given[0].0.throttle = 0;
        // Only an active ping tells well enough where a surface hull is.
        arena.given[0].0.utility = 2;
        tick::advance(&mut arena);
        if launched.is_none() && arena.state.rounds.weapon.contains(&5) {
            launched = Some(second);
            assert!(arena.state.ships.popup[0] < 0.0, "exposed after the launch");
            assert_eq!(arena.state.ships.places(0) & 1, 1);
        }
    }
    assert!(launched.is_some_and(|second| second >= 8), "{launched:?}");
}
