//! Moves: all at once. One agent per tile, no swaps, and a way past one who stands in the way.

use crate::annex;
use crate::events::{Event, bit};
use crate::ghosts;
use crate::grid::FAR;
use crate::numbers::NONE;
use crate::options::{GO_HOME, GO_TO_WORK, Intent, meeting_place};
use crate::patience;
use crate::state::State;
use crate::town::Town;

/// The step from an agent's tile towards a destination, free tiles first.
#[must_use]
pub fn toward(town: &Town, state: &State, seat: usize, destination: usize) -> Intent {
    let tile = state.agents[seat].tile;
    let here = town.distance(destination, tile);
    let mut blocked = None;
    for step in 0..4 {
        let Some(next) = town.grid.beside(tile, step) else { continue };
        let there = town.distance(destination, next);
        if there == FAR || there >= here {
            continue;
        }
        if state.open_to(seat, next) {
            return Intent::Move(next);
        }
        blocked = blocked.or(Some(next));
    }
    blocked.map_or(Intent::Wait, Intent::Move)
}

/// Resolve every move of this tick together.
pub fn resolve(town: &Town, state: &mut State, intents: &[Intent]) {
    let mut waiting = claim(town, state, intents);
    loop {
        let mut moved = false;
        for at in 0..state.order.len() {
            let seat = usize::from(state.order[at]);
            let Intent::Move(tile) = intents[seat] else { continue };
            let won = state.claims[usize::from(tile)] == seat as u8 + 1;
            if waiting >> seat & 1 == 0 || !won || !ghosts::lets_in(state, seat, tile) {
                continue;
            }
            waiting &= !(1 << seat);
            moved = true;
            go(state, seat, tile, false);
            annex::stepped(town, state, seat, tile);
            state.agents[seat].blocked = 0;
        }
        if !moved || waiting == 0 {
            break;
        }
    }
    for at in 0..state.order.len() {
        let seat = usize::from(state.order[at]);
        if let Intent::Move(tile) = intents[seat] {
            state.claims[usize::from(tile)] = 0;
            if waiting >> seat & 1 == 1 {
                refused(town, state, seat, tile, intents);
            }
        }
    }
    ghosts::part(town, state);
}

/// Give every wanted tile to one of those who want it; the seats that want one, as bits.
fn claim(town: &Town, state: &mut State, intents: &[Intent]) -> u64 {
    let mut wanting = 0u64;
    for at in 0..state.order.len() {
        let seat = usize::from(state.order[at]);
        state.agents[seat].now.blocked = false;
        let Intent::Move(tile) = intents[seat] else { continue };
        wanting |= 1 << seat;
        let holder = state.claims[usize::from(tile)];
        let wins = match usize::from(holder).checked_sub(1) {
            None => true,
            Some(other) if town.document.features.patience => {
                patience::comes_before(state, seat, other)
            }
            // The third of three takes it from the others with a chance of a third, and so on.
            Some(_) => {
                let before = state.order[..at].iter().map(|&other| usize::from(other));
                let claimants = before.filter(|&other| intents[other] == Intent::Move(tile));
                let claimants = claimants.count() as u32 + 1;
                state.world.below(claimants) == 0
            }
        };
        if wins {
            state.claims[usize::from(tile)] = seat as u8 + 1;
        }
    }
    wanting
}

/// Put an agent on a tile. A ghost keeps the one it had, so that it can always go back.
pub fn go(state: &mut State, seat: usize, tile: u16, ghost: bool) {
    if !ghost {
        ghosts::give_up_tile(state, seat);
        state.ground[usize::from(tile)] = seat as u8 + 1;
    }
    let agent = &mut state.agents[seat];
    agent.came_from = agent.tile;
    agent.tile = tile;
    agent.ghost = ghost;
}

/// An agent could not move: count it, and let it pass as a ghost once that happened too often.
fn refused(town: &Town, state: &mut State, seat: usize, tile: u16, intents: &[Intent]) {
    let agent = &mut state.agents[seat];
    agent.now.blocked = true;
    agent.blocked = agent.blocked.saturating_add(1);
    // Where single steps are chosen this was one; an option goes on.
    agent.last_success &= town.sight.options;
    let (blocked, here) = (u32::from(agent.blocked), agent.tile);
    let limit = state.hot.queue.ghost_after;
    if limit == 0 || blocked < limit {
        return;
    }
    let Some(owner) = ghosts::host(state, seat, tile) else { return };
    // To overtake one who is stuck as well is of use only where all are stuck in a ring.
    if matches!(intents[owner], Intent::Move(next) if next != here) && blocked < 2 * limit {
        return;
    }
    state.agents[seat].blocked = 0;
    go(state, seat, tile, true);
    annex::stepped(town, state, seat, tile);
    state.agents[seat].last_success |= !town.sight.options;
    state.agents[seat].now.bits |= bit("ghost_step");
    state.tally.ghosts += 1;
    state.tell(Event::new("ghost_step").of(seat).with(owner));
}

/// Where an agent is going, as a destination of the fields.
#[must_use]
pub fn destination(town: &Town, state: &State, seat: usize) -> Option<usize> {
    let agent = &state.agents[seat];
    let wanted = [agent.target, agent.holding, agent.waiting];
    if let Some(object) = wanted.into_iter().find(|&object| object != NONE) {
        return Some(usize::from(object));
    }
    if let Some(venue) = meeting_place(town, state, seat) {
        return Some(venue);
    }
    match agent.option {
        GO_TO_WORK if agent.work.job != NONE => Some(town.site(agent.work.job)),
        GO_HOME if agent.bed != NONE => Some(town.home(agent.bed)),
        _ => None,
    }
}
