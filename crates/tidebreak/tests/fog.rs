//! What nobody has noticed changes nothing for the other side: not what it is shown, not what it may do,
//! and not what its captains order.

mod captains;

use astrarium_tidebreak::arena::Arena;
use astrarium_tidebreak::doctrine::{self, Choices, Doctrine};
use astrarium_tidebreak::orders::{CHOICES, Origin};
use astrarium_tidebreak::{mask, observe, tick};
use captains::{begin, staged};

const TICKS: u32 = 240;
const OURS: usize = 3;

/// Three of ours before a frigate they see, and a submarine of theirs wherever the test wants it.
fn battle(hidden: (f64, f64, f64)) -> Arena {
    let (x, y, heading) = hidden;
    begin(staged(&[
        ("blue", "corvette", -2_000.0, 0.0, 0.0),
        ("blue", "frigate", -2_500.0, 1_500.0, 0.2),
        ("blue", "attack_sub", -2_500.0, -1_500.0, 0.0),
        ("red", "frigate", 3_000.0, 500.0, 3.0),
        ("red", "attack_sub", x, y, heading),
    ]))
}

/// All that one of ours is shown, may do and orders in a tick, as bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Moment {
    shown: Vec<u8>,
    mask: [u8; CHOICES],
    choices: Choices,
    order: [u8; 8],
}

/// Look, and give the order.
fn moment(arena: &mut Arena, captain: Doctrine, ship: usize) -> Moment {
    let mut figures = [0.0; observe::FLOATS];
    observe::glance(&arena.setup, &arena.state, ship, &mut figures);
    let mut mask = [0; CHOICES];
    mask::ship(&arena.setup, &arena.state, ship, &mut mask);
    let choices = doctrine::choose(captain, &arena.setup, &arena.state, ship);
    let order = doctrine::decide(captain, &arena.setup, &arena.state, ship);
    arena.give(ship, order, Origin::Doctrine);
    let shown = figures.iter().flat_map(|figure: &f32| figure.to_le_bytes()).collect();
    Moment { shown, mask, choices, order: order.bytes() }
}

/// Our moments tick by tick; nobody commands the others.
fn moments(mut arena: Arena, captain: Doctrine) -> Vec<[Moment; OURS]> {
    let mut all = Vec::new();
    for _ in 0..TICKS {
        all.push(std::array::from_fn(|ship| moment(&mut arena, captain, ship)));
        tick::advance(&mut arena);
    }
    all
}

#[test]
fn an_undetected_enemy_changes_no_observation_mask_or_order() {
    for captain in Doctrine::ALL {
        let here = moments(battle((19_000.0, 19_000.0, 0.0)), captain);
        let there = moments(battle((18_000.0, -19_000.0, 1.0)), captain);
        let first = here.iter().zip(&there).position(|(one, other)| one != other);
        assert_eq!(first, None, "{}: the first tick that differs", captain.name());
    }
}

#[test]
fn a_detected_enemy_changes_observations_masks_and_orders() {
    // Otherwise the test above would pass for a comparison that looks at nothing.
    for captain in [Doctrine::Pursuer, Doctrine::Line, Doctrine::Wolfpack] {
        let far = moments(battle((19_000.0, 19_000.0, 0.0)), captain);
        let near = moments(battle((0.0, 0.0, 3.0)), captain);
        let differ = |part: fn(&Moment, &Moment) -> bool| {
            far.iter().flatten().zip(near.iter().flatten()).any(|(one, other)| part(one, other))
        };
        assert!(differ(|one, other| one.shown != other.shown), "{}", captain.name());
        assert!(differ(|one, other| one.mask != other.mask), "{}", captain.name());
        assert!(differ(|one, other| one.choices != other.choices), "{}", captain.name());
        assert!(differ(|one, other| one.order != other.order), "{}", captain.name());
    }
}
