//! What a town tells: events with their figures, outcomes of commands, and what it keeps of the past.

use serde_json::{Value, json};

use super::{Stage, eventful_town_of, town_of};
use crate::chronicle::{self, QUARRELS, WINDOW};
use crate::config::Document;
use crate::errands::pursue;
use crate::events::{self, Event};
use crate::numbers::{NONE, ONE};
use crate::options::GET_CLEAN;
use crate::queues;
use crate::relations::{self, Change};

fn told(stage: &Stage) -> Vec<Value> {
    serde_json::from_str(&events::as_json(&stage.world.town, stage.state())).expect("an array")
}

fn of_kind(stage: &Stage, kind: &str) -> Vec<Value> {
    told(stage).into_iter().filter(|event| event["event"] == kind).collect()
}

fn trigger(stage: &mut Stage, spec: &str, starts_in: u32) {
    let order = json!({ "perturbation_trigger": {
        "spec": spec, "starts_in": starts_in, "duration": 20, "target": null, "magnitude": 1.5,
    } });
    stage.order(&order.to_string());
}

#[test]
fn every_event_is_told_once_under_a_number_of_its_own() {
    for mut document in [town_of(8), eventful_town_of(8)] {
        document.perturbations.enabled = true;
        every_event_once(document);
    }
}

fn every_event_once(document: Document) {
    let mut stage = Stage::new(document, 4);
    let mut next = stage.state().annex.seq;
    for _ in 0..2500 {
        stage.live(1);
        for event in told(&stage) {
            assert_eq!(event["seq"], json!(next), "{event}");
            assert!(event["tick"].is_u64() && event["event"].is_string());
            assert!(event.get("value").is_none(), "a figure has a name: {event}");
            next += 1;
        }
    }
    assert!(next > 500, "{next}");
}

#[test]
fn events_beyond_the_room_are_counted() {
    let mut stage = Stage::new(town_of(2), 1);
    let first = stage.state().annex.seq;
    stage.state_mut().log.clear();
    for _ in 0..5000 {
        stage.state_mut().tell(Event::new("chat_failure").of(0).with(1));
    }
    let all = told(&stage);
    let (last, kept) = all.split_last().expect("events");
    assert_eq!(kept.len(), 4096);
    assert_eq!(last["event"], "events_lost");
    assert_eq!(last["count"], 5000 - 4096);
    assert_eq!(last["seq"], json!(first + 4096), "where the lost ones would have stood");
    stage.idle(1);
    assert!(of_kind(&stage, "events_lost").is_empty());
}

