//! Moves: all at once. One agent per tile, no swaps, and a way past one who stands in the way.

use crate::annex;
use crate::events::{Event, bit};
use crate::grid::FAR;
use crate::numbers::NONE;
use crate::options::Intent;
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
        if state.ground[usize::from(next)] == 0 {
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
            let free = state.ground[usize::from(tile)] == 0;
            if waiting >> seat & 1 == 0
                || !free
                || state.claims[usize::from(tile)] != seat as u8 + 1
            {
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
                refused(town, state, seat, tile);
            }
        }
    }
    part_ghosts(town, state);
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

/// Put an agent on a tile.
pub fn go(state: &mut State, seat: usize, tile: u16, ghost: bool) {
    let agent = &mut state.agents[seat];
    if !agent.ghost {
        state.ground[usize::from(agent.tile)] = 0;
    }
    agent.came_from = agent.tile;
    agent.tile = tile;
    agent.ghost = ghost;
    if !ghost {
        state.ground[usize::from(tile)] = seat as u8 + 1;
    }
}

/// An agent could not move: count it, and let it pass as a ghost once that happened too often.
fn refused(town: &Town, state: &mut State, seat: usize, tile: u16) {
    let agent = &mut state.agents[seat];
    agent.now.blocked = true;
    agent.blocked = agent.blocked.saturating_add(1);
    let limit = state.hot.queue.ghost_after;
    let other = state.ground[usize::from(tile)];
    if limit == 0 || u32::from(state.agents[seat].blocked) < limit || other == 0 {
        return;
    }
    state.agents[seat].blocked = 0;
    go(state, seat, tile, true);
    annex::stepped(town, state, seat, tile);
    state.agents[seat].now.bits |= bit("ghost_step");
    state.tally.ghosts += 1;
    state.tell(Event::new("ghost_step").of(seat).with(usize::from(other) - 1));
}

/// A tile is shared for one tick only: then whoever has nothing to do there steps aside.
fn part_ghosts(town: &Town, state: &mut State) {
    for at in 0..state.order.len() {
        let seat = usize::from(state.order[at]);
        let agent = &state.agents[seat];
        if !agent.ghost || agent.now.bits & bit("ghost_step") != 0 {
            continue;
        }
        let tile = agent.tile;
        let owner = state.ground[usize::from(tile)];
        if owner == 0 {
            go(state, seat, tile, false);
            continue;
        }
        let owner = usize::from(owner) - 1;
        let busy = state.agents[owner].running != NONE || state.agents[owner].holding != NONE;
        let leaver = if busy { seat } else { owner };
        if let Some(next) = aside(town, state, leaver) {
            go(state, leaver, next, false);
            state.agents[leaver].now.aside = true;
            if !busy {
                go(state, seat, tile, false);
            }
        }
    }
}

/// The best free tile beside an agent; back where it came from it would only be blocked again.
fn aside(town: &Town, state: &State, seat: usize) -> Option<u16> {
    let agent = &state.agents[seat];
    let worth = |next: u16| match agent.target {
        NONE => (next == agent.came_from, 0),
        goal => (next == agent.came_from, town.distance(usize::from(goal), next)),
    };
    let beside = (0..4).filter_map(|step| town.grid.step(agent.tile, step));
    let free = beside.filter(|&next| state.ground[usize::from(next)] == 0);
    free.min_by_key(|&next| worth(next))
}
