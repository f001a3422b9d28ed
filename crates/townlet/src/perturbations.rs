//! City events: price spikes, outages, meetings, closures. Fair, capped, and undone at their end.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::config::PerturbationKind as Kind;
use crate::economy;
use crate::events::{Event, figure};
use crate::hot::PRICE_KEYS;
use crate::numbers::{Micro, NEEDS, NONE, ONE};
use crate::queues;
use crate::scheduler;
use crate::state::State;
use crate::town::{Affordance, Town, VENUES};

/// Agents one event can be about.
pub const GUESTS: usize = 8;
/// Starts of a spec that are remembered for its window.
pub const STARTS: usize = 16;
/// Events that may go on or wait at once, ordered ones included.
pub const EVENTS_MAX: usize = 64;

/// One event, waiting or going on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Happening {
    /// Its number, from 1.
    pub id: u32,
    /// Index of its spec.
    pub spec: u8,
    /// First tick.
    pub starts: u32,
    /// First tick after it.
    pub ends: u32,
    /// Factor of a price spike.
    pub magnitude: Micro,
    /// Prices it raises, one bit each.
    pub prices: u8,
    /// Venue or object, or [`NONE`].
    pub place: u8,
    /// Persons it is about, by their numbers: whoever takes the seat of one is not invited.
    pub guests: [u32; GUESTS],
    /// How many.
    pub count: u8,
}

impl Happening {
    /// The persons it is about.
    #[must_use]
    pub fn invited(&self) -> &[u32] {
        &self.guests[..usize::from(self.count)]
    }

    /// Invite the persons in these seats, at most [`GUESTS`].
    pub fn invite(&mut self, state: &State, seats: &[usize]) {
        for (guest, &seat) in self.guests.iter_mut().zip(seats) {
            *guest = state.agents[seat].serial;
        }
        self.count = seats.len().min(GUESTS) as u8;
    }

    /// Seats of those it is about who are still in town.
    pub fn seats(self, state: &State) -> impl Iterator<Item = usize> {
        let guests = self.guests.into_iter().take(usize::from(self.count));
        guests.filter_map(|serial| state.seat_of(serial))
    }
}

/// All of them, and what keeps them apart.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct City {
    /// Outages of the power.
    pub no_power: u8,
    /// Outages of the water.
    pub no_water: u8,
    /// Going on.
    pub active: Vec<Happening>,
    /// Waiting for their tick.
    pub pending: Vec<Happening>,
    /// Events so far.
    pub count: u32,
    /// Per spec: not before.
    pub cooled: Vec<u32>,
    /// Per spec: last starts, ordered ones too, oldest first; `u32::MAX` for none.
    pub starts: Vec<[u32; STARTS]>,
    /// Per seat: not a target before.
    pub spared: Vec<u32>,
    /// Per need: until when nobody is blamed for it, since what serves it failed or was closed.
    pub needs_until: [u32; NEEDS],
    /// Price spikes excuse until.
    pub prices_until: u32,
}

impl City {
    /// Nothing has happened.
    #[must_use]
    pub fn empty(town: &Town) -> Self {
        Self {
            active: Vec::with_capacity(16),
            pending: Vec::with_capacity(16),
            cooled: vec![0; town.specs.len()],
            starts: vec![[u32::MAX; STARTS]; town.specs.len()],
            spared: vec![0; town.seats],
            ..Self::default()
        }
    }

    /// Whether what serves a need failed or was closed so recently that nobody is blamed for it.
    #[must_use]
    pub fn excused(&self, need: usize, tick: u32) -> bool {
        tick < self.needs_until[need]
    }

    /// Whether prices were raised so recently that nobody is evicted.
    #[must_use]
    pub fn dear(&self, tick: u32) -> bool {
        tick < self.prices_until
    }
}

