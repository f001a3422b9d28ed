//! Cooking: what the stove gives, what the cook brings, and what comes back.

use super::{Stage, town_of};
use crate::affordances;
use crate::movement;
use crate::numbers::NONE;
use crate::queues;
use crate::town::{FOOD_RAW, MEAL};

const STOVE: u8 = 14;

/// Purse, own raw food, own meals, and what the stove holds.
fn larder(stage: &Stage) -> (i64, u16, u16, u16) {
    let agent = &stage.state().agents[0];
    let stove = stage.state().things[usize::from(STOVE)];
    (agent.wallet, agent.items[FOOD_RAW], agent.items[MEAL], stove.stock[1])
}

/// Somebody begins to cook, with or without food of its own, at a stove that holds so much.
fn cooking(own: u16, stock: u16) -> Stage {
    let mut stage = Stage::new(town_of(1), 1);
    let town = std::sync::Arc::clone(&stage.world.town);
    let state = stage.state_mut();
    state.agents[0].items[FOOD_RAW] = own;
    state.things[usize::from(STOVE)].stock[1] = stock;
    movement::go(state, 0, town.grid.tile(12, 11), false);
    queues::request(&town, state, 0, STOVE);
    queues::assign(&town, state, STOVE);
    affordances::start(&town, state, 0, town.roles.cook);
    stage
}

#[test]
fn the_stove_gives_its_part_whoever_brings_the_food() {
    for (own, paid) in [(1, 0), (0, 150_000)] {
        let mut stage = cooking(own, 3);
        let (wallet, ..) = larder(&stage);
        assert_eq!(larder(&stage), (2_250_000 - paid, 0, 0, 2));
        stage.idle(41);
        assert_eq!(larder(&stage), (wallet, 0, 2, 2));
    }
}

#[test]
fn a_power_cut_gives_back_the_food_and_the_stock() {
    for own in [1, 0] {
        let mut stage = cooking(own, 3);
        stage.idle(5);
        stage.state_mut().city.no_power = 1;
        stage.idle(1);
        assert_eq!(stage.state().agents[0].running, NONE);
        assert_eq!(larder(&stage), (2_250_000, own, 0, 3));
    }
}

#[test]
fn nobody_cooks_at_an_empty_stove() {
    let stage = cooking(1, 0);
    assert_eq!(stage.state().agents[0].running, NONE);
    assert_eq!(larder(&stage), (2_250_000, 1, 0, 0));
    let failed = stage.events().iter().find(|event| event.kind == "affordance_fail");
    assert_eq!(failed.map(|event| event.reason), Some("no_ingredients"));
}
