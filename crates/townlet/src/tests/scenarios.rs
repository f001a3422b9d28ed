//! Queues, hunger, rent, work and arrivals, each set up to show one rule.

use super::{Stage, town_of};
use crate::agent::{Presence, ShiftState};
use crate::events::bit;
use crate::movement;
use crate::numbers::{HYGIENE, ONE, micro};
use crate::options::{GET_CLEAN, WAIT};

#[test]
fn three_agents_share_one_shower_and_all_come_clean() {
    let mut document = town_of(3);
    document.affordances.objects.retain(|object| object.id != "shower_2");
    document.perturbations.specs.0.clear();
    let mut stage = Stage::new(document, 1);
    for agent in &mut stage.state_mut().agents {
        agent.needs = [ONE, micro(0.3), ONE];
    }
    for _ in 0..150 {
        let choose = |seat: usize| {
            let agent = &stage.state().agents[seat];
            let washes = agent.done[2] == 0 && agent.mask >> GET_CLEAN & 1 == 1;
            i32::from(if washes { GET_CLEAN } else { WAIT })
        };
        let actions = [choose(0), choose(1), choose(2)];
        stage.step(&actions);
    }
    for agent in &stage.state().agents {
        assert_eq!(agent.done[2], 1, "showers of {}", agent.serial);
        assert!(agent.needs[HYGIENE] > micro(0.55));
    }
    assert!(stage.stat("conflicts") > 0.0, "waiting makes friction");
}

#[test]
fn who_starves_collapses_and_is_replaced_while_the_others_go_on() {
    let mut stage = Stage::new(town_of(4), 2);
    stage.state_mut().agents[0].needs[0] = micro(0.02);
    let mut left_at = None;
    for _ in 0..80 {
        let mut advice = stage.advice();
        advice[0] = 0;
        stage.step(&advice);
        if stage.terminated[0] == 1 {
            assert!(stage.bits[0] & bit("faint") != 0);
            assert!(stage.terms[9] <= -1.0 && stage.reward[0] <= -1.0);
            assert!(stage.obs[..stage.layout.obs as usize].iter().any(|&value| value != 0.0));
            left_at = Some(stage.state().tick - 1);
        }
        if left_at.is_some() && stage.state().agents[0].presence == Presence::Present {
            assert!(stage.bits[0] & bit("arrived") != 0);
            break;
        }
    }
    let left_at = left_at.expect("somebody fainted");
    assert_eq!(left_at, 29, "thirty ticks in a row");
    let newcomer = &stage.state().agents[0];
    assert_eq!(newcomer.presence, Presence::Present);
    let waited = newcomer.since - left_at;
    assert!((5..=20).contains(&waited), "came after {waited} ticks");
    assert_eq!(stage.state().id_of(0), "resident_01#1");
    assert_eq!(newcomer.serial, 4);
    assert!((1..4).all(|seat| stage.state().agents[seat].serial == seat as u32));
}

#[test]
fn who_cannot_pay_is_evicted_after_a_day_of_grace() {
    let mut stage = Stage::new(town_of(4), 3);
    let mut evicted = None;
    for _ in 0..3200 {
        let agent = &mut stage.state_mut().agents[0];
        agent.needs = [ONE; 3];
        agent.wallet = 0;
        let advice = stage.advice();
        stage.step(&advice);
        stage.state_mut().agents[0].wallet = 0;
        if stage.terminated[0] == 1 {
            evicted = Some((stage.state().tick - 1, stage.terms[9], stage.bits[0]));
            break;
        }
    }
    let (tick, penalty, bits) = evicted.expect("an eviction");
    assert_eq!(tick, 2999, "two unpaid days, and a day to recover");
    assert_eq!(penalty, -2.0);
    assert!(bits & bit("eviction") != 0);
}

#[test]
fn three_collapses_at_once_leave_one_by_one() {
    let mut stage = Stage::new(town_of(6), 4);
    for seat in 0..3 {
        stage.state_mut().agents[seat].needs[0] = 0;
    }
    let mut exits = Vec::new();
    let mut hospital = 0;
    for _ in 0..400 {
        let mut advice = stage.advice();
        for choice in &mut advice[..3] {
            *choice = 0;
        }
        stage.step(&advice);
        for seat in 0..3 {
            if stage.terminated[seat] == 1 {
                exits.push(stage.state().tick - 1);
            }
            hospital += u32::from(stage.bits[seat] & bit("hospitalised") != 0);
        }
    }
    assert_eq!(exits.len(), 2, "at most two a day: {exits:?}");
    assert!(exits[1] - exits[0] >= 120);
    assert_eq!(hospital, 2);
    assert!(stage.state().agents.iter().any(|agent| agent.hospital));
}

