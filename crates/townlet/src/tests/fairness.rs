//! City events over thousands of days: capped, rested, kept apart, and fair to their targets.

use super::{Stage, town_of};
use crate::agent::{TIES, Tie};
use crate::config::{Document, PerturbationKind as Kind, Stage as Stages};
use crate::draws::Draws;
use crate::movement;
use crate::numbers::{NONE, ONE};
use crate::options::Intent;
use crate::perturbations::{self, Happening};
use crate::scheduler::venue_of;
use crate::state::State;
use crate::town::Town;

const SEATS: usize = 8;

fn eventful_town() -> Document {
    let mut document = town_of(SEATS as u16);
    document.env.max_ticks = 100_000_000;
    document.perturbations.enabled = true;
    for (name, spec) in &mut document.perturbations.specs.0 {
        if name == "facility_closure" {
            spec.prob_per_day = 0.2;
        }
    }
    document
}

/// What is noted of the events of a town, and what none of them may do.
#[derive(Default)]
struct Watch {
    last_id: u32,
    begun: Vec<Happening>,
    days_of_overlap: std::collections::BTreeSet<u32>,
}

impl Watch {
    fn look(&mut self, town: &Town, state: &State) {
        let rules = &town.document.perturbations;
        let running = state.city.active.len() + state.city.pending.len();
        assert!(running <= rules.max_concurrent_events as usize, "{running} at once");
        let new = state.city.active.iter().filter(|one| one.id > self.last_id);
        for happening in new.copied().collect::<Vec<_>>() {
            self.rested(town, &happening);
            self.begun.push(happening);
            self.last_id = self.last_id.max(happening.id);
        }
        let wide = |one: &&Happening| {
            town.specs[usize::from(one.spec)].kind != Kind::ArrangedMeet && one.ends > state.tick
        };
        if state.city.active.iter().filter(wide).count() > 1 {
            self.days_of_overlap.insert(state.tick / town.day);
        }
        for (at, one) in state.city.active.iter().enumerate() {
            let venue = venue_of(town, one);
            let others = &state.city.active[at + 1..];
            assert!(venue == NONE || others.iter().all(|other| venue_of(town, other) != venue));
        }
    }

    /// The spec and the guests of a new event have rested since their last ones.
    fn rested(&self, town: &Town, new: &Happening) {
        let rules = &town.document.perturbations;
        let spec = &town.specs[usize::from(new.spec)];
        let recent = self.begun.iter().rev().take(64);
        let same: Vec<&Happening> = recent.filter(|old| old.spec == new.spec).collect();
        let rest = spec.cooldown + rules.global_cooldown_ticks;
        assert!(same.iter().all(|old| new.starts >= old.ends + rest), "{} came too soon", spec.id);
        let in_window = same.iter().filter(|old| old.starts + rules.window_ticks > new.starts);
        assert!(in_window.count() < rules.max_events_per_window as usize, "{} too often", spec.id);
        for guest in new.invited() {
            let met = |old: &&&Happening| old.invited().contains(guest);
            let rest = rules.per_agent_cooldown_ticks;
            assert!(same.iter().filter(met).all(|old| new.starts >= old.ends + rest));
        }
    }

    fn of<'a>(&'a self, town: &'a Town, kind: Kind) -> impl Iterator<Item = &'a Happening> {
        self.begun.iter().filter(move |one| town.specs[usize::from(one.spec)].kind == kind)
    }
}

/// Everyone has rivals by chance, new ones every day: nobody is a likelier guest than others.
fn deal_rivals(state: &mut State, draws: &mut Draws) {
    for seat in 0..SEATS {
        let left_out = draws.below(SEATS as u32 - 1) as usize;
        let others = (0..SEATS).filter(|&other| other != seat).enumerate();
        let others = others.filter(|&(at, _)| at != left_out).map(|(_, other)| other as u8);
        let agent = &mut state.agents[seat];
        agent.known = TIES as u8;
        for (tie, other) in agent.ties.iter_mut().zip(others) {
            let rivalry = i64::from(draws.below(ONE as u32));
            *tie = Tie { other, rivalry, ..Tie::default() };
        }
    }
}

/// Only the city goes on; its people stand still.
fn days(days: u32, seed: u64) -> (Stage, Watch) {
    let mut stage = Stage::new(eventful_town(), seed);
    let town = std::sync::Arc::clone(&stage.world.town);
    let mut draws = Draws::of(seed, "rivals");
    let mut watch = Watch::default();
    let state = stage.state_mut();
    state.log.watched = false;
    for tick in 1..=days * town.day {
        state.tick = tick;
        if tick % town.day == 1 {
            deal_rivals(state, &mut draws);
        }
        perturbations::tick(&town, state);
        watch.look(&town, state);
    }
    let overlapping = watch.days_of_overlap.len() as f64 / f64::from(days);
    assert!(overlapping < 0.05, "events overlap on {overlapping} of the days");
    (stage, watch)
}

