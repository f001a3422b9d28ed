//! Whoever an operator holds: it may only wait, and does nothing by itself.

use super::{Stage, town_of};
use crate::config::{ActionMode, NightlyReset, Switch};
use crate::movement;
use crate::numbers::{NONE, ONE};
use crate::options::{GET_CLEAN, SLEEP, WAIT};

/// Primitives: start the first thing that can be done, and ask for the nearest object.
const START: i32 = 9;
const REQUEST: i32 = 5;

fn possess(stage: &mut Stage, id: &str, acquire: bool) -> &'static str {
    stage.order(&format!(r#"{{"possess": {{"agent_id": "{id}", "acquire": {acquire}}}}}"#));
    stage.idle(1);
    let told = stage.events().iter().find(|event| event.kind.starts_with("command_"));
    told.map(|event| event.reason).expect("an answer")
}

fn choices(stage: &Stage, seat: usize) -> Vec<usize> {
    let width = stage.layout.choices() as usize;
    let row = &stage.mask[seat * width..][..width];
    (0..width).filter(|&choice| row[choice] == 1).collect()
}

/// Whether an agent is shown that its context is new.
fn fresh(stage: &Stage, seat: usize) -> bool {
    let width = stage.layout.obs as usize;
    stage.obs[seat * width + stage.world.town.sight.map + 16] == 1.0
}

#[test]
fn whoever_is_possessed_may_only_wait_and_is_told_so() {
    for mode in [ActionMode::Option, ActionMode::Primitive] {
        let mut document = town_of(2);
        document.policy_runtime.action_mode = mode;
        let mut stage = Stage::new(document, 1);
        stage.idle(1);
        assert!(choices(&stage, 0).len() > 1 && !fresh(&stage, 0));
        assert_eq!(possess(&mut stage, "resident_01", true), "");
        assert_eq!((choices(&stage, 0), fresh(&stage, 0)), (vec![0], true));
        assert!(choices(&stage, 1).len() > 1 && !fresh(&stage, 1), "nobody else");
        let tile = stage.state().agents[0].tile;
        stage.step(&[3, 0]);
        assert_eq!(stage.state().agents[0].tile, tile);
        assert_eq!(stage.state().tally.invalid, 1);
        assert!(!fresh(&stage, 0), "once");
        assert_eq!(possess(&mut stage, "resident_01", true), "E_ALREADY_POSSESSED");
        assert_eq!(possess(&mut stage, "resident_02", false), "E_INVALID_ARG");
        assert_eq!(possess(&mut stage, "nobody", true), "E_UNKNOWN_AGENT");
        assert_eq!(possess(&mut stage, "resident_01", false), "");
        assert!(choices(&stage, 0).len() > 1 && fresh(&stage, 0));
    }
}

#[test]
fn what_somebody_was_about_to_do_is_given_up_but_sleepers_are_left_alone() {
    let mut stage = Stage::new(town_of(2), 1);
    while stage.state().agents[0].running == NONE || stage.state().agents[1].running == NONE {
        stage.state_mut().agents.iter_mut().for_each(|agent| agent.needs = [ONE / 2; 3]);
        stage.step(&[SLEEP.into(), GET_CLEAN.into()]);
        assert!(stage.state().tick < 60);
    }
    assert_eq!(possess(&mut stage, "resident_01", true), "E_BUSY_TARGET");
    assert!(stage.state().agents[0].running != NONE && !stage.state().agents[0].possessed);
    let wallet = stage.state().agents[1].wallet;
    assert_eq!(possess(&mut stage, "resident_02", true), "");
    let agent = &stage.state().agents[1];
    assert_eq!((agent.running, agent.holding, agent.option), (NONE, NONE, WAIT));
    assert!(agent.wallet > wallet, "the shower is given back");
}

#[test]
fn whoever_is_possessed_goes_to_no_meeting() {
    let mut stage = Stage::new(town_of(2), 1);
    assert_eq!(possess(&mut stage, "resident_01", true), "");
    stage.order(
        r#"{"arrange_meet": {"agents": ["resident_01", "resident_02"], "location": "cafe",
            "starts_in": 0, "duration": 200}}"#,
    );
    let before = [0, 1].map(|seat| stage.state().agents[seat].tile);
    stage.idle(20);
    let now = [0, 1].map(|seat| stage.state().agents[seat].tile);
    assert_eq!((now[0], now[1] == before[1]), (before[0], false));
    assert_eq!(possess(&mut stage, "resident_01", false), "");
    stage.idle(2);
    assert_ne!(stage.state().agents[0].tile, before[0], "now it does");
}

