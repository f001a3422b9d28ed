//! Replays: a battle as its package and the orders that were given, with hashes to hold it to.

mod comparing;
mod recording;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use crate::arena::Arena;
use crate::orders::{Order, Origin};
use crate::package::{self, BattlePackage, PackageError};
use crate::setup::Setup;
use crate::tables::Tables;
use crate::tick;

pub use comparing::{Difference, diff};
pub use recording::Recorder;

/// The version of the file.
pub const FORMAT: u32 = 1;
/// Ticks between two hashes.
pub const HASH_EVERY: u32 = 60;

const MAGIC: &[u8; 8] = b"TIDEPLAY";
/// Bytes of one ship's order; the last of them says who gave it.
const ORDER_BYTES: usize = 8;

/// Why a replay cannot be read or does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReplayError {
    /// The bytes are no replay.
    #[error("not a replay of Tidebreak: {0}")]
    Damaged(String),
    /// Another version of the file.
    #[error("the replay has format {found}; this build reads format {FORMAT}")]
    Format {
        /// Of the file.
        found: u32,
    },
    /// The battle inside is no legal package, or was played with other tables.
    #[error("the replay's package: {0}")]
    Package(#[from] PackageError),
    /// Playing it again leads elsewhere.
    #[error(
        "the battle differs by tick {tick}: recorded {recorded:016x}, played again {again:016x}; {hint}"
    )]
    Differs {
        /// The first hash that differs is of this tick.
        tick: u32,
        /// The hash in the file.
        recorded: u64,
        /// The hash now.
        again: u64,
        /// What may be behind it.
        hint: String,
    },
}

/// What stands before the orders.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Header {
    build_id: String,
    table_hashes: BTreeMap<String, String>,
    seed: u64,
    ticks: u32,
    ships: u32,
    package: Value,
}

/// A battle that can be played again.
#[derive(Clone, Debug, PartialEq)]
pub struct Replay {
    /// The build that played it.
    pub build_id: String,
    /// The tables it was played with.
    pub table_hashes: BTreeMap<String, String>,
    /// The seed it was played with.
    pub seed: u64,
    /// The battle.
    pub package: BattlePackage,
    /// Ticks played.
    pub ticks: u32,
    /// Orders, eight bytes a ship, ship by ship and tick by tick.
    orders: Vec<u8>,
    /// The hash before the first tick, after every sixtieth, and after the last.
    hashes: Vec<u64>,
}

