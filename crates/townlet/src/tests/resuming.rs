//! Going on from a snapshot is never having stopped, whatever was going on.

use astrarium_kernel::{Autoreset, Batch};
use proptest::prelude::*;

use super::{eventful_town_of, town_of};
use crate::Townlet;
use crate::agent::ShiftState;
use crate::annex;
use crate::citizen;
use crate::config::{Config, Document};
use crate::drama;
use crate::draws::Draws;
use crate::numbers::{NONE, ONE};
use crate::state::State;

/// A town in which the city interferes; with every optional rule, if so.
fn busy_town(optional: bool) -> Document {
    let mut document = if optional { eventful_town_of(8) } else { town_of(8) };
    document.perturbations.enabled = true;
    document
}

fn one_town(config: &Config) -> Batch<Townlet> {
    Batch::new(config.clone(), 1, 1, Autoreset::SameStep).expect("made")
}

fn state(batch: &Batch<Townlet>) -> &State {
    &batch.world(0).expect("a world").state
}

/// What the scripted citizens choose, or with `careless` a random legal choice now and then.
fn step(batch: &mut Batch<Townlet>, draws: &mut Draws, careless: bool) {
    let world = batch.world(0).expect("a world");
    let mut advice = vec![0.0; world.state.agents.len()];
    citizen::advise(&world.town, &world.state, &mut advice);
    let masks: Vec<u32> = world.state.agents.iter().map(|agent| agent.mask).collect();
    let orders = batch.arrays_mut().actions.as_mut_slice();
    for ((order, choice), mask) in orders.iter_mut().zip(advice).zip(masks) {
        *order = choice as i32;
        if careless && draws.below(8) == 0 {
            let at = draws.below(mask.count_ones().max(1));
            *order = (0..8).filter(|bit| mask >> bit & 1 == 1).nth(at as usize).unwrap_or(0);
        }
    }
    batch.step().expect("stepped");
}

fn disturb(batch: &mut Batch<Townlet>, draws: &mut Draws) {
    let number = draws.below(8) + 1;
    let order = match draws.below(150) {
        0 => trigger("blackout", draws.between(5, 60)),
        1 => trigger("outage", draws.between(5, 60)),
        2 => trigger("facility_closure", draws.between(5, 60)),
        3 => format!(r#"{{"kill": {{"agent_id": "resident_{number:02}"}}}}"#),
        4 => format!(r#"{{"possess": {{"agent_id": "resident_{number:02}", "acquire": true}}}}"#),
        5 => format!(r#"{{"possess": {{"agent_id": "resident_{number:02}", "acquire": false}}}}"#),
        6 => format!(r#"{{"rain": {{"on": {}}}}}"#, number.is_multiple_of(2)),
        7..=20 => enemies(number, draws.below(8) + 1),
        _ => return,
    };
    batch.command(0, &order).expect("a command");
}

fn trigger(spec: &str, duration: u32) -> String {
    format!(
        r#"{{"perturbation_trigger": {{"spec": "{spec}", "starts_in": 0, "duration": {duration},
           "target": null, "magnitude": null}}}}"#
    )
}

fn enemies(one: u32, other: u32) -> String {
    format!(
        r#"{{"set_rel": {{"a": "resident_{one:02}", "b": "resident_{other:02}", "trust": 0.0,
           "familiarity": 0.0, "rivalry": 1.0}}}}"#
    )
}

/// Both go on for `ticks` and must agree in everything there is to see.
fn agree(one: &mut Batch<Townlet>, other: &mut Batch<Townlet>, draws: &Draws, ticks: u32) {
    for batch in [&mut *one, &mut *other] {
        batch.watch(0, true).expect("watched");
    }
    let (mut a, mut b) = (*draws, *draws);
    for _ in 0..ticks {
        for (batch, draws) in [(&mut *one, &mut a), (&mut *other, &mut b)] {
            disturb(batch, draws);
            step(batch, draws, true);
        }
        let (mut mine, mut theirs) = ([0], [0]);
        one.digests(&mut mine).expect("digest");
        other.digests(&mut theirs).expect("digest");
        assert_eq!(mine, theirs);
        assert_eq!(one.happenings(0), other.happenings(0));
        let (mine, theirs) = (one.arrays_mut(), other.arrays_mut());
        assert_eq!(mine.obs.as_mut_slice(), theirs.obs.as_mut_slice());
        assert_eq!(mine.mask.as_mut_slice(), theirs.mask.as_mut_slice());
        assert_eq!(mine.reward.as_mut_slice(), theirs.reward.as_mut_slice());
        assert_eq!(mine.stats.as_mut_slice(), theirs.stats.as_mut_slice());
    }
    for name in crate::blocks::NAMES {
        assert_eq!(one.block(0, name), other.block(0, name));
    }
}

