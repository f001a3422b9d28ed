//! A town as JSON, for whoever draws or inspects one. Never read by a rule.
//!
//! Made to be told by its changes: everybody and everything is an entry under its id, and what does
//! not apply is absent, never null.

use serde_json::{Map, Value, json};

use crate::agent::Agent;
use crate::annex::Person;
use crate::config::PerturbationKind as Kind;
use crate::employment;
use crate::hot::PRICE_KEYS;
use crate::lifecycle::REASONS;
use crate::numbers::{Micro, NEED_NAMES, NONE};
use crate::perturbations::Happening;
use crate::spawn::PROFILES;
use crate::state::State;
use crate::town::{ITEMS, OPTION_NAMES, STOCKS, Town, VENUES};
use crate::weather;

/// The whole town.
#[must_use]
pub fn draw(town: &Town, state: &State) -> String {
    let agents: Map<String, Value> = (0..state.agents.len())
        .filter(|&seat| state.agents[seat].present())
        .map(|seat| (state.id_of(seat), agent(town, state, seat)))
        .collect();
    let objects: Map<String, Value> = (0..town.objects.len())
        .map(|at| (town.objects[at].id.clone(), object(town, state, at)))
        .collect();
    let prices: Value =
        PRICE_KEYS.iter().zip(state.prices).map(|(key, price)| (*key, decimal(price))).collect();
    let events: Map<String, Value> = state
        .city
        .active
        .iter()
        .map(|one| (one.id.to_string(), city_event(town, state, one)))
        .collect();
    let mut told = json!({
        "ground": ground(town),
        "tick": state.tick,
        "day": state.tick / town.day,
        "tod": state.tod(town),
        "agents": agents,
        "objects": objects,
        "prices": prices,
        "utilities": { "power": state.city.no_power == 0, "water": state.city.no_water == 0 },
        "perturbations": events,
        "embedding_metrics": slots(town, state),
    });
    if town.document.features.weather.enabled {
        let ordered = state.annex.rain;
        told["weather"] = json!({ "now": weather::now(state).name(), "ordered": ordered });
    }
    told.to_string()
}

/// How embedding slots were given out.
fn slots(town: &Town, state: &State) -> Value {
    let (all, forced) = (state.tally.slots, state.tally.forced);
    let rate = f64::from(forced) / f64::from(all.max(1));
    json!({
        "allocations_total": all,
        "forced_reuse_count": forced,
        "forced_reuse_rate": rate,
        "reuse_warning": rate > town.document.embedding_allocator.reuse_warning_threshold,
    })
}

/// Millionths as the shortest decimal there is.
fn decimal(value: Micro) -> f64 {
    value as f64 / 1e6
}

/// What stays as it is while the town stands.
fn ground(town: &Town) -> Value {
    let place = |tile: u16| town.grid.place(tile);
    let mut told = json!({
        "size": [town.grid.width, town.grid.height],
        "ticks_per_day": town.day,
        "bus_stop": place(town.bus_stop),
        "jobs": town.jobs.iter().map(|job| (job.id.clone(), json!({
            "start": job.start,
            "end": job.end,
            "site": place(job.tile),
            "radius": job.radius,
        }))).collect::<Map<_, _>>(),
    });
    if let Some(rows) = &town.document.world.layout {
        told["map"] = json!(rows);
    }
    told
}

fn city_event(town: &Town, state: &State, one: &Happening) -> Value {
    let spec = &town.specs[usize::from(one.spec)];
    let mut told = json!({ "spec": spec.id, "kind": spec.kind, "ends": one.ends });
    if one.place != NONE {
        let place = usize::from(one.place);
        told["place"] = match spec.kind {
            Kind::FacilityClosure => json!(town.objects[place].id),
            _ => json!(VENUES[place]),
        };
    }
    if one.count > 0 {
        told["guests"] = one.seats(state).map(|seat| state.id_of(seat)).collect();
    }
    told
}

