//! The scripted citizen: careful, punctual, and the same in every town.

use crate::annex;
use crate::errands;
use crate::numbers::{ENERGY, HUNGER, HYGIENE, NEEDS, scaled};
use crate::options::{
    GET_CLEAN, GET_FED, GO_HOME, GO_TO_WORK, SHOP, SLEEP, SOCIALISE, WAIT, favourite,
    free_to_choose,
};
use crate::relations;
use crate::spawn::manners;
use crate::state::State;
use crate::town::Town;
use crate::weather;

/// Ticks left over for a queue or somebody in the way.
const SLACK: u32 = 10;
/// Above what is urgent, to be left of every need when work is over and the way home begins.
const SPARE: i64 = 100_000;
/// Extroversion from which a citizen starts a chat.
const OUTGOING: i64 = 200_000;
/// Below this even a shift under way is left.
const DESPERATE: i64 = 120_000;

/// The option a careful citizen would choose.
#[must_use]
pub fn advice(town: &Town, state: &State, seat: usize) -> u8 {
    let agent = &state.agents[seat];
    if !agent.present() || !free_to_choose(state, seat) {
        return WAIT;
    }
    let legal = |option: u8| agent.mask >> option & 1 == 1;
    let wanted = wish(town, state, seat);
    if legal(wanted) { wanted } else { WAIT }
}

fn wish(town: &Town, state: &State, seat: usize) -> u8 {
    let agent = &state.agents[seat];
    let legal = |option: u8| agent.mask >> option & 1 == 1;
    // A need that cannot be met, for want of money, is no reason to stay away from work.
    let options = [GET_FED, GET_CLEAN, SLEEP];
    let desperate = (0..NEEDS).any(|need| agent.needs[need] < DESPERATE && legal(options[need]));
    let buffer = state.hot.behavior.buffer;
    if legal(GO_TO_WORK) && due(town, state, seat, buffer) && !desperate {
        return GO_TO_WORK;
    }
    // Company can walk away for ever and a rival stay; needs cannot wait for either.
    let errand = matches!(agent.option, GET_FED | GET_CLEAN | SHOP | SLEEP);
    if errand && legal(agent.option) {
        return agent.option;
    }
    if let Some(option) = pressing(town, state, seat) {
        return option;
    }
    if weather::shivers(town, state, seat) {
        return GO_HOME;
    }
    // Who likes to work spends the time that nothing presses there.
    let [_, affinity, _] = manners(agent.profile);
    let eager = scaled(i64::from(buffer), affinity) as u32;
    if legal(GO_TO_WORK) && due(town, state, seat, eager) {
        return GO_TO_WORK;
    }
    if chats(town, state, seat) {
        return SOCIALISE;
    }
    let rival_near = state.order.iter().any(|&other| {
        let other = usize::from(other);
        other != seat
            && relations::avoids(state, seat, other)
            && town.grid.chebyshev(agent.tile, state.agents[other].tile) <= 2
    });
    if rival_near { GO_HOME } else { WAIT }
}

/// Whether it is time to go to work so many ticks early, or to stay there.
fn due(town: &Town, state: &State, seat: usize, buffer: u32) -> bool {
    let agent = &state.agents[seat];
    let Some(job) = town.jobs.get(usize::from(agent.work.job)) else { return false };
    if agent.work.shift.state == crate::agent::ShiftState::Post {
        return false;
    }
    let path = u32::from(town.distance(town.site(agent.work.job), agent.tile));
    let path = path * annex::pace(town, state, seat, true);
    state.tod(town) + path + buffer >= job.start
}

/// The lowest need below its threshold that can be served before the shift.
fn pressing(town: &Town, state: &State, seat: usize) -> Option<u8> {
    let agent = &state.agents[seat];
    let mut order = [HUNGER, HYGIENE, ENERGY];
    order.sort_by_key(|&need| agent.needs[need]);
    for need in order {
        let option = [GET_FED, GET_CLEAN, SLEEP][need];
        let threshold = state.hot.behavior.thresholds[need];
        // Sleep costs nothing; what must be paid for waits a little while the rent is not there.
        let poor = need != ENERGY && agent.wallet < state.hot.economy.rent;
        let low = agent.needs[need] < if poor { 2 * threshold / 3 } else { threshold }
            || !poor && after_work(town, state, seat, need) < state.hot.behavior.urgent + SPARE;
        if low && agent.mask >> option & 1 == 1 {
            let urgent = agent.needs[need] < state.hot.behavior.urgent;
            if urgent || in_time(town, state, seat, option) {
                return Some(option);
            }
        }
    }
    None
}

/// What is left of a need at the end of today's shift, if nothing is done about it before.
fn after_work(town: &Town, state: &State, seat: usize, need: usize) -> i64 {
    let agent = &state.agents[seat];
    let Some(job) = town.jobs.get(usize::from(agent.work.job)) else { return agent.needs[need] };
    let tod = state.tod(town);
    if agent.work.shift.state == crate::agent::ShiftState::Post || tod >= job.start {
        return agent.needs[need];
    }
    agent.needs[need] - agent.decay[need] * i64::from(job.end - tod)
}

/// Whether an option can be done before it is time to leave for work.
fn in_time(town: &Town, state: &State, seat: usize, option: u8) -> bool {
    let agent = &state.agents[seat];
    let Some(job) = town.jobs.get(usize::from(agent.work.job)) else { return true };
    let tod = state.tod(town);
    if tod >= job.end || agent.work.shift.state == crate::agent::ShiftState::Post {
        return true;
    }
    let buffer = state.hot.behavior.buffer;
    let site = town.site(agent.work.job);
    let (ticks, tile) = if option == GET_FED && errands::has_packed(town, state, seat) {
        (town.affordances[usize::from(town.roles.packed)].duration, agent.tile)
    } else {
        let Some((object, goal)) = errands::target(town, state, seat, option) else { return false };
        let duration = town.affordances[usize::from(goal)].duration;
        let delay = errands::delay(town, state, seat, object, duration);
        (
            delay * annex::pace(town, state, seat, true) + duration,
            town.objects[usize::from(object)].tile,
        )
    };
    // The way to work begins beside the object, whose own tile is blocked.
    let commute = (0..4)
        .filter_map(|step| town.grid.step(tile, step))
        .map(|beside| town.distance(site, beside))
        .min()
        .unwrap_or(0);
    let commute = u32::from(commute) * annex::pace(town, state, seat, true);
    tod + ticks + commute + buffer + SLACK <= job.start
}

fn chats(town: &Town, state: &State, seat: usize) -> bool {
    let agent = &state.agents[seat];
    let content = (0..NEEDS).all(|need| agent.needs[need] >= state.hot.behavior.thresholds[need]);
    if agent.traits[0] < OUTGOING || !content || agent.mask >> SOCIALISE & 1 == 0 {
        return false;
    }
    let Some(other) = favourite(town, state, seat) else { return false };
    let [preference, _, _] = manners(agent.profile);
    let tie = agent.tie(other);
    let draw = scaled(tie.trust + tie.familiarity + agent.traits[0] / 10, preference);
    draw - tie.rivalry > 0
}

/// Advice for every seat; nobody's is to wait.
pub fn advise(town: &Town, state: &State, out: &mut [f32]) {
    for (seat, choice) in out.iter_mut().take(state.agents.len()).enumerate() {
        *choice = f32::from(advice(town, state, seat));
    }
}