impl Replay {
    /// The file.
    ///
    /// # Panics
    /// Never: a header has only texts for keys.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let header = Header {
            build_id: self.build_id.clone(),
            table_hashes: self.table_hashes.clone(),
            seed: self.seed,
            ticks: self.ticks,
            ships: self.package.ships.len() as u32,
            package: serde_json::to_value(&self.package).expect("a package is JSON"),
        };
        let header = serde_json::to_vec(&header).expect("a header has only texts for keys");
        let mut bytes = Vec::with_capacity(header.len() + self.orders.len() + 64);
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&FORMAT.to_le_bytes());
        bytes.extend_from_slice(&(header.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&header);
        bytes.extend_from_slice(&self.orders);
        for hash in &self.hashes {
            bytes.extend_from_slice(&hash.to_le_bytes());
        }
        let seal = astrarium_kernel::digest_bytes(&bytes);
        bytes.extend_from_slice(&seal.to_le_bytes());
        bytes
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it is no replay, is damaged, or holds a battle that this build cannot play.
    pub fn read(bytes: &[u8]) -> Result<Self, ReplayError> {
        let damaged = |problem: &str| ReplayError::Damaged(problem.to_owned());
        let rest = bytes.strip_prefix(MAGIC).ok_or_else(|| damaged("it begins otherwise"))?;
        let (format, rest) = number(rest).ok_or_else(|| damaged("it ends in its head"))?;
        if format != FORMAT {
            return Err(ReplayError::Format { found: format });
        }
        let (length, rest) = number(rest).ok_or_else(|| damaged("it ends in its head"))?;
        let (sealed, seal) =
            bytes.split_last_chunk::<8>().ok_or_else(|| damaged("it ends in its head"))?;
        if astrarium_kernel::digest_bytes(sealed) != u64::from_le_bytes(*seal) {
            return Err(damaged("its seal does not fit: it was cut off or changed"));
        }
        let rest = &rest[..rest.len().saturating_sub(8)];
        let (header, rest) = rest
            .split_at_checked(length as usize)
            .ok_or_else(|| damaged("its header is longer than the file"))?;
        let header: Header = serde_json::from_slice(header)
            .map_err(|error| ReplayError::Damaged(format!("its header: {error}")))?;
        let package = package::read(header.package.to_string().as_bytes(), Tables::shipped())?;
        let orders = header.ticks as usize * package.ships.len() * ORDER_BYTES;
        let (orders, hashes) =
            rest.split_at_checked(orders).ok_or_else(|| damaged("orders are missing"))?;
        let hashes: Vec<u64> =
            hashes.as_chunks::<8>().0.iter().map(|chunk| u64::from_le_bytes(*chunk)).collect();
        if header.ships as usize != package.ships.len() || hashes.len() != hash_count(header.ticks)
        {
            return Err(damaged("its parts do not fit together"));
        }
        Ok(Self {
            build_id: header.build_id,
            table_hashes: header.table_hashes,
            seed: header.seed,
            package,
            ticks: header.ticks,
            orders: orders.to_vec(),
            hashes,
        })
    }

    /// Hash of all orders.
    #[must_use]
    pub fn orders_hash(&self) -> u64 {
        astrarium_kernel::digest_bytes(&self.orders)
    }

    /// The battle before its first tick.
    ///
    /// # Errors
    /// If the map is larger than this build's fields hold.
    pub fn arena(&self) -> Result<Arena, ReplayError> {
        let mut arena = Arena::new(Arc::new(Setup::new(self.package.clone())?));
        arena.reset(self.seed);
        Ok(arena)
    }

    /// Gives the arena the orders of its coming tick and lets it pass; false at the end.
    pub fn advance(&self, arena: &mut Arena) -> bool {
        let tick = arena.state.tick;
        if tick >= self.ticks {
            return false;
        }
        let ships = self.package.ships.len();
        let first = tick as usize * ships * ORDER_BYTES;
        let orders = self.orders[first..].as_chunks::<ORDER_BYTES>().0;
        for (ship, bytes) in orders.iter().take(ships).enumerate() {
            arena.given[ship] = decoded(*bytes);
        }
        tick::advance(arena);
        // A battle that ended earlier than the recorded one would stand still for ever.
        arena.state.tick > tick
    }

    /// Plays the battle again and compares every recorded hash.
    ///
    /// # Errors
    /// The first hash that differs.
    pub fn verify(&self) -> Result<u64, ReplayError> {
        let mut arena = self.arena()?;
        let mut at = 0;
        loop {
            let (tick, again) = (arena.state.tick, arena.state.state_hash());
            if self.hashes.get(at) != Some(&again) {
                let recorded = self.hashes.get(at).copied().unwrap_or_default();
                return Err(ReplayError::Differs { tick, recorded, again, hint: self.hint() });
            }
            at += 1;
            if tick >= self.ticks {
                return Ok(again);
            }
            let next = (tick / HASH_EVERY + 1) * HASH_EVERY;
            while arena.state.tick < next.min(self.ticks) && self.advance(&mut arena) {}
            if arena.state.tick == tick {
                return Err(ReplayError::Differs {
                    tick,
                    recorded: self.hashes[at],
                    again,
                    hint: "the battle ends here when it is played again".to_owned(),
                });
            }
        }
    }

    fn hint(&self) -> String {
        if self.build_id == crate::result::BUILD_ID {
            return "the rules or the orders are not those of the recording".to_owned();
        }
        format!("it was recorded by {}, this is {}", self.build_id, crate::result::BUILD_ID)
    }
}

/// Hashes of a battle of so many ticks: before the first, after every sixtieth and after the last.
fn hash_count(ticks: u32) -> usize {
    1 + ticks.div_ceil(HASH_EVERY) as usize
}

fn number(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (number, rest) = bytes.split_first_chunk::<4>()?;
    Some((u32::from_le_bytes(*number), rest))
}

fn encoded((order, origin): (Order, Origin)) -> [u8; ORDER_BYTES] {
    let mut bytes = order.bytes();
    bytes[ORDER_BYTES - 1] = origin as u8;
    bytes
}

fn decoded(mut bytes: [u8; ORDER_BYTES]) -> (Order, Origin) {
    let origin = match std::mem::take(&mut bytes[ORDER_BYTES - 1]) {
        0 => Origin::Autopilot,
        1 => Origin::Doctrine,
        _ => Origin::External,
    };
    (Order::from_bytes(bytes), origin)
}
