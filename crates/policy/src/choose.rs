//! Choosing actions.

use crate::softmax::{Heads, LANES, softmax};

/// What there is to choose from, one row per agent.
#[derive(Clone, Copy, Debug)]
pub struct Choices<'a> {
    /// (rows, stride): logits of all heads, then the value, then whatever else.
    pub outputs: &'a [f32],
    /// Floats from one row of `outputs` to the next.
    pub stride: usize,
    /// Where in a row the value stands.
    pub value_at: usize,
    /// (rows, choices): 1 where legal.
    pub mask: &'a [u8],
    /// (rows, heads): uniform numbers from 0 up to 1, or nothing to take the likeliest choice.
    pub uniform: Option<&'a [f32]>,
}

/// Where the answer goes, one row per agent.
#[derive(Debug)]
pub struct Chosen<'a> {
    /// (rows, heads).
    pub actions: &'a mut [i32],
    /// (rows,): log-probability of all heads' choices together.
    pub log_prob: &'a mut [f32],
    /// (rows,).
    pub value: &'a mut [f32],
}

/// Choose for every row: by its uniform numbers, or the first of the likeliest.
pub fn choose(heads: &Heads, from: Choices<'_>, into: Chosen<'_>) {
    let mut scratch = heads.scratch();
    let (count, choices) = (heads.count(), heads.choices());
    for (row, (log_prob, value)) in into.log_prob.iter_mut().zip(into.value).enumerate() {
        let outputs = &from.outputs[row * from.stride..(row + 1) * from.stride];
        let mask = &from.mask[row * choices..(row + 1) * choices];
        *value = outputs[from.value_at];
        *log_prob = 0.0;
        for (head, ((first, size), weights)) in heads.spans().zip(&mut scratch).enumerate() {
            let (logits, legal) = (&outputs[first..first + size], &mask[first..first + size]);
            let softmax = softmax(logits, legal, weights);
            let choice = match from.uniform {
                Some(uniform) => below(weights, uniform[row * count + head] * softmax.total),
                None => likeliest(weights),
            };
            into.actions[row * count + head] = choice as i32;
            *log_prob += softmax.log_prob(logits[choice]);
        }
    }
}

/// The choice in whose share of the cumulated weights `target` falls: first its lane, whole lanes
/// being quick to add, then its place there.
fn below(weights: &[f32], target: f32) -> usize {
    let (lanes, _) = weights.as_chunks::<LANES>();
    let mut sum = 0.0;
    let mut lane = 0;
    while lane + 1 < lanes.len() {
        let next = sum + lanes[lane].iter().sum::<f32>();
        if target < next {
            break;
        }
        sum = next;
        lane += 1;
    }
    let mut last = None;
    for (choice, &weight) in weights.iter().enumerate().skip(lane * LANES) {
        if weight > 0.0 {
            sum += weight;
            last = Some(choice);
            if target < sum {
                break;
            }
        }
    }
    // Rounding may leave the target above every sum; then the last legal choice is meant.
    last.or_else(|| weights.iter().rposition(|&weight| weight > 0.0)).unwrap_or(0)
}

fn likeliest(weights: &[f32]) -> usize {
    let mut best = 0;
    for (choice, &weight) in weights.iter().enumerate() {
        if weight > weights[best] {
            best = choice;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn one(logits: &[f32], mask: &[u8], uniform: Option<f32>) -> (i32, f32) {
        let heads = Heads::new(vec![logits.len()]);
        let outputs: Vec<f32> = logits.iter().copied().chain([7.5]).collect();
        let uniform = uniform.map(|number| vec![number]);
        let from = Choices {
            outputs: &outputs,
            stride: outputs.len(),
            value_at: logits.len(),
            mask,
            uniform: uniform.as_deref(),
        };
        let (mut actions, mut log_prob, mut value) = ([0], [0.0], [0.0]);
        let into = Chosen { actions: &mut actions, log_prob: &mut log_prob, value: &mut value };
        choose(&heads, from, into);
        assert_eq!(value[0], 7.5);
        (actions[0], log_prob[0])
    }

    #[test]
    fn the_uniform_number_walks_the_cumulated_probabilities() {
        let logits = [0.25_f32.ln(), 0.5_f32.ln(), 9.0, 0.25_f32.ln()];
        let mask = [1, 1, 0, 1];
        for (number, choice) in [(0.0, 0), (0.24, 0), (0.26, 1), (0.74, 1), (0.76, 3), (0.999, 3)] {
            assert_eq!(one(&logits, &mask, Some(number)).0, choice);
        }
        assert_eq!(one(&logits, &mask, None), (1, one(&logits, &mask, Some(0.5)).1));
    }

    proptest! {
        #[test]
        fn only_legal_choices_and_their_true_probability(
            rows in prop::collection::vec((-30.0_f32..30.0, 0_u8..2), 1..90),
            number in 0.0_f32..1.0,
        ) {
            let logits: Vec<f32> = rows.iter().map(|row| row.0).collect();
            let mut mask: Vec<u8> = rows.iter().map(|row| row.1).collect();
            let at = (number * rows.len() as f32) as usize;
            mask[at] = 1;
            let (choice, log_prob) = one(&logits, &mask, Some(number));
            prop_assert_eq!(mask[choice as usize], 1);
            let total: f64 = logits.iter().zip(&mask).filter(|pair| *pair.1 == 1)
                .map(|pair| f64::from(*pair.0).exp()).sum();
            let truth = f64::from(logits[choice as usize]) - total.ln();
            prop_assert!((f64::from(log_prob) - truth).abs() < 2e-5 * (1.0 + truth.abs()));
        }
    }
}
