//! Objectives move on, are met or fail; and the terms that rewards are made of.

use crate::events::Kind;
use crate::journal::{Journal, tell};
use crate::proposals::{Plugin, Proposals};
use crate::state::{NOBODY, State};

/// Reward terms written here.
mod term {
    pub const ALIVE: usize = 5;
    pub const ELAPSED: usize = 6;
    pub const PROGRESS: usize = 10;
    pub const SETTLED: usize = 11;
}

/// Write progress and its reward.
pub fn resolve(state: &mut State, proposals: &Proposals, journal: &mut Journal) {
    for ship in 0..state.ships.len() {
        if state.ships.fights(ship) {
            state.terms[ship][term::ALIVE] = 1.0;
        }
        state.terms[ship][term::ELAPSED] = 1.0;
    }
    for fact in &proposals.progress {
        let ship = fact.ship as usize;
        state.terms[ship][term::PROGRESS] += fact.value - state.objectives[ship][0];
        state.objectives[ship] = [fact.value, fact.settled];
        if fact.settled != 0.0 {
            settle(state, journal, ship, fact.settled);
        }
    }
}

/// Say that an objective is over, and reward it.
pub fn settle(state: &mut State, journal: &mut Journal, ship: usize, how: f32) {
    state.objectives[ship][1] = how;
    state.terms[ship][term::SETTLED] += how;
    let kind = if how > 0.0 { Kind::ObjectiveMet } else { Kind::ObjectiveFailed };
    let place = (state.ships.x[ship], state.ships.y[ship]);
    let id = ship as u32;
    tell(state, journal, kind, id, NOBODY, 0, 0, place, how, Plugin::Objective);
}
