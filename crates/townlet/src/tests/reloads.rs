//! Hot nodes change a running town; what goes on finishes as it began; anything else is refused.

use astrarium_kernel::{Autoreset, Batch, World, digest_of};
use serde_json::{Value, json};

use super::{Stage, town_of};
use crate::Townlet;
use crate::agent::Tie;
use crate::config::{Config, Document};
use crate::numbers::{ENERGY, NONE, ONE, micro};
use crate::options::SLEEP;

fn order(node: &str, document: &Value) -> String {
    json!({ "config_reload": { "node": node, "document": document.to_string() } }).to_string()
}

fn node(document: &Document, path: &str) -> Value {
    let whole = json!(document);
    whole.pointer(&format!("/{}", path.replace('.', "/"))).expect("a node").clone()
}

/// Reload `path` of the town in force, after `change`.
fn reload(stage: &mut Stage, path: &str, change: impl FnOnce(&mut Value)) {
    let mut fresh = node(&stage.world.town.document, path);
    change(&mut fresh);
    stage.order(&order(path, &fresh));
}

fn happened(stage: &Stage, kind: &str) -> Value {
    let all: Vec<Value> = serde_json::from_str(&stage.world.happenings()).expect("JSON");
    all.into_iter().find(|event| event["event"] == kind).unwrap_or(Value::Null)
}

#[test]
fn every_hot_node_is_taken_and_told_with_its_checksums() {
    let mut stage = Stage::new(town_of(4), 1);
    let founded = digest_of(&stage.world);
    let changes: [(&str, &str, Value); 9] = [
        ("economy", "/cook_energy_cost", json!(0.2)),
        ("employment", "/grace_ticks", json!(9)),
        ("queue_fairness", "/cooldown_ticks", json!(9)),
        ("conflict", "/rivalry/avoid_threshold", json!(0.9)),
        ("conflict.rivalry", "/decay_per_tick", json!(0.1)),
        ("behavior", "/hunger_threshold", json!(0.5)),
        ("embedding_allocator.cooldown_ticks", "", json!(7)),
        ("embedding_allocator.reuse_warning_threshold", "", json!(0.2)),
        ("perturbations", "/grace_window_ticks", json!(5)),
    ];
    for (path, inner, value) in changes {
        let before = node(&stage.world.town.document, path);
        reload(&mut stage, path, |fresh| *fresh.pointer_mut(inner).expect("a key") = value);
        stage.idle(1);
        assert_ne!(node(&stage.world.town.document, path), before, "{path}");
        let told = happened(&stage, "config_reloaded");
        assert_eq!(told["node"], path);
        assert_ne!(told["old_checksum"], told["new_checksum"]);
        assert_eq!(told["new_checksum"].as_str().map(str::len), Some(64));
    }
    let hot = &stage.state().hot;
    assert_eq!((hot.employment.grace, hot.queue.cooldown, hot.slot_cooldown), (9, 9, 7));
    assert_eq!((hot.rivalry.avoid, hot.rivalry.decay), (micro(0.9), micro(0.1)));
    assert_eq!(hot.behavior.thresholds[0], micro(0.5));
    stage.world.reset(1);
    assert_eq!(digest_of(&stage.world), founded, "another episode begins as configured");
}

#[test]
fn who_sleeps_wakes_as_planned_and_the_next_sleep_is_another() {
    let mut stage = Stage::new(town_of(1), 2);
    let sleep = |stage: &mut Stage| {
        let begun = loop {
            stage.state_mut().agents[0].needs = [ONE, ONE, micro(0.1)];
            stage.step(&[i32::from(SLEEP)]);
            if stage.state().agents[0].running != NONE {
                break stage.state().tick;
            }
        };
        stage.state_mut().agents[0].needs[ENERGY] = micro(0.3);
        begun
    };
    let wake = |stage: &mut Stage, begun: u32| {
        while stage.state().agents[0].running != NONE {
            stage.idle(1);
        }
        (stage.state().tick - begun, stage.state().agents[0].needs[ENERGY] > micro(0.5))
    };
    let begun = sleep(&mut stage);
    let before = wake(&mut stage, begun);
    assert!(before.1);
    stage.idle(70);
    let begun = sleep(&mut stage);
    stage.idle(10);
    reload(&mut stage, "affordances", |node| {
        let entries = node["affordances"].as_array_mut().expect("entries");
        entries.rotate_left(2);
        let slept = entries.iter_mut().find(|entry| entry["id"] == "rest_sleep");
        let slept = slept.expect("an entry");
        slept["duration"] = json!(20);
        slept["effects"] = json!({ "energy": 0.2 });
    });
    assert_eq!(wake(&mut stage, begun), before, "under the old manifest");
    assert_eq!(stage.state().tally.sleeps, 2);
    stage.idle(70);
    let begun = sleep(&mut stage);
    let after = wake(&mut stage, begun);
    assert_eq!(after, (before.0 - 180, false), "under the new one");
}