/// Saved and read back into a town that never lived.
fn resumed(config: &Config, batch: &Batch<Townlet>) -> Batch<Townlet> {
    let mut fresh = one_town(config);
    fresh.restore(&batch.snapshot().expect("a snapshot")).expect("restored");
    fresh
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn a_snapshot_goes_on_as_if_nothing_had_been(seed: u64, before in 0u32..2500, careless: bool, optional: bool) {
        let config = Config::new(busy_town(optional)).expect("sound");
        let mut unbroken = one_town(&config);
        unbroken.reset_with_seeds(&[seed]).expect("reset");
        let mut draws = Draws::of(seed, "pauses");
        for _ in 0..before {
            disturb(&mut unbroken, &mut draws);
            step(&mut unbroken, &mut draws, careless);
        }
        let mut fresh = resumed(&config, &unbroken);
        agree(&mut unbroken, &mut fresh, &draws, 60);
    }
}

#[test]
fn two_hundred_random_ticks_resume_exactly() {
    random_ticks_resume_exactly(false, 200);
}

#[test]
fn random_ticks_with_optional_rules_resume_exactly() {
    random_ticks_resume_exactly(true, 100);
}

fn random_ticks_resume_exactly(optional: bool, count: u32) {
    let config = Config::new(busy_town(optional)).expect("sound");
    let mut unbroken = one_town(&config);
    unbroken.reset_with_seeds(&[21]).expect("reset");
    let mut draws = Draws::of(21, "pauses");
    for _ in 0..count {
        for _ in 0..draws.between(1, 60) {
            disturb(&mut unbroken, &mut draws);
            step(&mut unbroken, &mut draws, false);
        }
        let mut fresh = resumed(&config, &unbroken);
        agree(&mut unbroken, &mut fresh, &draws, 10);
    }
}

/// The ticks a snapshot is most likely to forget something of.
#[test]
fn snapshots_in_the_middle_of_things_resume_exactly() {
    type Middle = (&'static str, fn(&State) -> bool);
    let middles: [Middle; 9] = [
        ("an affordance", |state| {
            let busy = |agent: &crate::agent::Agent| {
                agent.running != NONE && agent.ran_from + 1 < state.tick && agent.paid > 0
            };
            state.agents.iter().any(busy)
        }),
        ("a shift", |state| {
            let on_shift = |agent: &crate::agent::Agent| {
                agent.work.shift.state == ShiftState::OnTime && agent.work.shift.on_time > 20
            };
            state.agents.iter().any(on_shift)
        }),
        ("an outage", |state| state.city.no_power > 0 || state.city.no_water > 0),
        ("a queue", |state| state.things.iter().any(|thing| thing.waiting > 0)),
        ("a replacement's journey", |state| !state.arrivals.is_empty()),
        ("a command's wait", |state| !state.pending.is_empty()),
        ("an argument", |state| (0..8).any(|seat| drama::argues(state, seat))),
        ("a step in the rain", |state| (0..8).any(|seat| annex::held_up(state, seat))),
        ("the cold", |state| state.annex.people.iter().any(|person| person.warmth < ONE)),
    ];
    let config = Config::new(busy_town(true)).expect("sound");
    for (name, is_in_the_middle) in middles {
        let mut unbroken = one_town(&config);
        unbroken.reset_with_seeds(&[33]).expect("reset");
        let mut draws = Draws::of(33, name);
        let mut tried = 0;
        for _ in 0..6000 {
            disturb(&mut unbroken, &mut draws);
            if is_in_the_middle(state(&unbroken)) {
                tried += 1;
                let mut fresh = resumed(&config, &unbroken);
                agree(&mut unbroken, &mut fresh, &draws, 40);
            }
            step(&mut unbroken, &mut draws, false);
            if tried == 8 {
                break;
            }
        }
        assert!(tried > 3, "in the middle of {name} only {tried} times");
    }
}
