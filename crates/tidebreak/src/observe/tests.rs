//! Observations, masks and orders in small trials and in random battles.

use proptest::prelude::*;

use super::*;
use crate::arena::Arena;
use crate::draws::{Draw, Draws};
use crate::mask::{self, OFFSETS, head};
use crate::orders::{CHOICES, HEADS, Order, Origin};
use crate::package::{BattlePackage, Fidelity};
use crate::scenario::Scenario;
use crate::sensing::tests::{battle, battle_of, package, sense};
use crate::{decode, reveal, tick};

const SURFACE: &str = "surface";

fn observed(arena: &mut Arena, row: usize) -> Vec<f32> {
    let mut out = vec![f32::NAN; FLOATS];
    ship(&arena.setup, &mut arena.state, row, &mut out);
    out
}

fn masked(arena: &Arena, row: usize) -> [u8; CHOICES] {
    let mut out = [9; CHOICES];
    mask::ship(&arena.setup, &arena.state, row, &mut out);
    out
}

fn of_scenario(name: &str, seed: u64, fidelity: Fidelity) -> Arena {
    let scenario = Scenario::named(name).expect("a shipped scenario");
    battle_of(BattlePackage { fidelity, ..scenario.package(seed) })
}

/// A random order out of those the mask and the choice of target allow.
fn legal_order(arena: &Arena, row: usize, salt: u64) -> Order {
    let mask = masked(arena, row);
    let draws = Draws::of(salt);
    let mut actions = [0; 11];
    for (at, action) in actions.iter_mut().enumerate() {
        let choices = &mask[OFFSETS[at]..][..HEADS[at] as usize];
        let open: Vec<i32> = (0..)
            .zip(choices)
            .filter(|(_, legal)| **legal == 1)
            .map(|(choice, _)| choice)
            .collect();
        let unit = draws.unit(Draw::Doctrine, row as u32, arena.state.tick, at as u32);
        *action = open[(unit * open.len() as f32) as usize];
    }
    if actions[head::UTILITY] == 5 {
        actions[head::UTILITY] = 0;
    }
    let mut order = decode::order(&actions);
    order.fire &= mask::fire_groups_at(&arena.setup, &arena.state, row, order.target);
    order
}

#[test]
fn blocks_stand_where_the_layout_says() {
    assert_eq!(
        (CONTACT, ALLY, ENVIRONMENT, FIELD, OBJECTIVE, FLOATS),
        (40, 296, 376, 392, 680, 719)
    );
    assert_eq!(OFFSETS[10] + HEADS[10] as usize, CHOICES);
    assert_eq!(reveal::FLOATS, 528);
}

#[test]
fn a_contact_is_shown_from_where_the_ship_stands() {
    let mut arena = battle(&[
        ("frigate", "blue", (1000.0, 1000.0), SURFACE),
        ("corvette", "red", (1000.0, 5000.0), SURFACE),
    ]);
    arena.state.ships.emission[0] = 2;
    arena.state.ships.surge[1] = 10.0;
    arena.state.ships.heading[1] = -std::f32::consts::FRAC_PI_2;
    for second in 0..40 {
        arena.state.ships.y[1] = 5000.0 - 10.0 * second as f32;
        sense(&mut arena, 1);
    }
    let out = observed(&mut arena, 0);
    let contact = &out[CONTACT..CONTACT + CONTACT_SIZE];
    let near = |value: f32, expected: f32, margin: f32| (value - expected).abs() < margin;
    assert_eq!(contact[0], 1.0);
    assert!(near(contact[1], 1.0, 0.02) && near(contact[2], 0.0, 0.05), "to port: {contact:?}");
    assert!(near(contact[3], 3610.0 / 20_000.0, 0.01));
    assert!(near(contact[4], 0.2, 0.15), "closing: {}", contact[4]);
    assert!(near(contact[6], -0.2, 0.15), "coming to starboard: {}", contact[6]);
    assert_eq!((contact[7], contact[8], contact[10]), (1.0, 0.0, 1.0));
    assert_eq!((contact[13], contact[14], contact[15]), (0.0, 1.0, 1.0));
    assert!(out[CONTACT + CONTACT_SIZE..ALLY].iter().all(|&value| value == 0.0));
    assert_eq!(out[2..4], [0.0, 1.0]);
}

