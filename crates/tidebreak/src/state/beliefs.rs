//! What each ship believes, and what links carry between ships.

use serde::{Deserialize, Serialize};

use crate::columns::table;

/// Rows of one ship's contact table.
pub const TRACKS: usize = 32;

table! {
    /// What each ship believes: `TRACKS` rows a ship, the first `Beliefs::used[ship]` of them valid.
    Tracks of Track {
        /// What is followed; never shown outside the arena.
        entity: u32,
        /// The number its owner knows it by, rising.
        number: u32,
        /// Estimate, metres.
        x: f32,
        /// Estimate, metres.
        y: f32,
        /// Estimate, metres a second.
        vx: f32,
        /// Estimate, metres a second.
        vy: f32,
        /// Standard error, metres.
        sigma: f32,
        /// 0..3.
        quality: u8,
        /// Ticks of fire-control measurements in a row.
        held: u16,
        /// Ticks since last seen or heard of.
        age: u16,
        /// Ticks since a measurement that was worth its quality.
        stale: u16,
        /// Layer if known, else 255.
        layer: u8,
        /// Where it can be struck as far as known, as bits of [`crate::tables::Reach`]; 0 unknown.
        places: u8,
        /// 0 ordnance, 1 craft, 2.. small to extra large.
        size: u8,
        /// 0 authenticated, 1 assumed, 2 unknown, 3 suspect, 4 hostile.
        iff: u8,
        /// Where the last news came from; see [`crate::sensing::source`].
        sources: u8,
        /// The bearing of the first passive cue, radians, or something beyond pi for none.
        cue: f32,
    }
}

/// The contact tables and what links carry between them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Beliefs {
    /// `TRACKS` rows for every ship.
    pub tracks: Tracks,
    /// Valid rows of each ship.
    pub used: Vec<u8>,
    /// The next track number of each ship.
    pub next_number: Vec<u32>,
    /// Each ship's contacts in the order it was last shown them: rows of its own table.
    pub shown: Vec<[u8; 16]>,
    /// How many of those are valid.
    pub shown_count: Vec<u8>,
    /// On their way over the links, to be read in the next tick.
    pub links: Links,
}

table! {
    /// Updates sent in the last tick.
    Links of Link {
        /// Row of the ship that sent.
        from: u32,
        /// Its team.
        team: u8,
        /// The entity told of.
        entity: u32,
        /// Estimate, metres.
        x: f32,
        /// Estimate, metres.
        y: f32,
        /// Estimate, metres a second.
        vx: f32,
        /// Estimate, metres a second.
        vy: f32,
        /// Standard error, metres.
        sigma: f32,
        /// 0..3.
        quality: u8,
        /// Layer if known, else 255.
        layer: u8,
        /// As in tracks.
        places: u8,
        /// As in tracks.
        size: u8,
        /// As in tracks.
        iff: u8,
        /// Tier of the sender's link.
        tier: u8,
    }
}
