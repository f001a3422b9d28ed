//! What happened: typed, numbered, each told once. Written down only while somebody watches.

use serde_json::{Value, json};

use crate::numbers::{NONE, ONE};
use crate::state::State;
use crate::town::Town;

/// Bits of an agent's step, lowest first.
pub const BITS: &[&str] = &[
    "ignored_order",
    "finished",
    "failed",
    "ate",
    "showered",
    "slept",
    "shopped",
    "chat_success",
    "chat_failure",
    "queue_conflict",
    "ghost_step",
    "job_late",
    "shift_absent",
    "rent_missed",
    "near_death",
    "hospitalised",
    "arrived",
    "faint",
    "eviction",
    "unemployment",
    "neglect",
    "age_out",
    "killed",
    "utility_outage",
    "price_spike",
    "low_money",
    "guardrail",
    "exposure",
    "public_argument",
    "rage_quit",
    "spiral_day",
    "meal_spoiled",
];
/// Those of a town without optional rules.
pub const ORDINARY: &[&str] = BITS.split_at(BITS.len() - 5).0;
/// The order was not legal.
pub const IGNORED: u32 = 1;
/// The bit called `name`.
#[must_use]
pub const fn bit(name: &str) -> u32 {
    let mut at = 0;
    while at < BITS.len() {
        if same(BITS[at], name) {
            return 1 << at;
        }
        at += 1;
    }
    panic!("there is no such event bit")
}