/// One tick: end what is over, start what is due, draw what may come.
pub fn tick(town: &Town, state: &mut State) {
    let mut at = 0;
    while at < state.city.active.len() {
        if state.city.active[at].ends <= state.tick {
            end(town, state, at, "perturbation_ended", None);
        } else {
            at += 1;
        }
    }
    let mut at = 0;
    while at < state.city.pending.len() {
        if state.city.pending[at].starts <= state.tick {
            let happening = state.city.pending.remove(at);
            begin(town, state, happening);
        } else {
            at += 1;
        }
    }
    if town.document.perturbations.enabled {
        scheduler::draw(town, state);
    }
    suspend(town, state);
}

/// Nobody is blamed for what an event keeps it from, to the end of the grace. Told anew in every tick
/// of it, so that an event that is cancelled suspends no longer than one that ends by itself then.
fn suspend(town: &Town, state: &mut State) {
    let until = state.tick + 1 + town.document.perturbations.grace_window_ticks;
    for at in 0..state.city.active.len() {
        let happening = state.city.active[at];
        if town.specs[usize::from(happening.spec)].kind == Kind::PriceSpike {
            state.city.prices_until = state.city.prices_until.max(until);
        }
        let offered = town.affordances[..town.offered].iter();
        for need in
            offered.filter(|what| hits(town, what, &happening)).filter_map(|what| what.serves())
        {
            let excused = &mut state.city.needs_until[need];
            *excused = (*excused).max(until);
        }
    }
}

/// Who lets an event happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The city by itself: only those who have rested are its guests.
    Drawn,
    /// An operator.
    Ordered,
}

/// An event of a spec with its target, not yet timed; nothing if a meeting lacks guests.
pub fn plan(
    town: &Town,
    state: &mut State,
    (index, target): (usize, u8),
    magnitude: Micro,
    cause: Cause,
) -> Option<Happening> {
    let spec = &town.specs[index];
    let mut happening =
        Happening { spec: index as u8, magnitude: ONE, place: NONE, ..Happening::default() };
    match spec.kind {
        Kind::PriceSpike => {
            happening.prices = target;
            happening.magnitude = magnitude;
        }
        Kind::ArrangedMeet => {
            happening.place = target;
            let (guests, count) = scheduler::rivals(state, usize::from(spec.participants), cause)?;
            happening.invite(state, &guests[..count]);
        }
        Kind::FacilityClosure => happening.place = target,
        Kind::Blackout | Kind::Outage => {}
    }
    state.city.count += 1;
    happening.id = state.city.count;
    Some(happening)
}

/// An event begins to have its effect; a meeting nobody is left for does not.
pub fn begin(town: &Town, state: &mut State, happening: Happening) {
    let kind = town.specs[usize::from(happening.spec)].kind;
    if kind == Kind::ArrangedMeet && happening.seats(state).count() < 2 {
        return tell(town, state, "perturbation_cancelled", &happening, Some(true));
    }
    state.tally.events += 1;
    match kind {
        Kind::PriceSpike => {}
        Kind::Blackout => state.city.no_power += 1,
        Kind::Outage => state.city.no_water += 1,
        Kind::FacilityClosure => {
            state.things[usize::from(happening.place)].closed += 1;
            queues::close(town, state, happening.place);
        }
        Kind::ArrangedMeet => {
            for &guest in happening.invited() {
                if let Some(seat) = state.seat_of(guest) {
                    state.agents[seat].meeting = happening.id;
                }
            }
        }
    }
    scheduler::note(town, state, &happening);
    state.city.active.push(happening);
    tell(town, state, "perturbation_started", &happening, None);
    tell(town, state, kind_event(kind), &happening, None);
    economy::reprice(state);
}

/// Whether an event keeps people from doing something.
fn hits(town: &Town, what: &Affordance, happening: &Happening) -> bool {
    match town.specs[usize::from(happening.spec)].kind {
        Kind::Blackout => what.power,
        Kind::Outage => what.water,
        Kind::FacilityClosure => what.kind == town.objects[usize::from(happening.place)].kind,
        Kind::PriceSpike | Kind::ArrangedMeet => false,
    }
}

