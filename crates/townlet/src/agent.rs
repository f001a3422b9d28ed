//! One agent: everything about it that can affect the future.

use serde::{Deserialize, Serialize};

use crate::numbers::{Micro, NEEDS, NONE};
use crate::town::ITEMS;

/// Ties an agent can hold.
pub const TIES: usize = 6;
/// Shifts remembered for the attendance.
pub const SHIFTS: usize = 14;
/// Days with an absence that are remembered.
pub const ABSENCES: usize = 20;
/// Parts of the rolling day over which neglect is counted.
pub const PARTS: usize = 20;

/// Whether the seat has somebody in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Presence {
    /// Nobody.
    #[default]
    Absent,
    /// Left in this step; shown once more.
    Leaving,
    /// In play.
    Present,
}

/// What one agent holds of another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tie {
    /// Their seat.
    pub other: u8,
    /// -1 to 1.
    pub trust: Micro,
    /// -1 to 1.
    pub familiarity: Micro,
    /// 0 to 1.
    pub rivalry: Micro,
}

/// Where an agent stands in its shift.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ShiftState {
    /// Long before.
    #[default]
    Pre,
    /// Soon.
    Await,
    /// There in time.
    OnTime,
    /// Not there in time.
    Late,
    /// Not there.
    Absent,
    /// After.
    Post,
}

/// The shift of today.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shift {
    /// State.
    pub state: ShiftState,
    /// Whether it was ever on site today.
    pub came: bool,
    /// Whether lateness was counted today.
    pub was_late: bool,
    /// Whether a coworker has stood in for it.
    pub helped: bool,
    /// Ticks away in a row.
    pub away: u32,
    /// Ticks on site in time.
    pub on_time: u32,
    /// Ticks late today.
    pub late: u32,
    /// Whether a facility's failure excuses today.
    pub excused: bool,
}

/// Work life.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Work {
    /// Index of the job, or [`NONE`].
    pub job: u8,
    /// Today.
    pub shift: Shift,
    /// Times late.
    pub lateness: u32,
    /// On-time shares of the last shifts, oldest first.
    pub shares: [u32; SHIFTS],
    /// How many of them there are.
    pub shifts: u8,
    /// Days of absences, oldest first.
    pub absences: [u32; ABSENCES],
    /// How many of them there are.
    pub absent: u8,
    /// Wages not paid.
    pub withheld: Micro,
    /// Last tick with a wage, or of arrival.
    pub last_wage: u32,
    /// In the exit queue since, if queued.
    pub queued: Option<u32>,
    /// Approved to leave.
    pub approved: bool,
}

/// What happened in this tick, for the reward and the event bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Now {
    /// A wage was paid.
    pub paid: bool,
    /// A wage was withheld.
    pub withheld: bool,
    /// Punctuality of an arrival, in millionths.
    pub punctual: Micro,
    /// Chat bonus.
    pub bonus: f64,
    /// Chat penalty.
    pub penalty: f64,
    /// Conflicts avoided.
    pub avoided: u8,
    /// Event bits.
    pub bits: u32,
    /// Whether the last move was refused because of another agent.
    pub blocked: bool,
    /// Whether it was pushed off a shared tile.
    pub aside: bool,
}

