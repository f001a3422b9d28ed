//! Promises about any course of play, in both editions.

use astrarium_kernel::{Autoreset, Batch, View, World, digest_of};
use astrarium_prospector::{ACTIONS, Config, Edition, OBS, One, Prospector, Two};
use proptest::prelude::*;

const CONFIG: Config = Config { time_max: 300.0, invalid_action_penalty: 0.01 };

/// A row of observation and mask kept by a caller, as a batch keeps one.
struct Row {
    obs: [f32; OBS],
    mask: [u8; ACTIONS],
    alive: [u8; 1],
}

impl Row {
    fn new() -> Self {
        Self { obs: [0.0; OBS], mask: [0; ACTIONS], alive: [0] }
    }

    fn view(&mut self) -> View<'_> {
        View { obs: &mut self.obs, mask: &mut self.mask, alive: &mut self.alive }
    }
}

fn fresh<E: Edition>(seed: u64) -> Prospector<E> {
    let mut world = Prospector::new(&CONFIG);
    world.reset(seed);
    world
}

/// Orders that get somewhere: mostly what the mask allows, sometimes anything.
fn choose(row: &Row, draw: u16) -> u8 {
    if draw.is_multiple_of(5) {
        return (draw / 5 % 80) as u8;
    }
    let legal: Vec<u8> = (0..68).filter(|&action| row.mask[usize::from(action)] == 1).collect();
    legal[usize::from(draw) / 5 % legal.len()]
}

fn play<E: Edition>(seed: u64, draws: &[u16]) -> Result<(), TestCaseError> {
    let mut world = fresh::<E>(seed);
    let mut kept = Row::new();
    world.observe(&mut kept.view());
    for &draw in draws {
        let action = choose(&kept, draw);
        let legal = kept.mask.get(usize::from(action)).is_some_and(|&entry| entry == 1);
        let turn = world.advance(action);
        prop_assert_eq!(turn.invalid, !legal, "the mask lied about action {}", action);
        world.refresh(&turn, &mut kept.view());

        let mut whole = Row::new();
        world.observe(&mut whole.view());
        for (index, (a, b)) in kept.obs.iter().zip(&whole.obs).enumerate() {
            prop_assert_eq!(a.to_bits(), b.to_bits(), "obs[{}] after action {}", index, action);
            prop_assert!((-1.0..=1.0).contains(a));
        }
        prop_assert_eq!(kept.mask, whole.mask, "mask after action {}", action);
        let sum = turn.terms.iter().fold(0.0, |sum, term| sum + term);
        prop_assert_eq!(sum, turn.reward);
        if turn.terminated || turn.truncated {
            break;
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn rewriting_what_changed_equals_rewriting_everything(
        seed: u64, draws in proptest::collection::vec(any::<u16>(), 1..250)
    ) {
        play::<One>(seed, &draws)?;
        play::<Two>(seed, &draws)?;
    }

    /// Worth telescopes and a ship starts with everything full, so nothing is had for nothing.
    #[test]
    fn an_episode_of_version_2_never_returns_more_than_its_profit(
        seed: u64, draws in proptest::collection::vec(any::<u16>(), 1..250)
    ) {
        let mut world = fresh::<Two>(seed);
        let mut row = Row::new();
        let mut total = 0.0f64;
        world.observe(&mut row.view());
        for draw in draws {
            let turn = world.advance(choose(&row, draw));
            world.refresh(&turn, &mut row.view());
            total += f64::from(turn.reward);
            if turn.terminated || turn.truncated {
                let profit = f64::from(world.figures(&turn)[1]);
                prop_assert!(total <= profit / 1000.0 + 1e-3, "{} for {}", total, profit);
                return Ok(());
            }
        }
        let turn = world.advance(68);
        total += f64::from(turn.reward);
        let profit = f64::from(world.figures(&turn)[1]);
        prop_assert!(total <= profit / 1000.0 + 1e-3, "{} for {}", total, profit);
    }

    #[test]
    fn every_belt_of_version_2_is_connected(seed: u64) {
        let world = fresh::<Two>(seed);
        let mut hidden = vec![0.0; Prospector::<Two>::layout(&CONFIG).hidden as usize];
        world.reveal(&mut hidden);
        for node in hidden[4..4 + 32 * 4].chunks_exact(4).filter(|node| node[0] >= 0.0) {
            prop_assert!(node[3] < 31.0, "a node is out of reach");
        }
    }

    #[test]
    fn a_restored_batch_goes_on_as_if_never_stored(seed: u64, steps in 1usize..120) {
        let orders = |step: usize, i: usize| ((step * 31 + i * 17) % 69) as i32;
        let mut batch = Batch::<Prospector<Two>>::new(CONFIG, 6, 2, Autoreset::SameStep).expect("fits");
        batch.reset(seed).expect("resets");
        let advance = |batch: &mut Batch<Prospector<Two>>, step| {
            for (i, action) in batch.arrays_mut().actions.as_mut_slice().iter_mut().enumerate() {
                *action = orders(step, i);
            }
            batch.step().expect("steps");
        };
        (0..steps).for_each(|step| advance(&mut batch, step));
        let stored = batch.snapshot().expect("stores");
        let mut copy = Batch::<Prospector<Two>>::new(CONFIG, 6, 1, Autoreset::SameStep).expect("fits");
        copy.restore(&stored).expect("restores");
        for step in steps..steps + 40 {
            advance(&mut batch, step);
            advance(&mut copy, step);
            for index in 0..6 {
                let (a, b) = (batch.world(index), copy.world(index));
                prop_assert_eq!(a.map(digest_of), b.map(digest_of));
            }
            prop_assert_eq!(batch.arrays().obs.row(0, 6 * 260), copy.arrays().obs.row(0, 6 * 260));
        }
    }
}
