//! Blocks about the town itself: time, money, utilities, city events, tables.

use serde_json::{Map, Value, json};

use crate::hot::PRICE_KEYS;
use crate::numbers::Micro;
use crate::perturbations::{Happening, described, name_of};
use crate::portrait::decimal;
use crate::reloading;
use crate::state::State;
use crate::town::Town;
use crate::weather;

/// What time it is: all that is left of a drawing for whoever only asks that.
pub fn clock(town: &Town, state: &State) -> Value {
    json!({ "tick": state.tick, "day": state.tick / town.day, "tod": state.tod(town) })
}

/// Prices at the base and in force, and what a day costs by them.
pub fn economy(_: &Town, state: &State) -> Value {
    let rules = &state.hot.economy;
    json!({
        "base_prices": prices(&rules.prices),
        "prices": prices(&state.prices),
        "basket_cost": decimal(rules.basket(&state.prices)),
        "base_basket_cost": decimal(rules.basket(&rules.prices)),
        "rent_per_day": decimal(rules.rent),
        "stipend_per_day": decimal(rules.stipend),
    })
}

fn prices(prices: &[Micro]) -> Value {
    PRICE_KEYS.iter().zip(prices).map(|(key, price)| (*key, decimal(*price))).collect()
}

/// Spikes in force.
pub fn price_spikes(town: &Town, state: &State) -> Value {
    told(town, state, state.city.active.iter().filter(|one| one.prices != 0))
}

/// Whether power and water are there, and how many outages hold them.
pub fn utilities(_: &Town, state: &State) -> Value {
    let utility = |outages: u8| json!({ "online": outages == 0, "outages": outages });
    json!({ "power": utility(state.city.no_power), "water": utility(state.city.no_water) })
}

/// The weather, and whether an operator lets it rain; always sunny where there is none.
pub fn weather(town: &Town, state: &State) -> Value {
    json!({
        "enabled": town.document.features.weather.enabled,
        "now": weather::now(state).name(),
        "ordered": state.annex.rain,
    })
}

/// City events that go on and that wait, and who or what rests until when.
pub fn perturbations(town: &Town, state: &State) -> Value {
    let specs = town.specs[..town.drawn].iter().zip(&state.city.cooled);
    let specs = specs.filter(|(_, until)| **until > state.tick);
    let agents = state.order.iter().map(|&seat| usize::from(seat));
    let agents = agents.map(|seat| (state.id_of(seat), state.city.spared[seat]));
    let agents = agents.filter(|(_, until)| *until > state.tick);
    json!({
        "active": told(town, state, state.city.active.iter()),
        "pending": told(town, state, state.city.pending.iter()),
        "cooldowns": {
            "spec": specs.map(|(spec, until)| (spec.id.clone(), json!(until))).collect::<Map<_, _>>(),
            "agents": agents.map(|(id, until)| (id, json!(until))).collect::<Map<_, _>>(),
        },
    })
}

fn told<'a>(town: &Town, state: &State, some: impl Iterator<Item = &'a Happening>) -> Value {
    Value::Object(some.map(|one| (name_of(one.id), described(town, state, one))).collect())
}

/// How embedding slots were given out.
pub fn embedding_metrics(town: &Town, state: &State) -> Value {
    let (all, forced) = (state.tally.slots, state.tally.forced);
    let rate = f64::from(forced) / f64::from(all.max(1));
    json!({
        "allocations_total": all,
        "forced_reuse_count": forced,
        "forced_reuse_rate": rate,
        "reuse_warning": rate > town.document.embedding_allocator.reuse_warning_threshold,
    })
}

/// What can be done in town, and the digest of the node that says so.
pub fn affordance_manifest(town: &Town, _: &State) -> Value {
    let offered = town.affordances[..town.offered].iter().map(|one| &one.id);
    json!({
        "checksum": reloading::checksum(&town.document, "affordances"),
        "affordances": offered.collect::<Vec<_>>(),
        "object_count": town.objects.len(),
    })
}
