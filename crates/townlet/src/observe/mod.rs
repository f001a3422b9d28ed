//! What agents see: a map of what is near, then the features, block after block.

mod features;
mod map;
mod social;

use astrarium_kernel::View;

use crate::agent::Presence;
use crate::state::State;
use crate::town::Town;

/// Write every seat's row, mask and presence.
pub fn write(town: &Town, state: &State, view: &mut View<'_>) {
    let sight = &town.sight;
    let (width, choices) = (sight.width, sight.choices);
    for (seat, agent) in state.agents.iter().enumerate() {
        let row = &mut view.obs[seat * width..][..width];
        let mask = &mut view.mask[seat * choices..][..choices];
        view.alive[seat] = u8::from(agent.present());
        if agent.presence == Presence::Absent {
            row.fill(0.0);
            mask.fill(0);
            // A sampler over the mask always has a choice.
            mask[0] = 1;
            continue;
        }
        let seen = map::write(town, state, seat, row);
        features::write(town, state, seat, &seen, row);
        social::write(town, state, seat, row);
        for (choice, legal) in mask.iter_mut().enumerate() {
            *legal = (agent.mask >> choice & 1) as u8;
        }
    }
}