fn agent(town: &Town, state: &State, seat: usize) -> Value {
    let agent = &state.agents[seat];
    let needs: Value =
        NEED_NAMES.iter().zip(agent.needs).map(|(name, need)| (*name, decimal(need))).collect();
    let mut told = json!({
        "seat": seat,
        "slot": agent.slot,
        "serial": agent.serial,
        "position": town.grid.place(agent.tile),
        "option": OPTION_NAMES[usize::from(agent.option)],
        "needs": needs,
        "wallet": decimal(agent.wallet),
        "inventory": counted(&ITEMS, &agent.items),
        "profile": PROFILES[usize::from(agent.profile)],
        "traits": agent.traits.map(decimal),
        "since": agent.since,
        "job": job(town, state, seat),
        "ties": ties(state, agent),
    });
    let thing = |index: u8| town.objects.get(usize::from(index)).map(|one| one.id.as_str());
    let bed = town.beds.get(usize::from(agent.bed)).copied().unwrap_or(NONE);
    for (key, index) in [
        ("target", agent.target),
        ("holding", agent.holding),
        ("waiting", agent.waiting),
        ("bed", bed),
    ] {
        if let Some(id) = thing(index) {
            told[key] = json!(id);
        }
    }
    if agent.running != NONE {
        told["running"] = json!(town.affordances[usize::from(agent.running)].id);
        told["runs_from"] = json!(agent.ran_from);
        told["runs_until"] = json!(agent.runs_until);
    }
    for (key, holds) in [("hospital", agent.hospital), ("possessed", agent.possessed)] {
        if holds {
            told[key] = json!(true);
        }
    }
    if let Some(person) = state.annex.people.get(seat) {
        optional(town, state, person, &mut told);
    }
    if agent.leaving != 0 {
        told["leaving"] = json!(REASONS[usize::from(agent.leaving)]);
    }
    told
}

/// What rules that are off by default say of a person.
fn optional(town: &Town, state: &State, person: &Person, told: &mut Value) {
    let features = &town.document.features;
    if features.weather.warmth {
        told["warmth"] = json!(decimal(person.warmth));
    }
    if features.patience {
        told["patience"] = json!(decimal(person.patience));
        told["frugal"] = json!(decimal(person.frugal));
    }
    if person.opponent != NONE {
        told["argues_with"] = json!(state.id_of(usize::from(person.opponent)));
    }
    if person.spirals {
        told["spirals"] = json!(true);
    }
}

/// Names with their counts, as far as there is something to count.
fn counted(names: &[&str], counts: &[u16]) -> Value {
    let some = names.iter().zip(counts).filter(|(_, count)| **count > 0);
    some.map(|(name, count)| (*name, *count)).collect()
}

fn job(town: &Town, state: &State, seat: usize) -> Value {
    let work = &state.agents[seat].work;
    let mut told = json!({
        "shift_state": format!("{:?}", work.shift.state).to_lowercase(),
        "attendance_ratio": decimal(employment::attendance(state, seat)),
        "late_ticks_today": work.shift.late,
        "lateness_counter": work.lateness,
        "absent_shifts_7d": employment::absences(town, state, seat),
        "wages_withheld": decimal(work.withheld),
        "wages_earned": decimal(state.agents[seat].earned),
        "exit_pending": work.queued.is_some(),
    });
    if let Some(job) = town.jobs.get(usize::from(work.job)) {
        told["job_id"] = json!(job.id);
    }
    told
}

fn ties(state: &State, agent: &Agent) -> Map<String, Value> {
    let known = &agent.ties[..usize::from(agent.known)];
    let one = |tie: &crate::agent::Tie| {
        let told = json!({
            "trust": decimal(tie.trust),
            "familiarity": decimal(tie.familiarity),
            "rivalry": decimal(tie.rivalry),
        });
        (state.id_of(usize::from(tie.other)), told)
    };
    known.iter().map(one).collect()
}

fn object(town: &Town, state: &State, at: usize) -> Value {
    let (place, thing) = (&town.objects[at], &state.things[at]);
    let name = |seat: u8| state.id_of(usize::from(seat));
    let mut told = json!({
        "type": town.kinds[usize::from(place.kind)],
        "position": town.grid.place(place.tile),
        "queue": state.queues[at * town.seats..][..usize::from(thing.waiting)]
            .iter().map(|&seat| name(seat)).collect::<Vec<_>>(),
        "stock": counted(&STOCKS, &thing.stock),
    });
    if place.venue != NONE {
        told["venue"] = json!(VENUES[usize::from(place.venue)]);
    }
    if thing.holder != NONE {
        told["holder"] = json!(name(thing.holder));
    }
    if thing.closed > 0 {
        told["closed"] = json!(true);
    }
    for (key, needed) in [("power", place.power), ("water", place.water)] {
        if needed {
            told[key] = json!(true);
        }
    }
    told
}
