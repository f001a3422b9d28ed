//! Maps in every variant: the agent in the middle, north above, nothing beyond the grid.

use super::{Stage, town_of};
use crate::agent::Tie;
use crate::config::{ActionMode, Document, Variant};
use crate::movement;
use crate::numbers::{NONE, micro};
use crate::queues;
use crate::spawn::STOIC;

/// Two agents near the showers at (20, 20) and (22, 20); the second holds the first shower.
fn stage(document: Document) -> Stage {
    let mut stage = Stage::new(document, 1);
    let town = std::sync::Arc::clone(&stage.world.town);
    let state = stage.state_mut();
    movement::go(state, 0, town.grid.tile(21, 22), false);
    movement::go(state, 1, town.grid.tile(19, 20), false);
    queues::request(&town, state, 1, 10);
    queues::assign(&town, state, 10);
    assert_eq!(state.agents[1].holding, 10);
    stage.look();
    stage
}

fn with(variant: Variant) -> Document {
    let mut document = town_of(2);
    document.features.systems.observations = variant;
    document
}

fn channels(stage: &Stage) -> usize {
    let sight = &stage.world.town.sight;
    sight.map / (sight.window * sight.window)
}

/// Cells of a channel of the first agent's map that are not 0, as offsets from the agent.
fn marks(stage: &Stage, channel: usize) -> Vec<(i32, i32, f32)> {
    let side = stage.world.town.sight.window;
    let cells = &stage.obs[channel * side * side..][..side * side];
    let half = side as i32 / 2;
    let place = |at: usize| ((at % side) as i32 - half, (at / side) as i32 - half);
    let marked = cells.iter().enumerate().filter(|(_, value)| **value != 0.0);
    marked.map(|(at, &value)| (place(at).0, place(at).1, value)).collect()
}

#[test]
fn the_first_four_channels_are_the_same_in_all_variants() {
    for variant in [Variant::Hybrid, Variant::Full, Variant::Compact] {
        let stage = stage(with(variant));
        assert_eq!(marks(&stage, 0), [(0, 0, 1.0)], "self");
        assert_eq!(marks(&stage, 1), [(-2, -2, 1.0)], "the other agent, not this one");
        assert_eq!(marks(&stage, 2), [(-1, -2, 1.0), (1, -2, 1.0)], "two showers");
        assert_eq!(marks(&stage, 3), [(-1, -2, 1.0)], "the shower that is held");
    }
}

#[test]
fn paths_lead_one_step_closer_from_every_tile() {
    let mut stage = stage(with(Variant::Full));
    assert!(marks(&stage, 4).is_empty() && marks(&stage, 5).is_empty(), "no target, no path");
    let goal = 11;
    stage.state_mut().agents[0].target = goal;
    stage.look();
    let town = std::sync::Arc::clone(&stage.world.town);
    let (side, half) = (town.sight.window, town.sight.window as i32 / 2);
    let mut steps = 0;
    for at in 0..side * side {
        let (x, y) = (21 - half + (at % side) as i32, 22 - half + (at / side) as i32);
        let tile = town.grid.tile(x as u16, y as u16);
        let [dx, dy] = [4, 5].map(|channel| stage.obs[channel * side * side + at] as i32);
        if (dx, dy) == (0, 0) || town.grid.walkable[usize::from(tile)] == 0 {
            continue;
        }
        assert_eq!(dx.abs() + dy.abs(), 1);
        let next = town.grid.tile((x + dx) as u16, (y + dy) as u16);
        let distance = |tile: u16| town.distance(usize::from(goal), tile);
        assert_eq!(distance(next) + 1, distance(tile), "from ({x}, {y})");
        steps += 1;
    }
    assert!(steps > 100, "nearly every tile has a way: {steps}");
    let hints = &stage.obs[town.sight.map + 25..][..4];
    assert_eq!(hints.iter().sum::<f32>(), 1.0, "one way to go");
}

#[test]
fn the_compact_map_tells_objects_and_floor_apart() {
    let mut document = with(Variant::Compact);
    document.observations.compact.object_channels = vec!["till".to_owned(), "shower".to_owned()];
    let stage = stage(document);
    assert_eq!(channels(&stage), 7);
    assert!(marks(&stage, 4).is_empty(), "no till is near");
    assert_eq!(marks(&stage, 5), marks(&stage, 2), "only showers are near");
    let floor = marks(&stage, 6);
    assert_eq!(floor.len(), 7 * 7 - 2);
    assert!(!floor.contains(&(-1, -2, 1.0)), "nobody walks through a shower");
}

