//! How hulls end, and what their end does to others and to the battle.

mod captains;

use astrarium_tidebreak::arena::Arena;
use astrarium_tidebreak::orders::{Order, Origin};
use astrarium_tidebreak::package::{BattlePackage, Currents};
use astrarium_tidebreak::resolvers::termination::ended_by;
use astrarium_tidebreak::result::{ReplayNote, result_of};
use astrarium_tidebreak::state::Fate;
use astrarium_tidebreak::tick;

const WEST: f64 = std::f64::consts::PI;

/// A transport about to leave the map with what it has to deliver, hunted from far away.
fn delivery() -> BattlePackage {
    let mut package = captains::staged(&[
        ("blue", "transport", 19_900.0, 0.0, 0.0),
        ("red", "corvette", -15_000.0, 0.0, 0.0),
    ]);
    package.ships[0].objective = Some(captains::sent("DELIVER", [20_000.0, 0.0]));
    package
}

fn sail(arena: &mut Arena, ticks: u32) {
    for _ in 0..ticks {
        arena.give(0, Order { throttle: 127, ..Order::default() }, Origin::External);
        tick::advance(arena);
    }
}

#[test]
fn a_surrender_is_felt_by_friends_and_enemies() {
    let mut seen = 0;
    for seed in 1..=40 {
        let mut package = captains::staged(&[
            ("blue", "corvette", 0.0, 0.0, 0.0),
            ("blue", "corvette", 800.0, 0.0, 0.0),
            ("red", "corvette", 15_000.0, 0.0, WEST),
        ]);
        package.seed = seed;
        package.ships[0].crew.morale = 0.0;
        let mut arena = captains::begin(package);
        let before = arena.state.ships.morale.clone();
        tick::advance(&mut arena);
        let felt = |ship: usize| arena.state.ships.morale[ship] - before[ship];
        if arena.state.ships.fate[0] == Fate::Surrendered as u8 {
            seen += 1;
            assert!((felt(1) + 0.05).abs() < 1e-6 && (felt(2) - 0.03).abs() < 1e-6);
        } else {
            assert_eq!((felt(1), felt(2)), (0.0, 0.0));
        }
    }
    assert!(seen > 5, "half of them should strike: {seen}");
}

#[test]
fn a_prize_counts_as_captured() {
    for seed in 1..=40 {
        let mut package = captains::staged(&[
            ("blue", "corvette", 0.0, 0.0, 0.0),
            ("red", "corvette", 15_000.0, 0.0, WEST),
        ]);
        package.seed = seed;
        package.ships[0].crew.morale = 0.0;
        let mut arena = captains::begin(package);
        tick::advance(&mut arena);
        let result =
            result_of(&arena.setup, &arena.state, ReplayNote::default()).expect("a ledger");
        let struck = u32::from(arena.state.ships.fate[0] == Fate::Surrendered as u8);
        let told = (result.event_summary.surrenders, result.event_summary.captures);
        assert_eq!(told, (struck, struck));
    }
}

#[test]
fn whoever_leaves_as_it_was_sent_to_is_not_annihilated() {
    let mut arena = captains::begin(delivery());
    sail(&mut arena, 60);
    assert_eq!(arena.state.ships.fate[0], Fate::Exited as u8);
    assert_eq!(arena.state.outcome.ended_by, ended_by::OBJECTIVE);
    assert_eq!(arena.state.outcome.winner, u8::MAX, "both have all they came with");
    assert_eq!(arena.state.objectives[0][1], 1.0);
    assert_eq!(arena.state.terms[0][0], 0.0);
}

#[test]
fn whoever_leaves_wrecks_behind_loses_by_what_is_left() {
    let mut package = delivery();
    let mut friend = package.ships[0].clone();
    friend.ship_id = "ship-09".to_owned();
    friend.initial_state.x = 0.0;
    friend.objective = None;
    package.ships.push(friend);
    package.scuttle_any_time = true;
    let mut arena = captains::begin(package);
    let scuttles = Order { utility: 5, ..Order::default() };
    let row = arena.setup.package.ships.iter().position(|ship| ship.ship_id == "ship-09");
    arena.give(row.expect("listed"), scuttles, Origin::External);
    sail(&mut arena, 60);
    assert_eq!(arena.state.outcome.ended_by, ended_by::OBJECTIVE);
    assert_eq!(arena.state.outcome.winner, 1);
}

#[test]
fn a_hull_that_gave_up_does_not_drift_off_the_map() {
    let mut package = delivery();
    package.map.currents = Currents::Uniform { x: 5.0, y: 0.0 };
    let mut arena = captains::begin(package);
    arena.state.ships.fate[0] = Fate::Surrendered as u8;
    // Somebody has to go on fighting, or the battle would be over.
    arena.state.outcome.ended_by = 0;
    for _ in 0..100 {
        arena.state.outcome.ended_by = 0;
        tick::advance(&mut arena);
    }
    assert!(arena.state.ships.x[0] <= 20_000.0, "{}", arena.state.ships.x[0]);
    assert_eq!(arena.state.ships.fate[0], Fate::Surrendered as u8);
}

#[test]
fn casualties_follow_from_all_who_came_aboard() {
    let mut arena = captains::begin(captains::staged(&[
        ("blue", "frigate", 0.0, 0.0, 0.0),
        ("red", "frigate", 15_000.0, 0.0, WEST),
    ]));
    let aboard: u32 = arena.state.ships.crew[0].iter().sum();
    for _ in 0..10 {
        let setup = std::sync::Arc::clone(&arena.setup);
        astrarium_tidebreak::resolvers::people::suffer(&setup, &mut arena.state, 0, 0.1);
    }
    let [fit, wounded, killed, captured] = arena.state.ships.crew[0];
    assert_eq!(fit + wounded + killed + captured, aboard);
    let marines = arena.state.ships.marines[0];
    let (all_killed, all_hurt) = (killed + marines[2], wounded + marines[1]);
    let all = f64::from(aboard + marines.iter().sum::<u32>());
    assert!((f64::from(all_killed) - 0.25 * all).abs() <= 1.0, "{all_killed} of {all}");
    assert!((f64::from(all_hurt) - 0.5 * all).abs() <= 1.0, "{all_hurt} of {all}");
}
