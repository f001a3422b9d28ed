//! The three streams of a town: counter-based, so their whole state is a key and a count.

use astrarium_kernel::philox4x32;
use serde::{Deserialize, Serialize};

use crate::hashes::sha256;
use crate::numbers::{Micro, ONE};

/// One named stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draws {
    key: u64,
    counter: u64,
}

impl Draws {
    /// The stream called `name` of the town of `seed`.
    #[must_use]
    pub fn of(seed: u64, name: &str) -> Self {
        let hash = sha256(&[&seed.to_le_bytes()[..], name.as_bytes()].concat());
        let mut first = [0; 8];
        first.copy_from_slice(&hash[..8]);
        Self { key: u64::from_le_bytes(first), counter: 0 }
    }

    /// The next 32 random bits.
    pub fn word(&mut self) -> u32 {
        let counter = [self.counter as u32, (self.counter >> 32) as u32, 0, 0];
        self.counter += 1;
        philox4x32(self.key, counter)[0]
    }

    /// A whole number in `0..bound`; 0 if the bound is 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        ((u64::from(self.word()) * u64::from(bound)) >> 32) as u32
    }

    /// A whole number from `low` to `high`, both included.
    pub fn between(&mut self, low: u32, high: u32) -> u32 {
        low + self.below(high.saturating_sub(low).saturating_add(1))
    }

    /// Whether something of this chance, in millionths, happens.
    pub fn happens(&mut self, chance: Micro) -> bool {
        i64::from(self.below(ONE as u32)) < chance
    }
}
