//! What the rules that are off by default remember, in one place.
//!
//! It is stored behind the number of the next event, and announced by that number's highest bit: a
//! town without such rules is stored as if there were none.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::hashes::sha256;
use crate::numbers::{Micro, NONE, ONE};
use crate::spoilage::Pantry;
use crate::state::State;
use crate::town::Town;
use crate::weather::Sky;

/// Says of a stored number that more follows.
const MORE: u64 = 1 << 63;

/// The number of the next event, and what optional rules remember.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Annex {
    /// Number of the next event.
    pub seq: u64,
    /// Today's weather.
    pub sky: Sky,
    /// Whether an operator lets it rain.
    pub rain: bool,
    /// One per seat; nobody where no such rule is on.
    pub people: Vec<Person>,
    /// Counts of the episode.
    pub counts: Counts,
}

/// Counts of the episode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Counts {
    /// Public arguments.
    pub arguments: u32,
    /// Queues left in rage.
    pub rage_quits: u32,
    /// Bad days.
    pub spirals: u32,
    /// Meals gone bad.
    pub spoiled: u32,
}

/// What is remembered of the person in a seat.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Person {
    /// The fourth need, 0 to 1.
    pub warmth: Micro,
    /// Whether its near end was told.
    pub chilled: bool,
    /// Ticks of exposure in a row.
    pub exposed: u32,
    /// No step before.
    pub steps_after: u32,
    /// With whom it argues, or [`NONE`].
    pub opponent: u8,
    /// Until when.
    pub argues_until: u32,
    /// No argument before.
    pub calm_until: u32,
    /// Failures today.
    pub failures: u32,
    /// Whether it is a bad day.
    pub spirals: bool,
    /// When the meals it carries were made.
    pub pantry: Pantry,
    /// -1 to 1.
    pub patience: Micro,
    /// -1 to 1; no rule asks for it yet.
    pub frugal: Micro,
    /// How much it insists in this tick: what two of them want goes to the higher one.
    #[serde(skip)]
    pub bid: Micro,
}

impl Default for Person {
    fn default() -> Self {
        Self {
            warmth: ONE,
            chilled: false,
            exposed: 0,
            steps_after: 0,
            opponent: NONE,
            argues_until: 0,
            calm_until: 0,
            failures: 0,
            spirals: false,
            pantry: Pantry::default(),
            patience: 0,
            frugal: 0,
            bid: 0,
        }
    }
}

impl Annex {
    /// With room for everybody, if an optional rule is on.
    #[must_use]
    pub fn empty(town: &Town) -> Self {
        let seats = if town.document.features.any_optional() { town.seats } else { 0 };
        Self { people: vec![Person::default(); seats], ..Self::default() }
    }
}

/// Whoever settles in a seat brings nothing along but a character, drawn from its id.
pub fn settle(state: &mut State, seat: usize, id: &str) {
    if state.annex.people.is_empty() {
        return;
    }
    let hash = sha256(&[&state.seed.to_le_bytes()[..], id.as_bytes(), b"habits"].concat());
    let habit = |at: usize| {
        let word = u32::from_le_bytes([hash[at], hash[at + 1], hash[at + 2], hash[at + 3]]);
        ((i64::from(word) * (2 * ONE + 1)) >> 32) - ONE
    };
    state.annex.people[seat] = Person { patience: habit(0), frugal: habit(4), ..Person::default() };
}

/// Whoever leaves a seat takes everything along; who argued with it stands there alone.
pub fn vacate(state: &mut State, seat: usize) {
    let people = &mut state.annex.people;
    let Some(left) = people.get_mut(seat) else { return };
    let opponent = usize::from(std::mem::take(left).opponent);
    if let Some(other) = people.get_mut(opponent) {
        other.opponent = NONE;
        other.argues_until = 0;
    }
}

/// Whether an agent cannot step now: it is wet, low, or busy with an argument.
#[inline]
#[must_use]
pub fn held_up(state: &State, seat: usize) -> bool {
    let person = state.annex.people.get(seat);
    person.is_some_and(|one| state.tick < one.steps_after.max(one.argues_until))
}

/// Ticks a step of an agent costs; in the open if `outside`.
#[must_use]
pub fn pace(town: &Town, state: &State, seat: usize, outside: bool) -> u32 {
    let Some(person) = state.annex.people.get(seat) else { return 1 };
    let features = &town.document.features;
    let wet = outside && crate::weather::now(state) == Sky::Rainy;
    let rain = if wet { features.weather.rain_step_ticks - 1 } else { 0 };
    let gloom = if person.spirals { features.drama.spiral_step_ticks - 1 } else { 0 };
    1 + rain + gloom
}

/// An agent has stepped onto `tile`: the next step comes when this one is paid for.
#[inline]
pub fn stepped(town: &Town, state: &mut State, seat: usize, tile: u16) {
    if state.annex.people.is_empty() {
        return;
    }
    let ticks = pace(town, state, seat, !town.sheltered(tile));
    state.annex.people[seat].steps_after = state.tick + ticks;
}

impl Serialize for Annex {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.people.is_empty() {
            return self.seq.serialize(serializer);
        }
        (self.seq | MORE, self.sky, self.rain, &self.people, self.counts).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Annex {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Parts;
        impl<'de> Visitor<'de> for Parts {
            type Value = Annex;
            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a number, and what may follow it")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Annex, A::Error> {
                let seq: u64 = next(&mut parts)?;
                if seq & MORE == 0 {
                    return Ok(Annex { seq, ..Annex::default() });
                }
                Ok(Annex {
                    seq: seq & !MORE,
                    sky: next(&mut parts)?,
                    rain: next(&mut parts)?,
                    people: next(&mut parts)?,
                    counts: next(&mut parts)?,
                })
            }
        }
        deserializer.deserialize_tuple(5, Parts)
    }
}

fn next<'de, T: Deserialize<'de>, A: SeqAccess<'de>>(parts: &mut A) -> Result<T, A::Error> {
    parts.next_element()?.ok_or_else(|| A::Error::custom("something is missing"))
}
