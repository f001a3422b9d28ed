//! Why something could not begin or was cut short, and what it sets off when it ends.

use astrarium_kernel::World;

use super::{Stage, town_of};
use crate::affordances;
use crate::config::Document;
use crate::movement;
use crate::numbers::{NONE, ONE, micro};
use crate::queues;
use crate::state::State;

/// Objects and affordances of the default town, by index.
const BED: u8 = 0;
const SHOWERS: [u8; 2] = [10, 11];
const FRIDGES: [u8; 2] = [12, 13];
const STOVE: u8 = 14;
const USE_SHOWER: u8 = 0;
const EAT: u8 = 1;
const COOK: u8 = 2;
const REST: u8 = 3;

/// An agent stands beside an object and has it for itself.
fn hold(stage: &mut Stage, seat: usize, object: u8) {
    let town = std::sync::Arc::clone(&stage.world.town);
    let state = stage.state_mut();
    let tile = town.objects[usize::from(object)].tile;
    let beside = town.grid.step(tile, 2).expect("a tile south of it");
    movement::go(state, seat, beside, false);
    queues::request(&town, state, seat, object);
    queues::assign(&town, state, object);
    assert_eq!(state.agents[seat].holding, object);
}

fn begin(stage: &mut Stage, seat: usize, affordance: u8) {
    let town = std::sync::Arc::clone(&stage.world.town);
    affordances::start(&town, stage.state_mut(), seat, affordance);
}

fn reasons(stage: &Stage, kind: &str) -> Vec<&'static str> {
    let events = stage.events().iter().filter(|event| event.kind == kind);
    events.map(|event| event.reason).collect()
}

/// What is told when an affordance cannot begin because of what was done before.
fn refusal(
    document: Document,
    object: u8,
    affordance: u8,
    spoil: fn(&mut State),
) -> Vec<&'static str> {
    let mut stage = Stage::new(document, 1);
    hold(&mut stage, 0, object);
    spoil(stage.state_mut());
    begin(&mut stage, 0, affordance);
    let agent = &stage.state().agents[0];
    assert!(agent.holding == NONE && agent.running == NONE, "it lets go");
    reasons(&stage, "affordance_fail")
}

#[test]
fn a_closure_ends_uses_and_reservations_and_gives_everything_back() {
    for uses in [true, false] {
        let mut stage = Stage::new(town_of(1), 1);
        let town = std::sync::Arc::clone(&stage.world.town);
        let object = FRIDGES[0];
        let state = stage.state_mut();
        let beside = town.grid.step(town.objects[usize::from(object)].tile, 0).expect("a tile");
        movement::go(state, 0, beside, false);
        let before = (state.agents[0].wallet, state.things[usize::from(object)].stock);
        queues::request(&town, state, 0, object);
        queues::assign(&town, state, object);
        if uses {
            affordances::start(&town, state, 0, EAT);
            assert!(state.agents[0].wallet < before.0);
        }
        let id = &town.objects[usize::from(object)].id;
        stage.order(&format!(
            r#"{{"perturbation_trigger": {{"spec": "facility_closure", "starts_in": 0,
               "duration": 9, "target": "{id}", "magnitude": null}}}}"#
        ));
        let hunger = stage.state().agents[0].needs[0];
        stage.idle(1);
        let state = stage.state();
        let agent = &state.agents[0];
        assert_eq!((agent.running, agent.holding, agent.target), (NONE, NONE, NONE));
        assert_eq!((agent.wallet, state.things[usize::from(object)].stock), before);
        assert!(agent.needs[0] < hunger, "nobody is fed by half a meal");
        let failed = stage.events().iter().filter(|event| event.kind == "affordance_fail");
        let reasons: Vec<_> = failed.map(|event| event.reason).collect();
        assert_eq!(reasons, if uses { vec!["facility_closed"] } else { vec![] });
    }
}

