//! When a battle is over, and who won.

use crate::events::Kind;
use crate::journal::{Journal, tell};
use crate::package::Counted;
use crate::proposals::Plugin;
use crate::resolvers::objective;
use crate::setup::{Aim, Goal, Settlement, Setup};
use crate::state::{Fate, NOBODY, Outcome, State};

/// The term for the winning and the losing side.
const WON: usize = 0;
/// Nobody.
const DRAW: u8 = u8::MAX;

/// How a battle can end.
pub mod ended_by {
    #![allow(missing_docs, reason = "the names say it")]
    pub const RUNNING: u8 = 0;
    pub const ANNIHILATION: u8 = 1;
    pub const OBJECTIVE: u8 = 2;
    pub const TIME_LIMIT: u8 = 3;

    /// What they are called, by number: the words of results.
    pub const NAMES: [&str; 4] = ["running", "annihilation", "objective", "time_limit"];
}

/// End the battle if it is over.
pub fn resolve(setup: &Setup, state: &mut State, journal: &mut Journal) {
    let late = state.tick + 1 >= setup.time_limit;
    let outcome = settled(setup, state, late).or_else(|| decided(setup, state)).or_else(|| {
        late.then(|| Outcome { ended_by: ended_by::TIME_LIMIT, winner: richest(setup, state) })
    });
    let Some(outcome) = outcome else { return };
    state.outcome = outcome;
    for ship in 0..state.ships.len() {
        if outcome.winner != DRAW {
            let won = state.ships.team[ship] == outcome.winner;
            state.terms[ship][WON] = if won { 1.0 } else { -1.0 };
        }
        let Some(goal) = &setup.goals[ship] else { continue };
        if state.objectives[ship][1] == 0.0 {
            let met = met_at_end(state, ship, goal, outcome);
            objective::settle(state, journal, ship, if met { 1.0 } else { -1.0 });
        }
    }
    let value = f32::from(outcome.winner);
    let kind = Kind::BattleEnded;
    tell(state, journal, kind, NOBODY, NOBODY, 0, 0, (0.0, 0.0), value, Plugin::Objective);
}

/// Whether an objective that was open until the battle ended is met by its end: its side won in a way
/// that counts for it, or what it guards, or hides, is still there.
fn met_at_end(state: &State, ship: usize, goal: &Goal, outcome: Outcome) -> bool {
    let won = state.ships.team[ship] == outcome.winner;
    let counts = goal.met_by >> outcome.ended_by & 1 == 1;
    let kept = goal.aim == Aim::Protect || (goal.aim == Aim::Evade && state.ships.fights(ship));
    (won && counts) || kept
}

/// A rule of the scenario that holds now.
fn settled(setup: &Setup, state: &State, late: bool) -> Option<Outcome> {
    let holds = |rule: &&Settlement| {
        let counted = rule.ships.iter().filter(|&&ship| {
            let fate = state.ships.fate[ship as usize];
            let exited = fate == Fate::Exited as u8;
            match rule.when {
                Counted::Exited => exited,
                Counted::Lost => !exited && fate != Fate::Operational as u8,
            }
        });
        let count = counted.count() as u32;
        (late || !rule.at_end) && rule.count.0 <= count && count <= rule.count.1
    };
    let rule = setup.settlements.iter().find(holds)?;
    Some(Outcome { ended_by: ended_by::OBJECTIVE, winner: rule.winner })
}

/// Whether a hull can still decide anything: it fights, and has arms or an objective.
fn effective(setup: &Setup, state: &State, ship: usize) -> bool {
    state.ships.fights(ship) && (state.ships.mount_count[ship] > 0 || setup.goals[ship].is_some())
}

/// At most one side left that can fight. A side whose last hulls left the map as they were sent to is
/// not beaten: then what the sides have left decides.
fn decided(setup: &Setup, state: &State) -> Option<Outcome> {
    let (mut left, mut away) = (0_u8, 0_u8);
    for ship in 0..state.ships.len() {
        let team = 1 << state.ships.team[ship];
        if effective(setup, state, ship) {
            left |= team;
        } else if state.ships.fate[ship] == Fate::Exited as u8 {
            away |= team;
        }
    }
    if left.count_ones() > 1 {
        return None;
    }
    if away & !left != 0 {
        return Some(Outcome { ended_by: ended_by::OBJECTIVE, winner: richest(setup, state) });
    }
    let winner = if left == 0 { richest(setup, state) } else { left.trailing_zeros() as u8 };
    Some(Outcome { ended_by: ended_by::ANNIHILATION, winner })
}

/// The side with the largest share of its value left, if the gap to the next is wide enough.
fn richest(setup: &Setup, state: &State) -> u8 {
    let share = |value: &[f64; 2]| if value[0] > 0.0 { value[1] / value[0] } else { 0.0 };
    let mut best = (f64::NEG_INFINITY, DRAW);
    let mut next = f64::NEG_INFINITY;
    for (team, value) in state.team_value.iter().enumerate() {
        let share = share(value);
        if share > best.0 {
            next = best.0;
            best = (share, team as u8);
        } else if share > next {
            next = share;
        }
    }
    if best.0 - next >= setup.tables.objectives.value_gap { best.1 } else { DRAW }
}