#[test]
fn an_event_whose_spec_is_gone_ends_on_time() {
    let mut stage = Stage::new(town_of(4), 3);
    stage.order(
        r#"{"perturbation_trigger": {"spec": "blackout", "starts_in": 0, "duration": 30,
            "target": null, "magnitude": null}}"#,
    );
    stage.idle(5);
    assert_eq!(stage.state().city.no_power, 1);
    reload(&mut stage, "perturbations", |node| {
        node["enabled"] = json!(true);
        node["specs"] = json!({ "dry": { "kind": "outage", "prob_per_day": 1.0,
            "cooldown_ticks": 0, "duration": [5, 5] } });
    });
    stage.idle(24);
    assert_eq!(stage.state().city.no_power, 1);
    stage.idle(3);
    assert_eq!(stage.state().city.no_power, 0);
    let mut dry = 0;
    for _ in 0..6000 {
        stage.idle(1);
        dry += u32::from(happened(&stage, "perturbation_outage") != Value::Null);
    }
    assert!(dry > 0, "the new spec is drawn");
    stage.order(
        r#"{"perturbation_trigger": {"spec": "blackout", "starts_in": 0, "duration": 30,
            "target": null, "magnitude": null}}"#,
    );
    stage.idle(1);
    assert_eq!(happened(&stage, "command_refused")["reason"], "E_UNKNOWN_SPEC");
}

#[test]
fn wages_and_the_cost_of_cooking_follow_the_economy() {
    let mut document = town_of(2);
    for (_, job) in &mut document.jobs.0 {
        job.wage_rate = None;
        job.end_tick = job.start_tick + 180;
    }
    let mut stage = Stage::new(document, 4);
    let cook = usize::from(stage.world.town.roles.cook);
    reload(&mut stage, "economy", |node| {
        node["wage_income"] = json!(0.03);
        node["cook_hygiene_cost"] = json!(0.5);
    });
    stage.idle(1);
    let town = &stage.world.town;
    assert!(town.jobs.iter().all(|job| job.wage == micro(0.03)));
    assert_eq!(town.affordances[cook].effects[1], micro(-0.5));
    assert_ne!(happened(&stage, "basket_violation"), Value::Null, "a warning, no refusal");
}

#[test]
fn what_is_not_hot_or_not_sound_is_refused_by_name() {
    let mut stage = Stage::new(town_of(4), 5);
    let before = digest_of(&stage.world);
    let mut moved = node(&stage.world.town.document, "affordances");
    moved["objects"][3]["position"] = json!([5, 9]);
    let mut fewer = node(&stage.world.town.document, "affordances");
    fewer["objects"].as_array_mut().expect("objects").pop();
    let cases = [
        ("time", json!({}), "time: needs a new town"),
        ("rewards.decay_rates", json!({}), "rewards.decay_rates: needs a new town"),
        ("embedding_allocator.max_slots", json!(9), "embedding_allocator.max_slots: needs"),
        ("affordances", moved, "affordances.objects: bed_4 differs"),
        ("affordances", fewer, "affordances.objects: the number of objects differs"),
        ("economy", json!({ "meal_cost": 11 }), "economy.meal_cost: 11 is outside 0 to 10"),
        ("economy", json!({ "meal_price": 1 }), "economy: unknown field `meal_price`"),
        ("behavior", json!(3), "behavior: invalid type: integer"),
        ("nonsense", json!(1), "nonsense: needs a new town; while one runs, these may change:"),
    ];
    for (path, document, words) in cases {
        let refused = stage.world.command(&order(path, &document)).expect_err(path);
        assert!(refused.starts_with(words), "{refused}");
    }
    let forged = json!({ "reloaded": {} }).to_string();
    assert!(stage.world.command(&forged).is_err());
    assert_eq!(digest_of(&stage.world), before);
}

