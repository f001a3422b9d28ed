//! Options whose preconditions cannot hold are not offered, and are given up on the way.

use super::{Stage, town_of};
use crate::config::Document;
use crate::numbers::{ENERGY, NONE, ONE, micro};
use crate::options::{GET_CLEAN, GET_FED, SHOP, SLEEP, WAIT};
use crate::town::MEAL;

/// The default town of two in which a use has these preconditions.
fn town_where(id: &str, preconds: &[&str]) -> Document {
    let mut document = town_of(2);
    let entries = &mut document.affordances.affordances;
    entries.retain(|entry| entry.id != "change_clothes");
    let entry = entries.iter_mut().find(|entry| entry.id == id).expect("a use");
    entry.preconds = preconds.iter().map(|&text| text.to_owned()).collect();
    document
}

fn offered(stage: &Stage, option: u8) -> bool {
    stage.state().agents[0].mask >> option & 1 == 1
}

#[test]
fn an_option_that_can_only_fail_is_not_offered() {
    for (id, option, preconds, expected) in [
        ("use_shower", GET_CLEAN, &["needs.energy >= 0.5"][..], true),
        ("use_shower", GET_CLEAN, &["needs.energy >= 0.99"], false),
        ("use_shower", GET_CLEAN, &["occupied == false and needs.energy >= 0.99"], false),
        ("use_shower", GET_CLEAN, &["occupied == false", "wallet > 1"], true),
        ("use_shower", GET_CLEAN, &["wallet > 100"], false),
        ("use_shower", GET_CLEAN, &["power_on == false"], false),
        ("use_shower", GET_CLEAN, &["object.id == 'shower_2'"], true),
        ("use_shower", GET_CLEAN, &["object.id == 'shower_3'"], false),
        ("buy_groceries", SHOP, &["inventory.food_raw == 0"], false),
        ("buy_groceries", SHOP, &["stock.food_raw > 30"], false),
        ("rest_sleep", SLEEP, &["world.tod > 500"], false),
        // Whose turn it is changes while one waits.
        ("use_shower", GET_CLEAN, &["reservation_active"], true),
        ("use_shower", GET_CLEAN, &["queue_length > 3 or wallet > 100"], true),
    ] {
        let mut stage = Stage::new(town_where(id, preconds), 1);
        stage.idle(1);
        assert_eq!(offered(&stage, option), expected, "{preconds:?}");
    }
}

#[test]
fn a_shower_somebody_uses_is_still_one_to_queue_for() {
    let mut document = town_where("use_shower", &["occupied == false"]);
    document.affordances.objects.retain(|object| object.id != "shower_2");
    document.perturbations.specs.0.clear();
    let mut stage = Stage::new(document, 1);
    while stage.state().agents[1].running == NONE {
        stage.state_mut().agents[1].mask |= 1 << GET_CLEAN;
        let free = stage.state().agents[1].option == WAIT;
        stage.step(&[WAIT.into(), if free { GET_CLEAN } else { WAIT }.into()]);
    }
    assert!(offered(&stage, GET_CLEAN));
}

#[test]
fn a_meal_one_must_not_eat_yet_is_no_reason_to_offer_food() {
    for (hunger, expected) in [(0.4, true), (0.6, false)] {
        let mut stage = Stage::new(town_where("eat_packed", &["needs.hunger < 0.5"]), 1);
        let agent = &mut stage.state_mut().agents[0];
        (agent.wallet, agent.items) = (0, [0; 3]);
        agent.items[MEAL] = 1;
        agent.needs = [micro(hunger), ONE, ONE];
        stage.idle(1);
        assert_eq!(offered(&stage, GET_FED), expected, "{hunger}");
    }
}

#[test]
fn what_stops_holding_on_the_way_ends_the_walk() {
    let mut stage = Stage::new(town_where("use_shower", &["needs.energy >= 0.5"]), 1);
    stage.idle(1);
    stage.step(&[GET_CLEAN.into(), WAIT.into()]);
    stage.idle(3);
    assert_eq!(stage.state().agents[0].option, GET_CLEAN);
    stage.state_mut().agents[0].needs[ENERGY] = micro(0.4);
    stage.idle(1);
    let agent = &stage.state().agents[0];
    assert_eq!((agent.option, agent.last_option, agent.last_success), (WAIT, GET_CLEAN, false));
    assert_eq!(stage.state().tally.failed, 0, "nothing was begun");
}

/// Looking at them costs every agent a little in every tick.
#[test]
fn the_default_town_says_nothing_that_is_not_asked_for_anyway() {
    let stage = Stage::new(town_of(1), 1);
    let town = &stage.world.town;
    assert!(town.affordances.iter().all(|what| what.telling.is_empty()));
    assert!(town.affordances.iter().filter(|what| !what.preconds.is_empty()).count() > 5);
    let mut document = town_where("use_shower", &["power_on == true", "water_on == true"]);
    document.affordances.affordances[0].requires.clear();
    let stage = Stage::new(document, 1);
    assert_eq!(stage.world.town.affordances[0].telling.len(), 2, "nothing else asks for them");
}

#[test]
fn a_use_that_needs_no_object_leads_nowhere() {
    let mut document = town_of(1);
    let entries = &mut document.affordances.affordances;
    entries.retain(|entry| entry.id != "change_clothes");
    entries.iter_mut().filter(|entry| entry.id == "use_shower").for_each(|entry| {
        entry.object_type = None;
        entry.requires.clear();
        entry.preconds.clear();
    });
    let mut stage = Stage::new(document, 1);
    stage.idle(1);
    assert!(!offered(&stage, GET_CLEAN) && offered(&stage, GET_FED));
}
