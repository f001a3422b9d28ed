//! The scripted citizen: careful, punctual, and the same in every town.

use crate::annex;
use crate::numbers::{ENERGY, HUNGER, HYGIENE, NEEDS, scaled};
use crate::options::{
    GET_CLEAN, GET_FED, GO_HOME, GO_TO_WORK, SHOP, SLEEP, SOCIALISE, WAIT, favourite,
    free_to_choose,
};
use crate::plan;
use crate::relations;
use crate::spawn::manners;
use crate::state::State;
use crate::town::Town;
use crate::weather;

/// The option that serves each need.
pub const SERVED_BY: [u8; NEEDS] = [GET_FED, GET_CLEAN, SLEEP];
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
    let desperate = (0..NEEDS).any(|need| agent.needs[need] < DESPERATE && legal(SERVED_BY[need]));
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

/// The option for the lowest need that a citizen sees to now.
fn pressing(town: &Town, state: &State, seat: usize) -> Option<u8> {
    let agent = &state.agents[seat];
    let mut order = [HUNGER, HYGIENE, ENERGY];
    order.sort_by_key(|&need| agent.needs[need]);
    let legal = |need: usize| agent.mask >> SERVED_BY[need] & 1 == 1;
    let bedtime = legal(ENERGY) && plan::bedtime(town, state, seat);
    let wanted = order.into_iter().find(|&need| {
        let urgent = || agent.needs[need] < state.hot.behavior.urgent;
        legal(need) && (urgent() || wants(town, state, seat, need, bedtime))
    });
    // Nobody goes to bed hungry or unwashed if that can be helped.
    let before_bed = |need: &usize| legal(*need) && plan::fails_overnight(town, state, seat, *need);
    let wanted = match wanted {
        Some(ENERGY) => [HUNGER, HYGIENE].into_iter().find(before_bed).or(wanted),
        _ => wanted,
    };
    wanted.map(|need| SERVED_BY[need])
}

/// Whether to serve a need that is not urgent: it is low or will be, and there is time.
fn wants(town: &Town, state: &State, seat: usize, need: usize, bedtime: bool) -> bool {
    let agent = &state.agents[seat];
    if need == ENERGY {
        return bedtime || plan::needs_nap(town, state, seat);
    }
    let threshold = state.hot.behavior.thresholds[need];
    let poor = plan::short_of_money(town, state, seat, need);
    // Eating and washing wait a little while the rent is not there.
    let low = agent.needs[need] < if poor { 2 * threshold / 3 } else { threshold };
    let fails = || !poor && plan::fails_at_work(town, state, seat, need);
    (low || fails())
        && plan::spare_ticks(town, state, seat, need).is_some_and(|spare| {
            // Early in the day a need that only work would lower too far can wait.
            low || spare < plan::PREPARING
        })
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
