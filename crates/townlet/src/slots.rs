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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{Stage, town_of};

    #[test]
    fn fresh_slots_come_first_then_the_longest_rested_then_whatever_is_free() {
        let mut document = town_of(1);
        document.embedding_allocator.max_slots = 4;
        document.embedding_allocator.cooldown_ticks = 100;
        let mut stage = Stage::new(document, 1);
        let town = std::sync::Arc::clone(&stage.world.town);
        let state = stage.state_mut();
        let forced = |state: &State| state.tally.forced;
        release(state, 0);
        assert_eq!(allocate(&town, state, 0), Some(1), "never used, though 0 is free");
        assert_eq!([2, 3].map(|_| allocate(&town, state, 0)), [Some(2), Some(3)]);
        for (tick, slot) in [(10, 3), (20, 1)] {
            state.tick = tick;
            release(state, slot);
        }
        state.tick = 110;
        // Released at tick 0 counts as the oldest; 3 has just rested long enough, 1 has not.
        assert_eq!((allocate(&town, state, 0), forced(state)), (Some(0), 0));
        assert_eq!((allocate(&town, state, 0), forced(state)), (Some(3), 0));
        state.log.clear();
        assert_eq!((allocate(&town, state, 0), forced(state)), (Some(1), 1));
        let told: Vec<_> = state.log.events.iter().map(|one| (one.kind, one.value)).collect();
        assert_eq!(told, [("embedding_forced_reuse", 20.0)]);
        assert_eq!(allocate(&town, state, 0), None, "all are taken");
        assert_eq!(state.tally.slots, 1 + 3 + 3);
    }
}
