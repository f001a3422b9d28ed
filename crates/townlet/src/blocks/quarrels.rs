//! Blocks about queues and what comes of them.

use serde_json::{Map, Value, json};

use crate::chronicle::{CAUSES, Quarrel};
use crate::numbers::NONE;
use crate::portrait::decimal;
use crate::state::State;
use crate::town::Town;

/// Quarrels told of at once.
const TOLD: usize = 120;

/// What queues have come to since the town began.
pub fn queue_metrics(_: &Town, state: &State) -> Value {
    let tally = &state.tally;
    json!({
        "cooldown_events": tally.cooldowns,
        "ghost_step_events": tally.ghosts,
        "rotation_events": tally.rotations,
        "conflict_events": tally.conflicts,
        "intensity_sum": decimal(tally.intensity),
    })
}

/// Queues as they stand, rivals, and the quarrels of the past, newest first.
pub fn conflict(town: &Town, state: &State) -> Value {
    let all = || state.chronicle.newest();
    let in_queues = all().filter(|one| one.intensity > 0);
    json!({
        "queues": queues(town, state),
        "queue_history": told(town, state, in_queues),
        "rivalry": rivalry(state),
        "rivalry_events": told(town, state, all()),
    })
}

fn told<'a>(town: &Town, state: &State, some: impl Iterator<Item = &'a Quarrel>) -> Value {
    some.take(TOLD).map(|one| quarrel(town, state, one)).collect()
}

fn quarrel(town: &Town, state: &State, one: &Quarrel) -> Value {
    let [actor, rival] = one.pair.map(|person| state.name_of(person));
    let mut told = json!({
        "tick": one.tick,
        "actor": actor,
        "rival": rival,
        "reason": CAUSES[usize::from(one.cause)],
        "rivalry": decimal(one.rivalry),
    });
    if one.intensity > 0 {
        told["intensity"] = json!(decimal(one.intensity));
    }
    if one.object != NONE {
        told["object_id"] = json!(town.objects[usize::from(one.object)].id);
    }
    told
}

/// Every object that somebody holds or waits for, or may not ask for again yet.
fn queues(town: &Town, state: &State) -> Value {
    let name = |seat: u8| state.id_of(usize::from(seat));
    let objects = (0..town.objects.len()).filter_map(|at| {
        let thing = &state.things[at];
        let waiting = &state.queues[at * town.seats..][..usize::from(thing.waiting)];
        let entries = waiting.iter().map(|&seat| {
            json!({ "agent_id": name(seat), "joined": state.agents[usize::from(seat)].joined })
        });
        let resting: Map<String, Value> = state
            .order
            .iter()
            .map(|&seat| (seat, state.cooldowns[usize::from(seat) * town.objects.len() + at]))
            .filter(|&(_, until)| until > state.tick)
            .map(|(seat, until)| (name(seat), json!(until)))
            .collect();
        let told = json!({
            "holder": (thing.holder != NONE).then(|| name(thing.holder)),
            "entries": entries.collect::<Vec<_>>(),
            "cooldowns": resting,
            "stalls": thing.stalled,
        });
        let busy = thing.holder != NONE || thing.waiting > 0 || !resting.is_empty();
        busy.then(|| (town.objects[at].id.clone(), told))
    });
    Value::Object(objects.collect())
}

/// Every tie with rivalry in it, the worst first.
fn rivalry(state: &State) -> Value {
    let mut edges: Vec<_> = state
        .order
        .iter()
        .flat_map(|&seat| {
            let agent = &state.agents[usize::from(seat)];
            agent.ties[..usize::from(agent.known)].iter().map(move |tie| (seat, tie))
        })
        .filter(|(_, tie)| tie.rivalry > 0)
        .collect();
    edges.sort_by_key(|(_, tie)| std::cmp::Reverse(tie.rivalry));
    let edge = edges.iter().map(|(seat, tie)| {
        json!({
            "agent_id": state.id_of(usize::from(*seat)),
            "other_id": state.id_of(usize::from(tie.other)),
            "rivalry": decimal(tie.rivalry),
            "avoided": tie.rivalry >= crate::relations::tolerance(state, usize::from(*seat)),
        })
    });
    edge.collect()
}
