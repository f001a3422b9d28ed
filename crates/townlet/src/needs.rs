//! Needs: they fall every tick, and somebody notices when one is nearly gone.

use crate::events::{Event, bit};
use crate::numbers::{NEEDS, ONE};
use crate::state::State;

/// Told whenever a need falls below this.
pub const NEAR: i64 = 100_000;

/// Needs of everyone in play fall; those in hospital are held where they are.
pub fn decay(state: &mut State) {
    for at in 0..state.order.len() {
        let seat = usize::from(state.order[at]);
        let agent = &mut state.agents[seat];
        if agent.hospital {
            agent.needs = agent.needs.map(|need| need.max(NEAR));
            agent.near = [false; NEEDS];
            continue;
        }
        let mut dying = false;
        for need in 0..NEEDS {
            agent.needs[need] = (agent.needs[need] - agent.decay[need]).clamp(0, ONE);
            let low = agent.needs[need] < NEAR;
            dying |= low && !agent.near[need];
            agent.near[need] &= low;
        }
        if dying {
            notice(state, seat);
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