#[test]
fn beyond_the_grid_there_is_nothing() {
    let mut document = with(Variant::Compact);
    document.observations.compact.map_window = 5;
    let mut stage = Stage::new(document, 1);
    let corner = stage.world.town.grid.tile(0, 47);
    movement::go(stage.state_mut(), 0, corner, false);
    stage.look();
    for channel in 0..channels(&stage) {
        for (dx, dy, _) in marks(&stage, channel) {
            assert!(dx >= 0 && dy <= 0, "channel {channel} shows ({dx}, {dy})");
        }
    }
    assert_eq!(marks(&stage, 4).len(), 9, "the floor of a corner");
}

#[test]
fn without_a_window_there_are_only_features() {
    let mut document = with(Variant::Compact);
    document.observations.compact.map_window = 0;
    let stage = Stage::new(document, 1);
    assert_eq!((stage.world.town.sight.map, stage.layout.obs), (0, 120));
    assert_eq!(stage.obs[0], 0.8, "the first feature is hunger");
}

#[test]
fn rivals_count_from_the_same_rivalry_for_everyone() {
    for profile in [0, STOIC] {
        for (rivalry, count) in [(0.49, 0.0), (0.5, 1.0)] {
            let mut stage = Stage::new(town_of(2), 1);
            let agent = &mut stage.state_mut().agents[0];
            agent.profile = profile;
            agent.ties[0] = Tie { other: 1, rivalry: micro(rivalry), ..Tie::default() };
            agent.known = 1;
            stage.look();
            assert_eq!(stage.obs[stage.world.town.sight.map + 19], count / 6.0);
        }
    }
}

/// Success and duration of the last act of a seat, as it sees them: the latter in ticks.
fn last_act(stage: &Stage, seat: usize) -> (bool, f32) {
    let features = &stage.obs[seat * stage.layout.obs as usize + stage.world.town.sight.map..];
    (features[21] == 1.0, features[22] * 60.0)
}

fn stepwise() -> Document {
    let mut document = town_of(2);
    document.policy_runtime.action_mode = ActionMode::Primitive;
    document
}

#[test]
fn a_step_that_was_refused_is_no_success() {
    let mut stage = Stage::new(stepwise(), 1);
    let town = std::sync::Arc::clone(&stage.world.town);
    for (seat, x) in [30, 32].into_iter().enumerate() {
        movement::go(stage.state_mut(), seat, town.grid.tile(x, 42), false);
    }
    stage.step(&[2, 4]);
    let between = town.grid.tile(31, 42);
    for seat in 0..2 {
        let went = stage.state().agents[seat].tile == between;
        assert_eq!(last_act(&stage, seat), (went, 1.0));
    }
    assert_ne!(last_act(&stage, 0), last_act(&stage, 1), "one of them went");
}

#[test]
fn a_use_has_lasted_as_long_as_it_ran() {
    let (shower, wash, release) = (10, 9, 13);
    for (trouble, ticks) in [("", 30), ("outage", 12), ("facility_closure", 12)] {
        let mut stage = Stage::new(stepwise(), 1);
        let town = std::sync::Arc::clone(&stage.world.town);
        let state = stage.state_mut();
        movement::go(state, 0, town.grid.tile(20, 21), false);
        queues::request(&town, state, 0, shower);
        queues::assign(&town, state, shower);
        let target = if trouble == "facility_closure" { "\"shower_1\"" } else { "null" };
        // Ordered events begin with the tick after the next one.
        let starts_in = if trouble == "outage" { 10 } else { 11 };
        crate::masks::refresh(&town, stage.state_mut());
        if !trouble.is_empty() {
            stage.order(&format!(
                r#"{{"perturbation_trigger": {{"spec": "{trouble}", "starts_in": {starts_in},
                   "duration": 30, "target": {target}, "magnitude": null}}}}"#
            ));
        }
        stage.step(&[wash, 0]);
        assert_ne!(stage.state().agents[0].running, NONE);
        let mut ran = 1;
        while stage.state().agents[0].running != NONE {
            // Waiting for it is no act, nor is what cannot be done meanwhile.
            stage.step(&[if ran % 2 == 0 { 0 } else { release }, 0]);
            ran += 1;
        }
        let found = (last_act(&stage, 0).0, last_act(&stage, 0).1.round() as i32);
        assert_eq!(found, (trouble.is_empty(), ticks), "{trouble}");
    }
}
