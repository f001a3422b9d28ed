//! Events that an operator orders or cancels: what they excuse, and who rests after them.

use serde_json::{Value, json};

use super::{Stage, town_of};
use crate::numbers::{HUNGER, NONE};
use crate::perturbations::{self, Cause};

/// Rests of a blackout, and of the guests of a meeting.
const SPEC_REST: u32 = 720 + 240;
const GUEST_REST: u32 = 360;

fn trigger(stage: &mut Stage, spec: &str, starts_in: u32, duration: u32) {
    let order = json!({ "perturbation_trigger": { "spec": spec, "starts_in": starts_in,
        "duration": duration, "target": null, "magnitude": null } });
    stage.order(&order.to_string());
}

fn cancel(stage: &mut Stage, event: &str) {
    stage.order(&json!({ "perturbation_cancel": { "event_id": event } }).to_string());
}

fn rests(stage: &Stage) -> Value {
    stage.world_block("perturbations")["cooldowns"].clone()
}

/// The tick in which somebody who always starves leaves of it, after ten ticks of blackouts that are
/// to last this long and the end of the first, if it is cancelled.
fn leaves(blackouts: &[u32], cancelled: bool) -> u32 {
    let mut stage = Stage::new(town_of(2), 1);
    for &duration in blackouts {
        trigger(&mut stage, "blackout", 0, duration);
    }
    for tick in 0..2000 {
        if tick == 10 && cancelled {
            cancel(&mut stage, "evt_1");
        }
        stage.state_mut().agents[0].needs[HUNGER] = 0;
        stage.idle(1);
        if stage.terminated[0] == 1 {
            return tick;
        }
    }
    panic!("nobody left")
}

#[test]
fn a_cancelled_event_excuses_no_longer_than_its_grace() {
    // The tick before the first blackout counts as one of the thirty that make a faint.
    let resumes = |end: u32| end + 60 + 30 - 2;
    assert_eq!(leaves(&[], false), 29);
    assert_eq!(leaves(&[100], false), resumes(1 + 100));
    assert_eq!(leaves(&[900], true), resumes(11));
    assert_eq!(leaves(&[900, 50], true), resumes(1 + 50), "the other one goes on");
}

#[test]
fn raised_prices_that_are_cancelled_evict_again_after_the_grace() {
    let mut stage = Stage::new(town_of(1), 1);
    trigger(&mut stage, "price_spike", 0, 900);
    stage.idle(10);
    cancel(&mut stage, "evt_1");
    stage.idle(1);
    let end = stage.state().tick;
    for (tick, dear) in [(end, true), (end + 59, true), (end + 60, false)] {
        assert_eq!(stage.state().city.dear(tick), dear, "{tick}");
    }
}

#[test]
fn an_ordered_event_is_followed_by_the_rest_of_its_spec() {
    let mut stage = Stage::new(town_of(2), 1);
    trigger(&mut stage, "blackout", 4, 20);
    stage.idle(4);
    assert_eq!(rests(&stage)["spec"], json!({}), "it may still be cancelled");
    stage.idle(1);
    assert_eq!(rests(&stage)["spec"], json!({ "blackout": 5 + 20 + SPEC_REST }));
    let town = std::sync::Arc::clone(&stage.world.town);
    let blackout = town.specs.iter().position(|spec| spec.id == "blackout").expect("a spec");
    assert_eq!(stage.state().city.starts[blackout][14..], [u32::MAX, 5]);
    trigger(&mut stage, "blackout", 0, 500);
    stage.idle(1);
    let (long, now) = (6 + 500 + SPEC_REST, stage.state().tick);
    assert_eq!(now, 6);
    assert_eq!(rests(&stage)["spec"]["blackout"], long, "an order asks nobody's rest");
    cancel(&mut stage, "evt_2");
    stage.idle(1);
    assert_eq!(rests(&stage)["spec"]["blackout"], 25 + SPEC_REST, "the first goes on till then");
    cancel(&mut stage, "evt_1");
    stage.idle(1);
    assert_eq!(rests(&stage)["spec"]["blackout"], 8 + SPEC_REST);
    assert_eq!(stage.state().city.starts[blackout][14..], [5, 6], "both did begin");
}

#[test]
fn an_order_that_is_cancelled_before_it_begins_leaves_no_trace() {
    let mut stage = Stage::new(town_of(2), 1);
    trigger(&mut stage, "arranged_meet", 30, 20);
    stage.idle(10);
    cancel(&mut stage, "evt_1");
    stage.idle(40);
    assert_eq!(rests(&stage), json!({ "spec": {}, "agents": {} }));
}

#[test]
fn guests_of_an_ordered_meeting_are_spared_by_the_city_but_not_by_orders() {
    let mut stage = Stage::new(town_of(2), 1);
    let meet = json!({ "arrange_meet": { "agents": ["resident_01", "resident_02"],
        "location": "cafe", "starts_in": 0, "duration": 30 } });
    stage.order(&meet.to_string());
    stage.idle(1);
    let until = 1 + 30 + GUEST_REST;
    let both = |until: u32| json!({ "resident_01": until, "resident_02": until });
    assert_eq!(rests(&stage)["agents"], both(until));
    let town = std::sync::Arc::clone(&stage.world.town);
    let spec = town.specs.iter().position(|spec| spec.id == "arranged_meet").expect("a spec");
    let mut plan =
        |cause| perturbations::plan(&town, stage.state_mut(), (spec, 2), 0, cause).is_some();
    assert_eq!([plan(Cause::Drawn), plan(Cause::Ordered)], [false, true]);
    trigger(&mut stage, "arranged_meet", 0, 90);
    stage.idle(1);
    assert!(stage.events().iter().any(|event| event.kind == "perturbation_started"));
    let later = 2 + 90 + GUEST_REST;
    assert_eq!(rests(&stage)["agents"], both(later));
    let latest = stage.state().city.active.iter().max_by_key(|one| one.ends);
    let latest = perturbations::name_of(latest.expect("two go on").id);
    cancel(&mut stage, &latest);
    stage.idle(1);
    assert_eq!(rests(&stage)["agents"], both(until), "the first meeting goes on");
}

#[test]
fn the_city_draws_nothing_of_a_spec_that_is_ordered_or_rests() {
    let mut drawn = 0;
    for seed in 0..12 {
        let mut document = town_of(1);
        document.perturbations.enabled = true;
        document.perturbations.max_concurrent_events = 16;
        document.perturbations.specs.0.retain(|(name, _)| name == "blackout");
        document.perturbations.specs.0[0].1.prob_per_day = 1.0;
        let mut stage = Stage::new(document, seed);
        trigger(&mut stage, "blackout", 300, 20);
        let mut starts = Vec::new();
        for _ in 0..2600 {
            stage.idle(1);
            let events = stage.events().iter();
            let begun = events.filter(|event| event.kind == "perturbation_started");
            starts.extend(begun.map(|event| event.tick));
            assert!(stage.state().agents[0].holding == NONE);
        }
        assert_eq!(starts[0], 301, "{starts:?}");
        assert!(starts[1..].iter().all(|&start| start >= 321 + SPEC_REST), "{starts:?}");
        drawn += starts.len() - 1;
    }
    assert!(drawn > 5, "{drawn} by itself");
}