const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut at = 0;
    while at < a.len() {
        if a[at] != b[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// Why an exit happened, an affordance failed, or a queue moved.
pub type Reason = &'static str;

/// No note says more about an event.
const NO_NOTE: u16 = u16::MAX;

/// One event of this step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// What.
    pub kind: &'static str,
    /// When.
    pub tick: u32,
    /// Its number in the town.
    pub seq: u64,
    /// Who, or [`NONE`].
    pub agent: u8,
    /// With whom, or [`NONE`].
    pub other: u8,
    /// Where, or [`NONE`].
    pub object: u8,
    /// Doing what, or [`NONE`].
    pub affordance: u8,
    /// Why, or empty.
    pub reason: Reason,
    /// A figure, in whatever unit the kind has.
    pub value: f64,
    /// Which note of the log says more, or [`NO_NOTE`].
    pub note: u16,
}

impl Event {
    /// An event of `kind` with nothing but a name.
    #[must_use]
    pub fn new(kind: &'static str) -> Self {
        Self {
            kind,
            tick: 0,
            seq: 0,
            agent: NONE,
            other: NONE,
            object: NONE,
            affordance: NONE,
            reason: "",
            value: 0.0,
            note: NO_NOTE,
        }
    }

    /// Of this agent.
    #[must_use]
    pub fn of(mut self, seat: usize) -> Self {
        self.agent = seat as u8;
        self
    }

    /// With this agent.
    #[must_use]
    pub fn with(mut self, seat: usize) -> Self {
        self.other = seat as u8;
        self
    }

    /// At this object.
    #[must_use]
    pub fn at(mut self, object: u8) -> Self {
        self.object = object;
        self
    }

    /// Doing this.
    #[must_use]
    pub fn doing(mut self, affordance: u8) -> Self {
        self.affordance = affordance;
        self
    }

    /// For this reason.
    #[must_use]
    pub fn because(mut self, reason: Reason) -> Self {
        self.reason = reason;
        self
    }

    /// With this figure.
    #[must_use]
    pub fn value(mut self, value: f64) -> Self {
        self.value = value;
        self
    }
}

/// The events of the current step, while watched.
#[derive(Clone, Debug, Default)]
pub struct Log {
    /// Whether anybody reads them.
    pub watched: bool,
    /// In order.
    pub events: Vec<Event>,
    /// What some of them say besides, as JSON objects.
    pub notes: Vec<Value>,
    /// Those before them, in words already: of tables that are no longer in force, or of the episode
    /// that ended in this step.
    pub worded: Vec<Value>,
    /// The number of the first event there was no room for, and how many there were.
    pub lost: Option<(u64, u32)>,
}

impl Log {
    /// Forget the last step.
    pub fn clear(&mut self) {
        self.events.clear();
        self.notes.clear();
        self.worded.clear();
        self.lost = None;
    }

    fn full(&self) -> bool {
        self.worded.len() + self.events.len() >= MOST
    }
}

/// Events kept of one step; a step of a full town stays far below.
const MOST: usize = 4096;

impl State {
    /// Tell an event that says more than an event can hold.
    pub fn tell_with(&mut self, event: Event, note: impl FnOnce(&Self) -> Value) {
        if !self.log.watched || self.log.full() {
            return self.tell(event);
        }
        let (note, place) = (note(self), self.log.notes.len());
        self.log.notes.push(note);
        self.tell(Event { note: place as u16, ..event });
    }

    /// Tell an event. It has a number whether or not somebody watches.
    #[inline]
    pub fn tell(&mut self, event: Event) {
        let seq = self.annex.seq;
        self.annex.seq += 1;
        if !self.log.watched {
            return;
        }
        if self.log.full() {
            self.log.lost.get_or_insert((seq, 0)).1 += 1;
        } else {
            self.log.events.push(Event { tick: self.tick, seq, ..event });
        }
    }
}

/// The events of the last step as a JSON array.
#[must_use]
pub fn as_json(town: &Town, state: &State) -> String {
    let events = state.log.events.iter().map(|event| one(town, state, event));
    // Only the last ones of a step can be lost, so this stands where they would have.
    let lost = lost(state);
    Value::Array(state.log.worded.iter().cloned().chain(events).chain(lost).collect()).to_string()
}

fn lost(state: &State) -> Option<Value> {
    let (seq, count) = state.log.lost?;
    Some(json!({ "event": "events_lost", "tick": state.tick, "seq": seq, "count": count }))
}

/// An episode is over and another one begins in the same step: put all that was told into words, as
/// nobody could any longer who knows only the new one's people.
pub fn close(town: &Town, state: &mut State) {
    settle(town, state);
    let lost = lost(state);
    state.log.worded.extend(lost);
    state.log.notes.clear();
    state.log.lost = None;
}

/// The tables of `town` are about to be replaced: put what was told by them into words.
pub fn settle(town: &Town, state: &mut State) {
    let events = std::mem::take(&mut state.log.events);
    let words: Vec<Value> = events.iter().map(|event| one(town, state, event)).collect();
    state.log.worded.extend(words);
}

/// What the figure of an event is called, for those that have one.
fn figure_name(kind: &str) -> Option<&'static str> {
    Some(match kind {
        "affordance_start" => "cost",
        "agent_killed" | "agent_removed" => "days_lived",
        "agent_spawned" => "wallet",
        "basket_violation" => "basket_cost",
        "chat_success" => "quality",
        "embedding_forced_reuse" => "released_at_tick",
        "employment_exit_processed" => "wages_withheld",
        "employment_exit_queue_overflow" => "pending_count",
        "job_late" => "ticks_late",
        "meal_spoiled" => "meals",
        "public_argument" => "ticks",
        "queue_conflict" => "intensity",
        "rent_missed" => "days_unpaid",
        "rent_paid" => "rent",
        "spiral_day" => "failures",
        "stock_replenish" => "amount",
        _ => return None,
    })
}

fn one(town: &Town, state: &State, event: &Event) -> Value {
    let mut out = json!({ "event": event.kind, "tick": event.tick, "seq": event.seq });
    if event.agent != NONE {
        out["agent_id"] = json!(state.id_of(usize::from(event.agent)));
        out["seat"] = json!(event.agent);
    }
    if event.other != NONE {
        out["other_id"] = json!(state.id_of(usize::from(event.other)));
    }
    if event.object != NONE {
        out["object_id"] = json!(town.objects[usize::from(event.object)].id);
    }
    if event.affordance != NONE {
        out["affordance_id"] = json!(town.affordances[usize::from(event.affordance)].id);
    }
    if !event.reason.is_empty() {
        out["reason"] = json!(event.reason);
    }
    match figure_name(event.kind) {
        Some(name) => out[name] = json!(event.value),
        None if event.value != 0.0 => out["value"] = json!(event.value),
        None => {}
    }
    if let Some(Value::Object(note)) = state.log.notes.get(usize::from(event.note)) {
        for (key, value) in note {
            out[key] = value.clone();
        }
    }
    out
}

/// A figure in micro-units, as it would be written: 0.4, and never a neighbour of it.
#[must_use]
pub fn figure(value: i64) -> f64 {
    value as f64 / ONE as f64
}
