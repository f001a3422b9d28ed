//! Exits: what drives a person out of town, how many at once, and what is left behind.

use crate::affordances;
use crate::agent::{Agent, PARTS, Presence};
use crate::annex;
use crate::employment;
use crate::events::{Event, Reason, bit};
use crate::ghosts;
use crate::numbers::{HUNGER, NONE, micro};
use crate::queues;
use crate::relations;
use crate::slots;
use crate::state::{Arrival, State};
use crate::town::Town;

/// Starved.
pub const FAINT: u8 = 1;
/// Could not pay.
pub const EVICTION: u8 = 2;
/// Found no work, or did not come to it.
pub const UNEMPLOYMENT: u8 = 3;
/// Let itself go.
pub const NEGLECT: u8 = 4;
/// Grew old.
pub const AGE_OUT: u8 = 5;
/// Taken out by an operator.
pub const KILLED: u8 = 6;
/// Froze.
pub const EXPOSURE: u8 = 7;
/// Names of the reasons; 0 is none.
pub const REASONS: [Reason; 8] =
    ["", "faint", "eviction", "unemployment", "neglect", "age_out", "killed", "exposure"];

/// The bit of an exit.
#[must_use]
pub fn exit_bit(reason: u8) -> u32 {
    match reason {
        FAINT => bit("faint"),
        EVICTION => bit("eviction"),
        UNEMPLOYMENT => bit("unemployment"),
        NEGLECT => bit("neglect"),
        AGE_OUT => bit("age_out"),
        KILLED => bit("killed"),
        EXPOSURE => bit("exposure"),
        _ => 0,
    }
}

/// Count what endangers everyone, and decide who leaves in this tick: their seats as bits.
pub fn detect(town: &Town, state: &mut State) -> u64 {
    if state.tod(town) == 0 {
        state.exits_today = 0;
    }
    let part = (town.day / PARTS as u32).max(1);
    let turn = state.tick.is_multiple_of(part).then(|| (state.tick / part) as usize % PARTS);
    let mut exiting = 0u64;
    for at in 0..state.order.len() {
        let seat = usize::from(state.order[at]);
        count(town, state, seat, turn);
        let reason = match state.agents[seat].leaving {
            0 => cause(town, state, seat),
            waiting => waiting,
        };
        if reason == 0 {
            continue;
        }
        if state.agents[seat].leaving != reason || state.agents[seat].triggered == 0 {
            state.agents[seat].triggered = state.tick.max(1);
        }
        if reason != KILLED && !state.hot.mortality.on {
            withhold(town, state, seat, reason);
            continue;
        }
        if reason == KILLED || permitted(state) {
            state.agents[seat].leaving = reason;
            exiting |= 1 << seat;
            if reason != KILLED {
                state.exits_today += 1;
                state.exit_after = state.tick + town.document.lifecycle.exit_cooldown_ticks;
            }
        } else {
            postpone(town, state, seat, reason);
        }
    }
    exiting
}

/// Whether another exit is allowed now.
fn permitted(state: &State) -> bool {
    state.exits_today < state.hot.mortality.daily_cap && state.tick >= state.exit_after
}

fn count(town: &Town, state: &mut State, seat: usize, turn: Option<usize>) {
    let starves_by_itself = !state.city.excused(HUNGER, state.tick);
    let neglects = neglects_itself(town, state, seat);
    let (faint_at, half_rent) = (state.hot.mortality.faint_at, state.hot.economy.rent / 2);
    let agent = &mut state.agents[seat];
    if let Some(part) = turn {
        agent.neglected -= agent.neglect[part];
        agent.neglect[part] = 0;
    }
    if agent.hospital {
        return;
    }
    if agent.needs[HUNGER] > faint_at {
        agent.faint = 0;
    } else if starves_by_itself {
        agent.faint += 1;
    }
    if neglects {
        let part = (state.tick / (town.day / PARTS as u32).max(1)) as usize % PARTS;
        agent.neglect[part] += 1;
        agent.neglected += 1;
    }
    if agent.grace_until != 0 && agent.wallet > half_rent {
        agent.grace_until = 0;
        agent.unpaid = 0;
    }
}