/// One agent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Agent {
    /// Whether there is one.
    pub presence: Presence,
    /// Where it stands.
    pub tile: u16,
    /// Needs, 0 to 1.
    pub needs: [Micro; NEEDS],
    /// What they lose per tick.
    pub decay: [Micro; NEEDS],
    /// Money, never below 0.
    pub wallet: Micro,
    /// Option it follows.
    pub option: u8,
    /// Until when it is bound to it.
    pub bound_until: u32,
    /// When it took it.
    pub option_since: u32,
    /// Object it is after, or [`NONE`].
    pub target: u8,
    /// Affordance it is after, or [`NONE`].
    pub goal: u8,
    /// Object it holds, or [`NONE`].
    pub holding: u8,
    /// Since when.
    pub held_since: u32,
    /// Object it waits for, or [`NONE`].
    pub waiting: u8,
    /// Since when.
    pub joined: u32,
    /// Agents that were served before it, by seat.
    pub overtaken_by: u64,
    /// What it is doing, or [`NONE`].
    pub running: u8,
    /// When that ends.
    pub runs_until: u32,
    /// When it began.
    pub ran_from: u32,
    /// Money it paid for it.
    pub paid: Micro,
    /// Whether it gave an item instead of money.
    pub gave_item: bool,
    /// Off the grid, until an exit is possible.
    pub hospital: bool,
    /// Held by an operator.
    pub possessed: bool,
    /// Sharing a tile; the tile belongs to the other.
    pub ghost: bool,
    /// Where it stood before; kept for it while it is a ghost.
    pub came_from: u16,
    /// Steps to the nearest it could talk to, or [`NONE`]; known while it may choose.
    pub company: u8,
    /// Refused moves in a row.
    pub blocked: u8,
    /// The context was reset.
    pub reset: bool,
    /// Choices it has, one bit each.
    pub mask: u32,
    /// Last completed choice.
    pub last_option: u8,
    /// Whether it succeeded.
    pub last_success: bool,
    /// How long it took.
    pub last_duration: u32,
    /// No chat before.
    pub chat_after: u32,
    /// What it carries.
    pub items: [u16; ITEMS.len()],
    /// Ties.
    pub ties: [Tie; TIES],
    /// How many.
    pub known: u8,
    /// Work.
    pub work: Work,
    /// This tick.
    pub now: Now,
    /// Embedding slot.
    pub slot: u16,
    /// Number of the person, never used again.
    pub serial: u32,
    /// Index of the name it descends from.
    pub origin: u16,
    /// How many came before it under that name.
    pub generation: u32,
    /// Eight bytes of the hash of its id.
    pub sign: [u8; 8],
    /// Extroversion, forgiveness, ambition, -1 to 1.
    pub traits: [Micro; 3],
    /// Profile.
    pub profile: u8,
    /// Number of its bed among the beds, or [`NONE`].
    pub bed: u8,
    /// When it came.
    pub since: u32,
    /// When it is too old, if ever.
    pub until: u32,
    /// Ticks of collapse in a row.
    pub faint: u32,
    /// Neglected ticks per part of the rolling day.
    pub neglect: [u16; PARTS],
    /// Sum of those.
    pub neglected: u16,
    /// Near-death already told, by need.
    pub near: [bool; NEEDS],
    /// Days of unpaid rent in a row.
    pub unpaid: u8,
    /// Last day to recover, once the days are full.
    pub grace_until: u32,
    /// When a collapse triggered; no positive reward shortly after.
    pub triggered: u32,
    /// Exit that waits for its turn, as a reason, or 0.
    pub leaving: u8,
    /// Reward so far.
    pub episode: f64,
    /// Potential of the last tick.
    pub potential: f64,
    /// Wages earned.
    pub earned: Micro,
    /// Meals cooked, meals eaten, showers, sleeps.
    pub done: [u32; 4],
    /// The event that gives it a place to go, or 0.
    pub meeting: u32,
}

impl Agent {
    /// An empty seat.
    #[must_use]
    pub fn empty() -> Self {
        Self {
            target: NONE,
            goal: NONE,
            holding: NONE,
            waiting: NONE,
            running: NONE,
            bed: NONE,
            company: NONE,
            work: Work { job: NONE, ..Work::default() },
            ..Self::default()
        }
    }

    /// Whether it is in play.
    #[inline]
    #[must_use]
    pub fn present(&self) -> bool {
        self.presence == Presence::Present
    }

    /// Whether it is in play and on the grid.
    #[inline]
    #[must_use]
    pub fn about(&self) -> bool {
        self.present() && !self.hospital
    }

    /// The tile that is its own: where it stands, or where it came from while it shares another's.
    #[inline]
    #[must_use]
    pub fn place(&self) -> u16 {
        if self.ghost { self.came_from } else { self.tile }
    }

    /// The lowest need.
    #[inline]
    #[must_use]
    pub fn lowest(&self) -> Micro {
        self.needs[0].min(self.needs[1]).min(self.needs[2])
    }

    /// Whether a deficit is so large that it has no mind for others.
    #[inline]
    #[must_use]
    pub fn desperate(&self) -> bool {
        self.lowest() < 150_000
    }

    /// Its tie to the agent in `seat`.
    #[inline]
    #[must_use]
    pub fn tie(&self, seat: usize) -> Tie {
        let ties = &self.ties[..usize::from(self.known)];
        let found = ties.iter().find(|tie| usize::from(tie.other) == seat);
        found.copied().unwrap_or(Tie { other: seat as u8, ..Tie::default() })
    }
}
