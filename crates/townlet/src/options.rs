//! Options: what each of the eight means, tick by tick.

use std::cmp::Reverse;

use crate::chat;
use crate::crowd;
use crate::drama;
use crate::errands::{has_packed, pursue};
use crate::movement::toward;
use crate::numbers::{Micro, NONE};
use crate::queues;
use crate::relations;
use crate::state::State;
use crate::town::Town;

/// Stay, or go on with what is bound.
pub const WAIT: u8 = 0;
/// Eat.
pub const GET_FED: u8 = 1;
/// Wash.
pub const GET_CLEAN: u8 = 2;
/// Go to work and stay there.
pub const GO_TO_WORK: u8 = 3;
/// Buy food.
pub const SHOP: u8 = 4;
/// Sleep.
pub const SLEEP: u8 = 5;
/// Find somebody and talk.
pub const SOCIALISE: u8 = 6;
/// Go home.
pub const GO_HOME: u8 = 7;

/// How far away somebody to talk to may be.
pub const EARSHOT: u16 = 12;
/// Ticks before a shift from which going there is offered.
pub const AHEAD: u32 = 200;

/// What an agent does in one tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Intent {
    /// Nothing.
    #[default]
    Wait,
    /// Step onto this tile.
    Move(u16),
    /// Ask for this object.
    Request(u8),
    /// Begin this affordance.
    Start(u8),
    /// Let go.
    Release,
    /// Talk to this seat.
    Talk(u8),
}

/// Whether an agent may choose, rather than go on.
#[inline]
#[must_use]
pub fn free_to_choose(state: &State, seat: usize) -> bool {
    let agent = &state.agents[seat];
    agent.running == NONE
        && !agent.possessed
        && !agent.hospital
        && !drama::argues(state, seat)
        && (agent.option == WAIT || state.tick >= agent.bound_until || agent.desperate())
}

/// Take up an option, dropping the one before.
pub fn choose(town: &Town, state: &mut State, seat: usize, option: u8) {
    let tick = state.tick;
    state.tally.decisions += 1;
    let bound = town.document.policy_runtime.option_commit_ticks;
    let agent = &mut state.agents[seat];
    let until = tick + if option == WAIT { 0 } else { bound };
    if agent.option == option {
        agent.bound_until = until;
        return;
    }
    if agent.option != WAIT {
        state.tally.switches += 1;
        agent.last_option = agent.option;
        agent.last_success = false;
        agent.last_duration = tick - agent.option_since;
    }
    agent.option = option;
    agent.option_since = tick;
    agent.bound_until = until;
    agent.target = NONE;
    agent.goal = NONE;
    queues::leave(town, state, seat);
}

/// The option is over: well or not.
pub fn conclude(town: &Town, state: &mut State, seat: usize, success: bool) {
    let tick = state.tick;
    let agent = &mut state.agents[seat];
    agent.last_success = success;
    if !town.sight.options {
        return;
    }
    agent.last_option = agent.option;
    agent.last_duration = tick + 1 - agent.option_since.min(tick + 1);
    agent.option = WAIT;
    agent.bound_until = 0;
    agent.target = NONE;
    agent.goal = NONE;
    queues::leave(town, state, seat);
}

/// What the option of an agent does now.
pub fn drive(town: &Town, state: &mut State, seat: usize) -> Intent {
    let agent = &state.agents[seat];
    if agent.running != NONE || agent.hospital || agent.possessed {
        return Intent::Wait;
    }
    if let Some(venue) = meeting_place(town, state, seat) {
        return toward(town, state, seat, venue);
    }
    match agent.option {
        GET_FED if has_packed(town, state, seat) => packed(town, state, seat),
        GET_FED | GET_CLEAN | SHOP | SLEEP => pursue(town, state, seat),
        GO_TO_WORK => work(town, state, seat),
        SOCIALISE => seek_company(town, state, seat),
        GO_HOME => go_home(town, state, seat),
        _ => Intent::Wait,
    }
}

/// Where an arranged meeting is, for a guest with nothing else to do, until it is there.
#[must_use]
pub fn meeting_place(town: &Town, state: &State, seat: usize) -> Option<usize> {
    let agent = &state.agents[seat];
    if agent.meeting == 0 || !matches!(agent.option, WAIT | SOCIALISE) {
        return None;
    }
    let event = state.city.active.iter().find(|event| event.id == agent.meeting)?;
    let venue = town.objects.iter().position(|object| object.venue == event.place)?;
    (town.distance(venue, agent.tile) > 3).then_some(venue)
}

