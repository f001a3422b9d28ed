//! The schedule of a tick, in one place.
//!
//! A step takes orders and runs the rest of tick t, then the beginning of tick t + 1, so that what
//! is seen afterwards is what the next order is given in.

use std::sync::Arc;

use astrarium_kernel::{Episode, Orders, Produced};

use crate::agent::Now;
use crate::options::Intent;
use crate::policy::SEATS;
use crate::state::State;
use crate::town::Town;
use crate::{
    affordances, chat, commands, dismissals, drama, economy, employment, figures, lifecycle, masks,
    movement, needs, options, patience, perturbations, policy, queues, relations, reward, spawn,
    spoilage, weather,
};

/// The first tick begins: residents move in.
pub fn begin(town: &mut Arc<Town>, state: &mut State) {
    spawn::residents(town, state);
    open(town, state);
}

/// One step.
pub fn advance(
    town: &mut Arc<Town>,
    state: &mut State,
    orders: Orders<'_>,
    produced: &mut Produced<'_>,
) -> Episode {
    forget_last_step(state);
    let intents = policy::take(town, state, orders);
    resolve(town, state, &intents);
    let exiting = live(town, state);
    reward::pay(town, state, exiting, produced);
    lifecycle::execute(town, state, exiting);
    state.tick += 1;
    open(town, state);
    let over = state.tick >= town.document.env.max_ticks;
    for &seat in &state.order {
        let seat = usize::from(seat);
        // Whoever has just arrived was not there when the others were paid.
        produced.events[seat] |= state.agents[seat].now.bits;
        produced.truncated[seat] = u8::from(over);
    }
    figures::write(town, state, produced.stats);
    if over { Episode::Over } else { Episode::Running }
}

/// Console and scheduler: arrivals, commands, city events; then what may be chosen.
fn open(town: &mut Arc<Town>, state: &mut State) {
    spawn::arrive(town, state);
    weather::dawn(town, state);
    commands::drain(town, state);
    perturbations::tick(town, state);
    state.look_around(town);
    masks::refresh(town, state);
}

/// Moves, requests and releases, reservations, starts, what is running.
fn resolve(town: &Town, state: &mut State, intents: &[Intent; SEATS]) {
    patience::bid(town, state);
    movement::resolve(town, state, intents);
    for at in 0..state.order.len() {
        let seat = usize::from(state.order[at]);
        match intents[seat] {
            Intent::Request(object) => queues::request(town, state, seat, object),
            Intent::Release => queues::leave(town, state, seat),
            _ => {}
        }
    }
    for at in 0..state.order.len() {
        if let Intent::Request(object) = intents[usize::from(state.order[at])] {
            queues::assign(town, state, object);
        }
    }
    queues::watch(town, state);
    for at in 0..state.order.len() {
        let seat = usize::from(state.order[at]);
        match intents[seat] {
            Intent::Start(affordance) => affordances::start(town, state, seat, affordance),
            Intent::Talk(other) => match chat::talk(town, state, seat, usize::from(other)) {
                Some(well) => options::conclude(town, state, seat, well),
                // The other walked away or began something: an option goes on.
                None => state.agents[seat].last_success &= town.sight.options,
            },
            _ => {}
        }
    }
    affordances::advance(town, state);
    drama::tick(town, state);
}

/// Needs, work, ties, money, and who leaves: their seats as bits.
fn live(town: &Town, state: &mut State) -> u64 {
    needs::decay(state);
    weather::chill(town, state);
    employment::tick(town, state);
    relations::fade(town, state);
    economy::tick(town, state);
    spoilage::tick(town, state);
    lifecycle::night(town, state);
    dismissals::tick(town, state);
    figures::count(state);
    lifecycle::detect(town, state)
}

fn forget_last_step(state: &mut State) {
    lifecycle::clear_seats(state);
    state.log.clear();
    for at in 0..state.order.len() {
        let agent = &mut state.agents[usize::from(state.order[at])];
        agent.now = Now::default();
        agent.reset = false;
    }
}
