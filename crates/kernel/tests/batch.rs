//! What a batch promises, shown on a small world of two agents.

mod tally;

use astrarium_kernel::{Autoreset, Batch, BatchError, SnapshotError, episode_seed};
use proptest::prelude::*;
use tally::{BREAK, BREAKING_SEED, DRAW, LEAVE, Tally, batch, order};

fn digests(batch: &Batch<Tally>) -> Vec<u64> {
    let mut digests = vec![0; batch.num_worlds() as usize];
    batch.digests(&mut digests).expect("one entry per world");
    digests
}

fn snapshot(batch: &Batch<Tally>) -> Vec<u8> {
    batch.snapshot().expect("no rule has panicked")
}

/// Everything a caller can see, as bits.
fn seen(batch: &Batch<Tally>) -> Vec<u64> {
    let arrays = batch.arrays();
    let worlds = batch.num_worlds();
    let floats = [&arrays.obs, &arrays.final_obs, &arrays.reward, &arrays.terms, &arrays.stats];
    let flags = [&arrays.mask, &arrays.alive, &arrays.terminated, &arrays.truncated];
    let width = |len: usize| len as u32 / worlds;
    let mut bits = digests(batch);
    for index in 0..worlds {
        for array in floats {
            bits.extend(
                array.row(index, width(array.len())).iter().map(|x| u64::from(x.to_bits())),
            );
        }
        for array in flags {
            bits.extend(array.row(index, width(array.len())).iter().map(|&x| u64::from(x)));
        }
        bits.extend(arrays.episode.row(index, 1));
        bits.extend(arrays.episode_seed.row(index, 1));
    }
    bits
}

fn choices() -> impl Strategy<Value = Vec<i32>> {
    let choice = prop_oneof![4 => Just(DRAW), 1 => Just(LEAVE), 2 => Just(0), 1 => Just(-7)];
    proptest::collection::vec(choice, 1..40)
}

fn modes() -> impl Strategy<Value = Autoreset> {
    prop_oneof![Just(Autoreset::SameStep), Just(Autoreset::NextStep)]
}

