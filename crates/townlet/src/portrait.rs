//! A town as JSON, for whoever draws or inspects one. Never read by a rule.

use serde_json::{Value, json};

use crate::agent::Agent;
use crate::employment;
use crate::hot::PRICE_KEYS;
use crate::lifecycle::REASONS;
use crate::numbers::{NEED_NAMES, NONE, float};
use crate::spawn::PROFILES;
use crate::state::State;
use crate::town::{ITEMS, OPTION_NAMES, STOCKS, Town};

/// The whole town.
#[must_use]
pub fn draw(town: &Town, state: &State) -> String {
    let agents: Vec<Value> = (0..state.agents.len())
        .filter(|&seat| state.agents[seat].present())
        .map(|seat| agent(town, state, seat))
        .collect();
    let objects: Vec<Value> = (0..town.objects.len()).map(|at| object(town, state, at)).collect();
    let prices: Value =
        PRICE_KEYS.iter().zip(state.prices).map(|(key, price)| (*key, float(price))).collect();
    let events: Vec<Value> = state
        .city
        .active
        .iter()
        .map(|one| json!({ "id": one.id, "spec": town.specs[usize::from(one.spec)].id, "ends": one.ends }))
        .collect();
    json!({
        "tick": state.tick,
        "day": state.tick / town.day,
        "tod": state.tod(town),
        "size": [town.grid.width, town.grid.height],
        "agents": agents,
        "objects": objects,
        "prices": prices,
        "utilities": { "power": state.city.no_power == 0, "water": state.city.no_water == 0 },
        "perturbations": events,
        "embedding_metrics": slots(town, state),
    })
    .to_string()
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

fn agent(town: &Town, state: &State, seat: usize) -> Value {
    let agent = &state.agents[seat];
    let (x, y) = town.grid.place(agent.tile);
    let needs: Value =
        NEED_NAMES.iter().zip(agent.needs).map(|(name, need)| (*name, float(need))).collect();
    let items: Value = ITEMS.iter().zip(agent.items).map(|(name, count)| (*name, count)).collect();
    json!({
        "seat": seat,
        "id": state.id_of(seat),
        "slot": agent.slot,
        "serial": agent.serial,
        "position": [x, y],
        "option": OPTION_NAMES[usize::from(agent.option)],
        "needs": needs,
        "wallet": float(agent.wallet),
        "inventory": items,
        "profile": PROFILES[usize::from(agent.profile)],
        "traits": agent.traits.map(float),
        "running": named(agent.running, |index| &town.affordances[index].id),
        "runs_until": agent.runs_until,
        "holding": named(agent.holding, |index| &town.objects[index].id),
        "waiting": named(agent.waiting, |index| &town.objects[index].id),
        "job": job(town, state, seat),
        "ties": ties(state, agent),
        "hospital": agent.hospital,
        "possessed": agent.possessed,
        "leaving": REASONS[usize::from(agent.leaving)],
    })
}

fn named<'a>(index: u8, name: impl Fn(usize) -> &'a String) -> Value {
    if index == NONE { Value::Null } else { json!(name(usize::from(index))) }
}

fn job(town: &Town, state: &State, seat: usize) -> Value {
    let work = &state.agents[seat].work;
    json!({
        "job_id": named(work.job, |index| &town.jobs[index].id),
        "shift_state": format!("{:?}", work.shift.state).to_lowercase(),
        "attendance_ratio": float(employment::attendance(state, seat)),
        "late_ticks_today": work.shift.late,
        "lateness_counter": work.lateness,
        "absent_shifts_7d": employment::absences(town, state, seat),
        "wages_withheld": float(work.withheld),
        "wages_earned": float(state.agents[seat].earned),
        "exit_pending": work.queued.is_some(),
    })
}

fn ties(state: &State, agent: &Agent) -> Vec<Value> {
    let known = &agent.ties[..usize::from(agent.known)];
    let one = |tie: &crate::agent::Tie| {
        json!({
            "other": state.id_of(usize::from(tie.other)),
            "trust": float(tie.trust),
            "familiarity": float(tie.familiarity),
            "rivalry": float(tie.rivalry),
        })
    };
    known.iter().map(one).collect()
}

fn object(town: &Town, state: &State, at: usize) -> Value {
    let (place, thing) = (&town.objects[at], &state.things[at]);
    let (x, y) = town.grid.place(place.tile);
    let stock: Value = STOCKS.iter().zip(thing.stock).map(|(name, count)| (*name, count)).collect();
    let queue = &state.queues[at * town.seats..][..usize::from(thing.waiting)];
    json!({
        "id": place.id,
        "type": town.kinds[usize::from(place.kind)],
        "position": [x, y],
        "holder": (thing.holder != NONE).then(|| state.id_of(usize::from(thing.holder))),
        "queue": queue.iter().map(|&seat| state.id_of(usize::from(seat))).collect::<Vec<_>>(),
        "stock": stock,
        "closed": thing.closed > 0,
    })
}
