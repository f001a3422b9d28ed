//! Patience, where it counts: who gets what two of them want in the same tick.

use crate::numbers::{Micro, ONE};
use crate::state::State;
use crate::town::Town;

/// Width of the chance that is added to patience, whose own width is 2: it decides between people
/// who are much alike, and not between others.
const JITTER: Micro = ONE / 2;

/// Everyone settles how much it insists in this tick.
pub fn bid(town: &Town, state: &mut State) {
    if !town.document.features.patience {
        return;
    }
    for at in 0..state.order.len() {
        let seat = usize::from(state.order[at]);
        let chance = i64::from(state.world.below(JITTER as u32));
        let person = &mut state.annex.people[seat];
        person.bid = person.patience + chance;
    }
}

/// Whether `seat` insists more than `other`.
#[must_use]
pub fn comes_before(state: &State, seat: usize, other: usize) -> bool {
    state.annex.people[seat].bid > state.annex.people[other].bid
}
