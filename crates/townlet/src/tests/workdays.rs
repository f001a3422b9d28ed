//! Work and what it pays: exact days, attendance by sight, and a life that is worth its while.

use super::{Stage, town_of};
use crate::agent::ShiftState;
use crate::config::{ActionMode, Variant};
use crate::grid::STEPS;
use crate::movement;
use crate::numbers::{NONE, ONE, micro};
use crate::options::{AHEAD, GO_HOME, GO_TO_WORK};

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

/// What somebody on foot goes by.
#[derive(Clone, Copy, PartialEq)]
enum Guide {
    /// The hints among the features, which every variant has.
    Hints,
    /// The paths on the map of the full variant.
    Map,
    /// The same, read the wrong way round.
    MapReversed,
}

/// The step that somebody sees to be the next one: 0 north, 1 east, 2 south, 3 west.
fn next_step(stage: &Stage, row: &[f32], guide: Guide) -> Option<usize> {
    let sight = &stage.world.town.sight;
    if guide == Guide::Hints {
        return [25, 27, 26, 28].iter().position(|&hint| row[sight.map + hint] == 1.0);
    }
    let cells = sight.window * sight.window;
    let way = [4, 5].map(|channel| row[channel * cells + cells / 2] as i32);
    let sign = if guide == Guide::MapReversed { -1 } else { 1 };
    STEPS.iter().position(|&(dx, dy)| [sign * dx, sign * dy] == way)
}

/// Where somebody wants to be, by the hours of work and the way there.
fn aim(stage: &Stage, row: &[f32]) -> u8 {
    let sight = &stage.world.town.sight;
    let [starts, ends] = [0, 1].map(|at| row[sight.hours.at + at] * AHEAD as f32);
    let way = row[sight.targets.at + 20] * 96.0;
    if starts <= way + 15.0 && ends > 0.0 { GO_TO_WORK } else { GO_HOME }
}

/// The step of somebody on foot, past whoever is in the way; those who are at work stay.
fn on_foot(stage: &Stage, seat: usize, guide: Guide) -> i32 {
    let width = stage.layout.obs as usize;
    let row = &stage.obs[seat * width..][..width];
    let choices = stage.layout.choices() as usize;
    let mask = &stage.mask[seat * choices..][..choices];
    let working = row[stage.world.town.sight.map + 11] == 1.0;
    let Some(step) = next_step(stage, row, guide).filter(|_| !working) else { return 0 };
    let around = [step, (step + 1) % 4, (step + 3) % 4];
    around.into_iter().find(|&step| mask[1 + step] == 1).map_or(0, |step| 1 + step as i32)
}

/// Share of shifts begun in time by people who walk every step of the way themselves, free of needs
/// and of money troubles.
fn attendance(variant: Variant, guide: Guide, seed: u64) -> f32 {
    let mut document = town_of(8);
    document.features.systems.observations = variant;
    document.policy_runtime.action_mode = ActionMode::Primitive;
    document.observations.include_hours = true;
    let mut stage = Stage::new(document, seed);
    let width = stage.layout.obs as usize;
    for _ in 0..5000 {
        for seat in 0..8 {
            let aim = aim(&stage, &stage.obs[seat * width..][..width]);
            let agent = &mut stage.state_mut().agents[seat];
            (agent.option, agent.needs, agent.wallet) = (aim, [ONE; 3], micro(10.0));
        }
        stage.look();
        let actions: Vec<i32> = (0..8).map(|seat| on_foot(&stage, seat, guide)).collect();
        stage.step(&actions);
    }
    assert!(stage.stat("shifts") > 20.0);
    stage.stat("on_time_share")
}

#[test]
fn full_and_hybrid_sight_lead_to_the_same_attendance() {
    for seed in 8..12 {
        let hybrid = attendance(Variant::Hybrid, Guide::Hints, seed);
        let full = attendance(Variant::Full, Guide::Map, seed);
        assert!(hybrid > 0.8, "seed {seed}: {hybrid}");
        assert!((full - hybrid).abs() <= 0.1 * hybrid, "seed {seed}: {full} and {hybrid}");
    }
    let astray = attendance(Variant::Full, Guide::MapReversed, 8);
    assert!(astray < 0.1, "the map is what they go by: {astray}");
}
