//! Ghosts: who was barred too long shares the tile of the one in the way, for one tick.
//!
//! A ghost keeps the tile it came from, and nobody else may enter that one. So two can always part:
//! the ghost goes on, or back, or they change places.

use crate::employment;
use crate::events::bit;
use crate::movement::{destination, go};
use crate::numbers::NONE;
use crate::state::State;
use crate::town::Town;

/// The ghost on a tile, if there is one.
fn ghost_on(state: &State, tile: u16) -> Option<usize> {
    let seats = state.order.iter().map(|&seat| usize::from(seat));
    seats.into_iter().find(|&seat| state.agents[seat].ghost && state.agents[seat].tile == tile)
}

/// Whom an agent may share a tile with: whoever stands there, if both tiles are only theirs so far.
pub fn host(state: &State, seat: usize, tile: u16) -> Option<usize> {
    let owner = usize::from(state.ground[usize::from(tile)]).checked_sub(1)?;
    let agents = &state.agents;
    let alone = |seat: usize| !agents[seat].ghost && ghost_on(state, agents[seat].tile).is_none();
    (alone(seat) && alone(owner)).then_some(owner)
}

/// Whether a step onto a tile can be taken: nobody else's, or kept for the ghost one changes places
/// with.
pub fn lets_in(state: &State, seat: usize, tile: u16) -> bool {
    state.open_to(seat, tile)
        || ghost_on(state, state.agents[seat].tile)
            .is_some_and(|ghost| ghost != seat && state.agents[ghost].place() == tile)
}

/// An agent leaves the tile that was its own; a ghost on it has it from now on.
pub fn give_up_tile(state: &mut State, seat: usize) {
    let tile = state.agents[seat].place();
    state.ground[usize::from(tile)] = 0;
    if let Some(ghost) = ghost_on(state, tile) {
        let kept = state.agents[ghost].place();
        state.ground[usize::from(kept)] = 0;
        state.ground[usize::from(tile)] = ghost as u8 + 1;
        state.agents[ghost].ghost = false;
    }
}

/// A tile is shared for one tick only: then whoever can better be elsewhere leaves it.
pub fn part(town: &Town, state: &mut State) {
    for at in 0..state.order.len() {
        let ghost = usize::from(state.order[at]);
        let agent = &state.agents[ghost];
        if !agent.ghost || agent.now.bits & bit("ghost_step") != 0 {
            continue;
        }
        let (tile, kept) = (agent.tile, agent.place());
        let Some(owner) = usize::from(state.ground[usize::from(tile)]).checked_sub(1) else {
            continue;
        };
        let (leaver, next) = match room(town, state, owner, kept) {
            Some(next) => (owner, next),
            None => (ghost, aside(town, state, ghost, kept).unwrap_or(kept)),
        };
        go(state, leaver, next, false);
        state.agents[leaver].now.aside = true;
    }
}

/// Where the owner of a shared tile goes to make room, unless it has something to do there.
fn room(town: &Town, state: &State, owner: usize, kept: u16) -> Option<u16> {
    let agent = &state.agents[owner];
    if agent.running != NONE || agent.holding != NONE {
        return None;
    }
    aside(town, state, owner, kept).filter(|&next| !loses_site(town, state, owner, next))
}

/// Whether a step would take somebody at work off the site, and cost it its wage.
fn loses_site(town: &Town, state: &State, seat: usize, next: u16) -> bool {
    employment::on_duty(town, state, seat) && !employment::is_site(town, state, seat, next)
}

/// The best tile beside an agent that is free, or `kept` for the ghost; back where it came from it
/// would only be blocked again.
fn aside(town: &Town, state: &State, seat: usize, kept: u16) -> Option<u16> {
    let agent = &state.agents[seat];
    let goal = destination(town, state, seat);
    let worth = |next: u16| {
        let left = goal.map_or(0, |goal| town.distance(goal, next));
        (loses_site(town, state, seat, next), next == agent.came_from, left, next == kept)
    };
    let beside = (0..4).filter_map(|step| town.grid.step(agent.tile, step));
    let open = beside.filter(|&next| next == kept || state.open_to(seat, next));
    open.min_by_key(|&next| worth(next))
}