/// An event ends or is cancelled: its effect is undone.
fn end(town: &Town, state: &mut State, at: usize, event: &'static str, pending: Option<bool>) {
    let happening = state.city.active.remove(at);
    match town.specs[usize::from(happening.spec)].kind {
        Kind::PriceSpike => {}
        Kind::Blackout => state.city.no_power -= 1,
        Kind::Outage => state.city.no_water -= 1,
        Kind::FacilityClosure => {
            state.things[usize::from(happening.place)].closed -= 1;
        }
        Kind::ArrangedMeet => {
            for agent in &mut state.agents {
                if agent.meeting == happening.id {
                    agent.meeting = 0;
                }
            }
        }
    }
    tell(town, state, event, &happening, pending);
    economy::reprice(state);
}

/// Cancel an event by its number; whether there was one.
pub fn cancel(town: &Town, state: &mut State, id: u32) -> bool {
    if let Some(at) = state.city.pending.iter().position(|one| one.id == id) {
        let happening = state.city.pending.remove(at);
        tell(town, state, "perturbation_cancelled", &happening, Some(true));
        return true;
    }
    if let Some(at) = state.city.active.iter().position(|one| one.id == id) {
        let happening = state.city.active[at];
        end(town, state, at, "perturbation_cancelled", Some(false));
        scheduler::shorten(town, state, &happening);
        return true;
    }
    false
}

/// The name of event number `id`.
#[must_use]
pub fn name_of(id: u32) -> String {
    format!("evt_{id}")
}

/// The number of the event called `name`.
#[must_use]
pub fn number_of(name: &str) -> Option<u32> {
    name.strip_prefix("evt_")?.parse().ok()
}

/// An event in words and numbers: what it is, when, how strong, and about what or whom.
#[must_use]
pub fn described(town: &Town, state: &State, one: &Happening) -> Value {
    let spec = &town.specs[usize::from(one.spec)];
    let mut told =
        json!({ "spec": spec.id, "kind": spec.kind, "starts": one.starts, "ends": one.ends });
    if one.prices != 0 {
        told["magnitude"] = json!(figure(one.magnitude));
        let raised = PRICE_KEYS.iter().enumerate().filter(|(at, _)| one.prices >> at & 1 == 1);
        told["prices"] = raised.map(|(_, key)| *key).collect();
    }
    if one.place != NONE {
        let place = usize::from(one.place);
        told["place"] = match spec.kind {
            Kind::FacilityClosure => json!(town.objects[place].id),
            _ => json!(VENUES[place]),
        };
    }
    if one.count > 0 {
        told["targets"] = one.seats(state).map(|seat| state.id_of(seat)).collect();
    }
    told
}

/// Tell of an event; of a cancelled one also whether it was still to come.
fn tell(
    town: &Town,
    state: &mut State,
    kind: &'static str,
    happening: &Happening,
    pending: Option<bool>,
) {
    let mut event = Event::new(kind);
    if town.specs[usize::from(happening.spec)].kind == Kind::FacilityClosure {
        event = event.at(happening.place);
    }
    let [first, second] = {
        let mut guests = happening.seats(state).map(|seat| seat as u8);
        [guests.next(), guests.next()]
    };
    event.agent = first.unwrap_or(NONE);
    event.other = second.unwrap_or(NONE);
    state.tell_with(event, |state| {
        let mut told = described(town, state, happening);
        told["event_id"] = json!(name_of(happening.id));
        if let Some(pending) = pending {
            told["pending"] = json!(pending);
        }
        told
    });
}

fn kind_event(kind: Kind) -> &'static str {
    match kind {
        Kind::PriceSpike => "perturbation_price_spike",
        Kind::Blackout => "perturbation_blackout",
        Kind::Outage => "perturbation_outage",
        Kind::ArrangedMeet => "perturbation_arranged_meet",
        Kind::FacilityClosure => "perturbation_facility_closure",
    }
}
