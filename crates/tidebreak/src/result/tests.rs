//! A battle keeps its ledger, and a result that was tampered with is told which rule it breaks.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::Arc;

use super::*;
use crate::arena::Arena;
use crate::doctrine::Doctrine;
use crate::orders::{Order, Origin};
use crate::package::BattlePackage;
use crate::replay::Recorder;
use crate::scenario::Scenario;
use crate::setup::Setup;

/// A battle of the scenario in which everybody charges and shoots at the nearest contact.
fn fought(scenario: &str, seed: u64, ticks: u32) -> (BattleResult, BattlePackage) {
    let package = Scenario::named(scenario).unwrap().package(seed);
    let mut arena = Arena::new(Arc::new(Setup::new(package.clone()).unwrap()));
    let mut recorder = Recorder::begin(&mut arena);
    let charge =
        Order { throttle: 127, target: 1, fire: 0b1111, layer_emission: 0x30, ..Order::default() };
    for _ in 0..ticks {
        for ship in 0..package.ships.len() {
            arena.give(ship, charge, Origin::External);
        }
        recorder.advance(&mut arena);
    }
    (recorder.result(&mut arena).unwrap(), package)
}

#[test]
fn battles_of_every_scenario_keep_the_ledger() {
    for name in Scenario::names() {
        let (result, package) = fought(name, 11, 240);
        assert_eq!(check(&result, &package), Ok(()), "{name}");
        assert_eq!(result.ships.len(), package.ships.len());
    }
}

#[test]
fn mounts_are_told_by_slot_whatever_stands_in_them() {
    let mut package = Scenario::named("duel").unwrap().package(3);
    for ship in &mut package.ships {
        let last = ship.weapons.len() as u32 - 1;
        for mount in &mut ship.weapons {
            mount.slot = last - mount.slot;
        }
        ship.weapons.reverse();
    }
    let mut arena = Arena::new(Arc::new(Setup::read(&package.to_json()).unwrap()));
    let mut recorder = Recorder::begin(&mut arena);
    recorder.fight(&mut arena, &[Doctrine::Line, Doctrine::Line]);
    let result = recorder.result(&mut arena).unwrap();
    for (outcome, given) in result.ships.iter().zip(&arena.setup.package.ships) {
        let told: Vec<u32> = outcome.ammo.iter().map(|ammo| ammo.slot).collect();
        let slots: Vec<u32> = given.weapons.iter().map(|mount| mount.slot).collect();
        assert_eq!(told, slots);
        assert_eq!(given.weapons[0].weapon, "asw_rocket");
    }
}

#[test]
fn a_battle_begun_under_another_seed_has_the_result_of_the_package_with_that_seed() {
    let package = Scenario::named("duel").unwrap().package(5);
    let captains = [Doctrine::Line, Doctrine::Pursuer];
    let fight = |package: &BattlePackage, seed: u64| {
        let mut arena = Arena::new(Arc::new(Setup::new(package.clone()).unwrap()));
        arena.reset(seed);
        let mut recorder = Recorder::begin(&mut arena);
        recorder.fight(&mut arena, &captains);
        recorder.result(&mut arena).unwrap()
    };
    let other = BattlePackage { seed: 77, ..package.clone() };
    let result = fight(&package, 77);
    assert_eq!(result, fight(&other, 77));
    assert_eq!(check(&result, &other), Ok(()));
    assert_ne!(result.package_hash, fight(&package, 5).package_hash);
}

#[test]
fn battles_under_every_doctrine_keep_the_ledger_to_the_end() {
    for (at, name) in Scenario::names().enumerate() {
        let package = Scenario::named(name).unwrap().package(5);
        let mut arena = Arena::new(Arc::new(Setup::new(package).unwrap()));
        let mut recorder = Recorder::begin(&mut arena);
        let captain = Doctrine::ALL[at % Doctrine::ALL.len()];
        recorder.fight(&mut arena, &[captain, Doctrine::Line]);
        let result = recorder.result(&mut arena).unwrap();
        assert_ne!(result.ended_by, EndedBy::Running, "{name}");
        recorder.replay(&mut arena).verify().unwrap();
    }
}

#[test]
fn a_duel_to_the_end_names_who_won_and_what_it_cost() {
    let (result, package) = fought("duel", 3, 600);
    assert_ne!(result.ended_by, EndedBy::Running);
    assert!(result.event_summary.shots > 0);
    assert_eq!(result.package_hash, format!("{:016x}", package.hash()));
    let fired: u32 = result.ships.iter().flat_map(|ship| &ship.ammo).map(|ammo| ammo.fired).sum();
    assert!(fired > 0);
    assert!(result.ships.iter().all(|ship| ship.fuel.burned > 0.0));
}

