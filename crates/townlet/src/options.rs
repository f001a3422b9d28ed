//! Options: what each of the eight means, tick by tick.

use crate::affordances;
use crate::chat;
use crate::events::Event;
use crate::movement::toward;
use crate::numbers::NONE;
use crate::queues;
use crate::relations;
use crate::state::State;
use crate::town::{MEAL, Town};

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
        && (agent.option == WAIT || state.tick >= agent.bound_until || agent.desperate())
}

/// Take up an option, dropping the one before.
pub fn choose(town: &Town, state: &mut State, seat: usize, option: u8) {
    let tick = state.tick;
    state.tally.decisions += 1;
    let bound = town.document.policy_runtime.option_commit_ticks;
    let agent = &mut state.agents[seat];
    if agent.option == option {
        agent.bound_until = tick + bound;
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
    agent.bound_until = tick + if option == WAIT { 0 } else { bound };
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
    if agent.running != NONE || agent.hospital {
        return Intent::Wait;
    }
    if agent.meeting != 0
        && matches!(agent.option, WAIT | SOCIALISE)
        && let Some(intent) = attend(town, state, seat)
    {
        return intent;
    }
    match agent.option {
        GET_FED if agent.items[MEAL] > 0 && town.roles.packed != NONE => packed(town, state, seat),
        GET_FED | GET_CLEAN | SHOP | SLEEP => pursue(town, state, seat),
        GO_TO_WORK => work(town, state, seat),
        SOCIALISE => seek_company(town, state, seat),
        GO_HOME => go_home(town, state, seat),
        _ => Intent::Wait,
    }
}

/// The way to an arranged meeting, until one is there.
fn attend(town: &Town, state: &State, seat: usize) -> Option<Intent> {
    let meeting = state.agents[seat].meeting;
    let event = state.city.active.iter().find(|event| event.id == meeting)?;
    let venue = town.objects.iter().position(|object| object.venue == event.place)?;
    let there = town.distance(venue, state.agents[seat].tile) <= 3;
    (!there).then(|| toward(town, state, seat, venue))
}

fn packed(town: &Town, state: &mut State, seat: usize) -> Intent {
    queues::leave(town, state, seat);
    Intent::Start(town.roles.packed)
}

/// Go after an object: ask for it when near, wait for the turn, begin when there.
fn pursue(town: &Town, state: &mut State, seat: usize) -> Intent {
    let agent = &state.agents[seat];
    let held = agent.holding != NONE && agent.holding == agent.target;
    let fits = agent.target != NONE
        && affordances::affordable(town, state, seat, agent.goal, agent.target).is_ok()
        && (held || cooled(town, state, seat, agent.target));
    if !fits {
        queues::leave(town, state, seat);
        let found = target(town, state, seat, state.agents[seat].option);
        let Some((object, goal)) = found else {
            conclude(town, state, seat, false);
            return Intent::Wait;
        };
        note_avoided(town, state, seat, goal);
        state.agents[seat].target = object;
        state.agents[seat].goal = goal;
    }
    let agent = &state.agents[seat];
    let object = agent.target;
    let distance = town.distance(usize::from(object), agent.tile);
    if agent.holding == object {
        return if distance == 0 {
            Intent::Start(agent.goal)
        } else {
            toward(town, state, seat, usize::from(object))
        };
    }
    if agent.waiting == object {
        let near = u32::from(state.things[usize::from(object)].waiting) <= state.hot.queue.nodes;
        let reach = if near { 2 } else { 4 };
        return if distance > reach {
            toward(town, state, seat, usize::from(object))
        } else {
            Intent::Wait
        };
    }
    if distance <= 2 {
        Intent::Request(object)
    } else {
        toward(town, state, seat, usize::from(object))
    }
}

fn cooled(town: &Town, state: &State, seat: usize, object: u8) -> bool {
    state.cooldowns[seat * town.objects.len() + usize::from(object)] <= state.tick
}

/// The affordances an option may use, best first.
#[must_use]
pub fn means(town: &Town, option: u8) -> [u8; 2] {
    let roles = &town.roles;
    match option {
        GET_FED => [roles.eat, roles.cook],
        GET_CLEAN => [roles.shower, roles.clothes],
        SHOP => [roles.buy, NONE],
        SLEEP => [roles.sleep, NONE],
        _ => [NONE, NONE],
    }
}

/// The object that serves an option soonest: the walk, and those who are before it.
#[must_use]
pub fn target(town: &Town, state: &State, seat: usize, option: u8) -> Option<(u8, u8)> {
    for goal in means(town, option) {
        if goal == NONE {
            continue;
        }
        let mut best = None;
        let what = &town.affordances[usize::from(goal)];
        for &object in &town.by_kind[usize::from(what.kind)] {
            let usable = cooled(town, state, seat, object)
                && affordances::affordable(town, state, seat, goal, object).is_ok()
                && !shunned(state, seat, object);
            if usable {
                let cost = delay(town, state, seat, object, what.duration);
                if best.is_none_or(|(least, _)| cost < least) {
                    best = Some((cost, object));
                }
            }
        }
        if let Some((_, object)) = best {
            return Some((object, goal));
        }
    }
    None
}

/// Ticks until an agent could begin at an object, roughly. One's own bed comes first.
#[must_use]
pub fn delay(town: &Town, state: &State, seat: usize, object: u8, duration: u32) -> u32 {
    let thing = &state.things[usize::from(object)];
    let before =
        u32::from(thing.waiting) + u32::from(thing.holder != NONE && thing.holder != seat as u8);
    let walk = u32::from(town.distance(usize::from(object), state.agents[seat].tile));
    let own = town.beds.get(usize::from(state.agents[seat].bed)) == Some(&object);
    (walk + before * duration).saturating_sub(if own && before == 0 { 6 } else { 0 })
}

/// Another object is taken because a rival is at this kind of one: a conflict avoided.
fn note_avoided(town: &Town, state: &mut State, seat: usize, goal: u8) {
    let kind = usize::from(town.affordances[usize::from(goal)].kind);
    for &object in &town.by_kind[kind] {
        if shunned(state, seat, object) {
            let rival = usize::from(state.things[usize::from(object)].holder);
            state.agents[seat].now.avoided = 1;
            state.tell(Event::new("rivalry_avoidance").of(seat).with(rival).at(object));
            return;
        }
    }
}

/// Whether a rival holds it.
fn shunned(state: &State, seat: usize, object: u8) -> bool {
    let holder = state.things[usize::from(object)].holder;
    holder != NONE
        && usize::from(holder) != seat
        && relations::avoids(state, seat, usize::from(holder))
}

fn work(town: &Town, state: &mut State, seat: usize) -> Intent {
    let agent = &state.agents[seat];
    let Some(job) = town.jobs.get(usize::from(agent.work.job)) else {
        conclude(town, state, seat, false);
        return Intent::Wait;
    };
    if state.tod(town) >= job.end {
        conclude(town, state, seat, true);
        return Intent::Wait;
    }
    if town.grid.chebyshev(agent.tile, job.tile) <= job.radius {
        return Intent::Wait;
    }
    toward(town, state, seat, town.site(agent.work.job))
}

/// The nearest agent one could talk to.
#[must_use]
pub fn company(town: &Town, state: &State, seat: usize) -> Option<usize> {
    let tile = state.agents[seat].tile;
    let mut best = None;
    for &other in &state.order {
        let other = usize::from(other);
        let distance = town.grid.manhattan(tile, state.agents[other].tile);
        let nearer = distance <= EARSHOT && best.is_none_or(|(least, _)| distance < least);
        if nearer && chat::eligible(town, state, seat, other) {
            best = Some((distance, other));
        }
    }
    best.map(|(_, other)| other)
}

fn seek_company(town: &Town, state: &mut State, seat: usize) -> Intent {
    let Some(other) = company(town, state, seat) else {
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
    let mut best = (town.grid.manhattan(from, to), Intent::Wait);
    for step in 0..4 {
        if let Some(next) = town.grid.step(from, step)
            && state.ground[usize::from(next)] == 0
            && town.grid.manhattan(next, to) < best.0
        {
            best = (town.grid.manhattan(next, to), Intent::Move(next));
        }
    }
    best.1
}

fn go_home(town: &Town, state: &mut State, seat: usize) -> Intent {
    let agent = &state.agents[seat];
    if agent.bed == NONE || town.distance(town.home(agent.bed), agent.tile) == 0 {
        conclude(town, state, seat, true);
        return Intent::Wait;
    }
    toward(town, state, seat, town.home(agent.bed))
}
