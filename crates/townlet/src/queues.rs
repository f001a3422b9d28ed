//! Queues and reservations: one holder per object, fair turns, and no deadlock.

use std::ops::Range;

use serde_json::json;

use crate::affordances;
use crate::annex;
use crate::chronicle;
use crate::drama;
use crate::employment;
use crate::events::{Event, Reason, bit, figure};
use crate::numbers::{Micro, NONE, ONE};
use crate::patience;
use crate::relations::{self, Change};
use crate::state::State;
use crate::town::Town;

/// What an index further back costs a favoured waiter.
const PER_PLACE: Micro = 50_000;

/// An agent asks for an object: it queues, and may be given it in this tick.
pub fn request(town: &Town, state: &mut State, seat: usize, object: u8) {
    let index = usize::from(object);
    if state.cooldowns[seat * town.objects.len() + index] > state.tick {
        state.tally.cooldowns += 1;
        return;
    }
    let agent = &state.agents[seat];
    if agent.holding != NONE || agent.waiting != NONE || state.things[index].closed > 0 {
        return;
    }
    let holder = state.things[index].holder;
    let count = usize::from(state.things[index].waiting);
    let row = index * town.seats;
    let tick = state.tick;
    let place = count - passed(town, state, seat, row..row + count);
    state.queues.copy_within(row + place..row + count, row + place + 1);
    state.queues[row + place] = seat as u8;
    state.things[index].waiting += 1;
    let agent = &mut state.agents[seat];
    agent.waiting = object;
    agent.joined = tick;
    agent.overtaken_by = 0;
    if holder != NONE {
        let boost = state.hot.rivalry.handover;
        conflict(town, state, object, [seat, usize::from(holder)], "occupied", boost);
    }
}

/// How many of those who joined a queue in this very tick, the last ones of `queue`, are passed by
/// one more.
fn passed(town: &Town, state: &mut State, seat: usize, queue: Range<usize>) -> usize {
    let who = |&other: &u8| usize::from(other);
    let fresh = state.queues[queue].iter().rev().map(who);
    let fresh = fresh.take_while(|&other| state.agents[other].joined == state.tick);
    if town.document.features.patience {
        return fresh.take_while(|&other| patience::comes_before(state, seat, other)).count();
    }
    match fresh.count() as u32 {
        0 => 0,
        others => state.world.below(others + 1) as usize,
    }
}

/// Give a free object to the waiter whose turn it is.
pub fn assign(town: &Town, state: &mut State, object: u8) {
    let index = usize::from(object);
    let thing = state.things[index];
    if thing.holder != NONE || thing.waiting == 0 || thing.closed > 0 {
        return;
    }
    let row = index * town.seats;
    let weight = state.hot.queue.age_weight;
    let score = |state: &State, place: usize| {
        let waiter = usize::from(state.queues[row + place]);
        let age = i64::from(state.tick - state.agents[waiter].joined);
        place as i64 * ONE - weight * age
    };
    let mut best = 0;
    for place in 1..usize::from(thing.waiting) {
        if score(state, place) < score(state, best) && may_pass(town, state, object, place) {
            best = place;
        }
    }
    let seat = usize::from(state.queues[row + best]);
    pass(town, state, object, best);
    drop_waiter(town, state, object, seat);
    let distance = town.distance(index, state.agents[seat].tile);
    let thing = &mut state.things[index];
    thing.holder = seat as u8;
    thing.stalled = 0;
    thing.holder_distance = distance;
    let agent = &mut state.agents[seat];
    agent.holding = object;
    agent.held_since = state.tick;
}

/// Whether the waiter at `place` has not yet been served before any of those ahead of it.
fn may_pass(town: &Town, state: &State, object: u8, place: usize) -> bool {
    let row = usize::from(object) * town.seats;
    let bit = 1u64 << state.queues[row + place];
    let ahead = &state.queues[row..row + place];
    ahead.iter().all(|&other| state.agents[usize::from(other)].overtaken_by & bit == 0)
}

/// Note for those ahead of `place` that they are being passed.
fn pass(town: &Town, state: &mut State, object: u8, place: usize) {
    let row = usize::from(object) * town.seats;
    let bit = 1u64 << state.queues[row + place];
    for ahead in 0..place {
        let other = usize::from(state.queues[row + ahead]);
        state.agents[other].overtaken_by |= bit;
    }
}