#[test]
fn the_outcome_of_a_command_names_it_and_its_number() {
    let mut stage = Stage::new(town_of(2), 1);
    stage.order(r#"{"price": {"key": "meal_cost", "value": 0.5}}"#);
    stage.order(r#"{"kill": {"agent_id": "nobody"}}"#);
    for _ in 0..400 {
        stage.order(r#"{"price": {"key": "meal_cost", "value": 0.4}}"#);
    }
    stage.idle(1);
    let applied = of_kind(&stage, "command_applied");
    let refused = of_kind(&stage, "command_refused");
    assert_eq!((applied[0]["command"].as_str(), &applied[0]["number"]), (Some("price"), &json!(1)));
    assert_eq!((refused[0]["command"].as_str(), &refused[0]["number"]), (Some("kill"), &json!(2)));
    assert_eq!(refused[0]["reason"], "E_UNKNOWN_AGENT");
    assert_eq!(applied.last().expect("the last")["number"], 402, "however many there are");
    let price = &of_kind(&stage, "economy_price_update")[0];
    assert_eq!(price["prices"]["meal_cost"], 0.5);
}

#[test]
fn city_events_tell_what_they_are_and_are_cancelled_by_name() {
    let mut stage = Stage::new(town_of(4), 1);
    trigger(&mut stage, "price_spike", 0);
    trigger(&mut stage, "blackout", 50);
    stage.idle(1);
    let ids: Vec<Value> =
        of_kind(&stage, "command_applied").iter().map(|one| one["event_id"].clone()).collect();
    assert_eq!(ids, ["evt_1", "evt_2"]);
    for kind in ["perturbation_started", "perturbation_price_spike"] {
        let event = &of_kind(&stage, kind)[0];
        assert_eq!((&event["event_id"], &event["spec"]), (&ids[0], &json!("price_spike")));
        assert_eq!(event["magnitude"], 1.5);
        assert_eq!(event["ends"], stage.state().tick + 20);
        assert!(!event["prices"].as_array().expect("prices").is_empty());
    }
    let block = stage.world_block("perturbations");
    assert_eq!(block["active"]["evt_1"]["kind"], "price_spike");
    assert_eq!(block["pending"]["evt_2"]["kind"], "blackout");
    let economy = stage.world_block("economy");
    let (base, now) = (&economy["base_prices"], &economy["prices"]);
    assert!(now.as_object().expect("prices").iter().any(|(key, price)| *price != base[key]));
    for id in ["evt_1", "evt_2", "evt_7"] {
        stage.order(&json!({ "perturbation_cancel": { "event_id": id } }).to_string());
    }
    stage.idle(1);
    let cancelled = of_kind(&stage, "perturbation_cancelled");
    let how: Vec<_> = cancelled.iter().map(|one| (&one["event_id"], &one["pending"])).collect();
    assert_eq!(how, [(&ids[0], &json!(false)), (&ids[1], &json!(true))]);
    assert_eq!(of_kind(&stage, "command_refused")[0]["reason"], "E_UNKNOWN_EVENT");
    assert_eq!(stage.world_block("perturbations")["active"], json!({}));
}

#[test]
fn the_last_quarrels_are_kept_newest_first_with_the_names_of_those_who_have_left() {
    let mut stage = Stage::new(town_of(3), 1);
    let state = stage.state_mut();
    for tick in 0..QUARRELS as u32 + 10 {
        state.tick = tick;
        let by = Change::conflict(ONE / 10, ONE);
        chronicle::quarrel(state, [0, 1], NONE, "occupied", by, ONE);
    }
    let ticks: Vec<u32> = state.chronicle.newest().map(|one| one.tick).collect();
    assert_eq!(ticks.len(), QUARRELS);
    assert!(ticks.windows(2).all(|pair| pair[0] == pair[1] + 1));
    assert_eq!(ticks[0], QUARRELS as u32 + 9);
    stage.order(r#"{"kill": {"agent_id": "resident_01"}}"#);
    stage.idle(60);
    assert_eq!(stage.state().order.len(), 3, "somebody else has the seat");
    let block = stage.world_block("conflict");
    let newest = &block["rivalry_events"][0];
    assert_eq!(
        (&newest["actor"], &newest["rival"]),
        (&json!("resident_01"), &json!("resident_02"))
    );
    assert_eq!(block["rivalry_events"].as_array().map(Vec::len), Some(120));
    assert_eq!(block["queue_history"][0]["intensity"], 1.0);
}

#[test]
fn a_quarrel_over_a_shift_or_a_word_is_kept_beside_those_in_queues() {
    let mut stage = Stage::new(town_of(3), 1);
    let town = std::sync::Arc::clone(&stage.world.town);
    crate::chat::conclude(&town, stage.state_mut(), [2, 1], false, 0);
    queues::conflict(&town, stage.state_mut(), 10, [0, 1], "ghost_step", 3 * ONE / 2);
    let block = stage.world_block("conflict");
    let reasons =
        block["rivalry_events"].as_array().expect("quarrels").iter().map(|one| &one["reason"]);
    assert_eq!(reasons.collect::<Vec<_>>(), ["ghost_step", "chat_failure"]);
    let queue = block["queue_history"].as_array().expect("quarrels");
    assert_eq!(queue.len(), 1);
    assert_eq!(queue[0]["object_id"], stage.world.town.objects[10].id.as_str());
}

#[test]
fn lost_ties_are_counted_by_owner_reason_and_window() {
    let mut document = town_of(9);
    document.conflict.rivalry.max_edges = 6;
    let mut stage = Stage::new(document, 1);
    let town = std::sync::Arc::clone(&stage.world.town);
    let state = stage.state_mut();
    state.tick = WINDOW + 5;
    for other in 1..=7 {
        relations::change(&town, state, [0, other], Change::MEAL, false);
    }
    relations::forget(state, 7);
    assert_eq!(state.chronicle.lost[0], [1, 0, 1]);
    let agent = &mut state.agents[0];
    agent.ties[0].trust = 0;
    agent.ties[0].familiarity = 0;
    relations::fade(&town, state);
    assert_eq!(state.chronicle.lost[0], [1, 1, 1]);
    let lost = &stage.world_block("relationship_summary")["lost_ties"];
    assert_eq!(lost["since"], WINDOW);
    let mine = json!({ "capacity": 1, "decay": 1, "removed": 1 });
    assert_eq!(lost["current"]["by_owner"], json!({ "resident_01": mine }));
    assert_eq!(lost["current"]["by_reason"], mine);
    let state = stage.state_mut();
    state.tick = 2 * WINDOW;
    relations::fade(&town, state);
    let lost = &stage.world_block("relationship_summary")["lost_ties"];
    assert_eq!(lost["previous"]["by_reason"], mine);
    assert_eq!(lost["current"]["by_owner"], json!({}));
    let state = stage.state_mut();
    state.agents[0].serial += 100;
    let lost = &stage.world_block("relationship_summary")["lost_ties"];
    assert_eq!(lost["previous"]["by_owner"], json!({}), "a newcomer has lost nothing");
}

/// One who would shower, and a rival at every shower.
fn shunning() -> Stage {
    let mut stage = Stage::new(town_of(3), 1);
    let town = std::sync::Arc::clone(&stage.world.town);
    let showers = &town.by_kind[usize::from(town.affordances[usize::from(town.roles.shower)].kind)];
    let state = stage.state_mut();
    state.agents[0].profile = 0;
    state.agents[0].option = GET_CLEAN;
    state.agents[0].items = [0; 3];
    for (&object, rival) in showers.iter().zip([1, 2]) {
        state.things[usize::from(object)].holder = rival as u8;
        state.agents[rival].holding = object;
        relations::change(&town, state, [0, rival], Change { rivalry: ONE, ..Change::MEAL }, false);
    }
    state.log.clear();
    stage
}

#[test]
fn a_rival_that_waits_is_avoided_like_one_that_holds() {
    let mut stage = shunning();
    let town = std::sync::Arc::clone(&stage.world.town);
    let state = stage.state_mut();
    let object = state.agents[1].holding;
    // The rival waits for a friend to finish.
    state.things[usize::from(object)].holder = NONE;
    state.agents[1].holding = NONE;
    queues::request(&town, state, 1, object);
    assert_eq!(state.agents[1].waiting, object);
    pursue(&town, stage.state_mut(), 0);
    assert_eq!(stage.state().agents[0].target, NONE);
    assert_eq!(of_kind(&stage, "policy.guardrail.block")[0]["other_id"], "resident_02");
}

#[test]
fn who_will_not_queue_with_a_rival_says_so() {
    let mut stage = shunning();
    let town = std::sync::Arc::clone(&stage.world.town);
    pursue(&town, stage.state_mut(), 0);
    let blocked = of_kind(&stage, "policy.guardrail.block");
    assert_eq!(blocked.len(), 1, "nothing is left to do");
    assert_eq!(blocked[0]["other_id"], "resident_02");
    assert_eq!(blocked[0]["reason"], "queue_rivalry");
    assert!(blocked[0]["object_id"].is_string());
    assert!(of_kind(&stage, "rivalry_avoidance").is_empty());
    let mut stage = shunning();
    stage.state_mut().agents[0].ties[1].rivalry = 0;
    pursue(&town, stage.state_mut(), 0);
    assert_eq!(of_kind(&stage, "policy.guardrail.block").len(), 1);
    assert_eq!(of_kind(&stage, "rivalry_avoidance").len(), 1, "the other shower will do");
    let mut stage = shunning();
    stage.state_mut().agents[0].needs[0] = 0;
    pursue(&town, stage.state_mut(), 0);
    assert!(of_kind(&stage, "policy.guardrail.block").is_empty(), "the desperate have no pride");
}
