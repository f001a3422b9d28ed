//! Drama, spoilage and patience: each set up to show one rule that is off by default.

use super::{Stage, town_of};
use crate::agent::{TIES, Tie};
use crate::config::Document;
use crate::drama;
use crate::movement;
use crate::numbers::{NONE, ONE, micro};
use crate::options::{GET_CLEAN, SLEEP, WAIT};
use crate::queues;
use crate::town::MEAL;

/// The first shower.
const SHOWER: u8 = 10;

fn dramatic(agents: u16) -> Document {
    let mut document = town_of(agents);
    document.features.drama.enabled = true;
    document.conflict.rivalry.decay_per_tick = 0.0;
    document
}

fn detest(stage: &mut Stage, [owner, other]: [usize; 2], rivalry: f64) {
    let agent = &mut stage.state_mut().agents[owner];
    agent.ties = [Tie::default(); TIES];
    agent.ties[0] = Tie { other: other as u8, rivalry: micro(rivalry), ..Tie::default() };
    agent.known = 1;
}

/// Two agents beside the first shower, in its queue: the first one has it.
fn queued(document: Document) -> Stage {
    let mut stage = Stage::new(document, 1);
    let town = std::sync::Arc::clone(&stage.world.town);
    let state = stage.state_mut();
    for (seat, x) in [(0, 19), (1, 21)] {
        let tile = town.grid.tile(x, 20);
        movement::go(state, seat, tile, false);
        state.agents[seat].needs = [ONE; 3];
        queues::request(&town, state, seat, SHOWER);
        queues::assign(&town, state, SHOWER);
    }
    assert_eq!((state.agents[0].holding, state.agents[1].waiting), (SHOWER, SHOWER));
    stage
}

fn heard(stage: &Stage, kind: &str) -> usize {
    stage.events().iter().filter(|event| event.kind == kind).count()
}

#[test]
fn rivals_in_one_queue_argue_and_lose_nothing_but_time() {
    let run = |rivalry: f64| {
        let mut stage = queued(dramatic(2));
        detest(&mut stage, [1, 0], rivalry);
        stage.idle(1);
        let argued = heard(&stage, "public_argument");
        let before = stage.reward.clone();
        let mut held = 0;
        while drama::argues(stage.state(), 0) {
            assert_eq!(stage.state().agents[0].mask, 1, "nothing else can be done");
            assert!(drama::argues(stage.state(), 1));
            assert_eq!(stage.state().agents[1].tie(0).rivalry, micro(rivalry));
            stage.step(&[i32::from(GET_CLEAN); 2]);
            held += 1;
        }
        (argued, held, before)
    };
    let (quiet, _, rewards) = run(0.69);
    assert_eq!(quiet, 0);
    let (argued, held, same) = run(0.7);
    assert_eq!((argued, held), (1, 5));
    assert_eq!(rewards, same, "it costs no reward");
}

#[test]
fn nobody_argues_again_at_once_and_the_desperate_never() {
    let mut stage = queued(dramatic(2));
    detest(&mut stage, [1, 0], 0.8);
    let mut arguments = Vec::new();
    for tick in 0..300 {
        let state = stage.state_mut();
        // Both stand there for ever.
        for agent in &mut state.agents {
            agent.held_since = state.tick;
            agent.joined = state.tick;
        }
        stage.idle(1);
        if heard(&stage, "public_argument") > 0 {
            arguments.push(tick);
        }
    }
    assert_eq!(arguments, [0, 126, 252]);
    let mut stage = queued(dramatic(2));
    detest(&mut stage, [1, 0], 0.8);
    stage.state_mut().agents[1].needs = [micro(0.1); 3];
    stage.idle(1);
    assert_eq!(heard(&stage, "public_argument"), 0);
}

#[test]
fn the_angrier_one_storms_off_and_stays_away() {
    let mut stage = queued(dramatic(2));
    detest(&mut stage, [0, 1], 0.75);
    detest(&mut stage, [1, 0], 0.95);
    for _ in 0..6 {
        stage.idle(1);
    }
    let left = stage.events().iter().find(|event| event.kind == "rage_quit").expect("a scene");
    assert_eq!((left.agent, left.other, left.object), (1, 0, SHOWER));
    let state = stage.state();
    assert_eq!((state.agents[1].waiting, state.agents[0].holding), (NONE, SHOWER));
    let row = stage.world.town.objects.len() + usize::from(SHOWER);
    assert_eq!(state.cooldowns[row], state.tick + state.hot.queue.blocker);
    assert_eq!(state.annex.counts.rage_quits, 1);
    assert_eq!(state.annex.people[1].failures, 1);
}