/// Take a waiter out of its queue.
pub fn drop_waiter(town: &Town, state: &mut State, object: u8, seat: usize) {
    let index = usize::from(object);
    let row = index * town.seats;
    let count = usize::from(state.things[index].waiting);
    let queue = &state.queues[row..row + count];
    if let Some(place) = queue.iter().position(|&other| usize::from(other) == seat) {
        state.queues.copy_within(row + place + 1..row + count, row + place);
        state.queues[row + count - 1] = NONE;
        state.things[index].waiting -= 1;
    }
    state.agents[seat].waiting = NONE;
}

/// An agent gives up what it holds, and hands it over to whoever waits.
pub fn release(town: &Town, state: &mut State, seat: usize, success: bool) {
    let object = state.agents[seat].holding;
    if object == NONE {
        return;
    }
    let index = usize::from(object);
    state.agents[seat].holding = NONE;
    state.things[index].holder = NONE;
    state.things[index].stalled = 0;
    let until = if success { state.tick + 1 + state.hot.queue.cooldown } else { 0 };
    state.cooldowns[seat * town.objects.len() + index] = until;
    if state.things[index].waiting == 0 {
        return;
    }
    favour(town, state, object, seat);
    assign(town, state, object);
    let next = state.things[index].holder;
    if next != NONE {
        let next = usize::from(next);
        let event = Event::new("queue_interaction").of(seat).with(next).at(object);
        state.tell(event.because("handover"));
        state.tell(Event { kind: "queue_polite", ..event });
        relations::both(town, state, [seat, next], Change::POLITE, false);
    }
}

/// The leaver lets the waiter it likes best go first, if it likes one and has a mind for such things.
fn favour(town: &Town, state: &mut State, object: u8, seat: usize) {
    if state.agents[seat].desperate() {
        return;
    }
    let row = usize::from(object) * town.seats;
    let mut best = (0, 0);
    for place in 0..usize::from(state.things[usize::from(object)].waiting) {
        let waiter = usize::from(state.queues[row + place]);
        let liking = relations::liking(state, seat, waiter) - PER_PLACE * place as i64;
        if liking > best.0 {
            best = (liking, place);
        }
    }
    let place = best.1;
    if place == 0 || !may_pass(town, state, object, place) {
        return;
    }
    pass(town, state, object, place);
    state.queues[row..=row + place].rotate_right(1);
    state.tally.rotations += 1;
}

/// An agent leaves whatever it waits for or holds, without success.
pub fn leave(town: &Town, state: &mut State, seat: usize) {
    let waiting = state.agents[seat].waiting;
    if waiting != NONE {
        drop_waiter(town, state, waiting, seat);
    }
    release(town, state, seat, false);
}

/// Deadlines and the deadlock breaker, for everyone who waits or holds without using.
pub fn watch(town: &Town, state: &mut State) {
    for at in 0..state.order.len() {
        let seat = usize::from(state.order[at]);
        let agent = &state.agents[seat];
        if agent.waiting != NONE && state.tick - agent.joined > state.hot.queue.wait {
            give_up(town, state, seat);
        } else if agent.holding != NONE && agent.running == NONE {
            hurry(town, state, seat);
        }
    }
}

/// A waiter has waited too long and plans anew.
fn give_up(town: &Town, state: &mut State, seat: usize) {
    let object = state.agents[seat].waiting;
    let holder = state.things[usize::from(object)].holder;
    drop_waiter(town, state, object, seat);
    state.agents[seat].target = NONE;
    state.tell(Event::new("queue_interaction").of(seat).at(object).because("queue_timeout"));
    drama::failed(town, state, seat, "queue_timeout");
    if holder != NONE {
        let pair = [seat, usize::from(holder)];
        let kind = usize::from(town.objects[usize::from(object)].kind);
        if town.kinds[kind] == "shower" {
            chronicle::quarrel(state, pair, object, "blocked_shower", Change::BLOCKED, 0);
            relations::change(town, state, pair, Change::BLOCKED, false);
        }
        let boost = state.hot.rivalry.handover;
        conflict(town, state, object, pair, "queue_timeout", boost);
    }
}

