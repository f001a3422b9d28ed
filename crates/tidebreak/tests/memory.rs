//! What a battle takes: nothing per tick, and little at all.
//!
//! One test only: the count is the whole process's.

mod captains;
mod counting;

use astrarium_tidebreak::arena::Arena;
use astrarium_tidebreak::package::Fidelity;
use astrarium_tidebreak::tick;

#[global_allocator]
static GLOBAL: counting::Counting = counting::Counting;

/// The most a duel may take without and with fields.
const BYTES_MAX: [(Fidelity, i64); 2] = [(Fidelity::F0, 256_000), (Fidelity::F1, 1_500_000)];

/// Ticks of a battle under a captain who charges, and in how many of them memory was asked for.
fn asking_ticks(arena: &mut Arena, ticks: u32) -> u32 {
    let mut asking = 0;
    for _ in 0..ticks {
        captains::charge(arena);
        let before = counting::asked();
        tick::advance(arena);
        asking += u32::from(counting::asked() > before);
    }
    asking
}

#[test]
fn a_steady_battle_asks_for_no_memory_and_a_duel_takes_little() {
    for (name, fidelity) in
        [("duel", Fidelity::F0), ("duel", Fidelity::F1), ("fleet_action", Fidelity::F1)]
    {
        let mut arena = captains::battle(name, 3, fidelity);
        // The first battles find out how much room tables need; later ones use it again.
        for seed in 4..10 {
            asking_ticks(&mut arena, 1800);
            arena.reset(seed);
        }
        // One that nobody has seen may need a little more than any before, once.
        assert!(asking_ticks(&mut arena, 1800) <= 1, "{name} {fidelity:?}");
        assert!(arena.state.tally.hits > 0, "{name} was no battle");
        arena.reset(9);
        assert_eq!(asking_ticks(&mut arena, 1800), 0, "{name} {fidelity:?}");
    }
    for (fidelity, most) in BYTES_MAX {
        let setup = captains::battle("duel", 3, fidelity).setup;
        let before = counting::bytes_out();
        let mut arena = Arena::new(setup);
        asking_ticks(&mut arena, 600);
        let taken = counting::bytes_out() - before;
        assert!(taken <= most, "a duel at {fidelity:?} takes {taken} bytes");
    }
}
