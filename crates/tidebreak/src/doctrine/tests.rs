//! Captains in made-up situations.

use std::f32::consts::{FRAC_PI_2, PI};

use super::knowledge::{ALLIES, Ally, Arm, CONTACTS, Contact, Own, Sight, Surroundings, Task};
use super::plan::{Plan, wrapped};
use super::{Doctrine, drifter, line, pursuer, tactics, wolfpack};
use crate::orders::{CHOICES, HEADS};
use crate::tables::{DoctrineFigures, Tables};

/// A corvette in the middle of a large map, heading along +x.
fn corvette() -> Sight {
    let gun = Arm {
        mounts: 1,
        ready: 1,
        rounds: 200,
        range: 8_000.0,
        speed: 800.0,
        track_min: 2,
        strikes: 1,
    };
    let torpedo = Arm { rounds: 8, range: 4_000.0, speed: 22.0, track_min: 1, strikes: 3, ..gun };
    Sight {
        seed: 1,
        ship: 0,
        tick: 1,
        own: Own {
            surge: 10.0,
            speed_max: 17.0,
            turn_rate: 0.1,
            hp: 1.0,
            decoys: 8,
            fire_control: [5_400.0, 3_600.0],
            ..Own::default()
        },
        arms: [gun, torpedo, Arm::default(), Arm::default()],
        contacts: [Contact::default(); CONTACTS],
        contact_count: 0,
        allies: [Ally::default(); ALLIES],
        ally_count: 0,
        around: Surroundings {
            bounds: [-20_000.0, 20_000.0, -20_000.0, 20_000.0],
            ticks_left: 600,
            obstacle: (1e9, 0.0),
            ..Surroundings::default()
        },
        task: Task::default(),
        mask: [1; CHOICES],
    }
}

fn enemy(x: f32, y: f32) -> Contact {
    let range = (x * x + y * y).sqrt();
    Contact {
        x,
        y,
        range,
        bearing: libm::atan2f(y, x),
        quality: 2,
        size: 2,
        hostile: true,
        engageable: 0b11,
        ..Contact::default()
    }
}

fn torpedo(x: f32, y: f32) -> Contact {
    let range = (x * x + y * y).sqrt();
    let (vx, vy) = (-22.0 * x / range, -22.0 * y / range);
    Contact { vx, vy, closing: 22.0, size: 0, engageable: 0, ..enemy(x, y) }
}

fn seeing(contacts: &[Contact]) -> Sight {
    let mut sight = corvette();
    for (slot, contact) in contacts.iter().enumerate() {
        sight.contacts[slot] = Contact { choice: slot as u8 + 1, ..*contact };
    }
    sight.contact_count = contacts.len();
    sight
}

fn figures(doctrine: Doctrine) -> &'static DoctrineFigures {
    &Tables::shipped().doctrines[doctrine.name()]
}

#[test]
fn names_lead_back_to_their_doctrines() {
    for doctrine in Doctrine::ALL {
        assert_eq!(Doctrine::named(doctrine.name()), Ok(doctrine));
    }
    assert!(Doctrine::named("admiral").is_err_and(|words| words.contains("wolfpack")));
}

#[test]
fn a_pursuer_turns_to_the_nearest_enemy_and_fires_everything() {
    let sight = seeing(&[enemy(-6_000.0, 100.0), enemy(0.0, 3_000.0)]);
    let choices = pursuer::decide(&sight, figures(Doctrine::Pursuer));
    assert_eq!(
        choices[..5],
        [4, 4, 2, 1, 1],
        "full ahead, hard to port, at the second, both buttons"
    );
    assert_eq!(choices[8], 3, "switched on");
}

#[test]
fn the_line_is_silent_until_it_has_a_cue() {
    let quiet = line::decide(&seeing(&[]), figures(Doctrine::Line));
    assert_eq!(quiet[8], 1);
    let cued = line::decide(&seeing(&[enemy(9_000.0, 0.0)]), figures(Doctrine::Line));
    assert_eq!(cued[8], 3);
}

#[test]
fn the_line_turns_off_a_torpedo_and_drops_a_decoy_when_it_is_near() {
    let figures = figures(Doctrine::Line);
    let far = line::decide(&seeing(&[torpedo(2_200.0, 10.0)]), figures);
    assert_eq!((far[1], far[9]), (0, 0), "hard over, no decoy yet");
    let near = line::decide(&seeing(&[torpedo(1_000.0, 10.0)]), figures);
    assert_eq!(near[9], 1);
}

#[test]
fn torpedoes_stay_in_their_tubes_when_a_friend_is_in_the_way() {
    let figures = figures(Doctrine::Line);
    let mut sight = seeing(&[enemy(1_500.0, 0.0)]);
    assert!(tactics::torpedo_is_worth_it(&sight, &sight.contacts[0], figures));
    sight.allies[0] = Ally { x: 900.0, y: 50.0, ..Ally::default() };
    sight.ally_count = 1;
    assert!(!tactics::torpedo_is_worth_it(&sight, &sight.contacts[0], figures));
}

