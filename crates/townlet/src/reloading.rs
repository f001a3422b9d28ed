//! Hot reload: a node of the configuration is put in force while the town runs.
//!
//! Figures that rules look up in every tick live in the state ([`crate::hot`]); the rest is in
//! tables, and a town that was reloaded has tables of its own. What goes on under the old ones is
//! kept at the end of the new ones until it is over.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::commands::{Command, Pending, Refused};
use crate::config::{
    AffordanceEntry, Affordances, Behavior, Conflict, Document, Economy, Employment,
    PerturbationSpec, Perturbations, QueueFairness,
};
use crate::economy;
use crate::events::{self, Event};
use crate::hashes::sha256;
use crate::numbers::NONE;
use crate::perturbations::STARTS;
use crate::relations;
use crate::state::State;
use crate::town::Town;

/// Nodes that can be reloaded.
const HOT: [&str; 10] = [
    "economy",
    "employment",
    "queue_fairness",
    "conflict",
    "conflict.rivalry",
    "behavior",
    "embedding_allocator.cooldown_ticks",
    "embedding_allocator.reuse_warning_threshold",
    "perturbations",
    "affordances",
];

/// An affordance as it was when somebody began it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Old {
    /// Its entry.
    pub entry: AffordanceEntry,
    /// What cooking cost then: energy, hygiene.
    pub cooking: [f64; 2],
}

/// What goes on under older tables.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Retired {
    /// Things that are being done.
    pub affordances: Vec<Old>,
    /// City events that go on or wait.
    pub specs: Vec<(String, PerturbationSpec)>,
}

/// The hot nodes in force, and what goes on under older ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reloaded {
    economy: Economy,
    employment: Employment,
    queue_fairness: QueueFairness,
    conflict: Conflict,
    behavior: Behavior,
    perturbations: Perturbations,
    affordances: Vec<AffordanceEntry>,
    slots_rest: u32,
    reuse_warning: f64,
    retired: Retired,
}

/// What cooking costs: energy, hygiene.
#[must_use]
pub fn cooking(economy: &Economy) -> [f64; 2] {
    [economy.cook_energy_cost, economy.cook_hygiene_cost]
}

/// The town of a state: as founded, unless nodes were reloaded that its tables are built from.
///
/// # Errors
/// What is wrong with those nodes.
pub fn in_force(founded: &Arc<Town>, state: &State) -> Result<Arc<Town>, String> {
    let Some(nodes) = state.reloaded() else { return Ok(Arc::clone(founded)) };
    let mut document = founded.document.clone();
    document.economy = nodes.economy.clone();
    document.employment = nodes.employment.clone();
    document.queue_fairness = nodes.queue_fairness.clone();
    document.conflict = nodes.conflict.clone();
    document.behavior = nodes.behavior.clone();
    document.perturbations = nodes.perturbations.clone();
    document.affordances.affordances = nodes.affordances.clone();
    document.embedding_allocator.cooldown_ticks = nodes.slots_rest;
    document.embedding_allocator.reuse_warning_threshold = nodes.reuse_warning;
    if nodes.retired.affordances.len() > 64 || nodes.retired.specs.len() > 64 {
        return Err("more goes on under older tables than a town has people and events".to_owned());
    }
    Ok(Arc::new(Town::assemble(document, &nodes.retired, Some(founded))?))
}

/// Everything that speaks against a reload now; nothing is changed.
///
/// # Errors
/// The node or key, and what is wrong with it.
pub fn rehearse(town: &Town, node: &str, json: &str) -> Result<(), String> {
    Town::assemble(with_node(town, node, json)?, &Retired::default(), Some(town)).map(|_| ())
}