#[test]
fn newcomers_in_a_crowd_find_a_place() {
    let mut document = town_of(8);
    document.population.seats = Some(11);
    let mut stage = Stage::new(document, 5);
    stage.live(50);
    for (place, name) in ["ann", "ben", "cem"].into_iter().enumerate() {
        let y = 24 + place;
        stage.order(&format!(
            r#"{{"spawn": {{"agent_id": "{name}", "position": [1, {y}], "job_id": null, "wallet": null}}}}"#
        ));
        stage.live(2);
    }
    assert_eq!(stage.state().order.len(), 11);
    stage.live(3000);
    assert_eq!(stage.stat("exits"), 0.0);
    let moved = |seat: usize| stage.state().agents[seat].done.iter().sum::<u32>() > 0;
    assert!((0..11).all(moved), "everyone has done something");
}

/// Where an agent stands during a shift, by ticks since its start, and what the day must cost.
fn a_day(stage: &mut Stage, arrives: Option<u32>, state: ShiftState, change: f64) {
    let town = std::sync::Arc::clone(&stage.world.town);
    let job = &town.jobs[0];
    let away = town.grid.tile(2, 40);
    let site = town.grid.nearest(job.tile, |_| true).expect("a tile");
    movement::go(stage.state_mut(), 0, away, false);
    while stage.state().tod(&town) != job.start {
        stage.state_mut().agents[0].needs = [ONE; 3];
        stage.idle(1);
    }
    stage.state_mut().agents[0].wallet = micro(10.0);
    for elapsed in 0..job.end - job.start {
        if arrives == Some(elapsed) {
            movement::go(stage.state_mut(), 0, site, false);
        }
        stage.state_mut().agents[0].needs = [ONE; 3];
        stage.idle(1);
    }
    assert_eq!(stage.state().agents[0].work.shift.state, state);
    assert_eq!(stage.state().agents[0].wallet, micro(10.0 + change));
    while stage.state().tod(&town) != 0 {
        stage.state_mut().agents[0].needs = [ONE; 3];
        stage.idle(1);
    }
}

#[test]
fn punctual_late_and_absent_days_cost_what_they_say() {
    let cases = [
        (Some(0), ShiftState::OnTime, 180.0 * 0.02),
        (Some(10), ShiftState::Late, 170.0 * 0.02 - 0.10 - 4.0 * 0.005),
        (None, ShiftState::Absent, -0.10 - 25.0 * 0.005 - 0.2),
    ];
    for (arrives, state, change) in cases {
        let mut document = town_of(1);
        document.lifecycle.training_mode = crate::config::Switch::Off;
        let mut stage = Stage::new(document, 6);
        for _day in 0..2 {
            a_day(&mut stage, arrives, state, change);
        }
        let work = &stage.state().agents[0].work;
        let (late, absent) = (u32::from(arrives != Some(0)), u8::from(arrives.is_none()));
        assert_eq!(work.lateness, 2 * late);
        assert_eq!(work.absent, 2 * absent);
        let tally = &stage.state().tally;
        assert_eq!((tally.shifts, tally.punctual), (2, 2 * (1 - late)));
    }
}

#[test]
fn a_careful_life_pays_better_than_an_idle_one() {
    let total = |scripted: bool| {
        let mut stage = Stage::new(town_of(8), 7);
        let mut sum = 0.0;
        for _ in 0..5000 {
            let actions = if scripted { stage.advice() } else { vec![0; 8] };
            stage.step(&actions);
            sum += stage.reward.iter().map(|&reward| f64::from(reward)).sum::<f64>();
        }
        (sum, stage.stat("clipped_share"))
    };
    let (scripted, clipped) = total(true);
    let (idle, clipped_idle) = total(false);
    assert!(scripted > idle + 50.0, "{scripted} against {idle}");
    assert!(clipped < 0.05 && clipped_idle < 0.05, "{clipped} and {clipped_idle}");
}