/// Whether an agent has held its object too long without using it.
#[must_use]
pub fn overdue(state: &State, seat: usize) -> bool {
    state.tick - state.agents[seat].held_since > state.hot.queue.hold
}

/// A holder that does not use its object: the time runs out, or those who wait push past.
fn hurry(town: &Town, state: &mut State, seat: usize) {
    let object = state.agents[seat].holding;
    let index = usize::from(object);
    if overdue(state, seat) {
        release(town, state, seat, false);
        let until = state.tick + 1 + state.hot.queue.blocker;
        state.cooldowns[seat * town.objects.len() + index] = until;
        state.agents[seat].target = NONE;
        state.tell(
            Event::new("queue_interaction").of(seat).at(object).because("reservation_timeout"),
        );
        return;
    }
    let distance = town.distance(index, state.agents[seat].tile);
    let closer = distance < state.things[index].holder_distance;
    state.things[index].holder_distance = distance;
    // One who stands beside it is there; one who was given it in this tick, or was pushed off a
    // shared tile, had no turn to move.
    let fresh = state.agents[seat].held_since == state.tick || state.agents[seat].now.aside;
    if closer
        || fresh
        || annex::held_up(state, seat)
        || distance == 0
        || state.things[index].waiting == 0
    {
        return;
    }
    state.things[index].stalled = state.things[index].stalled.saturating_add(1);
    let limit = state.hot.queue.ghost_after;
    if limit > 0 && u32::from(state.things[index].stalled) >= limit {
        send_back(town, state, seat, object);
    }
}

/// The holder goes to the tail and the next one is given the object.
fn send_back(town: &Town, state: &mut State, seat: usize, object: u8) {
    let index = usize::from(object);
    state.things[index].holder = NONE;
    state.agents[seat].holding = NONE;
    assign(town, state, object);
    let next = usize::from(state.things[index].holder);
    let row = index * town.seats + usize::from(state.things[index].waiting);
    state.queues[row] = seat as u8;
    state.things[index].waiting += 1;
    let agent = &mut state.agents[seat];
    agent.waiting = object;
    agent.joined = state.tick;
    agent.overtaken_by = 0;
    agent.now.bits |= bit("ghost_step");
    state.tally.ghosts += 1;
    state.tally.rotations += 1;
    state.tell(Event::new("ghost_step").of(next).with(seat).at(object));
    let boost = state.hot.rivalry.ghost;
    conflict(town, state, object, [next, seat], "ghost_step", boost);
}

/// Words are exchanged: rivalry rises on both sides.
pub fn conflict(
    town: &Town,
    state: &mut State,
    object: u8,
    pair: [usize; 2],
    reason: Reason,
    boost: Micro,
) {
    let length = match object {
        NONE => 0,
        _ => i64::from(state.things[usize::from(object)].waiting),
    };
    let further = state.hot.rivalry.length * (length - 1).max(0);
    let intensity = (boost + further).clamp(ONE / 10, 5 * ONE);
    state.tally.conflicts += 1;
    state.tally.intensity += intensity;
    for seat in pair {
        state.agents[seat].now.bits |= bit("queue_conflict");
    }
    let event = Event::new("queue_conflict").of(pair[0]).with(pair[1]).at(object);
    let event = event.because(reason).value(figure(intensity));
    state.tell_with(event, |_| json!({ "queue_length": length }));
    let change = Change::conflict(state.hot.rivalry.increment, intensity);
    chronicle::quarrel(state, pair, object, reason, change, intensity);
    relations::both(town, state, pair, change, false);
}

/// Close an object: whoever uses, holds or waits for it is sent away, and a use given back.
pub fn close(town: &Town, state: &mut State, object: u8) {
    let index = usize::from(object);
    while state.things[index].waiting > 0 {
        let seat = usize::from(state.queues[index * town.seats]);
        drop_waiter(town, state, object, seat);
        state.agents[seat].target = NONE;
        employment::excuse(town, state, seat);
    }
    let holder = state.things[index].holder;
    if holder != NONE {
        let seat = usize::from(holder);
        affordances::abort(town, state, seat, "facility_closed");
        release(town, state, seat, false);
        state.agents[seat].target = NONE;
        employment::excuse(town, state, seat);
    }
}