#[test]
fn the_night_takes_home_only_those_who_have_nothing_to_do() {
    let mut document = town_of(5);
    document.policy_runtime.action_mode = ActionMode::Primitive;
    document.lifecycle.nightly_reset = NightlyReset::Full;
    document.lifecycle.training_mode = Switch::Off;
    let mut stage = Stage::new(document, 1);
    stage.idle(990);
    let town = std::sync::Arc::clone(&stage.world.town);
    // One uses a shower and one waits for it, one holds the other shower, one is possessed.
    for (seat, [x, y]) in [[20, 21], [20, 22], [22, 21], [30, 40], [33, 40]].into_iter().enumerate()
    {
        let state = stage.state_mut();
        movement::go(state, seat, town.grid.tile(x, y), false);
        state.agents[seat].needs = [ONE / 4; 3];
        state.agents[seat].wallet = ONE;
    }
    assert_eq!(possess(&mut stage, "resident_04", true), "");
    stage.step(&[REQUEST, 0, REQUEST, 0, 0]);
    stage.step(&[START, REQUEST, 0, 0, 0]);
    let state = stage.state();
    assert!(state.agents[0].running != NONE && state.agents[1].waiting != NONE);
    assert!(state.agents[2].holding != NONE && state.agents[2].running == NONE);
    let mut told = Vec::new();
    while stage.state().tick < 1002 {
        stage.idle(1);
        let events = stage.events().iter().filter(|one| one.kind == "agent_nightly_reset");
        told.extend(events.map(|event| (event.agent, event.tick)));
    }
    assert_eq!(told, [(4, 1000)]);
    let home = |seat: usize| {
        let agent = &stage.state().agents[seat];
        agent.tile == town.homes[usize::from(agent.bed)]
    };
    assert_eq!([0, 1, 2, 3, 4].map(home), [false, false, false, false, true]);
}

#[test]
fn eating_what_one_carries_is_no_use_of_the_object_one_holds() {
    let mut document = town_of(2);
    document.policy_runtime.action_mode = ActionMode::Primitive;
    let mut stage = Stage::new(document, 1);
    let town = std::sync::Arc::clone(&stage.world.town);
    for (seat, y) in [21, 22].into_iter().enumerate() {
        let state = stage.state_mut();
        movement::go(state, seat, town.grid.tile(20, y), false);
        state.agents[seat].items[crate::town::MEAL] = 1;
    }
    stage.idle(1);
    stage.step(&[REQUEST, 0]);
    let shower = stage.state().agents[0].holding;
    stage.step(&[0, REQUEST]);
    assert_eq!((shower, stage.state().agents[1].waiting), (10, 10));
    // It eats in front of the shower: that is the next one's from now on.
    stage.step(&[19, 0]);
    let agents = &stage.state().agents;
    assert_eq!((agents[0].holding, agents[1].holding), (NONE, shower));
    assert!(agents[0].running == town.roles.packed);
    assert!(stage.bits[0] & crate::events::bit("failed") == 0);
    stage.step(&[0, 19]);
    assert_eq!(stage.state().agents[1].holding, NONE, "and who eats no longer holds it");
    stage.idle(15);
    assert_eq!(stage.state().tally.meals, 2);
    let rests = [0, 1].map(|seat| stage.state().cooldowns[seat * town.objects.len() + 10]);
    assert_eq!(rests, [0, 0], "nobody has showered, so nobody has to wait");
    assert!(stage.state().agents.iter().all(|agent| agent.holding == NONE));
}

/// What an operator is told who orders something that has no place.
fn refusal(stage: &mut Stage, json: &str) -> &'static str {
    stage.order(json);
    stage.idle(1);
    let told = stage.events().iter().find(|event| event.kind == "command_refused");
    told.map_or("", |event| event.reason)
}

#[test]
fn nobody_is_put_where_somebody_or_something_is() {
    let mut document = town_of(2);
    document.population.seats = Some(3);
    let mut stage = Stage::new(document, 1);
    let (x, y) = stage.world.town.grid.place(stage.state().agents[1].tile);
    for (place, reason) in
        [([x, y], "E_BLOCKED_TILE"), ([20, 20], "E_BLOCKED_TILE"), ([48, 0], "E_INVALID_ARG")]
    {
        let before = stage.state().agents[0].tile;
        for order in [
            format!(r#"{{"teleport": {{"agent_id": "resident_01", "position": {place:?}}}}}"#),
            format!(
                r#"{{"spawn": {{"agent_id": "eve", "position": {place:?}, "job_id": null,
                    "wallet": null}}}}"#
            ),
        ] {
            assert_eq!(refusal(&mut stage, &order), reason, "{place:?}");
        }
        assert_eq!((stage.state().agents[0].tile, stage.state().order.len()), (before, 2));
    }
    let bring = |id: &str, x: u16| {
        format!(
            r#"{{"spawn": {{"agent_id": "{id}", "position": [{x}, 40], "job_id": null,
                "wallet": null}}}}"#
        )
    };
    assert_eq!(refusal(&mut stage, &bring("eve", 3)), "");
    assert_eq!(refusal(&mut stage, &bring("bob", 5)), "E_NO_FREE_SEAT");
    assert_eq!((stage.state().order.len(), stage.state().names.len()), (3, 3), "no trace of bob");
}
