//! Needs: they fall every tick, and somebody notices when one is nearly gone.

use crate::events::{Event, bit};
use crate::numbers::{NEEDS, ONE};
use crate::state::State;

/// Told once when a need falls below this ...
pub const NEAR: i64 = 100_000;
/// ... and again only after it has been above this.
pub const SAFE: i64 = 150_000;

/// Needs of everyone in play fall; those in hospital are held where they are.
pub fn decay(state: &mut State) {
    for at in 0..state.order.len() {
        let seat = usize::from(state.order[at]);
        let agent = &mut state.agents[seat];
        if agent.hospital {
            agent.needs = agent.needs.map(|need| need.max(NEAR));
            continue;
        }
        let mut dying = false;
        for need in 0..NEEDS {
            agent.needs[need] = (agent.needs[need] - agent.decay[need]).clamp(0, ONE);
            let value = agent.needs[need];
            dying |= value < NEAR && !agent.near[need];
        }
        if dying {
            notice(state, seat);
        } else {
            let needs = agent.needs;
            for (told, need) in agent.near.iter_mut().zip(needs) {
                *told &= need < SAFE;
            }
        }
    }
}

fn notice(state: &mut State, seat: usize) {
    for need in 0..NEEDS {
        let agent = &mut state.agents[seat];
        if agent.needs[need] < NEAR && !agent.near[need] {
            agent.near[need] = true;
            agent.now.bits |= bit("near_death");
            state.tell(
                Event::new("agent_near_death").of(seat).because(crate::numbers::NEED_NAMES[need]),
            );
        }
    }
}
