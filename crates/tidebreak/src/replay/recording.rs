//! Writing a battle down while it is fought.

use super::{HASH_EVERY, Replay, encoded};
use crate::arena::Arena;
use crate::battle;
use crate::doctrine::Doctrine;
use crate::result::{BUILD_ID, BattleResult, Breach, ReplayNote, result_of};
use crate::tick;

/// Keeps the orders and hashes of one battle.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    orders: Vec<u8>,
    /// The hash before the first tick and after every sixtieth.
    hashes: Vec<u64>,
}

impl Recorder {
    /// At the start of a battle; the arena has not been stepped.
    #[must_use]
    pub fn begin(arena: &mut Arena) -> Self {
        Self { orders: Vec::new(), hashes: vec![arena.state.state_hash()] }
    }

    /// Lets one tick pass and writes down the orders it was given.
    pub fn advance(&mut self, arena: &mut Arena) {
        if arena.done() {
            return;
        }
        for given in &arena.given {
            self.orders.extend_from_slice(&encoded(*given));
        }
        tick::advance(arena);
        if arena.state.tick.is_multiple_of(HASH_EVERY) {
            self.hashes.push(arena.state.state_hash());
        }
    }

    /// Fights on to the end, every team under its doctrine.
    pub fn fight(&mut self, arena: &mut Arena, captains: &[Doctrine]) {
        while !arena.done() {
            battle::command(arena, captains, |_| false);
            self.advance(arena);
        }
    }

    /// The battle so far.
    #[must_use]
    pub fn replay(&self, arena: &mut Arena) -> Replay {
        let mut hashes = self.hashes.clone();
        if !arena.state.tick.is_multiple_of(HASH_EVERY) {
            hashes.push(arena.state.state_hash());
        }
        Replay {
            build_id: BUILD_ID.to_owned(),
            table_hashes: arena.setup.tables.hashes_in_words(),
            seed: arena.state.seed,
            package: arena.setup.package.clone(),
            ticks: arena.state.tick,
            orders: self.orders.clone(),
            hashes,
        }
    }

    /// The result of the battle so far.
    ///
    /// # Errors
    /// The conservation rule that the battle broke.
    pub fn result(&self, arena: &mut Arena) -> Result<BattleResult, Breach> {
        let note = ReplayNote {
            orders_hash: astrarium_kernel::digest_bytes(&self.orders),
            initial_hash: self.hashes.first().copied().unwrap_or_default(),
            final_hash: arena.state.state_hash(),
        };
        result_of(&arena.setup, &arena.state, note)
    }
}
