//! Random legal choices and disturbances: nothing breaks, and what a mask allows comes true.

use serde_json::{Value, json};

use super::chaos::{sound, told_once};
use super::{Stage, eventful_town_of, town_of};
use crate::config::{ActionMode, Document};
use crate::draws::Draws;
use crate::numbers::NONE;
use crate::options::{Intent, SOCIALISE, free_to_choose, nearer};
use crate::perturbations::EVENTS_MAX;
use crate::primitives::meaning;
use crate::state::State;
use crate::town::Town;
use crate::{chat, relations};

fn random_legal(stage: &Stage, draws: &mut Draws) -> Vec<i32> {
    let width = stage.layout.choices() as usize;
    let rows = stage.mask.chunks_exact(width);
    rows.map(|mask| {
        let legal: Vec<usize> = (0..width).filter(|&choice| mask[choice] == 1).collect();
        legal[draws.below(legal.len() as u32) as usize] as i32
    })
    .collect()
}

/// What somebody chose who could choose, as things stood then.
struct Chosen {
    seat: usize,
    choice: usize,
    meant: Intent,
    /// Where each stood.
    tiles: Vec<u16>,
    /// Whether somebody to talk to is walled in by others.
    walled_in: bool,
}

fn chosen(stage: &Stage, actions: &[i32]) -> Vec<Chosen> {
    let (town, state) = (&stage.world.town, stage.state());
    let free = |&seat: &usize| stage.alive[seat] == 1 && free_to_choose(state, seat);
    let seats = (0..actions.len()).filter(free);
    seats
        .map(|seat| {
            let choice = actions[seat] as usize;
            let meant = if town.sight.options { None } else { meaning(town, state, seat, choice) };
            Chosen {
                seat,
                choice,
                meant: meant.unwrap_or_default(),
                tiles: state.agents.iter().map(|agent| agent.tile).collect(),
                walled_in: walled_in(town, state, seat),
            }
        })
        .collect()
}

/// Whether others stand wherever one would have to step to get nearer to somebody.
fn walled_in(town: &Town, state: &State, seat: usize) -> bool {
    let tile = state.agents[seat].tile;
    let mut others = state.order.iter().map(|&other| usize::from(other));
    others.any(|other| {
        let there = state.agents[other].tile;
        let mut ways = nearer(town, tile, there).peekable();
        chat::eligible(town, state, seat, other)
            && town.grid.chebyshev(tile, there) > 1
            && ways.peek().is_some()
            && ways.all(|next| !state.open_to(seat, next))
    })
}

/// Every single act that is offered could be done as things stand.
fn offers_nothing_idle(stage: &Stage) {
    let (town, state) = (&stage.world.town, stage.state());
    let width = stage.layout.choices() as usize;
    for seat in state.order.iter().map(|&seat| usize::from(seat)) {
        let agent = &state.agents[seat];
        let legal = |&choice: &usize| stage.mask[seat * width + choice] == 1;
        for choice in (0..width).filter(legal) {
            match meaning(town, state, seat, choice).expect("what is offered means something") {
                Intent::Move(next) => {
                    assert!(town.grid.adjacent(agent.tile, next));
                    assert!(town.grid.walkable[usize::from(next)] != 0, "{next} is blocked");
                    assert!(state.agents.iter().all(|one| !one.about() || one.place() != next));
                }
                Intent::Request(object) => {
                    let index = usize::from(object);
                    assert!(town.grid.manhattan(agent.tile, town.objects[index].tile) <= 3);
                    assert!(state.cooldowns[seat * town.objects.len() + index] <= state.tick);
                    assert_eq!((agent.holding, agent.waiting), (NONE, NONE));
                    assert_eq!(state.things[index].closed, 0);
                }
                Intent::Talk(other) => {
                    let listener = &state.agents[usize::from(other)];
                    assert!(town.grid.chebyshev(agent.tile, listener.tile) <= 1);
                    assert!(listener.about() && listener.running == NONE);
                    assert!(state.tick >= agent.chat_after);
                    assert!(!relations::avoids(state, seat, usize::from(other)));
                }
                Intent::Release => assert!(agent.holding != NONE || agent.waiting != NONE),
                Intent::Start(_) => assert_eq!(agent.running, NONE),
                Intent::Wait => {}
            }
        }
    }
}

