//! The gradient against differences of the loss, computed plainly in 64 bits.

use proptest::prelude::*;

use super::*;

const HEADS: [usize; 2] = [5, 19];
const CHOICES: usize = 24;

struct Case {
    mask: Vec<u8>,
    actions: [i32; 2],
    old: f32,
    old_value: f32,
    advantage: f32,
    returns: f32,
}

fn objective() -> Objective {
    Objective {
        clip: 0.2,
        value_clip: 0.3,
        value_coef: 0.7,
        entropy_coef: 0.05,
        advantage_mean: 0.1,
        advantage_scale: 1.5,
        row_weight: 0.25,
    }
}

/// The loss of one row as the formulas say it, and how far the row is from a kink.
fn loss(case: &Case, outputs: &[f64]) -> (f64, f64) {
    let weights = objective();
    let (mut log_prob, mut entropy, mut first) = (0.0, 0.0, 0);
    for (size, action) in HEADS.into_iter().zip(case.actions) {
        let legal: Vec<usize> = (first..first + size).filter(|&at| case.mask[at] == 1).collect();
        let total: f64 = legal.iter().map(|&at| outputs[at].exp()).sum();
        let chance = |at: usize| outputs[at].exp() / total;
        log_prob += chance(first + action as usize).ln();
        entropy -= legal.iter().map(|&at| chance(at) * chance(at).ln()).sum::<f64>();
        first += size;
    }
    let ratio = (log_prob - f64::from(case.old)).exp();
    let advantage = (f64::from(case.advantage) - 0.1) * 1.5;
    let held = ratio.clamp(1.0 - f64::from(weights.clip), 1.0 + f64::from(weights.clip));
    let policy = -(ratio * advantage).min(held * advantage);
    let (value, before) = (outputs[CHOICES], f64::from(case.old_value));
    let range = f64::from(weights.value_clip);
    let near = before + (value - before).clamp(-range, range);
    let miss = |guess: f64| 0.5 * (guess - f64::from(case.returns)).powi(2);
    let whole = policy + 0.7 * miss(value).max(miss(near)) - 0.05 * entropy;
    let kinks = [
        (ratio - 1.2).abs(),
        (ratio - 0.8).abs(),
        ((value - before).abs() - range).abs(),
        (miss(value) - miss(near)).abs() + if value == near { 1.0 } else { 0.0 },
    ];
    (0.25 * whole, kinks.into_iter().fold(f64::INFINITY, f64::min))
}

proptest! {
    #[test]
    fn agrees_with_differences_of_the_loss(
        logits in prop::collection::vec(-4.0_f32..4.0, CHOICES),
        mut mask in prop::collection::vec(0_u8..2, CHOICES),
        first in 0_i32..5,
        second in 0_i32..19,
        numbers in prop::array::uniform4(-1.5_f32..1.5),
        value in -1.0_f32..1.0,
    ) {
        mask[first as usize] = 1;
        mask[5 + second as usize] = 1;
        let case = Case {
            mask,
            actions: [first, second],
            old: -4.0 + numbers[0],
            old_value: numbers[1],
            advantage: numbers[2],
            returns: numbers[3],
        };
        let mut outputs: Vec<f32> = logits.iter().copied().chain([value]).collect();
        let exact: Vec<f64> = outputs.iter().map(|&number| f64::from(number)).collect();
        let (whole, kink) = loss(&case, &exact);
        prop_assume!(kink > 1e-3);
        let samples = Samples {
            mask: &case.mask,
            actions: &case.actions,
            log_prob: &[case.old],
            value: &[case.old_value],
            advantage: &[case.advantage],
            returns: &[case.returns],
        };
        let heads = Heads::new(HEADS.to_vec());
        let sums = gradient(&heads, samples, &objective(), &[0], &mut outputs);
        let total = sums.policy_loss + 0.7 * sums.value_loss - 0.05 * sums.entropy;
        prop_assert!((0.25 * total - whole).abs() < 1e-4 * (1.0 + whole.abs()));
        for at in 0..=CHOICES {
            let moved = |by: f64| {
                let mut outputs = exact.clone();
                outputs[at] += by;
                loss(&case, &outputs).0
            };
            let slope = (moved(1e-5) - moved(-1e-5)) / 2e-5;
            prop_assert!(
                (slope - f64::from(outputs[at])).abs() < 1e-4 * (1.0 + slope.abs()),
                "output {}: {} differs from {}", at, outputs[at], slope
            );
        }
    }
}

fn value_slope(value: f32, before: f32, returns: f32, value_clip: f32) -> f32 {
    let objective = Objective { value_clip, value_coef: 1.0, row_weight: 1.0, ..objective() };
    value_gradient(value, before, returns, &objective, &mut Sums::default())
}

proptest! {
    #[test]
    fn a_value_inside_its_range_always_has_its_slope(
        value in -3.0_f32..3.0,
        before in -3.0_f32..3.0,
        returns in -3.0_f32..3.0,
    ) {
        prop_assert_eq!(value_slope(value, before, returns, f32::INFINITY), value - returns);
        prop_assert_eq!(value_slope(value, before, returns, 6.0), value - returns);
    }
}

#[test]
fn what_is_not_a_number_is_not_hidden() {
    assert!(value_slope(f32::NAN, 0.0, 1.0, 0.1).is_nan());
    assert!(value_slope(0.5, 0.0, f32::NAN, 0.1).is_nan());
    assert!(surrogate(0.1, f32::NAN, &objective(), &mut Sums::default()).is_nan());
    assert!(surrogate(f32::NAN, 1.0, &objective(), &mut Sums::default()).is_nan());
}