/// Tables of a town's own are in its snapshot, with what still goes on under older ones.
#[test]
fn a_reloaded_town_resumes_exactly() {
    let mut document = town_of(8);
    document.perturbations.enabled = true;
    let config = Config::new(document).expect("sound");
    let make = || Batch::<Townlet>::new(config.clone(), 1, 1, Autoreset::SameStep).expect("made");
    let mut unbroken = make();
    unbroken.reset_with_seeds(&[9]).expect("reset");
    let live = |batch: &mut Batch<Townlet>| {
        let mut hidden = vec![0.0; batch.layout().hidden as usize];
        batch.reveal(&mut hidden).expect("revealed");
        let orders = batch.arrays_mut().actions.as_mut_slice();
        orders.iter_mut().zip(&hidden).for_each(|(order, &advice)| *order = advice as i32);
        batch.step().expect("stepped");
    };
    let mut mid_affordance = 0;
    for round in 0..40u32 {
        for _ in 0..37 {
            live(&mut unbroken);
        }
        let town = &unbroken.world(0).expect("a town").town;
        let mut node = node(&town.document, "affordances");
        node["affordances"][round as usize % 8]["duration"] = json!(5 + round);
        unbroken.command(0, &order("affordances", &node)).expect("hot");
        unbroken.command(0, &order("perturbations", &json!({ "enabled": true }))).expect("hot");
        unbroken
            .command(0, &order("queue_fairness", &json!({ "cooldown_ticks": round })))
            .expect("hot");
        live(&mut unbroken);
        let world = unbroken.world(0).expect("a town");
        let old = |agent: &crate::agent::Agent| {
            agent.running != NONE && usize::from(agent.running) >= world.town.offered
        };
        mid_affordance += u32::from(world.state.agents.iter().any(old));
        let mut resumed = make();
        resumed.restore(&unbroken.snapshot().expect("a snapshot")).expect("restored");
        for _ in 0..20 {
            for batch in [&mut unbroken, &mut resumed] {
                batch.watch(0, true).expect("watched");
                if round % 3 == 0 {
                    let fresh = order("queue_fairness", &json!({ "queue_nodes": 3 }));
                    batch.command(0, &fresh).expect("hot");
                }
                live(batch);
            }
            let (mut a, mut b) = ([0], [0]);
            unbroken.digests(&mut a).expect("digest");
            resumed.digests(&mut b).expect("digest");
            assert_eq!(a, b);
            assert_eq!(unbroken.happenings(0), resumed.happenings(0));
        }
    }
    assert!(mid_affordance > 5);
}

#[test]
fn what_a_reload_gets_wrong_is_named_by_its_key() {
    let mut stage = Stage::new(town_of(2), 1);
    for (path, key, value) in [
        ("conflict.rivalry", "handover_boost", 6.0),
        ("conflict.rivalry", "decay_per_tick", -0.1),
        ("economy", "meal_cost", 11.0),
    ] {
        let document = json!({ key: value });
        let why = stage.world.command(&order(path, &document)).expect_err("out of range");
        assert!(why.starts_with(&format!("{path}.{key}: {value}")), "{why}");
    }
}

#[test]
fn caps_of_city_events_that_a_reload_leaves_out_are_the_careful_ones() {
    let mut stage = Stage::new(town_of(2), 1);
    let caps = |stage: &Stage| {
        let rules = &stage.world.town.document.perturbations;
        let rests = [rules.global_cooldown_ticks, rules.per_agent_cooldown_ticks];
        (rules.max_concurrent_events, rests, rules.max_events_per_window, rules.specs.0.len())
    };
    assert_eq!(caps(&stage), (2, [240, 360], 2, 5));
    stage.order(&order("perturbations", &json!({ "enabled": true })));
    stage.idle(1);
    assert_eq!(caps(&stage), (1, [0, 0], 1, 5), "as a file that says no more than this");
}

#[test]
fn a_reload_of_the_economy_undoes_what_an_operator_made_of_prices() {
    let mut stage = Stage::new(town_of(2), 1);
    stage.order(r#"{"price": {"key": "meal_cost", "value": 0.5}}"#);
    stage.idle(1);
    reload(&mut stage, "employment", |_| {});
    stage.idle(1);
    assert_eq!(stage.state().prices[0], micro(0.5), "no other node touches prices");
    reload(&mut stage, "economy", |_| {});
    stage.idle(1);
    assert_eq!(stage.state().prices[0], micro(0.4), "though the document is as it was");
    let told = happened(&stage, "config_reloaded");
    assert_eq!(told["old_checksum"], told["new_checksum"]);
}

#[test]
fn ledgers_that_have_become_too_long_lose_their_weakest_ties() {
    let mut stage = Stage::new(town_of(8), 1);
    let agent = &mut stage.state_mut().agents[0];
    for (at, trust) in [0.5, -0.9, 0.2, 0.7, 0.3].into_iter().enumerate() {
        agent.ties[at] = Tie { other: at as u8 + 1, trust: micro(trust), ..Tie::default() };
    }
    agent.known = 5;
    stage.state_mut().agents[1].ties[0] = Tie { other: 0, trust: ONE, ..Tie::default() };
    stage.state_mut().agents[1].known = 1;
    reload(&mut stage, "conflict.rivalry", |node| node["max_edges"] = json!(3));
    stage.idle(1);
    let known = |stage: &Stage, seat: usize| {
        let agent = &stage.state().agents[seat];
        let ties = agent.ties[..usize::from(agent.known)].iter();
        ties.map(|tie| tie.other).collect::<Vec<_>>()
    };
    assert_eq!((known(&stage, 0), known(&stage, 1)), (vec![1, 2, 4], vec![0]));
    assert_eq!(stage.state().chronicle.lost[0], [2, 0, 0], "of capacity");
    assert_eq!(stage.state().agents[0].ties[3..], [Tie::default(); 3]);
}
