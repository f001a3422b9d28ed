//! Masks: which choices an agent has. What must fail is never offered.

use crate::affordances;
use crate::config::Stage;
use crate::drama;
use crate::errands::{has_packed, target};
use crate::numbers::NONE;
use crate::options::{
    AHEAD, GET_CLEAN, GET_FED, GO_HOME, GO_TO_WORK, SHOP, SLEEP, SOCIALISE, company, free_to_choose,
};
use crate::primitives;
use crate::state::State;
use crate::town::Town;

/// Waiting is always possible.
const WAIT_ONLY: u32 = 1;

/// Work out the choices of everyone in play.
pub fn refresh(town: &Town, state: &mut State) {
    for at in 0..state.order.len() {
        let seat = usize::from(state.order[at]);
        let company = nearest_company(town, state, seat);
        state.agents[seat].company = company;
        state.agents[seat].mask =
            if town.sight.options { options(town, state, seat) } else { acts(town, state, seat) };
    }
}

/// Steps to the nearest agent one could go and talk to, where that is a choice at all.
fn nearest_company(town: &Town, state: &State, seat: usize) -> u8 {
    let agent = &state.agents[seat];
    let talks = town.sight.options
        && town.document.features.stages.relationships != Stage::Off
        && state.tick >= agent.chat_after
        && free_to_choose(state, seat);
    let other = if talks { company(town, state, seat) } else { None };
    other.map_or(NONE, |(_, steps)| steps as u8)
}

fn options(town: &Town, state: &State, seat: usize) -> u32 {
    if !free_to_choose(state, seat) {
        return WAIT_ONLY;
    }
    let agent = &state.agents[seat];
    let mut mask = WAIT_ONLY;
    if has_packed(town, state, seat) || usable(town, state, seat, GET_FED) {
        mask |= 1 << GET_FED;
    }
    for option in [GET_CLEAN, SHOP, SLEEP] {
        if usable(town, state, seat, option) {
            mask |= 1 << option;
        }
    }
    if let Some(job) = town.jobs.get(usize::from(agent.work.job)) {
        let tod = state.tod(town);
        mask |= u32::from(tod + AHEAD >= job.start && tod < job.end) << GO_TO_WORK;
    }
    mask |= u32::from(agent.company != NONE) << SOCIALISE;
    mask | u32::from(agent.bed != NONE) << GO_HOME
}

/// Whether some object could serve an option.
fn usable(town: &Town, state: &State, seat: usize, option: u8) -> bool {
    // The one it goes after already is the likeliest.
    let agent = &state.agents[seat];
    if agent.option == option
        && agent.target != NONE
        && agent.holding == agent.target
        && affordances::promising(town, state, seat, agent.goal, agent.target)
    {
        return true;
    }
    target(town, state, seat, option).is_some()
}

fn acts(town: &Town, state: &State, seat: usize) -> u32 {
    let agent = &state.agents[seat];
    if agent.running != NONE || agent.possessed || agent.hospital || drama::argues(state, seat) {
        return WAIT_ONLY;
    }
    let legal = |action: &usize| primitives::meaning(town, state, seat, *action).is_some();
    (0..town.sight.choices).filter(legal).fold(0, |mask, action| mask | 1 << action)
}