/// Step once per choice, rotating the choices through the agents so that neighbours differ.
fn play(batch: &mut Batch<Tally>, choices: &[i32]) {
    for first in 0..choices.len() {
        let turned: Vec<i32> = choices.iter().cycle().skip(first).take(7).copied().collect();
        order(batch, &turned);
        batch.step().expect("steps");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_number_of_threads_is_invisible(
        seed: u64, worlds in 1u64..9, threads in 2u64..6, mode in modes(), choices in choices()
    ) {
        let mut alone = batch(worlds, 1, mode, 6);
        let mut shared = batch(worlds, threads, mode, 6);
        alone.reset(seed).expect("resets");
        shared.reset(seed).expect("resets");
        play(&mut alone, &choices);
        play(&mut shared, &choices);
        prop_assert_eq!(seen(&alone), seen(&shared));
    }

    #[test]
    fn a_world_is_the_same_wherever_it_stands(
        seed in 0..BREAKING_SEED, worlds in 1u32..9, place: u32, choices in choices()
    ) {
        let place = place % worlds;
        let mut crowd = batch(u64::from(worlds), 2, Autoreset::SameStep, 6);
        let mut single = batch(1, 1, Autoreset::SameStep, 6);
        let seeds: Vec<u64> =
            (0..worlds).map(|at| (seed + u64::from(at)) % BREAKING_SEED).collect();
        crowd.reset_with_seeds(&seeds).expect("resets");
        single.reset_with_seeds(&seeds[place as usize..][..1]).expect("resets");
        for &choice in &choices {
            order(&mut crowd, &[choice]);
            order(&mut single, &[choice]);
            crowd.step().expect("steps");
            single.step().expect("steps");
            prop_assert_eq!(digests(&crowd)[place as usize], digests(&single)[0]);
        }
    }

    #[test]
    fn going_on_from_a_snapshot_equals_never_stopping(
        seed: u64, mode in modes(), before in choices(), after in choices()
    ) {
        let mut whole = batch(3, 1, mode, 6);
        whole.reset(seed).expect("resets");
        play(&mut whole, &before);
        let bytes = snapshot(&whole);
        let mut resumed = batch(3, 2, mode, 6);
        resumed.restore(&bytes).expect("a snapshot of the same kind");
        prop_assert_eq!(snapshot(&resumed), bytes);
        play(&mut whole, &after);
        play(&mut resumed, &after);
        prop_assert_eq!(digests(&whole), digests(&resumed));
        prop_assert_eq!(snapshot(&whole), snapshot(&resumed));
    }

    #[test]
    fn a_fork_goes_its_own_way_from_the_same_place(
        seed: u64, mode in modes(), before in choices(), after in choices()
    ) {
        let mut whole = batch(3, 1, mode, 6);
        whole.reset(seed).expect("resets");
        play(&mut whole, &before);
        let mut fork = whole.fork(&[2, 0, 2], 1).expect("indices exist");
        let start = digests(&whole);
        prop_assert_eq!(digests(&fork), vec![start[2], start[0], start[2]]);
        for &choice in &after {
            order(&mut whole, &[choice]);
            order(&mut fork, &[choice]);
            whole.step().expect("steps");
            fork.step().expect("steps");
            let now = digests(&whole);
            prop_assert_eq!(digests(&fork), vec![now[2], now[0], now[2]]);
        }
    }

    #[test]
    fn a_damaged_snapshot_changes_nothing(flip: usize, keep: usize) {
        let mut batch = batch(2, 1, Autoreset::SameStep, 6);
        let good = snapshot(&batch);
        let before = seen(&batch);
        let mut flipped = good.clone();
        flipped[flip % good.len()] ^= 1 << (flip / good.len() % 8);
        prop_assert!(batch.restore(&flipped).is_err());
        prop_assert!(batch.restore(&good[..keep % good.len()]).is_err());
        prop_assert_eq!(seen(&batch), before);
    }
}

#[test]
fn every_episode_can_be_rerun_alone_from_three_numbers() {
    let mut run = batch(2, 1, Autoreset::SameStep, 4);
    run.reset(7).expect("resets");
    order(&mut run, &[DRAW]);
    for _ in 0..9 {
        run.step().expect("steps");
    }
    assert_eq!(run.arrays().episode.row(1, 1), [2]);
    let seed = episode_seed(7, 1, 2);
    assert_eq!(run.arrays().episode_seed.row(1, 1), [seed]);
    let mut alone = batch(1, 1, Autoreset::SameStep, 4);
    alone.reset_with_seeds(&[seed]).expect("resets");
    order(&mut alone, &[DRAW]);
    alone.step().expect("steps");
    assert_eq!(digests(&run)[1], digests(&alone)[0]);
}

#[test]
fn same_step_shows_the_next_episode_and_keeps_the_last_observation() {
    let mut batch = batch(1, 1, Autoreset::SameStep, 2);
    batch.step().expect("steps");
    batch.step().expect("steps");
    let arrays = batch.arrays();
    assert_eq!(arrays.truncated.row(0, 2), [1, 1]);
    assert_eq!(arrays.final_obs.row(0, 6)[1], 2.0);
    assert_eq!(arrays.obs.row(0, 6)[1], 0.0);
    assert_eq!(arrays.episode.row(0, 1), [1]);
    assert_eq!(arrays.stats.row(0, 1), [2.0]);
}

#[test]
fn next_step_waits_one_step_and_ignores_its_orders() {
    let mut batch = batch(1, 1, Autoreset::NextStep, 2);
    order(&mut batch, &[DRAW]);
    batch.step().expect("steps");
    batch.step().expect("steps");
    assert_eq!(batch.arrays().obs.row(0, 6)[1], 2.0);
    assert_eq!(batch.arrays().episode.row(0, 1), [0]);
    batch.step().expect("steps");
    let arrays = batch.arrays();
    assert_eq!(arrays.obs.row(0, 6)[..2], [0.0, 0.0]);
    assert_eq!(arrays.reward.row(0, 2), [0.0, 0.0]);
    assert_eq!(arrays.truncated.row(0, 2), [0, 0]);
    assert_eq!(arrays.episode.row(0, 1), [1]);
}

#[test]
fn a_world_that_has_ended_takes_no_command_until_it_begins_again() {
    for mode in [Autoreset::Disabled, Autoreset::NextStep] {
        let mut batch = batch(2, 1, mode, 3);
        order(&mut batch, &[0, 0, LEAVE, LEAVE]);
        batch.step().expect("steps");
        let after_end = Err(BatchError::CommandAfterEnd { world: 1 });
        assert_eq!(batch.command(1, "{}"), after_end);
        let asked = |answer| matches!(answer, Err(BatchError::Command { .. }));
        assert!(asked(batch.command(0, "{}")), "the other one goes on");
        match mode {
            Autoreset::NextStep => batch.step().expect("steps"),
            _ => batch.reset_worlds(&[1], None).expect("the index exists"),
        }
        assert!(asked(batch.command(1, "{}")));
    }
}

#[test]
fn disabled_refuses_until_the_ended_world_is_reset() {
    let mut batch = batch(2, 1, Autoreset::Disabled, 3);
    order(&mut batch, &[0, 0, LEAVE, LEAVE]);
    batch.step().expect("steps");
    let before = seen(&batch);
    assert_eq!(batch.step(), Err(BatchError::EpisodeOver { world: 1 }));
    assert_eq!(seen(&batch), before);
    batch.reset_worlds(&[1], None).expect("the index exists");
    assert_eq!(batch.arrays().episode.row(1, 1), [1]);
    batch.step().expect("steps");
}

#[test]
fn an_agent_may_leave_while_the_other_plays_on() {
    let mut batch = batch(1, 1, Autoreset::SameStep, 5);
    order(&mut batch, &[DRAW, LEAVE]);
    batch.step().expect("steps");
    let last = batch.arrays().final_obs.row(0, 6);
    assert_eq!(batch.arrays().terminated.row(0, 2), [0, 1]);
    assert_eq!(batch.arrays().alive.row(0, 2), [1, 0]);
    assert_eq!(batch.arrays().events.row(0, 2), [0, 1]);
    assert_eq!((last[1], last[4]), (0.0, 1.0), "only the leaver's row is written");
    batch.step().expect("steps");
    assert_eq!(batch.arrays().terminated.row(0, 2), [0, 0], "an agent ends once");
    assert_eq!(batch.arrays().episode.row(0, 1), [0]);
}

#[test]
fn a_panicking_rule_is_an_error_until_reset_or_restore() {
    for threads in [1, 2] {
        let mut batch = batch(4, threads, Autoreset::SameStep, 5);
        let good = snapshot(&batch);
        order(&mut batch, &[0, 0, 0, 0, 0, 0, 0, BREAK]);
        let broken = BatchError::Panicked { message: "the rule broke".to_owned() };
        assert_eq!(batch.step(), Err(broken));
        order(&mut batch, &[0]);
        assert!(matches!(batch.step(), Err(BatchError::Panicked { .. })));
        assert!(matches!(batch.reset_worlds(&[0], None), Err(BatchError::Panicked { .. })));
        assert!(matches!(batch.fork(&[0], 1), Err(BatchError::Panicked { .. })));
        assert!(matches!(batch.snapshot(), Err(BatchError::Panicked { .. })));
        batch.restore(&good).expect("a good snapshot");
        batch.step().expect("steps");
        order(&mut batch, &[BREAK]);
        assert!(batch.step().is_err());
        order(&mut batch, &[0]);
        batch.reset(3).expect("resets");
        batch.step().expect("steps");
    }
}

#[test]
fn a_panicking_reset_is_an_error_however_it_is_asked_for() {
    let mut batch = batch(2, 2, Autoreset::SameStep, 5);
    let broken = |answer| matches!(answer, Err(BatchError::Panicked { .. }));
    assert!(broken(batch.reset_with_seeds(&[1, BREAKING_SEED])));
    batch.reset(0).expect("resets");
    assert!(broken(batch.reset_worlds(&[0, 1], Some(&[BREAKING_SEED, 1]))));
    assert!(broken(batch.step()), "one world is in no state to go on");
    batch.reset(0).expect("resets");
    batch.step().expect("steps");
}

#[test]
fn refused_input_changes_nothing() {
    let mut batch = batch(3, 1, Autoreset::SameStep, 5);
    batch.reset(5).expect("resets");
    batch.step().expect("steps");
    let before = seen(&batch);
    let length = BatchError::Length { name: "seeds", given: 2, expected: 3 };
    assert_eq!(batch.reset_with_seeds(&[1, 2]), Err(length));
    let outside = BatchError::WorldIndex { index: 3, worlds: 3 };
    assert_eq!(batch.reset_worlds(&[0, 3], None), Err(outside));
    assert!(batch.reset_worlds(&[0, 1], Some(&[1])).is_err());
    assert!(batch.fork(&[9], 1).is_err());
    assert!(batch.fork(&[], 1).is_err());
    batch.arrays_mut().controls.as_mut_slice()[3] = f32::NAN;
    let control = BatchError::ControlNotFinite { world: 1, agent: 1, control: 0 };
    assert_eq!(batch.step(), Err(control));
    assert_eq!(seen(&batch), before);
}

#[test]
fn a_snapshot_of_something_else_is_named() {
    let mut three = batch(3, 1, Autoreset::SameStep, 5);
    let refusal = |answer: Result<(), BatchError>| match answer {
        Err(BatchError::Snapshot(error)) => error,
        other => panic!("expected a refused snapshot, not {other:?}"),
    };
    let two = snapshot(&batch(2, 1, Autoreset::SameStep, 5));
    let expected = SnapshotError::WorldCount { found: 2, expected: 3 };
    assert_eq!(refusal(three.restore(&two)), expected);
    let longer = snapshot(&batch(3, 1, Autoreset::SameStep, 6));
    assert!(matches!(refusal(three.restore(&longer)), SnapshotError::Config { .. }));
}
