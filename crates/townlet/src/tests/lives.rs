//! Lives from arrival to the end: who people are, how old they get, their nights, their shifts.

use super::{Stage, town_of};
use crate::agent::ShiftState;
use crate::config::{NightlyReset, Profile};
use crate::events::bit;
use crate::movement;
use crate::numbers::{ONE, micro};
use crate::options::{GET_CLEAN, WAIT};
use crate::spawn::{NEWCOMER, PROFILES, SOCIALITE, STOIC};

#[test]
fn nobody_grows_old_unless_lives_have_an_end() {
    assert!(Stage::new(town_of(2), 1).state().agents.iter().all(|agent| agent.until == u32::MAX));
    let mut document = town_of(8);
    document.lifecycle.age_out_days = Some([10, 20]);
    let stage = Stage::new(document.clone(), 1);
    let lives: Vec<u32> = stage.state().agents.iter().map(|agent| agent.until).collect();
    assert!(lives.iter().all(|life| (10_000..=20_000).contains(life)), "{lives:?}");
    assert!(lives.iter().any(|life| *life != lives[0]));
    document.lifecycle.age_out_days = Some([1, 1]);
    let mut stage = Stage::new(document, 1);
    stage.live(1000);
    assert_eq!(stage.stat("exits"), 0.0);
    stage.live(1);
    let old = stage.terminated.iter().position(|&ended| ended == 1).expect("the first to leave");
    assert!(stage.bits[old] & bit("age_out") != 0);
    assert_eq!(stage.terms[old * 10 + 9], 0.0, "old age is no failure");
    stage.live(200);
    assert_eq!(stage.stat("aged_out"), 2.0, "two a day");
}

#[test]
fn the_night_does_what_it_is_told() {
    for (what, home, lifted) in [
        (NightlyReset::Off, false, false),
        (NightlyReset::Home, true, false),
        (NightlyReset::Full, true, true),
    ] {
        let mut document = town_of(2);
        document.lifecycle.nightly_reset = what;
        let mut stage = Stage::new(document, 1);
        stage.idle(990);
        let town = std::sync::Arc::clone(&stage.world.town);
        let mut told = Vec::new();
        let far = [40, 42].map(|x| town.grid.tile(x, 40));
        for (seat, tile) in far.into_iter().enumerate() {
            movement::go(stage.state_mut(), seat, tile, false);
        }
        for _ in 0..15 {
            for agent in &mut stage.state_mut().agents {
                agent.needs = [micro(0.3); 3];
            }
            stage.step(&[i32::from(WAIT), i32::from(GET_CLEAN)]);
            let events = stage.events().iter().filter(|one| one.kind == "agent_nightly_reset");
            told.extend(events.map(|event| (event.agent, event.tick)));
            if stage.state().tick == 1001 {
                let found = stage.state().agents[0].needs.iter().all(|need| *need == ONE / 2);
                assert_eq!(found, lifted, "{what:?}");
            }
        }
        // The other one is busy, so nobody takes it anywhere.
        assert_eq!(told, if home { vec![(0, 1000)] } else { vec![] }, "{what:?}");
        assert_eq!(stage.state().agents[0].tile == town.homes[0], home, "{what:?}");
    }
}

#[test]
fn pinned_profiles_hold_for_residents_and_successors() {
    let mut document = town_of(3);
    document.personalities.overrides.0 = vec![
        ("resident_01".to_owned(), Profile::Stoic),
        ("resident_01#1".to_owned(), Profile::Socialite),
    ];
    let mut stage = Stage::new(document, 1);
    let agent = &stage.state().agents[0];
    assert_eq!((agent.profile, PROFILES[usize::from(agent.profile)]), (STOIC, "stoic"));
    assert_eq!(agent.traits, [micro(-0.3), micro(0.5), micro(-0.2)]);
    assert_eq!(agent.decay[0], micro(0.0012 * 0.95));
    for name in ["resident_01", "resident_02", "resident_03"] {
        stage.order(&format!(r#"{{"kill": {{"agent_id": "{name}"}}}}"#));
    }
    stage.idle(40);
    let find = |name: &str| {
        let mut seats = 0..3usize;
        let seat = seats.find(|&seat| stage.state().id_of(seat) == name).expect("a successor");
        stage.state().agents[seat].clone()
    };
    assert_eq!(find("resident_01#1").profile, SOCIALITE);
    // The others' characters are the first points of a sequence that fills the space evenly.
    let mut traits = ["resident_02#1", "resident_03#1"].map(|name| {
        assert_eq!(find(name).profile, NEWCOMER);
        find(name).traits
    });
    traits.sort_unstable();
    assert_eq!(traits, [[-500_000, 333_332, -200_000], [0, -333_334, -600_000]]);
}

#[test]
fn deliveries_fill_what_is_empty_and_say_so() {
    let mut stage = Stage::new(town_of(1), 1);
    stage.state_mut().things[12].stock[0] = 5;
    stage.state_mut().things[14].stock[1] = 19;
    let mut told = Vec::new();
    for _ in 0..200 {
        stage.idle(1);
        let events = stage.events().iter().filter(|event| event.kind == "stock_replenish");
        told.extend(events.map(|event| (event.tick, event.object, event.value)));
    }
    assert_eq!(told, [(60, 12, 15.0), (199, 14, 1.0), (199, 15, 2.0)]);
}

#[test]
fn a_job_may_have_its_own_windows_and_penalties() {
    let run = |own: bool| {
        let mut document = town_of(1);
        if own {
            let job = &mut document.jobs.0[0].1;
            job.grace_ticks = Some(2);
            job.absent_cutoff = Some(6);
            job.late_tick_penalty = Some(0.01);
            job.absence_penalty = Some(0.5);
        }
        let mut stage = Stage::new(document, 1);
        let start = stage.world.town.jobs[0].start;
        while stage.state().tick < start {
            stage.idle(1);
        }
        stage.state_mut().agents[0].wallet = micro(10.0);
        stage.idle(8);
        let agent = &stage.state().agents[0];
        (agent.work.shift.state, micro(10.0) - agent.wallet)
    };
    let (state, cost) = run(false);
    assert_eq!((state, cost), (ShiftState::Late, micro(0.10 + 2.0 * 0.005)));
    let (state, cost) = run(true);
    assert_eq!((state, cost), (ShiftState::Absent, micro(0.10 + 4.0 * 0.01 + 0.5)));
}