/// Whether a need that could be met is so low now that the tick counts as neglect.
pub fn neglects_itself(town: &Town, state: &State, seat: usize) -> bool {
    let low = micro(town.document.lifecycle.neglect_threshold);
    let needs = state.agents[seat].needs.iter().enumerate();
    needs.into_iter().any(|(need, &level)| level <= low && !state.city.excused(need, state.tick))
}

/// Such ticks of a rolling day that drive an agent out.
pub fn neglect_ticks(town: &Town) -> u32 {
    ((f64::from(town.day) * town.document.lifecycle.neglect_share) as u32).max(1)
}

/// Nobody leaves, but what would have driven this one out is noted, and counted anew.
fn withhold(town: &Town, state: &mut State, seat: usize, reason: u8) {
    if state.agents[seat].hospital && !discharge(town, state, seat) {
        return;
    }
    state.tally.withheld += 1;
    state.tell(Event::new("agent_exit_withheld").of(seat).because(REASONS[usize::from(reason)]));
    let agent = &mut state.agents[seat];
    agent.leaving = 0;
    match reason {
        FAINT => agent.faint = 0,
        EVICTION => (agent.grace_until, agent.unpaid) = (0, 0),
        NEGLECT => (agent.neglect, agent.neglected) = ([0; PARTS], 0),
        AGE_OUT => agent.until = u32::MAX,
        EXPOSURE => state.annex.people[seat].exposed = 0,
        _ => {
            agent.work.last_wage = state.tick;
            // One who may not leave would be dismissed again in the next tick.
            agent.work.queued = None;
            agent.work.absent = 0;
        }
    }
}

/// Back from hospital, near where it collapsed; not while every tile is taken.
fn discharge(town: &Town, state: &mut State, seat: usize) -> bool {
    let collapsed = state.agents[seat].tile;
    let free = town.grid.nearest(collapsed, |tile| state.ground[usize::from(tile)] == 0);
    let Some(tile) = free else { return false };
    let agent = &mut state.agents[seat];
    agent.tile = tile;
    agent.hospital = false;
    agent.reset = true;
    state.ground[usize::from(tile)] = seat as u8 + 1;
    true
}

/// What drives an agent out now, if anything.
fn cause(town: &Town, state: &State, seat: usize) -> u8 {
    let agent = &state.agents[seat];
    let life = &town.document.lifecycle;
    let collapse = collapse(town, state, seat);
    if matches!(collapse, FAINT | EXPOSURE) {
        return collapse;
    }
    if agent.grace_until != 0 && state.tick >= agent.grace_until && !state.city.dear(state.tick) {
        return EVICTION;
    }
    if collapse != 0 {
        return collapse;
    }
    if state.tick >= agent.until {
        return AGE_OUT;
    }
    let idle = state.tick - agent.work.last_wage.min(state.tick);
    let jobless = idle >= life.unemployment_days * town.day && !agent.hospital;
    if jobless && (agent.work.job != NONE || employment::vacancy(town, state).is_some()) {
        return UNEMPLOYMENT;
    }
    0
}

/// The collapse that an agent's counters come to, or 0.
fn collapse(town: &Town, state: &State, seat: usize) -> u8 {
    let agent = &state.agents[seat];
    if agent.faint >= state.hot.mortality.faint_ticks {
        FAINT
    } else if exposed(state, seat) >= town.document.features.weather.exposure_ticks {
        EXPOSURE
    } else if u32::from(agent.neglected) >= neglect_ticks(town) {
        NEGLECT
    } else {
        0
    }
}

/// Ticks in a row for which whoever sits there has been freezing.
#[must_use]
pub fn exposed(state: &State, seat: usize) -> u32 {
    state.annex.people.get(seat).map_or(0, |person| person.exposed)
}

/// No exit is possible yet: everyone waits, and who collapses does so in hospital, whatever it was
/// leaving for.
fn postpone(town: &Town, state: &mut State, seat: usize, reason: u8) {
    state.agents[seat].leaving = reason;
    let collapse = collapse(town, state, seat);
    if collapse != 0 && !state.agents[seat].hospital {
        vacate(town, state, seat, "agent_removed");
        let agent = &mut state.agents[seat];
        agent.hospital = true;
        agent.option = crate::options::WAIT;
        agent.needs = agent.needs.map(|need| need.max(100_000));
        agent.now.bits |= bit("hospitalised");
        state.tally.hospitalised += 1;
        let why = REASONS[usize::from(collapse)];
        state.tell(Event::new("agent_hospitalised").of(seat).because(why));
    }
}