#[test]
fn the_best_and_nearest_contacts_come_first() {
    let mut ships = vec![("dreadnought", "blue", (0.0, 0.0), SURFACE)];
    let places: Vec<f64> = (0..20).map(|at| 3000.0 + 900.0 * f64::from((at * 7) % 20)).collect();
    ships.extend(places.iter().map(|&x| ("frigate", "red", (x, 0.0), SURFACE)));
    let mut arena = battle(&ships);
    arena.state.ships.emission[0] = 2;
    sense(&mut arena, 30);
    let out = observed(&mut arena, 0);
    let rows: Vec<(f32, f32)> =
        out[CONTACT..ALLY].chunks(CONTACT_SIZE).map(|row| (-row[7], row[3])).collect();
    assert!(rows.is_sorted_by(|one, other| one <= other), "{rows:?}");
    assert_eq!(arena.state.beliefs.shown_count[0], 16);
}

#[test]
fn a_ship_sees_the_friends_its_link_reaches() {
    let mut arena = battle(&[
        ("corvette", "blue", (0.0, 0.0), SURFACE),
        ("dreadnought", "blue", (8000.0, 0.0), SURFACE),
        ("corvette", "blue", (0.0, 30_000.0), SURFACE),
    ]);
    arena.state.ships.hp[1] *= 0.5;
    let out = observed(&mut arena, 0);
    let ally = &out[ALLY..ALLY + ALLY_SIZE];
    assert_eq!((ally[0], ally[1], ally[2], ally[3]), (1.0, 0.0, 1.0, 0.4));
    assert!((ally[7] - 0.5).abs() < 1e-6 && (ally[8] - 2.0 / 3.0).abs() < 1e-6);
    assert!(out[ALLY + ALLY_SIZE..ENVIRONMENT].iter().all(|&value| value == 0.0));
    let alone = observed(&mut arena, 2);
    assert!(alone[ALLY..ENVIRONMENT].iter().all(|&value| value == 0.0));
}

/// Everything a side is told, of every one of its ships.
fn told(arena: &mut Arena, team: u8) -> Vec<u8> {
    let mut bytes = Vec::new();
    for row in 0..arena.state.ships.len() {
        if arena.state.ships.team[row] == team {
            bytes.extend(
                observed(arena, row).iter().flat_map(|value| value.to_bits().to_le_bytes()),
            );
            bytes.extend(masked(arena, row));
        }
    }
    bytes
}

#[test]
fn an_undetected_enemy_changes_nothing_the_other_side_is_told() {
    // Far beyond every sense.
    for fidelity in [Fidelity::F0, Fidelity::F1] {
        let make = |x: f64, y: f64, class: &str| {
            let mut trial = package(&[
                ("frigate", "blue", (0.0, 0.0), SURFACE),
                ("corvette", "blue", (2000.0, 500.0), SURFACE),
                ("corvette", "red", (9000.0, 0.0), SURFACE),
                (class, "red", (x, y), "submerged"),
            ]);
            trial.fidelity = fidelity;
            battle_of(trial)
        };
        let mut one = make(-30_000.0, 20_000.0, "attack_sub");
        let mut other = make(-31_000.0, -25_000.0, "deep_sub");
        other.state.ships.hp[3] *= 0.3;
        for tick in 0..120 {
            assert_eq!(told(&mut one, 0), told(&mut other, 0), "tick {tick}");
            for row in 0..3 {
                let order = legal_order(&one, row, 5);
                assert_eq!(order, legal_order(&other, row, 5));
                one.give(row, order, Origin::External);
                other.give(row, order, Origin::External);
            }
            one.give(3, Order { throttle: 127, rudder: 40, ..Order::default() }, Origin::External);
            tick::advance(&mut one);
            tick::advance(&mut other);
        }
        assert_ne!(told(&mut one, 1), told(&mut other, 1));
    }
}