/// Whether what opened the next tick, or an exit, has undone what somebody did in this one.
fn upset(stage: &Stage, seat: usize) -> bool {
    let agent = &stage.state().agents[seat];
    stage.terminated[seat] == 1 || agent.reset || agent.hospital
}

/// Whether such an event of somebody was told in a tick; a reload puts those before it into words.
fn told(stage: &Stage, seat: usize, kinds: &[&str], tick: u32) -> bool {
    let log = &stage.state().log;
    let here = log
        .events
        .iter()
        .any(|one| kinds.contains(&one.kind) && usize::from(one.agent) == seat && one.tick == tick);
    here || log.worded.iter().any(|one| {
        let kind = one["event"].as_str().is_some_and(|kind| kinds.contains(&kind));
        kind && one["seat"] == seat && one["tick"] == tick
    })
}

/// Whether a single act came about, or failed by what others did in the same tick.
fn came_about(stage: &Stage, one: &Chosen, tick: u32) -> bool {
    let state = stage.state();
    let agent = &state.agents[one.seat];
    match one.meant {
        Intent::Wait => one.choice == 0,
        Intent::Move(next) => agent.tile == next || agent.now.blocked || agent.now.aside,
        Intent::Request(object) => {
            let closed = state.things[usize::from(object)].closed > 0;
            closed || agent.waiting == object || agent.holding == object
        }
        Intent::Release => agent.holding == NONE && agent.waiting == NONE,
        Intent::Start(_) => agent.ran_from == tick,
        Intent::Talk(other) => {
            let other = usize::from(other);
            let listener = &state.agents[other];
            let moved = listener.tile != one.tiles[other] || agent.tile != one.tiles[one.seat];
            let busy = listener.running != NONE && listener.ran_from == tick;
            // A quarrel earlier in the same tick may have made rivals of them.
            let fell_out = relations::avoids(state, one.seat, other);
            told(stage, one.seat, &["chat_success", "chat_failure"], tick)
                || (moved || busy || fell_out || upset(stage, other)) && !agent.last_success
        }
    }
}

/// Whether an option failed in the tick it was chosen in, for no reason that a mask could not know.
fn failed_at_once(stage: &Stage, one: &Chosen, tick: u32) -> bool {
    let agent = &stage.state().agents[one.seat];
    let failed = usize::from(agent.last_option) == one.choice && !agent.last_success;
    let socialises = one.choice == usize::from(SOCIALISE);
    let company = one.walled_in || told(stage, one.seat, &["chat_failure"], tick);
    // What was begun may be ended by a closure that opens the next tick.
    let ended = told(stage, one.seat, &["affordance_fail"], tick + 1);
    failed && agent.option_since == tick && !(ended || socialises && company)
}

/// Random legal choices and disturbances in one town.
fn nonsense(mut document: Document, mode: ActionMode, seed: u64, ticks: u32) {
    document.policy_runtime.action_mode = mode;
    document.perturbations.enabled = true;
    let seats = document.population.agents.max(12);
    document.population.seats = Some(seats);
    let mut stage = Stage::new(document, seed);
    let mut draws = Draws::of(seed, "nonsense");
    let mut next = stage.state().annex.seq;
    let mut did = [0u32; 6];
    for _ in 0..ticks {
        disturb(&mut stage, &mut draws);
        if mode == ActionMode::Primitive {
            offers_nothing_idle(&stage);
        }
        let actions = random_legal(&stage, &mut draws);
        let chosen = chosen(&stage, &actions);
        let tick = stage.state().tick;
        for agent in &mut stage.state_mut().agents {
            agent.last_success = true;
        }
        stage.step(&actions);
        told_once(stage.state(), &mut next);
        sound(&stage);
        for one in chosen.iter().filter(|one| !upset(&stage, one.seat)) {
            let choice = one.choice;
            if mode == ActionMode::Option {
                assert!(!failed_at_once(&stage, one, tick), "{choice} of {} at {tick}", one.seat);
                continue;
            }
            assert!(came_about(&stage, one, tick), "{choice}, meaning {:?}, failed", one.meant);
            did[match one.meant {
                Intent::Wait => 0,
                Intent::Move(_) => 1,
                Intent::Request(_) => 2,
                Intent::Start(_) => 3,
                Intent::Release => 4,
                Intent::Talk(_) => 5,
            }] += 1;
        }
        let state = stage.state();
        assert!(state.pending.len() <= 1 && state.arrivals.len() <= usize::from(seats));
        assert!(state.city.active.len() + state.city.pending.len() <= EVENTS_MAX);
    }
    assert!(mode == ActionMode::Option || !did.contains(&0), "something nobody did: {did:?}");
}

