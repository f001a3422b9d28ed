//! Queues under any sequence of requests, releases, departures and time.

use proptest::prelude::*;

use super::{Stage, town_of};
use crate::numbers::{NONE, ONE};
use crate::queues;
use crate::sound::check;
use crate::town::Town;

const SEATS: usize = 6;
/// A shower, a fridge and a stove.
const OBJECTS: [u8; 3] = [10, 12, 14];

#[derive(Clone, Copy, Debug)]
enum Act {
    Request(usize, usize),
    Release(usize, bool),
    Leave(usize),
    Pass(u32),
    Like(usize, usize),
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let act = prop_oneof![
        4 => (0..SEATS, 0..OBJECTS.len()).prop_map(|(seat, object)| Act::Request(seat, object)),
        2 => (0..SEATS, any::<bool>()).prop_map(|(seat, well)| Act::Release(seat, well)),
        1 => (0..SEATS).prop_map(Act::Leave),
        3 => (1u32..50).prop_map(Act::Pass),
        1 => (0..SEATS, 0..SEATS).prop_map(|(a, b)| Act::Like(a, b)),
    ];
    prop::collection::vec(act, 1..200)
}

fn queue(town: &Town, stage: &Stage, object: u8) -> Vec<u8> {
    let index = usize::from(object);
    stage.state().queues[index * town.seats..][..usize::from(stage.state().things[index].waiting)]
        .to_vec()
}

