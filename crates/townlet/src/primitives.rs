//! Primitives: the 22 single acts, where a policy steers every tick itself.

use crate::affordances;
use crate::annex;
use crate::chat;
use crate::crowd::each;
use crate::numbers::NONE;
use crate::options::Intent;
use crate::state::State;
use crate::town::{MEAL, Town};

/// How near an object must be to be asked for.
const REACH: u16 = 3;
/// Alternatives of each kind of act.
const EACH: usize = 4;

/// The up to four objects within reach, nearest first.
fn near_objects(town: &Town, state: &State, seat: usize) -> [u8; EACH] {
    let tile = state.agents[seat].tile;
    let mut found = [(u16::MAX, NONE); EACH];
    for (index, object) in town.objects.iter().enumerate() {
        let distance = town.grid.manhattan(tile, object.tile);
        let served = !town.of_kind[usize::from(object.kind)].is_empty();
        if distance > REACH || !served || distance >= found[EACH - 1].0 {
            continue;
        }
        let place = found.iter().position(|one| distance < one.0).unwrap_or(EACH - 1);
        found.copy_within(place..EACH - 1, place + 1);
        found[place] = (distance, index as u8);
    }
    found.map(|(_, object)| object)
}

/// The up to four agents beside one, by embedding slot.
fn near_agents(town: &Town, state: &State, seat: usize) -> [u8; EACH] {
    let mut found = [NONE; EACH];
    let here = town.grid.place(state.agents[seat].tile);
    let beside = each(state.crowd.people.within(here, 1)).map(|at| state.order[at]);
    let others = beside.filter(|&other| usize::from(other) != seat);
    for (place, other) in found.iter_mut().zip(others) {
        *place = other;
    }
    found
}

/// The affordance a start means: the k-th of what is held, by id.
fn held_affordance(town: &Town, state: &State, seat: usize, which: usize) -> u8 {
    let holding = state.agents[seat].holding;
    if holding == NONE {
        return NONE;
    }
    let kind = usize::from(town.objects[usize::from(holding)].kind);
    town.of_kind[kind].get(which).copied().unwrap_or(NONE)
}

/// What a primitive means for this agent now, or nothing if it must fail.
#[must_use]
pub fn meaning(town: &Town, state: &State, seat: usize, action: usize) -> Option<Intent> {
    let agent = &state.agents[seat];
    let roles = &town.roles;
    let begin = |affordance: u8| {
        let ready =
            affordance != NONE && affordances::startable(town, state, seat, affordance).is_ok();
        ready.then_some(Intent::Start(affordance))
    };
    match action {
        0 => Some(Intent::Wait),
        1..=4 => town
            .grid
            .step(agent.tile, action - 1)
            .filter(|&next| state.open_to(seat, next) && !annex::held_up(state, seat))
            .map(Intent::Move),
        5..=8 => {
            let object = near_objects(town, state, seat)[action - 5];
            let asks = object != NONE
                && agent.holding == NONE
                && agent.waiting == NONE
                && state.things[usize::from(object)].closed == 0
                && state.cooldowns[seat * town.objects.len() + usize::from(object)] <= state.tick;
            asks.then_some(Intent::Request(object))
        }
        9..=12 => begin(held_affordance(town, state, seat, action - 9)),
        13 => (agent.holding != NONE || agent.waiting != NONE).then_some(Intent::Release),
        14..=17 => {
            let other = near_agents(town, state, seat)[action - 14];
            let talks = other != NONE && chat::within_reach(town, state, seat, usize::from(other));
            talks.then_some(Intent::Talk(other))
        }
        18 => begin(roles.buy),
        19 if agent.items[MEAL] > 0 => begin(roles.packed),
        20 => begin(roles.sleep),
        21 => begin(roles.clothes),
        _ => None,
    }
}
