//! Battles in which doctrines command whoever has no other master.

use crate::arena::Arena;
use crate::doctrine::{self, Doctrine};
use crate::orders::Origin;
use crate::tick;

/// Let each team's doctrine give orders to every ship of it that `spare` does not name.
pub fn command(arena: &mut Arena, captains: &[Doctrine], spare: impl Fn(usize) -> bool) {
    for ship in 0..arena.state.ships.len() {
        if spare(ship) || !arena.state.ships.fights(ship) {
            continue;
        }
        let captain = captains[usize::from(arena.setup.teams[ship])];
        let order = doctrine::decide(captain, &arena.setup, &arena.state, ship);
        arena.give(ship, order, Origin::Doctrine);
    }
}

/// Fight to the end, every team under its doctrine.
pub fn fight(arena: &mut Arena, captains: &[Doctrine]) {
    while !arena.done() {
        command(arena, captains, |_| false);
        tick::advance(arena);
    }
}
