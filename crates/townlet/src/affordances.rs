//! What can be done with objects: paid once at the start, effective only at the end.

use serde_json::json;

use crate::drama;
use crate::employment;
use crate::events::{Event, Reason, bit, figure};
use crate::numbers::{NONE, ONE};
use crate::options;
use crate::preconditions::value_of;
use crate::queues;
use crate::relations::{self, Change};
use crate::state::State;
use crate::town::{ITEMS, Part, STOCKS, Town};

/// Why something could not begin: the reason, and the precondition that failed if one did.
pub type Refusal = (Reason, Option<usize>);

/// Whether the utilities an affordance needs are there for this object.
#[inline]
pub fn supplied(town: &Town, state: &State, affordance: u8, object: u8) -> Result<(), Reason> {
    let what = &town.affordances[usize::from(affordance)];
    if object == NONE || !(what.power || what.water) {
        return Ok(());
    }
    let place = &town.objects[usize::from(object)];
    if what.power && (state.city.no_power > 0 || !place.power) {
        return Err("power_off");
    }
    if what.water && (state.city.no_water > 0 || !place.water) {
        return Err("water_off");
    }
    Ok(())
}

fn open(state: &State, object: u8) -> Result<(), Reason> {
    let closed = object != NONE && state.things[usize::from(object)].closed > 0;
    if closed { Err("facility_closed") } else { Ok(()) }
}

/// Whether an agent gives an item of its own instead of money.
#[inline]
#[must_use]
pub fn brings_own(town: &Town, state: &State, seat: usize, affordance: u8) -> bool {
    let instead = town.affordances[usize::from(affordance)].instead;
    instead != NONE && state.agents[seat].items[usize::from(instead)] > 0
}

/// Whether stock, money and things are there: everything but preconditions and the turn in the queue.
#[inline]
pub fn affordable(
    town: &Town,
    state: &State,
    seat: usize,
    affordance: u8,
    object: u8,
) -> Result<(), Reason> {
    let what = &town.affordances[usize::from(affordance)];
    let agent = &state.agents[seat];
    open(state, object)?;
    supplied(town, state, affordance, object)?;
    if (0..ITEMS.len()).any(|item| agent.items[item] < what.uses[item]) {
        return Err("insufficient_stock");
    }
    if object != NONE {
        let store = &state.things[usize::from(town.objects[usize::from(object)].store)];
        if let Some(short) = (0..STOCKS.len()).find(|&at| store.stock[at] < what.stock[at]) {
            return Err([
                "insufficient_stock",
                "no_ingredients",
                "insufficient_stock",
                "bed_unavailable",
            ][short]);
        }
    }
    let short_of_money = what.price != NONE && agent.wallet < state.prices[usize::from(what.price)];
    if short_of_money && !brings_own(town, state, seat, affordance) {
        return Err("insufficient_funds");
    }
    Ok(())
}

/// Whether going to an object is any use: nothing but the turn in its queue is missing.
#[inline]
#[must_use]
pub fn promising(town: &Town, state: &State, seat: usize, affordance: u8, object: u8) -> bool {
    let look = |name: usize| value_of(town, state, seat, affordance, object, name);
    affordable(town, state, seat, affordance, object).is_ok()
        && town.affordances[usize::from(affordance)].telling.iter().all(|part| part.holds(&look))
}

/// Whether an agent can begin right now: it is its turn, the preconditions hold, and what it takes is
/// there.
pub fn startable(town: &Town, state: &State, seat: usize, affordance: u8) -> Result<(), Refusal> {
    if usize::from(affordance) >= town.offered {
        return Err(("missing_spec", None));
    }
    let what = &town.affordances[usize::from(affordance)];
    let agent = &state.agents[seat];
    let object = if what.kind == NONE { NONE } else { agent.holding };
    if agent.running != NONE {
        return Err(("released", None));
    }
    if agent.ghost {
        return Err(("ghost_step", None));
    }
    if what.kind != NONE {
        let fits = object != NONE && town.objects[usize::from(object)].kind == what.kind;
        let beside = fits && town.grid.adjacent(agent.tile, town.objects[usize::from(object)].tile);
        // A reservation that has run out is taken back in this tick, before anybody begins.
        if !beside || queues::overdue(state, seat) {
            return Err(("released", None));
        }
    }
    open(state, object).map_err(|reason| (reason, None))?;
    let look = |name: usize| value_of(town, state, seat, affordance, object, name);
    if let Some(failed) = what.preconds.iter().position(|(condition, _)| !condition.holds(&look)) {
        return Err(("precondition_failed", Some(failed)));
    }
    affordable(town, state, seat, affordance, object).map_err(|reason| (reason, None))
}