#[test]
fn looking_changes_nothing_and_a_glance_sees_the_same() {
    let mut arena = of_scenario("skirmish", 3, Fidelity::F1);
    for _ in 0..60 {
        for row in 0..arena.state.ships.len() {
            let order = legal_order(&arena, row, 1);
            arena.give(row, order, Origin::External);
        }
        tick::advance(&mut arena);
    }
    let before = arena.state.clone();
    for row in 0..arena.state.ships.len() {
        let mut glanced = vec![0.0; FLOATS];
        glance(&arena.setup, &arena.state, row, &mut glanced);
        assert_eq!(observed(&mut arena, row), glanced);
    }
    assert_eq!(arena.state, before);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn in_any_battle_figures_stay_in_range_and_legal_orders_are_accepted(
        seed in 1_u64..10_000,
        scenario in 0_usize..11,
        fine in any::<bool>(),
    ) {
        let name = Scenario::names().nth(scenario).expect("eleven are shipped");
        let mut arena = of_scenario(name, seed, if fine { Fidelity::F1 } else { Fidelity::F0 });
        let mut truth = vec![0.0; reveal::FLOATS];
        for tick in 0..90 {
            for row in 0..arena.state.ships.len() {
                let order = legal_order(&arena, row, seed);
                arena.give(row, order, Origin::External);
            }
            tick::advance(&mut arena);
            prop_assert_eq!(arena.state.tally.rejected_orders, 0, "tick {}", tick);
            if tick % 10 == 0 {
                for row in 0..arena.state.ships.len() {
                    let out = observed(&mut arena, row);
                    let wrong = out.iter().position(|value| !(-1.0..=1.0).contains(value));
                    prop_assert_eq!(wrong, None, "ship {} of {} at tick {}", row, name, tick);
                    let mask = masked(&arena, row);
                    prop_assert!(mask.iter().all(|&entry| entry <= 1));
                    prop_assert!(OFFSETS.iter().all(|&first| mask[first] == 1));
                }
                reveal::state(&arena.setup, &arena.state, &mut truth);
                prop_assert!(truth.iter().all(|value| (-1.0..=1.0).contains(value)));
            }
        }
    }

    /// Pressing a button the mask forbids is dropped and counted; one that it allows does something.
    #[test]
    fn the_mask_of_the_fire_buttons_is_what_the_rules_accept(
        seed in 1_u64..10_000,
        scenario in 0_usize..11,
        wait in 5_u32..120,
    ) {
        let name = Scenario::names().nth(scenario).expect("eleven are shipped");
        let mut arena = of_scenario(name, seed, Fidelity::F0);
        for _ in 0..wait {
            for row in 0..arena.state.ships.len() {
                let mut order = legal_order(&arena, row, seed);
                order.layer_emission = (order.layer_emission & 0x0f) | 3 << 4;
                arena.give(row, order, Origin::External);
            }
            tick::advance(&mut arena);
        }
        if arena.done() {
            return Ok(());
        }
        for row in (0..arena.state.ships.len()).filter(|&row| arena.state.ships.fights(row)) {
            for target in 0..=arena.state.beliefs.shown_count[row] {
                let open = mask::fire_groups_at(&arena.setup, &arena.state, row, target);
                for group in 0..4 {
                    let mut trial = arena.clone();
                    let order = Order { target, fire: 1 << group, ..Order::default() };
                    trial.give(row, order, Origin::External);
                    tick::advance(&mut trial);
                    let refused = trial.state.tally.rejected_orders - arena.state.tally.rejected_orders;
                    prop_assert_eq!(refused == 0, open >> group & 1 == 1);
                    let first = trial.state.ships.mount_first[row] as usize;
                    let mounts = first..first + trial.state.ships.mount_count[row] as usize;
                    let fired = |arena: &Arena| -> u32 {
                        let ordered = mounts.clone().filter(|&mount| {
                            let kind = arena.state.mounts.weapon[mount];
                            arena.setup.tables.weapon(kind).group as u8 == group
                        });
                        ordered.map(|mount| u32::from(arena.state.mounts.fired[mount])).sum()
                    };
                    let came_up = arena.state.ships.popup[row] == 0.0 && trial.state.ships.popup[row] > 0.0;
                    let acted = fired(&trial) > fired(&arena) || came_up;
                    prop_assert_eq!(acted, refused == 0, "ship {} group {} in {}", row, group, name);
                }
            }
        }
    }
}