#[test]
fn whoever_leaves_town_leaves_the_other_alone() {
    let mut stage = queued(dramatic(2));
    detest(&mut stage, [1, 0], 0.95);
    stage.order(r#"{"kill": {"agent_id": "resident_01"}}"#);
    stage.idle(1);
    assert!(drama::argues(stage.state(), 1));
    stage.idle(1);
    assert_eq!(stage.terminated[0], 1);
    assert!(!drama::argues(stage.state(), 1));
    assert_eq!(stage.state().annex.people[1].opponent, NONE);
}

#[test]
fn three_failures_make_a_bad_day_which_sleep_ends() {
    let mut stage = Stage::new(dramatic(1), 1);
    let town = std::sync::Arc::clone(&stage.world.town);
    for (failures, reason) in
        ["power_off", "released", "no_ingredients", "water_off"].into_iter().enumerate()
    {
        let person = &stage.state().annex.people[0];
        assert!(!person.spirals, "after {failures}");
        drama::failed(&town, stage.state_mut(), 0, reason);
    }
    assert!(stage.state().annex.people[0].spirals, "what an operator breaks off does not count");
    let steps = |stage: &mut Stage| {
        let far = town.grid.tile(4, 25);
        movement::go(stage.state_mut(), 0, far, false);
        let ticks = (1..200).find(|_| {
            stage.state_mut().agents[0].needs = [ONE, ONE, micro(0.2)];
            stage.step(&[i32::from(SLEEP)]);
            stage.state().agents[0].running != NONE
        });
        ticks.expect("it goes to bed")
    };
    let slow = steps(&mut stage);
    stage.step(&[i32::from(WAIT)]);
    stage.idle(210);
    assert!(!stage.state().annex.people[0].spirals && stage.state().agents[0].done[3] == 1);
    stage.idle(70);
    let brisk = steps(&mut stage);
    assert!(slow >= 2 * brisk - 6, "{slow} ticks and {brisk}");
    drama::failed(&town, stage.state_mut(), 0, "power_off");
    while stage.state().tod(&town) != 1 {
        stage.state_mut().agents[0].needs = [ONE; 3];
        stage.idle(1);
    }
    assert_eq!(stage.state().annex.people[0].failures, 0, "a new day");
}

#[test]
fn meals_in_a_bag_go_bad_after_half_a_day() {
    let mut document = town_of(1);
    document.features.spoilage.enabled = true;
    let mut stage = Stage::new(document, 1);
    stage.idle(20);
    stage.state_mut().agents[0].items[MEAL] = 2;
    stage.idle(100);
    stage.state_mut().agents[0].items[MEAL] += 1;
    let mut gone = Vec::new();
    for _ in 0..600 {
        stage.state_mut().agents[0].needs = [ONE; 3];
        stage.idle(1);
        for event in stage.events().iter().filter(|event| event.kind == "meal_spoiled") {
            gone.push((event.tick, event.value));
        }
    }
    assert_eq!(gone, [(520, 2.0), (620, 1.0)]);
    assert_eq!(stage.state().agents[0].items[MEAL], 0);
    assert_eq!(stage.stat("meals_spoiled"), 3.0);
}

/// How often the first of three comes before the others, by what it is set to.
fn firsts(patience: f64) -> u32 {
    let mut document = town_of(3);
    document.features.patience = true;
    let mut stage = Stage::new(document, 1);
    let town = std::sync::Arc::clone(&stage.world.town);
    let mut first = 0;
    for _ in 0..200 {
        let state = stage.state_mut();
        for seat in 0..3 {
            queues::leave(&town, state, seat);
            state.annex.people[seat].patience = if seat == 0 { micro(patience) } else { 0 };
        }
        crate::patience::bid(&town, state);
        for seat in [1, 0, 2] {
            queues::request(&town, state, seat, SHOWER);
        }
        queues::assign(&town, state, SHOWER);
        first += u32::from(state.agents[0].holding == SHOWER);
    }
    first
}

#[test]
fn the_patient_come_first_and_equals_by_chance() {
    assert_eq!((firsts(0.6), firsts(-0.6)), (200, 0));
    assert!((40..=95).contains(&firsts(0.0)), "{}", firsts(0.0));
    let between = firsts(0.15);
    assert!((100..200).contains(&between), "{between}");
}

#[test]
fn the_patient_get_the_tile_that_two_want() {
    let mut document = town_of(2);
    document.features.patience = true;
    let mut stage = Stage::new(document, 1);
    let town = std::sync::Arc::clone(&stage.world.town);
    let tile = |x: u16| town.grid.tile(x, 30);
    for winner in [0, 1, 0, 1, 1, 0] {
        let state = stage.state_mut();
        for (seat, x) in [(0, 20), (1, 22)] {
            movement::go(state, seat, tile(x), false);
            state.annex.people[seat].patience = if seat == winner { ONE } else { 0 };
        }
        crate::patience::bid(&town, state);
        movement::resolve(&town, state, &[crate::options::Intent::Move(tile(21)); 2]);
        assert_eq!(state.agents[winner].tile, tile(21));
        assert_ne!(state.agents[1 - winner].tile, tile(21));
    }
}

#[test]
fn habits_are_drawn_from_the_seed_and_the_name_alone() {
    let habits = |agents: u16, seed: u64| {
        let mut document = town_of(agents);
        document.features.patience = true;
        let people = Stage::new(document, seed).state().annex.people.clone();
        people.iter().map(|person| (person.patience, person.frugal)).collect::<Vec<_>>()
    };
    let many = habits(8, 1);
    assert_eq!(many[..4], habits(4, 1), "whoever else is there");
    assert_ne!(many, habits(8, 2));
    assert!(many.iter().all(|&(patience, frugal)| patience.abs().max(frugal.abs()) <= ONE));
    assert!(many.iter().any(|habit| habit.0 > 0) && many.iter().any(|habit| habit.0 < 0));
}
