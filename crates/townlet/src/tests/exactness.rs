//! The same seed and orders give the same bits: in any batch, on any threads, watched or not.

use astrarium_kernel::{Autoreset, Batch, digest_of};

use super::{Stage, eventful_town_of, town_of};
use crate::Townlet;
use crate::citizen;
use crate::config::{Config, Document};

fn busy_town() -> Document {
    busy(town_of(8))
}

fn busy(mut document: Document) -> Document {
    document.perturbations.enabled = true;
    document.env.max_ticks = 2500;
    document
}

fn follow_advice(batch: &mut Batch<Townlet>) {
    let worlds = batch.num_worlds();
    let seats = batch.layout().agents as usize;
    let mut orders = Vec::new();
    for index in 0..worlds {
        let world = batch.world(index).expect("a world");
        let mut advice = vec![0.0; seats];
        citizen::advise(&world.town, &world.state, &mut advice);
        orders.extend(advice.into_iter().map(|choice| choice as i32));
    }
    batch.arrays_mut().actions.as_mut_slice().copy_from_slice(&orders);
}

/// A batch of towns, on several counts of threads and one by one.
fn all_alike(document: Document, towns: u64, ticks: u32) {
    let config = Config::new(document).expect("sound");
    let seeds: Vec<u64> = (1..=towns).collect();
    let make = |seeds: &[u64], threads: u64| {
        let count = seeds.len() as u64;
        let mut batch = Batch::<Townlet>::new(config.clone(), count, threads, Autoreset::SameStep)
            .expect("made");
        batch.reset_with_seeds(seeds).expect("reset");
        batch
    };
    let mut batches: Vec<_> = [1, 2, 3].map(|threads| make(&seeds, threads)).into();
    let chosen = [0, towns as usize / 2, towns as usize - 1];
    let mut alone = chosen.map(|at| make(&seeds[at..=at], 1));
    for tick in 0..ticks {
        for batch in batches.iter_mut().chain(&mut alone) {
            follow_advice(batch);
            batch.step().expect("stepped");
        }
        if tick % 100 == 0 {
            let digests = |batch: &Batch<Townlet>| {
                let mut digests = vec![0; batch.num_worlds() as usize];
                batch.digests(&mut digests).expect("digests");
                digests
            };
            let first = digests(&batches[0]);
            assert!(batches.iter().all(|batch| digests(batch) == first), "tick {tick}");
            for (single, at) in alone.iter().zip(chosen) {
                assert_eq!(digests(single), [first[at]], "tick {tick}, town {at}");
            }
        }
    }
}

#[test]
fn threads_and_batch_size_change_nothing() {
    all_alike(busy_town(), 5, 600);
    all_alike(busy(eventful_town_of(8)), 5, 600);
}

#[test]
#[ignore = "a minute: 64 towns over two episodes"]
fn threads_and_batch_size_change_nothing_in_many_towns() {
    all_alike(busy_town(), 64, 5000);
}

#[test]
fn watching_changes_nothing() {
    let mut watched = Stage::new(busy_town(), 5);
    let mut unseen = Stage::new(busy_town(), 5);
    astrarium_kernel::World::watch(&mut unseen.world, false);
    watched.live(700);
    unseen.live(700);
    assert!(unseen.events().is_empty());
    assert_eq!(digest_of(&watched.world), digest_of(&unseen.world));
}

/// Sixty-four people live more ticks than a town of the longest episode has.
#[test]
fn ticks_of_people_are_counted_beyond_those_of_the_town() {
    let mut stage = Stage::new(town_of(2), 3);
    let tally = &mut stage.state_mut().tally;
    (tally.lived, tally.well) = (u64::from(u32::MAX), u64::from(u32::MAX));
    stage.idle(1);
    assert_eq!(stage.stat("lived_ticks"), (u64::from(u32::MAX) + 2) as f32);
    assert_eq!(stage.stat("well_share"), 1.0);
}