fn apply(town: &Town, stage: &mut Stage, act: Act) {
    let state = stage.state_mut();
    match act {
        Act::Request(seat, object) => {
            queues::request(town, state, seat, OBJECTS[object]);
            queues::assign(town, state, OBJECTS[object]);
        }
        Act::Release(seat, well) => queues::release(town, state, seat, well),
        Act::Leave(seat) => queues::leave(town, state, seat),
        Act::Pass(ticks) => {
            state.tick += ticks;
            queues::watch(town, state);
        }
        Act::Like(a, b) => {
            let change =
                crate::relations::Change { trust: ONE / 2, familiarity: ONE / 2, rivalry: 0 };
            crate::relations::change(town, state, [a, b], change, false);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn every_waiter_is_passed_at_most_once_by_each_other(acts in acts(), seed in 0u64..1000) {
        let mut stage = Stage::new(town_of(SEATS as u16), seed);
        let town = std::sync::Arc::clone(&stage.world.town);
        let mut passed = [[0u8; SEATS]; SEATS];
        for act in acts {
            let before: Vec<Vec<u8>> = OBJECTS.iter().map(|&object| queue(&town, &stage, object)).collect();
            let joined: Vec<(u8, u32)> = stage.state().agents.iter().map(|agent| (agent.waiting, agent.joined)).collect();
            let held: Vec<u8> = OBJECTS.iter().map(|&object| stage.state().things[usize::from(object)].holder).collect();
            apply(&town, &mut stage, act);
            prop_assert_eq!(check(&town, stage.state()), Ok(()));
            for seat in 0..SEATS {
                let agent = &stage.state().agents[seat];
                prop_assert!(agent.holding == NONE || agent.waiting == NONE);
                if (agent.waiting, agent.joined) != joined[seat] {
                    passed[seat] = [0; SEATS];
                }
            }
            for (at, &object) in OBJECTS.iter().enumerate() {
                let holder = stage.state().things[usize::from(object)].holder;
                if holder == NONE || holder == held[at] {
                    continue;
                }
                let place = before[at].iter().position(|&seat| seat == holder).unwrap_or(0);
                for &ahead in &before[at][..place] {
                    let waiter = usize::from(ahead);
                    if stage.state().agents[waiter].waiting == object {
                        passed[waiter][usize::from(holder)] += 1;
                        prop_assert!(passed[waiter][usize::from(holder)] <= 1);
                    }
                }
            }
        }
    }
}

#[test]
fn a_cooldown_refuses_and_a_failure_clears_it() {
    let mut stage = Stage::new(town_of(2), 1);
    let town = std::sync::Arc::clone(&stage.world.town);
    apply(&town, &mut stage, Act::Request(0, 0));
    assert_eq!(stage.state().agents[0].holding, OBJECTS[0]);
    apply(&town, &mut stage, Act::Release(0, true));
    apply(&town, &mut stage, Act::Request(0, 0));
    assert_eq!(stage.state().agents[0].holding, NONE);
    assert_eq!(stage.state().tally.cooldowns, 1);
    apply(&town, &mut stage, Act::Pass(61));
    apply(&town, &mut stage, Act::Request(0, 0));
    assert_eq!(stage.state().agents[0].holding, OBJECTS[0]);
    // Whoever uses it well must wait, however it was before; whoever fails may come back at once,
    // also if it had to wait until now.
    let place = usize::from(OBJECTS[0]);
    stage.state_mut().cooldowns[place] = 1000;
    apply(&town, &mut stage, Act::Release(0, false));
    assert_eq!(stage.state().cooldowns[place], 0);
    apply(&town, &mut stage, Act::Request(0, 0));
    assert_eq!(stage.state().agents[0].holding, OBJECTS[0]);
    assert_eq!(stage.state().tally.cooldowns, 1);
}

#[test]
fn a_use_that_cannot_begin_clears_the_cooldown_too() {
    let mut stage = Stage::new(town_of(1), 1);
    let town = std::sync::Arc::clone(&stage.world.town);
    let place = usize::from(OBJECTS[0]);
    let beside = town.grid.step(town.objects[place].tile, 2).expect("a tile");
    crate::movement::go(stage.state_mut(), 0, beside, false);
    apply(&town, &mut stage, Act::Request(0, 0));
    stage.state_mut().cooldowns[place] = 1000;
    stage.state_mut().agents[0].wallet = 0;
    crate::affordances::start(&town, stage.state_mut(), 0, 0);
    let failed = stage.events().iter().find(|event| event.kind == "affordance_fail");
    assert_eq!(failed.expect("told").reason, "insufficient_funds");
    apply(&town, &mut stage, Act::Request(0, 0));
    assert_eq!(stage.state().agents[0].holding, OBJECTS[0], "with money it could begin at once");
}

#[test]
fn whoever_waits_in_vain_for_a_shower_resents_it() {
    for (object, blocked) in [(0, true), (1, false)] {
        let mut document = town_of(2);
        document.features.relationship_modifiers = false;
        let mut stage = Stage::new(document, 1);
        let town = std::sync::Arc::clone(&stage.world.town);
        for seat in 0..2 {
            apply(&town, &mut stage, Act::Request(seat, object));
        }
        stage.state_mut().agents[0].running = 0;
        let known = stage.state().agents[1].tie(0);
        apply(&town, &mut stage, Act::Pass(120));
        assert_eq!(stage.state().agents[1].waiting, OBJECTS[object], "not a tick before");
        apply(&town, &mut stage, Act::Pass(1));
        assert_eq!(stage.state().agents[1].waiting, NONE);
        let found = stage.state().agents[1].tie(0);
        // The friction of the queue besides: 0.4 times an intensity of 0.4.
        let rivalry = 160_000 + if blocked { 150_000 } else { 0 };
        assert_eq!(found.rivalry - known.rivalry, rivalry);
        assert_eq!(found.familiarity - known.familiarity, if blocked { -50_000 } else { 0 });
        let other = stage.state().agents[0].tie(1);
        assert_eq!(other.rivalry, 2 * 160_000, "who used it has not been wronged");
        let causes: Vec<_> = stage.state().chronicle.newest().map(|one| one.cause).collect();
        assert_eq!(causes.contains(&4), blocked, "blocked_shower");
    }
}

#[test]
fn a_holder_that_does_not_come_closer_makes_room_but_a_running_one_never() {
    let mut stage = Stage::new(town_of(2), 1);
    let town = std::sync::Arc::clone(&stage.world.town);
    for seat in 0..2 {
        apply(&town, &mut stage, Act::Request(seat, 0));
    }
    let [first, second] = [0, 1];
    stage.state_mut().agents[first].running = 0;
    for _ in 0..5 {
        apply(&town, &mut stage, Act::Pass(1));
    }
    assert_eq!(stage.state().agents[first].holding, OBJECTS[0]);
    stage.state_mut().agents[first].running = NONE;
    for _ in 0..3 {
        apply(&town, &mut stage, Act::Pass(1));
    }
    assert_eq!(stage.state().agents[second].holding, OBJECTS[0]);
    assert_eq!(stage.state().agents[first].waiting, OBJECTS[0]);
    assert_eq!(stage.state().tally.ghosts, 1);
}
