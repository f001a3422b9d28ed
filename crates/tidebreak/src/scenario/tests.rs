//! Every shipped scenario draws legal battles, the same from the same seed.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use super::*;
use crate::package::{Counted, ObstacleKind};

fn draw(name: &str, seed: u64) -> BattlePackage {
    Scenario::named(name).unwrap().package(seed)
}

#[test]
fn every_scenario_draws_legal_battles_from_many_seeds() {
    for name in Scenario::names() {
        for seed in 1..200 {
            let package = draw(name, seed);
            let read = package::read(&package.to_json(), Tables::shipped()).unwrap();
            assert_eq!(read, package, "{name} {seed}");
        }
    }
}

#[test]
fn a_seed_always_draws_the_same_battle_and_another_seed_another() {
    for name in Scenario::names() {
        assert_eq!(draw(name, 9).hash(), draw(name, 9).hash());
        let places = |seed| {
            let ships = draw(name, seed).ships;
            ships.iter().map(|ship| ship.initial_state.clone()).collect::<Vec<_>>()
        };
        assert_ne!(places(9), places(10), "{name}");
    }
}

#[test]
fn who_takes_part_never_depends_on_the_seed() {
    for name in Scenario::names() {
        let told: Vec<String> =
            Scenario::named(name).unwrap().ship_ids().map(|(_, id)| id.to_owned()).collect();
        for seed in [1, 77, u64::MAX] {
            let ships: Vec<String> =
                draw(name, seed).ships.into_iter().map(|ship| ship.ship_id).collect();
            assert_eq!(ships, told, "{name}");
        }
    }
}

fn hulls(package: &BattlePackage, team: &str) -> Vec<String> {
    let ships = package.ships.iter().filter(|ship| ship.team_id == team);
    ships.map(|ship| ship.hull_class.clone()).collect()
}

#[test]
fn the_convoy_is_decided_by_its_transports() {
    let package = draw("convoy_escort", 3);
    assert_eq!(hulls(&package, "blue").len(), 8);
    assert_eq!(hulls(&package, "red").len(), 5);
    let blue = package.decided_by.iter().find(|rule| rule.winner == "blue").unwrap();
    assert_eq!((blue.when, blue.at_least, blue.ships.len()), (Counted::Exited, 3, 4));
    let transports = package.ships.iter().filter(|ship| ship.hull_class == "transport");
    for ship in transports {
        assert!(blue.ships.contains(&ship.ship_id));
        assert_eq!(ship.objective.as_ref().unwrap().kind, "DELIVER");
        let speed = 9.0 * f64::from(package.time_limit_s);
        assert!(15_000.0 - ship.initial_state.x < 0.85 * speed, "the way out is too far");
    }
}

#[test]
fn the_fleets_mirror_each_other() {
    let package = draw("fleet_action", 5);
    assert_eq!(hulls(&package, "blue"), hulls(&package, "red"));
    assert_eq!(package.ships.len(), 32);
    assert_eq!(package.map.weather.storms.len(), 1);
}

#[test]
fn duellists_start_six_to_nine_kilometres_apart() {
    for name in ["duel", "duel_currents", "duel_islands", "duel_weather", "duel_fog"] {
        for seed in 1..50 {
            let package = draw(name, seed);
            let [a, b] = [&package.ships[0].initial_state, &package.ships[1].initial_state];
            let apart = (a.x - b.x).hypot(a.y - b.y);
            assert!((5_999.0..=9_001.0).contains(&apart), "{name} {seed}: {apart}");
        }
    }
}

#[test]
fn islands_keep_clear_of_ships() {
    let mut seen = 0;
    for seed in 1..100 {
        let package = draw("submarine_ambush", seed);
        for island in &package.map.obstacles {
            assert_eq!(island.kind, ObstacleKind::Solid);
            seen += 1;
            let package::Shape::Circle { x, y, radius_m } = &island.shape else { panic!() };
            for ship in &package.ships {
                let apart = (ship.initial_state.x - x).hypot(ship.initial_state.y - y);
                assert!(apart >= radius_m + 1_500.0, "{seed}: {apart} {radius_m}");
            }
        }
    }
    assert!(seen > 300, "{seen} islands in 99 maps");
}

#[test]
fn a_scenario_that_nobody_ships_is_answered_with_those_there_are() {
    let error = Scenario::named("duell").unwrap_err().to_string();
    assert!(error.contains("duel, duel_currents"), "{error}");
}

#[test]
fn a_file_with_a_slip_is_refused_by_name() {
    let text = SHIPPED[0].1.replace("hull = \"corvette\"", "hull = \"galleon\"");
    let error = Scenario::read("mine", &text).unwrap_err().to_string();
    assert_eq!(error, "scenario mine: no hull class is called \"galleon\"");

    let text = SHIPPED[0].1.replace("distance_m = [6000.0, 9000.0]", "distance_m = [6e3, 13e3]");
    let error = Scenario::read("mine", &text).unwrap_err().to_string();
    assert!(error.contains("blue_0 can start 6500 m from centre_m"), "{error}");

    let text = SHIPPED[0].1.replace("sea_state = [0.0, 1.0]", "sea_state = [0.0, 9.5]");
    let error = Scenario::read("mine", &text).unwrap_err().to_string();
    assert!(error.contains("map.weather.initial.sea_state"), "{error}");
}