/// Breaks a sound result and returns the breach.
fn breach_of(change: impl Fn(&mut BattleResult)) -> Breach {
    let (mut result, package) = fought("fleet_action", 4, 60);
    assert_eq!(check(&result, &package), Ok(()));
    change(&mut result);
    check(&result, &package).unwrap_err()
}

fn told(breach: &Breach) -> (Rule, Option<&str>, &str) {
    (breach.rule, breach.ship.as_deref(), breach.category.as_str())
}

#[test]
fn a_ship_that_vanishes_doubles_or_appears_breaks_k1() {
    let lost = breach_of(|result| drop(result.ships.remove(2)));
    assert_eq!(told(&lost), (Rule::K1, Some("blue_02"), "ships"));
    let twice = breach_of(|result| result.ships.push(result.ships[1].clone()));
    assert_eq!(told(&twice), (Rule::K1, Some("blue_01"), "ships"));
    let renamed = breach_of(|result| {
        let mut ghost = result.ships[0].clone();
        ghost.ship_id = "ghost".to_owned();
        result.ships.push(ghost);
    });
    assert_eq!(told(&renamed), (Rule::K1, Some("ghost"), "ships"));
    let taken = breach_of(|result| result.ships[0].fate = ShipFate::Captured);
    assert_eq!(told(&taken), (Rule::K1, Some("blue_00"), "fate"));
}

#[test]
fn a_person_too_few_breaks_k2() {
    let marine = breach_of(|result| result.ships[0].marines.fit -= 1);
    assert_eq!(told(&marine), (Rule::K2, Some("blue_00"), "marines"));
    let nowhere = breach_of(|result| {
        result.ships[0].crew.transferred_out += 1;
        result.ships[0].crew.fit -= 1;
    });
    assert_eq!(told(&nowhere), (Rule::K2, None, "transfers"));
}

#[test]
fn a_round_too_many_breaks_k3() {
    let spare = breach_of(|result| result.ships[5].ammo[2].remaining += 1);
    assert_eq!(told(&spare), (Rule::K3, Some("blue_05"), "ammo slot 2"));
    let stolen = breach_of(|result| {
        let ammo = &mut result.ships[5].ammo[0];
        (ammo.seized, ammo.remaining) = (ammo.remaining, 0);
    });
    assert!(stolen.problem.contains("seized from a free ship"), "{stolen}");
    let mislaid = breach_of(|result| {
        let ammo = &mut result.ships[5].ammo[0];
        (ammo.lost, ammo.remaining) = (ammo.remaining, 0);
    });
    assert!(mislaid.problem.contains("lost aboard a sound ship"), "{mislaid}");
}

#[test]
fn fuel_out_of_nothing_breaks_k4() {
    let fuel = breach_of(|result| result.ships[0].fuel.remaining *= 1.0 + 1e-8);
    assert_eq!(told(&fuel), (Rule::K4, Some("blue_00"), "fuel"));
    let decoys = breach_of(|result| result.ships[0].decoys.lost += 1);
    assert_eq!(told(&decoys), (Rule::K4, Some("blue_00"), "decoys"));

    let (mut result, package) = fought("convoy_escort", 4, 10);
    result.ships[0].cargo.get_mut("materials").unwrap().delivered += 1.0;
    let cargo = check(&result, &package).unwrap_err();
    assert_eq!(told(&cargo), (Rule::K4, Some("blue_0"), "cargo materials"));
}

#[test]
fn a_craft_too_many_breaks_k5() {
    let craft = breach_of(|result| result.ships[1].squadrons[0].aboard += 1);
    assert_eq!(told(&craft), (Rule::K5, Some("blue_01"), "squadron blue_01-0"));
}

#[test]
fn damage_that_nobody_did_breaks_k6() {
    let damage = breach_of(|result| {
        result.ships[0].damage.taken_by_cause.insert("gun".to_owned(), 1e5);
    });
    assert_eq!(told(&damage), (Rule::K6, None, "damage"));
}

#[test]
fn the_result_of_another_battle_breaks_k7() {
    let late = breach_of(|result| result.duration_s = 9_999);
    assert_eq!(told(&late), (Rule::K7, None, "duration_s"));
    let other = breach_of(|result| result.package_hash = "0".repeat(16));
    assert_eq!(told(&other), (Rule::K7, None, "package_hash"));
    assert_eq!(other.to_string(), "K7 is broken: package_hash: is not that of the package");
}