/// An agent begins: preconditions, then the price, exactly once.
pub fn start(town: &Town, state: &mut State, seat: usize, affordance: u8) {
    if let Err(refusal) = startable(town, state, seat, affordance) {
        refuse(town, state, seat, affordance, refusal);
        return;
    }
    let what = &town.affordances[usize::from(affordance)];
    if what.kind == NONE {
        // What needs no object is no use of the one it holds or waits for.
        queues::leave(town, state, seat);
    }
    let own = brings_own(town, state, seat, affordance);
    let price = match what.price {
        NONE => 0,
        _ if own => 0,
        key => state.prices[usize::from(key)],
    };
    let object = if what.kind == NONE { NONE } else { state.agents[seat].holding };
    let agent = &mut state.agents[seat];
    agent.wallet -= price;
    agent.paid = price;
    agent.gave_item = own;
    if own {
        agent.items[usize::from(what.instead)] -= 1;
    }
    for item in 0..ITEMS.len() {
        agent.items[item] -= what.uses[item];
    }
    agent.running = affordance;
    agent.ran_from = state.tick;
    agent.runs_until = state.tick + what.duration;
    if object != NONE {
        let store = usize::from(town.objects[usize::from(object)].store);
        for at in 0..STOCKS.len() {
            state.things[store].stock[at] -= what.stock[at];
        }
    }
    state.tell(
        Event::new("affordance_start").of(seat).at(object).doing(affordance).value(figure(price)),
    );
}

/// An agent cannot begin.
fn refuse(town: &Town, state: &mut State, seat: usize, affordance: u8, (reason, failed): Refusal) {
    let object = state.agents[seat].holding;
    if let Some(failed) = failed {
        let (_, condition) = &town.affordances[usize::from(affordance)].preconds[failed];
        let event = Event::new("affordance_precondition_fail").of(seat).at(object);
        let event = event.doing(affordance).because(reason);
        state.tell_with(event, |_| json!({ "condition": condition }));
    }
    if reason != "missing_spec" && out_of_service(town, state, affordance, object) {
        employment::excuse(town, state, seat);
    }
    fail(town, state, seat, affordance, reason);
}

/// Whether a city event keeps an object from serving.
fn out_of_service(town: &Town, state: &State, affordance: u8, object: u8) -> bool {
    let outage = state.city.no_power > 0 || state.city.no_water > 0;
    open(state, object).is_err() || outage && supplied(town, state, affordance, object).is_err()
}

/// Something could not begin.
fn fail(town: &Town, state: &mut State, seat: usize, affordance: u8, reason: Reason) {
    state.tally.failed += 1;
    state.agents[seat].now.bits |= bit("failed");
    let object = state.agents[seat].holding;
    state.tell(Event::new("affordance_fail").of(seat).at(object).doing(affordance).because(reason));
    drama::failed(town, state, seat, reason);
    queues::release(town, state, seat, false);
    options::conclude(town, state, seat, false);
}

/// What is running goes on, is cut short by a missing utility, or ends.
pub fn advance(town: &Town, state: &mut State) {
    for at in 0..state.order.len() {
        let seat = usize::from(state.order[at]);
        let running = state.agents[seat].running;
        if running == NONE {
            continue;
        }
        let object = state.agents[seat].holding;
        if supplied(town, state, running, object).is_err() {
            abort(town, state, seat, "utility_outage");
        } else if state.tick + 1 >= state.agents[seat].runs_until {
            finish(town, state, seat);
        }
    }
}

/// Cut short: no effects, everything given back.
pub fn abort(town: &Town, state: &mut State, seat: usize, reason: Reason) {
    let running = state.agents[seat].running;
    if running == NONE {
        return;
    }
    let what = &town.affordances[usize::from(running)];
    let object = if what.kind == NONE { NONE } else { state.agents[seat].holding };
    // An outage cuts short what ran in this tick, everything else what ran until this one.
    took(town, state, seat, state.tick + u32::from(reason == "utility_outage"));
    let agent = &mut state.agents[seat];
    agent.wallet += agent.paid;
    agent.paid = 0;
    agent.running = NONE;
    if agent.gave_item {
        agent.items[usize::from(what.instead)] += 1;
    }
    for item in 0..ITEMS.len() {
        agent.items[item] += what.uses[item];
    }
    if object != NONE {
        give_back(town, state, running, object);
    }
    if reason == "utility_outage" {
        employment::excuse(town, state, seat);
        state.agents[seat].now.bits |= bit("utility_outage");
        state.tally.outages += 1;
        if what.hooked.no_power {
            state.tell(Event::new("shower_power_outage").of(seat).at(object));
        }
    }
    fail(town, state, seat, running, reason);
}

