//! Taking orders: legal choices become intents, everything else waiting.

use astrarium_kernel::Orders;

use crate::annex;
use crate::drama;
use crate::events::IGNORED;
use crate::options::{self, Intent, WAIT};
use crate::primitives;
use crate::state::State;
use crate::town::Town;

/// Seats there can be.
pub const SEATS: usize = 64;

/// What everyone does in this tick.
pub fn take(town: &Town, state: &mut State, orders: Orders<'_>) -> [Intent; SEATS] {
    let mut intents = [Intent::Wait; SEATS];
    for at in 0..state.order.len() {
        let seat = usize::from(state.order[at]);
        let order = orders.actions[seat];
        let legal = (0..32).contains(&order) && state.agents[seat].mask >> order & 1 == 1;
        if !legal {
            state.agents[seat].now.bits |= IGNORED;
            state.tally.invalid += 1;
        }
        let choice = if legal { order as u8 } else { WAIT };
        if drama::argues(state, seat) {
            continue;
        }
        let intent = if town.sight.options {
            if options::free_to_choose(state, seat) {
                options::choose(town, state, seat, choice);
            }
            options::drive(town, state, seat)
        } else {
            act(town, state, seat, choice)
        };
        let stays = matches!(intent, Intent::Move(_)) && annex::held_up(state, seat);
        intents[seat] = if stays { Intent::Wait } else { intent };
    }
    intents
}

fn act(town: &Town, state: &mut State, seat: usize, choice: u8) -> Intent {
    let meaning = primitives::meaning(town, state, seat, usize::from(choice));
    let agent = &mut state.agents[seat];
    if choice != WAIT {
        agent.last_option = choice;
        agent.last_success = true;
        agent.last_duration = 1;
    }
    meaning.unwrap_or(Intent::Wait)
}