/// Stop what an agent does, leave its queues and its tile.
fn vacate(town: &Town, state: &mut State, seat: usize, reason: Reason) {
    affordances::abort(town, state, seat, reason);
    queues::leave(town, state, seat);
    if !state.agents[seat].hospital {
        ghosts::give_up_tile(state, seat);
    }
    state.agents[seat].ghost = false;
}

/// Those in `exiting` leave; what they held is free, and somebody else will come.
pub fn execute(town: &Town, state: &mut State, exiting: u64) {
    if exiting == 0 {
        return;
    }
    for seat in 0..state.agents.len() {
        if exiting >> seat & 1 == 0 {
            continue;
        }
        vacate(town, state, seat, "agent_removed");
        let reason = state.agents[seat].leaving;
        state.tally.exits[usize::from(reason)] += 1;
        let kind = if reason == KILLED { "agent_killed" } else { "agent_removed" };
        let days = f64::from(state.tick - state.agents[seat].since) / f64::from(town.day);
        state.tell(Event::new(kind).of(seat).because(REASONS[usize::from(reason)]).value(days));
        relations::forget(state, seat);
        annex::vacate(state, seat);
        slots::release(state, state.agents[seat].slot);
        let row = seat * town.objects.len();
        state.cooldowns[row..row + town.objects.len()].fill(0);
        state.city.spared[seat] = 0;
        replace(state, seat);
        let agent = &mut state.agents[seat];
        agent.presence = Presence::Leaving;
        agent.reset = true;
        agent.mask = 1;
        agent.work.job = NONE;
    }
    state.sort();
}

/// Somebody will come for the one who leaves, unless every seat is taken or promised already.
fn replace(state: &mut State, seat: usize) {
    let [low, high] = state.hot.mortality.spawn_delay;
    let due = state.tick + state.world.between(low, high);
    let staying = state.agents.iter().filter(|agent| agent.present()).count() - 1;
    if staying + state.arrivals.len() < state.agents.len() {
        state.arrivals.push(Arrival { due, origin: state.agents[seat].origin });
    }
}

/// Seats that were left in the last step are empty now.
pub fn clear_seats(state: &mut State) {
    for agent in &mut state.agents {
        if agent.presence == Presence::Leaving {
            *agent = Agent::empty();
        }
    }
}

/// Whether an agent has a home and nothing to do. Where single acts are chosen, the option says
/// nothing of that.
fn idle(agent: &Agent) -> bool {
    let busy = agent.running != NONE || agent.holding != NONE || agent.waiting != NONE;
    let option = agent.option != crate::options::WAIT;
    agent.bed != NONE && !(agent.hospital || agent.possessed || busy || option)
}

/// The night may take idle agents home, and may lift their needs.
pub fn night(town: &Town, state: &mut State) {
    use crate::config::NightlyReset;
    let what = town.document.lifecycle.nightly_reset;
    if what == NightlyReset::Off || state.tod(town) != 0 || state.tick == 0 {
        return;
    }
    for at in 0..state.order.len() {
        let seat = usize::from(state.order[at]);
        if !idle(&state.agents[seat]) {
            continue;
        }
        let agent = &state.agents[seat];
        let home = town.homes[usize::from(agent.bed)];
        let free = town.grid.nearest(home, |tile| state.ground[usize::from(tile)] == 0);
        if let Some(tile) = free {
            crate::movement::go(state, seat, tile, false);
        }
        let agent = &mut state.agents[seat];
        agent.reset = true;
        if what == NightlyReset::Full {
            agent.needs = agent.needs.map(|need| need.max(500_000));
            if let Some(person) = state.annex.people.get_mut(seat) {
                person.warmth = person.warmth.max(500_000);
            }
        }
        state.tell(Event::new("agent_nightly_reset").of(seat));
    }
}
