//! Embedding slots: reused as late as possible, so that a policy does not mistake persons.

use serde_json::json;

use crate::events::Event;
use crate::state::State;
use crate::town::Town;

/// Never used.
const FRESH: u32 = u32::MAX;
/// In use.
const TAKEN: u32 = u32::MAX - 1;

/// A slot for `seat`: one never used, else the longest rested, else the longest free.
pub fn allocate(town: &Town, state: &mut State, seat: usize) -> Option<u16> {
    let fresh = state.slots.iter().position(|&released| released == FRESH);
    let slot = fresh.or_else(|| {
        let free = state.slots.iter().enumerate().filter(|(_, released)| **released < TAKEN);
        free.min_by_key(|&(slot, &released)| (released, slot)).map(|(slot, _)| slot)
    })?;
    let released = state.slots[slot];
    state.tally.slots += 1;
    if released < TAKEN && state.tick - released.min(state.tick) < state.hot.slot_cooldown {
        state.tally.forced += 1;
        if town.document.embedding_allocator.log_forced_reuse {
            let event = Event::new("embedding_forced_reuse").of(seat).value(f64::from(released));
            state.tell_with(event, |_| json!({ "slot": slot }));
        }
    }
    state.slots[slot] = TAKEN;
    Some(slot as u16)
}

/// A slot is free from now on.
pub fn release(state: &mut State, slot: u16) {
    state.slots[usize::from(slot)] = state.tick.min(TAKEN - 1);
}