fn packed(town: &Town, state: &mut State, seat: usize) -> Intent {
    queues::leave(town, state, seat);
    Intent::Start(town.roles.packed)
}

fn work(town: &Town, state: &mut State, seat: usize) -> Intent {
    let agent = &state.agents[seat];
    let Some(job) = town.jobs.get(usize::from(agent.work.job)) else {
        conclude(town, state, seat, false);
        return Intent::Wait;
    };
    let tod = state.tod(town);
    // A shift that ends with the day is over when the next day begins.
    if tod >= job.end || tod + AHEAD < job.start {
        conclude(town, state, seat, true);
        return Intent::Wait;
    }
    let there = town.grid.chebyshev(agent.tile, job.tile) <= job.radius;
    match toward(town, state, seat, town.site(agent.work.job)) {
        // Whoever is there goes further in while there is room: at the edge it would bar the way.
        Intent::Move(next) if there && !state.open_to(seat, next) => Intent::Wait,
        step => step,
    }
}

/// The nearest agent one could talk to, and the steps there.
#[must_use]
pub fn company(town: &Town, state: &State, seat: usize) -> Option<(usize, i32)> {
    let tile = state.agents[seat].tile;
    let who = |at: usize| usize::from(state.order[at]);
    let steps = |at: usize| {
        let eligible = chat::eligible(town, state, seat, who(at));
        let stroll = || town.stroll(tile, state.agents[who(at)].tile).map(i32::from);
        eligible.then(stroll).flatten()
    };
    let here = town.grid.place(tile);
    let found = crowd::nearest(&state.crowd.people, here, i32::from(EARSHOT), steps);
    found.map(|(steps, at)| (who(at), steps))
}

/// Whom one would rather talk to: the best liked within earshot, of those the nearest. Whoever is in
/// dire need takes the nearest there is.
#[must_use]
pub fn favourite(town: &Town, state: &State, seat: usize) -> Option<usize> {
    if state.agents[seat].desperate() {
        return company(town, state, seat).map(|(other, _)| other);
    }
    let tile = state.agents[seat].tile;
    let around = state.crowd.people.within(town.grid.place(tile), i32::from(EARSHOT));
    let others = crowd::each(around).map(|at| usize::from(state.order[at]));
    let mut best: Option<(Reverse<Micro>, u16, usize)> = None;
    for other in others.filter(|&other| chat::eligible(town, state, seat, other)) {
        let liking = Reverse(relations::liking(state, seat, other));
        // How far it is takes longer to look up than how much one likes it.
        if best.is_none_or(|(most, _, _)| liking <= most)
            && let Some(steps) = town.stroll(tile, state.agents[other].tile)
            && best.is_none_or(|(most, least, _)| (liking, steps) < (most, least))
        {
            best = Some((liking, steps, other));
        }
    }
    best.map(|(_, _, other)| other)
}

fn seek_company(town: &Town, state: &mut State, seat: usize) -> Intent {
    let Some(other) = favourite(town, state, seat) else {
        conclude(town, state, seat, false);
        return Intent::Wait;
    };
    if chat::within_reach(town, state, seat, other) {
        return Intent::Talk(other as u8);
    }
    let (from, to) = (state.agents[seat].tile, state.agents[other].tile);
    if town.grid.chebyshev(from, to) <= 1 {
        return Intent::Wait;
    }
    let open = nearer(town, from, to).find(|&next| state.open_to(seat, next));
    if open.is_none() {
        conclude(town, state, seat, false);
    }
    open.map_or(Intent::Wait, Intent::Move)
}

/// The tiles beside one from which it is fewer steps to another.
pub fn nearer(town: &Town, from: u16, to: u16) -> impl Iterator<Item = u16> {
    let steps = move |tile: u16| town.stroll(tile, to).unwrap_or(u16::MAX);
    let left = steps(from);
    let beside = (0..4).filter_map(move |step| town.grid.step(from, step));
    beside.filter(move |&next| steps(next) < left)
}

fn go_home(town: &Town, state: &mut State, seat: usize) -> Intent {
    let agent = &state.agents[seat];
    if agent.bed == NONE || town.distance(town.home(agent.bed), agent.tile) == 0 {
        conclude(town, state, seat, true);
        return Intent::Wait;
    }
    toward(town, state, seat, town.home(agent.bed))
}
