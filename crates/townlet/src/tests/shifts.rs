//! Shifts at their edges: away for a while, gone for good, over with the day, begun in the middle.

use super::{Stage, town_of};
use crate::agent::ShiftState::{self, Absent, OnTime, Post};
use crate::config::Document;
use crate::employment;
use crate::movement;
use crate::numbers::{ONE, micro};
use crate::options::{GO_TO_WORK, WAIT};

/// A town in which everybody has the first job, from `start` to `end`.
fn workers(agents: u16, start: u32, end: u32) -> Document {
    let mut document = town_of(agents);
    document.features.relationship_modifiers = false;
    document.jobs.0.truncate(1);
    let job = &mut document.jobs.0[0].1;
    (job.start_tick, job.end_tick, job.capacity) = (start, end, 8);
    document
}

/// Let everybody stand still until this tick, in the best of health.
fn wait_until(stage: &mut Stage, tick: u32) {
    while stage.state().tick < tick {
        stage.state_mut().agents.iter_mut().for_each(|agent| agent.needs = [ONE; 3]);
        stage.idle(1);
    }
}

fn send(stage: &mut Stage, seat: usize, to_work: bool) {
    let town = std::sync::Arc::clone(&stage.world.town);
    let state = stage.state_mut();
    let goal = if to_work { town.jobs[0].tile } else { town.grid.tile(2, 40) };
    let tile = town.grid.nearest(goal, |tile| state.open_to(seat, tile)).expect("a tile");
    movement::go(state, seat, tile, false);
}

fn told(stage: &Stage, kind: &str) -> usize {
    stage.events().iter().filter(|event| event.kind == kind).count()
}

/// Somebody works from the start on and goes away after 50 ticks, for so many.
fn away(document: &Document, ticks: u32) -> (Stage, usize) {
    let mut stage = Stage::new(document.clone(), 6);
    wait_until(&mut stage, 150);
    send(&mut stage, 0, true);
    wait_until(&mut stage, 230);
    assert_eq!(stage.state().agents[0].work.shift.state, OnTime);
    send(&mut stage, 0, false);
    let mut departed = 0;
    for tick in 1..=ticks {
        wait_until(&mut stage, 230 + tick);
        departed += told(&stage, "shift_departed_early");
    }
    (stage, departed)
}

#[test]
fn who_is_away_no_longer_than_the_slack_only_goes_unpaid() {
    let document = workers(1, 180, 360);
    let (mut stage, departed) = away(&document, 20);
    let agent = &stage.state().agents[0];
    assert_eq!((agent.work.shift.state, departed, agent.work.withheld), (OnTime, 0, 0));
    let before = agent.wallet;
    send(&mut stage, 0, true);
    wait_until(&mut stage, 251);
    let agent = &stage.state().agents[0];
    assert_eq!((agent.wallet - before, agent.work.shift.away), (micro(0.02), 0));
    wait_until(&mut stage, 361);
    let work = &stage.state().agents[0].work;
    assert_eq!((work.shift.state, work.absent), (Post, 0));
    assert_eq!(work.shares[0], (180 - 20) * 1_000_000 / 180, "of the shift it missed twenty");
    assert_eq!(stage.state().tally.punctual, 1, "it did come in time");
}

#[test]
fn who_is_away_longer_has_left_early_and_lost_the_day() {
    let mut own = workers(1, 180, 360);
    own.jobs.0[0].1.absence_slack = Some(5);
    for (document, slack) in [(workers(1, 180, 360), 20), (own, 5)] {
        let (stage, departed) = away(&document, slack);
        assert_eq!((stage.state().agents[0].work.shift.state, departed), (OnTime, 0));
        let before = stage.state().agents[0].wallet;
        let (mut stage, departed) = away(&document, slack + 1);
        let agent = &stage.state().agents[0];
        assert_eq!((agent.work.shift.state, departed), (Absent, 1));
        assert_eq!(before - agent.wallet, micro(0.2), "once");
        assert_eq!((agent.work.absent, stage.state().tally.missed), (1, 1));
        send(&mut stage, 0, true);
        wait_until(&mut stage, 400);
        let agent = &stage.state().agents[0];
        assert_eq!(before - agent.wallet, micro(0.2), "who comes back is not paid");
        let withheld = i64::from(360 - 230 - slack) * micro(0.02);
        assert_eq!((agent.work.withheld, agent.work.absent), (withheld, 1));
        assert_eq!(agent.work.shares[0], 50 * 1_000_000 / 180);
    }
}

#[test]
fn a_missed_shift_is_taken_by_a_coworker_who_is_there_and_resented() {
    for (there, taken) in [(true, 1), (false, 0)] {
        let mut stage = Stage::new(workers(3, 180, 360), 6);
        wait_until(&mut stage, 150);
        send(&mut stage, 2, there);
        let mut found = Vec::new();
        while stage.state().tick < 300 {
            let tick = stage.state().tick;
            wait_until(&mut stage, tick + 1);
            let events = stage.events().iter();
            let events = events.filter(|event| event.kind == "employment_took_my_shift");
            found.extend(events.map(|event| (event.tick, event.agent, event.other)));
        }
        // Thirty ticks after the start nobody comes any more.
        let expected = [(211, 0, 2), (211, 1, 2)];
        assert_eq!(found, if taken == 1 { expected.to_vec() } else { Vec::new() });
        assert_eq!(stage.state().tally.takeovers, 2 * taken);
        let mut stage = Stage::new(workers(2, 180, 360), 6);
        wait_until(&mut stage, 205);
        send(&mut stage, 1, there);
        let before = [0, 1].map(|seat| stage.state().agents[seat].tie(1 - seat));
        wait_until(&mut stage, 211);
        let late = [0, 1].map(|seat| stage.state().agents[seat].tie(1 - seat));
        wait_until(&mut stage, 212);
        for seat in [0, 1] {
            let now = stage.state().agents[seat].tie(1 - seat);
            let fades = stage.state().hot.rivalry.decay;
            let rivalry = if there { late[seat].rivalry + 300_000 - fades } else { 0 };
            let trust = late[seat].trust - if there { 100_000 } else { 0 };
            assert_eq!((now.rivalry, now.trust), (rivalry, trust), "{before:?}");
        }
    }
}

