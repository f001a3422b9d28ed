//! Writing a battle down while it is fought.

use astrarium_kernel::digest_bytes;
use serde::{Deserialize, Serialize};

use super::{HASH_EVERY, ORDER_BYTES, Replay, encoded};
use crate::arena::Arena;
use crate::battle;
use crate::doctrine::Doctrine;
use crate::result::{BUILD_ID, BattleResult, Breach, ReplayNote, result_of};
use crate::tick;

/// What a battle with its record begins with.
const MAGIC: &[u8; 4] = b"TBR1";
/// Magic and the hash of what follows.
const HEADER: usize = 4 + 8;

/// Keeps the orders and hashes of one battle.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
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

    /// The battle as it stands with all that led there, so that whoever goes on from it has the same
    /// result and replay as one that never stopped.
    ///
    /// # Panics
    /// Never: a record is plain data.
    #[must_use]
    pub fn snapshot(&self, arena: &Arena) -> Vec<u8> {
        let body = postcard::to_allocvec(&(self, arena.snapshot())).expect("plain data");
        let mut bytes = Vec::with_capacity(HEADER + body.len());
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&digest_bytes(&body).to_le_bytes());
        bytes.extend_from_slice(&body);
        bytes
    }

    /// Go on from a snapshot of a battle of the same package.
    ///
    /// # Errors
    /// Why it is none; then nothing has changed.
    pub fn load(&mut self, arena: &mut Arena, bytes: &[u8]) -> Result<(), String> {
        let (header, body) = bytes
            .split_at_checked(HEADER)
            .filter(|(header, _)| header.starts_with(MAGIC))
            .ok_or("these bytes are no snapshot of a battle")?;
        if header[4..] != digest_bytes(body).to_le_bytes() {
            return Err("the snapshot is damaged".to_owned());
        }
        let (record, battle): (Self, Vec<u8>) = postcard::from_bytes(body)
            .map_err(|error| format!("the snapshot is damaged: {error}"))?;
        let state = arena.read(&battle)?;
        let ticks = state.tick as usize;
        let orders = ticks * arena.setup.hulls.len() * ORDER_BYTES;
        let hashes = 1 + ticks / HASH_EVERY as usize;
        if (record.orders.len(), record.hashes.len()) != (orders, hashes) {
            return Err("the snapshot's record is of another battle".to_owned());
        }
        arena.restore(state);
        *self = record;
        Ok(())
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
            orders_hash: digest_bytes(&self.orders),
            initial_hash: self.hashes.first().copied().unwrap_or_default(),
            final_hash: arena.state.state_hash(),
        };
        result_of(&arena.setup, &arena.state, note)
    }
}
