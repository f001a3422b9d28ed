//! Doctrines see what a policy sees: what nobody has noticed moves no order.

mod captains;

use astrarium_tidebreak::arena::Arena;
use astrarium_tidebreak::doctrine::{self, Choices, Doctrine};
use astrarium_tidebreak::orders::Origin;
use astrarium_tidebreak::tick;
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

/// What our captains order tick by tick; nobody commands the others.
fn orders(mut arena: Arena, captain: Doctrine) -> Vec<[Choices; OURS]> {
    let mut given = Vec::new();
    for _ in 0..TICKS {
        let mut choices = [Choices::default(); OURS];
        for (ship, choice) in choices.iter_mut().enumerate() {
            *choice = doctrine::choose(captain, &arena.setup, &arena.state, ship);
            let order = doctrine::decide(captain, &arena.setup, &arena.state, ship);
            arena.give(ship, order, Origin::Doctrine);
        }
        given.push(choices);
        tick::advance(&mut arena);
    }
    given
}

#[test]
fn an_undetected_enemy_moves_no_order_of_any_doctrine() {
    for captain in Doctrine::ALL {
        let here = orders(battle((19_000.0, 19_000.0, 0.0)), captain);
        let there = orders(battle((18_000.0, -19_000.0, 1.0)), captain);
        assert!(here == there, "{}", captain.name());
    }
}

#[test]
fn an_enemy_in_plain_sight_does_move_them() {
    // Otherwise the test above would pass for captains who look at nothing.
    for captain in [Doctrine::Pursuer, Doctrine::Line, Doctrine::Wolfpack] {
        let far = orders(battle((19_000.0, 19_000.0, 0.0)), captain);
        let near = orders(battle((0.0, 0.0, 3.0)), captain);
        assert!(far != near, "{}", captain.name());
    }
}