/// What is left of two days of work at these hours, on the first of which somebody comes so many
/// ticks late, or never.
fn two_days(start: u32, end: u32, late: Option<u32>) -> impl std::fmt::Debug + PartialEq {
    let mut stage = Stage::new(workers(2, start, end), 6);
    send(&mut stage, 1, false);
    for day in 0..2u32 {
        if let Some(late) = late {
            wait_until(&mut stage, day * 1000 + start + late);
            send(&mut stage, 0, true);
        }
        wait_until(&mut stage, day * 1000 + 1000);
        for agent in &stage.state().agents {
            assert_eq!(agent.work.shift.state, Post, "over before the next one begins");
        }
        send(&mut stage, 0, false);
    }
    wait_until(&mut stage, 2010);
    let attendance = employment::attendance(stage.state(), 0);
    let tally = stage.state().tally;
    let agent = &stage.state().agents[0];
    let work = agent.work;
    let counts = (tally.shifts, tally.punctual, tally.late, tally.missed, tally.takeovers);
    let lost = (work.lateness, work.absent, work.absences[..2].to_vec(), work.withheld);
    (work.shifts, work.shares, attendance, counts, lost, agent.wallet)
}

#[test]
fn a_shift_that_ends_with_the_day_counts_like_any_other() {
    for late in [Some(0), Some(10), Some(100), None] {
        let found = two_days(820, 1000, late);
        assert_eq!(found, two_days(819, 999, late), "{late:?}");
    }
}

#[test]
fn who_worked_to_the_end_of_the_day_did_so_well() {
    let mut stage = Stage::new(workers(1, 820, 1000), 6);
    send(&mut stage, 0, true);
    wait_until(&mut stage, 795);
    while stage.state().tick < 1002 {
        let legal = stage.mask[usize::from(GO_TO_WORK)] == 1;
        stage.state_mut().agents[0].needs = [ONE; 3];
        stage.step(&[i32::from(if legal { GO_TO_WORK } else { WAIT })]);
    }
    let agent = &stage.state().agents[0];
    assert_eq!((agent.option, agent.last_option, agent.last_success), (WAIT, GO_TO_WORK, true));
    assert_eq!(stage.state().tally.switches, 0);
}

#[test]
fn whoever_an_operator_brings_in_the_middle_of_a_shift_begins_tomorrow() {
    for (tick, state) in [(100, ShiftState::Pre), (500, Post)] {
        let mut document = town_of(1);
        document.population.seats = Some(4);
        let mut stage = Stage::new(document, 6);
        wait_until(&mut stage, tick);
        // Of those there are, the first job is taken: by itself somebody would get the second.
        stage.order(
            r#"{"spawn": {"agent_id": "eve", "position": [3, 40], "job_id": "clerk",
                "wallet": 5.0}}"#,
        );
        wait_until(&mut stage, tick + 1);
        let work = stage.state().agents[1].work;
        assert_eq!(stage.world.town.jobs[usize::from(work.job)].id, "clerk");
        assert_eq!(work.shift.state, ShiftState::Pre, "the clerk's shift is still to come");
        stage.order(
            r#"{"spawn": {"agent_id": "bob", "position": [3, 42], "job_id": "grocer",
                "wallet": 5.0}}"#,
        );
        wait_until(&mut stage, tick + 2);
        assert_eq!(stage.state().agents[2].work.shift.state, state);
        wait_until(&mut stage, 1000);
        let [clerk, grocer] = [1, 2].map(|seat| stage.state().agents[seat].work);
        assert_eq!((clerk.absent, clerk.shifts), (1, 1));
        let missed = u8::from(tick == 100);
        assert_eq!(
            (grocer.absent, grocer.shifts, grocer.lateness),
            (missed, missed, missed.into())
        );
    }
}

#[test]
fn nobody_is_brought_to_a_job_that_is_full() {
    let mut document = workers(2, 180, 360);
    document.jobs.0[0].1.capacity = 2;
    document.population.seats = Some(4);
    let mut stage = Stage::new(document, 6);
    for (job, reason) in [("grocer", "E_JOB_FULL"), ("moon", "E_INVALID_ARG")] {
        stage.order(&format!(
            r#"{{"spawn": {{"agent_id": "eve", "position": [3, 40], "job_id": "{job}",
                "wallet": 5.0}}}}"#
        ));
        stage.idle(1);
        let refused = stage.events().iter().find(|event| event.kind == "command_refused");
        assert_eq!(refused.expect("told").reason, reason);
        assert_eq!(stage.state().order.len(), 2);
        assert!(!stage.state().names.iter().any(|name| name == "eve"));
    }
}
