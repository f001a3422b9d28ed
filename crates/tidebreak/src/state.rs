//! Everything that changes in a battle.
//!
//! Ships never leave their table: row = id = position in the canonical order of the package, and a
//! hull that is lost has a fate. Whatever is spawned (rounds, decoys, mines, squadrons) takes the
//! next id and leaves its table when it ends.

use astrarium_morphospace::Space;
use serde::{Deserialize, Serialize};

use crate::orders::Order;

mod beliefs;
mod ships;
mod spawned;
mod weather;

pub use beliefs::*;
pub use ships::*;
pub use spawned::*;
pub use weather::*;

/// No entity.
pub const NOBODY: u32 = u32::MAX;

/// Counters of a whole battle, for summaries. All are facts, none is read by a rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Tally {
    pub shots: u32,
    pub hits: u32,
    pub kills: u32,
    pub captures: u32,
    pub surrenders: u32,
    pub transitions: u32,
    pub botched: u32,
    pub collisions: u32,
    pub detections: u32,
    pub rejected_orders: u32,
}

/// How a battle ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// 0 running, 1 decided, 2 objective settled, 3 out of time.
    pub ended_by: u8,
    /// Row of the winning team, or 255 for none.
    pub winner: u8,
}

/// The whole battle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Of the battle.
    pub seed: u64,
    /// Tactical ticks since the start; one second each.
    pub tick: u32,
    /// Substeps since the start.
    pub substep: u64,
    /// What the next spawned entity is called.
    pub next_id: u32,
    /// Hulls.
    pub ships: Ships,
    /// Weapons.
    pub mounts: Mounts,
    /// In flight.
    pub rounds: Rounds,
    /// Noise makers.
    pub decoys: Decoys,
    /// Laid.
    pub mines: Mines,
    /// Craft.
    pub squadrons: Squadrons,
    /// What each ship knows.
    pub beliefs: Beliefs,
    /// Changes of figures.
    pub modifiers: Modifiers,
    /// Base weather.
    pub sky: Sky,
    /// Moving storms.
    pub storms: Storms,
    /// What waits to be stamped into the fields.
    pub marks: Marks,
    /// Temperature, noise, smoke and the rest, as anybody may notice them: noise of what happened.
    pub fields: Space,
    /// Noise of hulls under way. Sonars hear it; nobody is shown it.
    pub wakes: Space,
    /// Value of each team at the start and what it has left.
    pub team_value: Vec<[f64; 2]>,
    /// Damage that nobody did: weather, ground, and fires nobody set.
    pub dealt_by_nature: f64,
    /// Progress of each ship's objective, 0..1, and whether it is settled (1 met, -1 failed).
    pub objectives: Vec<[f32; 2]>,
    /// Reward terms of this tick, twelve a ship.
    pub terms: Vec<[f32; 12]>,
    /// The orders each ship carries out, by ship; kept until somebody gives others.
    pub orders: Vec<Order>,
    /// Counters.
    pub tally: Tally,
    /// How it ended.
    pub outcome: Outcome,
    /// Events told in this tick so far, kept or not; begins at 0 in every tick.
    pub event_index: u32,
}