/// The town's document with `node` replaced.
fn with_node(town: &Town, node: &str, json: &str) -> Result<Document, String> {
    let mut next = town.document.clone();
    let slots = &mut next.embedding_allocator;
    let parsed = match node {
        "economy" => serde_json::from_str(json).map(|node| next.economy = node),
        "employment" => serde_json::from_str(json).map(|node| next.employment = node),
        "queue_fairness" => serde_json::from_str(json).map(|node| next.queue_fairness = node),
        "conflict" => serde_json::from_str::<Conflict>(json).map(|node| next.conflict = node),
        "conflict.rivalry" => serde_json::from_str(json).map(|node| next.conflict.rivalry = node),
        "behavior" => serde_json::from_str(json).map(|node| next.behavior = node),
        "embedding_allocator.cooldown_ticks" => {
            serde_json::from_str(json).map(|ticks| slots.cooldown_ticks = ticks)
        }
        "embedding_allocator.reuse_warning_threshold" => {
            serde_json::from_str(json).map(|share| slots.reuse_warning_threshold = share)
        }
        "perturbations" => serde_json::from_str(json).map(|node| next.perturbations = node),
        "affordances" => serde_json::from_str(json).map(|node| next.affordances = node),
        _ => {
            let hot = HOT.join(", ");
            return Err(format!(
                "{node}: needs a new town; while one runs, these may change: {hot}"
            ));
        }
    };
    parsed.map_err(|error| format!("{node}: {error}"))?;
    same_objects(&town.document.affordances, &next.affordances)?;
    Ok(next)
}

/// Queues, ways and maps are built around the objects.
fn same_objects(old: &Affordances, new: &Affordances) -> Result<(), String> {
    let moved = old.objects.iter().zip(&new.objects).find(|(old, new)| old != new);
    let which = match moved {
        Some((object, _)) => &object.id,
        None if old.objects.len() == new.objects.len() => return Ok(()),
        None => "the number of objects",
    };
    Err(format!("affordances.objects: {which} differs; objects need a new town to change"))
}

/// Put a hot node in force; anything wrong leaves the town as it was.
pub fn reload(
    town: &mut Arc<Town>,
    state: &mut State,
    node: &str,
    json: &str,
) -> Result<(), Refused> {
    let next = with_node(town, node, json);
    let retired = retired(town, state);
    let built = next.and_then(|document| Town::assemble(document, &retired, Some(&**town)));
    let next = match built {
        Ok(next) => next,
        Err(why) => {
            let event = Event::new("config_reload_rejected").because("E_INVALID_ARG");
            state.tell_with(event, |_| json!({ "node": node, "reasons": [why] }));
            return Err("E_INVALID_ARG");
        }
    };
    let [old, new] = [&town.document, &next.document].map(|document| checksum(document, node));
    match node {
        "queue_fairness" => state.hot.queue = next.hot.queue,
        "conflict" | "conflict.rivalry" => {
            state.hot.rivalry = next.hot.rivalry;
            relations::trim(state);
        }
        "employment" => state.hot.employment = next.hot.employment,
        "behavior" => state.hot.behavior = next.hot.behavior,
        // The document's prices are in force again, also where an operator had set others.
        "economy" => state.hot.economy = next.hot.economy,
        "embedding_allocator.cooldown_ticks" => state.hot.slot_cooldown = next.hot.slot_cooldown,
        _ => {}
    }
    adopt(town, next, retired, state);
    economy::reprice(state);
    let event = Event::new("config_reloaded");
    state.tell_with(event, |_| json!({ "node": node, "old_checksum": old, "new_checksum": new }));
    if node == "economy" {
        economy::check_basket(town, state);
    }
    Ok(())
}

