//! What is marked of hard times, and what an agent near its exit is not paid for.

use super::{Stage, town_of};
use crate::agent::PARTS;
use crate::events::bit;
use crate::lifecycle::{UNEMPLOYMENT, neglect_ticks};
use crate::numbers::{ENERGY, HUNGER, ONE, micro};
use crate::options::{GET_CLEAN, WAIT};

#[test]
fn empty_pockets_and_raised_prices_are_marked() {
    let mut stage = Stage::new(town_of(4), 3);
    stage.state_mut().agents[0].wallet = micro(0.39);
    stage.state_mut().agents[1].wallet = micro(0.45);
    stage.step(&[i32::from(WAIT); 4]);
    let marked = |stage: &Stage, name| [0, 1].map(|seat: usize| stage.bits[seat] & bit(name) != 0);
    assert_eq!(marked(&stage, "low_money"), [true, false], "a meal costs 0.4");
    assert_eq!(marked(&stage, "price_spike"), [false; 2]);
    stage.order(
        r#"{"perturbation_trigger": {"spec": "price_spike", "starts_in": 0, "duration": 60,
            "target": "cafe", "magnitude": 1.5}}"#,
    );
    stage.step(&[i32::from(WAIT); 4]);
    stage.step(&[i32::from(WAIT); 4]);
    assert_eq!(marked(&stage, "low_money"), [true; 2], "a meal costs 0.6 now");
    assert_eq!(marked(&stage, "price_spike"), [true; 2]);
}

#[test]
fn every_fall_below_a_tenth_is_told() {
    let mut stage = Stage::new(town_of(1), 3);
    // Where a need stands before a tick, and whether that tick tells of it.
    for (level, told) in [
        (0.5, false),
        (0.1, true),
        (0.05, false),
        (0.099, false),
        // At a tenth or above, by however little, it can fall again.
        (0.11, false),
        (0.1, true),
        (0.3, false),
        (0.09, true),
    ] {
        stage.state_mut().agents[0].needs = [ONE, ONE, micro(level)];
        stage.idle(1);
        let events = stage.events().iter().filter(|event| event.kind == "agent_near_death");
        let reasons: Vec<_> = events.map(|event| event.reason).collect();
        assert_eq!(reasons, if told { vec!["energy"] } else { vec![] }, "{level}");
        assert_eq!(stage.bits[0] & bit("near_death") != 0, told);
    }
}

#[test]
fn whose_shower_stops_in_an_outage_is_marked() {
    let mut stage = Stage::new(town_of(1), 3);
    stage.state_mut().agents[0].needs = [ONE, micro(0.3), ONE];
    let mut marks = 0;
    for _ in 0..80 {
        let washing = stage.state().agents[0].running != crate::numbers::NONE;
        stage.step(&[i32::from(if washing { WAIT } else { GET_CLEAN })]);
        marks += u32::from(stage.bits[0] & bit("utility_outage") != 0);
        if washing && marks == 0 {
            stage.order(
                r#"{"perturbation_trigger": {"spec": "outage", "starts_in": 0, "duration": 200}}"#,
            );
        }
    }
    assert_eq!(marks, 1);
}

/// A count of neglect lasts for a day: only whose need is still low is near its exit.
#[test]
fn nothing_pleases_whoever_is_about_to_leave_of_neglect() {
    let mut document = town_of(2);
    document.rewards.survival_tick = 0.01;
    document.rewards.needs_weights.energy = 0.4;
    document.shaping.use_potential = false;
    let mut stage = Stage::new(document, 3);
    let nearly = neglect_ticks(&stage.world.town) - 8;
    for (seat, energy) in [(0, micro(0.08)), (1, ONE)] {
        let agent = &mut stage.state_mut().agents[seat];
        agent.needs = [ONE; 3];
        agent.needs[ENERGY] = energy;
        // In the part of the day that is forgotten last.
        agent.neglect[PARTS - 1] = nearly as u16;
        agent.neglected = nearly as u16;
    }
    stage.step(&[i32::from(WAIT); 2]);
    assert_eq!(stage.reward[0], 0.0);
    assert!(stage.reward[1] > 0.0);
    let guarded = [0, 1].map(|seat: usize| stage.bits[seat] & bit("guardrail") != 0);
    assert_eq!(guarded, [true, false]);
    let agent = &mut stage.state_mut().agents[0];
    agent.neglect[PARTS - 1] = 0;
    agent.neglected = 0;
    stage.step(&[i32::from(WAIT); 2]);
    assert!(stage.reward[0] > 0.0, "tired, but far from its exit");
}

/// Whatever somebody waits to leave for, a collapse on the way is one.
#[test]
fn whoever_waits_for_an_exit_collapses_in_hospital() {
    let mut stage = Stage::new(town_of(2), 3);
    stage.order(r#"{"set_exit_cap": {"cap": 0}}"#);
    stage.idle(1);
    stage.state_mut().agents[0].work.approved = true;
    stage.idle(1);
    let agent = &mut stage.state_mut().agents[0];
    assert_eq!((agent.leaving, agent.hospital), (UNEMPLOYMENT, false));
    agent.needs[HUNGER] = 0;
    let mut told = Vec::new();
    for _ in 0..40 {
        stage.idle(1);
        let events = stage.events().iter().filter(|event| event.kind == "agent_hospitalised");
        told.extend(events.map(|event| (event.tick, event.agent, event.reason)));
    }
    assert_eq!(told, [(31, 0, "faint")]);
    let agent = &stage.state().agents[0];
    assert_eq!((agent.leaving, agent.hospital), (UNEMPLOYMENT, true));
    assert_eq!(agent.needs[HUNGER], micro(0.1));
    stage.order(r#"{"set_exit_cap": {"cap": 1}}"#);
    stage.idle(2);
    assert_eq!((stage.terminated[0], stage.terms[9]), (1, -2.0), "it leaves as it was to");
}
