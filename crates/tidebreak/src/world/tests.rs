//! Battles as the kernel steps them.

use astrarium_kernel::{Autoreset, Batch, Stream};

use super::{Config, Document, Helm, Opponent, Side, TERMS, Tidebreak};
use crate::doctrine::Doctrine;
use crate::orders::HEADS;

fn config(document: Document) -> Config {
    Config::new(document).expect("sound settings")
}

fn small() -> Document {
    Document { side: Side::Both, decision_ticks: 3, ..Document::default() }
}

fn batch(document: Document, worlds: u64, threads: u64) -> Batch<Tidebreak> {
    let mut batch = Batch::new(config(document), worlds, threads, Autoreset::SameStep)
        .expect("a batch can be made");
    batch.reset(3).expect("it begins");
    batch
}

/// Something legal for every head, the same for the same step.
fn choose(batch: &mut Batch<Tidebreak>, step: u32) {
    choose_as(batch, step, 0);
}

/// The same for agents of which the first is that many among others.
fn choose_as(batch: &mut Batch<Tidebreak>, step: u32, first_agent: usize) {
    let heads = batch.layout().heads.clone();
    let choices = batch.layout().choices() as usize;
    let arrays = batch.arrays_mut();
    let mask = arrays.mask.as_mut_slice().to_vec();
    let rows = mask.len() / choices;
    let draws = Stream::new(9, 0);
    for row in 0..rows {
        let mut first = 0;
        for (head, &size) in heads.iter().enumerate() {
            let legal: Vec<i32> = (0..size as i32)
                .filter(|&choice| mask[row * choices + first + choice as usize] != 0)
                // Nobody scuttles here.
                .filter(|&choice| !(size == 6 && choice == 5))
                .collect();
            let drawn = draws.unit((first_agent + row) as u32, step, head as u32);
            let chosen = legal[(drawn * legal.len() as f32) as usize];
            arrays.actions.as_mut_slice()[row * heads.len() + head] = chosen;
            first += size as usize;
        }
    }
}

fn digests(batch: &Batch<Tidebreak>) -> Vec<u64> {
    let mut out = vec![0; batch.num_worlds() as usize];
    batch.digests(&mut out).expect("room for all");
    out
}

fn run(batch: &mut Batch<Tidebreak>, steps: std::ops::Range<u32>) {
    for step in steps {
        choose(batch, step);
        batch.step().expect("stepped");
    }
}

#[test]
fn threads_change_nothing() {
    let mut alone = batch(small(), 4, 1);
    let mut shared = batch(small(), 4, 3);
    for step in 0..120 {
        choose(&mut alone, step);
        choose(&mut shared, step);
        alone.step().expect("stepped");
        shared.step().expect("stepped");
        assert_eq!(digests(&alone), digests(&shared), "step {step}");
    }
}

#[test]
fn a_world_among_sixty_four_is_as_it_is_alone() {
    let mut many = batch(small(), 64, 3);
    let seeds: Vec<u64> = (0..64).map(|world| 1000 + 7 * world).collect();
    many.reset_with_seeds(&seeds).expect("it begins");
    run(&mut many, 0..60);
    let together = digests(&many);
    for world in [0, 1, 31, 62, 63] {
        let mut alone = batch(small(), 1, 1);
        alone.reset_with_seeds(&seeds[world..=world]).expect("it begins");
        for step in 0..60 {
            choose_as(&mut alone, step, 2 * world);
            alone.step().expect("stepped");
        }
        assert_eq!(digests(&alone), together[world..=world], "world {world}");
    }
}

#[test]
fn going_on_from_a_snapshot_is_never_having_stopped() {
    let scenario = Document { scenario: "uneven".to_owned(), ..small() };
    for document in [small(), scenario] {
        let mut whole = batch(document.clone(), 2, 1);
        run(&mut whole, 0..70);
        let kept = whole.snapshot().expect("taken");
        run(&mut whole, 70..140);
        let mut parted = batch(document, 2, 1);
        parted.restore(&kept).expect("restored");
        run(&mut parted, 70..140);
        assert_eq!(digests(&whole), digests(&parted));
        let (whole, parted) = (whole.arrays_mut(), parted.arrays_mut());
        assert_eq!(whole.obs.as_mut_slice(), parted.obs.as_mut_slice());
        assert_eq!(whole.mask.as_mut_slice(), parted.mask.as_mut_slice());
    }
}