/// SHA-256 over a node as JSON.
pub fn checksum(document: &Document, node: &str) -> String {
    let whole = serde_json::to_value(document).unwrap_or_default();
    let path = format!("/{}", node.replace('.', "/"));
    let text = whole.pointer(&path).map(ToString::to_string).unwrap_or_default();
    sha256(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Everything that goes on now, as the present tables have it.
fn retired(town: &Town, state: &State) -> Retired {
    let mut retired = Retired::default();
    for agent in &state.agents {
        if let Some(old) = affordance(town, state, agent.running)
            && !retired.affordances.contains(&old)
        {
            retired.affordances.push(old);
        }
    }
    for happening in state.city.active.iter().chain(&state.city.pending) {
        let spec = spec(town, state, happening.spec);
        if !retired.specs.contains(&spec) {
            retired.specs.push(spec);
        }
    }
    retired
}

/// The entry behind an index of the affordances.
fn affordance(town: &Town, state: &State, index: u8) -> Option<Old> {
    let at = usize::from(index);
    match town.document.affordances.affordances.get(at) {
        _ if index == NONE => None,
        Some(entry) => Some(Old { entry: entry.clone(), cooking: cooking(&town.document.economy) }),
        None => state.reloaded().map(|nodes| nodes.retired.affordances[at - town.offered].clone()),
    }
}

/// The entry behind an index of the specs.
fn spec(town: &Town, state: &State, index: u8) -> (String, PerturbationSpec) {
    let at = usize::from(index);
    let present = town.document.perturbations.specs.0.get(at);
    let older = || &state.reloaded().expect("a retired spec").retired.specs[at - town.drawn];
    present.unwrap_or_else(older).clone()
}

/// The tables of `next` are the town's from now on, and indices point into them.
fn adopt(town: &mut Arc<Town>, next: Town, retired: Retired, state: &mut State) {
    events::settle(town, state);
    let old = Arc::clone(town);
    let offered = &next.affordances[..next.offered];
    for seat in 0..state.agents.len() {
        let running = affordance(&old, state, state.agents[seat].running);
        let kept = running.map_or(NONE, |what| {
            let place = retired.affordances.iter().position(|known| *known == what);
            (next.offered + place.expect("what runs is kept")) as u8
        });
        let goal = old.affordances.get(usize::from(state.agents[seat].goal));
        let goal = goal.and_then(|goal| offered.iter().position(|one| one.id == goal.id));
        let agent = &mut state.agents[seat];
        agent.running = kept;
        if agent.goal != NONE {
            agent.goal = goal.map_or(NONE, |index| index as u8);
            agent.target = if agent.goal == NONE { NONE } else { agent.target };
        }
    }
    let specs: Vec<_> = (0..old.specs.len()).map(|at| spec(&old, state, at as u8)).collect();
    for happening in state.city.active.iter_mut().chain(&mut state.city.pending) {
        let was = &specs[usize::from(happening.spec)];
        let place = retired.specs.iter().position(|known| known == was);
        happening.spec = (next.drawn + place.expect("what goes on is kept")) as u8;
    }
    // A spec rests on as the one of its name did.
    let was = |at: usize| old.specs.iter().position(|known| known.id == next.specs[at].id);
    let (cooled, starts) = (&state.city.cooled, &state.city.starts);
    let all = 0..next.specs.len();
    let rested = all.clone().map(|at| was(at).map_or(0, |was| cooled[was])).collect();
    let started = all.map(|at| was(at).map_or([u32::MAX; STARTS], |was| starts[was])).collect();
    (state.city.cooled, state.city.starts) = (rested, started);
    keep(state, &next.document, retired);
    *town = Arc::new(next);
}

/// Note what is in force, for snapshots.
fn keep(state: &mut State, document: &Document, retired: Retired) {
    let nodes = Reloaded {
        economy: document.economy.clone(),
        employment: document.employment.clone(),
        queue_fairness: document.queue_fairness.clone(),
        conflict: document.conflict.clone(),
        behavior: document.behavior.clone(),
        perturbations: document.perturbations.clone(),
        affordances: document.affordances.affordances.clone(),
        slots_rest: document.embedding_allocator.cooldown_ticks,
        reuse_warning: document.embedding_allocator.reuse_warning_threshold,
        retired,
    };
    let kept = usize::from(state.reloaded().is_some());
    let first = Pending { number: 0, command: Command::Reloaded(Box::new(nodes)) };
    state.pending.splice(..kept, [first]);
}