#[test]
fn whatever_cannot_begin_says_why() {
    type Case = (&'static str, u8, u8, fn(&mut State));
    let mut document = town_of(1);
    for entry in &mut document.affordances.affordances {
        entry.preconds.clear();
    }
    let cases: [Case; 9] = [
        ("insufficient_funds", SHOWERS[0], USE_SHOWER, |state| state.agents[0].wallet = 0),
        ("insufficient_stock", FRIDGES[0], EAT, |state| state.things[12].stock[0] = 0),
        ("no_ingredients", STOVE, COOK, |state| {
            state.agents[0].items = [0; 3];
            state.things[14].stock[1] = 0;
        }),
        ("bed_unavailable", BED, REST, |state| state.things[0].stock[3] = 0),
        ("power_off", STOVE, COOK, |state| state.city.no_power = 1),
        ("water_off", SHOWERS[0], USE_SHOWER, |state| state.city.no_water = 1),
        ("facility_closed", FRIDGES[0], EAT, |state| state.things[12].closed = 1),
        ("ghost_step", FRIDGES[0], EAT, |state| state.agents[0].ghost = true),
        ("released", FRIDGES[0], COOK, |_| {}),
    ];
    for (reason, object, affordance, spoil) in cases {
        assert_eq!(refusal(document.clone(), object, affordance, spoil), [reason]);
    }
    let unknown = Stage::new(town_of(1), 1).world.town.offered as u8;
    assert_eq!(refusal(town_of(1), BED, unknown, |_| {}), ["missing_spec"]);
}

#[test]
fn preconditions_come_before_money_and_stock_and_name_themselves() {
    type Case = (&'static str, u8, u8, fn(&mut State));
    let cases: [Case; 6] = [
        ("meal_available == true", FRIDGES[0], EAT, |state| state.things[12].stock[0] = 0),
        ("power_on == true", SHOWERS[0], USE_SHOWER, |state| state.city.no_power = 1),
        ("water_on == true", SHOWERS[0], USE_SHOWER, |state| state.city.no_water = 1),
        ("power_on == true", STOVE, COOK, |state| state.city.no_power = 1),
        ("agent.id not in queue", BED, REST, |state| {
            state.things[0].waiting = 1;
            state.queues[0] = 0;
        }),
        ("-wallet < -0.5", FRIDGES[1], EAT, |_| {}),
    ];
    for (expected, object, affordance, spoil) in cases {
        let mut document = town_of(1);
        let entries = &mut document.affordances.affordances;
        entries[usize::from(REST)].preconds = vec!["agent.id not in queue".to_owned()];
        entries[usize::from(EAT)].preconds.push("-wallet < -0.5".to_owned());
        let mut stage = Stage::new(document, 1);
        hold(&mut stage, 0, object);
        stage.state_mut().agents[0].wallet = 0;
        spoil(stage.state_mut());
        begin(&mut stage, 0, affordance);
        assert_eq!(reasons(&stage, "affordance_fail"), ["precondition_failed"]);
        let told: serde_json::Value =
            serde_json::from_str(&stage.world.happenings()).expect("JSON");
        let all = told.as_array().expect("events").iter();
        let mut failed = all.filter(|event| event["event"] == "affordance_precondition_fail");
        assert_eq!(failed.next().expect("told")["condition"], expected);
        assert!(failed.next().is_none());
    }
}

#[test]
fn what_an_operator_cuts_short_is_given_back() {
    let orders = [
        (r#"{"teleport": {"agent_id": "resident_01", "position": [40, 40]}}"#, "released"),
        (r#"{"kill": {"agent_id": "resident_01"}}"#, "agent_removed"),
    ];
    for (order, reason) in orders {
        let mut stage = Stage::new(town_of(1), 1);
        let wallet = stage.state().agents[0].wallet;
        hold(&mut stage, 0, FRIDGES[0]);
        begin(&mut stage, 0, EAT);
        assert!(stage.state().agents[0].wallet < wallet);
        stage.order(order);
        let mut told = Vec::new();
        for _ in 0..2 {
            stage.idle(1);
            told.extend(reasons(&stage, "affordance_fail"));
        }
        assert_eq!(told, [reason]);
        assert_eq!(stage.state().agents[0].wallet, wallet);
        assert_eq!(stage.state().things[12].stock[0], 20);
    }
}

#[test]
fn meals_that_overlap_at_one_venue_are_shared() {
    let mut stage = Stage::new(town_of(3), 1);
    hold(&mut stage, 0, FRIDGES[0]);
    begin(&mut stage, 0, EAT);
    stage.idle(10);
    hold(&mut stage, 1, FRIDGES[1]);
    begin(&mut stage, 1, EAT);
    let mut shared = Vec::new();
    for _ in 0..20 {
        stage.idle(1);
        let told = stage.events().iter().filter(|event| event.kind == "shared_meal");
        shared.extend(told.map(|event| (event.agent, event.other)));
    }
    assert_eq!(shared, [(0, 1)]);
    let tie = stage.state().agents[1].tie(0);
    assert!(tie.trust > 0 && tie.familiarity > micro(0.2));
    assert_eq!(stage.state().agents[2].known, 0);
}

#[test]
fn showers_and_sleep_are_told_and_counted_when_they_end() {
    let mut stage = Stage::new(town_of(2), 1);
    hold(&mut stage, 0, SHOWERS[0]);
    begin(&mut stage, 0, USE_SHOWER);
    hold(&mut stage, 1, BED);
    begin(&mut stage, 1, REST);
    let mut told = Vec::new();
    for tick in 0..210 {
        stage.state_mut().agents[0].needs[0] = ONE;
        stage.idle(1);
        for event in stage.events() {
            if matches!(event.kind, "shower_complete" | "sleep_complete") {
                told.push((event.kind, event.agent, tick));
            }
        }
    }
    assert_eq!(told, [("shower_complete", 0, 29), ("sleep_complete", 1, 199)]);
    assert_eq!(
        (stage.stat("shower_complete_events"), stage.stat("sleep_complete_events")),
        (1.0, 1.0)
    );
}

#[test]
fn a_shower_that_the_power_leaves_is_told_besides() {
    let mut stage = Stage::new(town_of(1), 1);
    hold(&mut stage, 0, SHOWERS[0]);
    begin(&mut stage, 0, USE_SHOWER);
    stage.state_mut().city.no_power = 1;
    stage.idle(1);
    assert_eq!(reasons(&stage, "affordance_fail"), ["utility_outage"]);
    assert_eq!(reasons(&stage, "shower_power_outage").len(), 1);
}