#[test]
fn a_pack_chooses_what_is_near_to_all_of_it() {
    let mut sight = seeing(&[enemy(3_000.0, 0.0), enemy(0.0, 3_500.0)]);
    for slot in 0..4 {
        sight.allies[slot] = Ally { x: 1_000.0, y: 3_000.0, ..Ally::default() };
    }
    sight.ally_count = 4;
    let choices = wolfpack::decide(&sight, figures(Doctrine::Wolfpack));
    assert_eq!(choices[2], 2);
}

#[test]
fn a_pack_does_not_shell_its_own() {
    let mut sight = seeing(&[enemy(3_000.0, 0.0)]);
    sight.ally_count = 1;
    let gun = |sight: &Sight| wolfpack::decide(sight, figures(Doctrine::Wolfpack))[3];
    for (x, y, fires) in [(2_900.0, 50.0, 0), (2_900.0, 600.0, 1), (1_500.0, 50.0, 1)] {
        // Shells pass over whoever is half way.
        sight.allies[0] = Ally { x, y, ..Ally::default() };
        assert_eq!(gun(&sight), fires, "a friend at {x}, {y}");
    }
}

#[test]
fn a_pack_keeps_apart() {
    let mut sight = corvette();
    sight.allies[0] = Ally { x: 200.0, y: -10.0, ..Ally::default() };
    sight.ally_count = 1;
    let plan = Plan { course: 0.0, speed: 1.0, clearance: 400.0, ..Plan::default() };
    assert!(plan.choices(&sight)[1] > 2, "to port");
    sight.allies[0].layer = 1;
    assert_eq!(plan.choices(&sight)[1], 2, "over a boat below it goes on");
}

#[test]
fn one_of_a_pack_searches_for_all_until_there_is_something_to_aim_at() {
    let mut sight = corvette();
    sight.allies[0] = Ally { x: 2_000.0, y: 2_000.0, ..Ally::default() };
    sight.ally_count = 1;
    let emission = |sight: &Sight| wolfpack::decide(sight, figures(Doctrine::Wolfpack))[8];
    assert_eq!(emission(&sight), 2);
    sight.own.flagship = true;
    assert_eq!(emission(&sight), 3);
    let mut cued = seeing(&[enemy(9_000.0, 0.0)]);
    (cued.allies, cued.ally_count) = (sight.allies, 1);
    assert_eq!(emission(&cued), 3);
}

#[test]
fn a_drifter_takes_only_what_is_legal_and_never_scuttles() {
    let mut sight = corvette();
    sight.mask = [0; CHOICES];
    let mut first = 0;
    for size in HEADS {
        sight.mask[first] = 1;
        sight.mask[first + size as usize - 1] = 1;
        first += size as usize;
    }
    for tick in 0..200 {
        sight.tick = tick;
        let choices = drifter::decide(&sight, figures(Doctrine::Drifter));
        for (head, &choice) in choices.iter().enumerate() {
            let last = HEADS[head] as u8 - 1;
            assert!(choice == 0 || choice == last && head != 9, "head {head}: {choice}");
        }
    }
}

#[test]
fn a_drifter_holds_its_helm() {
    let mut sight = corvette();
    let mut changes = 0;
    let mut before = None;
    for tick in 0..600 {
        sight.tick = tick;
        let choices = drifter::decide(&sight, figures(Doctrine::Drifter));
        let helm = (choices[0], choices[1]);
        changes += u32::from(before.is_some_and(|last| last != helm));
        before = Some(helm);
    }
    assert!((10..=60).contains(&changes), "{changes}");
}

#[test]
fn no_course_leads_off_the_map() {
    let mut sight = corvette();
    sight.own.x = 19_700.0;
    let plan = Plan { course: 0.3, speed: 1.0, ..Plan::default() };
    assert_eq!(plan.choices(&sight)[1], 4, "turned to port, along the edge");
    sight.task.may_exit = true;
    sight.own.heading = 0.3;
    assert_eq!(plan.choices(&sight)[1], 2, "who may leave goes on");
}

#[test]
fn an_obstacle_ahead_is_passed_on_the_nearer_side() {
    let mut sight = corvette();
    sight.around.obstacle = (300.0, 0.1);
    let plan = Plan { course: 0.0, speed: 1.0, ..Plan::default() };
    assert!(plan.choices(&sight)[1] < 2, "to starboard");
}

#[test]
fn angles_are_wrapped_into_one_turn() {
    assert!((wrapped(3.0 * PI) + PI).abs() < 1e-5);
    assert!((wrapped(-FRAC_PI_2 - 4.0 * PI) + FRAC_PI_2).abs() < 1e-5);
}

#[test]
fn a_target_that_outruns_a_torpedo_is_never_met() {
    let mut runner = enemy(1_000.0, 0.0);
    runner.vx = 30.0;
    let sight = seeing(&[runner]);
    assert_eq!(tactics::seconds_to_meet(&sight, &sight.contacts[0], 22.0), None);
    let still = enemy(2_200.0, 0.0);
    let seconds = tactics::seconds_to_meet(&sight, &still, 22.0);
    assert!(seconds.is_some_and(|seconds| (seconds - 100.0).abs() < 0.01));
}