#[test]
fn nonsense_does_no_harm() {
    for mode in [ActionMode::Option, ActionMode::Primitive] {
        for seed in 0..3 {
            nonsense(town_of(10), mode, seed, 1500);
            nonsense(eventful_town_of(10), mode, seed, 1500);
        }
    }
}

#[test]
fn nonsense_of_crowds_does_no_harm() {
    for mode in [ActionMode::Option, ActionMode::Primitive] {
        for (agents, ticks) in [(12, 1000), (24, 1000), (64, 500)] {
            nonsense(town_of(agents), mode, 3, ticks);
            nonsense(eventful_town_of(agents), mode, 4, ticks);
        }
    }
}

#[test]
#[ignore = "minutes: 64 towns for 10,000 ticks"]
fn long_nonsense_in_many_towns_does_no_harm() {
    for seed in 0..64 {
        let mode = if seed % 2 == 0 { ActionMode::Option } else { ActionMode::Primitive };
        let document = if seed % 4 < 2 { town_of(10) } else { eventful_town_of(10) };
        nonsense(document, mode, 1000 + seed, 10_000);
    }
}

fn reload(node: &str, document: &Value) -> String {
    json!({ "config_reload": { "node": node, "document": document.to_string() } }).to_string()
}

fn disturb(stage: &mut Stage, draws: &mut Draws) {
    let seat = draws.below(stage.state().order.len().max(1) as u32) as usize;
    let seat = stage.state().order.get(seat).map_or(0, |&seat| usize::from(seat));
    let id = stage.state().id_of(seat);
    let (x, y) = (draws.below(48), draws.below(48));
    let order = match draws.below(120) {
        0 => format!(r#"{{"teleport": {{"agent_id": "{id}", "position": [{x}, {y}]}}}}"#),
        1 => format!(r#"{{"kill": {{"agent_id": "{id}"}}}}"#),
        2 => format!(r#"{{"possess": {{"agent_id": "{id}", "acquire": true}}}}"#),
        3 => format!(r#"{{"possess": {{"agent_id": "{id}", "acquire": false}}}}"#),
        4 => r#"{"config_reload": {"node": "queue_fairness", "document": "{\"cooldown_ticks\": 5}"}}"#
            .to_owned(),
        5 => r#"{"price": {"key": "meal_cost", "value": 0.5}}"#.to_owned(),
        6 => r#"{"perturbation_trigger": {"spec": "facility_closure", "starts_in": 1, "duration": 20,
                "target": "till_1", "magnitude": null}}"#
            .to_owned(),
        7 => format!(r#"{{"setneed": {{"agent_id": "{id}", "need": "hunger", "value": 0.05}}}}"#),
        8 => format!(r#"{{"spawn": {{"agent_id": "x{x}y{y}", "position": [{x}, {y}], "job_id": null, "wallet": 1.0}}}}"#),
        9 => reload("perturbations", &json!({ "enabled": x % 2 == 0 })),
        10 => reload("economy", &json!({ "meal_cost": 0.41, "cook_energy_cost": f64::from(x) / 100.0 })),
        11 => {
            let mut node = json!(stage.world.town.document.affordances);
            node["affordances"][y as usize % 8]["duration"] = json!(x + 1);
            reload("affordances", &node)
        }
        12 => format!(r#"{{"rain": {{"on": {}}}}}"#, x.is_multiple_of(2)),
        _ => return,
    };
    stage.order(&order);
}