/// The statistic of equally likely outcomes.
fn chi_squared(counts: &[u32]) -> f64 {
    let expected = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
    counts.iter().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum()
}

fn counts<const N: usize>(outcomes: impl Iterator<Item = usize>) -> [u32; N] {
    let mut counts = [0; N];
    for outcome in outcomes {
        counts[outcome] += 1;
    }
    counts
}

#[test]
fn all_who_want_one_tile_get_it_equally_often() {
    let mut stage = Stage::new(town_of(4), 5);
    let town = std::sync::Arc::clone(&stage.world.town);
    let wanted = town.grid.tile(40, 40);
    let around = [0, 1, 2, 3].map(|step| town.grid.step(wanted, step).expect("a tile"));
    for claimants in [2, 3, 4] {
        let mut intents = [Intent::Wait; SEATS];
        intents[..claimants].fill(Intent::Move(wanted));
        let winners = (0..4000).map(|_| {
            let state = stage.state_mut();
            for (seat, &tile) in around.iter().enumerate() {
                movement::go(state, seat, tile, false);
                state.agents[seat].blocked = 0;
            }
            movement::resolve(&town, state, &intents);
            usize::from(state.ground[usize::from(wanted)]) - 1
        });
        let counts: [u32; 4] = counts(winners);
        assert!(counts[claimants..].iter().all(|&count| count == 0));
        // More than equal chances give in one of a thousand cases.
        assert!(chi_squared(&counts[..claimants]) < 16.266, "{counts:?}");
    }
}

#[test]
fn caps_and_cooldowns_hold_for_three_hundred_days() {
    let (stage, watch) = days(300, 5);
    for kind in [Kind::PriceSpike, Kind::Blackout, Kind::Outage, Kind::ArrangedMeet] {
        assert!(watch.of(&stage.world.town, kind).count() > 10, "{kind:?}");
    }
}

#[test]
fn a_living_town_keeps_its_caps_too() {
    let mut stage = Stage::new(eventful_town(), 6);
    let town = std::sync::Arc::clone(&stage.world.town);
    let mut watch = Watch::default();
    for _ in 0..20_000 {
        stage.live(1);
        watch.look(&town, stage.state());
    }
    assert!(watch.begun.len() > 10);
}

#[test]
#[ignore = "seconds: ten thousand days"]
fn ten_thousand_days_treat_all_targets_alike() {
    let (stage, watch) = days(10_000, 5);
    let town = &stage.world.town;
    let spikes = watch.of(town, Kind::PriceSpike);
    let spikes: [u32; 2] = counts(spikes.map(|one| usize::from(one.prices) - 1));
    let closures = watch.of(town, Kind::FacilityClosure).map(|one| usize::from(one.place));
    let closed: Vec<usize> = closures.collect();
    let places = ["shower_1", "shower_2", "till_1"];
    let place = |object: &usize| places.iter().position(|id| *id == town.objects[*object].id);
    let closures: [u32; 3] = counts(closed.iter().map(|object| place(object).expect("a target")));
    let meets = watch.of(town, Kind::ArrangedMeet);
    let guests: [u32; SEATS] =
        counts(meets.flat_map(|one| one.invited().iter().map(|&person| person as usize)));
    assert!(spikes.iter().chain(&closures).chain(&guests).all(|&count| count > 300));
    // The values that equally likely outcomes exceed in one of a hundred cases.
    for (statistic, most) in [
        (chi_squared(&spikes), 6.635),
        (chi_squared(&closures), 9.210),
        (chi_squared(&guests), 18.475),
    ] {
        assert!(statistic < most, "{statistic}: {spikes:?} {closures:?} {guests:?}");
    }
}

/// How often each seat was a guest in these towns of scripted citizens, ten days each.
fn guests_of_lived_in_towns(ties: bool, seeds: std::ops::Range<u64>) -> [u32; SEATS] {
    let mut guests = [0; SEATS];
    for seed in seeds {
        let mut document = eventful_town();
        if !ties {
            document.features.stages.relationships = Stages::Off;
            document.features.stages.social_rewards = Stages::Off;
        }
        let mut stage = Stage::new(document, seed);
        let town = std::sync::Arc::clone(&stage.world.town);
        let mut watch = Watch::default();
        for _ in 0..10 * town.day {
            stage.live(1);
            watch.look(&town, stage.state());
        }
        for meeting in watch.of(&town, Kind::ArrangedMeet) {
            for &person in meeting.invited() {
                guests[person as usize % SEATS] += 1;
            }
        }
    }
    guests
}

#[test]
fn lived_in_towns_invite_everyone_alike() {
    for ties in [true, false] {
        let guests = guests_of_lived_in_towns(ties, 0..24);
        assert!(guests.iter().sum::<u32>() > 60, "{guests:?}");
        // The value that equal chances exceed in one of a hundred cases.
        assert!(chi_squared(&guests) < 18.475, "{guests:?}");
    }
    // What 64 towns counted while equals went by slot.
    assert!(chi_squared(&[111, 112, 4, 5, 4, 5, 5, 4]) > 18.475);
}
