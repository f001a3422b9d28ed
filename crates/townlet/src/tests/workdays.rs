//! Work and what it pays: exact days, attendance by sight, and a life that is worth its while.

use super::{Stage, town_of};
use crate::agent::ShiftState;
use crate::config::Variant;
use crate::movement;
use crate::numbers::{NONE, ONE, micro};
use crate::options::{GET_CLEAN, GET_FED, GO_TO_WORK, SLEEP, WAIT};

/// From this tick of the day on: the state, and what each tick changes the wallet by.
type Stretch = (u32, ShiftState, f64);
/// When something is told in a day, what, and with which figure.
type Told = (u32, &'static str, f64);

/// One day of somebody who comes to work so many ticks after the start of the shift, or never: the
/// state and the money of every tick, and everything that is told.
fn a_day(stage: &mut Stage, arrives: Option<u32>, stretches: &[Stretch], told: &[Told]) {
    let town = std::sync::Arc::clone(&stage.world.town);
    let job = &town.jobs[0];
    let away = town.grid.tile(2, 40);
    let site = town.grid.nearest(job.tile, |_| true).expect("a tile");
    stage.state_mut().agents[0].wallet = micro(10.0);
    let mut found = Vec::new();
    for tod in 0..town.day {
        assert_eq!(stage.state().tod(&town), tod);
        if tod == 0 {
            movement::go(stage.state_mut(), 0, away, false);
        }
        if arrives.is_some_and(|late| tod == job.start + late) {
            movement::go(stage.state_mut(), 0, site, false);
        }
        stage.state_mut().agents[0].needs = [ONE; 3];
        let before = stage.state().agents[0].wallet;
        stage.idle(1);
        let agent = &stage.state().agents[0];
        let &(_, state, change) =
            stretches.iter().rev().find(|(from, ..)| *from <= tod).expect("from 0 on");
        assert_eq!(agent.work.shift.state, state, "{tod}");
        assert_eq!(agent.wallet - before, micro(change), "{tod}");
        let events = stage.events().iter().filter(|event| event.agent != NONE);
        found.extend(events.map(|event| (tod, event.kind, event.value)));
    }
    assert_eq!(found, told);
}

const RENT: (u32, ShiftState, f64) = (999, ShiftState::Post, -1.5);

#[test]
fn punctual_late_and_absent_days_cost_what_they_say() {
    use ShiftState::{Absent, Await, Late, OnTime, Post, Pre};
    let paid = (999, "rent_paid", 1.5);
    let late = (186, "job_late", 6.0);
    let absent = (211, "shift_absent", 0.0);
    let before = [(0, Pre, 0.0), (160, Await, 0.0)];
    type Case<'a> = (Option<u32>, &'a [Stretch], [Vec<Told>; 2]);
    let cases: [Case; 3] = [
        (Some(0), &[(180, OnTime, 0.02), (360, Post, 0.0), RENT], [vec![paid], vec![paid]]),
        (
            Some(10),
            &[
                (186, Late, -0.10 - 0.005),
                (187, Late, -0.005),
                (190, Late, 0.02),
                (360, Post, 0.0),
                RENT,
            ],
            [vec![late, paid], vec![late, paid]],
        ),
        (
            None,
            &[
                (186, Late, -0.10 - 0.005),
                (187, Late, -0.005),
                (211, Absent, -0.2),
                (212, Absent, 0.0),
                (360, Post, 0.0),
                RENT,
            ],
            // One more absence, and it would be dismissed.
            [vec![late, absent, paid], vec![late, absent, (211, "employment_warning", 0.0), paid]],
        ),
    ];
    for (arrives, stretches, told) in cases {
        let mut stage = Stage::new(town_of(1), 6);
        let stretches = [&before, stretches].concat();
        for day in told {
            a_day(&mut stage, arrives, &stretches, &day);
        }
        let work = &stage.state().agents[0].work;
        let (late, absent) = (u32::from(arrives != Some(0)), u8::from(arrives.is_none()));
        assert_eq!(work.lateness, 2 * late);
        assert_eq!(work.absent, 2 * absent);
        let tally = &stage.state().tally;
        assert_eq!((tally.shifts, tally.punctual), (2, 2 * (1 - late)));
    }
}

/// The first day of two with the same job who come so many ticks late or never: who was helped when.
fn helped(arrives: [Option<u32>; 2]) -> Vec<(u32, u8)> {
    let mut stage = Stage::new(town_of(2), 6);
    let town = std::sync::Arc::clone(&stage.world.town);
    let job = &town.jobs[0];
    let mut found = Vec::new();
    for tick in 0..job.end {
        for (seat, arrives) in arrives.into_iter().enumerate() {
            let state = stage.state_mut();
            (state.agents[seat].needs, state.agents[seat].work.job) = ([ONE; 3], 0);
            if arrives.is_some_and(|late| tick == job.start + late) {
                let site = town.grid.nearest(job.tile, |tile| state.open_to(seat, tile));
                movement::go(state, seat, site.expect("a tile"), false);
            }
        }
        stage.idle(1);
        let events = stage.events().iter();
        let events = events.filter(|event| event.kind == "employment_helped_when_late");
        found.extend(events.map(|event| (tick - job.start, event.agent)));
    }
    found
}

#[test]
fn the_first_late_tick_with_a_coworker_there_brings_help() {
    assert_eq!(helped([None, Some(0)]), [(6, 0)]);
    assert_eq!(helped([None, Some(15)]), [(15, 0)], "both were late, and one came");
    assert_eq!(helped([Some(20), Some(15)]), [(15, 0), (20, 1)], "once for each");
    assert_eq!(helped([Some(3), Some(15)]), [(6, 1)], "who came in time needs none");
    assert_eq!(helped([None, Some(40)]), [], "by then both are absent");
    assert_eq!(helped([None, None]), []);
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

/// Chooses by what it sees: the features, wherever the map before them ends.
fn by_sight(stage: &Stage, seat: usize) -> i32 {
    let width = stage.layout.obs as usize;
    let features = &stage.obs[seat * width + stage.world.town.sight.map..(seat + 1) * width];
    let mask = &stage.mask[seat * 8..][..8];
    let legal = |option: u8| mask[usize::from(option)] == 1;
    let pressing = features[..3].iter().any(|&need| need < 0.3);
    if legal(GO_TO_WORK) && !pressing {
        return i32::from(GO_TO_WORK);
    }
    let mut needs = [(features[0], GET_FED), (features[1], GET_CLEAN), (features[2], SLEEP)];
    needs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let wanted = needs.iter().find(|(need, option)| *need < 0.6 && legal(*option));
    i32::from(wanted.map_or(WAIT, |&(_, option)| option))
}

#[test]
fn full_and_hybrid_sight_lead_to_the_same_attendance() {
    let attendance = |variant: Variant| {
        let mut document = town_of(8);
        document.features.systems.observations = variant;
        let mut stage = Stage::new(document, 8);
        for _ in 0..10_000 {
            let actions: Vec<i32> = (0..8).map(|seat| by_sight(&stage, seat)).collect();
            stage.step(&actions);
        }
        assert!(stage.stat("shifts") > 20.0);
        stage.stat("on_time_share")
    };
    let (full, hybrid) = (attendance(Variant::Full), attendance(Variant::Hybrid));
    assert!(hybrid > 0.5, "{hybrid}");
    assert!((full - hybrid).abs() <= 0.1 * hybrid, "{full} and {hybrid}");
}