#[test]
fn rewards_are_the_sum_of_their_terms_and_sights_are_in_range() {
    let mut batch = batch(small(), 3, 1);
    let mut paid = 0;
    for step in 0..150 {
        choose(&mut batch, step);
        batch.step().expect("stepped");
        let arrays = batch.arrays_mut();
        let terms = arrays.terms.as_mut_slice().to_vec();
        for (agent, &reward) in arrays.reward.as_mut_slice().iter().enumerate() {
            let sum: f32 = terms[agent * TERMS..(agent + 1) * TERMS].iter().sum();
            assert_eq!(reward, sum);
            paid += u32::from(reward != 0.0);
        }
        let seen = arrays.obs.as_mut_slice();
        assert!(seen.iter().all(|value| (-1.0..=1.0).contains(value)));
    }
    assert!(paid > 0);
}

#[test]
fn watching_changes_no_digest_and_tells_what_happens() {
    let mut quiet = batch(small(), 1, 1);
    let mut watched = batch(small(), 1, 1);
    watched.watch(0, true).expect("watched");
    let mut told = 0;
    for step in 0..200 {
        choose(&mut quiet, step);
        choose(&mut watched, step);
        quiet.step().expect("stepped");
        watched.step().expect("stepped");
        told += usize::from(watched.happenings(0).expect("asked") != "[]");
        assert_eq!(quiet.happenings(0).expect("asked"), "[]");
    }
    assert_eq!(digests(&quiet), digests(&watched));
    assert!(told > 0);
}

#[test]
fn a_continuous_helm_at_the_positions_of_the_choices_gives_the_same_battle() {
    let both = |helm| Document { helm, ..Document::default() };
    let mut discrete = batch(both(Helm::Discrete), 1, 1);
    let mut continuous = batch(both(Helm::Continuous), 1, 1);
    assert_eq!(continuous.layout().heads.len(), HEADS.len() - 2);
    let throttles = [-1.0, 0.0, 0.33, 0.67, 1.0];
    let rudders = [-1.0, -0.5, 0.0, 0.5, 1.0];
    for step in 0..60 {
        choose(&mut discrete, step);
        let orders = discrete.arrays_mut().actions.as_mut_slice().to_vec();
        let arrays = continuous.arrays_mut();
        arrays.actions.as_mut_slice().copy_from_slice(&orders[2..]);
        arrays
            .controls
            .as_mut_slice()
            .copy_from_slice(&[throttles[orders[0] as usize], rudders[orders[1] as usize]]);
        discrete.step().expect("stepped");
        continuous.step().expect("stepped");
        assert_eq!(digests(&discrete), digests(&continuous), "step {step}");
    }
}

#[test]
fn settings_are_refused_by_name() {
    let wrong = [
        (Document { scenario: "atlantis".to_owned(), ..Document::default() }, "scenario"),
        (Document { opponent: "admiral".into(), ..Document::default() }, "opponent"),
        (Document { opponent: Opponent::OneOf(Vec::new()), ..Document::default() }, "opponent"),
        (Document { decision_ticks: 0, ..Document::default() }, "decision_ticks"),
        (Document { fidelity: "F9".to_owned(), ..Document::default() }, "fidelity"),
        (Document { ship: Some(7), ..Document::default() }, "ship"),
        (Document { ship: Some(0), side: Side::Both, ..Document::default() }, "ship"),
        (Document { package: Some("{}".to_owned()), ..Document::default() }, "package"),
        (Document { weights: [f32::NAN; TERMS], ..Document::default() }, "weights[0]"),
    ];
    for (document, field) in wrong {
        let words = Config::new(document).expect_err(field);
        assert!(words.starts_with(field), "{words}");
    }
}

#[test]
fn seeds_draw_different_opponents_where_any_may_come() {
    let config = config(Document { opponent: "any".into(), ..Document::default() });
    let drawn: Vec<Doctrine> = (0..60).map(|seed| config.terms.captains(seed)[1]).collect();
    for doctrine in &Doctrine::ALL[1..] {
        assert!(drawn.contains(doctrine), "{doctrine:?}");
    }
    assert!(!drawn.contains(&Doctrine::Drifter));
}

#[test]
fn a_doctrine_that_is_named_twice_comes_twice_as_often() {
    let names = ["pursuer", "pursuer", "line"].map(str::to_owned).to_vec();
    let config = config(Document { opponent: Opponent::OneOf(names), ..Document::default() });
    let drawn = (0..3000).map(|seed| config.terms.captains(seed)[1]);
    let (pursuers, others): (Vec<Doctrine>, Vec<Doctrine>) =
        drawn.partition(|&one| one == Doctrine::Pursuer);
    assert!(others.iter().all(|&one| one == Doctrine::Line));
    assert!((1900..2100).contains(&pursuers.len()), "{}", pursuers.len());
}
