//! Weather and warmth: how often it comes, what it costs, whom it drives out.

use super::{Stage, town_of};
use crate::config::Document;
use crate::events::bit;
use crate::movement;
use crate::numbers::{ONE, micro};
use crate::options::{GO_HOME, WAIT};
use crate::weather::{self, Sky};

/// A town whose every day is like this.
fn always(sky: Sky, agents: u16) -> Document {
    let mut document = town_of(agents);
    let weather = &mut document.features.weather;
    weather.enabled = true;
    weather.warmth = true;
    let of = |one: Sky| f64::from(u8::from(one == sky));
    weather.chances.sunny = of(Sky::Sunny);
    weather.chances.rainy = of(Sky::Rainy);
    weather.chances.cold = of(Sky::Cold);
    document
}

fn put(stage: &mut Stage, seat: usize, [x, y]: [u16; 2]) {
    let tile = stage.world.town.grid.tile(x, y);
    movement::go(stage.state_mut(), seat, tile, false);
}

fn rain(stage: &mut Stage, on: bool) -> Vec<(&'static str, &'static str)> {
    stage.order(&format!(r#"{{"rain": {{"on": {on}}}}}"#));
    stage.idle(1);
    stage.events().iter().map(|event| (event.kind, event.reason)).collect()
}

#[test]
fn days_get_their_weather_as_often_as_they_should() {
    let mut document = town_of(1);
    document.features.weather.enabled = true;
    let mut stage = Stage::new(document, 5);
    let town = std::sync::Arc::clone(&stage.world.town);
    let state = stage.state_mut();
    let (mut days, mut changes) = ([0u32; 3], 0);
    let mut before = weather::now(state);
    for day in 1..=4000 {
        state.tick = day * town.day;
        state.log.clear();
        weather::dawn(&town, state);
        let sky = weather::now(state);
        assert_eq!(state.log.events.len(), usize::from(sky != before), "told when it changes");
        changes += state.log.events.len();
        before = sky;
        days[sky as usize] += 1;
        state.tick += 1;
        weather::dawn(&town, state);
        assert_eq!(weather::now(state), before, "one weather a day");
    }
    for (found, share) in days.into_iter().zip([0.7, 0.2, 0.1]) {
        assert!((f64::from(found) / 4000.0 - share).abs() < 0.03, "{days:?}");
    }
    assert!(changes > 1000);
}

/// Ticks until the agent of a lone town is home.
fn way_home(sky: Sky, from: [u16; 2]) -> u32 {
    let mut stage = Stage::new(always(sky, 1), 1);
    put(&mut stage, 0, from);
    let home = stage.world.town.homes[0];
    (1..500)
        .find(|_| {
            stage.step(&[i32::from(GO_HOME)]);
            stage.state().agents[0].tile == home
        })
        .expect("it comes home")
}

#[test]
fn a_step_in_the_rain_costs_two_ticks_and_one_under_a_roof_does_not() {
    let (home, dry) = ([4, 5], way_home(Sky::Sunny, [4, 25]));
    assert_eq!(dry, 20);
    // The last two tiles beside the bed are under its roof, and so is the one it starts from.
    assert_eq!(way_home(Sky::Rainy, [4, 25]), 20 + 18);
    assert_eq!(way_home(Sky::Rainy, [home[0], home[1] + 1]), 1);
    assert_eq!(way_home(Sky::Cold, [4, 25]), dry, "only rain does");
}

#[test]
fn roofs_reach_two_tiles_and_neither_over_roads_nor_over_the_park() {
    let mut document = always(Sky::Cold, 1);
    let mut rows = vec![".".repeat(48); 48];
    rows[22] = "=".repeat(48);
    document.world.layout = Some(rows);
    let stage = Stage::new(document, 1);
    let town = &stage.world.town;
    let roofed = |x: u16, y: u16| town.sheltered(town.grid.tile(x, y));
    assert!(roofed(4, 5) && roofed(6, 6) && !roofed(6, 7), "beside a bed");
    assert!(roofed(20, 21) && !roofed(20, 22), "a road beside a shower");
    assert!(!roofed(24, 37), "beside a bench of the park");
    let plain = Stage::new(town_of(1), 1);
    assert!(plain.world.town.roofs.is_empty(), "no weather, no roofs");
}

#[test]
fn an_operator_lets_it_rain_where_there_is_weather() {
    let mut stage = Stage::new(always(Sky::Sunny, 1), 1);
    let told = rain(&mut stage, true);
    assert_eq!(told[..2], [("weather_changed", "rainy"), ("command_applied", "")]);
    stage.idle(2000);
    assert_eq!(weather::now(stage.state()), Sky::Rainy, "until it is taken back");
    assert!(
        crate::portrait::draw(&stage.world.town, stage.state())
            .contains(r#""weather":{"now":"rainy","ordered":true}"#)
    );
    assert_eq!(rain(&mut stage, false)[0], ("weather_changed", "sunny"));
    let mut plain = Stage::new(town_of(1), 1);
    assert_eq!(rain(&mut plain, true)[0], ("command_refused", "E_DISABLED"));
    assert!(!crate::portrait::draw(&plain.world.town, plain.state()).contains("weather"));
}

/// One in the open and one at home, both standing still; what is seen when the first leaves.
#[test]
fn who_stays_out_in_the_cold_is_driven_out_of_town() {
    let mut stage = Stage::new(always(Sky::Cold, 2), 1);
    put(&mut stage, 0, [44, 44]);
    let mut left = None;
    for _ in 0..400 {
        let warmth = stage.state().annex.people[0].warmth;
        for agent in &mut stage.state_mut().agents {
            agent.needs = [ONE; 3];
        }
        stage.step(&[i32::from(WAIT); 2]);
        if stage.terminated[0] == 1 {
            left = Some((stage.state().tick - 1, warmth, stage.bits[0], stage.terms[9]));
            break;
        }
    }
    let (tick, warmth, bits, penalty) = left.expect("it is too cold");
    // 238 ticks until warmth is below 0.05, of which the last is the first of thirty.
    assert_eq!(tick, 237 + 29);
    assert!(warmth < micro(0.05) && bits & bit("exposure") != 0);
    assert_eq!(penalty, -1.0);
    assert_eq!(stage.stat("exposures"), 1.0);
    assert_eq!(stage.state().annex.people[1].warmth, ONE, "at home it is warm");
}

#[test]
fn nobody_freezes_under_a_roof_or_where_nobody_may_die() {
    let mut stage = Stage::new(always(Sky::Cold, 1), 1);
    stage.order(r#"{"setneed": {"agent_id": "resident_01", "need": "warmth", "value": 0.01}}"#);
    stage.idle(60);
    assert_eq!(stage.stat("exits"), 0.0);
    assert_eq!(stage.state().annex.people[0].warmth, ONE);
    stage.order(r#"{"toggle_mortality": {"on": false}}"#);
    put(&mut stage, 0, [44, 44]);
    stage.idle(400);
    assert_eq!((stage.stat("exits"), stage.state().annex.people[0].warmth), (0.0, 0));
}

#[test]
fn careful_citizens_bear_any_weather() {
    for sky in [Sky::Rainy, Sky::Cold] {
        let mut stage = Stage::new(always(sky, 8), 2);
        stage.live(10_000);
        assert_eq!(stage.stat("exits"), 0.0, "{sky:?}: {:?}", stage.stats);
        assert!(stage.stat("on_time_share") >= 0.85, "{sky:?}: {:?}", stage.stats);
    }
}

#[test]
fn the_weather_is_seen_where_that_is_asked_for() {
    let mut document = always(Sky::Rainy, 1);
    document.observations.include_weather = true;
    let mut stage = Stage::new(document, 1);
    assert_eq!(stage.layout.obs, Stage::new(town_of(1), 1).layout.obs + 4);
    put(&mut stage, 0, [20, 30]);
    stage.state_mut().annex.people[0].warmth = ONE / 4;
    stage.step(&[i32::from(GO_HOME)]);
    let seen = |stage: &Stage| stage.obs[stage.layout.obs as usize - 4..].to_vec();
    assert_eq!(seen(&stage), [1.0, 0.0, 0.27, 1.0], "it has just stepped into the wet");
    stage.step(&[i32::from(GO_HOME)]);
    assert_eq!(seen(&stage), [1.0, 0.0, 0.29, 0.0]);
}
