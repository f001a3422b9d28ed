//! What panels and consoles ask of a town, block by block: one function each, worked out on request.
//!
//! What a drawing needs in every tick is in [`crate::portrait`]; none of this is in a recorded frame.

mod city;
mod people;
mod quarrels;

use serde_json::Value;

use crate::state::State;
use crate::town::Town;

type Teller = fn(&Town, &State) -> Value;

/// Every block by its name.
const TELLERS: [(&str, Teller); 18] = [
    ("jobs", people::jobs),
    ("employment", people::employment),
    ("personalities", people::personalities),
    ("relationships", people::relationships),
    ("relationship_summary", people::relationship_summary),
    ("affordance_runtime", people::affordance_runtime),
    ("possessed_agents", people::possessed_agents),
    ("lifecycle", people::lifecycle),
    ("queue_metrics", quarrels::queue_metrics),
    ("conflict", quarrels::conflict),
    ("clock", city::clock),
    ("economy", city::economy),
    ("price_spikes", city::price_spikes),
    ("utilities", city::utilities),
    ("weather", city::weather),
    ("perturbations", city::perturbations),
    ("embedding_metrics", city::embedding_metrics),
    ("affordance_manifest", city::affordance_manifest),
];

/// Their names.
pub const NAMES: [&str; TELLERS.len()] = {
    let mut names = [""; TELLERS.len()];
    let mut at = 0;
    while at < names.len() {
        names[at] = TELLERS[at].0;
        at += 1;
    }
    names
};

/// The block called `name`.
#[must_use]
pub fn tell(town: &Town, state: &State, name: &str) -> Option<Value> {
    let found = TELLERS.iter().find(|(known, _)| *known == name);
    found.map(|(_, teller)| teller(town, state))
}

/// An entry for everybody in play, under their ids.
fn everybody(state: &State, one: impl Fn(usize) -> Value) -> Value {
    let seats = state.order.iter().map(|&seat| usize::from(seat));
    Value::Object(seats.map(|seat| (state.id_of(seat), one(seat))).collect())
}

/// The ids of those in play of whom something holds.
fn those(state: &State, holds: impl Fn(usize) -> bool) -> Value {
    let seats = state.order.iter().map(|&seat| usize::from(seat));
    seats.filter(|&seat| holds(seat)).map(|seat| state.id_of(seat)).collect()
}
