//! What a town keeps of the past for those who ask: who quarrelled with whom, and which ties were
//! lost. Part of the state, so that a resumed town tells it too; never read by a rule.

use serde::{Deserialize, Serialize};

use crate::events::Reason;
use crate::numbers::{Micro, NONE};
use crate::relations::Change;
use crate::state::State;

/// Quarrels remembered; the number of the next one wraps around.
pub const QUARRELS: usize = 256;
/// Ticks over which lost ties are counted.
pub const WINDOW: u32 = 600;
/// Why quarrels happen; any other reason is told as the first.
pub const CAUSES: [Reason; 7] = [
    "conflict",
    "occupied",
    "queue_timeout",
    "ghost_step",
    "blocked_shower",
    "employment_shift_taken",
    "chat_failure",
];
/// Why ties are lost: the ledger was full, nothing was left of them, or somebody left town.
pub const LOSSES: [Reason; 3] = ["capacity", "decay", "removed"];
/// The ledger was full.
pub const CAPACITY: usize = 0;
/// Nothing was left of it.
pub const DECAY: usize = 1;
/// The other has left town.
pub const REMOVED: usize = 2;

/// Somebody by name, also after somebody else has the seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Who {
    /// Index of the name.
    pub origin: u16,
    /// How many came before under it.
    pub generation: u32,
}

/// Something that made rivals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quarrel {
    /// When.
    pub tick: u32,
    /// Who, and with whom.
    pub pair: [Who; 2],
    /// Over what, or [`NONE`].
    pub object: u8,
    /// Index of the cause.
    pub cause: u8,
    /// Rivalry it brings, before characters soften or sharpen it.
    pub rivalry: Micro,
    /// Of a conflict in a queue, else 0.
    pub intensity: Micro,
}

/// Ties that the person in a seat lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Losses {
    /// The number of the person.
    pub person: u32,
    /// In this window and in the one before, by reason.
    pub counts: [[u16; LOSSES.len()]; 2],
}

/// All of it, of fixed size.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chronicle {
    /// Up to [`QUARRELS`], in a ring.
    pub quarrels: Vec<Quarrel>,
    /// Where the next one goes.
    pub next: u8,
    /// One per seat.
    pub losses: Vec<Losses>,
    /// Those of everyone, also of those who have left: in this window and in the one before.
    pub lost: [[u32; LOSSES.len()]; 2],
}

impl Chronicle {
    /// Nothing has happened; there is room for all that may.
    #[must_use]
    pub fn empty(seats: usize) -> Self {
        let losses = vec![Losses::default(); seats];
        Self { quarrels: Vec::with_capacity(QUARRELS), losses, ..Self::default() }
    }

    /// Have room for all that may happen, as a state read back has not.
    pub fn make_room(&mut self) {
        self.quarrels.reserve_exact(QUARRELS.saturating_sub(self.quarrels.len()));
    }

    /// A new window begins with every [`WINDOW`] ticks.
    pub fn turn(&mut self, tick: u32) {
        if tick.is_multiple_of(WINDOW) {
            for one in &mut self.losses {
                one.counts = [Default::default(), one.counts[0]];
            }
            self.lost = [Default::default(), self.lost[0]];
        }
    }

    /// The person in `seat` has lost a tie.
    pub fn lose(&mut self, seat: usize, person: u32, reason: usize) {
        let row = &mut self.losses[seat];
        if row.person != person {
            *row = Losses { person, ..Losses::default() };
        }
        row.counts[0][reason] = row.counts[0][reason].saturating_add(1);
        self.lost[0][reason] += 1;
    }

    /// Quarrels, newest first.
    pub fn newest(&self) -> impl Iterator<Item = &Quarrel> {
        let full = self.quarrels.len() == QUARRELS;
        let cut = if full { usize::from(self.next) } else { self.quarrels.len() };
        let (later, earlier) = self.quarrels.split_at(cut);
        later.iter().rev().chain(earlier.iter().rev())
    }

    /// Refuse what this could not have become.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn check(&self, seats: usize, objects: usize, tick: u32) -> Result<(), String> {
        let (known, next) = (self.quarrels.len(), usize::from(self.next));
        if known > QUARRELS || (known < QUARRELS && next != known) {
            return Err(format!("{known} quarrels, and the next is number {next}"));
        }
        if self.losses.len() != seats {
            return Err(format!("{} losses where the town has {seats} seats", self.losses.len()));
        }
        let sound = |one: &Quarrel| {
            let object = one.object == NONE || usize::from(one.object) < objects;
            object && usize::from(one.cause) < CAUSES.len() && one.tick <= tick
        };
        if self.quarrels.iter().all(sound) { Ok(()) } else { Err("no such quarrel".to_owned()) }
    }
}

/// Two have quarrelled over an object, or over none.
pub fn quarrel(
    state: &mut State,
    pair: [usize; 2],
    object: u8,
    cause: Reason,
    by: Change,
    intensity: Micro,
) {
    let person = |seat: usize| {
        let agent = &state.agents[seat];
        Who { origin: agent.origin, generation: agent.generation }
    };
    let cause = CAUSES.iter().position(|known| *known == cause).unwrap_or(0) as u8;
    let pair = pair.map(person);
    let rivalry = by.rivalry;
    let one = Quarrel { tick: state.tick, pair, object, cause, rivalry, intensity };
    let ring = &mut state.chronicle;
    if ring.quarrels.len() < QUARRELS {
        ring.quarrels.push(one);
    } else {
        ring.quarrels[usize::from(ring.next)] = one;
    }
    ring.next = ring.next.wrapping_add(1);
}