fn give_back(town: &Town, state: &mut State, affordance: u8, object: u8) {
    let what = &town.affordances[usize::from(affordance)];
    let store = usize::from(town.objects[usize::from(object)].store);
    for at in 0..STOCKS.len() {
        state.things[store].stock[at] += what.stock[at];
    }
}

/// Where single acts are chosen, the last one has taken as long as what it began ran.
fn took(town: &Town, state: &mut State, seat: usize, ended: u32) {
    if !town.sight.options {
        let agent = &mut state.agents[seat];
        agent.last_duration = ended - agent.ran_from;
    }
}

/// Done: effects, gains, what it sets off, and the object is handed over.
fn finish(town: &Town, state: &mut State, seat: usize) {
    let running = state.agents[seat].running;
    let what = &town.affordances[usize::from(running)];
    let object = if what.kind == NONE { NONE } else { state.agents[seat].holding };
    if what.returns && object != NONE {
        give_back(town, state, running, object);
    }
    took(town, state, seat, state.tick + 1);
    let agent = &mut state.agents[seat];
    agent.running = NONE;
    agent.paid = 0;
    for (need, effect) in agent.needs.iter_mut().zip(what.effects) {
        *need = (*need + effect).clamp(0, ONE);
    }
    for (item, gain) in agent.items.iter_mut().zip(what.gains) {
        *item = item.saturating_add(gain);
    }
    agent.now.bits |= bit("finished");
    state.tally.finished += 1;
    state.tell(Event::new("affordance_finish").of(seat).at(object).doing(running));
    set_off(town, state, seat, running, object);
    queues::release(town, state, seat, true);
    // A cooked meal is still to be eaten: the option goes on until it is.
    if what.part != Part::Cook {
        options::conclude(town, state, seat, true);
    }
}

fn set_off(town: &Town, state: &mut State, seat: usize, affordance: u8, object: u8) {
    let what = &town.affordances[usize::from(affordance)];
    let hooked = what.hooked;
    let ate = hooked.eat || what.part == Part::Packed;
    let agent = &mut state.agents[seat];
    agent.done[0] += u32::from(hooked.cook) * u32::from(what.gains[crate::town::MEAL]);
    agent.done[1] += u32::from(ate);
    agent.done[2] += u32::from(hooked.shower);
    agent.done[3] += u32::from(hooked.sleep);
    if ate {
        agent.now.bits |= bit("ate");
        state.tally.meals += 1;
    }
    if hooked.shower {
        state.agents[seat].now.bits |= bit("showered");
        state.tally.showers += 1;
        state.tell(Event::new("shower_complete").of(seat).at(object));
    }
    if hooked.sleep {
        state.agents[seat].now.bits |= bit("slept");
        state.tally.sleeps += 1;
        drama::slept(state, seat);
        state.tell(Event::new("sleep_complete").of(seat).at(object));
    }
    if what.part == Part::Buy {
        state.agents[seat].now.bits |= bit("shopped");
    }
    if hooked.eat && object != NONE {
        share_meal(town, state, seat, object);
    }
}

/// Whoever is still eating at the same venue has eaten with this one.
fn share_meal(town: &Town, state: &mut State, seat: usize, object: u8) {
    let venue = town.objects[usize::from(object)].venue;
    if venue == NONE {
        return;
    }
    for at in 0..state.order.len() {
        let other = usize::from(state.order[at]);
        let (running, held) = (state.agents[other].running, state.agents[other].holding);
        if other == seat || running == NONE || held == NONE {
            continue;
        }
        let eats = town.affordances[usize::from(running)].hooked.eat;
        if eats && town.objects[usize::from(held)].venue == venue {
            state.tally.shared_meals += 1;
            state.tell(Event::new("shared_meal").of(seat).with(other).at(object));
            relations::both(town, state, [seat, other], Change::MEAL, false);
        }
    }
}
