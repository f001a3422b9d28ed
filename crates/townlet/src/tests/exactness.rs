//! The same seed and orders give the same bits: in any batch, on any threads, watched or not.

use astrarium_kernel::{Autoreset, Batch, digest_of};

use super::{Stage, town_of};
use crate::Townlet;
use crate::citizen;
use crate::config::{Config, Document, Variant};

fn busy_town() -> Document {
    let mut document = town_of(8);
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

#[test]
fn threads_and_batch_size_change_nothing() {
    let config = Config::new(busy_town()).expect("sound");
    let mut one = Batch::<Townlet>::new(config.clone(), 5, 1, Autoreset::SameStep).expect("made");
    let mut two = Batch::<Townlet>::new(config.clone(), 5, 2, Autoreset::SameStep).expect("made");
    let mut alone = Batch::<Townlet>::new(config, 1, 1, Autoreset::SameStep).expect("made");
    one.reset_with_seeds(&[1, 2, 3, 4, 5]).expect("reset");
    two.reset_with_seeds(&[1, 2, 3, 4, 5]).expect("reset");
    alone.reset_with_seeds(&[4]).expect("reset");
    let (mut a, mut b, mut c) = ([0; 5], [0; 5], [0]);
    for tick in 0..600 {
        for batch in [&mut one, &mut two, &mut alone] {
            follow_advice(batch);
            batch.step().expect("stepped");
        }
        if tick % 50 == 0 {
            one.digests(&mut a).expect("digests");
            two.digests(&mut b).expect("digests");
            alone.digests(&mut c).expect("digests");
            assert_eq!(a, b);
            assert_eq!(a[3], c[0]);
        }
    }
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

/// Rollouts whose digests are fixed; a change here is a change of the rules, to be meant.
#[test]
fn golden_rollouts_keep_their_digests() {
    let breakfast = {
        let mut stage = Stage::new(town_of(2), 100);
        for agent in &mut stage.state_mut().agents {
            agent.needs[0] = 300_000;
            agent.items[1] = 0;
        }
        stage.live(200);
        digest_of(&stage.world)
    };
    let contention = {
        let mut document = town_of(6);
        document.affordances.objects.retain(|object| object.id != "shower_2");
        document.perturbations.specs.0.clear();
        let mut stage = Stage::new(document, 101);
        for agent in &mut stage.state_mut().agents {
            agent.needs[1] = 300_000;
        }
        stage.live(300);
        digest_of(&stage.world)
    };
    let punctuality = {
        let mut stage = Stage::new(town_of(8), 102);
        stage.live(1000);
        digest_of(&stage.world)
    };
    let rivalry = {
        let mut stage = Stage::new(town_of(4), 103);
        stage.order(r#"{"set_rel": {"a": "resident_01", "b": "resident_02", "trust": -0.5, "familiarity": 0.2, "rivalry": 0.9}}"#);
        stage.idle(150);
        digest_of(&stage.world)
    };
    let seen = {
        let mut document = town_of(8);
        document.features.systems.observations = Variant::Full;
        let mut stage = Stage::new(document, 104);
        stage.live(120);
        digest_of(&stage.obs)
    };
    let found = [
        ("breakfast", breakfast),
        ("contention", contention),
        ("punctuality", punctuality),
        ("rivalry", rivalry),
        ("observation", seen),
    ];
    let found: String =
        found.iter().map(|(name, digest)| format!("{name} {digest:016x}\n")).collect();
    let kept = concat!(env!("CARGO_MANIFEST_DIR"), "/src/tests/golden.txt");
    assert_eq!(found, std::fs::read_to_string(kept).expect("the golden digests"));
}
