//! A replay reads back, holds when it is played again, and tells where another battle parts from it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use proptest::prelude::*;

use super::*;
use crate::scenario::Scenario;

/// A battle of `ticks` in which every ship's helm follows `helm`.
fn recorded(scenario: &str, seed: u64, ticks: u32, helm: impl Fn(u32, usize) -> i8) -> Replay {
    let package = Scenario::named(scenario).unwrap().package(seed);
    let ships = package.ships.len();
    let mut arena = Arena::new(Arc::new(Setup::new(package).unwrap()));
    let mut recorder = Recorder::begin(&mut arena);
    for tick in 0..ticks {
        for ship in 0..ships {
            let order = Order {
                throttle: 100,
                rudder: helm(tick, ship),
                target: 1,
                fire: 1,
                layer_emission: 0x30,
                ..Order::default()
            };
            arena.give(ship, order, Origin::External);
        }
        recorder.advance(&mut arena);
    }
    recorder.replay(&mut arena)
}

fn straight(_: u32, _: usize) -> i8 {
    0
}

#[test]
fn a_replay_reads_back_and_holds() {
    for (scenario, ticks) in [("duel", 130), ("duel", 120), ("convoy_escort", 61), ("duel", 0)] {
        let replay = recorded(scenario, 5, ticks, |tick, ship| (tick as i8) ^ (ship as i8));
        let again = Replay::read(&replay.write()).unwrap();
        assert_eq!(again, replay);
        again.verify().unwrap();
    }
}

#[test]
fn orders_that_were_changed_do_not_hold() {
    let mut replay = recorded("duel", 5, 130, straight);
    // Tick 70, first ship, rudder.
    replay.orders[70 * 2 * ORDER_BYTES + 1] = 50;
    let error = Replay::read(&replay.write()).unwrap().verify().unwrap_err();
    assert!(matches!(error, ReplayError::Differs { tick: 120, .. }), "{error}");
}

#[test]
fn a_difference_is_named_by_tick_table_ship_and_column() {
    let left = recorded("duel", 5, 100, straight);
    let right = recorded("duel", 5, 100, |tick, ship| if tick >= 40 && ship == 1 { 30 } else { 0 });
    assert_eq!(diff(&left, &left).unwrap(), None);
    let found = diff(&left, &right).unwrap().unwrap();
    assert_eq!((found.tick, found.table.as_str()), (41, "ships"));
    assert_eq!(found.entity, "ship red_0");
    assert_ne!(found.left, found.right);
}

#[test]
fn a_battle_that_goes_on_longer_is_told() {
    let (short, long) = (recorded("duel", 5, 50, straight), recorded("duel", 5, 60, straight));
    let found = diff(&short, &long).unwrap().unwrap();
    assert_eq!((found.tick, found.left.as_str(), found.right.as_str()), (50, "ends", "goes on"));
}

#[test]
fn a_difference_in_the_fields_is_named_by_cell_and_field() {
    let left = recorded("duel_islands", 5, 0, straight);
    let mut right = left.clone();
    let mut gone = None;
    while gone.is_none() {
        gone = right.package.map.obstacles.pop();
    }
    let found = diff(&left, &right).unwrap().unwrap();
    assert_eq!((found.table.as_str(), found.column.as_str()), ("fields", "occupancy"), "{found}");
    assert!(found.entity.starts_with("surface cell ("), "{found}");
    assert_eq!((found.left.as_str(), found.right.as_str()), ("1", "0"));
}

#[test]
fn another_seed_differs_from_the_start() {
    let found =
        diff(&recorded("duel", 5, 10, straight), &recorded("duel", 6, 10, straight)).unwrap();
    let found = found.unwrap();
    assert_eq!((found.tick, found.column.as_str()), (0, "seed"));
}

#[test]
fn another_format_and_another_file_are_refused() {
    let mut bytes = recorded("duel", 5, 3, straight).write();
    bytes[8] = 9;
    assert_eq!(Replay::read(&bytes), Err(ReplayError::Format { found: 9 }));
    assert!(matches!(Replay::read(b"PNG"), Err(ReplayError::Damaged(_))));
    assert!(matches!(Replay::read(&[]), Err(ReplayError::Damaged(_))));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever happens to the file, reading it answers.
    #[test]
    fn a_broken_file_is_refused(place in any::<prop::sample::Index>(), change in 1_u8.., cut: bool) {
        let mut bytes = recorded("duel", 5, 3, straight).write();
        let at = place.index(bytes.len());
        if cut {
            bytes.truncate(at);
        } else {
            bytes[at] ^= change;
        }
        prop_assert!(Replay::read(&bytes).is_err());
    }
}
