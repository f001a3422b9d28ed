//! Work and what it pays: exact days, attendance by sight, and a life that is worth its while.

use super::{Stage, town_of};
use crate::agent::ShiftState;
use crate::config::Variant;
use crate::movement;
use crate::numbers::{ONE, micro};
use crate::options::{GET_CLEAN, GET_FED, GO_TO_WORK, SLEEP, WAIT};

/// What a day of work must be: where the agent is, what it costs, and what is told.
struct Day {
    arrives: Option<u32>,
    state: ShiftState,
    change: f64,
    /// Ticks after the start, and what was told then.
    told: &'static [(u32, &'static str)],
}

fn a_day(stage: &mut Stage, Day { arrives, state, change, told }: &Day) {
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
    let mut found = Vec::new();
    for elapsed in 0..job.end - job.start {
        if *arrives == Some(elapsed) {
            movement::go(stage.state_mut(), 0, site, false);
        }
        stage.state_mut().agents[0].needs = [ONE; 3];
        stage.idle(1);
        for event in stage.events() {
            if matches!(event.kind, "job_late" | "shift_absent" | "shift_departed_early") {
                found.push((elapsed, event.kind));
                assert_eq!(event.agent, 0);
            }
        }
    }
    assert_eq!(found, *told);
    assert_eq!(stage.state().agents[0].work.shift.state, *state);
    assert_eq!(stage.state().agents[0].wallet, micro(10.0 + change));
    while stage.state().tod(&town) != 0 {
        stage.state_mut().agents[0].needs = [ONE; 3];
        stage.idle(1);
    }
}

#[test]
fn punctual_late_and_absent_days_cost_what_they_say() {
    let cases = [
        (Some(0), ShiftState::OnTime, 180.0 * 0.02, &[][..]),
        (Some(10), ShiftState::Late, 170.0 * 0.02 - 0.10 - 4.0 * 0.005, &[(6, "job_late")]),
        (
            None,
            ShiftState::Absent,
            -0.10 - 25.0 * 0.005 - 0.2,
            &[(6, "job_late"), (31, "shift_absent")],
        ),
    ];
    for (arrives, state, change, told) in cases {
        let mut document = town_of(1);
        document.lifecycle.training_mode = crate::config::Switch::Off;
        let mut stage = Stage::new(document, 6);
        for _day in 0..2 {
            a_day(&mut stage, &Day { arrives, state, change, told });
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
