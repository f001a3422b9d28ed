//! Drama, where it is on: arguments in queues, people who storm off, bad days.
//!
//! It costs time and nothing else: no tie and no reward changes, and it stays with words.

use crate::events::{Event, Reason, bit};
use crate::numbers::{Micro, NONE, micro};
use crate::options::{self, EARSHOT};
use crate::queues;
use crate::state::State;
use crate::town::Town;

/// Whether an agent is in the middle of an argument.
#[inline]
#[must_use]
pub fn argues(state: &State, seat: usize) -> bool {
    state.annex.people.get(seat).is_some_and(|person| state.tick < person.argues_until)
}

/// One tick of it: bad days fade at dawn, arguments end, others begin.
pub fn tick(town: &Town, state: &mut State) {
    if !town.document.features.drama.enabled {
        return;
    }
    if state.tod(town) == 0 {
        for person in &mut state.annex.people {
            person.failures = 0;
        }
    }
    for at in 0..state.order.len() {
        let seat = usize::from(state.order[at]);
        let person = &state.annex.people[seat];
        // The last tick of an argument is over when this one is.
        if person.opponent != NONE && state.tick + 1 >= person.argues_until {
            end(town, state, seat);
        }
    }
    for object in 0..state.things.len() {
        if state.things[object].waiting > 0 {
            begin(town, state, object as u8);
        }
    }
}

/// The first two in the queue of an object who cannot bear each other begin to argue.
fn begin(town: &Town, state: &mut State, object: u8) {
    let thing = state.things[usize::from(object)];
    let row = usize::from(object) * town.seats;
    let waiting = usize::from(thing.waiting);
    let who = |state: &State, place: usize| match place.checked_sub(1) {
        None => thing.holder,
        Some(place) => state.queues[row + place],
    };
    for first in 0..waiting {
        for second in first + 1..=waiting {
            let pair = [who(state, first), who(state, second)];
            if pair.iter().all(|&seat| ready(state, seat)) && hate(town, state, pair) {
                return quarrel(town, state, object, pair.map(usize::from));
            }
        }
    }
}

/// Whether somebody has the time and the mind to argue.
fn ready(state: &State, seat: u8) -> bool {
    let Some(agent) = state.agents.get(usize::from(seat)) else { return false };
    let person = &state.annex.people[usize::from(seat)];
    let free = agent.running == NONE && !agent.possessed && !agent.desperate();
    free && person.opponent == NONE && state.tick >= person.calm_until
}

/// Whether one of two within earshot bears the other such a grudge.
fn hate(town: &Town, state: &State, pair: [u8; 2]) -> bool {
    let [a, b] = pair.map(usize::from);
    let worst = anger(state, a, b).max(anger(state, b, a));
    let near = town.grid.chebyshev(state.agents[a].tile, state.agents[b].tile) <= EARSHOT;
    near && worst >= micro(town.document.features.drama.argument_rivalry)
}

fn anger(state: &State, seat: usize, other: usize) -> Micro {
    state.agents[seat].tie(other).rivalry
}

fn quarrel(town: &Town, state: &mut State, object: u8, pair: [usize; 2]) {
    let drama = &town.document.features.drama;
    let until = state.tick + 1 + drama.argument_ticks;
    for (seat, other) in [(pair[0], pair[1]), (pair[1], pair[0])] {
        let person = &mut state.annex.people[seat];
        person.opponent = other as u8;
        person.argues_until = until;
        person.calm_until = until + drama.argument_rest_ticks;
        state.agents[seat].now.bits |= bit("public_argument");
    }
    state.annex.counts.arguments += 1;
    let event = Event::new("public_argument").of(pair[0]).with(pair[1]).at(object);
    state.tell(event.value(f64::from(drama.argument_ticks)));
}

/// An argument is over; the angrier of the two may not want to stand there any longer.
fn end(town: &Town, state: &mut State, seat: usize) {
    let other = usize::from(state.annex.people[seat].opponent);
    state.annex.people[seat].opponent = NONE;
    if state.annex.people[other].opponent != seat as u8 {
        return;
    }
    state.annex.people[other].opponent = NONE;
    let (mine, theirs) = (anger(state, seat, other), anger(state, other, seat));
    let later = state.agents[seat].joined > state.agents[other].joined;
    let (angrier, calmer) =
        if mine > theirs || mine == theirs && later { (seat, other) } else { (other, seat) };
    if mine.max(theirs) >= micro(town.document.features.drama.rage_rivalry) {
        storm_off(town, state, angrier, calmer);
    }
}

/// Somebody leaves the queue, and must not come back to it for a while.
fn storm_off(town: &Town, state: &mut State, seat: usize, other: usize) {
    let agent = &state.agents[seat];
    let object = if agent.waiting == NONE { agent.holding } else { agent.waiting };
    if object == NONE || agent.running != NONE {
        return;
    }
    queues::leave(town, state, seat);
    let until = state.tick + 1 + state.hot.queue.blocker;
    state.cooldowns[seat * town.objects.len() + usize::from(object)] = until;
    state.agents[seat].now.bits |= bit("rage_quit");
    state.annex.counts.rage_quits += 1;
    state.tell(Event::new("rage_quit").of(seat).with(other).at(object));
    failed(town, state, seat, "rage_quit");
    options::conclude(town, state, seat, false);
}

/// Something went wrong for somebody; too much of it makes a bad day.
pub fn failed(town: &Town, state: &mut State, seat: usize, reason: Reason) {
    let drama = &town.document.features.drama;
    if !drama.enabled || matches!(reason, "released" | "agent_removed") {
        return;
    }
    let person = &mut state.annex.people[seat];
    person.failures += 1;
    if person.spirals || person.failures < drama.spiral_failures {
        return;
    }
    person.spirals = true;
    let failures = f64::from(person.failures);
    state.agents[seat].now.bits |= bit("spiral_day");
    state.annex.counts.spirals += 1;
    state.tell(Event::new("spiral_day").of(seat).because(reason).value(failures));
}

/// Sleep ends a bad day.
pub fn slept(state: &mut State, seat: usize) {
    if let Some(person) = state.annex.people.get_mut(seat) {
        person.spirals = false;
        person.failures = 0;
    }
}
